/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * src/openmp/waiting/wait.c: sleeps that end though nobody wakes; and team.c: where an oversubscribed team's threads
 * run.
 */
#include "openmp_tests.h"

#include "openmp/process/initial_thread.h"
#include "openmp/system/system.h"
#include "openmp/state/team_state.h"
#include "openmp/waiting/oversubscribed.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GIVEN_UP_S = 120, MEMBERS_MAX = 1024 };

/* ---- the system's part -------------------------------------------------------------------------------------------
 */

/* The runtime's own calls arrive here. */
static _Atomic bool loses_wakes;
static _Atomic long sleeps, lost_wakes, moves;

long syscall(long number, ...)
{
	static long (*_Atomic real)(long, ...);
	long words[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_futex && (words[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
		sleeps++;
	if (number == SYS_futex && (words[1] & FUTEX_CMD_MASK) == FUTEX_WAKE && loses_wakes) {
		lost_wakes++;
		return 0;
	}
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
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

/* ---- sleeps ------------------------------------------------------------------------------------------------------
 */

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

/* ---- where an oversubscribed team runs ------------------------------------------------------------------------------
 */

/* What every member's processor is said to be: the first ones have `crowd` of them, the rest one each. */
static void say_where(struct omp__team *team, unsigned crowd)
{
	static _Atomic uint32_t words[MEMBERS_MAX];

	for (unsigned i = 0; i < team->size; i++) {
		words[i] = i < crowd ? 0 : i;
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
