/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry into the kernel is answered by somebody else, after the executor was opened: by a real seccomp filter, with
 * any errno. `auto` and batch() of the compat header carry every batch all the same, `kernel` says why it does not, and
 * no call is made twice.
 *
 * The kernel's part is a stand-in: the entry is a real ioctl that the filter sees, and that writes a word, which no
 * filter does. When it was written, nobody has answered in the kernel's place, and the slots are run here, a few at
 * each entry. Each slot moves a file's position by one, so the position says how many calls were made.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <cmocka.h>

#include <ferry/batch.h>

#include "batch/exec/kernel.h"
#include "batch/syscall.h"
#include "filters.h"

#define SLOTS 10
#define SLOTS_AT_ONCE 4
#define UNTOUCHED 0x5a5aL
#define NEVER -1

long batch_compat_run(long *rets, void *calls, unsigned long ncall);

/* What a child is to do. */
struct trial {
	unsigned int code; /* what the filter answers */
	int at;		   /* the entry before which it is put up */
	int by_another;	   /* by another thread, for all */
	int (*body)(const struct trial *trial);
};

static struct batch_slot batch[SLOTS];
static long results[SLOTS];
static int file, entries, ends_of_pipe[2]; /* a byte waits in the pipe */
static const struct trial *current;
static long forged; /* what a supervisor answers in the kernel's place; 0: there is none */

void batch__kernel_find(struct batch_kernel_executor *kernel)
{
	kernel->way = BATCH_KERNEL_DEVICE;
}

void batch__kernel_leave(struct batch_kernel_executor *kernel)
{
	(void)kernel;
}

static void put_up_filter(void)
{
	if (!current || entries++ != current->at)
		return;
	if ((current->by_another ? forbid_by_another_thread : forbid)(__NR_ioctl, current->code))
		abort();
}

long batch__kernel_enter(const struct batch_kernel_executor *kernel, struct batch_slot *slots, long *rets, size_t count,
			 struct batch_resume *resume)
{
	const struct batch_prepared prepared = { &batch_executor_loop, slots, rets, count };
	int waiting = 0;
	long answer, next;

	(void)kernel;
	if (forged)
		return forged;
	put_up_filter();
	answer = batch__syscall6(__NR_ioctl, ends_of_pipe[0], FIONREAD, (long)&waiting, 0, 0, 0);
	if (!waiting)
		return answer;
	if (batch__syscall6(__NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0, 0) != 0)
		return -EOPNOTSUPP;
	resume->slot = 0; /* taken up, if it was to be */
	next = batch_prepared_run_some(&prepared, 0, SLOTS_AT_ONCE);
	return next < 0 ? BATCH_RUN_MORE | ~next : next;
}

/* A batch that begins anew: position 0, no result. */
static void fill(void)
{
	lseek(file, 0, SEEK_SET);
	for (int i = 0; i < SLOTS; i++) {
		batch[i] = scall3(lseek, 0, 0, 0, file, 1, SEEK_CUR);
		results[i] = UNTOUCHED;
	}
}

/* Whether each call was made once, in order, and each result is there. */
static int is_whole(long last)
{
	for (int i = 0; i < SLOTS; i++)
		if (results[i] != i + 1)
			return 0;
	return last == SLOTS - 1 && lseek(file, 0, SEEK_CUR) == SLOTS;
}

static int is_untouched(void)
{
	for (int i = 0; i < SLOTS; i++)
		if (results[i] != UNTOUCHED)
			return 0;
	return lseek(file, 0, SEEK_CUR) == 0;
}

static enum batch_reason expected_reason(const struct trial *trial)
{
	return trial->code == EOPNOTSUPP ? BATCH_REASON_WATCHED : BATCH_REASON_NO_ENTRY;
}

static int with_kernel(const struct trial *trial)
{
	struct batch_error error = { 0, BATCH_REASON_NONE, 7 };
	struct batch_kernel_executor kernel;
	char text[300];
	long last;

	batch_kernel_open(&kernel, NULL);
	fill();
	last = batch_run(&kernel.executor, results, batch, SLOTS, 0, &error);
	if (trial->at > 0 && !is_whole(last))
		return 1;
	/* from now on nothing is run by it, and nothing of a batch before it is refused */
	if (trial->at > 0)
		fill(), last = batch_run(&kernel.executor, results, batch, SLOTS, 0, &error);
	if (last != (trial->code == EOPNOTSUPP ? -EOPNOTSUPP : -EPERM) || error.code != last || !is_untouched())
		return 2;
	if (error.reason != expected_reason(trial) || error.slot != -1)
		return 3;
	batch_error_format(&error, text, sizeof(text));
	return strstr(text, "filter") && !strstr(text, "nothing is wrong") ? 0 : 4;
}

