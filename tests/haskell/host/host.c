/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host CASE COUNT: a C program that brings GHC's runtime system up itself, with so many Capabilities, and uses
 * OpenMP before, during and after it. Prints `right`, or the line of the check that failed. What it knows of Haskell is
 * Exported.hs.
 */
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Rts.h"

long sumBelow(long count);
long successor(long value);

enum { REGIONS = 50, THREADS = 4, BELOW = 1000, SUM = 499500 };

#define REQUIRE(condition)                                                                                             \
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
		REQUIRE(sum == SUM);
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
		REQUIRE(sum == (long)size * (size + 1) / 2);
	}
}

static void *all_at_once(void *unused)
{
	(void)unused;
	regions_that_call();
	regions();
	for (int i = 0; i < REGIONS; i++)
		REQUIRE(sumBelow(BELOW) == SUM);
	/* as the FFI has every thread do that has called Haskell and ends */
	hs_thread_done();
	return NULL;
}

/* Threads of C come and go. */
static void threads_that_leave(void)
{
	for (int round = 0; round < 5; round++) {
		pthread_t threads[THREADS];

		for (int i = 0; i < THREADS; i++)
			REQUIRE(pthread_create(&threads[i], NULL, all_at_once, NULL) == 0);
		for (int i = 0; i < THREADS; i++)
			REQUIRE(pthread_join(threads[i], NULL) == 0);
	}
}

/* -N1 is what there is without -threaded too, where the option is refused. */
static const char *capabilities;

static void start(void)
{
	char option[16], *storage[] = { "host", "+RTS", option, "-RTS", NULL }, **arguments = storage;
	int count = strcmp(capabilities, "1") == 0 ? 1 : 4;
	RtsConfig config = defaultRtsConfig;

	/* by itself it refuses more Capabilities than processors */
	config.rts_opts_enabled = RtsOptsAll;
	snprintf(option, sizeof(option), "-N%s", capabilities);
	hs_init_ghc(&count, &arguments, config);
}

static void before_during_after(void)
{
	regions();
	start();
	regions();
	REQUIRE(sumBelow(BELOW) == SUM);
	regions_that_call();
	threads_that_leave();
	hs_exit();
	regions();
}

/* The first region of the process comes after the runtime system, and the process ends with idle workers. */
static void during_only(void)
{
	start();
	REQUIRE(sumBelow(BELOW) == SUM);
	regions_that_call();
	hs_exit();
}

/* The runtime system is left to exit(3). */
static void never_ended(void)
{
	start();
	regions();
	REQUIRE(sumBelow(BELOW) == SUM);
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
	REQUIRE(sumBelow(BELOW) == SUM);
	REQUIRE(pthread_create(&thread, NULL, long_regions, NULL) == 0);
	while (!started)
		;
	hs_exit();
	REQUIRE(pthread_join(thread, NULL) == 0);
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
	REQUIRE(waitpid(child, &status, 0) == child && status == 0);
	REQUIRE(sumBelow(BELOW) == SUM);
	regions_that_call();
	hs_exit();
}

/* Without -threaded: Haskell refuses the loop, and C has its regions. */
static void loop_without_threads(void)
{
	regions();
	start();
	REQUIRE(sumBelow(BELOW) == -1);
	regions();
	REQUIRE(successor(1) == 2);
	hs_exit();
	regions();
}

/* Without -threaded: a team that calls Haskell is refused, by the end of the process. */
static void team_without_threads(void)
{
	start();
	regions_that_call();
}

/* C's heap is what it was, whoever has come and gone. */
static void memory(void)
{
	/*
	 * Without a leak, one or two teams more: 16 KiB each, when more threads than ever before were in regions at
	 * once. Where threads ended without hs_thread_done it was 1,800 bytes for each of 160.
	 */
	enum { ROUNDS = 80, BYTES = 65536 };
	size_t before = 0, after;

	/* mallinfo2 counts one arena */
	mallopt(M_ARENA_MAX, 1);
	start();
	for (int i = 0; i < ROUNDS; i++) {
		threads_that_leave();
		if (i == ROUNDS / 2)
			before = mallinfo2().uordblks;
	}
	after = mallinfo2().uordblks;
	fprintf(stderr, "%zu bytes in use, then %zu\n", before, after);
	REQUIRE(after < before + BYTES);
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
