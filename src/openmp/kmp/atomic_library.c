/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Three functions of libatomic that Intel's runtime defines too. MKL needs them and is linked with no libatomic, so it
 * gets them from its OpenMP runtime. An object that the machine can read and write in one instruction is accessed in
 * that way, so that these functions agree with inlined operations; any other object is accessed under a lock that its
 * address selects.
 *
 * The functions have a version that is not the default one, so that a program that is linked with this library and with
 * libatomic gets libatomic's functions: mixing both would mix two sets of locks. Code that asks for no version still
 * finds these, since VERSION is the first version of the file (abi/libgomp.map). The static library leaves this file
 * out.
 */
#include "openmp/abi/symver.h"
#include "openmp/kmp/abi.h"
#include "openmp/synchronization/lock.h"

#include <stdbool.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define LIBRARY(own, name) OMP__SYMVER(own, #name "@VERSION") OMP__EXPORT

enum { LOCKS = 64 };
static struct omp__line_lock locks[LOCKS];

static _Atomic uint32_t *lock_of(const void *object)
{
	return &locks[(uintptr_t)object / 16 % LOCKS].lock;
}

static bool is_word(size_t bytes, const void *object)
{
	return bytes <= 8 && bytes && (bytes & (bytes - 1)) == 0 && (uintptr_t)object % bytes == 0;
}

/*
 * Do `operation` with the integer type of that many bytes, and return from the function. The operation uses seq_cst,
 * which is at least as strong as the order that the caller asked for.
 */
#define WITH_WORD(bytes, operation)                                                                                    \
	switch (bytes) {                                                                                               \
	case 1:                                                                                                        \
		operation(uint8_t);                                                                                    \
	case 2:                                                                                                        \
		operation(uint16_t);                                                                                   \
	case 4:                                                                                                        \
		operation(uint32_t);                                                                                   \
	default:                                                                                                       \
		operation(uint64_t);                                                                                   \
	}

#define LOAD(type)                                                                                                     \
	{                                                                                                              \
		type value = __atomic_load_n((const type *)object, __ATOMIC_SEQ_CST);                                  \
		memcpy(result, &value, sizeof(value));                                                                 \
		return;                                                                                                \
	}

#define STORE(type)                                                                                                    \
	{                                                                                                              \
		type value;                                                                                            \
		memcpy(&value, from, sizeof(value));                                                                   \
		__atomic_store_n((type *)object, value, __ATOMIC_SEQ_CST);                                             \
		return;                                                                                                \
	}

#define COMPARE_EXCHANGE(type)                                                                                         \
	{                                                                                                              \
		type old, new;                                                                                         \
		memcpy(&old, expected, sizeof(old));                                                                   \
		memcpy(&new, desired, sizeof(new));                                                                    \
		if (__atomic_compare_exchange_n((type *)object, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
			return true;                                                                                   \
		memcpy(expected, &old, sizeof(old));                                                                   \
		return false;                                                                                          \
	}

LIBRARY(omp__atomic_load, __atomic_load)
void omp__atomic_load(size_t bytes, const void *object, void *result, int order)
{
	(void)order;
	if (is_word(bytes, object))
		WITH_WORD(bytes, LOAD)
	omp__lock(lock_of(object));
	memcpy(result, object, bytes);
	omp__unlock(lock_of(object));
}

LIBRARY(omp__atomic_store, __atomic_store)
void omp__atomic_store(size_t bytes, void *object, const void *from, int order)
{
	(void)order;
	if (is_word(bytes, object))
		WITH_WORD(bytes, STORE)
	omp__lock(lock_of(object));
	memcpy(object, from, bytes);
	omp__unlock(lock_of(object));
}

LIBRARY(omp__atomic_compare_exchange, __atomic_compare_exchange)
bool omp__atomic_compare_exchange(size_t bytes, void *object, void *expected, const void *desired, int order,
				  int failure_order)
{
	bool same;

	(void)order;
	(void)failure_order;
	if (is_word(bytes, object))
		WITH_WORD(bytes, COMPARE_EXCHANGE)
	omp__lock(lock_of(object));
	same = memcmp(object, expected, bytes) == 0;
	memcpy(same ? object : expected, same ? desired : object, bytes);
	omp__unlock(lock_of(object));
	return same;
}
