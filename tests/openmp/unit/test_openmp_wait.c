/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * src/openmp/waiting/wait.c: sleeps that end though nobody wakes; and team.c: where an oversubscribed team's threads
 * run.
 */
#include "openmp_tests.h"
#include "../../helpers/real_syscall.h"

#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/state/team_state.h"
#include "openmp/system/system.h"
#include "openmp/waiting/oversubscribed.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GIVEN_UP_S = 120, MEMBERS_MAX = 1024 };

/* ---- the system's part ------------------------------------------------------------------------------------------- */

/* The runtime's own calls arrive here. */
static _Atomic bool loses_wakes;
static _Atomic long sleeps, lost_wakes, moves;

/* The file that says how many threads of the system run has a descriptor that no other file has. */
enum { LOADAVG = 1 << 20 };

/* Nobody else is there, whatever else runs on the machine: among neighbours threads stay where they are. */
static long load_of_one(char *text, size_t bytes)
{
	static const char load[] = "0.00 0.00 0.00 1/1 1\n";

	memcpy(text, load, sizeof(load) < bytes ? sizeof(load) : bytes);
	return sizeof(load) - 1;
}

static long stand_in(long number, const long words[SYSCALL_WORDS])
{
	if (number == SYS_futex && (words[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
		sleeps++;
	if (number == SYS_futex && (words[1] & FUTEX_CMD_MASK) == FUTEX_WAKE && loses_wakes) {
		lost_wakes++;
		return 0;
	}
	if (number == SYS_openat && !strcmp((const char *)words[1], "/proc/loadavg"))
		return LOADAVG;
	if (number == SYS_read && words[0] == LOADAVG)
		return load_of_one((char *)words[1], (size_t)words[2]);
	if (number == SYS_close && words[0] == LOADAVG)
		return 0;
	return real_syscall(number, words);
}

/* Two on one processor, of which the first moves; what the second sees meanwhile. */
static struct omp__parker mover, left;
static _Atomic bool is_beside_mover;

/* Nobody goes anywhere: where threads run is what the tests say. */
int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set)
{
	(void)thread;
	(void)bytes;
	(void)set;
	is_beside_mover = thread__runner_is_beside(&left.runner, &mover.runner);
	moves++;
	return -1;
}

static void pause_ns(long ns)
{
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

/* ---- sleeps ------------------------------------------------------------------------------------------------------ */

static void until_asleep(struct omp__parker *parker)
{
	while (!omp__wait_sleeps(parker))
		pause_ns(100000);
	/* announced; the call follows */
	pause_ns(1000000);
}

/*
 * A barrier has no fence, so its waker may overlook a sleeper (barrier.c). Here the wake-up is lost on its way, which
 * is the same for who sleeps. Without the limit this does not end.
 */
static void who_sleeps_at_a_barrier_needs_nobody_to_wake_it(void **state)
{
	enum { WANTED = 10, ROUNDS = 1000 };

	(void)state;
	if (omp_get_num_procs() < 2)
		skip();
	lost_wakes = 0;
	alarm(GIVEN_UP_S);
#pragma omp parallel num_threads(2)
	/* who has just woken by the limit is not woken; both read the count between two barriers */
	for (int round = 0; round < ROUNDS && lost_wakes < WANTED; round++) {
		bool is_late = omp_get_thread_num() == round % 2;

		if (is_late) {
			until_asleep(&omp__member_of(omp__self())->team->members[1 - round % 2]->thread->parker);
			loses_wakes = true;
		}
#pragma omp barrier
		if (is_late)
			loses_wakes = false;
#pragma omp barrier
	}
	alarm(0);
	assert_int_equal(lost_wakes, WANTED);
}

static struct omp__parker parker;
static _Atomic bool is_over;

static void *end_without_waking(void *unused)
{
	(void)unused;
	while (sleeps < 4)
		pause_ns(100000);
	is_over = true;
	return NULL;
}

/* Who waits for long looks less and less often. */
static void sleeps_with_a_limit_grow_longer(void **state)
{
	struct omp__wait wait = omp__wait_begin(&parker, NULL, NULL);
	pthread_t other;

	(void)state;
	wait.limit_ns = OMP__WAIT_LIMIT_NS;
	sleeps = 0;
	assert_int_equal(pthread_create(&other, NULL, end_without_waking, NULL), 0);
	alarm(GIVEN_UP_S);
	while (!is_over)
		omp__wait_step(&wait);
	omp__wait_end(&wait);
	alarm(0);
	pthread_join(other, NULL);
	assert_in_range(wait.limit_ns, OMP__WAIT_LIMIT_NS * 8, OMP__WAIT_LIMIT_MAX_NS * 2);
	assert_false(omp__wait_sleeps(&parker));
}

/* ---- signals, and tasks ------------------------------------------------------------------------------------------ */

static _Atomic unsigned handled;

static void count_signal(int number)
{
	(void)number;
	handled++;
}

static void *interrupt_and_end(void *thread)
{
	enum { SIGNALS = 100 };
	const pthread_t *sleeper = thread;

	until_asleep(&parker);
	for (unsigned i = 0; i < SIGNALS; i++) {
		pthread_kill(*sleeper, SIGUSR2);
		while (handled <= i)
			pause_ns(100000);
		pause_ns(300000);
	}
	is_over = true;
	omp__wait_fence();
	omp__wait_wake(&parker);
	return NULL;
}

/* One that spun again after each signal would use a processor for as long as it waits. */
__attribute__((unused)) static void a_signal_does_not_make_a_sleeper_spin(void **state)
{
	static const int flags[] = { 0, SA_RESTART };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct sigaction action = { .sa_handler = count_signal, .sa_flags = flags[i] };
		struct omp__wait wait = omp__wait_begin(&parker, NULL, NULL);
		pthread_t self = pthread_self(), other;

		handled = 0;
		is_over = false;
		sleeps = 0;
		assert_int_equal(sigaction(SIGUSR2, &action, NULL), 0);
		assert_int_equal(pthread_create(&other, NULL, interrupt_and_end, &self), 0);
		alarm(GIVEN_UP_S);
		for (unsigned asleep = 0; !is_over; asleep += wait.state == OMP__WAIT_PARKING) {
			/* marked, and woken: it is in each once; on one processor it first takes its eager looks */
			assert_true(asleep <= OMP__WAIT_EAGER + 2);
			omp__wait_step(&wait);
		}
		omp__wait_end(&wait);
		alarm(0);
		pthread_join(other, NULL);
	}
}

static void *storm(void *unused)
{
	(void)unused;
	while (!is_over) {
		kill(getpid(), SIGUSR2);
		pause_ns(200000);
	}
	return NULL;
}

/* Whichever thread gets them; in regions, at barriers, and between regions for long enough to sleep. */
__attribute__((unused)) static void regions_are_as_before_while_signals_come(void **state)
{
	struct sigaction action = { .sa_handler = count_signal };
	long count = 0;
	pthread_t other;

	(void)state;
	handled = 0;
	is_over = false;
	assert_int_equal(sigaction(SIGUSR2, &action, NULL), 0);
	assert_int_equal(pthread_create(&other, NULL, storm, NULL), 0);
	alarm(GIVEN_UP_S);
	for (int size = 2; size <= 6; size += 2) {
		for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(size) reduction(+ : count)
			for (int k = 0; k < 20; k++) {
				if (omp_get_thread_num() == k % size)
					pause_ns(k % 10 ? 1000 : 1000000);
#pragma omp barrier
				count++;
			}
			pause_ns(i % 5 ? 1000 : 2000000);
		}
	}
	is_over = true;
	pthread_join(other, NULL);
	alarm(0);
	assert_int_equal(count, 20 * 20 * (2 + 4 + 6));
	assert_true(handled > 0);
}

static _Atomic int ran_with_excess;
static _Atomic bool ran_parked;

/* The look before a sleep may find a task. Its own waits would mark the parker a second time, and count so. */
static void a_thread_that_finds_a_task_before_it_sleeps_is_awake(void **state)
{
	_Atomic bool is_created = false, is_done = false;

	(void)state;
	if (omp_get_num_procs() < 2)
		skip();
	ran_with_excess = INT_MIN;
	alarm(GIVEN_UP_S);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
#pragma omp task
		{
			ran_parked = omp__wait_sleeps(&omp__self()->parker) || omp__self()->parker.parking;
			ran_with_excess = atomic_load(&omp__awake_excess);
		}
		is_created = true;
		while (!is_done)
			pause_ns(100000);
	} else {
		struct omp__thread *self = omp__self();
		struct omp__wait wait;
		int before;

		/* and until the workers of larger teams sleep, which are counted too */
		while (!is_created || atomic_load(&omp__awake_excess) > 2 - (int)omp__system_processors())
			pause_ns(100000);
		wait = omp__wait_begin(&self->parker, NULL, &wait);
		before = atomic_load(&omp__awake_excess);
		while (wait.state != OMP__WAIT_PARKING)
			omp__wait_step(&wait);
		if (atomic_load(&omp__awake_excess) != before - 1 || !omp__tasks_help(self))
			abort();
		if (wait.state != OMP__WAIT_SPINNING || ran_with_excess != before ||
		    atomic_load(&omp__awake_excess) != before)
			abort();
		omp__wait_end(&wait);
		if (atomic_load(&omp__awake_excess) != before)
			abort();
		is_done = true;
	}
	alarm(0);
	assert_false(ran_parked);
}

