/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions for the `call` executor. The first table has one of every kind of argument and result; the second makes
 * every allowed system call, so that the vectors of system calls run there too.
 */
#include <math.h>

#include "batch/calls.h"
#include "batch/syscall.h"
#include "functions.h"

static long identity(long a)
{
	return a;
}

/* Distinct weights show a swapped or lost argument. */
static long weigh6(long a, long b, long c, long d, long e, long f)
{
	return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

static int low_int(long a)
{
	return (int)a;
}

static unsigned int low_uint(long a)
{
	return (unsigned int)a;
}

static void store(long *to, long word)
{
	*to = word;
}

static double half(double a)
{
	return a / 2;
}

static double not_a_number(void)
{
	return (double)NAN;
}

static double weigh_mixed(long a, double b, long c, double d, long e, double f)
{
	return (double)a + 10 * b + 100 * (double)c + 1000 * d + 10000 * (double)e + 100000 * f;
}

static double weigh_doubles(double a, double b, double c, double d, double e, double f)
{
	return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

static long compare(double a, double b)
{
	return (a > b) - (a < b);
}

static int int_of_mixed(double a, long b)
{
	return (int)(a + (double)b);
}

#define FUNCTION(name, argc, doubles, result)                                                                          \
	{                                                                                                              \
		(void (*)(void)) name, argc, doubles, result, { 0 }, #name                                             \
	}

const struct batch_function functions[] = {
	FUNCTION(identity, 1, 0, BATCH_RESULT_LONG),
	FUNCTION(weigh6, 6, 0, BATCH_RESULT_LONG),
	FUNCTION(low_int, 1, 0, BATCH_RESULT_INT),
	FUNCTION(low_uint, 1, 0, BATCH_RESULT_UINT),
	FUNCTION(store, 2, 0, BATCH_RESULT_VOID),
	FUNCTION(half, 1, 1, BATCH_RESULT_DOUBLE),
	FUNCTION(not_a_number, 0, 0, BATCH_RESULT_DOUBLE),
	FUNCTION(weigh_mixed, 6, 0x2a, BATCH_RESULT_DOUBLE),
	FUNCTION(weigh_doubles, 6, 0x3f, BATCH_RESULT_DOUBLE),
	FUNCTION(compare, 2, 3, BATCH_RESULT_LONG),
	FUNCTION(int_of_mixed, 2, 1, BATCH_RESULT_INT),
	{ NULL, 0, 0, BATCH_RESULT_LONG, { 0 }, "without_address" },
};
const size_t functions_count = sizeof(functions) / sizeof(functions[0]);

/* One function per number: a function of a call table is not told which entry it is. The numbers are octal. */
#define CALL(nr)                                                                                                       \
	static long call_##nr(long a, long b, long c, long d, long e, long f)                                          \
	{                                                                                                              \
		return batch__syscall6(nr, a, b, c, d, e, f);                                                          \
	}
#define ENTRY(nr) [nr] = call_##nr,
#define EIGHT(X, prefix)                                                                                               \
	X(prefix##0) X(prefix##1) X(prefix##2) X(prefix##3) X(prefix##4) X(prefix##5) X(prefix##6) X(prefix##7)
#define SIXTY_FOUR(X, prefix)                                                                                          \
	EIGHT(X, prefix##0)                                                                                            \
	EIGHT(X, prefix##1)                                                                                            \
	EIGHT(X, prefix##2)                                                                                            \
	EIGHT(X, prefix##3)                                                                                            \
	EIGHT(X, prefix##4)                                                                                            \
	EIGHT(X, prefix##5)                                                                                            \
	EIGHT(X, prefix##6)                                                                                            \
	EIGHT(X, prefix##7)
#define ALL(X)                                                                                                         \
	SIXTY_FOUR(X, 00)                                                                                              \
	SIXTY_FOUR(X, 01)                                                                                              \
	SIXTY_FOUR(X, 02)                                                                                              \
	SIXTY_FOUR(X, 03)                                                                                              \
	SIXTY_FOUR(X, 04)                                                                                              \
	SIXTY_FOUR(X, 05)                                                                                              \
	SIXTY_FOUR(X, 06)                                                                                              \
	SIXTY_FOUR(X, 07)

ALL(CALL)

static long (*const system_calls[FUNCTIONS_SYSTEM_CALLS])(long, long, long, long, long, long) = { ALL(ENTRY) };

void functions_of_system_calls(struct batch_function *table, const unsigned char *argc)
{
	for (int nr = 0; nr < FUNCTIONS_SYSTEM_CALLS; nr++)
		table[nr] = (struct batch_function){
			.address = batch__call_allowed(nr) ? (void (*)(void))system_calls[nr] : NULL,
			.argc = argc[nr],
			.result = BATCH_RESULT_LONG,
		};
}
