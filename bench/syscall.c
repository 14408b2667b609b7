/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much does a batch on the `loop` executor cost above hand-written system calls?
 *
 * `direct` is written by hand: the system call instruction in a loop, with the arguments that the call takes, and each
 * result stored. `libc` is the same through syscall(3). `loop` runs a batch that was prepared once, `loop-unprepared`
 * verifies the batch every time, and `null` makes no call at all, so it shows the dispatch alone. Each is measured with
 * three calls: `unimplemented` (nothing but the entry), `getppid` (the least work) and `rt_sigaction` (four arguments).
 */
#include <asm/unistd.h>
#include <signal.h>

#include "batch/syscall.h"
#include "bench.h"

#define CALLS_MAX 4096 /* the largest n a run of this program takes */

static unsigned char kernel_action[64]; /* room for struct kernel_sigaction, which no header declares */

/* One kind of call with its batch. The arrays are shared: one variant runs at a time. */
struct call {
	int nr;
	unsigned int argc;
	long words[4];
	const struct batch_executor *executor;
	struct batch_prepared prepared;
};

static struct batch_slot slots[CALLS_MAX];
static long rets[CALLS_MAX];

static int fill_slots(void *context, long n)
{
	const struct call *call = context;
	struct batch_builder builder;

	if (n > CALLS_MAX)
		return -E2BIG;
	batch_builder_init(&builder, slots, rets, CALLS_MAX);
	for (long i = 0; i < n; i++)
		batch_builder_call(&builder, call->nr, call->argc, call->words);
	return (int)batch_builder_finish(&builder, NULL);
}

static int prepare_batch(void *context, long n)
{
	struct call *call = context;
	int code = fill_slots(context, n);

	return code < 0 ? code : batch_prepare(&call->prepared, call->executor, rets, slots, (size_t)n, 0, NULL);
}

static long run_prepared(void *context, long n)
{
	const struct call *call = context;

	(void)n;
	return batch_prepared_run(&call->prepared);
}

static long run_unprepared(void *context, long n)
{
	const struct call *call = context;

	return batch_run(call->executor, rets, slots, (size_t)n, 0, NULL);
}

/* The hand-written loop for a call without arguments, which loads no argument registers. */
static inline long syscall0(long nr)
{
#if defined(__x86_64__)
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(nr) : "rcx", "r11", "memory");
	return result;
#else
	return batch__syscall6(nr, 0, 0, 0, 0, 0, 0);
#endif
}

static int check_n(void *context, long n)
{
	(void)context;
	return n > CALLS_MAX ? -E2BIG : 0;
}

static long run_direct0(void *context, long n)
{
	const struct call *call = context;
	const int nr = call->nr;

	for (long i = 0; i < n; i++)
		rets[i] = syscall0(nr);
	return 0;
}

static long run_direct4(void *context, long n)
{
	const struct call *call = context;
	const int nr = call->nr;
	const long a = call->words[0], b = call->words[1], c = call->words[2], d = call->words[3];

	for (long i = 0; i < n; i++)
		rets[i] = batch__syscall6(nr, a, b, c, d, 0, 0);
	return 0;
}

static long run_libc0(void *context, long n)
{
	const struct call *call = context;

	for (long i = 0; i < n; i++)
		rets[i] = syscall(call->nr);
	return 0;
}

static long run_libc4(void *context, long n)
{
	const struct call *call = context;

	for (long i = 0; i < n; i++)
		rets[i] = syscall(call->nr, call->words[0], call->words[1], call->words[2], call->words[3]);
	return 0;
}

#define SIGACTION_WORDS                                                                                                \
	{                                                                                                              \
		SIGUSR1, 0, (long)kernel_action, 8                                                                     \
	}

/* The five ways of making one kind of call. */
#define FIVE_WAYS(CALL, direct, libc, NR, ARGC, ...)                                                                   \
	{ "direct:" CALL, check_n, direct, &(struct call){ NR, ARGC, __VA_ARGS__, NULL, { 0 } }, false },              \
		{ "libc:" CALL, check_n, libc, &(struct call){ NR, ARGC, __VA_ARGS__, NULL, { 0 } }, false },          \
		{ "loop:" CALL, prepare_batch, run_prepared,                                                           \
		  &(struct call){ NR, ARGC, __VA_ARGS__, &batch_executor_loop, { 0 } }, false },                       \
		{ "loop-unprepared:" CALL, fill_slots, run_unprepared,                                                 \
		  &(struct call){ NR, ARGC, __VA_ARGS__, &batch_executor_loop, { 0 } }, false },                       \
	{                                                                                                              \
		"null:" CALL, prepare_batch, run_prepared,                                                             \
			&(struct call){ NR, ARGC, __VA_ARGS__, &batch_executor_null, { 0 } }, false                    \
	}

#define NO_WORDS                                                                                                       \
	{                                                                                                              \
		0                                                                                                      \
	}

static const struct bench_variant variants[] = {
	FIVE_WAYS("unimplemented", run_direct0, run_libc0, NR_UNIMPLEMENTED, 0, NO_WORDS),
	FIVE_WAYS("getppid", run_direct0, run_libc0, __NR_getppid, 0, NO_WORDS),
	FIVE_WAYS("rt_sigaction", run_direct4, run_libc4, __NR_rt_sigaction, 4, SIGACTION_WORDS),
};

int main(int argc, char **argv)
{
	static const long n[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000 };
	const struct bench_suite suite = {
		.boundary = "syscall",
		.question = "How much does a batch on the loop executor cost above hand-written system calls?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 300,
		.quick_repetitions = 40,
	};

	return bench_main(argc, argv, &suite);
}
