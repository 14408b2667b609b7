/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that uses OpenMP, loaded and unloaded by host.c. */
int plugin_sum(int threads);

int plugin_sum(int threads)
{
	int sum = 0;

#pragma omp parallel num_threads(threads) reduction(+ : sum)
	{
#pragma omp for schedule(dynamic)
		for (int i = 1; i <= 100; i++)
			sum += i;
#pragma omp single
		for (int i = 0; i < 10; i++) {
#pragma omp task
			{
			}
		}
	}
	return sum;
}
