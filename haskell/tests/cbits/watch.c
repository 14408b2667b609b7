/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An example that hangs names itself, shows where every thread stands, and ends the suite.
 *
 * A thread that the runtime system does not know looks once a second whether the example that it saw before still runs.
 * Haskell code could not do that: when the runtime system has lost a wakeup, no Haskell thread runs. Looks are counted,
 * not the clock: while the process is stopped, or others have the processors, there are none.
 *
 * The invariant: `number` is odd while an example runs, and `name` is written only while it is even.
 *
 *	the example's thread                    the watching thread
 *	write name
 *	number = odd      (release)
 *	                                        number: odd, and the same at every look  (acquire)
 *	hangs                                   hung = true; reads name, which nobody writes any more
 *	                                        gdb stops and continues every thread, which may end the hang
 *	number = even, and sees hung: waits     ends the process
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NAME_BYTES 512
/* how long gdb may take, in seconds */
#define GDB_S "20"
/* tests/helpers/hspec.py knows it */
#define STATUS_HUNG 3
/* twelve frames of each thread */
#define SHOW "thread apply all backtrace 12"

static char name[NAME_BYTES];
static atomic_long number;
static atomic_bool hung;
static long limit_s;

static void nap_a_second(void)
{
	nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
	char line[NAME_BYTES + 256];
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (bytes > 0 && write(STDERR_FILENO, line, strnlen(line, sizeof(line))) < 0)
		_exit(STATUS_HUNG);
}

/*
 * Have gdb print the stacks of all threads. It stops this thread too, so timeout(1) kills it when it takes too long:
 * the non-threaded runtime system's timer signals can keep gdb from ever being done.
 */
static void show_stacks(void)
{
	char self[32];
	char *arguments[] = {
		"timeout", "--signal=KILL", GDB_S, "gdb", "-nx", "-batch", "-p", self, "-ex", SHOW, NULL
	};
	posix_spawn_file_actions_t actions;
	pid_t gdb;

	snprintf(self, sizeof(self), "%d", (int)getpid());
	/* where only a parent may be traced: this process lets anybody */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	if (posix_spawnp(&gdb, "timeout", &actions, NULL, arguments, environ)) {
		say("timeout(1) is not installed: no stacks\n");
		return;
	}
	while (waitpid(gdb, NULL, 0) < 0 && errno == EINTR)
		;
}

static void *watch(void *unused)
{
	long seen = 0, looks = 0;

	while (looks < limit_s) {
		long now;

		nap_a_second();
		/* acquire: the name that is read below was written before this number */
		now = atomic_load_explicit(&number, memory_order_acquire);
		looks = now == seen && now % 2 ? looks + 1 : 0;
		seen = now;
	}
	atomic_store(&hung, true);
	say("\nhung: %s has not ended after %ld s\n", name, limit_s);
	show_stacks();
	/* once more: whoever shows only the end of the output shows this */
	say("\nhung: %s has not ended after %ld s; the stacks of its threads are above\n", name, limit_s);
	_exit(STATUS_HUNG);
	return unused;
}

/* Begin to watch: an example may run for so many seconds. */
void watch_start(long seconds);
void watch_start(long seconds)
{
	pthread_t thread;
	sigset_t all, before;

	limit_s = seconds;
	/* the runtime system's signals are for its own threads */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, watch, NULL)) {
		say("watch_start: no thread can be made\n");
		abort();
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_detach(thread);
}

/* An example of this name begins. */
void watch_begin(const char *example);
void watch_begin(const char *example)
{
	snprintf(name, sizeof(name), "%s", example);
	/* release: see watch */
	atomic_fetch_add_explicit(&number, 1, memory_order_release);
}

/* It has ended: nothing goes on in a process that is about to end as one that hung. */
void watch_end(void);
void watch_end(void)
{
	atomic_fetch_add(&number, 1);
	while (atomic_load(&hung))
		pause();
}
