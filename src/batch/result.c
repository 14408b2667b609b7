/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Read the results of a run. Which slots ran is not recorded: it follows from the results, because slot 0 ran and each
 * result says where control went.
 */
#include "internal.h"

long batch_result_next(const struct batch_slot *slots, const long *rets, long last, long index)
{
	size_t next;

	if (index < 0 || index >= last)
		return -1;
	next = batch__next(&slots[index], (size_t)index, (size_t)last + 1, rets[index]);
	return next <= (size_t)last ? (long)next : -1;
}

long batch_result_failed(const struct batch_slot *slots, const long *rets, long last)
{
	for (long i = last < 0 ? -1 : 0; i >= 0; i = batch_result_next(slots, rets, last, i))
		if (rets[i] < 0)
			return i;
	return -1;
}
