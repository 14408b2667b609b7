/* SPDX-License-Identifier: BSD-3-Clause */
/* Verify, then hand a batch to its executor: nothing runs before it has passed. */
#include <errno.h>
#include <limits.h>

#include "internal.h"

static int accept_batch(const struct batch_executor *executor, const long *rets, const struct batch_slot *slots,
			size_t count, unsigned long flags, struct batch_error *error)
{
	int code = batch_verify(slots, rets, count, flags, error);

	if (code == 0 && executor->check)
		code = executor->check(executor, slots, rets, count, error);
	return code;
}

/*
 * The executor found out when it was to run the batch. Only `kernel` does: it cannot know before whether the kernel
 * takes a batch of this thread, or whether its arrays are memory to the end.
 */
static long refuse_late(struct batch_error *error, long code)
{
	if (code == -EOPNOTSUPP)
		return batch__refuse(error, BATCH_REASON_WATCHED, -1);
	if (code == -EPERM)
		return batch__refuse(error, BATCH_REASON_NO_ENTRY, -1);
	if (code == -EFAULT)
		return batch__refuse(error, BATCH_REASON_MEMORY, -1);
	if (error)
		*error = (struct batch_error){ (int)code, BATCH_REASON_NONE, -1 };
	return code;
}

long batch_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count,
	       unsigned long flags, struct batch_error *error)
{
	int code = accept_batch(executor, rets, slots, count, flags, error);
	long last;

	if (code)
		return code;
	last = executor->run(executor, rets, slots, count);
	return batch__likely(last >= 0) ? last : refuse_late(error, last);
}

int batch_prepare(struct batch_prepared *prepared, const struct batch_executor *executor, long *rets,
		  struct batch_slot *slots, size_t count, unsigned long flags, struct batch_error *error)
{
	*prepared = (struct batch_prepared){ executor, slots, rets, count };
	return accept_batch(executor, rets, slots, count, flags, error);
}

long batch_prepared_run(const struct batch_prepared *prepared)
{
	return prepared->executor->run(prepared->executor, prepared->rets, prepared->slots, prepared->count);
}

long batch_prepared_run_while(const struct batch_prepared *prepared, size_t from, const unsigned long *go)
{
	if (batch__unlikely(!prepared->executor->run_part))
		return LONG_MIN;
	return prepared->executor->run_part(prepared, from, go, 0);
}

long batch_prepared_run_some(const struct batch_prepared *prepared, size_t from, size_t at_most)
{
	if (!prepared->executor->run_part)
		return LONG_MIN;
	return prepared->executor->run_part(prepared, from, NULL, at_most);
}

const char *ferry_version(void)
{
	return FERRY_VERSION;
}
