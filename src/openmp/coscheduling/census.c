/* SPDX-License-Identifier: BSD-3-Clause */
/* How many processors the other runtime system uses, and how many are left. */
#include "openmp/coscheduling/census.h"
#include "openmp/system/system.h"
#include "openmp/waiting/oversubscribed.h"

const struct ferryomp_coscheduler *omp__registered;
_Atomic unsigned omp__engaged;

unsigned omp__shared_processors(void)
{
	unsigned ours = omp__system_processors();
	unsigned theirs = omp__registered ? omp__registered->processors() : 0;

	return theirs > 0 && theirs < ours ? theirs : ours;
}

unsigned omp__shared_free(unsigned wanted)
{
	unsigned processors = omp__shared_processors();
	unsigned used = omp__registered->busy() + atomic_load_explicit(&omp__engaged, memory_order_relaxed);
	unsigned limit;

	/* The caller's own processor is one of those that the team gets. */
	if (used > 0 && omp__registered->holding())
		used--;
	limit = used < processors ? processors - used : 1;
	return wanted < limit ? wanted : limit;
}

bool omp__others_want_processors(void)
{
	int busy = (int)omp__registered->busy();

	/* Where only threads of this runtime are awake, they share the processors as they do without a co-scheduler. */
	return busy > 0 && atomic_load_explicit(&omp__awake_excess, memory_order_relaxed) + busy > 0;
}
