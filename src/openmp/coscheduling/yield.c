/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaving a processor to the co-scheduler's threads: for a moment, between regions, or until the waiter is woken. */
#include "openmp/coscheduling/yield.h"
#include "openmp/coscheduling/census.h"
#include "openmp/system/coscheduler.h"
#include "openmp/waiting/wait.h"

#include "thread/clock.h"
#include "thread/neighbours.h"

#include <sched.h>

/*
 * A thread of the co-scheduler that wakes up where one of ours runs is not always let in by the kernel: it may have to
 * wait for the next timer interrupt (3 to 4 ms of 3 in a hundred wakeups, measured on 6.18), though all it has to do
 * takes microseconds. So between regions ours yield now and then, which costs 0.3 us where nobody waits. Where somebody
 * computes it costs a slice of the scheduler; then they do so no more for a while, which is longer each time it is so
 * again.
 */
enum {
	YIELD_TICKS = 1 << 19,		/* 130 to 520 us at 1 to 4 GHz */
	OTHERS_COMPUTE_TICKS = 1 << 20, /* longer than what a thread does that only wakes another */
	/* How long nobody yields then, times what was lost. */
	LEFT_ALONE_LEAST = 16,
	LEFT_ALONE_MOST = 1024,
	/* After so many short ones in a row nobody computes; the kernel often lets who yields go on at once. */
	SHORT_YIELDS = 64,
};

static void yield_now(struct omp__parker *parker, uint64_t now)
{
	uint64_t lost;

	sched_yield();
	lost = thread__ticks() - now;
	if (lost < OTHERS_COMPUTE_TICKS) {
		parker->yields_at = now + lost + YIELD_TICKS;
		if (++parker->short_yields >= SHORT_YIELDS)
			parker->left_alone = 0;
		return;
	}
	parker->short_yields = 0;
	parker->left_alone = parker->left_alone ? parker->left_alone * 4 : LEFT_ALONE_LEAST;
	if (parker->left_alone > LEFT_ALONE_MOST)
		parker->left_alone = LEFT_ALONE_MOST;
	parker->yields_at = now + parker->left_alone * lost;
}

void omp__yield_to_others(struct omp__parker *parker)
{
	uint64_t now = thread__ticks();

	if (now >= parker->yields_at)
		yield_now(parker, now);
}

void omp__yield_after_sleep(struct omp__parker *parker)
{
	uint64_t now = thread__ticks();

	/* not where others compute */
	if (now + OTHERS_COMPUTE_TICKS + YIELD_TICKS >= parker->yields_at)
		yield_now(parker, now);
}

enum {
	/* The co-scheduler is asked once in so many looks. */
	LOOKS_PER_QUESTION = 64,
	/*
	 * How long a member of a region waits for another before it leaves its processor to the co-scheduler's threads:
	 * for as long as a wake-up takes, or two that have slept once wait for each other's wake-up at each barrier
	 * from then on. A region of ten that a collection came into took 140 to 400 us so, and the collection waited
	 * for it.
	 */
	MEMBER_SPIN_NS = 40000,
	/*
	 * How long a worker between two regions goes on looking while it leaves its processor to the co-scheduler's
	 * threads: longer than a collection that nothing keeps waiting (40 to 120 us). A processor that all have left
	 * sleeps, and the next region waits 25 us for it (in a virtual machine, where that is an interrupt from
	 * outside).
	 */
	BETWEEN_YIELD_NS = 120000,
	/* How long a waiter looks between the regions of a batch, which may have other functions between them. */
	BATCH_SPIN_NS = 10000000,
};

/* relaxed: one that is read late is acted upon at the next look */
static bool stays_between(const struct omp__wait *wait, enum omp__between how)
{
	return wait->between && atomic_load_explicit(wait->between, memory_order_relaxed) == how;
}

/*
 * Whether the co-scheduler's threads are to have the waiter's processor until it is woken. Between regions they get it
 * at once, but the waiter stays where it is, behind them, unless a neighbour would be let in too.
 */
static bool leaves_processor(struct omp__wait *wait)
{
	uint64_t now;

	if (stays_between(wait, OMP__BETWEEN_PARKS))
		return true;
	if (wait->step % LOOKS_PER_QUESTION && !wait->behind_ns)
		return false;
	/*
	 * a worker between regions beside a co-scheduler is in the way of the co-scheduler's own threads, but in a
	 * batch
	 */
	if (wait->between)
		wait->spin.limit_ns = stays_between(wait, OMP__BETWEEN_STAYS_AWAKE) ? BATCH_SPIN_NS : omp__wait_any_ns;
	if (!omp__others_want_processors()) {
		wait->behind_ns = 0;
		return false;
	}
	now = thread__now_ns();
	if (!wait->between)
		return wait->spin.begun_ns && now - wait->spin.begun_ns >= MEMBER_SPIN_NS;
	if (!wait->behind_ns)
		wait->behind_ns = now;
	return now - wait->behind_ns >= BETWEEN_YIELD_NS || thread__has_neighbours(now);
}

enum omp__wait_advice omp__wait_advise(struct omp__wait *wait)
{
	if (leaves_processor(wait))
		return OMP__WAIT_PARK;
	return wait->behind_ns ? OMP__WAIT_YIELD : OMP__WAIT_AS_USUAL;
}
