/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that looks like OpenBLAS with threads of its own, whose jobs ask for what OpenBLAS's need: all jobs of a
 * call at the same time, and one call at a time, because job i works in buffer i.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { JOBS_MAX = 64, FIRST_NUMBER = 32, TIMEOUT_S = 30 };

typedef void job_function(int number, void *job, int extra);
typedef void callback(int sync, job_function *run, int count, size_t job_bytes, void *jobs, int extra);

struct job {
	atomic_int *arrived;
	int count;
	atomic_int runs;
};

static callback *given;
static int threads = 4;
static atomic_int busy[JOBS_MAX];
static atomic_int wrong;

int openblas_get_num_threads(void);
void openblas_set_num_threads(int count);
int openblas_get_parallel(void);
const char *openblas_get_config(void);
void openblas_set_threads_callback_function(callback *function);
int fake_call(int count);
void *fake_callback(void);

int openblas_get_num_threads(void)
{
	return threads;
}

void openblas_set_num_threads(int count)
{
	threads = count;
}

int openblas_get_parallel(void)
{
	return 1;
}

const char *openblas_get_config(void)
{
	return "OpenBLAS 0.3.30 MAX_THREADS=64";
}

void openblas_set_threads_callback_function(callback *function)
{
	given = function;
}

void *fake_callback(void)
{
	return (void *)(uintptr_t)given;
}

/* A job that meets the others of its call; those of a call that has too few threads would wait for ever. */
static void meet(int number, void *data, int extra)
{
	struct job *job = data;
	time_t end = time(NULL) + TIMEOUT_S;

	if (number < FIRST_NUMBER || atomic_fetch_add(&busy[number], 1) != 0 || extra != 5)
		atomic_fetch_add(&wrong, 1);
	atomic_fetch_add(&job->runs, 1);
	atomic_fetch_add(job->arrived, 1);
	while (atomic_load(job->arrived) < job->count) {
		const struct timespec moment = { .tv_nsec = 1000 };

		nanosleep(&moment, NULL);
		if (time(NULL) > end)
			abort();
	}
	atomic_fetch_sub(&busy[number], 1);
}

/* Make a call of so many jobs; return how many things were wrong with all calls so far. */
int fake_call(int count)
{
	struct job jobs[JOBS_MAX];
	atomic_int arrived = 0;

	for (int k = 0; k < count; k++)
		jobs[k] = (struct job){ .arrived = &arrived, .count = count };
	given(1, meet, count, sizeof jobs[0], jobs, 5);
	for (int k = 0; k < count; k++)
		if (atomic_load(&jobs[k].runs) != 1)
			atomic_fetch_add(&wrong, 1);
	return atomic_load(&wrong);
}
