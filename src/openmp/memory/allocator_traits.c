/* SPDX-License-Identifier: BSD-3-Clause */
/* Making an allocator from traits (OpenMP 5.2, table 6.2). A trait we cannot give makes no allocator. */
#include "openmp/abi/export.h"
#include "openmp/memory/allocator.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static bool is_one_of(omp_uintptr_t value, const omp_uintptr_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i] == value)
			return true;
	return value == (omp_uintptr_t)omp_atv_default;
}

#define IS_ONE_OF(value, ...)                                                                                          \
	is_one_of(value, (const omp_uintptr_t[]){ __VA_ARGS__ },                                                       \
		  sizeof((const omp_uintptr_t[]){ __VA_ARGS__ }) / sizeof(omp_uintptr_t))

/* Traits that describe how memory is used, or that all memory here has, need only be spelt right. */
static bool is_known(const omp_alloctrait_t *trait)
{
	switch (trait->key) {
	case omp_atk_sync_hint:
		return IS_ONE_OF(trait->value, omp_atv_contended, omp_atv_uncontended, omp_atv_serialized,
				 omp_atv_private);
	case omp_atk_access:
		return IS_ONE_OF(trait->value, omp_atv_all, omp_atv_cgroup, omp_atv_pteam, omp_atv_thread);
	case omp_atk_partition:
		return IS_ONE_OF(trait->value, omp_atv_environment, omp_atv_nearest, omp_atv_blocked,
				 omp_atv_interleaved);
	default:
		return false;
	}
}

static bool set_trait(struct omp__allocator *allocator, const omp_alloctrait_t *trait)
{
	bool is_default = trait->value == (omp_uintptr_t)omp_atv_default;

	switch (trait->key) {
	case omp_atk_alignment:
		allocator->alignment = is_default ? 1 : trait->value;
		return allocator->alignment && !(allocator->alignment & (allocator->alignment - 1));
	case omp_atk_pool_size:
		allocator->pool_bytes = is_default ? SIZE_MAX : trait->value;
		return true;
	case omp_atk_fb_data:
		allocator->fallback_allocator = trait->value;
		return true;
	case omp_atk_fallback:
		allocator->fallback = is_default ? omp_atv_default_mem_fb : (omp_alloctrait_value_t)trait->value;
		return IS_ONE_OF(trait->value, omp_atv_default_mem_fb, omp_atv_null_fb, omp_atv_abort_fb,
				 omp_atv_allocator_fb);
	case omp_atk_pinned:
		allocator->pinned = trait->value == omp_atv_true;
		return IS_ONE_OF(trait->value, omp_atv_false, omp_atv_true);
	default:
		return is_known(trait);
	}
}

OMP__EXPORT omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
						      const omp_alloctrait_t traits[])
{
	struct omp__allocator *allocator;

	if (space > omp_low_lat_mem_space && space != (omp_memspace_handle_t)OMP__MANAGED_MEM_SPACE)
		return omp_null_allocator;
	allocator = calloc(1, sizeof(*allocator));
	if (!allocator)
		return omp_null_allocator;
	allocator->alignment = 1;
	allocator->pool_bytes = SIZE_MAX;
	allocator->fallback = omp_atv_default_mem_fb;
	for (int i = 0; i < count; i++) {
		if (!set_trait(allocator, &traits[i])) {
			free(allocator);
			return omp_null_allocator;
		}
	}
	return (omp_allocator_handle_t)(uintptr_t)allocator;
}

OMP__EXPORT void omp_destroy_allocator(omp_allocator_handle_t allocator)
{
	if (!omp__allocator_predefined(allocator))
		free((void *)(uintptr_t)allocator);
}
