/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Optimistic spinning, as of Linux's mutexes: a waiter spins while the thread that will end its wait (the *other*
 * thread) runs, and sleeps when that thread does not. spin.h says why that is right; this file says how a waiter finds
 * out, on a machine that it shares. *Neighbours* are other programs that want the processors (neighbours.h); a
 * *companion* is another thread of this process that runs on the caller's own processor (share.h).
 *
 * The waiter looks at its condition after each step. Most steps are a pause. One in LOOKS_PER_CLOCK reads the clock and
 * decides, and every step does while more threads are awake than there are processors. The first line that applies
 * counts:
 *
 *	the time is over				sleep
 *	the team is oversubscribed, with neighbours	sleep
 *	more threads are awake than processors		yield; beside neighbours sleep (wait_oversubscribed)
 *	a companion wants this processor		yield to it, or move away (share)
 *	any thread may end the wait			pause, later yield; beside neighbours sleep soon (wait_for_any)
 *	the other thread is on this processor		move away, yield, or sleep (step_aside)
 *	the other thread has lost its processor, or	sleep, unless the caller is patient (is_patient)
 *	1 ms has passed beside neighbours
 *	otherwise					pause
 *
 * What may go wrong: nothing here decides whether a wait is over, so a wrong guess costs time and nothing else. A yield
 * beside a neighbour costs 3 to 4 ms, a sleep beside none a wake-up. What may change: the numbers below; `ferry measure
 * --check bench/targets.toml openmp-beside` shows the effect.
 */
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
	/*
	 * The same for two threads on two processors. They wait for nobody else, so the one that spins for longer
	 * keeps nobody awake; and often the other one is only in a serial part of the program. With 25 us each reading
	 * in it ended a time slice early, and programs with many short regions took 1.1 to 1.4 times as long beside a
	 * busy loop on each processor (docs/decisions/0012-waiting.md).
	 */
	PROBE_PAIR_NS = 250000,
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
	/* While there are neighbours, waiters spin for so many times their limit: 9 ms where that is 3. */
	PATIENCE = 3,
	/*
	 * thread__spin_briefly() yields once in LOOKS_PER_PAUSE looks; beside neighbours it sleeps for PAUSE_NS
	 * instead.
	 */
	LOOKS_PER_PAUSE = 200,
	PAUSE_NS = 50000,
};

/*
 * Whether the caller, which is one of more than two threads with a processor for each, is patient: it spins on although
 * the thread that it waits for has lost its processor, because no neighbour wants the caller's own. If the caller
 * slept, each thread that waits for it would find it asleep and sleep too, and so on through the team; and all would
 * have to be woken, one after the other, before the team goes on. On 16 processors beside one busy loop that took 100
 * us for each barrier. Besides, the kernel moves threads of the team, or the loop, to a processor whose thread sleeps.
 *
 * The caller is not patient with a thread that sleeps in a system call of the program. It is patient, while there are
 * neighbours, with a thread that sleeps in a wait of its own, because that one waits for a thread that has lost its
 * processor.
 */
static bool is_patient(const struct thread__spin *spin, uint64_t now, bool other_runs)
{
	if (!spin->has_many)
		return false;
	if (!other_runs && !atomic_load_explicit(&spin->other->sleeps, memory_order_relaxed)) {
		char state = thread__runner_state(spin->other);

		if (state && state != 'R')
			return false;
		thread__neighbours_seen(now);
	}
	return thread__neighbours_lately(now) && !thread__share_is_wanted(&spin->self->share, now);
}

/*
 * How long to spin in all. While there are neighbours, that is longer than one of their time slices, at whose end the
 * thread that lost its processor runs again.
 */
static uint64_t limit_ns(const struct thread__spin *spin, uint64_t now)
{
	return spin->limit_ns * (spin->has_many && thread__neighbours_lately(now) ? PATIENCE : 1);
}

/*
 * Whether the other thread has had a processor for at least half of the time since its clock of processor time was last
 * read. True as well where that is unknown: it is too early to read that clock again, or the clock cannot be read. Sets
 * spin->is_patient.
 */
