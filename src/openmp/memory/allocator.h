/* SPDX-License-Identifier: BSD-3-Clause */
/* What an allocator made by omp_init_allocator is. */
#ifndef OMP_ALLOCATOR_H
#define OMP_ALLOCATOR_H

#include <omp.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/* GCC 15 and 16 add these to omp.h: ompx_gnu_pinned_mem_alloc, ompx_gnu_managed_mem_alloc, ompx_gnu_managed_mem_space.
 */
enum {
	OMP__PINNED_MEM_ALLOC = 200,
	/* Memory that all devices reach by one address: here, any. */
	OMP__MANAGED_MEM_ALLOC = 201,
	OMP__MANAGED_MEM_SPACE = 200,
};

struct omp__allocator {
	size_t alignment;
	size_t pool_bytes; /* SIZE_MAX: no limit */
	_Atomic size_t used_bytes;
	uintptr_t fallback_allocator;
	omp_alloctrait_value_t fallback;
	bool pinned;
};

/* Whether a handle is a number from omp.h; any other is the address of a struct omp__allocator. */
static inline bool omp__allocator_predefined(uintptr_t allocator)
{
	return allocator <= omp_thread_mem_alloc || allocator == OMP__PINNED_MEM_ALLOC ||
	       allocator == OMP__MANAGED_MEM_ALLOC;
}

#endif
