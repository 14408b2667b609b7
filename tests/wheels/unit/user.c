/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that GCC compiled with OpenMP: a region, and whose region call it reaches. */
#include <omp.h>
#include <stdint.h>

extern void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
int region_size(int threads);
void *region_call(void);
int inside_regions(int threads, int (*function)(int), int argument);

int region_size(int threads)
{
	int size = 0;

#pragma omp parallel num_threads(threads)
#pragma omp single
	size = omp_get_num_threads();
	return size;
}

void *region_call(void)
{
	return (void *)(uintptr_t)GOMP_parallel;
}

/* Call a function from inside a region, by each of its threads. */
int inside_regions(int threads, int (*function)(int), int argument)
{
	int most = 0;

#pragma omp parallel num_threads(threads) reduction(max : most)
	most = function(argument);
	return most;
}
