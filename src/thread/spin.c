/* SPDX-License-Identifier: BSD-3-Clause */
/* See spin.h. */
#include "spin.h"
#include "clock.h"
#include "neighbours.h"

#include <sched.h>

enum {
	/* The clock is read once in so many looks, because reading it takes as long as ten looks. */
	LOOKS_PER_CLOCK = 64,
	/*
	 * A thread moves away from the one that it waits for at most once in this time; a move was measured as 10 to 20
	 * us.
	 */
	MOVE_INTERVAL_NS = 2000000,
	/*
	 * The other thread's clock is read for the first time after this time, and again after the same time; from then
	 * on the time doubles. A reading makes the kernel update its accounts of the other thread's processor, and end
	 * that thread's time slice if it is over: with a reading every 20 us, regions beside neighbours of a lower
	 * priority took three times as long.
	 */
	PROBE_NS = 25000,
	/* A thread that was woken less than this ago counts as running, because its wake-up takes time. */
	WAKE_NS = 200000,
	/*
	 * A waiter that any thread may release yields between looks after this time, which is about what a sleep and a
	 * wake-up cost.
	 */
	YIELD_AFTER_NS = 40000,
	/*
	 * How long to spin beside neighbours: when any thread may end the wait, and when a thread that is known to run
	 * ends it.
	 */
	ANY_AMONG_NEIGHBOURS_NS = 20000,
	AMONG_NEIGHBOURS_NS = 1000000,
	/*
	 * thread__spin_briefly() yields once in LOOKS_PER_PAUSE looks; beside neighbours it sleeps for PAUSE_NS
	 * instead.
	 */
	LOOKS_PER_PAUSE = 200,
	PAUSE_NS = 50000,
};

/* Whether the other thread has had a processor since its clock was last read. */
static bool other_runs(struct thread__spin *spin, uint64_t now)
{
	uint64_t cpu_ns, gone = now - spin->probed_ns;
	bool runs;

	if (gone < spin->probe_ns)
		return true;
	cpu_ns = thread__runner_cpu_ns(spin->other);
	runs = !spin->is_probed || cpu_ns == 0 || (cpu_ns - spin->probed_cpu_ns) * 2 >= gone ||
	       now - atomic_load_explicit(&spin->other->woken_ns, memory_order_relaxed) < WAKE_NS;
	if (spin->is_probed)
		spin->probe_ns *= 2;
	spin->is_probed = true;
	spin->probed_ns = now;
	spin->probed_cpu_ns = cpu_ns;
	return runs;
}

/*
 * The caller is on the same processor as the thread that it waits for: leave that processor, or yield it. False: sleep
 * instead.
 */
static bool step_aside(struct thread__spin *spin, uint64_t now, unsigned awake, unsigned processors)
{
	/* beside neighbours, the threads of an oversubscribed team share a processor on purpose (gather.h) */
	if (spin->is_oversubscribed && thread__ask_for_company(now, awake, processors) != THREAD__ALONE)
		return false;
	if (now - spin->self->moved_ns >= MOVE_INTERVAL_NS) {
		spin->self->moved_ns = now;
		thread__runner_move_away(spin->self);
		return true;
	}
	if (thread__has_neighbours(now))
		return false;
	spin->looks = 0;
	spin->looked_ns = thread__yield(now, awake, processors);
	return true;
}

/*
 * Yield, or pause while it is unknown whether there are neighbours. False: there are neighbours, so a yield would give
 * a time slice away.
 */
static bool look_or_yield(struct thread__spin *spin, uint64_t now, unsigned awake, unsigned processors)
{
	switch (thread__ask_for_company(now, awake, processors)) {
	case THREAD__NEIGHBOURS:
		return false;
	case THREAD__UNKNOWN:
		thread__relax();
		return true;
	case THREAD__ALONE:
		break;
	}
	spin->looks = 0;
	spin->looked_ns = thread__yield(now, awake, processors);
	return true;
}

/* The wait of a caller that any thread may release. */
static bool wait_for_any(struct thread__spin *spin, uint64_t now, unsigned awake, unsigned processors)
{
	uint64_t gone = now - spin->begun_ns;

	if (thread__has_neighbours(now))
		return gone < ANY_AMONG_NEIGHBOURS_NS;
	if (processors && gone >= YIELD_AFTER_NS)
		return look_or_yield(spin, now, awake, processors);
	thread__relax();
	return true;
}

static bool wait_oversubscribed(struct thread__spin *spin, uint64_t now, unsigned awake, unsigned processors)
{
	if (now - spin->begun_ns > spin->oversubscribed_limit_ns)
		return false;
	return look_or_yield(spin, now, awake, processors);
}

void thread__spin_briefly(unsigned *looks)
{
	uint64_t now;

	if (++*looks % LOOKS_PER_PAUSE) {
		thread__relax();
		return;
	}
	now = thread__now_ns();
	if (thread__has_neighbours(now))
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
	else
		/* a thread of our own may run meanwhile, so a long yield says nothing about neighbours */
		sched_yield();
}

void thread__spin_again(struct thread__spin *spin)
{
	spin->begun_ns = 0;
	spin->looks = 0;
}

bool thread__spin(struct thread__spin *spin, unsigned awake, unsigned processors)
{
	uint64_t now;

	if (awake <= processors && spin->looks++ % LOOKS_PER_CLOCK) {
		thread__relax();
		return true;
	}
	now = thread__now_ns();
	if (!spin->begun_ns) {
		spin->begun_ns = spin->probed_ns = now;
		spin->probe_ns = PROBE_NS;
		spin->is_probed = false;
	} else if (now - spin->looked_ns > THREAD__LOST_NS) {
		/* in an oversubscribed team or process another thread of our own may have had the processor */
		if (!spin->is_oversubscribed && awake <= processors)
			thread__neighbours_noticed(now);
		spin->is_probed = false;
	}
	spin->looked_ns = now;
	if (spin->self)
		thread__runner_refresh(spin->self);
	if (now - spin->begun_ns > spin->limit_ns || (spin->is_oversubscribed && thread__has_neighbours(now)))
		return false;
	if (awake > processors)
		return wait_oversubscribed(spin, now, awake, processors);
	if (!spin->other)
		return wait_for_any(spin, now, awake, processors);
	if (spin->self && thread__runner_is_beside(spin->self, spin->other))
		return step_aside(spin, now, awake, processors);
	if (now - spin->begun_ns > AMONG_NEIGHBOURS_NS && thread__has_neighbours(now))
		return false;
	if (!other_runs(spin, now))
		return false;
	thread__relax();
	return true;
}
