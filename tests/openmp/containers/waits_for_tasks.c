/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread waits for each task that it creates by means of its own, as one does that hands work to a pipeline. */
#include <stdio.h>
#include <unistd.h>

enum { TASKS = 20 };

int main(void)
{
	int ran = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(ran)
		__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
		while (__atomic_load_n(&ran, __ATOMIC_RELAXED) <= i)
			usleep(100);
	}
	printf("%d\n", ran);
	return ran != TASKS;
}
