/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entries of the OpenMP benchmark; each file has one table of entries. The method is EPCC's (J. M. Bull, "Measuring
 * synchronisation and scheduling overheads in OpenMP", EWOMP 1999): overhead = time with the construct - time of the
 * same work without it. The program prints both times, and the reader of the lines subtracts them.
 *
 * gcc compiles the program once, and the program does not know with which library it runs: LD_LIBRARY_PATH chooses the
 * library, and OMP_NUM_THREADS the number of threads. Every entry checks what it computed, so that a runtime that skips
 * work fails.
 */
#ifndef FERRY_BENCH_OPENMP_H
#define FERRY_BENCH_OPENMP_H

#include <errno.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define OMP_BENCH_LINE_BYTES 64	     /* of a cache line */
#define OMP_BENCH_THREADS_MAX 256    /* threads in a team that an entry may count for */
#define OMP_BENCH_DELAY_STEPS 64     /* of bench_delay: about 0.1 us, as in EPCC's suite */
#define OMP_BENCH_SERIAL_DELAYS 5000 /* about 0.3 ms, more than a spinning worker waits */
#define OMP_BENCH_LOOP_SHARE 128L    /* iterations a thread has in one loop, as in EPCC's suite */

/* One entry: a run makes n of the construct and returns 0, or -EIO when the result is wrong. */
struct omp_entry {
	const char *name;
	long (*run)(void *context, long n);
	long n;		  /* constructs in one run, unless --n says otherwise */
	long repetitions; /* at most so many for each process: 0 for as many as asked for */
};

/* A table ends with an entry that has no name. */
extern const struct omp_entry omp_regions[];
extern const struct omp_entry omp_loops[];
extern const struct omp_entry omp_exclusion[];
extern const struct omp_entry omp_tasks[];
extern const struct omp_entry omp_storms[];
extern const struct omp_entry omp_trees[];
extern const struct omp_entry omp_matrices[];
extern const struct omp_entry omp_searches[];
extern const struct omp_entry omp_arrays[];
extern const struct omp_entry omp_kernels[];
extern const struct omp_entry omp_floors[];

/* A number that only its thread writes. */
struct omp_counter {
	long value;
	char padding[OMP_BENCH_LINE_BYTES - sizeof(long)];
};

extern __thread uint64_t omp_bench_delay_state;

/* Work that the compiler can neither drop nor shorten, nor the processor overlap with the delay before it. */
static inline void bench_delay(void)
{
	uint64_t x = omp_bench_delay_state;

	for (int i = 0; i < OMP_BENCH_DELAY_STEPS; i++) {
		x = x * 6364136223846793005 + 1;
		__asm__ volatile("" : "+r"(x));
	}
	omp_bench_delay_state = x;
}

/* What a run returns, given whether its result is the expected one. */
static inline long bench_verdict(int right)
{
	return right ? 0 : -EIO;
}

#endif /* FERRY_BENCH_OPENMP_H */
