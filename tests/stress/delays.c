/* SPDX-License-Identifier: BSD-3-Clause */
/* The delays of delays.h: how long, and how often. */
#include "delays.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	/* Operations that a thread keeps to one mood for. */
	MOOD_OPERATIONS = 512,
	SPIN_MAX = 4096,
	/* Longer than a waiter spins before it sleeps. */
	SLEEP_NS_MAX = 200000,
	/*
	 * A yield that takes longer gave a time slice to a thread that computes, perhaps another program's. Then no
	 * thread yields for so many times what it took, or a test beside busy loops would wait for them all the time.
	 */
	COSTLY_NS = 500000,
	LEFT_ALONE = 16,
};

__thread uint32_t omp__delay_countdown __attribute__((tls_model("initial-exec")));
static __thread uint64_t state;
static __thread uint32_t mood_left;
static __thread uint32_t interval;
static _Atomic uint64_t threads;
static uint64_t seed;
/* Until when no thread yields. Relaxed: it orders nothing, and a thread that sees it late yields once more. */
static uint64_t no_yield_until_ns;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool yields_cheaply(void)
{
	uint64_t before_ns = now_ns(), took_ns;

	if (before_ns < __atomic_load_n(&no_yield_until_ns, __ATOMIC_RELAXED))
		return false;
	sched_yield();
	took_ns = now_ns() - before_ns;
	if (took_ns > COSTLY_NS)
		__atomic_store_n(&no_yield_until_ns, before_ns + LEFT_ALONE * took_ns, __ATOMIC_RELAXED);
	return true;
}

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
	else if (kind >= 32 || !yields_cheaply())
		for (volatile uint32_t left = draw() % SPIN_MAX >> draw() % 12; left > 0; left--)
			;
	omp__delay_countdown = draw() % interval;
	mood_left -= mood_left < omp__delay_countdown + 1 ? mood_left : omp__delay_countdown + 1;
	pthread_setcancelstate(cancel, &ours);
	errno = saved;
}
