/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * src/thread/spin.c, neighbours.c: how long a waiter looks, and what it notices. The clocks, the yields, the moves and
 * the system's load are the test's own, so nothing here depends on the machine or on what else runs.
 * long: one set of such stand-ins, and a spinning waiter notices neighbours.
 */
#include "thread/clock.h"
#include "thread/neighbours.h"
#include "thread/spin.h"
#include "../../helpers/real_syscall.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/* ---- the machine ------------------------------------------------------------------------------------------------- */

enum { OTHER_CLOCK = -1000 };

static uint64_t now_ns;
/* What each look at the time takes. */
static uint64_t look_ns = 3000;
/* What a yield takes, and how much processor time the process has meanwhile, in tenths. */
static uint64_t yield_ns = 300;
static unsigned own_tenths = 20;
/* The processor time of the thread that is waited for, and whether it gets any. */
static uint64_t other_ns, process_ns;
static bool other_has_processor;
static unsigned yields, moves, asked, running;
/* How often the kernel took the caller's processor away, its switches in yields included; and the other's state. */
static long taken;
static char other_state;

static void pass(uint64_t ns)
{
	now_ns += ns;
	if (other_has_processor)
		other_ns += ns;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t ns = now_ns;

	if (clock == OTHER_CLOCK)
		ns = other_ns;
	else if (clock == CLOCK_PROCESS_CPUTIME_ID)
		ns = process_ns;
	else
		pass(look_ns);
	*time = (struct timespec){ (time_t)(ns / THREAD__SECOND_NS), (long)(ns % THREAD__SECOND_NS) };
	return 0;
}

int sched_yield(void)
{
	yields++;
	pass(yield_ns);
	process_ns += yield_ns * own_tenths / 10;
	return 0;
}

int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set)
{
	(void)thread;
	(void)bytes;
	(void)set;
	moves++;
	return 0;
}

/* The thread may run on two processors, also where the machine has one. */
int sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set)
{
	(void)thread;
	CPU_ZERO_S(bytes, set);
	CPU_SET_S(0, bytes, set);
	CPU_SET_S(1, bytes, set);
	return 0;
}

int getrusage(__rusage_who_t who, struct rusage *usage)
{
	assert_int_equal(who, RUSAGE_THREAD);
	usage->ru_nivcsw = taken;
	return 0;
}

/* The files that say how many threads run, and in which state the other is, have descriptors that no other file has. */
enum { LOADAVG = 1 << 20, OTHER_STAT };

static long stand_in(long number, const long words[SYSCALL_WORDS])
{
	if (number == SYS_openat && !strcmp((const char *)words[1], "/proc/loadavg"))
		return LOADAVG;
	if (number == SYS_read && words[0] == LOADAVG) {
		asked++;
		return snprintf((char *)words[1], (size_t)words[2], "0.20 0.18 0.12 %u/80 11206\n", running);
	}
	if (number == SYS_openat && !strcmp((const char *)words[1], "/proc/self/task/4711/stat"))
		return OTHER_STAT;
	if (number == SYS_read && words[0] == OTHER_STAT)
		return snprintf((char *)words[1], (size_t)words[2], "4711 (a) S) %c 1 4711", other_state);
	if (number == SYS_close && (words[0] == LOADAVG || words[0] == OTHER_STAT))
		return 0;
	return real_syscall(number, words);
}

static struct thread__runner self;
static struct thread__runner other = { .clock = OTHER_CLOCK, .tid = 4711 };

static int set_up(void **state)
{
	(void)state;
	self = (struct thread__runner){ 0 };
	other = (struct thread__runner){ .clock = OTHER_CLOCK, .tid = 4711 };
	taken = 0;
	other_state = 'R';
	now_ns += THREAD__SECOND_NS;
	yield_ns = 300;
	look_ns = 3000;
	own_tenths = 20;
	yields = moves = asked = running = 0;
	other_has_processor = true;
	thread__neighbours_forget();
	return 0;
}

/* How long a waiter looks at what never comes. */
static uint64_t looks_for(struct thread__spin *spin, unsigned awake, unsigned processors)
{
	uint64_t began = now_ns;

	while (thread__spin(spin, awake, processors))
		assert_true(now_ns - began < THREAD__SECOND_NS);
	return now_ns - began;
}

