/* SPDX-License-Identifier: BSD-3-Clause */
/* examples/c/sigreset as plain C: a short loop over constants, which becomes a straight line. */
#include <sys/syscall.h>
#include <unistd.h>

void reset(const void *action);

void reset(const void *action)
{
	static const int signals[] = { 1, 2, 15 };

	for (int k = 0; k < 3; k++)
		/* batched 3 calls in 3 slots: rt_sigaction, rt_sigaction, rt_sigaction */
		syscall(SYS_rt_sigaction, signals[k], action, 0, 8);
}
