/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How an atomic operation of the KMP ABI is defined: `variable` becomes `expression`, which is computed from `old`, the
 * value that the variable had, and `value`, the operand. `update` is UPDATE_WORD or, for variables that the machine
 * cannot compare and exchange, a macro of the file that defines the operation.
 */
#ifndef OMP_KMP_ATOMIC_H
#define OMP_KMP_ATOMIC_H

#include "openmp/kmp/abi.h"

#include <string.h>

#define HEAD const struct kmp_ident *where, int32_t number

/*
 * `word` is the integer type as wide as `type`. seq_cst: the ABI names no memory order, and x86-64 has no cheaper
 * exchange.
 */
#define UPDATE_WORD(type, word, expression)                                                                            \
	type old, new;                                                                                                 \
	word seen = __atomic_load_n((word *)(void *)variable, __ATOMIC_RELAXED), wanted;                               \
                                                                                                                       \
	(void)where;                                                                                                   \
	(void)number;                                                                                                  \
	do {                                                                                                           \
		memcpy(&old, &seen, sizeof(old));                                                                      \
		new = (type)(expression);                                                                              \
		memcpy(&wanted, &new, sizeof(new));                                                                    \
	} while (!__atomic_compare_exchange_n((word *)(void *)variable, &seen, wanted, 0, __ATOMIC_SEQ_CST,            \
					      __ATOMIC_RELAXED));                                                      \
	(void)old;

#define DEFINE(update, name, operation, type, word, expression)                                                        \
	OMP__EXPORT void __kmpc_atomic_##name##_##operation(HEAD, type *variable, type value)                          \
	{                                                                                                              \
		update(type, word, expression)                                                                         \
	}

#define DEFINE_CAPTURED(update, name, operation, type, word, expression)                                               \
	OMP__EXPORT type __kmpc_atomic_##name##_##operation(HEAD, type *variable, type value, int after)               \
	{                                                                                                              \
		update(type, word, expression) return after ? new : old;                                               \
	}

#define DEFINE_BOTH(update, name, operation, type, word, expression)                                                   \
	DEFINE(update, name, operation, type, word, expression)                                                        \
	DEFINE_CAPTURED(update, name, operation##_cpt, type, word, expression)

#define DEFINE_REVERSED(update, name, operation, type, word, expression)                                               \
	DEFINE(update, name, operation##_rev, type, word, expression)                                                  \
	DEFINE_CAPTURED(update, name, operation##_cpt_rev, type, word, expression)

#endif