static uint64_t looks_at(const struct thread__runner *whom, unsigned awake, unsigned processors)
{
	struct thread__spin spin = thread__spin_begin(&self, whom, 3 * MS, 40 * US);

	return looks_for(&spin, awake, processors);
}

/* ---- a thread that is known -------------------------------------------------------------------------------------- */

static void a_waiter_looks_at_a_thread_that_runs_for_its_limit(void **state)
{
	(void)state;
	assert_in_range(looks_at(&other, 2, 2), 3 * MS, 3 * MS + 200 * US);
	assert_int_equal(yields, 0);
}

static void a_thread_without_a_clock_is_taken_to_run(void **state)
{
	struct thread__runner unknown = { 0 };

	(void)state;
	assert_in_range(looks_at(&unknown, 2, 2), 3 * MS, 3 * MS + 200 * US);
}

static void a_waiter_sleeps_soon_when_the_other_has_lost_its_processor(void **state)
{
	(void)state;
	other_has_processor = false;
	/* one that does not count its threads, as a host of the ingress */
	assert_in_range(looks_at(&other, 0, 0), 25 * US, 100 * US);
	assert_int_equal(yields, 0);
}

/* The other one's clock, when it is read, ends that one's time slice if that is over. */
static void one_of_two_threads_on_two_processors_leaves_the_other_alone_for_longer(void **state)
{
	(void)state;
	other_has_processor = false;
	assert_in_range(looks_at(&other, 2, 2), 250 * US, 600 * US);
	assert_int_equal(yields, 0);
}

static void a_thread_that_was_just_woken_is_given_time_to_come(void **state)
{
	(void)state;
	other_has_processor = false;
	other.woken_ns = now_ns;
	assert_in_range(looks_at(&other, 2, 2), 200 * US, 800 * US);
	other.woken_ns = 0;
}

/* Each look at another's clock disturbs the processor that it runs on. */
static void looks_at_the_others_clock_become_rare(void **state)
{
	struct thread__spin spin = thread__spin_begin(&self, &other, 100 * MS, 0);
	uint64_t before = 0, changes = 0;

	(void)state;
	for (uint64_t began = now_ns; now_ns - began < 50 * MS;) {
		assert_true(thread__spin(&spin, 2, 2));
		changes += spin.probed_cpu_ns != before;
		before = spin.probed_cpu_ns;
	}
	assert_in_range(changes, 5, 14);
}

static void who_waits_beside_the_other_moves_away_once_and_then_lets_it_run(void **state)
{
	static const volatile uint32_t processor;

	(void)state;
	self.cpu = other.cpu = &processor;
	looks_at(&other, 2, 2);
	assert_in_range(moves, 1, 4);
	assert_true(yields > 0);
	/* a yield would let a neighbour run */
	thread__neighbours_noticed(now_ns);
	yields = 0;
	assert_true(looks_at(&other, 2, 2) < 100 * US);
	assert_int_equal(yields, 0);
	self.cpu = other.cpu = NULL;
}

/* ---- a processor for each of more than two threads, and neighbours ---------------------------------------------- */

/* As with OMP_WAIT_POLICY=passive: the thread that sleeps leaves its processor to the other one. */
static void who_sleeps_at_once_stays_beside_the_other(void **state)
{
	static const volatile uint32_t processor;
	struct thread__spin spin = thread__spin_begin(&self, &other, 0, 0);

	(void)state;
	self.cpu = other.cpu = &processor;
	looks_for(&spin, 2, 2);
	assert_int_equal(moves, 0);
	assert_int_equal(yields, 0);
}

static void a_team_waits_for_one_that_lost_its_processor_longer_than_a_time_slice(void **state)
{
	(void)state;
	other_has_processor = false;
	assert_in_range(looks_at(&other, 4, 4), 9 * MS, 9 * MS + 200 * US);
	assert_int_equal(yields, 0);
	/* so does who waits for one that sleeps because of that */
	other.sleeps = true;
	assert_in_range(looks_at(&other, 4, 4), 9 * MS, 9 * MS + 200 * US);
	/* for a while */
	pass(300 * MS);
	assert_in_range(looks_at(&other, 4, 4), 25 * US, 100 * US);
}

static void nobody_waits_longer_for_one_that_sleeps_in_a_system_call(void **state)
{
	(void)state;
	other_has_processor = false;
	other_state = 'S';
	assert_in_range(looks_at(&other, 4, 4), 25 * US, 100 * US);
	assert_false(thread__neighbours_lately(now_ns));
}

