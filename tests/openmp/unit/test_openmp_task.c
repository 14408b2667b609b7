/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks: each runs once, in time, and only where the standard lets it; groups, nested teams.
 */
#include <omp.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#if defined(DELAYS)
enum { MANY = 3000, CHAIN = 1000, FIB = 14 };
#elif defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { MANY = 20000, CHAIN = 4000, FIB = 16 };
#else
/* a chain of calls would need more than a stack of 8 MiB */
enum { MANY = 200000, CHAIN = 200000, FIB = 22 };
#endif

static const int sizes[] = { 1, 2, 3, 4, 8 };
#define FOR_SIZES(threads)                                                                                             \
	for (const int *at = sizes; at < sizes + sizeof(sizes) / sizeof(sizes[0]); at++)                               \
		for (int threads = *at, once = 1; once; once = 0)

static void delay(unsigned seed)
{
	for (volatile unsigned i = (seed * 2654435761u) >> 24; i > 0; i--)
		;
}

static void each_runs_once_before_the_barrier(void **state)
{
	static _Atomic unsigned char runs[MANY];

	(void)state;
	FOR_SIZES(threads)
	{
		memset((void *)runs, 0, sizeof(runs));
#pragma omp parallel num_threads(threads)
		{
#pragma omp single
			for (int i = 0; i < MANY; i++)
#pragma omp task
			{
				delay((unsigned)i);
				runs[i]++;
			}
			/* past the single's barrier */
			for (int i = 0; i < MANY; i++)
				if (runs[i] != 1)
					abort();
		}
	}
}

static void all_threads_create_and_the_join_waits(void **state)
{
	_Atomic int ran;

	(void)state;
	FOR_SIZES(threads)
	{
		ran = 0;
		for (int round = 0; round < 50; round++) {
#pragma omp parallel num_threads(threads)
			for (int i = 0; i < 100; i++)
#pragma omp task firstprivate(i)
			{
				delay((unsigned)i);
#pragma omp task
				ran++;
			}
			assert_int_equal(ran, threads * 100 * (round + 1));
		}
	}
}

static int fib(int n)
{
	int x;
	int y;

	if (n < 2)
		return n;
#pragma omp task shared(x)
	x = fib(n - 1);
#pragma omp task shared(y) untied
	y = fib(n - 2);
	if (n % 7 == 0)
		delay((unsigned)n);
#pragma omp taskyield
#pragma omp taskwait
	return x + y;
}

static int fib_of(int n)
{
	int a = 0;

	for (int b = 1; n > 0; n--) {
		int sum = a + b;

		a = b;
		b = sum;
	}
	return a;
}

static void recursion_comes_to_its_end(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		int all = 0;

#pragma omp parallel num_threads(threads)
#pragma omp single
		all = fib(FIB);
		assert_int_equal(all, fib_of(FIB));
#pragma omp parallel num_threads(threads) reduction(+ : all)
		all += fib(FIB / 2);
		assert_int_equal(all, fib_of(FIB) + threads * fib_of(FIB / 2));
	}
	assert_int_equal(fib(FIB / 2), fib_of(FIB / 2));
}

static _Atomic int links;

/* Each creates the next and ends. */
static void chain(int left)
{
	links++;
	if (left > 1)
#pragma omp task
		chain(left - 1);
}

static void a_chain_may_be_longer_than_a_stack(void **state)
{
	enum { LENGTH = 5 * CHAIN };

	(void)state;
	FOR_SIZES(threads)
	{
		links = 0;
#pragma omp parallel num_threads(threads)
		{
#pragma omp single
			for (int i = 0; i < 5; i++)
#pragma omp task
				chain(CHAIN);
			if (links != LENGTH)
				abort();
		}
	}
}

/* ---- the task scheduling constraint ------------------------------------------------------------------------------ */

enum { DEPTH_MAX = 32 };

struct lineage {
	int depth;
	int ids[DEPTH_MAX];
};

static _Atomic int next_id;
static _Atomic int strangers;
/* The innermost task that waits on this thread, and all that it descends from. */
static _Thread_local const struct lineage *suspended;

static void grow_tree(const struct lineage *parent, int children, unsigned seed);

static void live(struct lineage mine, unsigned seed)
{
	const struct lineage *below = suspended;

	if (below && (below->depth >= mine.depth || below->ids[below->depth - 1] != mine.ids[below->depth - 1]))
		strangers++;
	delay(seed);
	grow_tree(&mine, mine.depth < 9 ? (int)(seed >> 16) % 4 : 0, seed);
}

/* Children that are waited for, half of the time in a taskgroup, and some that are not. */
static void grow_tree(const struct lineage *parent, int children, unsigned seed)
{
	const struct lineage *below = suspended;

	for (int i = 0; i < children; i++) {
		struct lineage child = *parent;
		unsigned next = seed * 1103515245u + 12345u + (unsigned)i * 97u;

		child.ids[child.depth++] = next_id++;
#pragma omp task firstprivate(child, next)
		live(child, next);
	}
	if (seed & 0x100)
		return;
	suspended = parent;
	if (seed & 0x200) {
#pragma omp taskgroup
		{
			struct lineage child = *parent;

			child.ids[child.depth++] = next_id++;
#pragma omp task firstprivate(child)
			live(child, seed * 69069u + 1u);
		}
	} else {
#pragma omp taskwait
	}
	suspended = below;
}

