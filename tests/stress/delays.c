/* SPDX-License-Identifier: BSD-3-Clause */
/* The delays of delays.h: how long, and how often. */
#include "delays.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	/* Operations that a thread keeps to one mood for. */
	MOOD_OPERATIONS = 512,
	SPIN_MAX = 4096,
	/* Longer than a waiter spins before it sleeps. */
	SLEEP_NS_MAX = 200000,
};

__thread uint32_t omp__delay_countdown __attribute__((tls_model("initial-exec")));
static __thread uint64_t state;
static __thread uint32_t mood_left;
static __thread uint32_t interval;
static _Atomic uint64_t threads;
static uint64_t seed;

static __attribute__((constructor(101))) void read_seed(void)
{
	const char *given = getenv("FERRY_SEED");
	struct timespec now;

	if (given) {
		seed = strtoull(given, NULL, 0);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	seed = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	fprintf(stderr, "# FERRY_SEED=%llu\n", (unsigned long long)seed);
}

/* xorshift64* (Vigna 2016) */
static uint32_t draw(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 32);
}

/* A thread is quick for a while, then slow: the steps that meet must sometimes be few and sometimes be many. */
static void change_mood(void)
{
	static const uint32_t intervals[] = { 2, 8, 32, 128, 512, 512 };

	if (!state)
		state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1 + __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
	interval = intervals[draw() % (sizeof(intervals) / sizeof(intervals[0]))];
	mood_left = MOOD_OPERATIONS;
}

void omp__delay_now(const char *file, int line)
{
	int saved = errno, cancel, ours;
	uint32_t kind;

	(void)file;
	(void)line;
	/* a delay is no cancellation point: what it stands before is none */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (mood_left == 0)
		change_mood();
	kind = draw() % 256;
	if (kind < 3)
		nanosleep(&(struct timespec){ .tv_nsec = draw() % SLEEP_NS_MAX }, NULL);
	else if (kind < 32)
		sched_yield();
	else
		for (volatile uint32_t left = draw() % SPIN_MAX >> draw() % 12; left > 0; left--)
			;
	omp__delay_countdown = draw() % interval;
	mood_left -= mood_left < omp__delay_countdown + 1 ? mood_left : omp__delay_countdown + 1;
	pthread_setcancelstate(cancel, &ours);
	errno = saved;
}
