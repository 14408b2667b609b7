/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thousands of forks beside threads that do everything: requests small and large, lent answers, inboxes, listeners,
 * contexts and threads that come and go. Each child gives back what it holds of the parent's and opens a context of its
 * own; one that hangs dies by its alarm, and the test fails. FERRY_STRESS_SECONDS makes it last so long.
 *
 * ThreadSanitizer does not follow new threads of a forked child: there the children open none. AddressSanitizer of
 * GCC 12 does not hold its allocator's locks around fork, and threads that find a list of buffers locked allocate: then
 * a child may hang for its sake, so there the test is skipped. test_ingress_fork.c runs with it.
 */
#include "ingress_anywhere.h"

#include <sys/wait.h>

enum { FORKS = 1000, MOST_S = 3, HANG_S = 120, LARGE = 5000, LENT = 70000, CHILDREN = 4 };

#if defined(__SANITIZE_THREAD__)
enum { OPENS = false, BUSY = 4 };
#else
enum { OPENS = true, BUSY = 4 };
#endif

static _Atomic bool over;
static ingress_token shared;

static void *ask_large(void *lent)
{
	while (!atomic_load(&over))
		for (uint64_t bytes = 100; bytes < LENT; bytes *= 3) {
			const uint64_t words[2] = { bytes, lent != NULL };

			assert_int_equal(ask(shared, ANYWHERE_LARGE, words, sizeof(words)), INGRESS_OK);
		}
	return NULL;
}

static void *submit_one(void *argument)
{
	struct heard heard = { 0 };

	(void)argument;
	assert_int_equal(submit(shared, ANYWHERE_RUN, NULL, 0, &heard), INGRESS_OK);
	while (!atomic_load(&heard.terminal))
		nap(MS_NS / 100);
	return NULL;
}

/* Threads come and go, and take and leave heaps. */
static void *start_threads(void *argument)
{
	pthread_t thread;

	(void)argument;
	while (!atomic_load(&over)) {
		assert_int_equal(pthread_create(&thread, NULL, submit_one, NULL), 0);
		pthread_join(thread, NULL);
	}
	return NULL;
}

static void take_event(void *user, const struct ingress_event *event)
{
	(void)event;
	atomic_fetch_add((_Atomic uint32_t *)user, 1);
}

/* Contexts, listeners and inboxes come and go. */
static void *start_contexts(void *argument)
{
	_Atomic uint32_t events = 0;
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = take_event, .user = &events };
	struct ingress_call call = { .method = ANYWHERE_RUN };
	struct ingress_item item;

	(void)argument;
	while (!atomic_load(&over)) {
		ingress_token context = open_anywhere(NULL);
		uint64_t id;

		assert_int_equal(ingress_listen(context, &listener, &id), INGRESS_OK);
		assert_int_equal(ingress_inbox_create(&call.inbox), INGRESS_OK);
		assert_int_equal(ask(context, ANYWHERE_EMIT, NULL, 0), INGRESS_OK);
		assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
		assert_int_equal(ingress_inbox_take(call.inbox, &item, 1, LONG_NS), 1);
		ingress_items_release(&item, 1);
		ingress_inbox_close(call.inbox);
		close_echo(context);
	}
	return NULL;
}

/* 0, or where it failed. */
static int run_child(struct ingress_answer kept[2])
{
	const uint64_t words[2] = { LARGE, 0 };
	struct ingress_answer answer;
	ingress_token own;

	ingress_answer_release(&kept[0]);
	ingress_answer_release(&kept[1]);
	if (ask(shared, ANYWHERE_RUN, NULL, 0) != INGRESS_CLOSED)
		return 2;
	if (!OPENS)
		return 0;
	if (open_of(&anywhere_library, NULL, NULL, &own) != INGRESS_OK)
		return 3;
	if (own == shared)
		return 4;
	if (ingress_ask(own, ANYWHERE_LARGE, 0, words, sizeof(words), LONG_NS, &answer) != INGRESS_OK)
		return 5;
	if (answer.bytes != LARGE || ((const unsigned char *)answer.data)[LARGE - 1])
		return 6;
	ingress_answer_release(&answer);
	return ingress_context_destroy(own, LONG_NS) == INGRESS_OK ? 0 : 7;
}

static void await(pid_t *child)
{
	int status = 0;

	if (*child && waitpid(*child, &status, 0) != *child)
		abort();
	*child = 0;
	if (status)
		fail_msg("a child ended with %#x (0xe: it hung)", (unsigned int)status);
}

static void children_go_on_beside_busy_threads(void **state)
{
	const char *seconds = getenv("FERRY_STRESS_SECONDS");
	int64_t since_ns = now_ns(), least_ns = seconds ? strtoll(seconds, NULL, 10) * SECOND_NS : 0;
	const uint64_t large[2] = { LARGE, 0 }, lent[2] = { LENT, 1 };
	void *(*const run[4])(void *) = { ask_large, ask_large, start_threads, start_contexts };
	pid_t children[CHILDREN] = { 0 };
	pthread_t threads[4];
	int forks = 0;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	/* see the top of this file */
	skip();
#endif
	shared = open_anywhere(NULL);
	for (size_t i = 0; i < BUSY; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run[i], i == 1 ? &shared : NULL), 0);
	for (int64_t ns = 0; ns < least_ns || (forks < FORKS && ns < MOST_S * SECOND_NS); ns = now_ns() - since_ns) {
		struct ingress_answer kept[2];
		pid_t *child = &children[forks++ % CHILDREN];

		await(child);
		assert_int_equal(ingress_ask(shared, ANYWHERE_LARGE, 0, large, sizeof(large), LONG_NS, &kept[0]),
				 INGRESS_OK);
		assert_int_equal(ingress_ask(shared, ANYWHERE_LARGE, 0, lent, sizeof(lent), LONG_NS, &kept[1]),
				 INGRESS_OK);
		*child = fork();
		if (*child == 0) {
			alarm(HANG_S);
			_exit(run_child(kept));
		}
		assert_true(*child > 0);
		ingress_answer_release(&kept[0]);
		ingress_answer_release(&kept[1]);
	}
	for (int i = 0; i < CHILDREN; i++)
		await(&children[i]);
	atomic_store(&over, true);
	for (int i = 0; i < BUSY; i++)
		pthread_join(threads[i], NULL);
	printf("# %d forks in %lld ms\n", forks, (long long)((now_ns() - since_ns) / MS_NS));
	assert_true(forks > 2 * CHILDREN);
	close_echo(shared);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(children_go_on_beside_busy_threads) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
