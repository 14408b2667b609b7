/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread waits for each task that it creates by means of its own, as one does that hands work to a pipeline. So do
 * the others that have a processor, until that thread is done. Only threads at the region's end can run the tasks.
 */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

enum { TASKS = 20 };

/* Sleeps outside of OpenMP until *word is more than `seen`. */
static void wait_elsewhere(const int *word, int seen)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) <= seen)
		usleep(100);
}

static void create(int *ran)
{
	/* by now the other threads sleep where they wait */
	usleep(50000);
	for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(ran)
		__atomic_fetch_add(ran, 1, __ATOMIC_ACQ_REL);
		wait_elsewhere(ran, i);
	}
}

int main(void)
{
	int ran = 0, is_over = 0, processors = omp_get_num_procs();

#pragma omp parallel
	{
		int number = omp_get_thread_num();

		if (number == 0) {
			create(&ran);
			__atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
		} else if (number < processors && number < omp_get_num_threads() - 1) {
			wait_elsewhere(&is_over, 0);
		}
	}
	printf("%d\n", ran);
	return ran != TASKS;
}
