// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that a signal interrupts, or whose results cannot be stored, on the batch core in user space: what is kept of
 * them, what a run that is begun again makes of that, and what becomes of hostile memory in its place. That each call
 * then is what it would be by itself is for a kernel to say: kernel/selftests/root_resume.c.
 */
#include "core_run.h"

static struct batch_resume resume;

/* Run 8 slots, of which slot `at` gives a code with a signal pending. */
static long interrupted_at(int at, long code)
{
	fresh(NULL);
	memset(&resume, 0, sizeof(resume));
	calls.results[at] = code;
	calls.set_flags_at = (unsigned long)at;
	calls.flags = _TIF_SIGPENDING;
	for (int i = 0; i < BATCH_ARGS_MAX; i++)
		slots[at].arg[i] = 10 + i;
	slots[at].argc = BATCH_ARGS_MAX;
	slots[at].jump_fail = -3;
	slots[at].jump_positive = 2;
	return batch_core_run(slots, rets, 8, 0, &resume);
}

/* The run ends with the code, and keeps the slot. */
static void an_interrupted_call_ends_the_run_with_its_code(void **state)
{
	static const long codes[] = { -ERESTARTSYS, -ERESTARTNOINTR, -ERESTARTNOHAND,
				      -ERESTART_RESTARTBLOCK };

	(void)state;
	for (int at = 0; at < 8; at += 3) {
		for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
			struct batch_slot then;

			assert_int_equal(interrupted_at(at, codes[i]), codes[i]);
			assert_int_equal(calls.count, at + 1);
			assert_int_equal(resume.slot, at + 1);
			assert_int_equal(resume.how, codes[i] == -ERESTART_RESTARTBLOCK
							     ? BATCH_RESUME_RESULT
							     : 0);
			then = slots[at];
			then.argc = 0;
			assert_memory_equal(&resume.call, &then, sizeof(then));
			assert_int_equal(rets[at], UNTOUCHED);
			if (at)
				assert_int_equal(rets[at - 1], 0);
		}
	}
}

/* Nothing is pending that the entry code could handle, or nobody can be told: the code is not for user space. */
static void a_code_that_cannot_be_kept_is_not_seen(void **state)
{
	struct batch_resume *read_only = at_the_edge(PAGE);

	(void)state;
	interrupted_at(2, -ENOIOCTLCMD);
	assert_int_equal(rets[2], -ENOIOCTLCMD);
	assert_int_equal(resume.slot, 0);

	fresh(NULL);
	calls.results[2] = -ERESTARTSYS;
	assert_int_equal(batch_core_run(slots, rets, 8, 0, &resume), 7);
	assert_int_equal(rets[2], -EINTR);
	assert_int_equal(resume.slot, 0);

	assert_int_equal(mprotect(read_only, PAGE, PROT_READ), 0);
	fresh(NULL);
	calls.results[2] = -ERESTARTSYS;
	calls.set_flags_at = 2;
	calls.flags = _TIF_SIGPENDING;
	assert_int_equal(batch_core_run(slots, rets, 8, 0, read_only), more(3));
	assert_int_equal(rets[2], -EINTR);
	assert_int_equal(read_only->slot, 0);
}

static long seen_arg;

static long see_arg(unsigned int nr, const struct pt_regs *regs)
{
	if (!calls.count)
		seen_arg = (long)regs->r9;
	return call(nr, regs);
}

/* The entry code begins the run again with the same arguments, when other calls have been written to the slots. */
static void a_run_that_is_begun_again_takes_up_the_call(void **state)
{
	(void)state;
	for (int at = 0; at < 8; at++) {
		interrupted_at(at, -ERESTARTSYS);
		slots[at].arg[5] = 99;
		slots[at].jump_positive = BATCH_STOP;
		slots[0].argc = 255;
		host = (struct host){ .call = see_arg };
		calls.count = 0;
		calls.set_flags_at = SLOTS;
		calls.results[0] = 5;
		calls.results[at] = at ? 0 : 5;
		assert_int_equal(batch_core_run(slots, rets, 8, 0, &resume), at < 5 ? 7 : at);
		assert_int_equal(resume.slot, 0);
		assert_int_equal(rets[at], 5);
		assert_int_equal(seen_arg, 15);
		/* it jumped over two */
		assert_int_equal(calls.count, at < 5 ? 8 - at - 2 : 1);
		if (at < 6)
			assert_int_equal(rets[at + 1], UNTOUCHED);
		assert_int_equal(host.checks, 0);
	}
}

