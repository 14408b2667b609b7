// SPDX-License-Identifier: GPL-2.0-only
/*
 * The batch core in user space (kernel.h): what a test machine cannot be asked, such as how often a word was read, and
 * what takes many runs, such as random programs. What the results mean is tested by the vectors.
 */
#include "core_run.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#define PROGRAMS 20000
#define NR_READ 0
#define NR_IOCTL 16

static void a_batch_runs_to_its_end(void **state)
{
	(void)state;
	assert_int_equal(core_run(slots, rets, 10, 0), 9);
	assert_int_equal(calls.count, 10);
	assert_int_equal(host.loads, 10);
	assert_int_equal(host.checks, 10);
	assert_int_equal(rets[9], 0);
	assert_int_equal(rets[10], UNTOUCHED);
}

/* Each refusal reads nothing, and makes no call. */
static void refusals_come_before_anything_is_read(void **state)
{
	static const struct {
		u64 count, flags;
		long slots, rets; /* added to the addresses */
		long code;
	} table[] = {
		{ 0, 0, 0, 0, -EINVAL },
		{ BATCH_SLOTS_MAX + 1, 0, 0, 0, -E2BIG },
		{ (1UL << 61) + 1, 0, 0, 0, -E2BIG },
		{ 1UL << 63, 0, 0, 0, -E2BIG },
		{ UINT64_MAX, 0, 0, 0, -E2BIG },
		{ 1, 1, 0, 0, -EINVAL },
		{ 1, 1UL << 63, 0, 0, -EINVAL },
		{ 1, 0, 1, 0, -EINVAL },
		{ 1, 0, 0, 4, -EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(core_run((void *)((char *)slots + table[i].slots),
					  (void *)((char *)rets + table[i].rets), table[i].count,
					  table[i].flags),
				 table[i].code);
	assert_int_equal(core_run(NULL, rets, 1, 0), -EFAULT);
	assert_int_equal(core_run(slots, NULL, 1, 0), -EFAULT);
	assert_int_equal(host.checks + host.loads + calls.count, 0);
}

/* addresses of the kernel's half, and arrays that reach into it or wrap around */
static void arrays_outside_user_space_are_refused(void **state)
{
	static const unsigned long addresses[] = { 0xffff888000000000UL, 0x7fffffffeff8UL,
						   0x7ffffffff000UL, 0x8000000000000000UL,
						   0xfffffffffffffff8UL };

	(void)state;
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		assert_int_equal(core_run((void *)addresses[i], rets, BATCH_SLOTS_MAX, 0), -EFAULT);
		assert_int_equal(core_run(slots, (void *)addresses[i], BATCH_SLOTS_MAX, 0),
				 -EFAULT);
	}
	assert_int_equal(host.checks + host.loads + calls.count, 0);
}

static void argc_is_looked_at_in_every_slot_before_any_runs(void **state)
{
	(void)state;
	slots[0].jump_zero = BATCH_STOP;
	slots[63].argc = 255;
	assert_int_equal(core_run(slots, rets, SLOTS, 0), -EINVAL);
	assert_int_equal(calls.count, 0);
	slots[63].argc = BATCH_ARGS_MAX;
	assert_int_equal(core_run(slots, rets, SLOTS, 0), 0);
}

static void nothing_is_read_or_written_past_the_arrays(void **state)
{
	struct batch_slot *last_slots = at_the_edge(4 * sizeof(*slots));
	long *last_rets = at_the_edge(4 * sizeof(*rets));

	(void)state;
	memcpy(last_slots, slots, 4 * sizeof(*slots));
	last_slots[3].jump_zero = BATCH_JUMP_MAX;
	assert_int_equal(core_run(last_slots, last_rets, 4, 0), 3);
	assert_int_equal(calls.count, 4);
	assert_int_equal(core_run(last_slots, last_rets, 5, 0), -EFAULT);
	assert_int_equal(calls.count, 4);
}

static int unmap_with;
static struct batch_slot *mapped;

static void unmap_when_loading(u64 address)
{
	if (address == (u64)&mapped[1])
		mprotect(mapped, PAGE, unmap_with);
}

static void slots_that_go_away_end_the_run_with_the_results_so_far(void **state)
{
	(void)state;
	mapped = at_the_edge(2 * PAGE);
	memcpy(mapped, slots, sizeof(slots));
	unmap_with = PROT_NONE;
	host.loaded = unmap_when_loading;
	assert_int_equal(core_run(mapped, rets, 4, 0), more(1));
	assert_int_equal(calls.count, 1);
	assert_int_equal(rets[0], 0);
	assert_int_equal(rets[1], UNTOUCHED);
	assert_int_equal(core_run(mapped + 1, rets + 1, 3, 0), -EFAULT);
}

static void a_result_that_cannot_be_stored_ends_the_run(void **state)
{
	long *read_only = at_the_edge(PAGE);

	(void)state;
	assert_int_equal(mprotect(read_only, PAGE, PROT_READ), 0);
	assert_int_equal(core_run(slots, read_only, 1, 0), -EFAULT);
	assert_int_equal(calls.count, 1);
	assert_int_equal(core_run(slots, read_only - 1, 3, 0), -EFAULT);
	assert_int_equal(read_only[-1], 0);
	assert_int_equal(calls.count, 3);
}

static void every_number_but_those_of_the_list_is_not_made(void **state)
{
	unsigned long made = 0;

	(void)state;
	for (int nr = INT16_MIN; nr <= INT16_MAX; nr++) {
		calls.count = 0;
		slots[0].nr = (s16)nr;
		slots[0].arg[0] = slots[0].arg[1] = (long)&slots[1].arg[0];
		rets[0] = UNTOUCHED;
		assert_int_equal(core_run(slots, rets, 1, 0), 0);
		if (calls.count) {
			assert_int_equal(calls.numbers[0], nr);
			assert_int_equal(rets[0], 0);
			made++;
		} else {
			assert_int_equal(rets[0], nr == BATCH_WORD_COPY ? 0 : -ENOSYS);
		}
	}
	/* fork, execve, exit, rt_sigreturn, … and what has no number */
	assert_in_range(made, 350, 372);
}

static bool is_made(int nr)
{
	calls.count = 0;
	slots[0].nr = (s16)nr;
	assert_int_equal(core_run(slots, rets, 1, 0), 0);
	return calls.count == 1;
}

static void calls_that_alter_the_frame_are_not_made(void **state)
{
	/* rt_sigreturn clone fork vfork execve exit arch_prctl restart_syscall exit_group execveat clone3, batch */
	static const int denied[] = {
		15, 56, 57, 58, 59, 60, 158, 183, 219, 231, 322, 435, BATCH_SYSCALL_NR
	};

	(void)state;
	for (size_t i = 0; i < sizeof(denied) / sizeof(denied[0]); i++)
		assert_false(is_made(denied[i]));
	assert_true(is_made(NR_READ));
}

static void a_batch_inside_the_batch_is_not_made(void **state)
{
	(void)state;
	slots[0].arg[1] = BATCH_IOC_QUERY;
	assert_true(is_made(NR_IOCTL));
	slots[0].arg[1] = 0x5401;
	assert_true(is_made(NR_IOCTL));
	slots[0].arg[1] = BATCH_IOC_RUN;
	assert_false(is_made(NR_IOCTL));
	assert_int_equal(rets[0], -ENOSYS);
	slots[0].arg[1] = BATCH_IOC_RUN | 0x7fffffffL << 32;
	assert_false(is_made(NR_IOCTL));
	slots[0].arg[1] = _IOC(_IOC_READ, BATCH_IOC_MAGIC, _IOC_NR(BATCH_IOC_RUN), 4096);
	assert_false(is_made(NR_IOCTL));
}

static void codes_of_the_entry_code_are_not_seen(void **state)
{
	static const struct {
		long from, to;
	} table[] = { { -ERESTARTSYS, -EINTR },
		      { -ERESTARTNOINTR, -EINTR },
		      { -ERESTARTNOHAND, -EINTR },
		      { -ERESTART_RESTARTBLOCK, -EINTR },
		      { -ENOIOCTLCMD, -ENOIOCTLCMD },
		      { -511, -511 },
		      { -517, -517 },
		      { LONG_MIN, LONG_MIN },
		      { LONG_MAX, LONG_MAX } };

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		calls.count = 0;
		calls.results[0] = table[i].from;
		assert_int_equal(core_run(slots, rets, 1, 0), 0);
		assert_int_equal(rets[0], table[i].to);
	}
}

