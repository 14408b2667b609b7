/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does a region cost in which each thread has an array of its own, as in EPCC's arraybench? The array is
 * uninitialised (private), a copy of the caller's (firstprivate), or a threadprivate one that is filled from the
 * primary's (copyin); it has 1 to 3^10 doubles. A run makes n regions.
 */
#include "openmp.h"

#define ARRAYS(length)                                                                                                 \
	static double persistent_##length[length];                                                                     \
	_Pragma(OMP_BENCH_TEXT(omp threadprivate(persistent_##length)))                                                \
                                                                                                                       \
		static long run_private_##length(void *context, long n)                                                \
	{                                                                                                              \
		double array[length];                                                                                  \
		long right = 0;                                                                                        \
                                                                                                                       \
		(void)context;                                                                                         \
		for (long i = 0; i < n; i++) {                                                                         \
			_Pragma("omp parallel private(array) reduction(+ : right)")                                    \
			{                                                                                              \
				array[(length)-1] = (double)i;                                                         \
				bench_keep(array);                                                                     \
				right += array[(length)-1] == (double)i;                                               \
			}                                                                                              \
		}                                                                                                      \
		return bench_verdict(right == n * omp_get_max_threads());                                              \
	}                                                                                                              \
                                                                                                                       \
	static long run_firstprivate_##length(void *context, long n)                                                   \
	{                                                                                                              \
		double array[length] = { 0 };                                                                          \
		long right = 0;                                                                                        \
                                                                                                                       \
		(void)context;                                                                                         \
		for (long i = 0; i < n; i++) {                                                                         \
			array[(length)-1] = (double)i;                                                                 \
			_Pragma("omp parallel firstprivate(array) reduction(+ : right)")                               \
			{                                                                                              \
				bench_keep(array);                                                                     \
				right += array[(length)-1] == (double)i;                                               \
			}                                                                                              \
		}                                                                                                      \
		return bench_verdict(right == n * omp_get_max_threads());                                              \
	}                                                                                                              \
                                                                                                                       \
	static long run_copyin_##length(void *context, long n)                                                         \
	{                                                                                                              \
		long right = 0;                                                                                        \
                                                                                                                       \
		(void)context;                                                                                         \
		for (long i = 0; i < n; i++) {                                                                         \
			persistent_##length[(length)-1] = (double)i;                                                   \
			_Pragma(OMP_BENCH_TEXT(omp parallel copyin(persistent_##length) reduction(+ : right)))         \
			{                                                                                              \
				bench_keep(persistent_##length);                                                       \
				right += persistent_##length[(length)-1] == (double)i;                                 \
			}                                                                                              \
		}                                                                                                      \
		return bench_verdict(right == n * omp_get_max_threads());                                              \
	}

#define OMP_BENCH_TEXT(words) #words

/* Makes the compiler assume that the array is read and written here. */
static inline void bench_keep(double *array)
{
	__asm__ volatile("" : : "r"(array) : "memory");
}

ARRAYS(1)
ARRAYS(81)
ARRAYS(2187)
ARRAYS(59049)

#define ENTRIES(length, n)                                                                                             \
	{ "private_" #length, run_private_##length, n, 0 },                                                            \
		{ "firstprivate_" #length, run_firstprivate_##length, n, 0 },                                          \
	{                                                                                                              \
		"copyin_" #length, run_copyin_##length, n, 0                                                           \
	}

const struct omp_entry omp_arrays[] = {
	ENTRIES(1, 1000), ENTRIES(81, 1000), ENTRIES(2187, 500), ENTRIES(59049, 20), { NULL, NULL, 0, 0 },
};
