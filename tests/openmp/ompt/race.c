/* SPDX-License-Identifier: BSD-3-Clause */
/* For ThreadSanitizer with Archer: a program without a race, or with one of those that the argument names. */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 200 };
static int data[COUNT];

static int right(void)
{
	int sum = 0, first = 0, second = 0, locked = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
	{
#pragma omp for
		for (int i = 0; i < COUNT; i++)
			data[i] = i;
#pragma omp for schedule(dynamic)
		for (int i = 0; i < COUNT; i++)
			data[i]++;
#pragma omp critical
		sum += data[omp_get_thread_num()];
		omp_set_lock(&lock);
		locked++;
		omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp single
		sum++;
#pragma omp single
		{
#pragma omp task depend(out : first) shared(first)
			first = 1;
#pragma omp task depend(in : first) depend(out : second) shared(first, second)
			second = first + 1;
#pragma omp task depend(in : second) shared(second, sum)
			sum += second;
#pragma omp taskwait
			for (int i = 0; i < COUNT; i++)
#pragma omp task firstprivate(i)
				data[i]++;
#pragma omp taskgroup
			{
#pragma omp task shared(sum)
				sum++;
			}
			sum++;
		}
	}
#pragma omp parallel for reduction(+ : sum) num_threads(4)
	for (int i = 0; i < COUNT; i++)
		sum += data[i];
	return sum + locked;
}

/*
 * Tasks that one thread creates and another one runs, with nothing that orders the end of one and the creation of the
 * next: the runtime may give the next one the same memory.
 */
static int other_tasks(void)
{
	int ran = 0, sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) shared(ran, sum)
		{
			sum += i;
			__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
		}
		while (__atomic_load_n(&ran, __ATOMIC_RELAXED) <= i)
			usleep(100);
	}
	return sum;
}

/* Sleeping orders nothing, and without it ThreadSanitizer may miss two accesses of the same few nanoseconds. */
static int racing_threads(void)
{
	int sum = 0;

#pragma omp parallel num_threads(4)
	{
		usleep(1000 * omp_get_thread_num());
		sum += omp_get_thread_num();
	}
	return sum;
}

/* Two tasks that run at the same time, because each waits for the other; relaxed operations order nothing. */
static int racing_tasks(void)
{
	int sum = 0, met = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 2; i++)
#pragma omp task firstprivate(i) shared(sum, met)
	{
		__atomic_fetch_add(&met, 1, __ATOMIC_RELAXED);
		while (__atomic_load_n(&met, __ATOMIC_RELAXED) < 2)
			usleep(100);
		usleep(1000 * i);
		sum++;
	}
	return sum;
}

int main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "right";

	if (strcmp(which, "threads") == 0)
		printf("%d\n", racing_threads());
	else if (strcmp(which, "tasks") == 0)
		printf("%d\n", racing_tasks());
	else
		for (int i = 0; i < 3; i++)
			printf("%d\n", right() + other_tasks());
	return 0;
}
