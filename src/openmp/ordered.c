/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ordered regions. Turns go by iteration: ordered_next is the first iteration whose chunk may run its ordered regions.
 * A chunk passes the turn on when it is over, or at once after the region when it is one iteration, which can have only
 * one.
 */
#include "loop.h"
#include "team.h"

/*
 * Looks at once, without a pause: what a waiter waits for is as long as another's region, so it seldom looks just when
 * the turn is about to be written, and a pause would only be a delay: 103 ns an iteration instead of 90.
 */
enum { LOOKS = 64 };

static void wait_for_turn(struct omp__thread *thread, struct omp__loop *loop)
{
	_Atomic uint64_t *turn = &loop->share->ordered_next;
	struct omp__wait wait = omp__wait_begin(&thread->seat, NULL, turn);

	/* acquire: what the ordered regions before this one did */
	for (int i = 0; i < LOOKS && !omp__crowded(); i++)
		if (atomic_load_explicit(turn, memory_order_acquire) == loop->first)
			return;
	while (atomic_load_explicit(turn, memory_order_acquire) != loop->first)
		omp__wait_step(&wait);
	omp__wait_end(&wait);
}

static void pass_turn(struct omp__thread *thread, struct omp__loop *loop)
{
	struct omp__workshare *share = loop->share;

	loop->turn_passed = true;
	atomic_store_explicit(&share->ordered_next, loop->past, memory_order_release);
	omp__wait_fence();
	omp__team_wake(thread->region->team, &share->ordered_next);
}

void omp__ordered_start(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	if (loop->ordered && !loop->turn_passed)
		wait_for_turn(thread, loop);
}

void omp__ordered_end(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	if (loop->ordered && !loop->turn_passed && loop->past - loop->first == 1)
		pass_turn(thread, loop);
}

/* Chunks take their turn even when they had no ordered region, or later ones would run before earlier ones. */
void omp__ordered_pass(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	wait_for_turn(thread, loop);
	pass_turn(thread, loop);
}
