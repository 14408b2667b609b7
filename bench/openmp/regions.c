/* SPDX-License-Identifier: BSD-3-Clause */
/* Overheads of regions and of constructs at which a whole team meets: barrier, single, copyprivate, reduction. */
#include "openmp.h"

static struct omp_counter counters[OMP_BENCH_THREADS_MAX];

/* The reference of every entry that delays once per construct. */
static long run_delay(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++)
		bench_delay();
	return 0;
}

static long run_fork_join(void *context, long n)
{
	long threads = omp_get_max_threads(), sum = 0;

	(void)context;
	for (long t = 0; t < threads; t++)
		counters[t].value = 0;
	for (long i = 0; i < n; i++) {
#pragma omp parallel
		counters[omp_get_thread_num()].value++;
	}
	for (long t = 0; t < threads; t++)
		sum += counters[t].value;
	return bench_verdict(sum == n * threads);
}

static long run_parallel(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++) {
#pragma omp parallel
		bench_delay();
	}
	return 0;
}

/* A region after so much serial work that most workers sleep: its overhead is the cost of waking them. */
static long run_parallel_after_serial(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++) {
		for (int k = 0; k < OMP_BENCH_SERIAL_DELAYS; k++)
			bench_delay();
#pragma omp parallel
		bench_delay();
	}
	return 0;
}

/* The reference of parallel_after_serial. */
static long run_delay_serial(void *context, long n)
{
	return run_delay(context, n * (OMP_BENCH_SERIAL_DELAYS + 1));
}

static long run_barrier(void *context, long n)
{
	(void)context;
#pragma omp parallel
	for (long i = 0; i < n; i++) {
#pragma omp barrier
	}
	return 0;
}

static long run_single(void *context, long n)
{
	long count = 0;

	(void)context;
#pragma omp parallel
	for (long i = 0; i < n; i++) {
#pragma omp single
		{
			bench_delay();
			count++;
		}
	}
	return bench_verdict(count == n);
}

static long run_single_nowait(void *context, long n)
{
	long count = 0;

	(void)context;
#pragma omp parallel
	for (long i = 0; i < n; i++) {
#pragma omp single nowait
#pragma omp atomic
		count++;
	}
	return bench_verdict(count == n);
}

static long run_copyprivate(void *context, long n)
{
	long wrong = 0;

	(void)context;
#pragma omp parallel reduction(+ : wrong)
	for (long i = 0; i < n; i++) {
		long value = -1;

#pragma omp single copyprivate(value)
		{
			bench_delay();
			value = i;
		}
		wrong += value != i;
	}
	return bench_verdict(wrong == 0);
}

static long run_reduction(void *context, long n)
{
	long wrong = 0;

	(void)context;
	for (long i = 0; i < n; i++) {
		long sum = 0, threads = omp_get_max_threads();

#pragma omp parallel reduction(+ : sum)
		{
			bench_delay();
			sum++;
		}
		wrong += sum != threads;
	}
	return bench_verdict(wrong == 0);
}

static long run_sections(void *context, long n)
{
	long count = 0;

	(void)context;
#pragma omp parallel reduction(+ : count)
	for (long i = 0; i < n; i++) {
#pragma omp sections
		{
#pragma omp section
			count++;
#pragma omp section
			count++;
		}
	}
	return bench_verdict(count == 2 * n);
}

/* Two programs side by side run this: regions of ten barriers with about 3 us of work for each thread. */
static long run_mix(void *context, long n)
{
	long count = 0;

	(void)context;
	for (long i = 0; i < n; i++) {
#pragma omp parallel reduction(+ : count)
		for (int phase = 0; phase < 10; phase++) {
			for (int k = 0; k < 3; k++)
				bench_delay();
			count++;
#pragma omp barrier
		}
	}
	return bench_verdict(count == n * 10 * omp_get_max_threads());
}

const struct omp_entry omp_regions[] = {
	{ "delay", run_delay, 1000, 0 },
	{ "fork_join", run_fork_join, 1000, 0 },
	{ "parallel", run_parallel, 1000, 0 },
	{ "barrier", run_barrier, 1000, 0 },
	{ "single", run_single, 1000, 0 },
	{ "single_nowait", run_single_nowait, 1000, 0 },
	{ "copyprivate", run_copyprivate, 500, 0 },
	{ "reduction", run_reduction, 500, 0 },
	{ "sections", run_sections, 500, 0 },
	{ "delay_serial", run_delay_serial, 10, 0 },
	{ "parallel_after_serial", run_parallel_after_serial, 10, 0 },
	{ "mix", run_mix, 200, 0 },
	{ NULL, NULL, 0, 0 },
};
