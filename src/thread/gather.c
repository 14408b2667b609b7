/* SPDX-License-Identifier: BSD-3-Clause */
/* See gather.h. */
#include "gather.h"
#include "clock.h"
#include "neighbours.h"

enum {
	/* A thread looks where it is once in so many meetings, and at its clock once in so long. */
	MEETINGS_PER_LOOK = 8,
	GATHER_INTERVAL_NS = 2000000,
	/* The processor time from one meeting to the next, sleep and wake-up included, of a thread that gathers. */
	GATHER_CPU_NS = 40000,
};

void thread__gather(struct thread__meetings *meetings, struct thread__runner *self, const struct thread__runner *primary)
{
	uint64_t now, cpu_ns;
	bool is_idle;

	if (++meetings->count % MEETINGS_PER_LOOK)
		return;
	now = thread__now_ns();
	if (!thread__has_neighbours(now) || thread__runner_is_beside(self, primary)) {
		meetings->since_ns = 0;
		return;
	}
	if (meetings->since_ns && now - meetings->since_ns < GATHER_INTERVAL_NS)
		return;
	cpu_ns = thread__runner_cpu_ns(self);
	is_idle = meetings->since_ns && (cpu_ns - meetings->cpu_ns) / meetings->count < GATHER_CPU_NS;
	*meetings = (struct thread__meetings){ .since_ns = now, .cpu_ns = cpu_ns };
	if (is_idle)
		thread__runner_follow(self, primary);
}