/* ---- where an oversubscribed team runs --------------------------------------------------------------------------- */

/* What every member's processor is said to be: the first `together` of them share one, the rest have one each. */
static void say_where(struct omp__team *team, unsigned together)
{
	static _Atomic uint32_t words[MEMBERS_MAX];

	for (unsigned i = 0; i < team->size; i++) {
		words[i] = i < together ? 0 : i;
		atomic_store(&team->members[i]->thread->parker.runner.cpu, (const volatile uint32_t *)&words[i]);
	}
}

static void open_region(unsigned size)
{
#pragma omp parallel num_threads(size)
	__asm__ volatile("" ::: "memory");
}

/* With more members than processors none of these has more than its share, and one has all. */
static void a_member_leaves_a_processor_with_more_than_its_share(void **state)
{
	enum { INTERVAL_NS = 2000000 };
	unsigned processors = (unsigned)omp_get_num_procs(), size = 2 * processors;
	const volatile uint32_t *own = thread__cpu_word();
	struct omp__team *team;
	uint64_t first, second;

	(void)state;
	if (processors < 2 || size > MEMBERS_MAX || !own)
		skip();
	open_region(size);
	team = omp__self()->hot_first;
	assert_true(team->oversubscribed);
	say_where(team, size / processors);
	atomic_store(&team->spread_ns, 0);
	for (int i = 0; i < 20; i++)
		open_region(size);
	assert_int_equal(team->spread_ns, 0);
	say_where(team, size);
	alarm(GIVEN_UP_S);
	moves = 0;
	while ((first = team->spread_ns) == 0)
		open_region(size);
	assert_true(moves > 0);
	while ((second = team->spread_ns) == first)
		open_region(size);
	alarm(0);
	assert_true(second - first >= INTERVAL_NS);
}