static void what_is_watched_is_refused_as_a_whole(void **state)
{
	(void)state;
	for (int bit = 0; bit < 64; bit++) {
		if (1UL << bit & HOST_SHOWN)
			continue;
		host.thread.syscall_work = 1UL << bit | (bit % 2 ? HOST_SHOWN : 0);
		assert_int_equal(core_run(slots, rets, 4, 0), -EOPNOTSUPP);
	}
	host.thread.syscall_work = 0;
	host.compat = true;
	assert_int_equal(core_run(slots, rets, 4, 0), -EOPNOTSUPP);
	assert_int_equal(calls.count + host.loads + host.checks, 0);
}

/* Another thread has this one watched while a fault of a slot is answered: the slot's call is not made. */
static void what_is_watched_while_a_slot_is_read_is_not_made(void **state)
{
	(void)state;
	for (int at = 0; at < 8; at++) {
		fresh(NULL);
		watched_at = (u64)&slots[at];
		host.loaded = watch_from;
		assert_int_equal(core_run(slots, rets, 8, 0), at ? more(at) : -EOPNOTSUPP);
		assert_int_equal(calls.count, at);
		assert_int_equal(rets[at], UNTOUCHED);

		fresh(NULL);
		host.checked = watch_from;
		assert_int_equal(core_run(slots, rets, 8, 0), -EOPNOTSUPP);
		assert_int_equal(calls.count, 0);
	}
}

