/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread/gather.c: when a thread of a team that sleeps where it meets moves to its primary thread's processor. The
 * clocks and the moves are the test's own, so nothing here depends on the machine or on what else runs.
 */
#include "thread/clock.h"
#include "thread/gather.h"
#include "thread/neighbours.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/* ---- the machine: four processors, some of which the caller may use ---------------------------------------------- */

enum { OWN_CLOCK = -1000, HERE = 1, THERE = 3 };

static uint64_t now_ns, own_ns;
static uint32_t own_processor, primary_processor;
static cpu_set_t allowed;
static unsigned moves, calls;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t ns = clock == OWN_CLOCK ? own_ns : now_ns;

	*time = (struct timespec){ (time_t)(ns / THREAD__SECOND_NS), (long)(ns % THREAD__SECOND_NS) };
	return 0;
}

int sched_getcpu(void)
{
	return (int)own_processor;
}

int sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set)
{
	(void)thread;
	CPU_ZERO_S(bytes, set);
	for (size_t i = 0; i < 4; i++)
		if (CPU_ISSET(i, &allowed))
			CPU_SET_S(i, bytes, set);
	return 0;
}

int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set)
{
	(void)thread;
	calls++;
	CPU_ZERO(&allowed);
	for (size_t i = 0; i < 4; i++)
		if (CPU_ISSET_S(i, bytes, set))
			CPU_SET(i, &allowed);
	if (CPU_ISSET(own_processor, &allowed))
		return 0;
	moves++;
	for (own_processor = 0; !CPU_ISSET(own_processor, &allowed); own_processor++)
		;
	return 0;
}

static struct thread__runner self, primary;

static int set_up(void **state)
{
	(void)state;
	now_ns += THREAD__SECOND_NS;
	thread__neighbours_forget();
	thread__neighbours_noticed(now_ns);
	own_processor = HERE;
	primary_processor = THERE;
	self = (struct thread__runner){ .cpu = &own_processor, .clock = OWN_CLOCK };
	primary = (struct thread__runner){ .cpu = &primary_processor };
	CPU_ZERO(&allowed);
	for (size_t i = 0; i < 4; i++)
		CPU_SET(i, &allowed);
	moves = calls = 0;
	return 0;
}

/* The team has four threads, of which the caller is this one. */
static const struct thread__team first = { .threads = 4, .num = 1 }, second = { .threads = 4, .num = 2 };
/* Two passive threads. So many are awake that no machine has as many neighbours: only hints tell of them. */
static const struct thread__team passive = {
	.threads = 2, .num = 1, .is_passive = true, .awake = 1000000, .processors = 2
};

/* Meet for 10 ms, and each 100 us, having computed for so long. */
static void meet(struct thread__meetings *meetings, uint64_t work_ns)
{
	for (uint64_t end = now_ns + 10 * MS; now_ns < end; now_ns += 100 * US) {
		own_ns += work_ns;
		thread__gather(meetings, &self, &primary, &first);
	}
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void who_computes_little_moves_to_the_primary_once(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	meet(&meetings, 20 * US);
	assert_int_equal(own_processor, THERE);
	assert_int_equal(moves, 1);
	assert_int_equal(calls, 2);
	/* it may go elsewhere as before */
	assert_int_equal(CPU_COUNT(&allowed), 4);
}

static void who_computes_for_long_stays(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	/* four times as long is more than a time slice */
	meet(&meetings, 200 * US);
	assert_int_equal(moves, 0);
	/* what counts is what it does now, not what it once did */
	meet(&meetings, 0);
	assert_int_equal(own_processor, THERE);
}

static void without_neighbours_nobody_gathers(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	thread__neighbours_forget();
	meet(&meetings, 20 * US);
	assert_int_equal(moves, 0);
}

static void who_was_moved_away_comes_back_after_some_milliseconds(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++) {
		now_ns += 100 * US;
		thread__neighbours_noticed(now_ns);
		thread__gather(&meetings, &self, &primary, &first);
		own_processor = HERE;
	}
	/* in 100 ms */
	assert_in_range(moves, 10, 50);
}

static void nobody_goes_where_it_may_not(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	CPU_CLR(THERE, &allowed);
	meet(&meetings, 20 * US);
	assert_int_equal(moves, 0);
	assert_int_equal(CPU_COUNT(&allowed), 3);
}

static void who_does_not_know_where_the_primary_is_stays(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	primary.cpu = NULL;
	meet(&meetings, 20 * US);
	assert_int_equal(moves, 0);
}

/* Meet each 200 us, the processor to itself but for neighbours at nice 19. */
static void meet_undisturbed(struct thread__meetings *meetings, const struct thread__team *team, uint64_t time_ns)
{
	for (uint64_t end = now_ns + time_ns; now_ns < end; now_ns += 200 * US) {
		own_ns += 49 * US;
		thread__neighbours_noticed(now_ns);
		thread__gather(meetings, &self, &primary, team);
	}
}

