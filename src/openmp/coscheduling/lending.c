/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial threads that are lent; see lending.h. */
#include "openmp/coscheduling/lending.h"
#include "openmp/state/thread_state.h"

#include <stdatomic.h>

/* Filled from the front; never emptied but by a fork. */
static _Atomic(struct omp__thread *) lent[OMP__LENT_MAX];

bool omp__lent_try_take(struct omp__thread *initial)
{
	/* The plain look keeps the line shared while another has it. acquire: all that the last one did with it. */
	return !atomic_load_explicit(&initial->taken, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&initial->taken, 1, memory_order_acquire);
}

/* From the front, so that the team whose workers were needed last is the next one taken. */
struct omp__thread *omp__lent_take(void)
{
	for (unsigned i = 0; i < OMP__LENT_MAX; i++) {
		/* acquire: it was made before it was put here */
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

		/* release: the thread that finds it there finds it made */
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
	/* release: whoever takes it sees what was done with it */
	atomic_store_explicit(&initial->taken, 0, memory_order_release);
}

void omp__lent_forked(struct omp__thread *survivor)
{
	for (unsigned i = 0; i < OMP__LENT_MAX; i++)
		atomic_store_explicit(&lent[i], NULL, memory_order_relaxed);
	if (survivor && survivor->is_initial && survivor->is_lent)
		atomic_store_explicit(&lent[0], survivor, memory_order_relaxed);
}
