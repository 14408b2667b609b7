/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of places: sets of processors that threads can be bound to. */
#ifndef OMP_PLACES_LIST_H
#define OMP_PLACES_LIST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

struct omp__places {
	unsigned count;
	size_t bytes; /* of each set */
	/* how many a name such as cores(4) asks for; 0: as many as there are, or no name was given */
	unsigned long wanted;
	cpu_set_t **sets;
};

bool omp__places_append(struct omp__places *places, const cpu_set_t *set);
void omp__places_clear(struct omp__places *places);
void omp__places_remove(struct omp__places *places, unsigned i);

#endif
