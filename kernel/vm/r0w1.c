// SPDX-License-Identifier: GPL-2.0-only
/*
 * r0w1: copy standard input to standard output, a piece by each batch: what read() returns is the
 * length that write() is given. By the original's <linux/batch.h>.
 */
#include <linux/batch.h>

int main(void)
{
	static char piece[64];
	long rets[3];
	struct syscall calls[3] = {
		scall3(read, -1, -1, 0, 0, piece, sizeof(piece)),
		{ __NR_wdcpy, -1, 0, 0, 2, { (long)&calls[2].arg[2], (long)&rets[0] } },
		scall3(write, -1, 0, 0, 1, piece, 0),
	};
	long last;

	do
		last = batch(rets, calls, 3, 0, sizeof(calls[0]));
	while (last == 2 && rets[2] == rets[0]);
	return last != 0 || rets[0] != 0;
}
