/* SPDX-License-Identifier: BSD-3-Clause */
/* What bench/OpenMP.hs compares with and calls: the same work in C, compiled with -fopenmp as anybody's C would be. */
#include <math.h>

static double sine(long i)
{
	return sin((double)i * 0.001);
}

double bench_sinsum(long first, long past)
{
	double sum = 0;

	for (long i = first; i < past; i++)
		sum += sine(i);
	return sum;
}

double bench_sinsum_parallel(long count, int threads)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(threads)
	for (long i = 0; i < count; i++)
		sum += sine(i);
	return sum;
}

/* a kernel for parallelReduceC, which needs no vector but its range */
void bench_sinsum_block(long first, long past, const double *unused, double *sum)
{
	(void)unused;
	*sum = bench_sinsum(first, past);
}

/* An empty region. */
void bench_region(int threads)
{
#pragma omp parallel num_threads(threads)
	__asm__ volatile("" ::: "memory");
}

/* The body for each index, by a function pointer into Haskell. */
void bench_call_each(double (*body)(double), double *to, long count, int threads)
{
#pragma omp parallel for num_threads(threads)
	for (long i = 0; i < count; i++)
		to[i] = body((double)i);
}

/* The same without a region. */
void bench_call_bare(double (*body)(double), double *to, long count)
{
	for (long i = 0; i < count; i++)
		to[i] = body((double)i);
}

/* The same loop with its body in C. */
void bench_call_none(double *to, long count, int threads)
{
#pragma omp parallel for num_threads(threads)
	for (long i = 0; i < count; i++)
		to[i] = (double)i * 2 + 1;
}

/* One task for each element, of the work of one: `work` sines. */
double bench_tasks(long count, long work, int threads)
{
	double sum = 0;

#pragma omp parallel num_threads(threads)
#pragma omp single
	for (long i = 0; i < count; i++) {
#pragma omp task firstprivate(i) shared(sum)
		{
			double mine = bench_sinsum(i, i + work);

#pragma omp atomic
			sum += mine;
		}
	}
	return sum;
}
