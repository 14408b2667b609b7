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
 * Yielding with exponential backoff. When a thread of the co-scheduler wakes up on a processor where a worker runs, the
 * kernel does not always preempt the worker: the woken thread may have to wait for the next timer interrupt (3 to 4 ms
 * in 3 of 100 wake-ups, measured on Linux 6.18), though its work takes microseconds. So workers yield now and then
 * between regions. A yield costs 0.3 us where no other thread waits for the processor; where another thread computes
 * there, it costs one of the kernel's time slices. After such a costly yield a worker does not yield for a while, and
 * each further costly one makes that while longer.
 */
enum {
	YIELD_TICKS = 1 << 19,		/* 130 to 520 us at 1 to 4 GHz */
	OTHERS_COMPUTE_TICKS = 1 << 20, /* a yield that takes longer met a thread that computes */
	/* After a costly yield a worker does not yield for this many times what it cost. */
	LEFT_ALONE_LEAST = 16,
	LEFT_ALONE_MOST = 1024,
	/*
	 * So many cheap yields in a row mean that no other thread computes; fewer do not, because the kernel often
	 * returns from a yield at once.
	 */
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

	/* not after a costly yield: another thread computes here */
	if (now + OTHERS_COMPUTE_TICKS + YIELD_TICKS >= parker->yields_at)
		yield_now(parker, now);
}

enum {
	/* A waiter asks the co-scheduler once in so many looks at its condition. */
	LOOKS_PER_QUESTION = 64,
	/*
	 * How long a member of a region waits for another member before it leaves its processor to the co-scheduler's
	 * threads: as long as a wake-up takes. With a shorter limit, two members that have slept once would wait for
	 * each other's wake-up at every later barrier. One region in ten that a garbage collection interrupted took 140
	 * to 400 us in that way, and the collection waited for it.
	 */
	MEMBER_SPIN_NS = 40000,
	/*
	 * How long a worker between two regions yields to the co-scheduler's threads before it parks: longer than a
	 * garbage collection that nothing delays (40 to 120 us). A processor without a runnable thread goes to sleep,
	 * and waking it delays the next region by 25 us (in a virtual machine, where that wake-up is an interrupt from
	 * outside).
	 */
	BETWEEN_YIELD_NS = 120000,
	/* How long a worker spins between two regions of a batch, which may run other functions between them. */
	BATCH_SPIN_NS = 10000000,
};

/* relaxed: a value that the waiter misses now it sees at its next look */
static bool stays_between(const struct omp__wait *wait, enum omp__between how)
{
	return wait->between && atomic_load_explicit(wait->between, memory_order_relaxed) == how;
}

/*
 * Whether the waiter is to park, so that the co-scheduler's threads have its processor until it is woken. Between
 * regions a worker first only yields to them, and stays in the kernel's run queue behind them for BETWEEN_YIELD_NS. It
 * parks at once where neighbours run, because yielding would let these in too.
 */
static bool leaves_processor(struct omp__wait *wait)
{
	uint64_t now;

	if (stays_between(wait, OMP__BETWEEN_PARKS))
		return true;
	if (wait->step % LOOKS_PER_QUESTION && !wait->behind_ns)
		return false;
	/*
	 * A worker that spins between regions takes a processor from the co-scheduler's threads; only in a batch is
	 * that worth it.
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
