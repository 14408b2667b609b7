/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A server with CALLERS threads of its own, each of which opens regions of THREADS threads: callers CALLERS THREADS
 * REGIONS. Between two regions a caller computes by itself. Prints one JSON object: how many seconds it took in all.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ITEMS = 4096, ALONE = 512 };

static int threads, regions;

static double sum_of(int from, int to)
{
	double sum = 0;

	for (int i = from; i < to; i++)
		sum += 1.0 / (1 + i);
	return sum;
}

static void *caller(void *result)
{
	double sum = 0;

	omp_set_num_threads(threads);
	for (int k = 0; k < regions; k++) {
#pragma omp parallel reduction(+ : sum)
		{
			int share = ITEMS / omp_get_num_threads(), first = share * omp_get_thread_num();

			sum += sum_of(first, first + share);
		}
		sum += sum_of(0, ALONE);
	}
	*(double *)result = sum;
	return NULL;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **words)
{
	int callers = count == 4 ? atoi(words[1]) : 0;
	double began = now_s();

	if (callers < 1 || callers > 1024) {
		fprintf(stderr, "usage: callers CALLERS THREADS REGIONS (1 to 1024 callers)\n");
		return 2;
	}
	threads = atoi(words[2]);
	regions = atoi(words[3]);
	double results[callers];
	pthread_t made[callers];
	for (int k = 0; k < callers; k++) {
		int failed = pthread_create(&made[k], NULL, caller, &results[k]);

		if (failed) {
			fprintf(stderr, "callers: no thread for a caller (error %d); raise ulimit -u\n", failed);
			return 1;
		}
	}
	for (int k = 0; k < callers; k++)
		pthread_join(made[k], NULL);
	printf("{\"regions\": %.6f}\n", now_s() - began);
	return 0;
}
