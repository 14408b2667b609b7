/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens `regions` regions of `threads` threads, some nested, some with tasks, and says how large the first and the
 * smallest team was. Ends with 1 where a result is wrong.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int size_of_a_team(int threads)
{
	int size = 0, ran = 0;

#pragma omp parallel num_threads(threads) reduction(+ : ran)
	{
		ran = 1;
#pragma omp barrier
#pragma omp single
		size = omp_get_num_threads();
	}
	if (ran != size)
		exit(1);
	return size;
}

static void nested_with_tasks(int threads)
{
	int ran = 0, made = 0;

#pragma omp parallel num_threads(2) reduction(+ : made)
#pragma omp parallel num_threads(threads) reduction(+ : made)
	{
		made = 1;
#pragma omp task shared(ran)
#pragma omp atomic
		ran++;
	}
	if (ran != made || made == 0)
		exit(1);
}

int main(int argument_count, char **arguments)
{
	int regions = argument_count > 2 ? atoi(arguments[1]) : 0, threads = regions ? atoi(arguments[2]) : 0;
	int first = size_of_a_team(threads), least = first;

	omp_set_max_active_levels(2);
	for (int i = 1; i < regions; i++) {
		int size = size_of_a_team(threads);

		if (size < least)
			least = size;
		if (i % 10 == 0)
			nested_with_tasks(threads);
	}
	printf("%d %d\n", first, least);
	return 0;
}
