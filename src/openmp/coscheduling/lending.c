/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial threads that are lent; see lending.h. */
#include "openmp/coscheduling/lending.h"
#include "openmp/state/thread_state.h"

#include <stdatomic.h>

/* Filled from the front; never emptied but by a fork. */
static _Atomic(struct omp__thread *) roots[OMP__ROOTS_MAX];

bool omp__root_try_take(struct omp__thread *root)
{
	/* The plain look keeps the line shared while another has it. acquire: all that the last one did with it. */
	return !atomic_load_explicit(&root->taken, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&root->taken, 1, memory_order_acquire);
}

/* From the front, so that the team whose workers were needed last is the next one taken. */
struct omp__thread *omp__root_take(void)
{
	for (unsigned i = 0; i < OMP__ROOTS_MAX; i++) {
		/* acquire: the root was made before it was put here */
		struct omp__thread *root = atomic_load_explicit(&roots[i], memory_order_acquire);

		if (!root)
			return NULL;
		if (omp__root_try_take(root))
			return root;
	}
	return NULL;
}

void omp__root_add(struct omp__thread *root)
{
	atomic_store_explicit(&root->taken, 1, memory_order_relaxed);
	root->is_lent = true;
	for (unsigned i = 0; i < OMP__ROOTS_MAX; i++) {
		struct omp__thread *none = NULL;

		/* release: who finds it there finds it made */
		if (!atomic_load_explicit(&roots[i], memory_order_relaxed) &&
		    atomic_compare_exchange_strong_explicit(&roots[i], &none, root, memory_order_release,
							    memory_order_relaxed))
			return;
	}
	root->is_lent = false;
}

void omp__root_forsake(struct omp__thread *root)
{
	omp__tls = NULL;
	/* release: whoever takes it sees what was done with it */
	atomic_store_explicit(&root->taken, 0, memory_order_release);
}

void omp__roots_forked(struct omp__thread *survivor)
{
	for (unsigned i = 0; i < OMP__ROOTS_MAX; i++)
		atomic_store_explicit(&roots[i], NULL, memory_order_relaxed);
	if (survivor && survivor->is_root && survivor->is_lent)
		atomic_store_explicit(&roots[0], survivor, memory_order_relaxed);
}
