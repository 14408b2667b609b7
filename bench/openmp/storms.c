/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole task programs: 10,000 flat tasks, fib with and without cut-off, n queens, merge sort, an unbalanced tree (the
 * binomial tree of UTS: S. Olivier et al., "UTS: an unbalanced tree search benchmark", LCPC 2006, with a cheaper hash).
 * A run of n makes n of them.
 */
#include "openmp.h"

#define FLAT_TASKS 10000L
#define FIB_N 30
#define FIB_VALUE 832040L
#define FIB_CUT_OFF 20
#define QUEENS 12
#define QUEENS_SOLUTIONS 14200L
#define QUEENS_TASK_ROWS 5 /* rows that are placed by tasks */
#define SORT_LENGTH (1L << 20)
#define SORT_CUT_OFF 512L
#define TREE_ROOT_CHILDREN 2000
#define TREE_CHILDREN 8
#define TREE_PARENTS_OF_1000 124 /* so many of 1,000 nodes have children */
#define TREE_NODES 261897L

static struct omp_counter counters[OMP_BENCH_THREADS_MAX];

static void clear_counters(void)
{
	for (int t = 0; t < OMP_BENCH_THREADS_MAX; t++)
		counters[t].value = 0;
}

static long sum_counters(void)
{
	long sum = 0;

	for (int t = 0; t < OMP_BENCH_THREADS_MAX; t++)
		sum += counters[t].value;
	return sum;
}

static long run_flat(void *context, long n)
{
	(void)context;
	clear_counters();
	for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single
		for (long k = 0; k < FLAT_TASKS; k++) {
#pragma omp task
			counters[omp_get_thread_num()].value++;
		}
	}
	return bench_verdict(sum_counters() == n * FLAT_TASKS);
}

static long fib_plain(int n)
{
	return n < 2 ? n : fib_plain(n - 1) + fib_plain(n - 2);
}

static long fib(int n, int cut_off)
{
	long one, other;

	if (n < 2)
		return n;
	if (n <= cut_off)
		return fib_plain(n);
#pragma omp task shared(one)
	one = fib(n - 1, cut_off);
#pragma omp task shared(other)
	other = fib(n - 2, cut_off);
#pragma omp taskwait
	return one + other;
}

static long fib_runs(long n, int cut_off)
{
	long wrong = 0;

	for (long i = 0; i < n; i++) {
		long value = 0;

#pragma omp parallel
#pragma omp single
		value = fib(FIB_N, cut_off);
		wrong += value != FIB_VALUE;
	}
	return bench_verdict(wrong == 0);
}

static long run_fib(void *context, long n)
{
	(void)context;
	return fib_runs(n, 1);
}

static long run_fib_cut_off(void *context, long n)
{
	(void)context;
	return fib_runs(n, FIB_CUT_OFF);
}

/* Columns and diagonals that are taken, as bits; rows below `row` are placed. */
static void queens(int row, unsigned columns, unsigned left, unsigned right)
{
	unsigned open = ~(columns | left | right) & ((1U << QUEENS) - 1);

	if (row == QUEENS) {
		counters[omp_get_thread_num()].value++;
		return;
	}
	while (open) {
		unsigned place = open & -open;

		open ^= place;
#pragma omp task if (row < QUEENS_TASK_ROWS) final(row >= QUEENS_TASK_ROWS)
		queens(row + 1, columns | place, (left | place) << 1, (right | place) >> 1);
	}
#pragma omp taskwait
}

static long run_queens(void *context, long n)
{
	(void)context;
	clear_counters();
	for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single
		queens(0, 0, 0, 0);
	}
	return bench_verdict(sum_counters() == n * QUEENS_SOLUTIONS);
}

static int compare_ints(const void *one, const void *other)
{
	int a = *(const int *)one, b = *(const int *)other;

	return (a > b) - (a < b);
}

static void merge(int *from, int *to, long length)
{
	long half = length / 2, i = 0, k = half;

	for (long at = 0; at < length; at++)
		to[at] = k >= length || (i < half && from[i] <= from[k]) ? from[i++] : from[k++];
	for (long at = 0; at < length; at++)
		from[at] = to[at];
}

static void sort(int *values, int *scratch, long length)
{
	long half = length / 2;

	if (length <= SORT_CUT_OFF) {
		qsort(values, (size_t)length, sizeof(*values), compare_ints);
		return;
	}
#pragma omp task
	sort(values, scratch, half);
#pragma omp task
	sort(values + half, scratch + half, length - half);
#pragma omp taskwait
	merge(values, scratch, length);
}

static long run_sort(void *context, long n)
{
	static int values[SORT_LENGTH], scratch[SORT_LENGTH];
	long wrong = 0;

	(void)context;
	for (long i = 0; i < n; i++) {
		uint32_t state = 1;

		for (long k = 0; k < SORT_LENGTH; k++) {
			state = state * 1664525 + 1013904223;
			values[k] = (int)(state >> 1);
		}
#pragma omp parallel
#pragma omp single
		sort(values, scratch, SORT_LENGTH);
		for (long k = 1; k < SORT_LENGTH; k++)
			wrong += values[k - 1] > values[k];
	}
	return bench_verdict(wrong == 0);
}

/* splitmix64's output function: the state of child k of a node */
static uint64_t child_of(uint64_t node, int k)
{
	uint64_t z = node + (uint64_t)(k + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static void tree(uint64_t node, int children)
{
	counters[omp_get_thread_num()].value++;
	for (int k = 0; k < children; k++) {
		uint64_t child = child_of(node, k);

#pragma omp task
		tree(child, child % 1000 < TREE_PARENTS_OF_1000 ? TREE_CHILDREN : 0);
	}
}

static long run_tree(void *context, long n)
{
	(void)context;
	clear_counters();
	for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single
		tree(1, TREE_ROOT_CHILDREN);
	}
	return bench_verdict(sum_counters() == n * TREE_NODES);
}

const struct omp_entry omp_storms[] = {
	{ "tasks_10000", run_flat, 1, 0 },
	{ "fib_30", run_fib, 1, 1 },
	{ "fib_30_cut_off", run_fib_cut_off, 1, 3 },
	{ "queens_12", run_queens, 1, 3 },
	{ "sort", run_sort, 1, 3 },
	{ "tree", run_tree, 1, 2 },
	{ NULL, NULL, 0, 0 },
};
