/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathering: the threads of an oversubscribed team that meet often share one processor while neighbours want all of
 * them.
 *
 * Such threads sleep where they meet (neighbours.h). A wake-up on another processor takes an interrupt there, which
 * cost 8 us on both sides where one on the same processor cost 2.5, and the thread that is woken may find a neighbour
 * whose time slice the kernel lets end:
 *
 *	processor 0	processor 1			processor 0	processor 1
 *	A wakes B	neighbour			A wakes B	neighbour
 *	neighbour	(interrupt) B wakes A		B wakes A	neighbour
 *	A		neighbour			A		neighbour
 *
 * Four threads beside a busy loop on each of two processors took 15 us a region on one of them and 90 on both. Threads
 * that compute for long between two meetings are better off on two processors. So a thread looks at its own clock once
 * in some milliseconds, and moves to the processor of its team's primary thread when all threads together compute less
 * than a time slice of a neighbour, which they would wait for there. Threads that compute longer are spread again by
 * the kernel, and by their team when the neighbours have gone.
 */
#ifndef THREAD_GATHER_H
#define THREAD_GATHER_H

#include "processor.h"

/* A thread's own: since when it counts its meetings, what it had had of a processor then, and how many there were. */
struct thread__meetings {
	uint64_t since_ns, cpu_ns;
	unsigned count;
};

/* The caller, one of the `threads` of an oversubscribed team, has met the others. */
void thread__gather(struct thread__meetings *meetings, struct thread__runner *self,
		    const struct thread__runner *primary, unsigned threads);

#endif
