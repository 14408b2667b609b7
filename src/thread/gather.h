/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathering: the threads of an oversubscribed team that meet often move to one processor while neighbours want all
 * processors.
 *
 * Such threads sleep where they meet (neighbours.h). A wake-up on another processor takes an interrupt there. It cost 8
 * us on each side, and 2.5 us on the same processor. The thread that is woken across may also find a neighbour there
 * whose time slice the kernel lets end first:
 *
 *	processor 0	processor 1			processor 0	processor 1
 *	A wakes B	neighbour			A wakes B	neighbour
 *	neighbour	(interrupt) B wakes A		B wakes A	neighbour
 *	A		neighbour			A		neighbour
 *
 * Four threads beside a busy loop on each of two processors took 15 us a region on one processor and 90 us on two.
 * Threads that compute for long between two meetings are better off on two. So once in some milliseconds a thread reads
 * how much processor time it has had. It moves to the processor of its team's primary thread if the whole team computes
 * for less than a neighbour's time slice between two meetings. Threads that compute for longer are spread by the
 * kernel, and by their team when the neighbours have gone. Beside neighbours of a lower priority, which leave a
 * gathered team nearly all of its processor, the bound is lower.
 */
#ifndef THREAD_GATHER_H
#define THREAD_GATHER_H

#include "processor.h"

/* A thread's own: since when it counts its meetings, how much processor time it had had then, and how many there were.
 */
struct thread__meetings {
	uint64_t since_ns, cpu_ns;
	/* Until when the thread stays where it is, because the team was better off on several processors. */
	uint64_t apart_until_ns;
	unsigned count;
	/* Whether it was on the primary thread's processor then. */
	bool is_beside;
};

/* The caller, number `num` of the `threads` of an oversubscribed team, has met the others. */
void thread__gather(struct thread__meetings *meetings, struct thread__runner *self,
		    const struct thread__runner *primary, unsigned threads, unsigned num);

#endif
