/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single. Each member counts the single constructs it has met; the team's word holds the count that nobody has claimed
 * yet. Whoever moves the word on runs the block. A member that comes late finds the word moved on, however far ahead
 * the others are, because none gets past a construct that nobody has claimed.
 */
#include "abi_gomp.h"
#include "team.h"

static bool claim(struct omp__thread *thread)
{
	struct omp__region *region = thread->region;
	uint32_t count = region->single_count++;
	_Atomic uint32_t *word;

	if (region->thread_count == 1)
		return true;
	word = &region->team->single;
	/* relaxed: the block's effects are published by the barrier at its end, if there is one */
	return atomic_load_explicit(word, memory_order_relaxed) == count &&
	       atomic_compare_exchange_strong_explicit(word, &count, count + 1, memory_order_relaxed,
						       memory_order_relaxed);
}

OMP__EXPORT bool GOMP_single_start(void)
{
	return claim(omp__self());
}

/* copyprivate: the one that runs the block returns NULL; the others wait in here for its data. */
OMP__EXPORT void *GOMP_single_copy_start(void)
{
	struct omp__thread *thread = omp__self();

	if (claim(thread))
		return NULL;
	omp__barrier(thread, false);
	return thread->region->team->copyprivate;
}

/* The barrier publishes the address. The compiler adds the second one, after which the data may go. */
OMP__EXPORT void GOMP_single_copy_end(void *data)
{
	struct omp__thread *thread = omp__self();

	if (thread->region->thread_count == 1)
		return;
	thread->region->team->copyprivate = data;
	omp__barrier(thread, false);
}

/* Task reductions over a scope: it shares who came first, and nothing after that. */
OMP__EXPORT void GOMP_scope_start(uintptr_t *reductions)
{
	struct omp__thread *thread = omp__self();
	bool first;
	struct omp__workshare *share = omp__workshare_enter(thread, &first);

	if (first) {
		share->reductions = reductions;
		omp__reductions_workshare(thread, reductions, NULL);
		omp__workshare_ready(share);
	} else {
		omp__reductions_workshare(thread, reductions, share->reductions);
	}
	omp__workshare_leave(thread);
}
