/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long a waiter looks before it sleeps, on a machine that may be shared.
 *
 * Spinning for about as long as a sleep and a wake-up cost is never worse than twice the best choice (competitive
 * spinning: Karlin, Manasse, McGeoch, Owicki 1994). That holds while the thread that will end the wait runs. That
 * thread is not running
 *	- when it was last on the caller's own processor: then the caller moves to another processor, yields, or sleeps;
 *	- when its clock of processor time stood still between two readings: then a neighbour has its processor.
 * In the second case the caller sleeps at once, and a neighbour has the caller's processor while the caller could do
 * nothing. When the other thread runs again, it wakes the caller. The caller preempts that neighbour, because the
 * caller has used less than its share. From then on the two threads have their processors at the same times, as if the
 * kernel scheduled them together (Ousterhout 1982):
 *
 *			processor 0		processor 1
 *	spinning	A waits			neighbour
 *			neighbour		B waits
 *			A waits			neighbour	each gets on only while both happen to run
 *	sleeping	neighbour		neighbour
 *			A			B wakes A
 *			A			B		both until their slices end
 *
 * Where more threads of the process are awake than there are processors, the caller yields between looks, unless there
 * are neighbours (neighbours.h).
 *
 *	struct thread__spin spin = thread__spin_begin(self, other, limit_ns, oversubscribed_limit_ns);
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
	/* The thread that will end the wait, or NULL when any thread may. */
	const struct thread__runner *other;
	/* How long to spin in all: while there is a processor for each thread that is awake, and while there is not. */
	uint64_t limit_ns, oversubscribed_limit_ns;
	/* When the clock was read for the first time (0: not yet), and for the last time. */
	uint64_t begun_ns, looked_ns;
	/* When the other thread's clock was last read, what it said, and how long after that it is read again. */
	uint64_t probed_ns, probed_cpu_ns, probe_ns;
	uint32_t looks;
	/* Whether the caller's team has more members than there are processors, those that sleep included. */
	bool is_oversubscribed;
	bool is_probed;
	/* Whether the caller is one of more than two threads that have a processor each. */
	bool has_many;
	/* Whether the caller has its processor for itself, whatever happened to the thread that it waits for. */
	bool is_patient;
};

static inline struct thread__spin thread__spin_begin(struct thread__runner *self, const struct thread__runner *other,
						     uint64_t limit_ns, uint64_t oversubscribed_limit_ns)
{
	return (struct thread__spin){
		.self = self, .other = other, .limit_ns = limit_ns, .oversubscribed_limit_ns = oversubscribed_limit_ns
	};
}

/*
 * Wait a moment before the next look. False: the caller should sleep instead. `awake` threads of the process, the
 * caller included, want one of `processors`. A caller that does not count them passes 0 and 0, and then never yields.
 */
bool thread__spin(struct thread__spin *spin, unsigned awake, unsigned processors);
/*
 * The same for a wait that another thread ends within some instructions, unless that thread has lost its processor. The
 * caller sleeps at most for a set time, and no thread has to wake it. `looks` is the number of looks so far, at first
 * 0.
 */
void thread__spin_briefly(unsigned *looks);
/* Call this after a sleep: the limits count from now on. */
void thread__spin_again(struct thread__spin *spin);

#endif