static void who_has_lost_its_own_processor_sleeps_soon(void **state)
{
	(void)state;
	other_has_processor = false;
	taken = 1;
	assert_in_range(looks_at(&other, 4, 4), 25 * US, 100 * US);
	/* it is believed for some milliseconds only */
	pass(25 * MS);
	assert_in_range(looks_at(&other, 4, 4), 9 * MS, 9 * MS + 200 * US);
}

static void two_threads_of_one_processor_yield_to_each_other(void **state)
{
	static const volatile uint32_t processor = 3;
	struct thread__runner companion = { .cpu = &processor };
	struct thread__spin spin = thread__spin_begin(&self, &other, 900 * MS, 40 * US);
	unsigned alone;

	(void)state;
	self.cpu = &processor;
	look_ns = 300;
	/* the caller's own visit is the last one from here on */
	assert_true(thread__spin(&spin, 4, 4));
	yields = 0;
	for (int i = 0; i < 640; i++)
		assert_true(thread__spin(&spin, 4, 4));
	assert_int_equal(yields, 0);
	assert_true(thread__runner_has_companion(&companion));
	for (int i = 0; i < 640; i++)
		assert_true(thread__spin(&spin, 4, 4));
	assert_in_range(yields, 1, 2);
	/* while the yields let the companion run, they go on */
	yield_ns = 5 * US;
	alone = yields;
	assert_true(thread__runner_has_companion(&companion));
	for (int i = 0; i < 640; i++)
		assert_true(thread__spin(&spin, 4, 4));
	assert_true(yields - alone > 600);
	/* the kernel counts them; that does not look like a neighbour */
	taken = yields - alone;
	assert_false(thread__share_is_wanted(&self.share, now_ns));
}

static void a_yield_that_a_neighbour_got_is_the_last_one_for_a_while(void **state)
{
	static const volatile uint32_t processor = 3;
	struct thread__runner companion = { .cpu = &processor };
	struct thread__spin spin = thread__spin_begin(&self, &other, 900 * MS, 0);

	(void)state;
	self.cpu = &processor;
	yield_ns = 4 * MS;
	for (uint64_t began = now_ns; now_ns - began < 20 * MS;) {
		thread__runner_has_companion(&companion);
		assert_true(thread__spin(&spin, 4, 4));
	}
	assert_int_equal(yields, 1);
	assert_true(thread__neighbours_lately(now_ns));
	pass(10 * MS);
	for (int i = 0; i < 200; i++) {
		thread__runner_has_companion(&companion);
		assert_true(thread__spin(&spin, 4, 4));
	}
	assert_int_equal(yields, 2);
}

static void who_sleeps_at_once_yields_to_nobody(void **state)
{
	static const volatile uint32_t processor = 3;
	struct thread__spin spin = thread__spin_begin(&self, &other, 0, 0);

	(void)state;
	self.cpu = other.cpu = &processor;
	self.moved_ns = now_ns;
	thread__neighbours_noticed(now_ns);
	looks_for(&spin, 4, 4);
	assert_int_equal(yields, 0);
}

/* ---- any thread -------------------------------------------------------------------------------------------------- */

static void a_waiter_for_any_thread_yields_after_a_while(void **state)
{
	(void)state;
	assert_in_range(looks_at(NULL, 2, 2), 3 * MS, 3 * MS + 200 * US);
	assert_true(yields > 100);
}

static void who_does_not_count_its_threads_never_yields(void **state)
{
	(void)state;
	assert_in_range(looks_at(NULL, 0, 0), 3 * MS, 3 * MS + 200 * US);
	assert_int_equal(yields, 0);
	assert_int_equal(asked, 0);
}

static void among_neighbours_nobody_yields(void **state)
{
	struct thread__spin oversubscribed = thread__spin_begin(&self, &other, 3 * MS, 40 * US);

	(void)state;
	thread__neighbours_noticed(now_ns);
	assert_true(looks_at(NULL, 2, 2) < 60 * US);
	assert_true(looks_at(NULL, 4, 2) < 60 * US);
	assert_in_range(looks_at(&other, 2, 2), 500 * US, 2 * MS);
	oversubscribed.is_oversubscribed = true;
	assert_true(looks_for(&oversubscribed, 2, 2) < 60 * US);
	assert_int_equal(yields, 0);
}

