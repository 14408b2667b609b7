/* SPDX-License-Identifier: BSD-3-Clause */
/* src/thread/file.c: what is read of a file, however small the buffer is and however often a signal comes. */
#include "thread/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIGNALS = 50 };

static char path[] = "/tmp/test_thread_file.XXXXXX";

static int make_file(void **state)
{
	int descriptor = mkstemp(path);

	(void)state;
	return descriptor < 0 || write(descriptor, "0123456789", 10) != 10 || close(descriptor);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void a_file_is_read_and_ended_by_a_zero(void **state)
{
	char text[32];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_true(thread__file_read(AT_FDCWD, path, text, sizeof(text)));
	assert_string_equal(text, "0123456789");
}

static void what_does_not_fit_is_left_out(void **state)
{
	char text[6];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_true(thread__file_read(AT_FDCWD, path, text, 5));
	assert_string_equal(text, "0123");
	assert_int_equal(text[5], 'x');
}

static void a_path_may_begin_at_a_folder(void **state)
{
	char text[32];
	long folder = open("/tmp", O_RDONLY | O_DIRECTORY);

	(void)state;
	assert_true(thread__file_read(folder, path + strlen("/tmp/"), text, sizeof(text)));
	assert_string_equal(text, "0123456789");
	close((int)folder);
}

static void a_file_that_is_not_there_changes_nothing(void **state)
{
	char text[4] = "abc";

	(void)state;
	assert_false(thread__file_read(AT_FDCWD, "/tmp/there/is/none", text, sizeof(text)));
	assert_string_equal(text, "abc");
}

static void ignore(int number)
{
	(void)number;
}

/* Write two parts into the pipe, and signal the reader many times before each. */
static void *write_slowly(void *arguments)
{
	const intptr_t *given = arguments;

	for (int part = 0; part < 2; part++) {
		for (int i = 0; i < SIGNALS; i++) {
			pthread_kill((pthread_t)given[0], SIGUSR2);
			nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
		}
		if (write((int)given[1], part ? "second" : "first ", 6) != 6)
			abort();
	}
	close((int)given[1]);
	return NULL;
}

static void parts_are_put_together_while_signals_come(void **state)
{
	int ends[2];
	char text[32] = "0: ";
	intptr_t given[2] = { (intptr_t)pthread_self() };
	pthread_t writer;

	(void)state;
	sigaction(SIGUSR2, &(struct sigaction){ .sa_handler = ignore }, NULL);
	assert_int_equal(pipe(ends), 0);
	given[1] = ends[1];
	assert_int_equal(pthread_create(&writer, NULL, write_slowly, given), 0);
	assert_int_equal(thread__file_append(ends[0], text, 3, sizeof(text)), 15);
	assert_string_equal(text, "0: first second");
	pthread_join(writer, NULL);
	thread__file_close(ends[0]);
	assert_int_equal(fcntl(ends[0], F_GETFD), -1);
	assert_int_equal(errno, EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_and_ended_by_a_zero),
		cmocka_unit_test(what_does_not_fit_is_left_out),
		cmocka_unit_test(a_path_may_begin_at_a_folder),
		cmocka_unit_test(a_file_that_is_not_there_changes_nothing),
		cmocka_unit_test(parts_are_put_together_while_signals_come),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
