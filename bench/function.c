/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much does a batch on the `call` executor cost above calling through function pointers?
 *
 * `direct` walks a table of function pointers, arguments and results, as a program written by hand does when the
 * functions are not known until run time. `call` runs a prepared batch of the same calls, and `call-unprepared`
 * verifies the batch every time. Functions of `long` take two words and return one; those of `double` take two doubles
 * and return one; `mixed` has four functions with results of four kinds in a random order, as a real table does; `stop`
 * is `long`, but ends at the first negative result, as most programs do. Each function makes one addition, so the
 * figures show the crossing.
 */
#include "bench.h"

#define CALLS_MAX 4096 /* the largest n a run of this program takes */

/* noipa: the compiler may know nothing about these functions where they are called */
#define OPAQUE __attribute__((noinline, noclone, noipa))

static OPAQUE long add_long(long a, long b)
{
	return a + b;
}

static OPAQUE double add_double(double a, double b)
{
	return a + b;
}

static OPAQUE long subtract_long(long a, long b)
{
	return a - b;
}

static OPAQUE int add_int(long a, long b)
{
	return (int)(a + b);
}

static OPAQUE unsigned int add_uint(long a, long b)
{
	return (unsigned int)(a + b);
}

enum { LONG, DOUBLE, SUBTRACT, INT, UINT, MIXED };

static const struct batch_function functions[] = {
	[LONG] = { .address = (void (*)(void))add_long, .argc = 2, .result = BATCH_RESULT_LONG, .name = "add_long" },
	[DOUBLE] = { .address = (void (*)(void))add_double,
		     .argc = 2,
		     .double_mask = 3,
		     .result = BATCH_RESULT_DOUBLE,
		     .name = "add_double" },
	[SUBTRACT] = { .address = (void (*)(void))subtract_long,
		       .argc = 2,
		       .result = BATCH_RESULT_LONG,
		       .name = "subtract_long" },
	[INT] = { .address = (void (*)(void))add_int, .argc = 2, .result = BATCH_RESULT_INT, .name = "add_int" },
	[UINT] = { .address = (void (*)(void))add_uint, .argc = 2, .result = BATCH_RESULT_UINT, .name = "add_uint" },
};

/* The i-th function of the mixed order. It is the same in every run, and too long for a processor to learn. */
static int mixed_kind(long i)
{
	static const int kinds[] = { LONG, SUBTRACT, INT, UINT };
	unsigned long bits = (unsigned long)(i + 1) * 0x9e3779b97f4a7c15UL;

	/* the mixing step of splitmix64: Steele, Lea and Flood, 2014 */
	bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9UL;
	return kinds[bits >> 62];
}

/* One call as `direct` keeps it: the function and its arguments, and nothing else. */
struct long_call {
	long (*function)(long, long);
	long a, b;
};

struct double_call {
	double (*function)(double, double);
	double a, b;
};

/* The state of every variant: one runs at a time. */
static struct long_call long_calls[CALLS_MAX];
static struct double_call double_calls[CALLS_MAX];
static long long_results[CALLS_MAX];
static double double_results[CALLS_MAX];
static struct batch_slot slots[CALLS_MAX];
static long rets[CALLS_MAX];
static struct batch_call_executor executor;
static struct batch_prepared prepared;

static int prepare_long(void *context, long n)
{
	(void)context;
	if (n > CALLS_MAX)
		return -E2BIG;
	for (long i = 0; i < n; i++)
		long_calls[i] = (struct long_call){ add_long, i, 1 };
	return 0;
}

static long run_long(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++)
		long_results[i] = long_calls[i].function(long_calls[i].a, long_calls[i].b);
	return 0;
}

static long run_stop(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++) {
		long_results[i] = long_calls[i].function(long_calls[i].a, long_calls[i].b);
		if (long_results[i] < 0)
			return i;
	}
	return n - 1;
}

static int prepare_double(void *context, long n)
{
	(void)context;
	if (n > CALLS_MAX)
		return -E2BIG;
	for (long i = 0; i < n; i++)
		double_calls[i] = (struct double_call){ add_double, (double)i, 1 };
	return 0;
}

