/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathering: placement of the threads of a team that is oversubscribed beside neighbours, either all on the primary
 * thread's processor or spread over several; gather.h says why. A *meeting* is a barrier, or any other place where all
 * threads of the team wait for each other. After a meeting, a thread that has neighbours compares two readings of its
 * clock of processor time:
 *
 *	where the thread is	what it finds						what it does
 *	another processor	its team needs little processor time for a meeting	moves to the primary's
 *	the primary's		its team has had nearly all of this processor, and	moves away, if its number is odd
 *				needs more of it for a meeting
 *
 * What may go wrong: a wrong placement costs time, nothing else. What may change: the numbers below; `ferry measure
 * --check bench/targets.toml openmp-beside` shows the effect.
 */
#include "gather.h"
#include "clock.h"
#include "neighbours.h"

enum {
	/*
	 * A thread asks where it runs once in MEETINGS_PER_LOOK meetings, and reads its processor time at most once in
	 * GATHER_INTERVAL_NS; once in SPREAD_INTERVAL_NS while it is gathered.
	 */
	MEETINGS_PER_LOOK = 8,
	GATHER_INTERVAL_NS = 2000000,
	/*
	 * A team gathers if all its threads together use less processor time than this from one meeting to the next,
	 * sleep and wake-up included. The bound is the kernel's default for the shortest time slice (base_slice_ns).
	 * Four threads on two processors, with a busy loop on each, broke even at twice the bound.
	 */
	GATHER_CPU_NS = 700000,
	/*
	 * A gathered team spreads again if it has had at least APART_TENTHS tenths of its one processor, as beside
	 * neighbours of a lower priority (nice 19), and uses more than APART_CPU_NS from one meeting to the next; then
	 * it does not gather again for APART_NS. Gathered teams with regions of 50 to 100 us took 1.1 to 1.3 times
	 * libgomp's time.
	 */
	APART_TENTHS = 8,
	/*
	 * For how long a gathered team's share of the processor is measured. The kernel prefers threads that have slept
	 * to busy loops for a while, even to several of them on one processor; this is longer.
	 */
	SPREAD_INTERVAL_NS = 20000000,
	APART_CPU_NS = 150000,
	APART_NS = 100000000,
};

/*
 * Whether this thread moves away, because the gathered team, which has used `used_ns` of its processor in `elapsed_ns`,
 * would be faster on several. Only every second thread does.
 */
static bool spreads(const struct thread__meetings *meetings, uint64_t used_ns, uint64_t elapsed_ns, unsigned num)
{
	return num % 2 && used_ns * 10 > elapsed_ns * APART_TENTHS && used_ns / meetings->count > APART_CPU_NS;
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
	/* the two readings belong to one processor: a thread that was moved begins anew */
	if (meetings->since_ns && meetings->is_beside == is_beside &&
	    now - meetings->since_ns < (is_beside ? SPREAD_INTERVAL_NS : GATHER_INTERVAL_NS))
		return;
	cpu_ns = thread__runner_cpu_ns(self);
	if (meetings->since_ns && meetings->is_beside == is_beside) {
		/* an estimate: all threads of the team have used as much as this one */
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
