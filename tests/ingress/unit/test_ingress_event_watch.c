/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts that are told when an event thread ends. */
#include "ingress_tests.h"

#include "ingress/limits.h"

#include <pthread.h>
#include <sys/wait.h>

/* What a watcher was told. */
struct told {
	_Atomic uint64_t count;
	_Atomic uint32_t holds; /* 1: wait until it is 0 */
	_Atomic uint64_t inside;
};

static void count_end(void *user)
{
	struct told *told = user;

	atomic_fetch_add(&told->inside, 1);
	while (atomic_load(&told->holds))
		nap(MS_NS / 10);
	atomic_fetch_add(&told->count, 1);
}

/* So many threads more than are kept are made, and end. */
static void end_threads(unsigned more)
{
	ingress_token contexts[INGRESS__IDLE_MAX + 8];

	assert_in_range(more, 0, 8);
	for (unsigned i = 0; i < INGRESS__IDLE_MAX + more; i++)
		contexts[i] = open_echo(&echo_library, NULL);
	for (unsigned i = 0; i < INGRESS__IDLE_MAX + more; i++)
		close_echo(contexts[i]);
}

static void each_thread_that_ends_is_told(void **state)
{
	struct told one = { 0 }, other = { 0 };

	(void)state;
	assert_int_equal(ingress_event_threads_watch(count_end, &one), INGRESS_OK);
	assert_int_equal(ingress_event_threads_watch(count_end, &other), INGRESS_OK);
	end_threads(3);
	wait_for(&one.count, 3);
	wait_for(&other.count, 3);
	assert_int_equal(ingress_event_threads_unwatch(count_end, &other), INGRESS_OK);
	end_threads(2);
	wait_for(&one.count, 5);
	assert_int_equal(ingress_event_threads_unwatch(count_end, &one), INGRESS_OK);
	end_threads(2);
	assert_int_equal(one.count, 5);
	assert_int_equal(other.count, 3);
}

struct leaving {
	struct told *told;
	_Atomic uint64_t has_left;
	enum ingress_status status;
};

static void *leave(void *argument)
{
	struct leaving *leaving = argument;

	leaving->status = ingress_event_threads_unwatch(count_end, leaving->told);
	atomic_store(&leaving->has_left, 1);
	return NULL;
}

static void *end_one(void *argument)
{
	(void)argument;
	end_threads(1);
	return NULL;
}

/* A watcher that stops waits for a thread that is just telling it; its child of a fork has no such thread. */
static void a_watcher_leaves_when_nobody_tells_it(void **state)
{
	struct told told = { .holds = 1 };
	struct leaving leaving = { .told = &told };
	pthread_t ender, leaver;
	int child_status;
	pid_t child;

	(void)state;
	assert_int_equal(ingress_event_threads_watch(count_end, &told), INGRESS_OK);
	pthread_create(&ender, NULL, end_one, NULL);
	wait_for(&told.inside, 1);
	child = fork();
	if (child == 0)
		_exit(ingress_event_threads_unwatch(count_end, &told) == INGRESS_OK ? 0 : 1);
	assert_int_equal(waitpid(child, &child_status, 0), child);
	assert_int_equal(child_status, 0);
	pthread_create(&leaver, NULL, leave, &leaving);
	nap(50 * MS_NS);
	assert_int_equal(leaving.has_left, 0);
	atomic_store(&told.holds, 0);
	pthread_join(leaver, NULL);
	pthread_join(ender, NULL);
	assert_int_equal(leaving.status, INGRESS_OK);
	assert_int_equal(told.count, 1);
}

static void watchers_are_checked(void **state)
{
	struct told told[INGRESS__WATCHERS_MAX + 1];

	(void)state;
	assert_int_equal(ingress_event_threads_watch(NULL, NULL), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ingress_event_threads_unwatch(NULL, NULL), INGRESS_BAD_ARGUMENT);
	assert_int_equal(ingress_event_threads_unwatch(count_end, &told[0]), INGRESS_BAD_ARGUMENT);
	for (unsigned i = 0; i < INGRESS__WATCHERS_MAX; i++)
		assert_int_equal(ingress_event_threads_watch(count_end, &told[i]), INGRESS_OK);
	assert_int_equal(ingress_event_threads_watch(count_end, &told[INGRESS__WATCHERS_MAX]), INGRESS_NO_MEMORY);
	for (unsigned i = 0; i < INGRESS__WATCHERS_MAX; i++)
		assert_int_equal(ingress_event_threads_unwatch(count_end, &told[i]), INGRESS_OK);
	assert_int_equal(ingress_event_threads_watch(count_end, &told[0]), INGRESS_OK);
	assert_int_equal(ingress_event_threads_unwatch(count_end, &told[0]), INGRESS_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_that_ends_is_told),
		cmocka_unit_test(a_watcher_leaves_when_nobody_tells_it),
		cmocka_unit_test(watchers_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
