/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ordered regions: a ticket lock by iteration. ordered_next is the first iteration of the chunk whose ordered regions
 * may run. The thread that runs the chunk moves it on when the chunk is over; or right after the region if the chunk is
 * one iteration, which has one region at most.
 */
#include "openmp/worksharing/ordered.h"
#include "openmp/state/thread_state.h"
#include "openmp/state/workshares.h"
#include "openmp/synchronization/team_wake.h"

#include "thread/clock.h"

/* A waiter looks this many times before it calls the slow path. */
enum { LOOKS = OMP__WAIT_EAGER };

/*
 * Sleep until it is this chunk's time. The store that moves ordered_next on has no fence after it, so a sleeper might
 * miss it; it sleeps with a limit (wait.h). Before it sleeps, a waiter counts itself in ordered_sleepers, which lies in
 * the cache line that the other thread writes anyway:
 *
 *	waiter						the thread before it
 *	ordered_sleepers += 1				store(ordered_next)
 *	prepares to park (a full barrier)		load(ordered_sleepers): 0, nobody is woken
 *	load(ordered_next), sleeps
 */
static __attribute__((noinline)) void sleep_until_first(struct omp__thread *thread, struct omp__loop *loop)
{
	struct omp__workshare *share = loop->share;
	struct omp__wait wait = omp__wait_begin(&thread->parker, NULL, &share->ordered_next);

	wait.limit_ns = OMP__WAIT_LIMIT_NS;
	atomic_fetch_add_explicit(&share->ordered_sleepers, 1, memory_order_seq_cst);
	while (atomic_load_explicit(&share->ordered_next, memory_order_acquire) != loop->first)
		omp__wait_step(&wait);
	omp__wait_end(&wait);
	/* relaxed: a count that is too large makes the other thread look at the team's parkers for nothing */
	atomic_fetch_sub_explicit(&share->ordered_sleepers, 1, memory_order_relaxed);
}

static inline void wait_until_first(struct omp__thread *thread, struct omp__loop *loop)
{
	_Atomic uint64_t *first = &loop->share->ordered_next;

	for (int i = 0; i < LOOKS; i++) {
		/* acquire: what the ordered regions before this one did */
		if (atomic_load_explicit(first, memory_order_acquire) == loop->first)
			return;
		thread__relax();
	}
	sleep_until_first(thread, loop);
}

static inline void pass_on(struct omp__thread *thread, struct omp__loop *loop)
{
	struct omp__workshare *share = loop->share;

	loop->ordered_passed = true;
	/* release: what the ordered regions up to here did */
	atomic_store_explicit(&share->ordered_next, loop->past, memory_order_release);
	/* seq_cst, as the waiter's step in wait.h */
	if (__builtin_expect(atomic_load_explicit(&share->ordered_sleepers, memory_order_seq_cst), 0))
		omp__team_wake(thread->region->team, &share->ordered_next);
}

void omp__ordered_start(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	if (loop->ordered && !loop->ordered_passed)
		wait_until_first(thread, loop);
}

void omp__ordered_end(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	if (loop->ordered && !loop->ordered_passed && loop->past - loop->first == 1)
		pass_on(thread, loop);
}

/* A chunk that had no ordered region waits for its time too: otherwise later ones would run before earlier ones. */
void omp__ordered_pass(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	wait_until_first(thread, loop);
	pass_on(thread, loop);
}
