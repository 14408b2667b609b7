/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of api.c under two further kinds of names: those by which Fortran calls them, with arguments by
 * reference, and kmpc_*, with arguments by value.
 */
#include "openmp/kmp/abi.h"
#include "openmp/process/control_tool.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/*
 * Define the Fortran name of a function with no argument, with one and with two; `a` and `b` are the arguments' types
 * in C.
 */
#define DEFINE_0(result, name)                                                                                         \
	result name(void);                                                                                             \
	OMP__EXPORT result name##_(void)                                                                               \
	{                                                                                                              \
		return name();                                                                                         \
	}

#define DEFINE_1(result, name, a)                                                                                      \
	result name(a);                                                                                                \
	OMP__EXPORT result name##_(const a *first)                                                                     \
	{                                                                                                              \
		return name(*first);                                                                                   \
	}

#define DEFINE_2(result, name, a, b)                                                                                   \
	result name(a, b);                                                                                             \
	OMP__EXPORT result name##_(const a *first, const b *second)                                                    \
	{                                                                                                              \
		return name(*first, *second);                                                                          \
	}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

DEFINE_0(int, kmp_get_blocktime)
DEFINE_0(int, kmp_get_library)
DEFINE_0(int, kmp_get_stacksize)
DEFINE_0(size_t, kmp_get_stacksize_s)
DEFINE_0(void, kmp_set_library_serial)
DEFINE_0(void, kmp_set_library_throughput)
DEFINE_0(void, kmp_set_library_turnaround)
DEFINE_0(void, kmp_set_warnings_off)
DEFINE_0(void, kmp_set_warnings_on)
DEFINE_1(void, kmp_set_blocktime, int)
DEFINE_1(void, kmp_set_disp_num_buffers, int)
DEFINE_1(void, kmp_set_library, int)
DEFINE_1(void, kmp_set_stacksize, int)
DEFINE_1(void, kmp_set_stacksize_s, size_t)

/* In LLVM's runtime the Fortran name of this function, too, takes its argument by value. */
int kmp_get_cancellation_status(int construct);
OMP__EXPORT int kmp_get_cancellation_status_(int construct)
{
	return kmp_get_cancellation_status(construct);
}

/* Fortran's text has no zero at its end, which does not matter: kmp_set_defaults ignores it (api.c). */
OMP__EXPORT void kmp_set_defaults_(const char *list, int length)
{
	(void)list;
	(void)length;
}

/* ---- memory: in Fortran an address is an integer ----------------------------------------------------------------- */

typedef void *address;

DEFINE_1(address, kmp_malloc, size_t)
DEFINE_1(void, kmp_free, address)
DEFINE_2(address, kmp_aligned_malloc, size_t, size_t)
DEFINE_2(address, kmp_calloc, size_t, size_t)
DEFINE_2(address, kmp_realloc, address, size_t)

/* ---- sets of processors: in C, too, the mask is passed by reference ---------------------------------------------- */

#define DEFINE_MASK(result, name)                                                                                      \
	result name(address *mask);                                                                                    \
	OMP__EXPORT result name##_(address *mask)                                                                      \
	{                                                                                                              \
		return name(mask);                                                                                     \
	}

#define DEFINE_PROCESSOR(name)                                                                                         \
	int kmp_##name(int processor, address *mask);                                                                  \
	OMP__EXPORT int kmp_##name##_(const int *processor, address *mask)                                             \
	{                                                                                                              \
		return kmp_##name(*processor, mask);                                                                   \
	}                                                                                                              \
	OMP__EXPORT int kmpc_##name(int processor, address *mask)                                                      \
	{                                                                                                              \
		return kmp_##name(processor, mask);                                                                    \
	}

DEFINE_0(int, kmp_get_affinity_max_proc)
DEFINE_MASK(void, kmp_create_affinity_mask)
DEFINE_MASK(void, kmp_destroy_affinity_mask)
DEFINE_MASK(int, kmp_get_affinity)
DEFINE_MASK(int, kmp_set_affinity)
DEFINE_PROCESSOR(get_affinity_mask_proc)
DEFINE_PROCESSOR(set_affinity_mask_proc)
DEFINE_PROCESSOR(unset_affinity_mask_proc)

/* ---- kmpc_* ------------------------------------------------------------------------------------------------------ */

OMP__EXPORT void kmpc_set_blocktime(int milliseconds)
{
	kmp_set_blocktime(milliseconds);
}

OMP__EXPORT void kmpc_set_library(int which)
{
	kmp_set_library(which);
}

OMP__EXPORT void kmpc_set_stacksize(int bytes)
{
	kmp_set_stacksize(bytes);
}

OMP__EXPORT void kmpc_set_stacksize_s(size_t bytes)
{
	kmp_set_stacksize_s(bytes);
}

OMP__EXPORT void kmpc_set_disp_num_buffers(int buffers)
{
	kmp_set_disp_num_buffers(buffers);
}

OMP__EXPORT void kmpc_set_defaults(const char *list)
{
	kmp_set_defaults_(list, 0);
}

OMP__EXPORT void *kmpc_aligned_malloc(size_t bytes, size_t alignment)
{
	return kmp_aligned_malloc(bytes, alignment);
}

void omp_set_nested(int nested);
OMP__EXPORT void ompc_set_nested(int nested)
{
	omp_set_nested(nested);
}

/* ---- functions of omp.h without a Fortran name in libgomp; LLVM's take objects and numbers by value -------------- */

#define DEFINE_LOCK_WITH_HINT(kind)                                                                                    \
	void omp_init_##kind##_(address *lock);                                                                        \
	OMP__EXPORT void omp_init_##kind##_with_hint_(address *lock, const uintptr_t *hint)                            \
	{                                                                                                              \
		(void)hint;                                                                                            \
		omp_init_##kind##_(lock);                                                                              \
	}

#define DEFINE_PROPERTY(result, name)                                                                                  \
	result name(uintptr_t object, int property, int *code);                                                        \
	OMP__EXPORT result name##_(uintptr_t object, int property, int *code)                                          \
	{                                                                                                              \
		return name(object, property, code);                                                                   \
	}

DEFINE_LOCK_WITH_HINT(lock)
DEFINE_LOCK_WITH_HINT(nest_lock)
DEFINE_PROPERTY(intptr_t, omp_get_interop_int)
DEFINE_PROPERTY(address, omp_get_interop_ptr)

int omp_get_num_interop_properties(uintptr_t object);
OMP__EXPORT int omp_get_num_interop_properties_(uintptr_t object)
{
	return omp_get_num_interop_properties(object);
}

/* By value, as LLVM's omp_lib declares it. */
OMP__EXPORT int omp_control_tool_(int command, int modifier, void *argument)
{
	return omp__control_tool(command, modifier, argument, OMP__TOOL_CALL());
}
