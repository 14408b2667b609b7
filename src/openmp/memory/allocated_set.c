/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of Fortran's allocatable variables lie in memory of GOMP_alloc. Such a variable may be freed or given new
 * memory in a procedure that knows nothing of its allocator, so GCC 14 and later enter it here and ask before they free
 * it.
 *
 * Rare calls, each beside an allocation: one lock and the C library's balanced tree (Knuth, volume 3, 6.2.3).
 */
#include "openmp/memory/allocated_set.h"
#include "openmp/abi/gomp.h"
#include "openmp/synchronization/lock.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>

static struct omp__own_lock lock;
static void *root;

static int compare(const void *left, const void *right)
{
	uintptr_t a = (uintptr_t)left, b = (uintptr_t)right;

	return (a > b) - (a < b);
}

OMP__EXPORT void GOMP_add_alloc(void *memory)
{
	const void *entry;

	if (!memory)
		return;
	omp__own_lock(&lock);
	entry = tsearch(memory, &root, compare);
	omp__own_unlock(&lock);
	if (!entry) {
		fputs("ferryomp: no memory to note an allocatable variable\n", stderr);
		exit(EXIT_FAILURE);
	}
}

/* The caller frees or moves the memory next, so a variable that is asked for is taken out. */
OMP__EXPORT bool GOMP_is_alloc(void *memory)
{
	bool found;

	omp__own_lock(&lock);
	found = memory && tdelete(memory, &root, compare);
	omp__own_unlock(&lock);
	return found;
}

void omp__allocated_set_lock(void)
{
	omp__own_lock(&lock);
}

void omp__allocated_set_unlock(void)
{
	omp__own_unlock(&lock);
}