static void a_gathered_team_that_has_its_processor_to_itself_spreads_for_a_while(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	own_processor = THERE;
	meet_undisturbed(&meetings, &first, 30 * MS);
	assert_int_not_equal(own_processor, THERE);
	assert_int_equal(moves, 1);
	meet_undisturbed(&meetings, &first, 80 * MS);
	assert_int_equal(moves, 1);
	/* then it tries again */
	meet_undisturbed(&meetings, &first, 60 * MS);
	assert_true(moves > 1);
}

static void every_second_thread_stays_when_a_team_spreads(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	own_processor = THERE;
	meet_undisturbed(&meetings, &second, 100 * MS);
	assert_int_equal(moves, 0);
}

static void a_gathered_team_that_meets_very_often_stays_together(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	own_processor = THERE;
	/* it has nine tenths of its processor */
	for (int i = 0; i < 1000; i++) {
		now_ns += 40 * US;
		own_ns += 9 * US;
		thread__neighbours_noticed(now_ns);
		thread__gather(&meetings, &self, &primary, &first);
	}
	assert_int_equal(moves, 0);
}

/* Meet each 200 us for so long, having computed for `work_ns`. */
static void meet_passively(struct thread__meetings *meetings, uint64_t work_ns, uint64_t time_ns)
{
	for (uint64_t end = now_ns + time_ns; now_ns < end; now_ns += 200 * US) {
		own_ns += work_ns;
		thread__gather(meetings, &self, &primary, &passive);
	}
}

static void a_passive_team_that_meets_often_gathers_without_neighbours(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	thread__neighbours_forget();
	meet_passively(&meetings, 30 * US, 10 * MS);
	assert_int_equal(own_processor, THERE);
	assert_int_equal(moves, 1);
	assert_true(meetings.is_gathered);
}

static void a_passive_team_that_computes_for_longer_than_a_wake_up_does_not(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	thread__neighbours_forget();
	meet_passively(&meetings, 60 * US, 10 * MS);
	assert_int_equal(moves, 0);
	assert_false(meetings.is_gathered);
}

static void beside_neighbours_a_passive_team_gathers_up_to_a_time_slice(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	meet_passively(&meetings, 60 * US, 10 * MS);
	assert_int_equal(own_processor, THERE);
	assert_true(meetings.is_gathered);
}

static void a_passive_team_that_now_computes_for_long_spreads_soon(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	thread__neighbours_forget();
	meet_passively(&meetings, 30 * US, 10 * MS);
	assert_int_equal(own_processor, THERE);
	/* also if it rests in between: it has had less than half of its processor */
	meet_passively(&meetings, 80 * US, 6 * MS);
	assert_int_not_equal(own_processor, THERE);
	assert_false(meetings.is_gathered);
	/* and stays so for a while, whatever it does */
	meet_passively(&meetings, 10 * US, 80 * MS);
	assert_int_not_equal(own_processor, THERE);
}

/* glibc before 2.35, or with restartable sequences switched off. */
static void a_thread_says_itself_where_it_is_when_the_kernel_does_not(void **state)
{
	struct thread__meetings meetings = { 0 };

	(void)state;
	self.cpu = &self.cpu_seen;
	self.cpu_seen = THERE; /* long ago */
	meet(&meetings, 20 * US);
	assert_int_equal(own_processor, THERE);
	assert_int_equal(moves, 1);
	assert_int_equal(self.cpu_seen, THERE);
	thread__runner_move_away(&self);
	assert_int_equal(self.cpu_seen, own_processor);
	assert_int_not_equal(own_processor, THERE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(who_computes_little_moves_to_the_primary_once, set_up),
		cmocka_unit_test_setup(who_computes_for_long_stays, set_up),
		cmocka_unit_test_setup(without_neighbours_nobody_gathers, set_up),
		cmocka_unit_test_setup(who_was_moved_away_comes_back_after_some_milliseconds, set_up),
		cmocka_unit_test_setup(nobody_goes_where_it_may_not, set_up),
		cmocka_unit_test_setup(a_gathered_team_that_has_its_processor_to_itself_spreads_for_a_while, set_up),
		cmocka_unit_test_setup(every_second_thread_stays_when_a_team_spreads, set_up),
		cmocka_unit_test_setup(a_gathered_team_that_meets_very_often_stays_together, set_up),
		cmocka_unit_test_setup(a_passive_team_that_meets_often_gathers_without_neighbours, set_up),
		cmocka_unit_test_setup(a_passive_team_that_computes_for_longer_than_a_wake_up_does_not, set_up),
		cmocka_unit_test_setup(beside_neighbours_a_passive_team_gathers_up_to_a_time_slice, set_up),
		cmocka_unit_test_setup(a_passive_team_that_now_computes_for_long_spreads_soon, set_up),
		cmocka_unit_test_setup(a_thread_says_itself_where_it_is_when_the_kernel_does_not, set_up),
		cmocka_unit_test_setup(who_does_not_know_where_the_primary_is_stays, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