/* Run 8 slots, with those bits set while slot `at` runs. */
static long run_with(unsigned long at, unsigned long flags, unsigned long work)
{
	fresh(NULL);
	calls.set_flags_at = at;
	calls.flags = flags;
	calls.work = work;
	return core_run(slots, rets, 8, 0);
}

static void what_waits_ends_the_run_after_the_slot(void **state)
{
	static const unsigned long flags[] = { _TIF_SIGPENDING, _TIF_NOTIFY_SIGNAL,
					       _TIF_NOTIFY_RESUME, _TIF_PATCH_PENDING,
					       _TIF_SIGPENDING | _TIF_NEED_RESCHED };

	(void)state;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		assert_int_equal(run_with(2, flags[i], 0), more(3));
		assert_int_equal(calls.count, 3);
		assert_int_equal(rets[2], 0);
		assert_int_equal(rets[3], UNTOUCHED);
		/* nothing is left to be run, so it has ended */
		assert_int_equal(run_with(7, flags[i], 0), 7);
	}
	assert_int_equal(run_with(2, 0, 1), more(3));
	assert_int_equal(run_with(7, 0, 1), 7);
}

static u64 signalled_at;

static void signal_from(u64 address)
{
	if (address == signalled_at)
		host.thread.flags |= _TIF_SIGPENDING;
}

/* A signal comes while a fault of a slot is answered: that slot's call waits until it is handled. */
static void what_comes_while_a_slot_is_read_is_before_its_call(void **state)
{
	(void)state;
	for (int at = 1; at < 8; at++) {
		fresh(NULL);
		signalled_at = (u64)&slots[at];
		host.loaded = signal_from;
		assert_int_equal(core_run(slots, rets, 8, 0), more(at));
		assert_int_equal(calls.count, at);
		assert_int_equal(rets[at - 1], 0);
		assert_int_equal(rets[at], UNTOUCHED);
	}
	/* but a run always gets on */
	fresh(NULL);
	signalled_at = (u64)&slots[0];
	host.loaded = signal_from;
	assert_int_equal(core_run(slots, rets, 8, 0), more(1));
	assert_int_equal(calls.count, 1);
}

static void the_processor_is_given_up_where_that_is_asked_for(void **state)
{
	(void)state;
	assert_int_equal(run_with(2, _TIF_NEED_RESCHED, 0), 7);
	assert_int_equal(host.scheduled, 1);
	assert_int_equal(calls.count, 8);
}

static unsigned long worked;
static unsigned long raised;

static bool work(void)
{
	worked++;
	host.thread.flags &= ~_TIF_NOTIFY_RESUME;
	host.thread.flags |= raised;
	return true;
}

static void a_front_end_that_can_does_the_work_between_slots(void **state)
{
	(void)state;
	fresh(NULL);
	worked = raised = 0;
	host.user_work = work;
	calls.set_flags_at = 2;
	calls.flags = _TIF_NOTIFY_RESUME;
	assert_int_equal(core_run(slots, rets, 8, 0), 7);
	assert_int_equal(worked, 1);
	/* the work itself may bring a signal */
	fresh(NULL);
	raised = _TIF_SIGPENDING;
	host.user_work = work;
	calls.set_flags_at = 2;
	calls.flags = _TIF_NOTIFY_RESUME;
	assert_int_equal(core_run(slots, rets, 8, 0), more(3));
}

