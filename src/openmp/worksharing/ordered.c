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
 * What the thread sleeps for whose chunk begins with the iteration `first`: an address for each iteration, so that only
 * the next thread is woken. If a thread that waits for something else has the same address by chance, it is woken and
 * sleeps again.
 */
static inline const void *wanted(const struct omp__workshare *share, uint64_t first)
{
	return (const void *)((uintptr_t)&share->ordered_next + (uintptr_t)first);
}

/*
 * Yield, and then sleep, until it is this chunk's time. The store that moves ordered_next on has no fence after it, so
 * a sleeper might miss it; it sleeps with a limit (wait.h). Before it sleeps, a waiter counts itself in
 * ordered_sleepers, which lies in the cache line that the other thread writes anyway:
 *
 *	waiter						the thread before it
 *	prepares to park (a full barrier)		store(ordered_next)
 *	ordered_sleepers += 1				load(ordered_sleepers): 0, nobody is woken
 *	load(ordered_next), sleeps
 *
 * A waiter that only yields is not counted, because the other thread would look at all parkers of the team for nothing.
 * tests/openmp/model/ordered.pml enumerates the interleavings.
 */
static __attribute__((noinline)) void sleep_until_first(struct omp__thread *thread, struct omp__loop *loop)
{
	struct omp__workshare *share = loop->share;
	struct omp__wait wait = omp__wait_begin(&thread->parker, NULL, wanted(share, loop->first));
	bool is_counted = false;

	wait.limit_ns = OMP__WAIT_LIMIT_NS;
	while (atomic_load_explicit(&share->ordered_next, memory_order_acquire) != loop->first) {
		if (is_counted || wait.state != OMP__WAIT_PARKING) {
			omp__wait_step(&wait);
			continue;
		}
		/*
		 * seq_cst: a thread that sees the count sees the parker's mark too; and the count comes before the next
		 * look
		 */
		atomic_fetch_add_explicit(&share->ordered_sleepers, 1, memory_order_seq_cst);
		is_counted = true;
	}
	omp__wait_end(&wait);
	/* relaxed: a count that is too large makes the other thread look at the team's parkers for nothing */
	if (is_counted)
		atomic_fetch_sub_explicit(&share->ordered_sleepers, 1, memory_order_relaxed);
}

static inline void wait_until_first(struct omp__thread *thread, struct omp__loop *loop)
{
	_Atomic uint64_t *first = &loop->share->ordered_next;

	for (int i = 0; i < LOOKS; i++) {
		/* acquire: what the ordered regions before this one did */
		if (atomic_load_explicit(first, memory_order_acquire) == loop->first)
			return;
		/* perhaps a thread that comes before this one waits for this processor */
		if (omp__oversubscribed())
			break;
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
		omp__team_wake(thread->region->team, wanted(share, loop->past));
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
