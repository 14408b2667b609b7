/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ordered regions: a ticket, by iteration. ordered_next is the first iteration whose chunk may run its ordered regions.
 * A thread moves it on when its chunk is over, or right after the region when the chunk is one iteration, which can
 * have only one region.
 */
#include "openmp/worksharing/ordered.h"
#include "openmp/state/thread_state.h"
#include "openmp/state/workshares.h"
#include "openmp/synchronization/team_wake.h"

#include "thread/clock.h"

/* Before the slow half of waiting. */
enum { LOOKS = OMP__WAIT_EAGER };

/*
 * The store that moves the ticket on has no fence, so a waiter sleeps with a limit (wait.h). A waiter that will sleep
 * counts itself in first, in the cache line that the other thread writes anyway:
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
	/* relaxed: one too many is an idle look at the team's parkers */
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
	/* release: what the ordered regions so far did */
	atomic_store_explicit(&share->ordered_next, loop->past, memory_order_release);
	/* seq_cst, as in wait.h */
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

/* A chunk waits even when it had no ordered region, or later ones would run before earlier ones. */
void omp__ordered_pass(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	wait_until_first(thread, loop);
	pass_on(thread, loop);
}
