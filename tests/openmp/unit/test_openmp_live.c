/* SPDX-License-Identifier: BSD-3-Clause */
/* What lives for a while, as the tasks of a long chain, takes memory for what is live at once, not for all of it. */
#include "counted_allocator.h"

#include "thread/clock.h"
#include "thread/processor.h"

#if !COUNTED_ALLOCATOR

int main(void)
{
	return skip_the_count();
}

#else

static _Atomic long total;

/* Under random delays a task takes a hundred times as long, and these tests take a DELAYED-th of the length. */
#ifdef DELAYS
enum { DELAYED = 10 };
#else
enum { DELAYED = 1 };
#endif

enum {
	SHORT = 3000,
	LONG = 300000 / DELAYED,
	/*
	 * Calls more for so many times the length; 64 bytes for each link or item alone would be 293 chunks, or a
	 * DELAYED-th of that.
	 */
	MORE = 270 / DELAYED,
	/* A creator of items goes ahead of them by so many at most, and an item once kept 280 bytes. */
	AHEAD = 1000 / DELAYED,
	MORE_BYTES = LONG * 16,
};

/* Each task is the only child of the one before, which ends before it does. */
static void links(long left)
{
	total++;
	if (left > 1) {
#pragma omp task firstprivate(left) priority(1)
		links(left - 1);
	}
}

static void chain_of_children(long length)
{
#pragma omp parallel
#pragma omp single
	links(length);
}

static _Atomic long ended;

/* Items that no construct waits for, each with an address of its own, as in a pipeline over a list. */
static void ever_new_addresses(long length)
{
	static char items[LONG + 2];

	ended = 0;
#pragma omp parallel
#pragma omp single
	for (long i = 0; i < length; i++) {
		while (i - ended > AHEAD) {
#pragma omp taskyield
			nanosleep(&(struct timespec){ .tv_nsec = 10000 }, NULL);
		}
#pragma omp task depend(out : items[i]) depend(inout : total)
		{
			/* Long enough for a thief to come by it. */
			delay((unsigned)i);
			items[i]++;
		}
#pragma omp task depend(inout : items[i]) depend(in : items[length])
		{
			items[i]++;
			ended++;
		}
	}
}

static void is_bounded(const char *name, void (*program)(long length), long more)
{
	for (int threads = 1; threads <= 4; threads++) {
		long before;

		omp_set_num_threads(threads);
		program(SHORT);
		before = calls;
		program(LONG);
		if (calls - before > more)
			fail_msg("%s, %d threads: %ld calls of the allocator for %d times the length", name, threads,
				 calls - before, LONG / SHORT);
	}
}

static void chain_of_children_is_bounded(void **state)
{
	(void)state;
	is_bounded("chain_of_children", chain_of_children, MORE);
}

/*
 * The bytes that are live, and not the calls: the table of addresses grows and shrinks with the items that are live,
 * each time by a call.
 */
static void ever_new_addresses_is_bounded(void **state)
{
	(void)state;
	for (int threads = 1; threads <= 4; threads++) {
		long before;

		omp_set_num_threads(threads);
		ever_new_addresses(SHORT);
		before = bytes_live;
		bytes_most = before;
		ever_new_addresses(LONG);
		if (bytes_most - before > MORE_BYTES)
			fail_msg("%d threads: %ld bytes more for %d times the length", threads, bytes_most - before,
				 LONG / SHORT);
	}
}

enum { OVERLAPPING = 100000 / DELAYED, OVERLAPPING_MORE = DELAYED == 1 ? 60 : 25, OVERLAP_NS = 10000 };

static _Atomic long newest_link;

/*
 * As links(), but each has begun before the one before it ends: then that one's family still stands above it. A link
 * waits for that without a yield, which beside a busy loop gives a time slice away, and not for long.
 */
static void overlapping_links(long left)
{
	atomic_store(&newest_link, left);
	if (left == 0)
		return;
#pragma omp task firstprivate(left)
	overlapping_links(left - 1);
	for (uint64_t until = thread__now_ns() + OVERLAP_NS;
	     atomic_load(&newest_link) == left && thread__now_ns() < until;)
		thread__relax();
}

/* A family of 64 bytes for each link would be 98 chunks, or a DELAYED-th of that. */
static void overlapping_links_are_bounded(void **state)
{
	(void)state;
	for (int threads = 2; threads <= 4; threads++) {
		long before = calls;

#pragma omp parallel num_threads(threads)
#pragma omp single nowait
		overlapping_links(OVERLAPPING);
		if (calls - before > OVERLAPPING_MORE)
			fail_msg("%d threads: %ld calls of the allocator for %d links", threads, calls - before,
				 OVERLAPPING);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_count_counts),
		cmocka_unit_test(chain_of_children_is_bounded),
		cmocka_unit_test(ever_new_addresses_is_bounded),
		cmocka_unit_test(overlapping_links_are_bounded),
	};

	omp_set_max_active_levels(2);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
