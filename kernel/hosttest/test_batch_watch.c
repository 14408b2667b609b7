// SPDX-License-Identifier: GPL-2.0-only
/*
 * The batch core and those who watch system calls: each call of a batch is shown to the watchers that can be shown one,
 * and one that a filter does not allow is handed back, not made.
 */
#include "core_run.h"

#define NR_READ 0
#define NR_IOCTL 16
#define NR_EXECVE 59
#define NR_MKDIR 83

static struct batch_resume resume;

static bool allows_no_mkdir(unsigned int nr, const struct pt_regs *regs)
{
	(void)regs;
	return nr != NR_MKDIR;
}

/* Forbids by an argument, which the filter is shown as the call would have it. */
static bool allows_no_7(unsigned int nr, const struct pt_regs *regs)
{
	(void)nr;
	return regs->r9 != 7;
}

static int fresh_filter(void **state)
{
	fresh(state);
	host.thread.syscall_work = HOST_FILTER;
	host.allows = allows_no_mkdir;
	resume = (struct batch_resume){ 0 };
	return 0;
}

static long run(u64 count)
{
	return batch_core_run(slots, rets, count, 0, &resume);
}

static void a_filter_is_asked_about_each_call(void **state)
{
	(void)state;
	assert_int_equal(run(8), 7);
	assert_int_equal(calls.count, 8);
	assert_int_equal(host.asked, 8);
	assert_int_equal(host.shown, 8);
	assert_int_equal(host.watch_begun, 1);
	assert_int_equal(host.watch_ended, 1);
	assert_int_equal(resume.slot, 0);
}

static void who_is_not_watched_is_shown_to_nobody(void **state)
{
	(void)state;
	host.thread.syscall_work = 0;
	assert_int_equal(run(8), 7);
	assert_int_equal(host.asked + host.shown + host.watch_begun + host.watch_ended, 0);
}

static void a_call_that_is_not_allowed_is_handed_back(void **state)
{
	(void)state;
	for (int at = 0; at < 8; at++) {
		fresh_filter(NULL);
		slots[at] = (struct batch_slot){ .nr = NR_MKDIR,
						 .jump_fail = 3,
						 .arg = { 1, 2, 3, 4, 5, 6 } };
		assert_int_equal(run(8), -EOPNOTSUPP);
		assert_int_equal(calls.count, at);
		assert_int_equal(rets[at], UNTOUCHED);
		if (at)
			assert_int_equal(rets[at - 1], 0);
		assert_int_equal(resume.slot, at + 1);
		assert_int_equal(resume.how, BATCH_RESUME_DIRECT);
		assert_memory_equal(&resume.call, &slots[at], sizeof(resume.call));
		assert_int_equal(host.watch_begun, host.watch_ended);
	}
}

/* A caller without a struct batch_resume is answered as when a watcher comes that batches are not shown to. */
static void without_a_place_to_keep_it_the_run_ends_before_it(void **state)
{
	(void)state;
	for (int at = 0; at < 8; at++) {
		fresh_filter(NULL);
		slots[at].nr = NR_MKDIR;
		assert_int_equal(core_run(slots, rets, 8, 0), at ? more(at) : -EOPNOTSUPP);
		assert_int_equal(calls.count, at);
	}
}

static void a_filter_sees_the_arguments(void **state)
{
	(void)state;
	host.allows = allows_no_7;
	for (int i = 0; i < 8; i++)
		slots[i].arg[5] = i * 7;
	assert_int_equal(run(8), -EOPNOTSUPP);
	assert_int_equal(resume.slot, 2);
	assert_int_equal(resume.call.arg[5], 7);
}

/* No filter is asked about what is no call. */
static void what_is_not_made_is_not_asked_about(void **state)
{
	const struct batch_run nested = { 0 };
	long from = 5, to = 0;

	(void)state;
	slots[0] = (struct batch_slot){ .nr = BATCH_WORD_COPY, .arg = { (long)&to, (long)&from } };
	slots[1].nr = NR_EXECVE;
	slots[2].nr = -1;
	slots[3].nr = SHRT_MAX;
	slots[4] =
		(struct batch_slot){ .nr = NR_IOCTL, .arg = { 3, BATCH_IOC_RUN, (long)&nested } };
	assert_int_equal(run(5), 4);
	assert_int_equal(to, 5);
	assert_int_equal(host.asked + calls.count, 0);
	/* an ioctl that is made is asked about */
	slots[0] = (struct batch_slot){ .nr = NR_IOCTL, .arg = { 3, 0 } };
	assert_int_equal(run(1), 0);
	assert_int_equal(host.asked, 1);
	assert_int_equal(host.shown, 1);
}

