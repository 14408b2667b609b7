/* SPDX-License-Identifier: BSD-3-Clause */
/* Lending initial threads to OS threads; see lending.h. */
#include "openmp/coscheduling/lending.h"
#include "openmp/state/thread_state.h"

#include <stdatomic.h>

/* Filled from the front; only a fork empties entries. */
static _Atomic(struct omp__thread *) lent[OMP__LENT_MAX];

bool omp__lent_try_take(struct omp__thread *initial)
{
	/*
	 * The load comes first so that the line stays shared while another thread has it. acquire: sees all that the
	 * last borrower did with the initial thread.
	 */
	return !atomic_load_explicit(&initial->taken, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&initial->taken, 1, memory_order_acquire);
}

/* Search from the front, so that the team whose workers were needed last is taken next. */
struct omp__thread *omp__lent_take(void)
{
	for (unsigned i = 0; i < OMP__LENT_MAX; i++) {
		/* acquire: sees the initial thread as it was made before it was put here */
		struct omp__thread *initial = atomic_load_explicit(&lent[i], memory_order_acquire);

		if (!initial)
			return NULL;
		if (omp__lent_try_take(initial))
			return initial;
	}
	return NULL;
}

void omp__lent_add(struct omp__thread *initial)
{
	atomic_store_explicit(&initial->taken, 1, memory_order_relaxed);
	initial->is_lent = true;
	for (unsigned i = 0; i < OMP__LENT_MAX; i++) {
		struct omp__thread *none = NULL;

		/* release: a thread that finds the pointer here sees the initial thread complete */
		if (!atomic_load_explicit(&lent[i], memory_order_relaxed) &&
		    atomic_compare_exchange_strong_explicit(&lent[i], &none, initial, memory_order_release,
							    memory_order_relaxed))
			return;
	}
	initial->is_lent = false;
}

void omp__lent_give_back(struct omp__thread *initial)
{
	omp__tls = NULL;
	/* release: the next borrower sees all that was done with it */
	atomic_store_explicit(&initial->taken, 0, memory_order_release);
}

void omp__lent_forked(struct omp__thread *survivor)
{
	for (unsigned i = 0; i < OMP__LENT_MAX; i++)
		atomic_store_explicit(&lent[i], NULL, memory_order_relaxed);
	if (survivor && survivor->is_initial && survivor->is_lent)
		atomic_store_explicit(&lent[0], survivor, memory_order_relaxed);
}
