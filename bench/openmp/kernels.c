/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole loops with nothing but their own work: a sum of a million sines, and the naive product of two matrices. */
#include <math.h>

#include "openmp.h"

#define SINES 1000000L
#define SINES_SUM 437.2074474706433
#define EDGE_MAX 1024L

static long run_sin(void *context, long n)
{
	long wrong = 0;

	(void)context;
	for (long i = 0; i < n; i++) {
		double sum = 0;

#pragma omp parallel for reduction(+ : sum)
		for (long k = 0; k < SINES; k++)
			sum += sin((double)k * 0.001);
		wrong += !(fabs(sum - SINES_SUM) < 1e-6);
	}
	return bench_verdict(wrong == 0);
}

static double a[EDGE_MAX * EDGE_MAX], b[EDGE_MAX * EDGE_MAX], c[EDGE_MAX * EDGE_MAX];

/* Row times column, as one would write it first. */
static long product(long edge, long n)
{
	for (long i = 0; i < edge * edge; i++) {
		a[i] = (double)(i % 7);
		b[i] = (double)(i % 5);
	}
	for (long i = 0; i < n; i++) {
#pragma omp parallel for
		for (long row = 0; row < edge; row++) {
			for (long column = 0; column < edge; column++) {
				double sum = 0;

				for (long k = 0; k < edge; k++)
					sum += a[row * edge + k] * b[k * edge + column];
				c[row * edge + column] = sum;
			}
		}
	}
	for (long k = 0; k < edge; k++)
		c[0] -= a[k] * b[k * edge];
	return bench_verdict(c[0] == 0);
}

static long run_dgemm_128(void *context, long n)
{
	(void)context;
	return product(128, n);
}

static long run_dgemm_256(void *context, long n)
{
	(void)context;
	return product(256, n);
}

static long run_dgemm_512(void *context, long n)
{
	(void)context;
	return product(512, n);
}

static long run_dgemm_1024(void *context, long n)
{
	(void)context;
	return product(EDGE_MAX, n);
}

const struct omp_entry omp_kernels[] = {
	{ "sin_1000000", run_sin, 1, 5 },	{ "dgemm_128", run_dgemm_128, 1, 5 },
	{ "dgemm_256", run_dgemm_256, 1, 3 },	{ "dgemm_512", run_dgemm_512, 1, 1 },
	{ "dgemm_1024", run_dgemm_1024, 1, 1 }, { NULL, NULL, 0, 0 },
};