static void an_oversubscribed_team_that_is_alone_yields_for_its_limit(void **state)
{
	(void)state;
	running = 4;
	assert_in_range(looks_at(NULL, 4, 2), 40 * US, 80 * US);
	assert_true(yields > 5);
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

static void who_has_lost_its_processor_has_neighbours(void **state)
{
	struct thread__spin spin = thread__spin_begin(&self, &other, 30 * MS, 0);

	(void)state;
	for (int i = 0; i < 200; i++)
		assert_true(thread__spin(&spin, 2, 2));
	assert_false(thread__has_neighbours(now_ns));
	pass(4 * MS);
	for (int i = 0; i < 200; i++)
		thread__spin(&spin, 2, 2);
	assert_true(thread__has_neighbours(now_ns));
}

/* As often as ends the trial of an oversubscribed team, which may lose 10 ms. Returns the time after. */
static uint64_t yield_three_times(void)
{
	thread__yield(now_ns, 4, 2);
	thread__yield(now_ns, 4, 2);
	return thread__yield(now_ns, 4, 2);
}

static void a_long_yield_tells_neighbours_from_the_programs_own_threads(void **state)
{
	(void)state;
	yield_ns = 4 * MS;
	own_tenths = 20; /* two processors, both ours */
	yield_three_times();
	assert_false(thread__has_neighbours(now_ns));
	own_tenths = 10;
	yield_three_times();
	assert_true(thread__has_neighbours(now_ns));
}

/* Neighbours that yield as well: a second copy of the program. */
static void an_oversubscribed_team_yields_among_neighbours_that_yield(void **state)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	running = online + 3;
	yield_ns = 20 * US;
	own_tenths = 10;
	for (uint64_t began = now_ns; now_ns - began < 500 * MS;) {
		assert_int_equal(thread__ask_for_company(thread__now_ns(), online + 2, online), THREAD__ALONE);
		thread__yield(now_ns, online + 2, online);
	}
	assert_in_range(asked, 100, 260);
	/* not where they are very many */
	running = online + 2 + 4 * online;
	pass(2 * MS);
	assert_int_equal(thread__ask_for_company(now_ns, online + 2, online), THREAD__NEIGHBOURS);
	pass(MS);
	/* one that has a processor for each thread asks only who is there */
	pass(2 * MS);
	assert_int_equal(thread__ask_for_company(now_ns, online, online), THREAD__NEIGHBOURS);
}

/* Neighbours that compute for 5 ms and rest for 5 ms. */
static void a_trial_goes_on_while_half_of_the_time_is_lost(void **state)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	running = online + 3;
	own_tenths = 10;
	yield_ns = 5 * MS;
	for (int i = 0; i < 100; i++) {
		thread__yield(now_ns, online + 2, online);
		assert_false(thread__has_neighbours(now_ns));
		pass(5 * MS);
	}
	/* not while nearly all of it is */
	for (int i = 0; i < 3; i++) {
		thread__yield(now_ns, online + 2, online);
		assert_int_equal(thread__has_neighbours(now_ns), i == 2);
		pass(100 * US);
	}
}

static void yields_at_the_same_time_lose_it_once(void **state)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t began = now_ns;

	(void)state;
	running = online + 3;
	own_tenths = 10;
	yield_ns = 8 * MS;
	thread__yield(began, online + 2, online);
	yield_ns = 0;
	for (int i = 0; i < 10; i++)
		thread__yield(began, online + 2, online);
	assert_false(thread__has_neighbours(now_ns));
	/* but what each of them loses beyond the others counts */
	yield_ns = 3 * MS;
	thread__yield(began, online + 2, online);
	assert_true(thread__has_neighbours(now_ns));
}

/* For the collector of Haskell programs, which has often more runnable threads than processors and makes no yields. */
static void who_asks_without_yields_gets_no_trial(void **state)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	running = online + 3;
	own_tenths = 10;
	assert_int_equal(thread__ask_for_company(now_ns, online + 2, online), THREAD__ALONE);
	assert_true(thread__others_run(online + 2, online));
	assert_false(thread__others_run(online + 3, online));
	/* a processor that is not ours has a thread of somebody else, who wants none of ours */
	assert_false(thread__others_run(online + 2, online - 1));
	running = 0;
	assert_false(thread__others_run(1, 1));
}