static void a_waiting_task_is_interrupted_by_its_descendants_only(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(threads)
			{
				struct lineage root = { 1, { next_id++ } };

				grow_tree(&root, 6, (unsigned)round * 7919u + (unsigned)root.ids[0]);
			}
		}
		assert_int_equal(strangers, 0);
	}
}

/* The task waits for an event; an older sibling lies in the deque below its mark, and must stay there meanwhile. */
static void an_older_sibling_does_not_interrupt(void **state)
{
	_Atomic bool waits = false;
	_Atomic int intruders = 0;
	_Atomic bool suspended_here = false;
	omp_event_handle_t event = 0;

	(void)state;
#pragma omp parallel num_threads(2) shared(event)
	if (omp_get_thread_num() == 0) {
#pragma omp task shared(suspended_here, intruders)
		intruders += suspended_here && omp_get_thread_num() == 0;
#pragma omp task shared(event, waits, suspended_here)
		{
			omp_event_handle_t mine;

#pragma omp task detach(mine)
			delay(1);
			event = mine;
			suspended_here = true;
			waits = true;
#pragma omp taskwait
			suspended_here = false;
		}
#pragma omp taskwait
	} else {
		while (!waits)
			;
		/* Long enough for the other thread to look for tasks, were it allowed to. */
		for (int i = 0; i < 1000; i++)
			sched_yield();
		omp_fulfill_event(event);
	}
	assert_int_equal(intruders, 0);
}

/* ---- groups, cancellation, final --------------------------------------------------------------------------------- */

static void a_taskgroup_waits_for_grandchildren(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		_Atomic int ran = 0;

#pragma omp parallel num_threads(threads)
#pragma omp single
		for (int round = 1; round <= 200; round++) {
#pragma omp taskgroup
			for (int i = 0; i < 5; i++)
#pragma omp task
			{
#pragma omp task
				{
					delay((unsigned)i);
					ran++;
				}
			}
			if (ran != 5 * round)
				abort();
		}
		assert_int_equal(ran, 1000);
	}
}

static void final_tasks_include_their_children(void **state)
{
	_Atomic int wrong = 0;

	(void)state;
#pragma omp parallel num_threads(3)
	{
		int self = omp_get_thread_num();

		for (int i = 0; i < 100; i++) {
#pragma omp task final(i % 2) shared(wrong)
			{
				int runner = omp_get_thread_num();
				int child = -1;

				wrong += omp_in_final() != i % 2;
#pragma omp task shared(child)
				{
					child = omp_get_thread_num();
					wrong += omp_in_final() != i % 2;
#pragma omp task if (0)
					wrong += omp_in_final() != i % 2;
				}
				wrong += i % 2 && child != runner;
#pragma omp taskwait
			}
			int undeferred = -1;
#pragma omp task if (0) shared(undeferred)
			undeferred = omp_get_thread_num();
			wrong += undeferred != self;
		}
	}
	assert_int_equal(wrong, 0);
}

static void a_tasks_variables_are_its_own(void **state)
{
	_Atomic int wrong = 0;

	(void)state;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 500; i++) {
		omp_set_num_threads(i % 5 + 1);
#pragma omp task firstprivate(i) shared(wrong)
		{
			wrong += omp_get_max_threads() != i % 5 + 1;
			omp_set_num_threads(7);
#pragma omp task shared(wrong)
			wrong += omp_get_max_threads() != 7;
		}
		wrong += omp_get_max_threads() != i % 5 + 1;
	}
	assert_int_equal(wrong, 0);
}

static void tasks_of_nested_teams_stay_in_them(void **state)
{
	_Atomic int ran = 0;
	_Atomic int wrong = 0;

	(void)state;
	omp_set_max_active_levels(2);
	for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(2)
		for (int i = 0; i < 10; i++)
#pragma omp task shared(ran, wrong)
		{
			int outer = omp_get_thread_num();

#pragma omp parallel num_threads(2) shared(ran, wrong)
			for (int j = 0; j < 10; j++)
#pragma omp task shared(ran, wrong)
			{
				wrong += omp_get_level() != 2 || omp_get_ancestor_thread_num(1) != outer;
				delay((unsigned)j);
				ran++;
			}
		}
	}
	omp_set_max_active_levels(1);
	assert_int_equal(wrong, 0);
	assert_int_equal(ran, 20 * 2 * 10 * 2 * 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_runs_once_before_the_barrier),
		cmocka_unit_test(all_threads_create_and_the_join_waits),
		cmocka_unit_test(recursion_comes_to_its_end),
		cmocka_unit_test(a_chain_may_be_longer_than_a_stack),
		cmocka_unit_test(a_waiting_task_is_interrupted_by_its_descendants_only),
		cmocka_unit_test(an_older_sibling_does_not_interrupt),
		cmocka_unit_test(a_taskgroup_waits_for_grandchildren),
		cmocka_unit_test(final_tasks_include_their_children),
		cmocka_unit_test(a_tasks_variables_are_its_own),
		cmocka_unit_test(tasks_of_nested_teams_stay_in_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
