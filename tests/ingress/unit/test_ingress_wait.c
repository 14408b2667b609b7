/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting: which thread is woken, how long a thread looks before it sleeps, and what a wait teaches the next one. */
#include "ingress_tests.h"

#include "ingress/limits.h"
#include "ingress/waiting/wait.h"

#include <dirent.h>
#include <sched.h>

/* ---- waking ------------------------------------------------------------------------------------------------------ */

/* How often this thread has asked the kernel to wake another. */
static __thread uint32_t wakes;
/* Whether it is to be stopped before the next time, until `goes_on`. */
static __thread bool stops;
static _Atomic uint32_t stopped, goes_on;

// NOLINTBEGIN(bugprone-reserved-identifier)
void __real_thread__futex_wake(_Atomic uint32_t *word, int count);
void __wrap_thread__futex_wake(_Atomic uint32_t *word, int count);
void __real_thread__futex_wake_clear(_Atomic uint32_t *word, uint32_t bit);
void __wrap_thread__futex_wake_clear(_Atomic uint32_t *word, uint32_t bit);

static void before_a_wake(void)
{
	wakes++;
	if (!stops)
		return;
	stops = false;
	atomic_store(&stopped, 1);
	wait_for(&goes_on, 1);
}

/* The linker has the core call these. */
void __wrap_thread__futex_wake(_Atomic uint32_t *word, int count)
{
	before_a_wake();
	__real_thread__futex_wake(word, count);
}

void __wrap_thread__futex_wake_clear(_Atomic uint32_t *word, uint32_t bit)
{
	before_a_wake();
	__real_thread__futex_wake_clear(word, bit);
}
// NOLINTEND(bugprone-reserved-identifier)

static _Atomic uint32_t held, let_go;

static void hold(void *user, const struct ingress_reply *reply)
{
	(void)user;
	(void)reply;
	atomic_store(&held, 1);
	wait_for(&let_go, 1);
}

static void only_a_library_that_sleeps_is_woken(void **state)
{
	const struct ingress_options options = { .spin_ns = -1 };
	const struct ingress_call call = { .method = ECHO_SAME, .reply = hold };
	ingress_token context = open_echo(&echo_library, &options);
	struct heard heard = { 0 };
	uint32_t sent;

	(void)state;
	assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
	wait_for(&held, 1);
	/* in the middle of something: it will look by itself */
	wakes = 0;
	for (sent = 0; sent < 1000; sent++)
		assert_int_equal(submit(context, ECHO_SAME, NULL, 0, &heard), INGRESS_OK);
	assert_int_equal(wakes, 0);
	atomic_store(&let_go, 1);
	wait_for(&heard.terminal, sent);
	/* soon it finds nothing and sleeps, and is woken once for each request that comes then */
	for (int64_t began = now_ns(); !wakes && now_ns() - began < LONG_NS; sent++) {
		nap(MS_NS);
		assert_int_equal(submit(context, ECHO_SAME, NULL, 0, &heard), INGRESS_OK);
		wait_for(&heard.terminal, sent + 1);
	}
	assert_int_equal(wakes, 1);
	close_echo(context);
}

/* ---- a waker that is stopped ------------------------------------------------------------------------------------- */

struct waker {
	ingress_token context;
	struct heard heard;
};

/* Submit to a library that sleeps, and stop before it has been woken. */
static void *stop_before_the_wake(void *given)
{
	struct waker *waker = given;

	stops = true;
	assert_int_equal(submit(waker->context, ECHO_SAME, NULL, 0, &waker->heard), INGRESS_OK);
	stops = false;
	return NULL;
}

