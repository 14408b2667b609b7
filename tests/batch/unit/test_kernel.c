/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel executor where there is no such kernel, and how `auto` and batch_run treat one that refuses. What it does
 * in a kernel is tested in one (kernel/vm), and by the vectors on the kernel's own core (kernel/hosttest).
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/batch.h>

#include "filters.h"

#define SLOTS 16
/* as in src/batch/exec/auto.h */
#define REST_BATCHES 16

static struct batch_slot slots[SLOTS];
static long rets[SLOTS];
static int asked;
static long answer;

static long answer_run(const struct batch_executor *executor, long *results, struct batch_slot *of, size_t count)
{
	(void)executor;
	(void)results;
	(void)of;
	(void)count;
	__atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
	return answer;
}

static const struct batch_executor fake = { "fake", NULL, answer_run, NULL };

static int fill(void **state)
{
	(void)state;
	asked = 0;
	for (int i = 0; i < SLOTS; i++) {
		slots[i] = scall0(getppid, 0, 0, 0);
		rets[i] = 0;
	}
	return 0;
}

static void emulation_makes_it_unavailable(void **state)
{
	struct batch_kernel_executor kernel;
	struct batch_error error;

	(void)state;
	setenv("BATCH_EMUL", "1", 1);
	assert_int_equal(batch_kernel_open(&kernel, &error), -EOPNOTSUPP);
	unsetenv("BATCH_EMUL");
	assert_int_equal(error.reason, BATCH_REASON_UNAVAILABLE);
	assert_int_equal(error.slot, -1);
	assert_string_equal(batch_kernel_way_text(&kernel), "not in the kernel");

	memset(&error, 0, sizeof(error));
	assert_int_equal(batch_run(&kernel.executor, rets, slots, SLOTS, 0, &error), -EOPNOTSUPP);
	assert_int_equal(error.reason, BATCH_REASON_UNAVAILABLE);
	assert_int_equal(rets[0], 0);
	batch_kernel_close(&kernel);
	batch_kernel_close(&kernel);
}

static void open_finds_a_way_or_says_why_not(void **state)
{
	struct batch_kernel_executor kernel;
	struct batch_error error;
	int code = batch_kernel_open(&kernel, &error);

	(void)state;
	assert_int_equal(code, kernel.way == BATCH_KERNEL_NONE ? -EOPNOTSUPP : 0);
	if (code == 0) {
		assert_int_equal(batch_run(&kernel.executor, rets, slots, SLOTS, 0, &error), SLOTS - 1);
		assert_int_equal(rets[SLOTS - 1], getppid());
	}
	batch_kernel_close(&kernel);
}

static void a_refusal_under_way_has_a_reason(void **state)
{
	struct batch_error error;

	(void)state;
	answer = -EOPNOTSUPP;
	assert_int_equal(batch_run(&fake, rets, slots, SLOTS, 0, &error), -EOPNOTSUPP);
	assert_int_equal(error.code, -EOPNOTSUPP);
	assert_int_equal(error.reason, BATCH_REASON_WATCHED);
	assert_int_equal(error.slot, -1);
	assert_int_equal(batch_run(&fake, rets, slots, SLOTS, 0, NULL), -EOPNOTSUPP);
	answer = -EFAULT;
	assert_int_equal(batch_run(&fake, rets, slots, SLOTS, 0, &error), -EFAULT);
	assert_int_equal(error.code, -EFAULT);
	assert_int_equal(error.reason, BATCH_REASON_MEMORY);
	answer = -EPERM;
	assert_int_equal(batch_run(&fake, rets, slots, SLOTS, 0, &error), -EPERM);
	assert_int_equal(error.reason, BATCH_REASON_NO_ENTRY);
}

/*
 * The entry is a real one and is answered before the kernel's batch core: a kernel without batch(2), a filter, a
 * descriptor that is another file's or closed. (-1 is, and 0 is not of /dev/batch.)
 */
