/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels for Ferry.OpenMPSpec. */
#include <math.h>
#include <time.h>

/* Every kernel checks that its range is one, so that a wrong range shows as a wrong value. */
void openmp_add_index(long first, long past, long *data);
void openmp_add_index(long first, long past, long *data)
{
	for (long i = first; i < past; i++)
		__atomic_fetch_add(&data[i], i + 1, __ATOMIC_RELAXED);
}

void openmp_square(long first, long past, const double *from, double *to);
void openmp_square(long first, long past, const double *from, double *to)
{
	for (long i = first; i < past; i++)
		to[i] = from[i] * from[i];
}

void openmp_sinsum(long first, long past, const double *from, double *sum);
void openmp_sinsum(long first, long past, const double *from, double *sum)
{
	double total = 0;

	for (long i = first; i < past; i++)
		total += sin(from[i]);
	*sum = total;
}

/* Take a millisecond for each index, and count. */
void openmp_slow(long first, long past, long *count);
void openmp_slow(long first, long past, long *count)
{
	struct timespec millisecond = { 0, 1000000 };

	for (long i = first; i < past; i++) {
		nanosleep(&millisecond, NULL);
		__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
	}
}

void openmp_count(long *count);
void openmp_count(long *count)
{
	__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

int omp_get_num_threads(void);

/* Note the team's size. */
void openmp_threads(long first, long past, long *size);
void openmp_threads(long first, long past, long *size)
{
	(void)first;
	(void)past;
	__atomic_store_n(size, omp_get_num_threads(), __ATOMIC_RELAXED);
}
