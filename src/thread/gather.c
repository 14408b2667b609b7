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
	/*
	 * A gathered team spreads again if it has had at least so many tenths of its one processor, as beside
	 * neighbours of a lower priority (nice 19), and uses more than this from one meeting to the next; then it does
	 * not gather for so long. With regions of 50 to 100 us the gathered team took 1.1 to 1.3 times libgomp's time.
	 */
	APART_TENTHS = 8,
	/* Longer than threads that have slept can go on before several busy loops on their processor. */
	SPREAD_INTERVAL_NS = 20000000,
	APART_CPU_NS = 150000,
	APART_NS = 100000000,
};

/* Whether the team, on one processor, would be better off on several. Every second thread moves away then. */
static bool spreads(const struct thread__meetings *meetings, uint64_t used_ns, uint64_t gone_ns, unsigned num)
{
	return num % 2 && used_ns * 10 > gone_ns * APART_TENTHS && used_ns / meetings->count > APART_CPU_NS;
}

void thread__gather(struct thread__meetings *meetings, struct thread__runner *self,
		    const struct thread__runner *primary, unsigned threads, unsigned num)
{
	uint64_t now, cpu_ns, used_ns, apart_until_ns = meetings->apart_until_ns;
	bool is_beside;

	if (++meetings->count % MEETINGS_PER_LOOK)
		return;
	now = thread__now_ns();
	thread__runner_refresh(self);
	if (!thread__has_neighbours(now)) {
		meetings->since_ns = 0;
		return;
	}
	is_beside = thread__runner_is_beside(self, primary);
	/* what counts is what it does in one place: a new count begins where it was moved */
	if (meetings->since_ns && meetings->is_beside == is_beside &&
	    now - meetings->since_ns < (is_beside ? SPREAD_INTERVAL_NS : GATHER_INTERVAL_NS))
		return;
	cpu_ns = thread__runner_cpu_ns(self);
	if (meetings->since_ns && meetings->is_beside == is_beside) {
		/* as if all members had used as much as this one */
		used_ns = (cpu_ns - meetings->cpu_ns) * threads;
		if (is_beside && spreads(meetings, used_ns, now - meetings->since_ns, num)) {
			apart_until_ns = now + APART_NS;
			thread__runner_move_away(self);
		} else if (!is_beside && now >= apart_until_ns && used_ns / meetings->count < GATHER_CPU_NS) {
			thread__runner_follow(self, primary);
		}
	}
	*meetings = (struct thread__meetings){
		.since_ns = now, .cpu_ns = cpu_ns, .apart_until_ns = apart_until_ns, .is_beside = is_beside
	};
}
