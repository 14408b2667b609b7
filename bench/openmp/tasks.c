/* SPDX-License-Identifier: BSD-3-Clause */
/* Overheads of single task constructs, as in EPCC's taskbench: n of them for each thread, each task one delay. */
#include <string.h>

#include "openmp.h"

#define WAVE_EDGE 32 /* cells */

static long run_task_wait(void *context, long n)
{
	long count = 0;

	(void)context;
#pragma omp parallel reduction(+ : count)
	for (long i = 0; i < n; i++) {
		long done = 0;

#pragma omp task shared(done)
		{
			bench_delay();
			done = 1;
		}
#pragma omp taskwait
		count += done;
	}
	return bench_verdict(count == n * omp_get_max_threads());
}

static long run_task_barrier(void *context, long n)
{
	(void)context;
#pragma omp parallel
	for (long i = 0; i < n; i++) {
#pragma omp task
		bench_delay();
#pragma omp barrier
	}
	return 0;
}

/* Each thread makes tasks that make one task for each thread of the team. */
static long run_task_nested(void *context, long n)
{
	(void)context;
#pragma omp parallel
	for (long i = 0; i < n; i += omp_get_num_threads()) {
#pragma omp task
		{
			for (int k = 0; k < omp_get_num_threads(); k++) {
#pragma omp task
				bench_delay();
			}
#pragma omp taskwait
		}
	}
	return 0;
}

static long run_task_undeferred(void *context, long n)
{
	long count = 0;

	(void)context;
#pragma omp parallel reduction(+ : count)
	for (long i = 0; i < n; i++) {
#pragma omp task if (0) shared(count)
		count++;
	}
	return bench_verdict(count == n * omp_get_max_threads());
}

/* A chain: every task depends on the task before it. */
static long run_depend_chain(void *context, long n)
{
	long link = 0;

	(void)context;
#pragma omp parallel
#pragma omp single
	for (long i = 0; i < n; i++) {
#pragma omp task depend(inout : link) shared(link) firstprivate(i)
		link = link == i ? i + 1 : -1;
	}
	return bench_verdict(link == n);
}

static long larger(long one, long other)
{
	return one > other ? one : other;
}

/* A wave front over a square: every task depends on the tasks above it and to its left. */
static long run_depend_wave(void *context, long n)
{
	static long cells[WAVE_EDGE + 1][WAVE_EDGE + 1];
	long wrong = 0;

	(void)context;
	for (long i = 0; i < n; i++) {
		memset(cells, 0, sizeof(cells));
#pragma omp parallel
#pragma omp single
		for (int row = 1; row <= WAVE_EDGE; row++) {
			for (int column = 1; column <= WAVE_EDGE; column++) {
#pragma omp task depend(in : cells[row - 1][column], cells[row][column - 1]) depend(out : cells[row][column])
				cells[row][column] = 1 + larger(cells[row - 1][column], cells[row][column - 1]);
			}
		}
		wrong += cells[WAVE_EDGE][WAVE_EDGE] != 2 * WAVE_EDGE - 1;
	}
	return bench_verdict(wrong == 0);
}

static long run_taskloop(void *context, long n)
{
	long total = omp_get_max_threads() * OMP_BENCH_LOOP_SHARE, count = 0;

	(void)context;
#pragma omp parallel
#pragma omp single
	for (long i = 0; i < n; i++) {
#pragma omp taskloop grainsize(1) reduction(+ : count)
		for (long k = 0; k < total; k++) {
			bench_delay();
			count++;
		}
	}
	return bench_verdict(count == n * total);
}

static long run_taskloop_1(void *context, long n)
{
	long total = omp_get_max_threads() * OMP_BENCH_LOOP_SHARE;

	(void)context;
#pragma omp parallel
#pragma omp single
	for (long i = 0; i < n; i++) {
#pragma omp taskloop grainsize(1)
		for (long k = 0; k < total; k++)
			bench_delay();
	}
	return 0;
}

const struct omp_entry omp_tasks[] = {
	{ "task_wait", run_task_wait, 1000, 0 },
	{ "task_barrier", run_task_barrier, 500, 0 },
	{ "task_nested", run_task_nested, 500, 0 },
	{ "task_undeferred", run_task_undeferred, 1000, 0 },
	{ "depend_chain", run_depend_chain, 1000, 0 },
	{ "depend_wave", run_depend_wave, 1, 0 },
	{ "taskloop_1", run_taskloop_1, 5, 0 },
	{ "taskloop_reduction", run_taskloop, 5, 0 },
	{ NULL, NULL, 0, 0 },
};
