/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much does a batch on the `call` executor cost above calling through function pointers?
 *
 * `direct` walks a table of function pointers, arguments and results: what one writes by hand when the functions are
 * not known until run time. `call` runs a prepared batch of the same calls, `call-unprepared` verifies it every time.
 * `long` takes two words and gives one; `double` takes two doubles and gives one. The functions do one addition, so
 * what is left is the crossing.
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

enum { LONG, DOUBLE };

static const struct batch_function functions[] = {
	[LONG] = { .address = (void (*)(void))add_long, .argc = 2, .result = BATCH_RESULT_LONG, .name = "add_long" },
	[DOUBLE] = { .address = (void (*)(void))add_double,
		     .argc = 2,
		     .double_mask = 3,
		     .result = BATCH_RESULT_DOUBLE,
		     .name = "add_double" },
};

/* One call as `direct` keeps it: the least that says what to call with what. */
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

static long word_of(double value)
{
	long word;

	memcpy(&word, &value, sizeof(word));
	return word;
}

/* Fill the slots with calls of functions[*kind]. */
static int fill_slots(void *context, long n)
{
	const int kind = *(const int *)context;
	struct batch_builder builder;

	if (n > CALLS_MAX)
		return -E2BIG;
	batch_builder_init(&builder, slots, rets, CALLS_MAX);
	for (long i = 0; i < n; i++) {
		const long words[] = { kind == DOUBLE ? word_of((double)i) : i, kind == DOUBLE ? word_of(1) : 1 };

		batch_builder_call(&builder, kind, 2, words);
	}
	return (int)batch_builder_finish(&builder, NULL);
}

static int prepare_batch(void *context, long n)
{
	int code = fill_slots(context, n);

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

static int long_kind = LONG, double_kind = DOUBLE;

static const struct bench_variant variants[] = {
	{ "direct:long", prepare_long, run_long, NULL, false },
	{ "call:long", prepare_batch, run_prepared, &long_kind, false },
	{ "call-unprepared:long", fill_slots, run_unprepared, &long_kind, false },
	{ "direct:double", prepare_double, run_double, NULL, false },
	{ "call:double", prepare_batch, run_prepared, &double_kind, false },
	{ "call-unprepared:double", fill_slots, run_unprepared, &double_kind, false },
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
