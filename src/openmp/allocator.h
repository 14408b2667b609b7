/* SPDX-License-Identifier: BSD-3-Clause */
/* What an allocator made by omp_init_allocator is. */
#ifndef OMP_ALLOCATOR_H
#define OMP_ALLOCATOR_H

#include <omp.h>
#include <stddef.h>
#include <stdint.h>

struct omp__allocator {
	size_t alignment;
	size_t pool_bytes; /* SIZE_MAX: no limit */
	_Atomic size_t used_bytes;
	uintptr_t fallback_allocator;
	omp_alloctrait_value_t fallback;
};

#endif
