/* SPDX-License-Identifier: BSD-3-Clause */
/* See gather.h. */
#include "gather.h"
#include "clock.h"
#include "neighbours.h"

enum {
	/* A thread asks where it is once in so many meetings, and reads its clock at most once in so long. */
	MEETINGS_PER_LOOK = 8,
	GATHER_INTERVAL_NS = 2000000,
	/*
	 * A team gathers if all its threads together use less processor time than this from one meeting to the next,
	 * sleep and wake-up included: the shortest slice that the kernel gives by default (base_slice_ns). Four threads
	 * on two processors, with a busy loop on each, broke even at twice that.
	 */
	GATHER_CPU_NS = 700000,
};

void thread__gather(struct thread__meetings *meetings, struct thread__runner *self,
		    const struct thread__runner *primary, unsigned threads)
{
	uint64_t now, cpu_ns;
	bool is_short;

	if (++meetings->count % MEETINGS_PER_LOOK)
		return;
	now = thread__now_ns();
	thread__runner_refresh(self);
	if (!thread__has_neighbours(now) || thread__runner_is_beside(self, primary)) {
		meetings->since_ns = 0;
		return;
	}
	if (meetings->since_ns && now - meetings->since_ns < GATHER_INTERVAL_NS)
		return;
	cpu_ns = thread__runner_cpu_ns(self);
	is_short = meetings->since_ns && (cpu_ns - meetings->cpu_ns) * threads / meetings->count < GATHER_CPU_NS;
	*meetings = (struct thread__meetings){ .since_ns = now, .cpu_ns = cpu_ns };
	if (is_short)
		thread__runner_follow(self, primary);
}
