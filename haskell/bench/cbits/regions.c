/* SPDX-License-Identifier: BSD-3-Clause */
/* What bench/Regions.hs calls: one region at a time for Haskell to open, and the same from a loop in C. */
#include <math.h>

struct interference;
void bench_interference(struct interference *job);

void bench_regions_empty(void *unused)
{
	(void)unused;
#pragma omp parallel
	__asm__ volatile("" ::: "memory");
}

void bench_regions_empty_loop(long count)
{
	for (long i = 0; i < count; i++)
		bench_regions_empty(0);
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
	long count = job->count;
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < count; i++)
		sum += sine(i);
	job->sum = sum;
}

void bench_regions_sines_sequential(struct sines *job)
{
	double sum = 0;

	for (long i = 0; i < job->count; i++)
		sum += sine(i);
	job->sum = sum;
}
