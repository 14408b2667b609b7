/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks at depth. One entry walks the binomial tree of UTS (see storms.c), just below the size at which it would have
 * no end: it is some 1,500 tasks deep, and most of its subtrees are leaves. Each task waits for its children; the tasks
 * are tied in one variant and untied in another. Another entry is a chain of tasks, each of which creates the next and
 * ends. A run of n makes n of them.
 */
#include "openmp.h"

#define ROOT_CHILDREN 2000
#define CHILDREN 8
#define PARENTS_OF_100000 12485 /* so many of 100,000 nodes have children */
#define CHAIN_LINKS 200000L

/* splitmix64's output function: the state of child k of a node */
static uint64_t child_of(uint64_t node, int k)
{
	uint64_t z = node + (uint64_t)(k + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static int children_of(uint64_t node)
{
	return node % 100000 < PARENTS_OF_100000 ? CHILDREN : 0;
}

static long count_plain(uint64_t node, int children)
{
	long sum = 1;

	for (int k = 0; k < children; k++) {
		uint64_t child = child_of(node, k);

		sum += count_plain(child, children_of(child));
	}
	return sum;
}

static long count_tied(uint64_t node, int children)
{
	long nodes[CHILDREN] = { 0 }, sum = 1;

	for (int k = 0; k < children; k++) {
		uint64_t child = child_of(node, k);

#pragma omp task shared(nodes)
		nodes[k] = count_tied(child, children_of(child));
	}
#pragma omp taskwait
	for (int k = 0; k < children; k++)
		sum += nodes[k];
	return sum;
}

static long count_untied(uint64_t node, int children)
{
	long nodes[CHILDREN] = { 0 }, sum = 1;

	for (int k = 0; k < children; k++) {
		uint64_t child = child_of(node, k);

#pragma omp task untied shared(nodes)
		nodes[k] = count_untied(child, children_of(child));
	}
#pragma omp taskwait
	for (int k = 0; k < children; k++)
		sum += nodes[k];
	return sum;
}

/* A loop makes the root's children, of which there are more than of any other node. */
static long run_trees(long n, long (*count)(uint64_t node, int children))
{
	static long nodes[ROOT_CHILDREN];
	static long expected;
	long sum = 0;

	for (int k = 0; !expected && k < ROOT_CHILDREN; k++)
		sum += count_plain(child_of(1, k), children_of(child_of(1, k)));
	expected = expected ? expected : sum;
	sum = 0;
	for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single nowait
		for (int k = 0; k < ROOT_CHILDREN; k++) {
#pragma omp task untied
			nodes[k] = count(child_of(1, k), children_of(child_of(1, k)));
		}
		for (int k = 0; k < ROOT_CHILDREN; k++)
			sum += nodes[k];
	}
	return bench_verdict(sum == n * expected);
}

static long run_deep_tree(void *context, long n)
{
	(void)context;
	return run_trees(n, count_tied);
}

static long run_deep_tree_untied(void *context, long n)
{
	(void)context;
	return run_trees(n, count_untied);
}

static long links;

static void link_on(long left)
{
	links++;
	if (left > 1) {
#pragma omp task
		link_on(left - 1);
	}
}

static long run_chain(void *context, long n)
{
	(void)context;
	links = 0;
	for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single nowait
		link_on(CHAIN_LINKS);
	}
	return bench_verdict(links == n * CHAIN_LINKS);
}

const struct omp_entry omp_trees[] = {
	{ "deep_tree", run_deep_tree, 1, 2 },
	{ "deep_tree_untied", run_deep_tree_untied, 1, 2 },
	{ "task_chain", run_chain, 1, 3 },
	{ NULL, NULL, 0, 0 },
};
