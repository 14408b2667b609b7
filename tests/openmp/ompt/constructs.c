/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every construct that a tool is told of, each as often as the argument says; what is told does not depend on who is
 * faster. GCC compiles some of them to no call: those are left out with it (ONLY_CLANG).
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __clang__
#define ONLY_CLANG 1
#else
#define ONLY_CLANG 0
#endif

enum { THREADS = 3, COUNT = 40 };
static int data[COUNT];
static int control;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static void regions(void)
{
#pragma omp parallel num_threads(THREADS)
	data[omp_get_thread_num()]++;
#pragma omp parallel num_threads(1)
	data[0]++;
#pragma omp parallel if (data[0] < 0)
	data[0]++;
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
#pragma omp atomic
		data[1]++;
	}
}

static void loops(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for schedule(dynamic, 3)
		for (int i = 0; i < COUNT; i++)
			data[i]++;
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < COUNT; i++)
			data[i] += 0;
#pragma omp barrier
#pragma omp for schedule(dynamic) ordered
		for (int i = 0; i < 9; i++) {
#pragma omp ordered
			data[0] += i;
		}
	}
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 2)
	for (int i = 0; i < COUNT; i++)
		data[i]++;
}

static void blocks(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp single
		data[0]++;
#pragma omp single nowait
		data[1]++;
#pragma omp barrier
#pragma omp sections
		{
#pragma omp section
			data[2]++;
#pragma omp section
			data[3]++;
		}
#pragma omp critical
		data[4]++;
#pragma omp critical(named)
		data[5]++;
	}
}

static void locks(void)
{
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(THREADS)
	{
		omp_set_lock(&lock);
		data[0]++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		data[1]++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	if (!omp_test_lock(&lock) || omp_test_lock(&lock))
		abort();
	omp_unset_lock(&lock);
	if (omp_test_nest_lock(&nest) != 1)
		abort();
	omp_unset_nest_lock(&nest);
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
}

static int fibonacci(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b) final(n < 4)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

static void tasks(void)
{
	int a = 0, b = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
		if (fibonacci(9) != 34)
			abort();
#pragma omp task depend(out : a)
		a = 1;
#pragma omp task depend(in : a) depend(out : b)
		b = a + 1;
#pragma omp task depend(inout : a)
		a++;
#pragma omp taskwait
#pragma omp taskgroup
		for (int i = 0; i < 5; i++)
#pragma omp task firstprivate(i)
			data[i]++;
#pragma omp task if (0)
		data[6]++;
#pragma omp task untied
		data[7]++;
#pragma omp taskloop num_tasks(4)
		for (int i = 0; i < COUNT; i++)
			data[i]++;
	}
	/* a task construct in no region, and one in a region of one thread */
#pragma omp task
	data[8]++;
#pragma omp parallel num_threads(1)
#pragma omp task
	data[8]++;
}

static void sums(void)
{
	long sum = 0, other = 0;

#pragma omp parallel for num_threads(1) reduction(+ : sum, other)
	for (int i = 0; i < COUNT; i++)
		other += sum += i;
	data[9] = (int)(sum + other);
}

#if ONLY_CLANG
/* Events that are fulfilled in the task, behind it, and by a sibling; of deferred tasks and of those that are not. */
static void detached(void)
{
	omp_event_handle_t inside, behind, deferred, *event = NULL;
	int ends = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
#pragma omp task detach(inside) if (0)
		omp_fulfill_event(inside);
#pragma omp task detach(behind) if (0) shared(event, ends)
		{
			event = &behind;
			ends++;
		}
		omp_fulfill_event(*event);
#pragma omp task detach(deferred) shared(ends)
#pragma omp atomic
		ends++;
#pragma omp task firstprivate(deferred)
		omp_fulfill_event(deferred);
#pragma omp taskwait
		if (ends != 2)
			abort();
	}
}
#endif

static void only_clang(void)
{
#if ONLY_CLANG
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < COUNT; i++)
			data[i]++;
#pragma omp for schedule(static, 3) nowait
		for (int i = 0; i < COUNT; i++)
			data[i] += 0;
#pragma omp barrier
#pragma omp master
		data[0]++;
#pragma omp flush
	}
	control += omp_control_tool(omp_control_tool_end, 5, NULL) == 17;
	detached();
#endif
}

static void cancelled(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < 2; i++) {
#pragma omp cancel for
		}
	}
#pragma omp parallel num_threads(2)
	{
#pragma omp cancel parallel
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	omp_set_max_active_levels(2);
	for (int i = 0; i < rounds; i++) {
		regions();
		loops();
		blocks();
		locks();
		tasks();
		sums();
		only_clang();
		if (omp_get_cancellation())
			cancelled();
	}
	printf("control %d\n", control);
	return 0;
}
