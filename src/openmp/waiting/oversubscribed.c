/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many processors there are for the runtime's threads, and how many of these threads are awake beyond that
 * (oversubscribed.h). The number of processors changes when the CPU quota of the program's control group does; then
 * omp__awake_excess, which is a difference to it, changes by as much.
 */
#include "openmp/waiting/oversubscribed.h"
#include "openmp/places/places.h"
#include "openmp/system/coscheduler.h"
#include "openmp/system/system.h"

_Atomic int omp__awake_excess;

unsigned omp__processors_now(void)
{
	/* how many threads more can run all the time than by the quota that was read before; negative: fewer */
	int grown = omp__system_quota_again();

	/*
	 * relaxed: waiters only compare this count with 0; for a moment they may still wait as the old quota made them
	 * wait
	 */
	if (__builtin_expect(grown != 0, 0))
		atomic_fetch_sub_explicit(&omp__awake_excess, grown, memory_order_relaxed);
	return omp__system_processors();
}

int omp__processors_visible(void)
{
	size_t bytes;
	const cpu_set_t *all = omp__system_affinity(&bytes);
	int count = 0, most = (int)omp__processors_now();

	/* with a list of places the caller may be bound to one of them, and the program may use all the same */
	if (all && !omp__places.count) {
		cpu_set_t *now = CPU_ALLOC(bytes * 8);

		count = now ? omp__system_affinity_now(now, bytes) : 0;
		CPU_FREE(now);
	}
	return count > 0 && count < most ? count : most;
}

unsigned omp__default_threads(void)
{
	unsigned processors = omp__processors_now();

	return omp__coscheduler ? omp__coscheduler->processors() : processors;
}
