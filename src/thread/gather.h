/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathering: the threads of a team that sleep where they meet, and meet often, move to one processor. The threads of an
 * oversubscribed team do so while neighbours want all processors, because they sleep only then. The threads of a
 * passive team (OMP_WAIT_POLICY=passive) sleep at each meeting, so they also gather where nobody else runs.
 *
 * A wake-up on another processor takes an interrupt there. Such a wake-up cost 8 us on each side, and 40 us where the
 * processor had halted in a virtual machine; one on the same processor cost 2.5 us. The thread that is woken on another
 * processor may also find a neighbour there, whose time slice the kernel lets end first:
 *
 *	processor 0	processor 1			processor 0	processor 1
 *	A wakes B	neighbour			A wakes B	neighbour
 *	neighbour	(interrupt) B wakes A		B wakes A	neighbour
 *	A		neighbour			A		neighbour
 *
 * Four threads beside a busy loop on each of two processors took 15 us a region on one processor and 90 us on two.
 * Threads that compute for long between two meetings are better off on two. So once in some milliseconds a thread reads
 * how much processor time it has had. It moves to the processor of its team's primary thread if the whole team computes
 * for less than a neighbour's time slice between two meetings, or, where nobody else runs, for less than wake-ups on
 * another processor cost. Threads that compute for longer are spread by the kernel, and by their team when the
 * neighbours have gone. Beside neighbours of a lower priority, which leave a gathered team nearly all of its processor,
 * the bound is lower.
 */
#ifndef THREAD_GATHER_H
#define THREAD_GATHER_H

#include "processor.h"

/*
 * What a thread notes for itself: since when it counts its meetings, how much processor time it had used by then, and
 * how many meetings there were since.
 */
struct thread__meetings {
	uint64_t since_ns, cpu_ns;
	/* Until when the thread does not gather, because the team was faster on several processors. */
	uint64_t apart_until_ns;
	unsigned count;
	/* Whether the thread was on the primary thread's processor at since_ns. */
	bool is_beside;
	/* Whether the team was found to meet so often that the thread belongs there. */
	bool is_gathered;
};

/* What a thread says of its team. */
struct thread__team {
	unsigned threads, num; /* of the team; the caller's number */
	bool is_passive;
	/* Of a passive team: how many threads of the process are awake, and may use how many processors. */
	unsigned awake, processors;
};

/* Called by a thread of an oversubscribed or passive team, each time that it has met the others. */
void thread__gather(struct thread__meetings *meetings, struct thread__runner *self,
		    const struct thread__runner *primary, const struct thread__team *team);

#endif
