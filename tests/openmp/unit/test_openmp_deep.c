/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks at depth: long chains on short stacks, deep unbalanced trees whose every task waits for its children, wide
 * ones, and waits in untied tasks, which may run what does not descend from them.
 */
#include "openmp_tests.h"

#include <pthread.h>

enum {
	LINKS = SLOW ? 20000 : 200000,
	SHORT_STACK_BYTES = 128 * 1024,
	TREE_DEPTH = SLOW ? 1000 : 4000,
	TREE_CHILDREN = 8,
	TREES_TIMEOUT_S = 300,
};

static _Atomic long count;

/* A task uses some hundred bytes of stack. */
static void chain(long left)
{
	volatile char space[200];

	space[0] = 0;
	count++;
	if (left > 1) {
#pragma omp task firstprivate(left)
		chain(left - 1 + space[0]);
	}
}

static void a_chain_longer_than_the_stack(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
		chain(LINKS);
		assert_int_equal(count, LINKS);
	}
}

static void *chain_of_a_thread(void *opaque)
{
	(void)opaque;
#pragma omp parallel num_threads(1)
	chain(LINKS);
#pragma omp parallel num_threads(2)
#pragma omp single
	chain(LINKS);
	return NULL;
}

static void the_same_on_a_thread_with_a_short_stack(void **state)
{
	pthread_attr_t attributes;
	pthread_t thread;

	(void)state;
	count = 0;
	pthread_attr_init(&attributes);
	assert_int_equal(pthread_attr_setstacksize(&attributes, SHORT_STACK_BYTES), 0);
	assert_int_equal(pthread_create(&thread, &attributes, chain_of_a_thread, NULL), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	assert_int_equal(count, 2 * LINKS);
}

/* Every task but the last of its siblings is a leaf; the parent waits for all. */
static long comb(int depth)
{
	long sum[TREE_CHILDREN] = { 0 };

	if (depth == 0)
		return 1;
	for (int k = 0; k < TREE_CHILDREN; k++) {
#pragma omp task shared(sum) firstprivate(k, depth)
		sum[k] = k + 1 < TREE_CHILDREN ? 1 : comb(depth - 1);
	}
#pragma omp taskwait
	for (int k = 1; k < TREE_CHILDREN; k++)
		sum[0] += sum[k];
	return sum[0] + 1;
}

/* Time that grows with the square of the depth would be some minutes. */
static void a_deep_tree_of_tasks_that_wait(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		long nodes = 0;

		alarm(TREES_TIMEOUT_S);
#pragma omp parallel num_threads(threads)
#pragma omp single
		nodes = comb(TREE_DEPTH);
		alarm(0);
		assert_int_equal(nodes, (long)TREE_DEPTH * TREE_CHILDREN + 1);
	}
}

/* Deep in the stack all tasks are deferred: more than a deque's first ring holds. */
static void wide_below_deep(int depth, int width)
{
	volatile char space[1000];

	space[0] = 0;
	if (depth > 0) {
#pragma omp task
		wide_below_deep(depth - 1 + space[0], width);
#pragma omp taskwait
		return;
	}
	for (int i = 0; i < width; i++) {
#pragma omp task
		count++;
	}
}

static void many_tasks_below_a_deep_one(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
		wide_below_deep(300, LINKS);
		assert_int_equal(count, LINKS);
	}
}

static long untied_tree(unsigned seed, int depth)
{
	long sum[3] = { 0 };

	if (depth == 0 || seed % 7 == 0)
		return 1;
	for (unsigned k = 0; k < 3; k++) {
#pragma omp task untied shared(sum) firstprivate(k, seed, depth)
		sum[k] = untied_tree(seed * 1664525 + 1013904223 + k, depth - 1);
	}
#pragma omp taskwait
	delay(seed);
	return 1 + sum[0] + sum[1] + sum[2];
}

static void untied_tasks_wait_for_their_children_only(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		long nodes[2] = { 0 };

		for (int i = 0; i < 2; i++) {
			omp_set_num_threads(i ? threads : 1);
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(nodes)
			nodes[i] = untied_tree(1, SLOW ? 8 : 11);
		}
		assert_int_equal(nodes[0], nodes[1]);
	}
}

/* The descendants of a tied task run inside its wait, and nothing else does, also below untied ones. */
static int inside;
#pragma omp threadprivate(inside)
static _Atomic int strangers;

static void leaf(void)
{
	if (inside)
		strangers++;
	delay((unsigned)inside);
}

static void tied_wait(void)
{
#pragma omp task
	{
		inside++;
		for (int i = 0; i < 3; i++) {
#pragma omp task
			{
				int outer = inside;

				/* Long enough for a thief to have one, and for the thread that waits to look around. */
				inside = 0;
				usleep(100);
				inside = outer;
			}
		}
#pragma omp taskwait
		inside--;
	}
}

static void a_tied_task_that_waits_runs_descendants_only(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		strangers = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
		for (int i = 0; i < (SLOW ? 20 : 100); i++) {
#pragma omp task untied
			{
				for (int k = 0; k < 8; k++) {
#pragma omp task
					leaf();
				}
				tied_wait();
#pragma omp taskwait
			}
		}
		assert_int_equal(strangers, 0);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_longer_than_the_stack),
		cmocka_unit_test(the_same_on_a_thread_with_a_short_stack),
		cmocka_unit_test(a_deep_tree_of_tasks_that_wait),
		cmocka_unit_test(many_tasks_below_a_deep_one),
		cmocka_unit_test(untied_tasks_wait_for_their_children_only),
		cmocka_unit_test(a_tied_task_that_waits_runs_descendants_only),
	};
	const char *const variables[] = { "OMP_DYNAMIC", "false", NULL };

	if (again(argc, argv, variables))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
