/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions after rests, as of a program that waits for input, or computes on one thread, between its parallel loops:
 * rests. Each thread of a region computes for a while that the program has measured on one thread. Prints one JSON
 * object: case -> seconds of one region, the median of some. A case is what each thread computes and how long the
 * program slept before, "400 us after 20 ms".
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REGIONS = 40, CALIBRATION = 4000000 };

static const unsigned rests_ms[] = { 5, 20, 100 }, works_us[] = { 10, 100, 400, 2000 };

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void compute(long steps)
{
	for (volatile long i = 0; i < steps; i++)
		;
}

/* The largest of some values: a slower one was disturbed. */
static double steps_per_us(void)
{
	double most = 0;

	for (int k = 0; k < 3; k++) {
		double began = now_s(), rate;

		compute(CALIBRATION);
		rate = CALIBRATION / ((now_s() - began) * 1e6);
		most = rate > most ? rate : most;
	}
	return most;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median_s(unsigned rest_ms, long steps)
{
	double seconds[REGIONS];

	for (int k = 0; k < REGIONS; k++) {
		double began;

		nanosleep(&(struct timespec){ .tv_nsec = rest_ms * 1000000L }, NULL);
		began = now_s();
#pragma omp parallel
		compute(steps);
		seconds[k] = now_s() - began;
	}
	qsort(seconds, REGIONS, sizeof(seconds[0]), compare);
	return seconds[REGIONS / 2];
}

int main(void)
{
	double rate = steps_per_us();
	const char *separator = "{";

	for (size_t r = 0; r < sizeof(rests_ms) / sizeof(rests_ms[0]); r++) {
		for (size_t w = 0; w < sizeof(works_us) / sizeof(works_us[0]); w++) {
			printf("%s\"%u us after %u ms\": %.9f", separator, works_us[w], rests_ms[r],
			       median_s(rests_ms[r], (long)(works_us[w] * rate)));
			separator = ", ";
		}
	}
	printf("}\n");
	return 0;
}
