/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks as LLVM's omp.h declares them, of eight bytes each. A simple lock has this runtime's lock in its first half; a
 * nestable one holds the address of this runtime's nestable lock. The functions of omp.h for these types have the
 * version VERSION. Only shared libraries have versions, so the static library leaves this file out.
 */
#include "openmp/abi/symver.h"
#include "openmp/kmp/abi.h"
#include "openmp/synchronization/nest_lock.h"
#include "openmp/system/no_memory.h"

#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define LLVM_VERSION(own, name) OMP__SYMVER(own, #name "@VERSION") OMP__EXPORT

#define HERE __builtin_return_address(0)

void kmp__event_fulfill(void *event);

LLVM_VERSION(kmp__omp_fulfill_event, omp_fulfill_event) void kmp__omp_fulfill_event(void *event)
{
	kmp__event_fulfill(event);
}

/* A tool knows the lock by the address of the program's variable. */
static void init_nest(omp_nest_lock_t **lock, unsigned hint, const void *code)
{
	*lock = malloc(sizeof(**lock));
	if (!*lock)
		omp__no_memory("a lock");
	omp__nest_lock_init(*lock, hint, lock, code);
}

static void destroy_nest(omp_nest_lock_t **lock, const void *code)
{
	omp__nest_lock_destroy(lock, code);
	free(*lock);
	*lock = NULL;
}

LLVM_VERSION(kmp__init_nest_lock, omp_init_nest_lock) void kmp__init_nest_lock(omp_nest_lock_t **lock)
{
	init_nest(lock, 0, HERE);
}

LLVM_VERSION(kmp__init_nest_lock_with_hint, omp_init_nest_lock_with_hint)
void kmp__init_nest_lock_with_hint(omp_nest_lock_t **lock, uintptr_t hint)
{
	init_nest(lock, (unsigned)hint, HERE);
}

LLVM_VERSION(kmp__destroy_nest_lock, omp_destroy_nest_lock) void kmp__destroy_nest_lock(omp_nest_lock_t **lock)
{
	destroy_nest(lock, HERE);
}

LLVM_VERSION(kmp__set_nest_lock, omp_set_nest_lock) void kmp__set_nest_lock(omp_nest_lock_t **lock)
{
	omp__nest_lock_set(*lock, lock, HERE);
}

LLVM_VERSION(kmp__unset_nest_lock, omp_unset_nest_lock) void kmp__unset_nest_lock(omp_nest_lock_t **lock)
{
	omp__nest_lock_unset(*lock, lock, HERE);
}

LLVM_VERSION(kmp__test_nest_lock, omp_test_nest_lock) int kmp__test_nest_lock(omp_nest_lock_t **lock)
{
	return omp__nest_lock_test(*lock, lock, HERE);
}

/* ---- the same locks for code that calls __kmpc_*: `lock` is the address of the program's variable ---------------- */

#define DEFINE_LOCK(result, name, ...)                                                                                 \
	OMP__EXPORT result __kmpc_##name##_lock(const struct kmp_ident *where, int32_t number, void *lock)             \
	{                                                                                                              \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		__VA_ARGS__ omp_##name##_lock(lock);                                                                   \
	}                                                                                                              \
	OMP__EXPORT result __kmpc_##name##_nest_lock(const struct kmp_ident *where, int32_t number, void *lock)        \
	{                                                                                                              \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		__VA_ARGS__ kmp__##name##_nest_lock(lock);                                                             \
	}

DEFINE_LOCK(void, init)
DEFINE_LOCK(void, destroy)
DEFINE_LOCK(void, set)
DEFINE_LOCK(void, unset)
DEFINE_LOCK(int32_t, test, return )

OMP__EXPORT void __kmpc_init_lock_with_hint(const struct kmp_ident *where, int32_t number, void *lock, uintptr_t hint)
{
	(void)hint;
	__kmpc_init_lock(where, number, lock);
}

OMP__EXPORT void __kmpc_init_nest_lock_with_hint(const struct kmp_ident *where, int32_t number, void *lock,
						 uintptr_t hint)
{
	(void)hint;
	__kmpc_init_nest_lock(where, number, lock);
}
