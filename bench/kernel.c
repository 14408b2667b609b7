/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does a batch cost that the kernel runs, and what does the same cost as a loop of system calls?
 *
 * `direct` is the system call instruction in a hand-written loop. `entry` is one entry by batch(2) or /dev/batch for
 * all n calls, written by hand; `kernel` is the same through the executor, prepared once. Each is measured with
 * `unimplemented` (a number the kernel does not have), `getppid` (the least work a call can do) and `fstat`.
 */
#include <asm/unistd.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "batch/exec/kernel.h"
#include "batch/syscall.h"
#include "bench.h"

#define CALLS_MAX 4096 /* the largest n a run of this program takes */

/* One kind of call. */
struct call {
	int nr;
	unsigned int argc;
	long words[2];
};

static struct batch_kernel_executor kernel;
static struct batch_slot slots[CALLS_MAX];
static long rets[CALLS_MAX];
static struct batch_prepared prepared;
static struct stat status;

static struct call unimplemented = { NR_UNIMPLEMENTED, 0, { 0 } };
static struct call getppid_call = { __NR_getppid, 0, { 0 } };
static struct call fstat_call = { __NR_fstat, 2, { STDIN_FILENO, (long)&status } };

static int check_n(void *context, long n)
{
	(void)context;
	return n > CALLS_MAX ? -E2BIG : 0;
}

static int fill(void *context, long n)
{
	const struct call *call = context;
	struct batch_builder builder;
	int code;

	if (n > CALLS_MAX)
		return -E2BIG;
	batch_builder_init(&builder, slots, rets, CALLS_MAX);
	for (long i = 0; i < n; i++)
		batch_builder_call(&builder, call->nr, call->argc, call->words);
	code = (int)batch_builder_finish(&builder, NULL);
	return code < 0 ? code : batch_prepare(&prepared, &kernel.executor, rets, slots, (size_t)n, 0, NULL);
}

static inline long syscall0(long nr)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(nr) : "rcx", "r11", "memory");
	return result;
}

static long run_direct0(void *context, long n)
{
	const long nr = ((const struct call *)context)->nr;

	for (long i = 0; i < n; i++)
		rets[i] = syscall0(nr);
	return 0;
}

static long run_direct2(void *context, long n)
{
	const struct call *call = context;
	const long nr = call->nr, one = call->words[0], two = call->words[1];

	for (long i = 0; i < n; i++)
		rets[i] = batch__syscall6(nr, one, two, 0, 0, 0, 0);
	return 0;
}

/* Run the rest that the kernel has handed back early; such a sample has more than one entry. No call is interrupted. */
static __attribute__((noinline)) long enter_rest(long result, size_t count)
{
	struct batch_resume resume = { 0 };
	size_t from = 0;

	while (result >= 0 && BATCH_RUN_NEXT(result)) {
		from += (size_t)BATCH_RUN_NEXT(result);
		result = batch__kernel_enter(&kernel, slots + from, rets + from, count - from, &resume);
	}
	return result;
}

static inline long syscall5(long nr, long one, long two, long three, long four, long five)
{
	register long r10 __asm__("r10") = four;
	register long r8 __asm__("r8") = five;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(one), "S"(two), "d"(three), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return result;
}

/* One entry written by hand, as the loop of `direct` is: it contains hardly anything besides the kernel's part. */
static long run_entry(void *context, long n)
{
	struct batch_resume resume;
	long result;

	(void)context;
	resume.slot = 0;
	if (kernel.way == BATCH_KERNEL_SYSCALL) {
		result = syscall5(BATCH_SYSCALL_NR, (long)slots, (long)rets, n, 0, (long)&resume);
	} else {
		const struct batch_run run = { (__u64)slots, (__u64)rets, (__u64)n, 0, (__u64)&resume };

		result = syscall5(__NR_ioctl, kernel.fd, BATCH_IOC_RUN, (long)&run, 0, 0);
	}
	if (__builtin_expect(result & BATCH_RUN_MORE && result >= 0, 0))
		return enter_rest(result, (size_t)n);
	return result;
}

static long run_executor(void *context, long n)
{
	(void)context;
	(void)n;
	return batch_prepared_run(&prepared);
}

#define THREE_WAYS(CALL, direct, context)                                                                              \
	{ "direct:" CALL, check_n, direct, context, false }, { "entry:" CALL, fill, run_entry, context, false },       \
	{                                                                                                              \
		"kernel:" CALL, fill, run_executor, context, false                                                     \
	}

static const struct bench_variant variants[] = {
	THREE_WAYS("unimplemented", run_direct0, &unimplemented),
	THREE_WAYS("getppid", run_direct0, &getppid_call),
	THREE_WAYS("fstat", run_direct2, &fstat_call),
};

/* Whether every variant of a list is `direct`, which needs no kernel that runs batches. */
static bool only_direct(const char *list)
{
	while (list && *list) {
		if (strncmp(list, "direct:", strlen("direct:")) != 0)
			return false;
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return true;
}

/* Whether the command line needs no batch: it asks for a text such as --help, or for `direct` alone. */
static bool asks_for_no_batch(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "--version") ||
		    (!strcmp(argv[i], "--variant") && i + 1 < argc && only_direct(argv[i + 1])))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static const long n[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000 };
	const struct bench_suite suite = {
		.boundary = "kernel",
		.question = "What does a batch cost that the kernel runs, next to a loop of system calls?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 60,
		.quick_repetitions = 10,
	};
	struct batch_error error;

	if (!asks_for_no_batch(argc, argv) && batch_kernel_open(&kernel, &error))
		bench_unavailable("neither batch(2) nor /dev/batch runs batches for this user", -EOPNOTSUPP);
	return bench_main(argc, argv, &suite);
}
