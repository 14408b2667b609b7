/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocators, as the compiler calls them: the functions of omp.h with the caller's global number in front. */
#include "openmp/kmp/abi.h"

#include "openmp/abi/omp_api.h"
#include "openmp/environment/icv.h"
#include "openmp/process/environment.h"
#include "openmp/tool/event.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

OMP__EXPORT void *__kmpc_alloc(int32_t number, size_t bytes, omp_allocator_handle_t allocator)
{
	(void)number;
	return omp_alloc(bytes, allocator);
}

OMP__EXPORT void *__kmpc_aligned_alloc(int32_t number, size_t alignment, size_t bytes, omp_allocator_handle_t allocator)
{
	(void)number;
	return omp_aligned_alloc(alignment, bytes, allocator);
}

OMP__EXPORT void *__kmpc_calloc(int32_t number, size_t count, size_t bytes, omp_allocator_handle_t allocator)
{
	(void)number;
	return omp_calloc(count, bytes, allocator);
}

OMP__EXPORT void *__kmpc_realloc(int32_t number, void *memory, size_t bytes, omp_allocator_handle_t to,
				 omp_allocator_handle_t from)
{
	(void)number;
	return omp_realloc(memory, bytes, to, from);
}

OMP__EXPORT void __kmpc_free(int32_t number, void *memory, omp_allocator_handle_t allocator)
{
	(void)number;
	omp_free(memory, allocator);
}

OMP__EXPORT omp_allocator_handle_t __kmpc_init_allocator(int32_t number, omp_memspace_handle_t space, int count,
							 const omp_alloctrait_t *traits)
{
	(void)number;
	return omp_init_allocator(space, count, traits);
}

OMP__EXPORT void __kmpc_destroy_allocator(int32_t number, omp_allocator_handle_t allocator)
{
	(void)number;
	omp_destroy_allocator(allocator);
}

OMP__EXPORT void __kmpc_set_default_allocator(int32_t number, omp_allocator_handle_t allocator)
{
	(void)number;
	omp_set_default_allocator(allocator);
}

OMP__EXPORT omp_allocator_handle_t __kmpc_get_default_allocator(int32_t number)
{
	(void)number;
	return omp_get_default_allocator();
}

/* ---- other calls that the compiler emits ------------------------------------------------------------------------- */

/* The `error` directive at run time: severity 1 prints a warning, 2 ends the program. */
OMP__EXPORT void __kmpc_error(const struct kmp_ident *where, int severity, const char *message)
{
	bool fatal = severity != 1;
	const char *text = message ? message : "";

	if (omp__tool_is_on())
		omp__tool_error(fatal ? ompt_fatal : ompt_warning, text, strlen(text), __builtin_return_address(0));
	fprintf(stderr, "libferryomp: %s: %s (%s)\n", fatal ? "error" : "warning", text,
		where && where->source ? where->source : "unknown place");
	if (fatal)
		exit(EXIT_FAILURE);
}

OMP__EXPORT int __kmpc_pause_resource(omp_pause_resource_t kind)
{
	return omp_pause_resource_all(kind);
}

/* OMP_TARGET_OFFLOAD as LLVM's numbers: 0 disabled, 1 default, 2 mandatory. */
OMP__EXPORT int __kmpc_get_target_offload(void)
{
	omp__environment_read();
	switch (omp__globals.target_offload) {
	case OMP__OFFLOAD_DISABLED:
		return 0;
	case OMP__OFFLOAD_MANDATORY:
		return 2;
	default:
		return 1;
	}
}
