/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Overheads of worksharing loops. `for` and `parallel_for` have one iteration a thread, as in EPCC's syncbench; the
 * schedules have 128 iterations a thread, as in its schedbench, and a run of n loops is compared with `delay_share`.
 */
#include "openmp.h"

static long run_delay_share(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n * OMP_BENCH_LOOP_SHARE; i++)
		bench_delay();
	return 0;
}

static long run_for(void *context, long n)
{
	long threads = omp_get_max_threads(), count = 0;

	(void)context;
#pragma omp parallel reduction(+ : count)
	for (long i = 0; i < n; i++) {
#pragma omp for
		for (long k = 0; k < threads; k++) {
			bench_delay();
			count++;
		}
	}
	return bench_verdict(count == n * threads);
}

static long run_parallel_for(void *context, long n)
{
	long threads = omp_get_max_threads();

	(void)context;
	for (long i = 0; i < n; i++) {
#pragma omp parallel for
		for (long k = 0; k < threads; k++)
			bench_delay();
	}
	return 0;
}

/* n loops with one schedule; each iteration is counted, and must run once */
#define SCHEDULE(name, pragma)                                                                                         \
	static long run_##name(void *context, long n)                                                                  \
	{                                                                                                              \
		long total = omp_get_max_threads(), count = 0;                                                         \
                                                                                                                       \
		(void)context;                                                                                         \
		total *= OMP_BENCH_LOOP_SHARE;                                                                         \
		_Pragma("omp parallel reduction(+ : count)") for (long i = 0; i < n; i++)                              \
		{                                                                                                      \
			_Pragma(pragma) for (long k = 0; k < total; k++)                                               \
			{                                                                                              \
				bench_delay();                                                                         \
				count++;                                                                               \
			}                                                                                              \
		}                                                                                                      \
		return bench_verdict(count == n * total);                                                              \
	}

SCHEDULE(static, "omp for schedule(static)")
SCHEDULE(static_1, "omp for schedule(static, 1)")
SCHEDULE(static_8, "omp for schedule(static, 8)")
SCHEDULE(static_64, "omp for schedule(static, 64)")
SCHEDULE(static_128, "omp for schedule(static, 128)")
SCHEDULE(dynamic_1, "omp for schedule(dynamic, 1)")
SCHEDULE(dynamic_8, "omp for schedule(dynamic, 8)")
SCHEDULE(dynamic_64, "omp for schedule(dynamic, 64)")
SCHEDULE(dynamic_128, "omp for schedule(dynamic, 128)")
SCHEDULE(monotonic_1, "omp for schedule(monotonic : dynamic, 1)")
SCHEDULE(guided_1, "omp for schedule(guided, 1)")
SCHEDULE(guided_8, "omp for schedule(guided, 8)")
SCHEDULE(guided_64, "omp for schedule(guided, 64)")
SCHEDULE(guided_128, "omp for schedule(guided, 128)")

const struct omp_entry omp_loops[] = {
	{ "delay_share", run_delay_share, 10, 0 },     { "for", run_for, 1000, 0 },
	{ "parallel_for", run_parallel_for, 1000, 0 }, { "static", run_static, 10, 0 },
	{ "static_1", run_static_1, 10, 0 },	       { "static_8", run_static_8, 10, 0 },
	{ "static_64", run_static_64, 10, 0 },	       { "static_128", run_static_128, 10, 0 },
	{ "dynamic_1", run_dynamic_1, 10, 0 },	       { "dynamic_8", run_dynamic_8, 10, 0 },
	{ "dynamic_64", run_dynamic_64, 10, 0 },       { "dynamic_128", run_dynamic_128, 10, 0 },
	{ "monotonic_1", run_monotonic_1, 10, 0 },     { "guided_1", run_guided_1, 10, 0 },
	{ "guided_8", run_guided_8, 10, 0 },	       { "guided_64", run_guided_64, 10, 0 },
	{ "guided_128", run_guided_128, 10, 0 },       { NULL, NULL, 0, 0 },
};