static bool other_runs(struct thread__spin *spin, uint64_t now)
{
	uint64_t cpu_ns, elapsed_ns = now - spin->probed_ns;
	bool runs;

	if (elapsed_ns < spin->probe_ns)
		return true;
	cpu_ns = thread__runner_cpu_ns(spin->other);
	runs = !spin->is_probed || cpu_ns == 0 || (cpu_ns - spin->probed_cpu_ns) * 2 >= elapsed_ns ||
	       now - atomic_load_explicit(&spin->other->woken_ns, memory_order_relaxed) < WAKE_NS;
	if (spin->is_probed)
		spin->probe_ns *= 2;
	spin->is_probed = true;
	spin->is_patient = is_patient(spin, now, runs);
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
	/* so do the threads of a passive team, also without neighbours */
	if (spin->limit_ns == 0)
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
	uint64_t elapsed_ns = now - spin->begun_ns;

	if (thread__has_neighbours(now))
		return elapsed_ns < ANY_AMONG_NEIGHBOURS_NS;
	if (processors && elapsed_ns >= YIELD_AFTER_NS)
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
		/* a thread of this process may run meanwhile, so a long yield says nothing about neighbours */
		sched_yield();
}

void thread__spin_again(struct thread__spin *spin)
{
	spin->begun_ns = 0;
	spin->looks = 0;
	spin->is_patient = false;
}

/*
 * Whether the caller lets a companion run that shares its processor. Not where a neighbour has just had the processor,
 * because a yield would give it to that neighbour again; and not where waiters sleep at once (OMP_WAIT_POLICY=passive).
 */
static bool has_to_share(const struct thread__spin *spin, uint64_t now, bool has_companion)
{
	return (has_companion || spin->self->share.has_companion) && now >= spin->self->share.keeps_until_ns &&
	       spin->limit_ns > 0;
}

/*
 * Leave the processor to a companion. If that is the thread that the caller waits for, both are faster on two
 * processors, also beside a neighbour; so the caller moves away, unless it has tried that just now.
 */
static void share(struct thread__spin *spin, uint64_t now, bool is_beside)
{
	if (is_beside && now - spin->self->moved_ns >= MOVE_INTERVAL_NS) {
		spin->self->moved_ns = now;
		thread__runner_move_away(spin->self);
		return;
	}
	spin->looks = 0;
	spin->looked_ns = thread__share_yield(&spin->self->share, now);
}

/*
 * The caller has not looked for longer than THREAD__LOST_NS, so another thread had its processor: a neighbour, unless
 * the caller has a companion, as a thread of an oversubscribed team or process may.
 */
static void notice_loss(struct thread__spin *spin, uint64_t now, bool has_companion)
{
	spin->is_probed = false;
	if (has_companion)
		return;
	thread__neighbours_noticed(now);
	if (spin->self)
		thread__share_lost(&spin->self->share, now);
}

bool thread__spin(struct thread__spin *spin, unsigned awake, unsigned processors)
{
	bool has_companion, is_beside;
	uint64_t now;

	if (awake <= processors && spin->looks++ % LOOKS_PER_CLOCK) {
		thread__relax();
		return true;
	}
	now = thread__now_ns();
	if (spin->self)
		thread__runner_refresh(spin->self);
	/*
	 * Two threads are different: one that sleeps gives its processor to the one that it waits for, and no third
	 * thread has to be woken.
	 */
	spin->has_many = processors > 2 && awake <= processors && !spin->is_oversubscribed && spin->self;
	has_companion = spin->has_many && thread__runner_has_companion(spin->self);
	if (!spin->begun_ns) {
		spin->begun_ns = spin->probed_ns = now;
		spin->probe_ns = processors == 2 && spin->self && !spin->is_oversubscribed ? PROBE_PAIR_NS : PROBE_NS;
		spin->is_probed = false;
	} else if (now - spin->looked_ns > THREAD__LOST_NS) {
		notice_loss(spin, now, has_companion || spin->is_oversubscribed || awake > processors);
	}
	spin->looked_ns = now;
	if (now - spin->begun_ns > limit_ns(spin, now) || (spin->is_oversubscribed && thread__has_neighbours(now)))
		return false;
	if (awake > processors)
		return wait_oversubscribed(spin, now, awake, processors);
	is_beside = spin->self && spin->other && thread__runner_is_beside(spin->self, spin->other);
	if (spin->has_many && has_to_share(spin, now, has_companion || is_beside)) {
		share(spin, now, is_beside);
		return true;
	}
	if (!spin->other)
		return wait_for_any(spin, now, awake, processors);
	if (is_beside)
		return step_aside(spin, now, awake, processors);
	if (now - spin->begun_ns > AMONG_NEIGHBOURS_NS && thread__has_neighbours(now) && !spin->is_patient)
		return false;
	if (!other_runs(spin, now) && !spin->is_patient)
		return false;
	thread__relax();
	return true;
}
