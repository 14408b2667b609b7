/* SPDX-License-Identifier: BSD-3-Clause */
/* Something of each construct for which the runtime asks for memory; correct with any number of threads. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 40, OBJECTS = 8, BYTES = 5000 };

static void check(long is, long should, const char *what)
{
	if (is == should)
		return;
	printf("%s: %ld, not %ld\n", what, is, should);
	exit(EXIT_FAILURE);
}

static long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static void loops(void)
{
	int table[SIDE][SIDE] = { { 0 } };
	long sum = 0, seen = 0;

#pragma omp parallel for num_threads(3) schedule(dynamic, 3) reduction(+ : sum)
	for (int i = 0; i < 1000; i++)
		sum += i;
	check(sum, 499500, "a dynamic loop");
#pragma omp parallel num_threads(3)
#pragma omp for ordered schedule(dynamic)
	for (int i = 0; i < 20; i++) {
#pragma omp ordered
		seen = seen == i ? i + 1 : -1;
	}
	check(seen, 20, "an ordered loop");
#pragma omp parallel for ordered(2) num_threads(3)
	for (int i = 1; i < SIDE; i++)
		for (int k = 1; k < SIDE; k++) {
#pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1)
			table[i][k] = (table[i - 1][k] + table[i][k - 1] + 1) % 1000;
#pragma omp ordered depend(source)
		}
	check(table[2][2], 5, "a doacross loop");
	/* more constructs than the runtime keeps work shares for, without a barrier between them */
	sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
	for (int i = 0; i < 70; i++) {
#pragma omp for schedule(dynamic) nowait
		for (int k = 0; k < 3; k++)
			sum++;
	}
	check(sum, 210, "loops without a barrier");
	sum = 0;
#pragma omp parallel for num_threads(3) reduction(task, + : sum)
	for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(+ : sum)
		sum++;
	}
	check(sum, 30, "a loop with a task reduction");
}

static void tasks(void)
{
	int objects[OBJECTS] = { 0 }, count = 0;
	long value = 0;
	omp_event_handle_t event;

#pragma omp parallel num_threads(4)
#pragma omp single
	value = fib(12);
	check(value, 144, "recursive tasks");
#pragma omp parallel num_threads(3)
#pragma omp single
	{
		for (int i = 0; i < 200; i++) {
#pragma omp task depend(inout : objects[i % OBJECTS]) shared(objects)
			objects[i % OBJECTS]++;
		}
#pragma omp taskloop grainsize(3) reduction(+ : count)
		for (int i = 0; i < 100; i++)
			count++;
#pragma omp taskgroup task_reduction(+ : count)
		for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : count)
			count++;
		}
#pragma omp task detach(event) shared(count)
		count += 0;
		omp_fulfill_event(event);
	}
	for (int i = 0; i < OBJECTS; i++)
		check(objects[i], 200 / OBJECTS, "dependent tasks");
	check(count, 150, "task reductions");
}

struct large {
	char bytes[BYTES];
};

static void others(void)
{
	struct large large = { { 1, 2 } };
	int two = 0, sections = 0;
	long sum = 0;

#pragma omp target map(tofrom : two) firstprivate(large) nowait
	two = large.bytes[0] + large.bytes[1] - 1;
#pragma omp taskwait
	check(two, 2, "a target region");
#pragma omp parallel sections num_threads(2) reduction(+ : sections)
	{
#pragma omp section
		sections++;
#pragma omp section
		sections++;
	}
	check(sections, 2, "sections");
	omp_set_max_active_levels(3);
	omp_set_schedule(omp_sched_guided, 2);
#pragma omp parallel for num_threads(2) schedule(runtime) reduction(+ : sum)
	for (int i = 0; i < 4; i++) {
#pragma omp parallel for num_threads(3) reduction(+ : sum)
		for (int k = 0; k < 10; k++)
			sum++;
	}
	check(sum, 40, "nested regions");
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for
	for (int i = 0; i < 10; i++)
		;
}

int main(void)
{
	loops();
	tasks();
	others();
	return 0;
}
