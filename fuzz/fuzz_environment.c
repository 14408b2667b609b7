/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a user's shell can hand the OpenMP runtime in a variable. The first byte of an input chooses the parser, the
 * rest is the value. No value crashes one; a value that is refused leaves the result as it was, one that is taken is
 * within the parser's limits.
 */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "openmp/environment/environment_parse.h"
#include "openmp/environment/icv.h"
#include "openmp/places/places.h"
#include "openmp/process/environment.h"

#define VARIABLE "OMP_FUZZED"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void try_numbers(void)
{
	const size_t before = 77;
	unsigned long number = before;
	uint64_t count = before;
	size_t size = before;
	bool flag = true;

	if (omp__env_number(VARIABLE, 3, 1000, &number))
		require(number >= 3 && number <= 1000);
	else
		require(number == before);
	if (!omp__env_size(VARIABLE, &size))
		require(size == before);
	if (!omp__env_count(VARIABLE, &count))
		require(count == before);
	if (!omp__env_bool(VARIABLE, &flag))
		require(flag);
}

static void try_words(void)
{
	static const char *const words[] = { "one", "two_three", "4", NULL };
	unsigned index = 77;

	if (omp__env_word(VARIABLE, words, &index))
		require(index < 3);
	else
		require(index == 77);
}

static void try_schedule(void)
{
	uint32_t schedule = 77;
	int chunk = 77;

	if (omp__env_schedule(VARIABLE, &schedule, &chunk)) {
		schedule &= ~(uint32_t)OMP__MONOTONIC;
		require(schedule >= OMP__STATIC && schedule <= OMP__AUTO && chunk >= 0);
		require(chunk > 0 || schedule == OMP__STATIC || schedule == OMP__AUTO);
	} else {
		require(schedule == 77 && chunk == 77);
	}
}

static void try_lists(void)
{
	unsigned *numbers = NULL;
	uint8_t *binds = NULL;
	unsigned count = 0;

	if (omp__env_numbers(VARIABLE, &numbers, &count)) {
		require(count > 0);
		for (unsigned i = 0; i < count; i++)
			require(numbers[i] > 0 && numbers[i] <= INT_MAX);
	}
	free(numbers);
	count = 0;
	if (omp__env_binds(VARIABLE, &binds, &count)) {
		require(count > 0);
		for (unsigned i = 0; i < count; i++)
			require(binds[i] <= OMP__BIND_SPREAD && (count == 1 || binds[i] > OMP__BIND_TRUE));
	}
	free(binds);
}

/* The list must name processors of this machine only, which the runtime looks up when it is loaded. */
static void try_places(const char *name, const char *value)
{
	setenv(name, value, 1);
	if (omp__places_read(false)) {
		require(omp__places.count > 0);
		for (unsigned i = 0; i < omp__places.count; i++)
			require(CPU_COUNT_S(omp__places.bytes, omp__places.sets[i]) > 0);
	}
	omp__places_clear(&omp__places);
	unsetenv(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *value;

	if (bytes == 0)
		return 0;
	omp__environment_read();
	value = malloc(bytes);
	require(value != NULL);
	memcpy(value, data + 1, bytes - 1);
	value[bytes - 1] = '\0';
	setenv(VARIABLE, value, 1);
	switch (data[0]) {
	case 'n':
		try_numbers();
		break;
	case 'w':
		try_words();
		break;
	case 's':
		try_schedule();
		break;
	case 'l':
		try_lists();
		break;
	case 'p':
		try_places("OMP_PLACES", value);
		break;
	case 'g':
		try_places("GOMP_CPU_AFFINITY", value);
		break;
	default:
		break;
	}
	free(value);
	return 0;
}
