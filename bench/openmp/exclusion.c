/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Overheads of constructs that let one thread through at a time: critical, locks, ordered, atomic. A run makes n of
 * them in all, shared among the threads, so that the work is the same for every number of threads.
 */
#include "openmp.h"

static omp_lock_t shared_lock;
static omp_nest_lock_t shared_nest_lock;

static long run_critical(void *context, long n)
{
	long count = 0, made = 0;

	(void)context;
#pragma omp parallel reduction(+ : made)
	for (long i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) {
		made++;
#pragma omp critical
		{
			bench_delay();
			count++;
		}
	}
	return bench_verdict(count == n && made == n);
}

static long run_lock(void *context, long n)
{
	long count = 0;

	(void)context;
	omp_init_lock(&shared_lock);
#pragma omp parallel
	for (long i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) {
		omp_set_lock(&shared_lock);
		bench_delay();
		count++;
		omp_unset_lock(&shared_lock);
	}
	omp_destroy_lock(&shared_lock);
	return bench_verdict(count == n);
}

static long run_nest_lock(void *context, long n)
{
	long count = 0;

	(void)context;
	omp_init_nest_lock(&shared_nest_lock);
#pragma omp parallel
	for (long i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) {
		omp_set_nest_lock(&shared_nest_lock);
		bench_delay();
		count++;
		omp_unset_nest_lock(&shared_nest_lock);
	}
	omp_destroy_nest_lock(&shared_nest_lock);
	return bench_verdict(count == n);
}

/* A lock that only this thread takes. */
static long run_lock_alone(void *context, long n)
{
	omp_lock_t lock;

	(void)context;
	omp_init_lock(&lock);
	for (long i = 0; i < n; i++) {
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return 0;
}

static long run_ordered(void *context, long n)
{
	long next = 0, wrong = 0;

	(void)context;
#pragma omp parallel for ordered schedule(static, 1)
	for (long i = 0; i < n; i++) {
#pragma omp ordered
		{
			bench_delay();
			wrong += next != i;
			next++;
		}
	}
	return bench_verdict(wrong == 0 && next == n);
}

static long run_atomic(void *context, long n)
{
	double sum = 0;

	(void)context;
#pragma omp parallel
	for (long i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) {
#pragma omp atomic
		sum += 1;
	}
	return bench_verdict(sum == (double)n);
}

/* Too wide for the processor's atomics, so the runtime uses a lock of its own. */
static long run_atomic_wide(void *context, long n)
{
	long double sum = 0;

	(void)context;
#pragma omp parallel
	for (long i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) {
#pragma omp atomic
		sum += 1;
	}
	return bench_verdict(sum == (long double)n);
}

const struct omp_entry omp_exclusion[] = {
	{ "critical", run_critical, 2000, 0 },	     { "lock", run_lock, 2000, 0 },
	{ "nest_lock", run_nest_lock, 2000, 0 },     { "lock_alone", run_lock_alone, 2000, 0 },
	{ "ordered", run_ordered, 1000, 0 },	     { "atomic", run_atomic, 2000, 0 },
	{ "atomic_wide", run_atomic_wide, 2000, 0 }, { NULL, NULL, 0, 0 },
};