static const struct answered {
	enum batch_kernel_way way;
	int fd;
	int code; /* of a filter for the call that enters; 0: none */
} answered[] = {
	{ BATCH_KERNEL_DEVICE, 0, 0 },	     { BATCH_KERNEL_DEVICE, -1, 0 },	   { BATCH_KERNEL_DEVICE, 0, EPERM },
	{ BATCH_KERNEL_DEVICE, 0, EACCES },  { BATCH_KERNEL_DEVICE, 0, ENOSYS },   { BATCH_KERNEL_DEVICE, 0, EINTR },
	{ BATCH_KERNEL_SYSCALL, -1, EPERM }, { BATCH_KERNEL_SYSCALL, -1, ENOSYS }, { BATCH_KERNEL_SYSCALL, -1, EACCES },
};

static int enter_and_be_refused(const void *data)
{
	const struct answered *how = data;
	struct batch_kernel_executor kernel;
	struct batch_auto_executor automatic;
	struct batch_error error = { 0 };

	setenv("BATCH_EMUL", "1", 1);
	batch_kernel_open(&kernel, NULL);
	batch_auto_open(&automatic);
	kernel.way = how->way;
	kernel.fd = how->fd;
	automatic.kernel = &kernel.executor;
	automatic.kernel_slots_min = 5;
	if (how->code && forbid(how->way == BATCH_KERNEL_SYSCALL ? BATCH_SYSCALL_NR : __NR_ioctl, (unsigned)how->code))
		return 1;
	if (batch_run(&kernel.executor, rets, slots, SLOTS, 0, &error) != -EPERM || rets[0] != 0)
		return 2;
	if (error.code != -EPERM || error.reason != BATCH_REASON_NO_ENTRY || error.slot != -1)
		return 3;
	if (batch_run(&automatic.executor, rets, slots, SLOTS, 0, &error) != SLOTS - 1)
		return 4;
	if (automatic.kernel_reason != BATCH_REASON_NO_ENTRY || automatic.kernel)
		return 5;
	for (int i = 0; i < SLOTS; i++)
		if (rets[i] != getppid())
			return 6;
	return 0;
}

static void an_entry_that_is_answered_by_others_is_given_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(answered) / sizeof(answered[0]); i++) {
		int status = in_child(enter_and_be_refused, &answered[i]);

		if (status)
			fail_msg("row %zu: check %d", i, status);
	}
}

/* Open an instance that finds nothing on this machine, and give it the stand-in for a kernel of five slots or more. */
static void open_on_fake(struct batch_auto_executor *automatic, int (*open_it)(struct batch_auto_executor *automatic))
{
	setenv("BATCH_EMUL", "1", 1);
	assert_int_equal(open_it(automatic), 0);
	unsetenv("BATCH_EMUL");
	automatic->kernel = &fake;
	automatic->kernel_slots_min = 5;
}

/* Short batches are not for it; one that it refuses is run otherwise, and so are the next ones, without asking. */
static void auto_asks_it_and_spares_it_after_a_refusal(void **state)
{
	struct batch_auto_executor automatic;

	(void)state;
	open_on_fake(&automatic, batch_auto_open);
	answer = 3;
	assert_int_equal(batch_run(&automatic.executor, rets, slots, 4, 0, NULL), 3);
	assert_int_equal(asked, 0);
	assert_int_equal(rets[3], getppid());
	assert_int_equal(batch_run(&automatic.executor, rets, slots, 5, 0, NULL), 3);
	assert_int_equal(asked, 1);
	answer = -EOPNOTSUPP;
	for (int i = 0; i < 1 + REST_BATCHES; i++)
		assert_int_equal(batch_run(&automatic.executor, rets, slots, 5, 0, NULL), 4);
	assert_int_equal(asked, 2);
	assert_int_equal(automatic.kernel_reason, BATCH_REASON_WATCHED);
	assert_int_equal(rets[4], getppid());
	answer = 2;
	assert_int_equal(batch_run(&automatic.executor, rets, slots, 5, 0, NULL), 2);
	assert_int_equal(asked, 3);
	batch_auto_close(&automatic);
}

/*
 * What saves an entry is a call: a word copy within the batch is none on `loop`, one between other words is one there
 * too.
 */