/* In parts, what the kernel does not take is run as system calls. */
static int with_parts(const struct trial *trial)
{
	struct batch_kernel_executor kernel;
	struct batch_prepared prepared;
	long next;

	(void)trial;
	batch_kernel_open(&kernel, NULL);
	fill();
	if (batch_prepare(&prepared, &kernel.executor, results, batch, SLOTS, 0, NULL))
		return 1;
	for (next = ~0L; next < 0;)
		next = batch_prepared_run_some(&prepared, (size_t)~next, 3);
	return is_whole(next) ? 0 : 2;
}

static int with_auto(const struct trial *trial)
{
	struct batch_auto_executor automatic;

	batch_auto_open(&automatic);
	if (automatic.kernel_reason != BATCH_REASON_NONE)
		return 1;
	for (int i = 0; i < 40; i++) {
		fill();
		if (!is_whole(batch_run(&automatic.executor, results, batch, SLOTS, 0, NULL)))
			return 2;
	}
	if (automatic.kernel_reason != expected_reason(trial))
		return 3;
	/* what is not reached is not asked again, since the descriptor may be another file's */
	return !automatic.kernel == (trial->code != EOPNOTSUPP) ? 0 : 4;
}

static int with_compat(const struct trial *trial)
{
	(void)trial;
	for (int i = 0; i < 3; i++) {
		fill();
		if (!is_whole(batch_compat_run(results, batch, SLOTS)))
			return 1;
	}
	return 0;
}

static int try(const void *data)
{
	const struct trial *trial = data;

	current = trial;
	return trial->body(trial);
}

/* Every errno a filter may be told to answer, or one in 64 of them and all that the executors look at. */
static int is_tried(unsigned int code)
{
	static const unsigned int of_interest[] = { 0,	    EPERM,  EINTR,	EIO,	EBADF,	EAGAIN, ENOMEM,
						    EACCES, EBUSY,  EINVAL,	ENOTTY, ENOSYS, E2BIG,	EFBIG,
						    ERANGE, EDQUOT, EOPNOTSUPP, 512,	513,	516,	4095 };

	for (size_t i = 0; i < sizeof(of_interest) / sizeof(of_interest[0]); i++)
		if (of_interest[i] == code)
			return 1;
	return code % 64 == 5 && code != EFAULT;
}

static void try_all(unsigned int from, int (*body)(const struct trial *trial))
{
	for (unsigned int code = from; code < 4096; code++) {
		for (int way = 0; is_tried(code) && way < 4; way++) {
			const struct trial trial = { code, way / 2, way % 2, body };
			int status = in_child(try, &trial);

			if (status)
				fail_msg("a filter that answers %u before entry %d, thread %d: check %d", code,
					 trial.at, trial.by_another, status);
		}
	}
}

static void the_kernel_executor_says_why(void **state)
{
	(void)state;
	try_all(0, with_kernel);
}

static void parts_are_run_otherwise(void **state)
{
	(void)state;
	/* 0 is believed of the last part, which has one slot */
	try_all(1, with_parts);
}

static void auto_carries_every_batch(void **state)
{
	(void)state;
	try_all(0, with_auto);
}

static void the_original_s_batch_is_carried(void **state)
{
	(void)state;
	try_all(0, with_compat);
}

/* -EFAULT is the one answer behind which calls may have been made: they are not made again. */
static int with_fault(const struct trial *trial)
{
	struct batch_auto_executor automatic;
	struct batch_error error = { 0 };

	(void)trial;
	batch_auto_open(&automatic);
	fill();
	if (batch_run(&automatic.executor, results, batch, SLOTS, 0, &error) != -EFAULT || !is_untouched())
		return 1;
	return error.reason == BATCH_REASON_MEMORY && error.code == -EFAULT ? 0 : 2;
}

static void a_fault_is_handed_on(void **state)
{
	const struct trial trial = { EFAULT, 0, 0, with_fault };

	(void)state;
	assert_int_equal(in_child(try, &trial), 0);
}

/* What standard error has after many batches that the kernel does not take. */
static int saying(const struct trial *trial)
{
	char text[600];
	int ends[2];
	ssize_t got;

	setenv("BATCH_VERBOSE", "1", 1);
	if (pipe(ends) || dup2(ends[1], 2) < 0 || with_auto(trial))
		return 1;
	close(ends[1]);
	close(2);
	got = read(ends[0], text, sizeof(text) - 1);
	text[got < 0 ? 0 : got] = '\0';
	if (!strstr(text, "ferry: auto: kernel (/dev/batch), "))
		return 2;
	if (!strstr(text, trial->code == EPERM ? "loop\nferry: auto: kernel: the kernel can no longer be entered: a "
					       : "loop\nferry: auto: kernel: a filter, tracer or audit rule "))
		return 3;
	return strchr(strchr(text, '\n') + 1, '\n')[1] ? 4 : 0;
}

static void auto_says_why_once(void **state)
{
	const struct trial forbidden = { EPERM, 0, 0, saying }, watched = { EOPNOTSUPP, 0, 0, saying };

	(void)state;
	assert_int_equal(in_child(try, &forbidden), 0);
	assert_int_equal(in_child(try, &watched), 0);
}