/* A call that is taken up is looked at as any other; it is not there to be taken up twice. */
static void a_call_that_is_taken_up_may_be_refused(void **state)
{
	(void)state;
	for (int at = 0; at < 8; at++) {
		interrupted_at(at, -ERESTARTSYS);
		host = (struct host){ .call = call, .thread.syscall_work = 1 };
		assert_int_equal(batch_core_run(slots, rets, 8, 0, &resume), -EOPNOTSUPP);
		assert_int_equal(resume.slot, at + 1);

		watched_at = (u64)&resume.call;
		host = (struct host){ .call = call, .loaded = watch_from };
		assert_int_equal(batch_core_run(slots, rets, 8, 0, &resume),
				 at ? more(at) : -EOPNOTSUPP);
		assert_int_equal(resume.slot, 0);
		assert_int_equal(calls.count, at + 1);

		resume.slot = (u32)at + 1;
		resume.call.nr = 57; /* fork */
		host = (struct host){ .call = call };
		batch_core_run(slots, rets, 8, 0, &resume);
		assert_int_equal(rets[at], -ENOSYS);
	}
}

static void what_cannot_be_taken_up_is_refused(void **state)
{
	static const struct {
		u32 slot, how;
		long code;
	} table[] = { { 9, 0, -EINVAL },
		      { UINT32_MAX, 0, -EINVAL },
		      { 0x80000000, 0, -EINVAL },
		      { 1, BATCH_RESUME_RESULT, -EINVAL },
		      { 1, BATCH_RESUME_UNSTORED, -EINVAL },
		      { 1, 4, -EINVAL },
		      { 8, 0, 7 } };

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		fresh(NULL);
		resume = (struct batch_resume){ table[i].slot, table[i].how, slots[0], 0 };
		assert_int_equal(batch_core_run(slots, rets, 8, 0, &resume), table[i].code);
		assert_int_equal(calls.count, table[i].code >= 0);
	}
	fresh(NULL);
	assert_int_equal(batch_core_run(slots, rets, 8, 0, (void *)((char *)&resume + 4)), -EINVAL);
	assert_int_equal(batch_core_run(slots, rets, 8, 0, (void *)8), -EFAULT);
	assert_int_equal(batch_core_run(slots, rets, 8, 0, (void *)0xffff888000000000UL), -EFAULT);
	assert_int_equal(host.checks + host.loads + calls.count, 0);
}

static long write_over_it(unsigned int nr, const struct pt_regs *regs)
{
	slots[calls.count].jump_positive = BATCH_STOP;
	return call(nr, regs);
}

/*
 * The result of slot `at` has no place: its call has been made once, and is handed back with what it gave and the jumps
 * that it had. So it is for the last slot, of a run from the beginning or one that takes up a slot.
 */
static void a_result_that_cannot_be_stored_is_handed_back(void **state)
{
	long *read_only = at_the_edge(PAGE);

	(void)state;
	assert_int_equal(mprotect(read_only, PAGE, PROT_READ), 0);
	for (int at = 0; at < 8; at++) {
		for (int taken_up = 0; taken_up <= at; taken_up += 3) {
			const struct batch_slot then = { .nr = NR_GETPPID, .jump_positive = 5 };

			fresh(NULL);
			resume = (struct batch_resume){ (u32)taken_up, 0, slots[0], 0 };
			host.call = write_over_it;
			slots[at].jump_positive = 5;
			slots[at].argc = 1;
			calls.count = taken_up ? (unsigned long)taken_up - 1 : 0;
			calls.results[at] = LONG_MAX - 1;
			assert_int_equal(batch_core_run(slots, read_only - at, 8, 0, &resume),
					 -EFAULT);
			assert_int_equal(calls.count, at + 1);
			assert_int_equal(resume.slot, at + 1);
			assert_int_equal(resume.how, BATCH_RESUME_UNSTORED);
			assert_int_equal(resume.result, LONG_MAX - 1);
			assert_memory_equal(&resume.call, &then, sizeof(then));
			assert_int_equal(*read_only, 0);
		}
	}
}

/* Nor can it be kept: what cannot be told is not made up. */
static void a_result_that_cannot_be_kept_is_not_handed_back(void **state)
{
	long *read_only = at_the_edge(PAGE);
	struct batch_resume *nowhere = (struct batch_resume *)(read_only + 1);

	(void)state;
	assert_int_equal(mprotect(read_only, PAGE, PROT_READ), 0);
	assert_int_equal(batch_core_run(slots, read_only, 8, 0, nowhere), -EFAULT);
	assert_int_equal(calls.count, 1);
	assert_int_equal(nowhere->slot, 0);
	assert_int_equal(batch_core_run(slots, read_only, 8, 0, NULL), -EFAULT);
	assert_int_equal(calls.count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(an_interrupted_call_ends_the_run_with_its_code, fresh),
		cmocka_unit_test_setup(a_code_that_cannot_be_kept_is_not_seen, fresh),
		cmocka_unit_test_setup(a_run_that_is_begun_again_takes_up_the_call, fresh),
		cmocka_unit_test_setup(a_call_that_is_taken_up_may_be_refused, fresh),
		cmocka_unit_test_setup(what_cannot_be_taken_up_is_refused, fresh),
		cmocka_unit_test_setup(a_result_that_cannot_be_stored_is_handed_back, fresh),
		cmocka_unit_test_setup(a_result_that_cannot_be_kept_is_not_handed_back, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
