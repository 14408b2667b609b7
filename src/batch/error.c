/* SPDX-License-Identifier: BSD-3-Clause */
/* From a reason to its error code and to a sentence. The sentences are in spec/batch.toml. */
#include <errno.h>
#include <stdio.h>

#include "internal.h"
#include "reasons.h"

#define REASON_COUNT (sizeof(batch__reasons) / sizeof(batch__reasons[0]))

int batch__refuse(struct batch_error *error, enum batch_reason reason, long slot)
{
	if (error)
		*error = (struct batch_error){ batch__reasons[reason].code, reason, slot };
	return batch__reasons[reason].code;
}

const char *batch_reason_text(enum batch_reason reason)
{
	return (size_t)reason < REASON_COUNT ? batch__reasons[reason].text
					     : "unknown reason: the library is older than its caller";
}

int batch_error_format(const struct batch_error *error, char *text, size_t bytes)
{
	const char *reason = batch_reason_text(error->reason);

	if (error->slot < 0)
		return snprintf(text, bytes, "%s", reason);
	return snprintf(text, bytes, "slot %ld: %s", error->slot, reason);
}
