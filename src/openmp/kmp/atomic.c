/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations as functions, which Intel's compilers call. A variable that the machine can compare and exchange is
 * updated in that way; any other (long double, complex) under one lock. A function that is named only after an operator
 * computes variable op value; with _rev it computes value op variable; with _cpt it also returns the variable's old
 * value, or the new one when `after` is set.
 */
#include "openmp/kmp/atomic.h"
#include "openmp/synchronization/lock.h"

#include <complex.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wfloat-equal"

static struct omp__line_lock large;

#define UPDATE_LOCKED(type, word, expression)                                                                          \
	type old, new;                                                                                                 \
                                                                                                                       \
	(void)where;                                                                                                   \
	(void)number;                                                                                                  \
	omp__lock(&large.lock);                                                                                        \
	old = *variable;                                                                                               \
	new = (type)(expression);                                                                                      \
	*variable = new;                                                                                               \
	omp__unlock(&large.lock);                                                                                      \
	(void)old;

/* Read, write, swap. */
#define DEFINE_PLAIN(update, name, type, word)                                                                         \
	OMP__EXPORT type __kmpc_atomic_##name##_rd(HEAD, type *variable)                                               \
	{                                                                                                              \
		update(type, word, old) return old;                                                                    \
	}                                                                                                              \
	DEFINE(update, name, wr, type, word, value)                                                                    \
	OMP__EXPORT type __kmpc_atomic_##name##_swp(HEAD, type *variable, type value)                                  \
	{                                                                                                              \
		update(type, word, value) return old;                                                                  \
	}

#define DEFINE_ARITHMETIC(update, name, type, word)                                                                    \
	DEFINE_PLAIN(update, name, type, word)                                                                         \
	DEFINE_BOTH(update, name, add, type, word, old + value)                                                        \
	DEFINE_BOTH(update, name, sub, type, word, old - value)                                                        \
	DEFINE_BOTH(update, name, mul, type, word, old *value)                                                         \
	DEFINE_BOTH(update, name, div, type, word, old / value)                                                        \
	DEFINE_REVERSED(update, name, sub, type, word, value - old)                                                    \
	DEFINE_REVERSED(update, name, div, type, word, value / old)

#define DEFINE_ORDER(update, name, type, word)                                                                         \
	DEFINE_BOTH(update, name, max, type, word, value > old ? value : old)                                          \
	DEFINE_BOTH(update, name, min, type, word, value < old ? value : old)

#define DEFINE_SHIFTS(name, operation, operator, type)                                                                 \
	DEFINE_BOTH(UPDATE_WORD, name, operation, type, type, old operator value)                                      \
	DEFINE_REVERSED(UPDATE_WORD, name, operation, type, type, value operator old)

#define DEFINE_INTEGER(bytes, type, unsigned_type)                                                                     \
	DEFINE_ARITHMETIC(UPDATE_WORD, fixed##bytes, type, type)                                                       \
	DEFINE_ORDER(UPDATE_WORD, fixed##bytes, type, type)                                                            \
	DEFINE_BOTH(UPDATE_WORD, fixed##bytes, andb, type, type, old &value)                                           \
	DEFINE_BOTH(UPDATE_WORD, fixed##bytes, orb, type, type, old | value)                                           \
	DEFINE_BOTH(UPDATE_WORD, fixed##bytes, xor, type, type, old ^ value)                                           \
	DEFINE_BOTH(UPDATE_WORD, fixed##bytes, andl, type, type, old &&value)                                          \
	DEFINE_BOTH(UPDATE_WORD, fixed##bytes, orl, type, type, old || value)                                          \
	DEFINE_BOTH(UPDATE_WORD, fixed##bytes, eqv, type, type, ~(old ^ value))                                        \
	DEFINE_BOTH(UPDATE_WORD, fixed##bytes, neqv, type, type, old ^ value)                                          \
	DEFINE_SHIFTS(fixed##bytes, shl, <<, type)                                                                     \
	DEFINE_SHIFTS(fixed##bytes, shr, >>, type)                                                                     \
	DEFINE_SHIFTS(fixed##bytes##u, shr, >>, unsigned_type)                                                         \
	DEFINE_BOTH(UPDATE_WORD, fixed##bytes##u, div, unsigned_type, unsigned_type, old / value)                      \
	DEFINE_REVERSED(UPDATE_WORD, fixed##bytes##u, div, unsigned_type, unsigned_type, value / old)

DEFINE_INTEGER(1, int8_t, uint8_t)
DEFINE_INTEGER(2, int16_t, uint16_t)
DEFINE_INTEGER(4, int32_t, uint32_t)
DEFINE_INTEGER(8, int64_t, uint64_t)
DEFINE_ARITHMETIC(UPDATE_WORD, float4, float, uint32_t)
DEFINE_ORDER(UPDATE_WORD, float4, float, uint32_t)
DEFINE_ARITHMETIC(UPDATE_WORD, float8, double, uint64_t)
DEFINE_ORDER(UPDATE_WORD, float8, double, uint64_t)
DEFINE_ARITHMETIC(UPDATE_LOCKED, float10, long double, void)
DEFINE_ORDER(UPDATE_LOCKED, float10, long double, void)
DEFINE_ARITHMETIC(UPDATE_LOCKED, cmplx8, double complex, void)
DEFINE_ARITHMETIC(UPDATE_LOCKED, cmplx10, long double complex, void)

/* ---- operations that the program brings: combine(result, left, right) -------------------------------------------- */

#define DEFINE_ANY(bytes)                                                                                              \
	OMP__EXPORT void __kmpc_atomic_##bytes(HEAD, void *variable, void *value,                                      \
					       void (*combine)(void *, void *, void *))                                \
	{                                                                                                              \
		char result[bytes] __attribute__((aligned(16)));                                                       \
                                                                                                                       \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		omp__lock(&large.lock);                                                                                \
		combine(result, variable, value);                                                                      \
		memcpy(variable, result, bytes);                                                                       \
		omp__unlock(&large.lock);                                                                              \
	}

DEFINE_ANY(1)
DEFINE_ANY(2)
DEFINE_ANY(4)
DEFINE_ANY(8)
DEFINE_ANY(10)
DEFINE_ANY(16)
DEFINE_ANY(20)
DEFINE_ANY(32)

OMP__EXPORT void __kmpc_atomic_start(void)
{
	omp__lock(&large.lock);
}

OMP__EXPORT void __kmpc_atomic_end(void)
{
	omp__unlock(&large.lock);
}
