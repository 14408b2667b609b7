/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host CASE COUNT: a C program that brings GHC's runtime system up itself, with so many Capabilities, and uses
 * OpenMP before, during and after it. Prints `right`, or the line of the check that failed. What it knows of Haskell is
 * Exported.hs.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "HsFFI.h"

long sumBelow(long count);
long successor(long value);

enum { REGIONS = 50, THREADS = 4, BELOW = 1000, SUM = 499500 };

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			printf("line %d: %s\n", __LINE__, #condition);                                                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

/* Nothing of Haskell. */
static void regions(void)
{
	for (int i = 0; i < REGIONS; i++) {
		long sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(3)
		for (long k = 0; k < BELOW; k++)
			sum += k;
		CHECK(sum == SUM);
	}
}

/* Every thread of the team calls Haskell. */
static void regions_that_call(void)
{
	for (int i = 0; i < REGIONS; i++) {
		long sum = 0;
		int size = 0;

#pragma omp parallel num_threads(3) reduction(+ : sum)
		{
#pragma omp single
			size = omp_get_num_threads();
			sum += successor(omp_get_thread_num());
		}
		CHECK(sum == (long)size * (size + 1) / 2);
	}
}

static void *all_at_once(void *unused)
{
	(void)unused;
	regions_that_call();
	regions();
	for (int i = 0; i < REGIONS; i++)
		CHECK(sumBelow(BELOW) == SUM);
	return NULL;
}

/* Threads of C come and go, and what the runtime system keeps for them is given back (hs_thread_done). */
static void threads_that_leave(void)
{
	for (int round = 0; round < 5; round++) {
		pthread_t threads[THREADS];

		for (int i = 0; i < THREADS; i++)
			CHECK(pthread_create(&threads[i], NULL, all_at_once, NULL) == 0);
		for (int i = 0; i < THREADS; i++)
			CHECK(pthread_join(threads[i], NULL) == 0);
	}
}

/* -N1 is what there is without -threaded too, where the option is refused. */
static const char *capabilities;

static void start(void)
{
	char option[16], *storage[] = { "host", "+RTS", option, "-RTS", NULL }, **arguments = storage;
	int count = strcmp(capabilities, "1") == 0 ? 1 : 4;

	snprintf(option, sizeof(option), "-N%s", capabilities);
	hs_init(&count, &arguments);
}

static void before_during_after(void)
{
	regions();
	start();
	regions();
	CHECK(sumBelow(BELOW) == SUM);
	regions_that_call();
	threads_that_leave();
	hs_exit();
	regions();
}

/* The first region of the process comes after the runtime system, and the process ends with idle workers. */
static void during_only(void)
{
	start();
	CHECK(sumBelow(BELOW) == SUM);
	regions_that_call();
	hs_exit();
}

/* The runtime system is left to exit(3). */
static void never_ended(void)
{
	start();
	regions();
	CHECK(sumBelow(BELOW) == SUM);
}

/* hs_exit does not wait for regions of C in other threads, and they go on. */
static _Atomic int started;

static void *long_regions(void *unused)
{
	(void)unused;
	started = 1;
	for (int i = 0; i < 20 * REGIONS; i++)
		regions();
	return NULL;
}

static void ends_beside_regions(void)
{
	pthread_t thread;

	start();
	CHECK(sumBelow(BELOW) == SUM);
	CHECK(pthread_create(&thread, NULL, long_regions, NULL) == 0);
	while (!started)
		;
	hs_exit();
	CHECK(pthread_join(thread, NULL) == 0);
	regions();
}

/* A fork of C: the child has regions, and no Haskell. */
static void forks(void)
{
	int status;
	pid_t child;

	start();
	regions_that_call();
	child = fork();
	if (child == 0) {
		regions();
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	CHECK(sumBelow(BELOW) == SUM);
	regions_that_call();
	hs_exit();
}

/* Without -threaded: Haskell refuses the loop, and C has its regions. */
static void loop_without_threads(void)
{
	regions();
	start();
	CHECK(sumBelow(BELOW) == -1);
	regions();
	CHECK(successor(1) == 2);
	hs_exit();
	regions();
}

/* Without -threaded: a team that calls Haskell is refused, by the end of the process. */
static void team_without_threads(void)
{
	start();
	regions_that_call();
}

static long resident_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long size, resident;

	CHECK(file && fscanf(file, "%ld %ld", &size, &resident) == 2);
	fclose(file);
	return resident;
}

static void memory(void)
{
	/* what the runtime system's own heap may differ by from one moment to the next */
	enum { ROUNDS = 40, PAGES = 1024 };
	long before = 0;

	start();
	for (int i = 0; i < ROUNDS; i++) {
		threads_that_leave();
		if (i == ROUNDS / 10) {
			hs_perform_gc();
			before = resident_pages();
		}
	}
	hs_perform_gc();
	CHECK(resident_pages() < before + PAGES);
	hs_exit();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = { { "before-during-after", before_during_after },
		      { "during-only", during_only },
		      { "never-ended", never_ended },
		      { "ends-beside-regions", ends_beside_regions },
		      { "forks", forks },
		      { "loop-without-threads", loop_without_threads },
		      { "team-without-threads", team_without_threads },
		      { "memory", memory } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc == 3 && strcmp(argv[1], cases[i].name) == 0) {
			capabilities = argv[2];
			cases[i].run();
			printf("right\n");
			return 0;
		}
	}
	fprintf(stderr, "host CASE COUNT\n");
	return 2;
}
