/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of the ring of work shares. worksharing/workshare.c says how a construct gets a slot of it. */
#include "openmp/state/workshares.h"

#include <stdlib.h>

static void free_contents(struct omp__workshare *share)
{
	free(share->ranges);
	free(share->memory);
	free(share->doacross);
}

static void free_lapping(struct omp__workshare *slot)
{
	while (slot->overflow) {
		struct omp__workshare *share = slot->overflow;

		slot->overflow = share->overflow;
		free_contents(share);
		free(share);
	}
}

void omp__workshares_trim(struct omp__workshares *shares)
{
	for (int i = 0; i < OMP__WORKSHARES; i++)
		free_lapping(&shares->ring[i]);
	atomic_store_explicit(&shares->lapped, false, memory_order_relaxed);
}

void omp__workshares_reset(struct omp__workshares *shares)
{
	for (int i = 0; i < OMP__WORKSHARES; i++) {
		struct omp__workshare *slot = &shares->ring[i];

		free_lapping(slot);
		slot->construct = 0;
		atomic_store_explicit(&slot->serves, 0, memory_order_relaxed);
		atomic_store_explicit(&slot->claim, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&shares->floor, 0, memory_order_relaxed);
}

void omp__workshares_free(struct omp__workshares *shares)
{
	for (int i = 0; i < OMP__WORKSHARES; i++) {
		free_lapping(&shares->ring[i]);
		free_contents(&shares->ring[i]);
	}
}