static void filter_from(u64 address)
{
	if (address == watched_at)
		host.thread.syscall_work |= HOST_FILTER;
}

/* Another thread puts up a filter while a fault of a slot is answered: that slot is the first it is asked about. */
static void a_filter_that_comes_is_asked_from_the_next_call_on(void **state)
{
	(void)state;
	for (int at = 0; at < 8; at++) {
		fresh_filter(NULL);
		host.thread.syscall_work = 0;
		slots[at].nr = NR_MKDIR;
		watched_at = (u64)&slots[at];
		host.loaded = filter_from;
		assert_int_equal(run(8), at ? more(at) : -EOPNOTSUPP);
		assert_int_equal(calls.count, at);
		assert_int_equal(host.asked, !at);
		assert_int_equal(resume.slot, !at);
		assert_int_equal(rets[at], UNTOUCHED);
		/* a call that it allows is made */
		fresh_filter(NULL);
		host.thread.syscall_work = 0;
		host.loaded = filter_from;
		assert_int_equal(run(8), at ? more(at) : 7);
		assert_int_equal(calls.count, at ? at : 8);
	}
}

/* What stops a task at its calls ends a run that a filter is asked in. */
static void another_watcher_that_comes_ends_the_run(void **state)
{
	(void)state;
	for (int at = 0; at < 8; at++) {
		fresh_filter(NULL);
		watched_at = (u64)&slots[at];
		host.loaded = watch_from;
		assert_int_equal(run(8), at ? more(at) : -EOPNOTSUPP);
		assert_int_equal(calls.count, at);
		assert_int_equal(resume.slot, 0);
		assert_int_equal(host.watch_begun, host.watch_ended);
	}
}

static void what_waits_ends_the_run_of_a_watched_task(void **state)
{
	(void)state;
	calls.set_flags_at = 2;
	calls.flags = _TIF_SIGPENDING;
	assert_int_equal(run(8), more(3));
	assert_int_equal(calls.count, 3);
	fresh_filter(NULL);
	calls.set_flags_at = 2;
	calls.flags = _TIF_NEED_RESCHED;
	assert_int_equal(run(8), 7);
	assert_int_equal(host.scheduled, 1);
}

/* A call that is begun again is asked about again, as the entry code does. */
static void a_call_that_is_begun_again_is_asked_about_again(void **state)
{
	(void)state;
	slots[2].nr = NR_READ;
	calls.results[2] = -ERESTARTSYS;
	calls.set_flags_at = 2;
	calls.flags = _TIF_SIGPENDING;
	assert_int_equal(run(4), -ERESTARTSYS);
	assert_int_equal(resume.slot, 3);
	host.thread.flags = 0;
	assert_int_equal(run(4), 3);
	assert_int_equal(host.asked, 5);
	assert_int_equal(calls.count, 5);
	/* and may have been forbidden meanwhile */
	fresh_filter(NULL);
	slots[2].nr = NR_READ;
	calls.results[2] = -ERESTARTSYS;
	calls.set_flags_at = 2;
	calls.flags = _TIF_SIGPENDING;
	assert_int_equal(run(4), -ERESTARTSYS);
	host.thread.flags = 0;
	host.allows = allows_no_7;
	resume.call.arg[5] = 7;
	assert_int_equal(run(4), -EOPNOTSUPP);
	assert_int_equal(resume.slot, 3);
	assert_int_equal(resume.how, BATCH_RESUME_DIRECT);
	assert_int_equal(calls.count, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_filter_is_asked_about_each_call, fresh_filter),
		cmocka_unit_test_setup(who_is_not_watched_is_shown_to_nobody, fresh_filter),
		cmocka_unit_test_setup(a_call_that_is_not_allowed_is_handed_back, fresh_filter),
		cmocka_unit_test_setup(without_a_place_to_keep_it_the_run_ends_before_it,
				       fresh_filter),
		cmocka_unit_test_setup(a_filter_sees_the_arguments, fresh_filter),
		cmocka_unit_test_setup(what_is_not_made_is_not_asked_about, fresh_filter),
		cmocka_unit_test_setup(a_filter_that_comes_is_asked_from_the_next_call_on,
				       fresh_filter),
		cmocka_unit_test_setup(another_watcher_that_comes_ends_the_run, fresh_filter),
		cmocka_unit_test_setup(what_waits_ends_the_run_of_a_watched_task, fresh_filter),
		cmocka_unit_test_setup(a_call_that_is_begun_again_is_asked_about_again,
				       fresh_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
