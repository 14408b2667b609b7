/* SPDX-License-Identifier: BSD-3-Clause */
/* Building and clearing a list of places. */
#include "openmp/places/places_list.h"

#include <stdlib.h>
#include <string.h>

bool omp__places_append(struct omp__places *places, const cpu_set_t *set)
{
	cpu_set_t **sets = realloc(places->sets, (places->count + 1) * sizeof(cpu_set_t *));

	if (!sets)
		return false;
	places->sets = sets;
	sets[places->count] = malloc(places->bytes);
	if (!sets[places->count])
		return false;
	memcpy(sets[places->count++], set, places->bytes);
	return true;
}

void omp__places_remove(struct omp__places *places, unsigned i)
{
	free(places->sets[i]);
	memmove(&places->sets[i], &places->sets[i + 1], (places->count - i - 1) * sizeof(cpu_set_t *));
	places->count--;
}

void omp__places_clear(struct omp__places *places)
{
	while (places->count)
		omp__places_remove(places, places->count - 1);
	free(places->sets);
	places->sets = NULL;
}