static void a_waker_that_is_stopped_stops_nobody_else(void **state)
{
	const struct ingress_options options = { .spin_ns = -1 };
	struct waker waker = { .context = open_echo(&echo_library, &options) };
	pthread_t thread;

	(void)state;
	/* it sleeps soon; a thread that finds it awake tries again */
	for (uint32_t sent = 1; !atomic_load(&stopped); sent++) {
		if (sent > 1)
			pthread_join(thread, NULL);
		nap(MS_NS);
		assert_int_equal(pthread_create(&thread, NULL, stop_before_the_wake, &waker), 0);
		while (!atomic_load(&stopped) && atomic_load(&waker.heard.terminal) < sent)
			nap(MS_NS / 10);
	}
	assert_int_equal(ask(waker.context, ECHO_SAME, "abc", 3), INGRESS_OK);
	atomic_store(&goes_on, 1);
	pthread_join(thread, NULL);
	close_echo(waker.context);
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

/* How often a thread looks at what never comes. */
static uint32_t looks(uint32_t budget_ns, int64_t most_ns, const struct thread__runner *other)
{
	struct ingress__spin spin = ingress__spin_begin(&budget_ns, most_ns, other);
	uint32_t count = 1;

	while (ingress__spin_step(&spin))
		count++;
	return count;
}

static void looking_ends(void **state)
{
	uint32_t here = UINT32_MAX;
	const struct thread__runner other = { .cpu = &here };
	cpu_set_t all, one;
	size_t cpu;

	(void)state;
	assert_true(looks(0, -1, NULL) <= 8);
	assert_true(looks(0, INGRESS__SPIN_NS, NULL) <= INGRESS__SPIN_EAGER);
	looks(INGRESS__SPIN_NS_MAX, INGRESS__SPIN_NS_MAX, NULL);
	looks(INGRESS__SPIN_NS_MAX, INGRESS__SPIN_NS_MAX, &other);
	if (!thread__cpu_word())
		return;
	/* where this thread runs the other does not: nothing is to be seen */
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	for (cpu = 0; !CPU_ISSET(cpu, &all);)
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	here = (uint32_t)cpu;
	assert_true(looks(INGRESS__SPIN_NS_MAX, INGRESS__SPIN_NS_MAX, &other) <= 8);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

/* What is left of a budget after a wait that took so long. */
static uint32_t after_a_wait(uint32_t budget_ns, uint64_t took_ns)
{
	struct ingress__spin spin = ingress__spin_begin(&budget_ns, INGRESS__SPIN_NS_MAX, NULL);

	spin.start_ns = thread__now_ns() - took_ns;
	ingress__spin_slept(&spin);
	return budget_ns;
}

static void long_waits_teach_to_sleep_and_a_short_one_to_look(void **state)
{
	uint32_t budget_ns = INGRESS__SPIN_NS_MAX;
	int64_t began = now_ns();

	(void)state;
	for (int i = 0; i < 20; i++) {
		uint32_t before = budget_ns;

		budget_ns = after_a_wait(before, INGRESS__SPIN_NS_MAX + 1);
		assert_int_equal(budget_ns, before / 2);
	}
	assert_true(budget_ns < INGRESS__SPIN_LEAST_NS);
	/* unless this thread lost its processor in the middle of it */
	budget_ns = after_a_wait(budget_ns, 0);
	if (now_ns() - began < INGRESS__SPIN_NS_MAX)
		assert_int_equal(budget_ns, INGRESS__SPIN_NS_MAX);
}

/* ---- one processor ----------------------------------------------------------------------------------------------- */

/* Let all threads of this process run where `cpus` says. */
static void move_threads(const cpu_set_t *cpus)
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;

	assert_non_null(tasks);
	while ((task = readdir(tasks)))
		if (task->d_name[0] != '.')
			sched_setaffinity(atoi(task->d_name), sizeof(*cpus), cpus);
	closedir(tasks);
}

static int64_t processor_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (int64_t)used.tv_sec * SECOND_NS + used.tv_nsec;
}

enum { EXCHANGES = 2000 };
static _Atomic uint32_t ball;

static void *play(void *unused)
{
	for (uint32_t i = 0; i < EXCHANGES; i++) {
		for (uint32_t seen; (seen = atomic_load(&ball)) != 2 * i + 1;)
			thread__futex_wait(&ball, seen, THREAD__NEVER);
		atomic_store(&ball, 2 * i + 2);
		__real_thread__futex_wake(&ball, 1);
	}
	return unused;
}

