/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * src/thread/futex.c, eventcount.h: sleeps while signal handlers run on the sleeping thread. A handler that was
 * installed without SA_RESTART ends each system call; with it the kernel restarts those sleeps that have no deadline,
 * and ends the others.
 */
#include "thread/clock.h"
#include "thread/eventcount.h"
#include "thread/futex.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

/* Signals that the sleeper gets in all, and the time between two. */
enum { SIGNALS = 100, PAUSE_NS = 1000000, GIVEN_UP_S = 60 };

static _Atomic uint32_t word, handled;
static _Atomic bool is_interrupted;
static struct thread__eventcount event;

static void count_signal(int number)
{
	(void)number;
	errno = EDOM;
	handled++;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
}

static void *interrupt(void *thread)
{
	const pthread_t *sleeper = thread;

	for (uint32_t i = 0; i < SIGNALS; i++) {
		pthread_kill(*sleeper, SIGUSR2);
		while (handled <= i)
			nap();
		/* until it sleeps again, mostly */
		nap();
	}
	is_interrupted = true;
	return NULL;
}

/* The same, and end the sleep. */
static void *interrupt_and_wake(void *thread)
{
	interrupt(thread);
	word = 1;
	thread__futex_wake(&word, 1);
	thread__eventcount_wake_all(&event);
	return NULL;
}

/* Have the calling thread interrupted again and again. */
static pthread_t begin(int flags, void *(*who)(void *), pthread_t *self)
{
	struct sigaction action = { .sa_handler = count_signal, .sa_flags = flags };
	pthread_t other;

	*self = pthread_self();
	handled = word = 0;
	is_interrupted = false;
	event = (struct thread__eventcount){ 0 };
	alarm(GIVEN_UP_S);
	assert_int_equal(sigaction(SIGUSR2, &action, NULL), 0);
	assert_int_equal(pthread_create(&other, NULL, who, self), 0);
	return other;
}

static void end(pthread_t other)
{
	pthread_join(other, NULL);
	alarm(0);
	assert_true(handled >= SIGNALS);
}

static const int both[] = { 0, SA_RESTART };

static void a_signal_handler_ends_no_sleep(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		pthread_t self, other = begin(both[i], interrupt_and_wake, &self);

		errno = ENOENT;
		assert_true(thread__futex_wait(&word, 0, THREAD__NEVER));
		assert_true(is_interrupted);
		assert_int_equal(errno, ENOENT);
		end(other);
	}
}

static void a_signal_handler_moves_no_deadline(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		pthread_t self, other = begin(both[i], interrupt, &self);
		uint64_t deadline = thread__now_ns() + 50 * MS;

		assert_false(thread__futex_wait(&word, 0, deadline));
		assert_true(thread__now_ns() >= deadline);
		/* at least one came, or the sleep is too short to say anything */
		assert_true(handled > 0);
		end(other);
	}
}

static void a_signal_handler_ends_no_sleep_at_an_eventcount(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		pthread_t self, other = begin(both[i], interrupt_and_wake, &self);
		struct thread__sleep sleep = thread__eventcount_prepare(&event);

		thread__eventcount_wait(&event, sleep, THREAD__NEVER);
		assert_true(is_interrupted);
		assert_false(thread__eventcount_leave(&event, sleep));
		end(other);
	}
}

/* ---- a wake-up that comes with a signal -------------------------------------------------------------------------- */

enum { ROUNDS = 2000 };

static _Atomic uint32_t rounds_slept;

static void *wake_and_interrupt(void *thread)
{
	const pthread_t *sleeper = thread;

	for (uint32_t round = 1; round <= ROUNDS; round++) {
		/* now before, now after the wake-up */
		if (round % 2)
			pthread_kill(*sleeper, SIGUSR2);
		word = round;
		thread__futex_wake(&word, 1);
		if (round % 2 == 0)
			pthread_kill(*sleeper, SIGUSR2);
		while (rounds_slept < round)
			;
	}
	return NULL;
}

static void a_wake_up_beside_a_signal_is_not_lost(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		pthread_t self, other;

		rounds_slept = 0;
		other = begin(both[i], wake_and_interrupt, &self);
		for (uint32_t round = 0; round < ROUNDS; round++) {
			while (word == round)
				thread__futex_wait(&word, round, THREAD__NEVER);
			rounds_slept++;
		}
		pthread_join(other, NULL);
		alarm(0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_handler_ends_no_sleep),
		cmocka_unit_test(a_signal_handler_moves_no_deadline),
		cmocka_unit_test(a_signal_handler_ends_no_sleep_at_an_eventcount),
		cmocka_unit_test(a_wake_up_beside_a_signal_is_not_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