/* How long until yields are tried again, beside a loop that takes a time slice each time. */
static uint64_t not_tried_for(void)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t began;

	while (thread__ask_for_company(thread__now_ns(), online + 2, online) != THREAD__ALONE)
		;
	yield_ns = 2 * MS;
	for (int i = 0; i < 5; i++) {
		thread__yield(now_ns, online + 2, online);
		assert_false(thread__has_neighbours(now_ns));
	}
	thread__yield(now_ns, online + 2, online);
	assert_true(thread__has_neighbours(now_ns));
	began = now_ns;
	while (thread__ask_for_company(thread__now_ns(), online + 2, online) != THREAD__ALONE)
		;
	return now_ns - began;
}

static void yields_are_tried_less_and_less_often_among_neighbours_that_compute(void **state)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	running = online + 3;
	own_tenths = 10;
	assert_in_range(not_tried_for(), 50 * MS, 80 * MS);
	assert_in_range(not_tried_for(), 100 * MS, 130 * MS);
	for (int i = 0; i < 6; i++)
		not_tried_for();
	assert_in_range(not_tried_for(), 1600 * MS, 1640 * MS);
}

/* Behind four loops a yield takes four time slices. */
static void a_very_long_yield_ends_a_trial_at_once_and_for_longer(void **state)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t began;

	(void)state;
	running = online + 3;
	own_tenths = 10;
	yield_ns = 12 * MS;
	thread__yield(now_ns, online + 2, online);
	assert_true(thread__has_neighbours(now_ns));
	began = now_ns;
	while (thread__ask_for_company(thread__now_ns(), online + 2, online) != THREAD__ALONE)
		;
	assert_in_range(now_ns - began, 240 * MS, 270 * MS);
}

static void the_system_is_asked_rarely_while_nobody_is_there(void **state)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	running = 4;
	for (uint64_t began = now_ns; now_ns - began < 10 * MS;)
		assert_int_equal(thread__ask_for_company(thread__now_ns(), 4, online), THREAD__ALONE);
	assert_int_equal(asked, 1);
	/* on processors that this process may not use they are no neighbours */
	pass(20 * MS);
	running = 5;
	assert_true(online < 2 || thread__ask_for_company(now_ns, 4, online - 1) == THREAD__ALONE);
}

/* Have a neighbour be there for so long; for how long it is believed to be there after that. */
static uint64_t remembers_for(uint64_t there_ns)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t gone;

	running = online + 1;
	for (uint64_t began = now_ns; now_ns - began < there_ns;)
		assert_int_not_equal(thread__ask_for_company(thread__now_ns(), online, online), THREAD__ALONE);
	running = online;
	gone = now_ns;
	while (thread__ask_for_company(thread__now_ns(), online, online) != THREAD__ALONE)
		;
	return now_ns - gone;
}

static void neighbours_are_remembered_for_as_long_as_they_were_there(void **state)
{
	(void)state;
	assert_in_range(remembers_for(50 * US), 10 * US, 500 * US);
	set_up(NULL);
	assert_in_range(remembers_for(MS), 100 * US, 2 * MS);
	set_up(NULL);
	assert_in_range(remembers_for(6 * MS), 100 * US, 6 * MS);
	set_up(NULL);
	/* a long one is asked after rarely */
	remembers_for(500 * MS);
	assert_in_range(asked, 20, 30);
	set_up(NULL);
	assert_in_range(remembers_for(500 * MS), 100 * US, 26 * MS);
}

static void a_neighbour_that_was_noticed_by_a_long_yield_is_asked_after_soon(void **state)
{
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t began;

	(void)state;
	running = 4;
	own_tenths = 10;
	yield_ns = 4 * MS;
	began = yield_three_times();
	assert_true(thread__has_neighbours(began));
	while (thread__ask_for_company(thread__now_ns(), 4, online) != THREAD__ALONE)
		;
	assert_in_range(now_ns - began, 50 * US, 500 * US);
}

