/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathering: placement of the threads of a team that sleep where they meet, either all on the primary thread's
 * processor or spread over several; gather.h says why. A *meeting* is a barrier, or any other place where all threads
 * of the team wait for each other. After a meeting, a thread compares two readings of its clock of processor time:
 *
 *	where the thread is	what it finds						what it does
 *	another processor	its team needs little processor time for a meeting	moves to the primary's
 *	the primary's		its team has had nearly all of this processor, or	moves away, if its number is odd
 *				nobody else runs, and needs more of it for a meeting
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
	 * The same for a passive team where nobody else runs. Two threads that computed for 40 us each from one meeting
	 * to the next took as long on one processor as on two.
	 */
	GATHER_ALONE_CPU_NS = 80000,
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
 * Whether the gathered team, which has used `used_ns` of its processor in `elapsed_ns`, would be faster on several.
 */
static bool spreads(const struct thread__meetings *meetings, uint64_t used_ns, uint64_t elapsed_ns, bool alone)
{
	return used_ns / meetings->count > APART_CPU_NS && (alone || used_ns * 10 > elapsed_ns * APART_TENTHS);
}

/*
 * Whether nobody else wants the processors. A passive thread spins too little to notice neighbours, so it asks the
 * system.
 */
static bool is_alone(const struct thread__team *team, uint64_t now)
{
	if (team->is_passive)
		return thread__ask_for_company(now, team->awake, team->processors) != THREAD__NEIGHBOURS;
	return !thread__has_neighbours(now);
}

/* Move to where the thread belongs, now that its team has used `used_ns` of processor time in `elapsed_ns`. */
static void place(struct thread__meetings *meetings, struct thread__runner *self, const struct thread__runner *primary,
		  const struct thread__team *team, uint64_t used_ns, uint64_t elapsed_ns, bool alone)
{
	uint64_t now = meetings->since_ns + elapsed_ns;
	bool meets_often = used_ns / meetings->count < (alone ? GATHER_ALONE_CPU_NS : GATHER_CPU_NS);

	if (!meetings->is_beside) {
		meetings->is_gathered = meets_often && now >= meetings->apart_until_ns;
		if (meetings->is_gathered)
			thread__runner_follow(self, primary);
	} else if (spreads(meetings, used_ns, elapsed_ns, alone)) {
		meetings->is_gathered = false;
		if (team->num % 2) {
			meetings->apart_until_ns = now + APART_NS;
			thread__runner_move_away(self);
		}
	} else if (meets_often) {
		meetings->is_gathered = true;
	}
}

void thread__gather(struct thread__meetings *meetings, struct thread__runner *self,
		    const struct thread__runner *primary, const struct thread__team *team)
{
	uint64_t now, cpu_ns;
	bool is_beside, alone;

	if (++meetings->count % MEETINGS_PER_LOOK)
		return;
	now = thread__now_ns();
	thread__runner_refresh(self);
	alone = is_alone(team, now);
	if (alone && !team->is_passive) {
		meetings->since_ns = 0;
		return;
	}
	is_beside = thread__runner_is_beside(self, primary);
	/* the two readings belong to one processor: a thread that was moved begins anew */
	if (meetings->since_ns && meetings->is_beside == is_beside) {
		if (now - meetings->since_ns < (is_beside && !alone ? SPREAD_INTERVAL_NS : GATHER_INTERVAL_NS))
			return;
		cpu_ns = thread__runner_cpu_ns(self);
		/* an estimate: all threads of the team have used as much as this one */
		place(meetings, self, primary, team, (cpu_ns - meetings->cpu_ns) * team->threads,
		      now - meetings->since_ns, alone);
	} else {
		cpu_ns = thread__runner_cpu_ns(self);
	}
	meetings->since_ns = now;
	meetings->cpu_ns = cpu_ns;
	meetings->count = 0;
	meetings->is_beside = is_beside;
}
