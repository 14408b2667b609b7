/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel regions for Ferry.HeldSpec. */
#include <errno.h>
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* What a region is given, and what came of it. Ferry.HeldSpec has the same places. */
struct held_job {
	long threads;	    /* for num_threads, 0: the default */
	long ns;	    /* how long every thread computes, unless it is stopped */
	long (*back)(long); /* called by every thread, or NULL */
	long sum;	    /* of 0 … 999, or of what the callbacks returned */
	long size;	    /* of the team */
	long started;	    /* set when the region has begun */
	long worker;	    /* the system's number of the team's second thread, where it has one */
	long stop;	    /* set by another thread to end what computes */
};

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* In GHC's debug runtime system only. */
extern void checkSanity(bool after_gc, bool major_gc) __attribute__((weak));

/* Whether the program is linked with that one. */
long held_debugged(void)
{
	return checkSanity != NULL;
}

void held_region(struct held_job *job)
{
	long sum = 0;
	int threads = job->threads ? (int)job->threads : omp_get_max_threads();

	__atomic_store_n(&job->started, 1, __ATOMIC_SEQ_CST);
#pragma omp parallel num_threads(threads) reduction(+ : sum)
	{
		long begin = now_ns();

		if (omp_get_thread_num() == 0)
			job->size = omp_get_num_threads();
		else if (omp_get_thread_num() == 1)
			job->worker = gettid();
		while (job->ns && now_ns() - begin < job->ns && !__atomic_load_n(&job->stop, __ATOMIC_RELAXED))
			;
		if (job->back)
			sum += job->back(omp_get_thread_num());
		else
#pragma omp for
			for (long i = 0; i < 1000; i++)
				sum += i;
	}
	job->sum = sum;
	errno = ENOTTY;
}

/* The same, as a slot of a batch: the team's size, or -1 when the sum is wrong. */
long held_slot(struct held_job *job)
{
	held_region(job);
	return job->sum == 499500 ? job->size : -1;
}

/* Processor time that the worker of the last region has taken so far; -1 where that cannot be read. */
long held_worker_ns(const struct held_job *job)
{
	char path[64];
	long ns;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", job->worker);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%ld", &ns) != 1)
		ns = -1;
	if (file)
		fclose(file);
	return ns;
}
