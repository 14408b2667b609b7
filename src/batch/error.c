/* SPDX-License-Identifier: BSD-3-Clause */
/* From a reason to its error code and to a sentence. The sentences are in spec/batch.toml. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

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

/* What the error code adds to the reason: nothing when it is the reason's own. */
static int is_told(const struct batch_error *error)
{
	return (size_t)error->reason < REASON_COUNT && batch__reasons[error->reason].code == error->code;
}

int batch_error_format(const struct batch_error *error, char *text, size_t bytes)
{
	const char *reason = batch_reason_text(error->reason), *code = strerrordesc_np(-error->code);
	char slot[32] = "";

	if (error->slot >= 0)
		snprintf(slot, sizeof(slot), "slot %ld: ", error->slot);
	if (is_told(error))
		return snprintf(text, bytes, "%s%s", slot, reason);
	if (error->reason == BATCH_REASON_NONE)
		reason = "the executor gave up and names no reason";
	return snprintf(text, bytes, "%s%s: %s (error code %d)", slot, reason, code ? code : "unknown", error->code);
}
