// SPDX-License-Identifier: GPL-2.0-only
/*
 * A batch in parts, by libferry's kernel executor: as a program runs one that must not be away for
 * long. What may block is flagged so, and is run by itself. This file is by the library's headers
 * and not by the kernel's, which say the same.
 */
#include <ferry/batch.h>

int library_open(void);
long run_in_parts(struct batch_slot *slots, long *rets, unsigned long count);

static struct batch_kernel_executor kernel;

/* Returns the descriptor of the device, or -1 where batches go another way. */
int library_open(void)
{
	batch_kernel_open(&kernel, NULL);
	return kernel.fd;
}

/* Returns the index of the last slot that ran, or -errno when the batch was refused. */
long run_in_parts(struct batch_slot *slots, long *rets, unsigned long count)
{
	static const unsigned long go = 1;
	struct batch_prepared prepared;
	int code = batch_prepare(&prepared, &kernel.executor, rets, slots, count, 0, NULL);
	long last = ~0L;

	if (code)
		return code;
	for (;;) {
		last = batch_prepared_run_while(&prepared, (unsigned long)~last, &go);
		if (last < 0)
			last = batch_prepared_run_some(&prepared, (unsigned long)~last, 1);
		if (last >= 0)
			return last;
	}
}