/* Or it would go after it, and they would share the next processor. */
static void who_is_left_does_not_see_itself_beside_one_that_moves(void **state)
{
	enum { LOOKS = 1000 };
	static const volatile uint32_t processor;
	struct omp__wait wait = omp__wait_begin(&mover, &left, NULL);

	(void)state;
	if (omp_get_num_procs() < 2)
		skip();
	atomic_store(&mover.runner.cpu, &processor);
	atomic_store(&left.runner.cpu, &processor);
	assert_true(thread__runner_is_beside(&left.runner, &mover.runner));
	moves = 0;
	/* it fails, and does not sleep for ever, where more threads are awake than there are processors */
	wait.limit_ns = OMP__WAIT_LIMIT_NS;
	for (int i = 0; i < LOOKS && moves == 0; i++)
		omp__wait_step(&wait);
	omp__wait_end(&wait);
	assert_true(moves > 0);
	assert_false(is_beside_mover);
	assert_true(thread__runner_is_beside(&left.runner, &mover.runner));
}

/* The child is one thread that is awake, wherever it forked: with one more it would hold itself for oversubscribed. */
static void a_forked_child_counts_itself_once(void **state)
{
	int status = -1;

	(void)state;
#pragma omp parallel num_threads(2)
#pragma omp master
	{
		pid_t child = fork();

		if (child == 0)
			_exit(atomic_load(&omp__awake_excess) == 1 - (int)omp__system_processors() ? 0 : 1);
		if (waitpid(child, &status, 0) != child)
			abort();
	}
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_sleeps_at_a_barrier_needs_nobody_to_wake_it),
		cmocka_unit_test(sleeps_with_a_limit_grow_longer),
		cmocka_unit_test(who_is_left_does_not_see_itself_beside_one_that_moves),
		cmocka_unit_test(a_member_leaves_a_processor_with_more_than_its_share),
		cmocka_unit_test(a_forked_child_counts_itself_once),
		cmocka_unit_test(a_thread_that_finds_a_task_before_it_sleeps_is_awake),
#ifndef __SANITIZE_THREAD__ /* it holds signals back while a thread sleeps on a futex */
		cmocka_unit_test(a_signal_does_not_make_a_sleeper_spin),
		/* last: its workers are still awake when it ends */
		cmocka_unit_test(regions_are_as_before_while_signals_come),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