/* Make writes under strict mode, where a thread may read, write and exit; exit(2) ends it, not exit_group(2). */
static int in_strict_mode(const void *data)
{
	struct batch_auto_executor automatic;
	int keeps_kernel = data != NULL;
	long last;

	batch_auto_open(&automatic);
	if (!keeps_kernel)
		automatic.kernel = NULL;
	for (int i = 0; i < SLOTS; i++)
		batch[i] = scall3(write, 0, 0, 0, file, "x", 1);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0))
		return 1;
	last = batch_run(&automatic.executor, results, batch, SLOTS, 0, NULL);
	for (;;)
		syscall(SYS_exit, last == SLOTS - 1 && results[SLOTS - 1] == 1 ? 0 : 2);
}

static void strict_mode_kills_at_the_entry_and_spares_the_loop(void **state)
{
	(void)state;
	assert_int_equal(in_child(in_strict_mode, NULL), 0);
	assert_int_equal(in_child(in_strict_mode, "with the kernel"), KILLED_BY + SIGKILL);
}

/* A filter that kills for ioctl: the process dies of SIGSYS at the entry; without the kernel nothing happens. */
static int under_a_filter_that_kills(const void *data)
{
	struct batch_auto_executor automatic;

	fill();
	batch_auto_open(&automatic);
	if (!data)
		automatic.kernel = NULL;
	if (filter_call(__NR_ioctl, SECCOMP_RET_KILL_PROCESS, ANY_WORD, 0))
		return 1;
	return is_whole(batch_run(&automatic.executor, results, batch, SLOTS, 0, NULL)) ? 0 : 2;
}

static void a_filter_that_kills_does_so_at_the_entry(void **state)
{
	(void)state;
	assert_int_equal(in_child(under_a_filter_that_kills, NULL), 0);
	assert_int_equal(in_child(under_a_filter_that_kills, "with the kernel"), KILLED_BY + SIGSYS);
}

/* An answer of 0 is believed where the first slot may have ended the batch. */
static void zero_is_believed_only_where_it_can_be_true(void **state)
{
	const struct trial trial = { 0, NEVER, 0, NULL };
	struct batch_kernel_executor kernel;

	(void)state;
	current = &trial;
	batch_kernel_open(&kernel, NULL);
	fill();
	batch[0].jump_positive = BATCH_STOP;
	assert_int_equal(batch_run(&kernel.executor, results, batch, SLOTS, 0, NULL), 0);
	fill();
	batch[0].jump_positive = SLOTS - 1;
	assert_int_equal(batch_run(&kernel.executor, results, batch, SLOTS, 0, NULL), 0);
	assert_int_equal(batch_run(&kernel.executor, results, batch, 1, 0, NULL), 0);
	assert_int_equal(lseek(file, 0, SEEK_CUR), 2);
}

/* What a supervisor may answer and the core never does: beyond the batch, or to go on with its first slot. */
static void an_answer_that_is_no_place_in_the_batch_is_refused(void **state)
{
	static const long answers[] = { SLOTS,
					SLOTS + 1,
					BATCH_RUN_MORE - 1,
					BATCH_RUN_MORE,
					1L << 32,
					1L << 62,
					BATCH_RUN_MORE | SLOTS,
					BATCH_RUN_MORE * 2L,
					-4096,
					LONG_MIN,
					-(1L << 31) };
	const struct trial trial = { 0, NEVER, 0, NULL };
	struct batch_kernel_executor kernel;
	struct batch_auto_executor automatic;

	(void)state;
	current = &trial;
	batch_kernel_open(&kernel, NULL);
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		batch_auto_open(&automatic);
		fill();
		forged = answers[i];
		assert_int_equal(batch_run(&kernel.executor, results, batch, SLOTS, 0, NULL), -EPERM);
		assert_true(is_untouched());
		assert_true(is_whole(batch_run(&automatic.executor, results, batch, SLOTS, 0, NULL)));
		assert_int_equal(automatic.kernel_reason, BATCH_REASON_NO_ENTRY);
		batch_auto_close(&automatic);
		fill();
		assert_int_equal(with_parts(&trial), 0);
		forged = 0;
	}
}

static int open_file(void **state)
{
	(void)state;
	file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	return file < 0 || pipe(ends_of_pipe) || write(ends_of_pipe[1], "x", 1) != 1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_executor_says_why),
		cmocka_unit_test(parts_are_run_otherwise),
		cmocka_unit_test(auto_carries_every_batch),
		cmocka_unit_test(the_original_s_batch_is_carried),
		cmocka_unit_test(a_fault_is_handed_on),
		cmocka_unit_test(auto_says_why_once),
		cmocka_unit_test(strict_mode_kills_at_the_entry_and_spares_the_loop),
		cmocka_unit_test(a_filter_that_kills_does_so_at_the_entry),
		cmocka_unit_test(zero_is_believed_only_where_it_can_be_true),
		cmocka_unit_test(an_answer_that_is_no_place_in_the_batch_is_refused),
	};

	return cmocka_run_group_tests(tests, open_file, NULL);
}
