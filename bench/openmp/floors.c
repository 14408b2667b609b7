/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The floors: what the constructs of a team of two cost at least on this machine, whatever the library. They have bare
 * loads and stores where a barrier, fork and join, and an ordered loop hand something over. They are measured beside
 * the constructs, in the same process, because a virtual machine's processors may be moved apart in between: an
 * exchange of 25 to 30 ns became one of 200 and, a minute later, took 25 again.
 *
 * With another number of threads the floors do nothing. A waiter pauses between two looks at a word, which is the
 * fastest way found (bench/handoff).
 */
#include "../relax.h"
#include "openmp.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define PAIR_BYTES 128	     /* two lines, which processors fetch together */
#define LOOKS_PER_YIELD 1000 /* some 25 us of waiting */

static struct {
	/* of an exchange: both sides, even and odd */
	_Alignas(PAIR_BYTES) _Atomic long side[2][2];
	/* of a round trip: there, and back */
	_Alignas(PAIR_BYTES) _Atomic long there;
	_Alignas(PAIR_BYTES) _Atomic long back;
	/* of turns: the next one's number */
	_Alignas(PAIR_BYTES) _Atomic long turn;
	_Alignas(PAIR_BYTES) long done;
} words;

/*
 * acquire and release everywhere, as in a construct. A thread that waits for long yields, because it may keep the other
 * thread from running.
 */
static void wait_for(_Atomic long *word, long value)
{
	for (unsigned looks = 1; atomic_load_explicit(word, memory_order_acquire) != value; looks++) {
		if (looks % LOOKS_PER_YIELD)
			bench_relax();
		else
			sched_yield();
	}
}

static int is_pair(void)
{
	return omp_get_num_threads() == 2;
}

/* A barrier: each thread stores that it has arrived, and waits until the other has. */
static long run_floor_exchange(void *context, long n)
{
	(void)context;
	memset(&words, 0, sizeof(words));
#pragma omp parallel
	for (long i = 1, me = omp_get_thread_num(); is_pair() && i <= n; i++) {
		atomic_store_explicit(&words.side[me][i & 1], i, memory_order_release);
		wait_for(&words.side[!me][i & 1], i);
	}
	return 0;
}

/* Fork and join: one word to the other thread, another word back. */
static long run_floor_round_trip(void *context, long n)
{
	(void)context;
	memset(&words, 0, sizeof(words));
#pragma omp parallel
	for (long i = 1, me = omp_get_thread_num(); is_pair() && i <= n; i++) {
		if (me == 0) {
			atomic_store_explicit(&words.there, i, memory_order_release);
			wait_for(&words.back, i);
		} else {
			wait_for(&words.there, i);
			atomic_store_explicit(&words.back, i, memory_order_release);
		}
	}
	return 0;
}

/* An ordered loop of single iterations: the threads take turns, with a delay in each. */
static long run_floor_turn(void *context, long n)
{
	long pair = 0;

	(void)context;
	memset(&words, 0, sizeof(words));
#pragma omp parallel reduction(+ : pair)
	for (long i = omp_get_thread_num(); is_pair() && i < n; i += 2) {
		wait_for(&words.turn, i);
		bench_delay();
		words.done++;
		atomic_store_explicit(&words.turn, i + 1, memory_order_release);
		pair = 1;
	}
	return bench_verdict(pair == 0 || words.done == n);
}

const struct omp_entry omp_floors[] = {
	{ "floor_exchange", run_floor_exchange, 1000, 0 },
	{ "floor_round_trip", run_floor_round_trip, 1000, 0 },
	{ "floor_turn", run_floor_turn, 1000, 0 },
	{ NULL, NULL, 0, 0 },
};