/* The threads of an oversubscribed team share a processor among neighbours. */
static void an_oversubscribed_team_does_not_move_away_among_neighbours(void **state)
{
	static const volatile uint32_t processor;
	struct thread__spin spin = thread__spin_begin(&self, &other, 3 * MS, 40 * US);
	unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	self.cpu = other.cpu = &processor;
	spin.is_oversubscribed = true;
	running = online + 2;
	looks_for(&spin, online, online);
	assert_int_equal(moves, 0);
	/* alone it does */
	set_up(NULL);
	self.cpu = other.cpu = &processor;
	running = online;
	spin = thread__spin_begin(&self, &other, 3 * MS, 40 * US);
	spin.is_oversubscribed = true;
	looks_for(&spin, online, online);
	assert_true(moves > 0);
	self.cpu = other.cpu = NULL;
}

static void a_hint_ends_by_itself(void **state)
{
	uint64_t began = now_ns;

	(void)state;
	thread__neighbours_noticed(began);
	assert_true(thread__has_neighbours(began + 20 * MS));
	assert_false(thread__has_neighbours(began + 26 * MS));
	/* it lasts longer where each time it takes a time slice to find out */
	yield_ns = 4 * MS;
	own_tenths = 10;
	running = 0;
	began = yield_three_times();
	assert_true(thread__has_neighbours(began + 99 * MS));
	assert_false(thread__has_neighbours(began + 101 * MS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_waiter_looks_at_a_thread_that_runs_for_its_limit, set_up),
		cmocka_unit_test_setup(a_thread_without_a_clock_is_taken_to_run, set_up),
		cmocka_unit_test_setup(a_waiter_sleeps_soon_when_the_other_has_lost_its_processor, set_up),
		cmocka_unit_test_setup(one_of_two_threads_on_two_processors_leaves_the_other_alone_for_longer, set_up),
		cmocka_unit_test_setup(a_thread_that_was_just_woken_is_given_time_to_come, set_up),
		cmocka_unit_test_setup(looks_at_the_others_clock_become_rare, set_up),
		cmocka_unit_test_setup(who_waits_beside_the_other_moves_away_once_and_then_lets_it_run, set_up),
		cmocka_unit_test_setup(who_sleeps_at_once_stays_beside_the_other, set_up),
		cmocka_unit_test_setup(a_team_waits_for_one_that_lost_its_processor_longer_than_a_time_slice, set_up),
		cmocka_unit_test_setup(nobody_waits_longer_for_one_that_sleeps_in_a_system_call, set_up),
		cmocka_unit_test_setup(who_has_lost_its_own_processor_sleeps_soon, set_up),
		cmocka_unit_test_setup(two_threads_of_one_processor_yield_to_each_other, set_up),
		cmocka_unit_test_setup(a_yield_that_a_neighbour_got_is_the_last_one_for_a_while, set_up),
		cmocka_unit_test_setup(who_sleeps_at_once_yields_to_nobody, set_up),
		cmocka_unit_test_setup(a_waiter_for_any_thread_yields_after_a_while, set_up),
		cmocka_unit_test_setup(who_does_not_count_its_threads_never_yields, set_up),
		cmocka_unit_test_setup(among_neighbours_nobody_yields, set_up),
		cmocka_unit_test_setup(an_oversubscribed_team_that_is_alone_yields_for_its_limit, set_up),
		cmocka_unit_test_setup(who_has_lost_its_processor_has_neighbours, set_up),
		cmocka_unit_test_setup(a_long_yield_tells_neighbours_from_the_programs_own_threads, set_up),
		cmocka_unit_test_setup(an_oversubscribed_team_yields_among_neighbours_that_yield, set_up),
		cmocka_unit_test_setup(a_trial_goes_on_while_half_of_the_time_is_lost, set_up),
		cmocka_unit_test_setup(yields_at_the_same_time_lose_it_once, set_up),
		cmocka_unit_test_setup(who_asks_without_yields_gets_no_trial, set_up),
		cmocka_unit_test_setup(yields_are_tried_less_and_less_often_among_neighbours_that_compute, set_up),
		cmocka_unit_test_setup(a_very_long_yield_ends_a_trial_at_once_and_for_longer, set_up),
		cmocka_unit_test_setup(the_system_is_asked_rarely_while_nobody_is_there, set_up),
		cmocka_unit_test_setup(neighbours_are_remembered_for_as_long_as_they_were_there, set_up),
		cmocka_unit_test_setup(a_neighbour_that_was_noticed_by_a_long_yield_is_asked_after_soon, set_up),
		cmocka_unit_test_setup(an_oversubscribed_team_does_not_move_away_among_neighbours, set_up),
		cmocka_unit_test_setup(a_hint_ends_by_itself, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