static void a_task_that_is_being_killed_leaves_the_check(void **state)
{
	const u64 count = BATCH_SLOTS_MAX;
	struct batch_slot *many = mmap(NULL, count * sizeof(*many), PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_ptr_not_equal(many, MAP_FAILED);
	host.fatal = true;
	assert_int_equal(core_run(many, rets, count, 0), -EINTR);
	assert_in_range(host.checks, 1, 10000);
	assert_int_equal(calls.count, 0);
	munmap(many, count * sizeof(*many));
}

/* R2 to R8 a second time. Returns what the run should; results go to rets. */
static long model(const struct batch_slot *program, long *results, long count)
{
	long last = 0, made = 0;

	for (long next = 0; next < count;) {
		const struct batch_slot *slot = &program[next];
		long result = slot->nr == NR_GETPPID ? calls.results[made++ % SLOTS] : -ENOSYS;
		long jump = result < 0 ? slot->jump_fail
			    : result   ? slot->jump_positive
				       : slot->jump_zero;

		last = next;
		results[next] = result;
		next = jump < 0 ? count : next + 1 + jump;
	}
	return last;
}

static s16 random_jump(void)
{
	static const s16 table[] = { 0, 0, 0, 1, 2, 3, 7, 40, -1, -2, INT16_MIN, INT16_MAX };

	return table[(unsigned long)random() % (sizeof(table) / sizeof(table[0]))];
}

static void random_programs_give_what_the_model_gives(void **state)
{
	long expected[SLOTS];

	(void)state;
	srandom(1);
	for (int program = 0; program < PROGRAMS; program++) {
		long count = 1 + random() % SLOTS;

		fresh(NULL);
		for (long i = 0; i < count; i++) {
			slots[i].nr = random() % 4 ? NR_GETPPID : (s16)(random() % 2 ? -1 : 600);
			slots[i].jump_fail = random_jump();
			slots[i].jump_zero = random_jump();
			slots[i].jump_positive = random_jump();
			calls.results[i] = random() % 3 - 1;
		}
		for (int i = 0; i < SLOTS; i++)
			expected[i] = UNTOUCHED;
		assert_int_equal(core_run(slots, rets, (u64)count, 0),
				 model(slots, expected, count));
		assert_memory_equal(rets, expected, sizeof(rets));
	}
}

/* no order: the thread may see it late */
static _Atomic bool stop_racing;

/* Write over all slots again and again, with what is good and what is not. */
static void *race(void *argument)
{
	unsigned int seed = 1;

	(void)argument;
	while (!stop_racing) {
		volatile struct batch_slot *slot = &slots[rand_r(&seed) % SLOTS];

		slot->nr = rand_r(&seed) & 1 ? NR_GETPPID : INT16_MIN;
		slot->argc = rand_r(&seed) % 64 ? 0 : 255;
		slot->jump_zero = (s16)rand_r(&seed);
		slot->jump_fail = (s16)rand_r(&seed);
	}
	return NULL;
}

static void slots_that_change_while_they_run_harm_nobody(void **state)
{
	pthread_t thread;

	(void)state;
	stop_racing = false;
	assert_int_equal(pthread_create(&thread, NULL, race, NULL), 0);
	for (int i = 0; i < 5000; i++) {
		long last;

		host.loads = 0;
		last = core_run(slots, rets, SLOTS, 0);
		assert_in_range(host.loads, 0, SLOTS);
		assert_true(last == -EINVAL || (last >= 0 && last < SLOTS));
	}
	stop_racing = true;
	pthread_join(thread, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_batch_runs_to_its_end, fresh),
		cmocka_unit_test_setup(refusals_come_before_anything_is_read, fresh),
		cmocka_unit_test_setup(arrays_outside_user_space_are_refused, fresh),
		cmocka_unit_test_setup(argc_is_looked_at_in_every_slot_before_any_runs, fresh),
		cmocka_unit_test_setup(nothing_is_read_or_written_past_the_arrays, fresh),
		cmocka_unit_test_setup(slots_that_go_away_end_the_run_with_the_results_so_far,
				       fresh),
		cmocka_unit_test_setup(a_result_that_cannot_be_stored_ends_the_run, fresh),
		cmocka_unit_test_setup(every_number_but_those_of_the_list_is_not_made, fresh),
		cmocka_unit_test_setup(calls_that_alter_the_frame_are_not_made, fresh),
		cmocka_unit_test_setup(a_batch_inside_the_batch_is_not_made, fresh),
		cmocka_unit_test_setup(codes_of_the_entry_code_are_not_seen, fresh),
		cmocka_unit_test_setup(what_is_watched_is_refused_as_a_whole, fresh),
		cmocka_unit_test_setup(what_is_watched_while_a_slot_is_read_is_not_made, fresh),
		cmocka_unit_test_setup(what_waits_ends_the_run_after_the_slot, fresh),
		cmocka_unit_test_setup(what_comes_while_a_slot_is_read_is_before_its_call, fresh),
		cmocka_unit_test_setup(the_processor_is_given_up_where_that_is_asked_for, fresh),
		cmocka_unit_test_setup(a_front_end_that_can_does_the_work_between_slots, fresh),
		cmocka_unit_test_setup(a_task_that_is_being_killed_leaves_the_check, fresh),
		cmocka_unit_test_setup(random_programs_give_what_the_model_gives, fresh),
		cmocka_unit_test_setup(slots_that_change_while_they_run_harm_nobody, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
