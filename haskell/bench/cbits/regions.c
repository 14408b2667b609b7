/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What bench/Regions.hs calls: one region at a time for Haskell to open, and the same from a loop in C.
 *
 * Empty regions and sums have exactly the team they are asked for (dyn-var false meanwhile): now and then one gets a
 * smaller one, which is faster there, and the least sample would be of that. Regions beside threads that compute take
 * what the library gives them.
 */
#include <math.h>
#include <omp.h>

struct interference;
void bench_interference(struct interference *job);

static int exact_team(void)
{
	int before = omp_get_dynamic();

	omp_set_dynamic(0);
	return before;
}

static void empty_region(void)
{
#pragma omp parallel
	__asm__ volatile("" ::: "memory");
}

void bench_regions_empty(void *unused)
{
	int before = exact_team();

	(void)unused;
	empty_region();
	omp_set_dynamic(before);
}

void bench_regions_empty_loop(long count)
{
	int before = exact_team();

	for (long i = 0; i < count; i++)
		empty_region();
	omp_set_dynamic(before);
}

void bench_regions_busy_loop(struct interference *job, long count)
{
	for (long i = 0; i < count; i++)
		bench_interference(job);
}

struct sines {
	long count;
	double sum;
};

static double sine(long i)
{
	return sin((double)i * 0.001);
}

void bench_regions_sines(struct sines *job)
{
	int before = exact_team();
	long count = job->count;
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < count; i++)
		sum += sine(i);
	job->sum = sum;
	omp_set_dynamic(before);
}

void bench_regions_sines_sequential(struct sines *job)
{
	double sum = 0;

	for (long i = 0; i < job->count; i++)
		sum += sine(i);
	job->sum = sum;
}