static void auto_counts_calls_not_word_copies(void **state)
{
	struct batch_auto_executor automatic;
	long words[2] = { 0, 7 };

	(void)state;
	open_on_fake(&automatic, batch_auto_open_without_uring);
	answer = 3;
	for (int i = 4; i < SLOTS - 1; i++)
		slots[i] = scall2(wdcpy, 0, 0, 0, &slots[3].arg[5], &rets[0]);
	assert_int_equal(batch_run(&automatic.executor, rets, slots, SLOTS - 1, 0, NULL), SLOTS - 2);
	assert_int_equal(asked, 0);
	assert_int_equal(batch_run(&automatic.executor, rets, slots, SLOTS, 0, NULL), 3);
	assert_int_equal(asked, 1);
	slots[4] = scall2(wdcpy, 0, 0, 0, &words[0], &words[1]);
	assert_int_equal(batch_run(&automatic.executor, rets, slots, 5, 0, NULL), 3);
	assert_int_equal(asked, 2);
	batch_auto_close(&automatic);
}

static void *run_shared(void *automatic)
{
	struct batch_slot own[8];
	long results[8] = { 0 }, last = 7;

	for (int i = 0; i < 8; i++)
		own[i] = scall0(getppid, 0, 0, 0);
	for (int i = 0; i < 1000 && last == 7; i++)
		last = batch_run(&((struct batch_auto_executor *)automatic)->executor, results, own, 8, 0, NULL);
	return last == 7 && results[7] == getppid() ? automatic : NULL;
}

/* All of them are refused by the kernel now and then, and none loses a call by it. */
static void threads_share_an_instance_without_a_ring(void **state)
{
	struct batch_auto_executor automatic;
	pthread_t threads[4];
	void *fine;

	(void)state;
	assert_int_equal(batch_auto_open_without_uring(&automatic), 0);
	assert_null(automatic.uring.state);
	automatic.kernel = &fake;
	answer = -EOPNOTSUPP;
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_shared, &automatic), 0);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i], &fine), 0);
		assert_non_null(fine);
	}
	assert_int_equal(automatic.kernel_reason, BATCH_REASON_WATCHED);
	batch_auto_close(&automatic);
}

/* What batch_auto_open() writes to standard error. */
static void said(char *text, size_t bytes)
{
	struct batch_auto_executor automatic;
	int ends[2], saved = dup(2);
	ssize_t got;

	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 2);
	batch_auto_open(&automatic);
	batch_auto_close(&automatic);
	dup2(saved, 2);
	close(saved);
	close(ends[1]);
	got = read(ends[0], text, bytes - 1);
	close(ends[0]);
	text[got < 0 ? 0 : got] = '\0';
}

static void it_is_said_what_was_chosen(void **state)
{
	char text[128];

	(void)state;
	said(text, sizeof(text));
	assert_string_equal(text, "");
	setenv("BATCH_VERBOSE", "1", 1);
	setenv("BATCH_EMUL", "1", 1);
	said(text, sizeof(text));
	unsetenv("BATCH_EMUL");
	assert_string_equal(text, "ferry: auto: loop\n");
	said(text, sizeof(text));
	unsetenv("BATCH_VERBOSE");
	assert_memory_equal(text, "ferry: auto: ", 13);
	assert_non_null(strstr(text, "loop\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(emulation_makes_it_unavailable, fill),
		cmocka_unit_test_setup(open_finds_a_way_or_says_why_not, fill),
		cmocka_unit_test_setup(a_refusal_under_way_has_a_reason, fill),
		cmocka_unit_test_setup(an_entry_that_is_answered_by_others_is_given_up, fill),
		cmocka_unit_test_setup(auto_asks_it_and_spares_it_after_a_refusal, fill),
		cmocka_unit_test_setup(auto_counts_calls_not_word_copies, fill),
		cmocka_unit_test_setup(threads_share_an_instance_without_a_ring, fill),
		cmocka_unit_test_setup(it_is_said_what_was_chosen, fill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
