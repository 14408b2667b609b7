/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long to look before going to sleep, on a machine that may be shared.
 *
 * Spinning for about as long as a sleep and a wake-up cost is never worse than twice the best choice (Karlin, Manasse,
 * McGeoch, Owicki 1994). That holds while the thread that will end the wait runs. It does not run
 *	- when it was last on the caller's own processor,
 *	- when it has had no processor time between two looks at its clock: a neighbour has its processor.
 * Then the caller sleeps at once. That gives its own processor to a neighbour while it could do nothing, and when the
 * other thread is back and wakes it, it preempts that neighbour, having used less than its share; from then on the two
 * have their processors at the same times, as if the kernel scheduled them together (Ousterhout 1982):
 *
 *			processor 0		processor 1
 *	spinning	A waits	B runs		neighbour
 *			neighbour		B waits
 *			A waits			neighbour	each gets on only while both happen to run
 *	sleeping	neighbour		neighbour
 *			A			B wakes A
 *			A			B		both until their slices end
 *
 * Where more threads of the process are awake than there are processors, the caller yields between looks, unless there
 * are neighbours (neighbours.h).
 *
 *	struct thread__spin spin = thread__spin_begin(self, other, limit_ns);
 *
 *	while (!condition())
 *		if (!thread__spin(&spin, awake, processors))
 *			sleep;
 */
#ifndef THREAD_SPIN_H
#define THREAD_SPIN_H

#include "processor.h"

struct thread__spin {
	struct thread__runner *self; /* or NULL */
	/* The thread that will end the wait, or NULL when it may be any. */
	const struct thread__runner *other;
	/* How long to look in all, with a processor for each thread that is awake; and with fewer. */
	uint64_t limit_ns, crowded_limit_ns;
	/* The first look at the clock, 0: none yet; and the last. */
	uint64_t begun_ns, looked_ns;
	/* The last look at the other thread's clock, what it said, and when the next one is due. */
	uint64_t probed_ns, probed_cpu_ns, probe_ns;
	uint32_t looks;
	/* Whether its group of threads is more than there are processors, those that sleep included. */
	bool is_crowded;
	bool is_probed;
};

static inline struct thread__spin thread__spin_begin(struct thread__runner *self, const struct thread__runner *other,
						     uint64_t limit_ns, uint64_t crowded_limit_ns)
{
	return (struct thread__spin){
		.self = self, .other = other, .limit_ns = limit_ns, .crowded_limit_ns = crowded_limit_ns
	};
}

/*
 * Wait a moment before the next look; false: sleep instead. `awake` threads of the process want one of `processors`,
 * the caller among them; 0 and 0 where nobody counts them, and then the caller never yields.
 */
bool thread__spin(struct thread__spin *spin, unsigned awake, unsigned processors);
/*
 * The same for what is over after some instructions, unless the thread that does it has lost its processor; nobody
 * wakes the caller. `looks` counts from 0.
 */
void thread__spin_briefly(unsigned *looks);
/* After a sleep that was in vain: from the beginning. */
void thread__spin_again(struct thread__spin *spin);

#endif
