/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parallel region of bench-haskell-interference: ten barriers, and about 6 us of arithmetic that the team shares.
 * The work of a region is the same for every number of threads, so that regions a second say how much work was done.
 */
#include <omp.h>
#include <stdint.h>
#include <time.h>

enum {
	PHASES = 10,
	/* dependent multiplications between two barriers, all threads together: about 0.6 us */
	STEPS = 560,
	THREADS_MAX = 64,
};

/* What a caller has for itself. */
struct interference {
	long wrong;   /* regions in which not all of the work was done, or more */
	long threads; /* of the last region */
	struct {
		_Alignas(64) long steps;
		uint64_t value;
	} own[THREADS_MAX];
};

long bench_interference_bytes(void)
{
	return sizeof(struct interference);
}

static void work(struct interference *job, long thread, long threads)
{
	long first = STEPS * thread / threads, past = STEPS * (thread + 1) / threads;
	uint64_t value = job->own[thread].value;

	for (long i = first; i < past; i++) {
		value = value * 6364136223846793005u + 1442695040888963407u;
		/* as a step of real work: none can be left out, nor several be made at once */
		__asm__ volatile("" : "+r"(value));
	}
	job->own[thread].value = value;
	job->own[thread].steps += past - first;
}

void bench_interference(struct interference *job)
{
	long done = 0;

	for (int i = 0; i < THREADS_MAX; i++)
		job->own[i].steps = 0;
#pragma omp parallel
	{
		long thread = omp_get_thread_num(), threads = omp_get_num_threads();

		if (thread == 0)
			job->threads = threads;
		for (int phase = 0; phase < PHASES; phase++) {
			work(job, thread, threads);
#pragma omp barrier
		}
	}
	for (int i = 0; i < THREADS_MAX; i++)
		done += job->own[i].steps;
	job->wrong += done != PHASES * STEPS;
}

/* One that lasts this long, on all its threads. */
struct long_region {
	long ns;
};

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

void bench_long_region(const struct long_region *job)
{
#pragma omp parallel
	{
		long end = now_ns() + job->ns;

		while (now_ns() < end)
			;
	}
}

/* Regions from C, for `ns`: how many, and how long each took in latencies[capacity], further ones left out. */
long bench_interference_loop(struct interference *job, long ns, double *latencies, long capacity)
{
	long start = now_ns(), before = start, count = 0;

	while (before - start < ns) {
		long after;

		bench_interference(job);
		after = now_ns();
		if (count < capacity)
			latencies[count] = (double)(after - before);
		count++;
		before = after;
	}
	return count;
}

#ifdef INTERFERENCE_MAIN
/*
 * The same from a C program: gcc -O2 -fopenmp -DINTERFERENCE_MAIN haskell/bench/cbits/interference.c -lpthread
 *
 * With an argument, as a collector would be if it were C: a thread wakes every millisecond, wakes another, waits until
 * that has used a processor for so many microseconds, and sleeps again.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static long burn_ns;
static sem_t wanted, done;

static void *burn(void *unused)
{
	(void)unused;
	for (;;) {
		long end;

		sem_wait(&wanted);
		end = now_ns() + burn_ns;
		while (now_ns() < end)
			;
		sem_post(&done);
	}
	return NULL;
}

static void *ask(void *unused)
{
	(void)unused;
	for (;;) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		sem_post(&wanted);
		sem_wait(&done);
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static struct interference job;
	long capacity = 4000000;
	double *latencies = calloc((size_t)capacity, sizeof(*latencies));
	pthread_t threads[2];
	long count;

	bench_interference_loop(&job, 100000000, latencies, capacity);
	if (argc > 1) {
		burn_ns = atol(argv[1]) * 1000;
		sem_init(&wanted, 0, 0);
		sem_init(&done, 0, 0);
		pthread_create(&threads[0], NULL, burn, NULL);
		pthread_create(&threads[1], NULL, ask, NULL);
	}
	count = bench_interference_loop(&job, 1000000000, latencies, capacity);
	qsort(latencies, (size_t)count, sizeof(*latencies), compare);
	printf("%ld regions/s, p50 %.0f ns, p99 %.0f ns, p99.5 %.0f ns, %ld threads, %ld wrong\n", count,
	       latencies[count / 2], latencies[count * 99 / 100], latencies[count * 995 / 1000], job.threads,
	       job.wrong);
	return 0;
}
#endif
