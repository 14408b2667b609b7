/* SPDX-License-Identifier: BSD-3-Clause */
/* The C side of the Haskell benchmarks: functions to call, a loop over them in C, and the machine card. */
#include "machine.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ferry/batch.h>

/* noipa: the compiler may know nothing about these functions where they are called */
#define OPAQUE __attribute__((noinline, noclone, noipa))

OPAQUE long bench_add(long a, long b)
{
	return a + b;
}

OPAQUE long bench_subtract(long a, long b)
{
	return a - b;
}

OPAQUE long bench_exclude(long a, long b)
{
	return a ^ b;
}

OPAQUE long bench_unite(long a, long b)
{
	return a | b;
}

OPAQUE long bench_get(void)
{
	return 1;
}

OPAQUE void bench_touch(long *cell)
{
	*cell += 1;
}

/* One call as a program without Ferry keeps it: the least that says what to call with what. */
struct call {
	long (*function)(long, long);
	long a, b;
};

/* What one writes in C instead of crossing for each call. */
void bench_wrapper(const struct call *calls, long *results, long count)
{
	for (long i = 0; i < count; i++)
		results[i] = calls[i].function(calls[i].a, calls[i].b);
}

/* The least that calls in C can cost: one function, which no table chooses, called by its name. */
void bench_floor(const struct call *calls, long *results, long count)
{
#pragma GCC unroll 16
	for (long i = 0; i < count; i++)
		results[i] = bench_add(calls[i].a, calls[i].b);
}

/* As bench_floor, of four functions in turn. */
void bench_floor_several(const struct call *calls, long *results, long count)
{
	for (long i = 0; i < count; i += 4) {
		results[i] = bench_add(calls[i].a, calls[i].b);
		if (i + 1 == count)
			break;
		results[i + 1] = bench_subtract(calls[i + 1].a, calls[i + 1].b);
		if (i + 2 == count)
			break;
		results[i + 2] = bench_exclude(calls[i + 2].a, calls[i + 2].b);
		if (i + 3 == count)
			break;
		results[i + 3] = bench_unite(calls[i + 3].a, calls[i + 3].b);
	}
}

/* As bench_floor, of a function that takes nothing. */
void bench_floor_getter(const void *unused, long *results, long count)
{
	(void)unused;
#pragma GCC unroll 16
	for (long i = 0; i < count; i++)
		results[i] = bench_get();
}

/* As bench_wrapper, of functions that take nothing. */
void bench_get_wrapper(long (*const *functions)(void), long *results, long count)
{
	for (long i = 0; i < count; i++)
		results[i] = functions[i]();
}

/* As bench_wrapper, of a function that takes a pointer, always the same. */
void bench_touch_wrapper(void (*function)(long *), long *cell, long count)
{
	for (long i = 0; i < count; i++)
		function(cell);
}

struct line {
	long words[8];
};

/* Two words for each line, from two arrays one after the other, then `count` words from one array to another. */
void bench_carry(struct line *lines, const long *first, const long *second, const long *results, long *into, long count)
{
#pragma GCC unroll 4
	for (long i = 0; i < count; i++)
		lines[i].words[2] = first[i];
#pragma GCC unroll 4
	for (long i = 0; i < count; i++)
		lines[i].words[3] = second[i];
	memcpy(into, results, (size_t)count * sizeof(*into));
}

/* Take this long without making a system call. */
long bench_spin_ns(long ns)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < ns);
	return ns;
}

/* Count, then sleep. */
void bench_sleep(atomic_long *begun, long ns)
{
	atomic_fetch_add(begun, 1);
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

/* Wait until so many of these have begun. */
void bench_await(const atomic_long *begun, long count)
{
	while (atomic_load(begun) < count)
		nanosleep(&(struct timespec){ .tv_nsec = 10000 }, NULL);
}

/*
 * A batch of so many calls of bench_spin_ns, or NULL. Made here and not by Ferry.Call, which keeps a note of every
 * call: garbage collections are measured, and those of a small heap say more about waiting. Never freed.
 */
struct batch_prepared *bench_spin_batch(long count, long ns)
{
	static const struct batch_function function = {
		(void (*)(void))bench_spin_ns, 1, 0, BATCH_RESULT_LONG, { 0 }, "spin"
	};
	static struct batch_call_executor executor;
	struct batch_slot *slots = calloc((size_t)count, sizeof(*slots));
	struct batch_prepared *prepared = calloc(1, sizeof(*prepared));
	long *rets = calloc((size_t)count, sizeof(*rets));

	if (!slots || !prepared || !rets || batch_call_executor_init(&executor, &function, 1))
		return NULL;
	for (long i = 0; i < count; i++)
		slots[i] = BATCH_SLOT(0, 0, 0, 0, 1, ns);
	return batch_prepare(prepared, &executor.executor, rets, slots, (size_t)count, 0, NULL) ? NULL : prepared;
}

/* The first line of a benchmark program. */
void bench_machine_line(const char *compiler, const char *runtime)
{
	bench_print_machine_keys();
	printf(",\"ghc\":");
	bench_print_string(compiler);
	printf(",\"rts\":");
	bench_print_string(runtime);
	printf("}\n");
	fflush(stdout);
}