/* Two threads that hand a word to each other, which is the least that any two threads need. */
static int64_t exchanges_ns(void)
{
	pthread_t thread;
	int64_t began = processor_ns();

	atomic_store(&ball, 0);
	assert_int_equal(pthread_create(&thread, NULL, play, NULL), 0);
	for (uint32_t i = 0; i < EXCHANGES; i++) {
		atomic_store(&ball, 2 * i + 1);
		__real_thread__futex_wake(&ball, 1);
		while (atomic_load(&ball) != 2 * i + 2)
			thread__futex_wait(&ball, 2 * i + 1, THREAD__NEVER);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	return processor_ns() - began;
}

static int64_t asked_ns(ingress_token context)
{
	int64_t began = processor_ns();

	for (uint32_t i = 0; i < EXCHANGES; i++)
		assert_int_equal(ask(context, ECHO_SAME, "abc", 3), INGRESS_OK);
	return processor_ns() - began;
}

static int64_t taken_ns(ingress_token context, struct ingress_inbox *inbox)
{
	const struct ingress_call call = { .method = ECHO_SAME, .inbox = inbox };
	int64_t began = processor_ns();

	for (uint32_t i = 0; i < EXCHANGES; i++) {
		struct ingress_item item;

		assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
		assert_int_equal(ingress_inbox_take(inbox, &item, 1, LONG_NS), 1);
		ingress_items_release(&item, 1);
	}
	return processor_ns() - began;
}

static void ignore(void *user, const struct ingress_reply *reply)
{
	(void)user;
	(void)reply;
}

static int64_t heard_ns(ingress_token context, struct ingress_inbox *inbox)
{
	const uint64_t one_event[] = { 1, ECHO_EVENT_OLDEST, 8 };
	const struct ingress_listener listener = { .event = ECHO_EVENT_OLDEST, .inbox = inbox };
	const struct ingress_call call = { .method = ECHO_EMIT,
					   .wire = INGRESS_WIRE_C,
					   .data = one_event,
					   .bytes = sizeof(one_event),
					   .reply = ignore };
	int64_t began = processor_ns();
	uint64_t id;

	assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
	for (uint32_t i = 0; i < EXCHANGES; i++) {
		struct ingress_item item;

		assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
		assert_int_equal(ingress_inbox_take(inbox, &item, 1, LONG_NS), 1);
		ingress_items_release(&item, 1);
	}
	ingress_unlisten(context, id);
	return processor_ns() - began;
}

/*
 * A thread that waits for one that shares its processor sleeps at once: while it looked, the other could not run. Each
 * look in vain would take up to INGRESS__SPIN_NS, as long as twenty exchanges.
 */
static void threads_on_one_processor_do_not_look(void **state)
{
	enum { ROUNDS = 5, MARGIN = 6 };
	ingress_token context = open_echo(&echo_library, NULL);
	int64_t exchanges = INT64_MAX, asked = INT64_MAX, taken = INT64_MAX, heard = INT64_MAX;
	struct ingress_inbox *inbox, *events;
	cpu_set_t all, one;
	size_t cpu = 0;

	(void)state;
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	assert_int_equal(ingress_inbox_create(&events), INGRESS_OK);
	/* the core counts the processors before there is but one left */
	assert_int_equal(ask(context, ECHO_SAME, "abc", 3), INGRESS_OK);
	looks(INGRESS__SPIN_NS, INGRESS__SPIN_NS, NULL);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	move_threads(&one);
	for (int i = 0; i < ROUNDS; i++) {
		int64_t ns = exchanges_ns();

		exchanges = ns < exchanges ? ns : exchanges;
		ns = asked_ns(context);
		asked = ns < asked ? ns : asked;
		ns = taken_ns(context, inbox);
		taken = ns < taken ? ns : taken;
		ns = heard_ns(context, events);
		heard = ns < heard ? ns : heard;
	}
	move_threads(&all);
	ingress_inbox_close(inbox);
	ingress_inbox_close(events);
	close_echo(context);
	print_message("# processor time of an exchange %lld ns, of a call %lld, by an inbox %lld, of an event %lld\n",
		      (long long)exchanges / EXCHANGES, (long long)asked / EXCHANGES, (long long)taken / EXCHANGES,
		      (long long)heard / EXCHANGES);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) && !defined(DELAYS)
	if (thread__cpu_word()) {
		assert_true(asked < MARGIN * exchanges);
		assert_true(taken < MARGIN * exchanges);
		assert_true(heard < MARGIN * exchanges);
	}
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_library_that_sleeps_is_woken),
		cmocka_unit_test(a_waker_that_is_stopped_stops_nobody_else),
		cmocka_unit_test(looking_ends),
		cmocka_unit_test(long_waits_teach_to_sleep_and_a_short_one_to_look),
		cmocka_unit_test(threads_on_one_processor_do_not_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
