/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process around contexts: two libraries, a library that is unloaded, CPU time when nothing happens, memory
 * and descriptors in the steady state.
 */
#include "ingress_tests.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <malloc.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static void two_libraries_do_not_know_each_other(void **state)
{
	ingress_token one = open_echo(&echo_library, NULL), other = open_echo(&echo_other_library, NULL), fixed[2];

	(void)state;
	assert_int_equal(ask_words(one, ECHO_COUNTER, 0, 0, 0), 0);
	assert_int_equal(ask_words(one, ECHO_COUNTER, 0, 0, 0), 1);
	assert_int_equal(ask_words(other, ECHO_COUNTER, 0, 0, 0), 0);
	assert_int_equal(ask_words(one, ECHO_CALL, other, 1, 0), INGRESS_OK);
	assert_int_equal(ingress_static_context(&echo_library, &fixed[0]), INGRESS_OK);
	assert_int_equal(ingress_static_context(&echo_other_library, &fixed[1]), INGRESS_OK);
	assert_true(fixed[0] != fixed[1]);
	close_echo(one);
	assert_int_equal(ask_words(other, ECHO_COUNTER, 0, 0, 0), 1);
	close_echo(other);
}

static void a_library_that_is_unloaded_stays(void **state)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 32);
	const struct ingress_library *(*get)(void);
	ingress_token context;
	void *object;

	(void)state;
	assert_true(length > 0);
	path[length] = 0;
	strcpy(strrchr(path, '/') + 1, "ingress_echo.so");
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		fail_msg("%s", dlerror());
	*(void **)&get = dlsym(object, "echo_get_library");
	assert_non_null((void *)get);
	context = open_echo(get(), NULL);
	assert_int_equal(dlclose(object), 0);
	assert_int_equal(ask(context, ECHO_SAME, NULL, 0), INGRESS_OK);
	close_echo(context);
	/* it is the same when it is loaded again, and its threads still wait */
	object = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	assert_non_null(object);
	close_echo(open_echo(get(), NULL));
	dlclose(object);
}

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static void nothing_to_do_takes_no_time(void **state)
{
	ingress_token contexts[10];
	struct heard heard = { 0 };
	int64_t used;

	(void)state;
	for (int i = 0; i < 10; i++) {
		contexts[i] = open_echo(&echo_library, NULL);
		for (int k = 0; k < 1000; k++)
			assert_int_equal(ask(contexts[i], ECHO_SAME, NULL, 0), INGRESS_OK);
		/* one that runs and waits for nothing */
		assert_int_equal(submit(contexts[i], ECHO_KEEP, NULL, 0, &heard), INGRESS_OK);
	}
	nap(20 * MS_NS);
	used = cpu_ns();
	nap(500 * MS_NS);
	used = cpu_ns() - used;
	/* ten contexts in half a second: 0.2% of a processor each at most */
	if (!SANITIZED)
		assert_true(used < 10 * MS_NS);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(ask(contexts[i], ECHO_LET, NULL, 0), INGRESS_OK);
		close_echo(contexts[i]);
	}
}

/* How many descriptors or threads there are: entries of a folder. */
static int entries(const char *path)
{
	DIR *folder = opendir(path);
	int count = 0;

	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

static void contexts_come_and_go_without_new_threads_and_descriptors(void **state)
{
	uint64_t threads;
	int descriptors;

	(void)state;
	close_echo(open_echo(&echo_library, NULL));
	threads = atomic_load(&echo_threads);
	descriptors = entries("/proc/self/fd");
	for (int i = 0; i < 1000; i++) {
		struct heard heard = { 0 };
		ingress_token context = open_echo(&echo_library, NULL);

		assert_int_equal(submit(context, ECHO_SAME, NULL, 0, &heard), INGRESS_OK);
		close_echo(context);
		assert_int_equal(heard.terminal, 1);
	}
	assert_int_equal(atomic_load(&echo_threads), threads);
	assert_int_equal(entries("/proc/self/fd"), descriptors);
}

static void a_call_that_is_not_waited_for_has_no_thread(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	int threads = entries("/proc/self/task");
	struct heard heard = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(submit(context, ECHO_KEEP, NULL, 0, &heard), INGRESS_OK);
	assert_int_equal(entries("/proc/self/task"), threads);
	assert_int_equal(ask(context, ECHO_LET, NULL, 0), INGRESS_OK);
	assert_int_equal(heard.terminal, 1000);
	assert_int_equal(entries("/proc/self/task"), threads);
	close_echo(context);
}

static void a_small_request_allocates_nothing(void **state)
{
	ingress_token context = open_echo(&echo_library, NULL);
	unsigned char data[128] = { 1 };
	struct mallinfo2 before, after;

	(void)state;
	if (SANITIZED)
		skip();
	/* the first turns fill heaps and tables; how many that takes is the scheduler's choice */
	for (int turn = 0; turn < 20 && (turn == 0 || after.uordblks != before.uordblks); turn++) {
		struct heard heard = { 0 };

		before = mallinfo2();
		for (int i = 0; i < 3000; i++) {
			struct ingress_answer answer;

			assert_int_equal(submit(context, ECHO_SAME, data, sizeof(data), &heard), INGRESS_OK);
			assert_int_equal(ingress_ask(context, ECHO_SAME, 0, data, sizeof(data), LONG_NS, &answer),
					 INGRESS_OK);
			ingress_answer_release(&answer);
		}
		after = mallinfo2();
	}
	/* of all arenas there is only this thread's to see; blocks are taken by this thread */
	assert_int_equal(after.uordblks, before.uordblks);
	close_echo(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_libraries_do_not_know_each_other),
		cmocka_unit_test(a_library_that_is_unloaded_stays),
		cmocka_unit_test(nothing_to_do_takes_no_time),
		cmocka_unit_test(contexts_come_and_go_without_new_threads_and_descriptors),
		cmocka_unit_test(a_call_that_is_not_waited_for_has_no_thread),
		cmocka_unit_test(a_small_request_allocates_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