static long run_double(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++)
		double_results[i] = double_calls[i].function(double_calls[i].a, double_calls[i].b);
	return 0;
}

struct mixed_call {
	enum batch_result_kind result;
	void (*function)(void);
	long a, b;
};
static struct mixed_call mixed_calls[CALLS_MAX];

static int prepare_mixed(void *context, long n)
{
	(void)context;
	if (n > CALLS_MAX)
		return -E2BIG;
	for (long i = 0; i < n; i++) {
		const struct batch_function *function = &functions[mixed_kind(i)];

		mixed_calls[i] = (struct mixed_call){ function->result, function->address, i, 1 };
	}
	return 0;
}

static long run_mixed(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++) {
		const struct mixed_call *call = &mixed_calls[i];

		if (call->result == BATCH_RESULT_LONG)
			long_results[i] = ((long (*)(long, long))call->function)(call->a, call->b);
		else if (call->result == BATCH_RESULT_INT)
			long_results[i] = ((int (*)(long, long))call->function)(call->a, call->b);
		else
			long_results[i] = ((unsigned int (*)(long, long))call->function)(call->a, call->b);
	}
	return 0;
}

static long word_of(double value)
{
	long word;

	memcpy(&word, &value, sizeof(word));
	return word;
}

/* Fill the slots with calls of functions[*kind], or of the mixed ones. */
static int fill_slots(void *context, long n)
{
	const int kind = *(const int *)context;
	struct batch_builder builder;

	if (n > CALLS_MAX)
		return -E2BIG;
	batch_builder_init(&builder, slots, rets, CALLS_MAX);
	for (long i = 0; i < n; i++) {
		const long words[] = { kind == DOUBLE ? word_of((double)i) : i, kind == DOUBLE ? word_of(1) : 1 };

		batch_builder_call(&builder, kind == MIXED ? mixed_kind(i) : kind, 2, words);
	}
	return (int)batch_builder_finish(&builder, NULL);
}

static int prepare_batch(void *context, long n)
{
	int code = fill_slots(context, n);

	return code < 0 ? code : batch_prepare(&prepared, &executor.executor, rets, slots, (size_t)n, 0, NULL);
}

static int prepare_stop(void *context, long n)
{
	int code = fill_slots(context, n);

	for (long i = 0; code >= 0 && i < n; i++)
		slots[i].jump_fail = BATCH_STOP;
	return code < 0 ? code : batch_prepare(&prepared, &executor.executor, rets, slots, (size_t)n, 0, NULL);
}

static long run_prepared(void *context, long n)
{
	(void)context;
	(void)n;
	return batch_prepared_run(&prepared);
}

static long run_unprepared(void *context, long n)
{
	(void)context;
	return batch_run(&executor.executor, rets, slots, (size_t)n, 0, NULL);
}

static int long_kind = LONG, double_kind = DOUBLE, mixed = MIXED;

static const struct bench_variant variants[] = {
	{ "direct:long", prepare_long, run_long, NULL, false },
	{ "call:long", prepare_batch, run_prepared, &long_kind, false },
	{ "call-unprepared:long", fill_slots, run_unprepared, &long_kind, false },
	{ "direct:double", prepare_double, run_double, NULL, false },
	{ "call:double", prepare_batch, run_prepared, &double_kind, false },
	{ "call-unprepared:double", fill_slots, run_unprepared, &double_kind, false },
	{ "direct:mixed", prepare_mixed, run_mixed, NULL, false },
	{ "call:mixed", prepare_batch, run_prepared, &mixed, false },
	{ "direct:stop", prepare_long, run_stop, NULL, false },
	{ "call:stop", prepare_stop, run_prepared, &long_kind, false },
};

int main(int argc, char **argv)
{
	static const long n[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000 };
	const struct bench_suite suite = {
		.boundary = "function",
		.question = "How much does a batch on the call executor cost above calling through function pointers?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 600,
		.quick_repetitions = 100,
	};

	if (batch_call_executor_init(&executor, functions, sizeof(functions) / sizeof(functions[0])) < 0) {
		fprintf(stderr, "%s: the call table was refused\n", program_invocation_short_name);
		return 1;
	}
	return bench_main(argc, argv, &suite);
}
