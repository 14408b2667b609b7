/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations whose operand has a wider type than the variable, operations on float complex, and
 * compare-and-swap. A float complex need only be aligned to four bytes, so it may lie across two words of eight: then
 * it is updated under the lock of atomic.c. A variable does not move, so all its updates use the same way.
 */
#include "openmp/kmp/atomic.h"

#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void __kmpc_atomic_start(void);
void __kmpc_atomic_end(void);

/* ---- operands of type double ------------------------------------------------------------------------------------- */

#define DEFINE_DOUBLE(name, operation, type, word, expression)                                                         \
	OMP__EXPORT void __kmpc_atomic_##name##_##operation##_float8(HEAD, type *variable, double value)               \
	{                                                                                                              \
		UPDATE_WORD(type, word, expression)                                                                    \
	}

#define DEFINE_PRODUCTS(name, type, word)                                                                              \
	DEFINE_DOUBLE(name, mul, type, word, old *value)                                                               \
	DEFINE_DOUBLE(name, div, type, word, old / value)

DEFINE_PRODUCTS(fixed1, int8_t, int8_t)
DEFINE_PRODUCTS(fixed2, int16_t, int16_t)
DEFINE_PRODUCTS(fixed4, int32_t, int32_t)
DEFINE_PRODUCTS(fixed8, int64_t, int64_t)
DEFINE_PRODUCTS(float4, float, uint32_t)
DEFINE_DOUBLE(float4, add, float, uint32_t, old + value)
DEFINE_DOUBLE(float4, sub, float, uint32_t, old - value)

/* ---- float complex: results go to `result`; only a read returns its value ---------------------------------------- */

#define UPDATE_UNALIGNED(expression)                                                                                   \
	__kmpc_atomic_start();                                                                                         \
	old = *variable;                                                                                               \
	new = (float complex)(expression);                                                                             \
	*variable = new;                                                                                               \
	__kmpc_atomic_end();

/* `then` is a statement that may use `old` and `new`, the values before and after the update. */
#define UPDATE_COMPLEX(expression, then)                                                                               \
	if ((uintptr_t)variable % sizeof(*variable)) {                                                                 \
		float complex old, new;                                                                                \
                                                                                                                       \
		UPDATE_UNALIGNED(expression)                                                                           \
		(void)new;                                                                                             \
		then;                                                                                                  \
	} else {                                                                                                       \
		UPDATE_WORD(float complex, uint64_t, expression)                                                       \
		then;                                                                                                  \
	}

#define DEFINE_COMPLEX(operation, operand, expression)                                                                 \
	OMP__EXPORT void __kmpc_atomic_cmplx4_##operation(HEAD, float complex *variable, operand value)                \
	{                                                                                                              \
		UPDATE_COMPLEX(expression, (void)old)                                                                  \
	}

#define DEFINE_COMPLEX_CAPTURED(operation, expression)                                                                 \
	OMP__EXPORT void __kmpc_atomic_cmplx4_##operation(HEAD, float complex *variable, float complex value,          \
							  float complex *result, int after)                            \
	{                                                                                                              \
		UPDATE_COMPLEX(expression, *result = after ? new : old)                                                \
	}

#define DEFINE_COMPLEX_ALL(operation, expression)                                                                      \
	DEFINE_COMPLEX(operation, float complex, expression)                                                           \
	DEFINE_COMPLEX(operation##_cmplx8, double complex, expression)                                                 \
	DEFINE_COMPLEX_CAPTURED(operation##_cpt, expression)

DEFINE_COMPLEX_ALL(add, old + value)
DEFINE_COMPLEX_ALL(sub, old - value)
DEFINE_COMPLEX_ALL(mul, old *value)
DEFINE_COMPLEX_ALL(div, old / value)
DEFINE_COMPLEX(sub_rev, float complex, value - old)
DEFINE_COMPLEX(div_rev, float complex, value / old)
DEFINE_COMPLEX_CAPTURED(sub_cpt_rev, value - old)
DEFINE_COMPLEX_CAPTURED(div_cpt_rev, value / old)
DEFINE_COMPLEX(wr, float complex, value)

OMP__EXPORT float complex __kmpc_atomic_cmplx4_rd(HEAD, float complex *variable){ UPDATE_COMPLEX(old, return old) }

OMP__EXPORT void __kmpc_atomic_cmplx4_swp(HEAD, float complex *variable, float complex value,
					  float complex *result){ UPDATE_COMPLEX(value, *result = old) }

/* ---- compare and swap -------------------------------------------------------------------------------------------- */

/*
 * _bool_ returns whether it has swapped; if it has not, its _cpt variant stores the value that it found in `result`.
 * _val_ returns the value before; its _cpt variant stores the value after in `result`.
 */
#define DEFINE_SWAP(bytes, type)                                                                                       \
	OMP__EXPORT bool __kmpc_atomic_bool_##bytes##_cas(HEAD, type *variable, type expected, type desired)           \
	{                                                                                                              \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		return __atomic_compare_exchange_n(variable, &expected, desired, 0, __ATOMIC_SEQ_CST,                  \
						   __ATOMIC_SEQ_CST);                                                  \
	}                                                                                                              \
	OMP__EXPORT bool __kmpc_atomic_bool_##bytes##_cas_cpt(HEAD, type *variable, type expected, type desired,       \
							      type *result)                                            \
	{                                                                                                              \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		if (__atomic_compare_exchange_n(variable, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))  \
			return true;                                                                                   \
		*result = expected;                                                                                    \
		return false;                                                                                          \
	}                                                                                                              \
	OMP__EXPORT type __kmpc_atomic_val_##bytes##_cas(HEAD, type *variable, type expected, type desired)            \
	{                                                                                                              \
		(void)where;                                                                                           \
		(void)number;                                                                                          \
		__atomic_compare_exchange_n(variable, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
		return expected;                                                                                       \
	}                                                                                                              \
	OMP__EXPORT type __kmpc_atomic_val_##bytes##_cas_cpt(HEAD, type *variable, type expected, type desired,        \
							     type *result)                                             \
	{                                                                                                              \
		type old = __kmpc_atomic_val_##bytes##_cas(where, number, variable, expected, desired);                \
                                                                                                                       \
		*result = old == expected ? desired : old;                                                             \
		return old;                                                                                            \
	}

DEFINE_SWAP(1, int8_t) DEFINE_SWAP(2, int16_t) DEFINE_SWAP(4, int32_t) DEFINE_SWAP(8, int64_t)
