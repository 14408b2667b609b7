/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment: every OMP_ and GOMP_ variable that libgomp reads. */
#include "environment.h"
#include "crowd.h"
#include "host.h"
#include "icv.h"

#include <pthread.h>
#include <stdlib.h>

struct omp__globals omp__globals;

static void read_environment(void)
{
	const char *threads;

	omp__host_start();
	atomic_store_explicit(&omp__crowd_excess, -(int)omp__host_processors(), memory_order_relaxed);
	threads = getenv("OMP_NUM_THREADS");
	omp__globals.initial = (struct omp__icv){
		.allocator = 1,
		.threads = threads ? (unsigned)atoi(threads) : omp__host_processors(),
		.thread_limit = UINT_MAX,
		.schedule = OMP__DYNAMIC,
		.chunk = 1,
		.levels_max = 1,
	};
}

void omp__environment_read(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_environment);
}
