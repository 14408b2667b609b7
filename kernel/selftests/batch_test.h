/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the selftests share: a batch through whatever this kernel offers, and results as TAP.
 *
 * Every test that is not named for a front end runs on each one that is there: the system call and
 * /dev/batch.
 */
#ifndef BATCH_TEST_H
#define BATCH_TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../include/uapi/linux/batch.h"

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))
#endif

#define DEVICE "/dev/batch"
#define UNTOUCHED 0x5a5a5a5a5a5a5a5aL

enum front_end { BY_DEVICE, BY_SYSCALL, FRONT_ENDS };

static const char *const front_end_names[FRONT_ENDS] = { "device", "system call" };
static enum front_end front_end;
static int batch_fd = -1;
static unsigned int test_number, test_failures;

/* Say how a test went; the rest of the line says more when it failed. */
static inline bool report(bool good, const char *format, ...)
{
	va_list arguments;
	char name[160];

	va_start(arguments, format);
	vsnprintf(name, sizeof(name), format, arguments);
	va_end(arguments);
	printf("%sok %u - %s: %s\n", good ? "" : "not ", ++test_number, front_end_names[front_end],
	       name);
	fflush(stdout);
	test_failures += !good;
	return good;
}

/* As report, for two numbers that are to be equal. */
static inline bool same(long found, long wanted, const char *name)
{
	if (found != wanted)
		printf("# found %ld (0x%lx), wanted %ld\n", found, (unsigned long)found, wanted);
	return report(found == wanted, "%s", name);
}

static inline void skip(const char *name, const char *why)
{
	printf("ok %u - %s: %s # SKIP %s\n", ++test_number, front_end_names[front_end], name, why);
}

/* The last line of a program: how many tests there were. */
static inline int finish(void)
{
	if (!test_number) {
		printf("1..0 # SKIP this kernel has neither " DEVICE " nor batch(2)\n");
		return 0;
	}
	printf("1..%u\n", test_number);
	return test_failures > 0;
}

static inline long run_syscall(struct batch_slot *slots, long *rets, unsigned long count,
			       unsigned long flags, struct batch_resume *resume)
{
	long result = syscall(BATCH_SYSCALL_NR, slots, rets, count, flags, resume);

	return result < 0 ? -errno : result;
}

static inline long run_device(int fd, struct batch_slot *slots, long *rets, unsigned long count,
			      unsigned long flags, struct batch_resume *resume)
{
	const struct batch_run run = { (unsigned long)slots, (unsigned long)rets, count, flags,
				       (unsigned long)resume };
	long result = syscall(SYS_ioctl, fd, BATCH_IOC_RUN, &run);

	return result < 0 ? -errno : result;
}

/* One entry, by the front end that is tested. Returns what the kernel returned, or -errno. */
static inline long enter_to_resume(struct batch_slot *slots, long *rets, unsigned long count,
				   struct batch_resume *resume)
{
	return front_end == BY_SYSCALL ? run_syscall(slots, rets, count, 0, resume)
				       : run_device(batch_fd, slots, rets, count, 0, resume);
}

/* The same without a struct batch_resume. */
static inline long enter(struct batch_slot *slots, long *rets, unsigned long count,
			 unsigned long flags)
{
	return front_end == BY_SYSCALL ? run_syscall(slots, rets, count, flags, NULL)
				       : run_device(batch_fd, slots, rets, count, flags, NULL);
}

/*
 * Enter again while the run is handed back before slot `next`: it may be behind any slot, as when
 * the thread is preempted. Returns what the last run gave; that and resume->slot are counted from
 * slot 0.
 */
static inline long enter_as_far_as(struct batch_slot *slots, long *rets, unsigned long count,
				   unsigned long next, struct batch_resume *resume)
{
	for (unsigned long from = 0;;) {
		long result = enter_to_resume(slots + from, rets + from, count - from, resume);

		if (resume && resume->slot)
			resume->slot += from;
		if (result < 0)
			return result;
		if (!(result & BATCH_RUN_MORE))
			return (long)from + result;
		from += (unsigned long)BATCH_RUN_NEXT(result);
		if (from >= next)
			return BATCH_RUN_MORE | (long)from;
	}
}

/* How many slots a slot with that result skips, or less than 0. */
static inline long jump_of(const struct batch_slot *slot, long result)
{
	if (result > 0)
		return slot->jump_positive;
	return result < 0 ? slot->jump_fail : slot->jump_zero;
}

/* The call of a slot, made by itself. */
static inline long directly(const struct batch_slot *slot)
{
	long result = syscall(slot->nr, slot->arg[0], slot->arg[1], slot->arg[2], slot->arg[3],
			      slot->arg[4], slot->arg[5]);

	return result == -1 ? -errno : result;
}

/*
 * What a run that a call has ended has come to: as a run returns it, or `answer` where nobody took
 * up slot 0, or where a result could not be stored.
 */
static inline long after_interrupt(const struct batch_resume *resume, long answer, long *rets,
				   unsigned long count)
{
	long slot = (long)resume->slot - 1, jump;

	if (resume->how & BATCH_RESUME_UNSTORED)
		return answer;
	if (resume->how & BATCH_RESUME_DIRECT)
		answer = directly(&resume->call);
	else if (!(resume->how & BATCH_RESUME_RESULT) && answer != -EINTR)
		return slot ? BATCH_RUN_MORE | slot : answer;
	rets[slot] = answer;
	jump = jump_of(&resume->call, answer);
	if (jump < 0 || slot + 1 + jump >= (long)count)
		return slot;
	return BATCH_RUN_MORE | (slot + 1 + jump);
}

/* Enter until the batch has ended. Returns the index of the last slot that ran, or -errno. */
static inline long run(struct batch_slot *slots, long *rets, unsigned long count)
{
	unsigned long from = 0;

	for (;;) {
		struct batch_resume resume = { 0 };
		long result = enter_to_resume(slots + from, rets + from, count - from, &resume);

		if (resume.slot)
			result = after_interrupt(&resume, result, rets + from, count - from);
		if (result < 0)
			return result;
		if (!(result & BATCH_RUN_MORE))
			return (long)from + result;
		from += (unsigned long)BATCH_RUN_NEXT(result);
	}
}

static inline struct batch_slot slot(long nr, unsigned int argc, long a, long b, long c)
{
	return (struct batch_slot){ .nr = (short)nr,
				    .argc = (unsigned char)argc,
				    .arg = { a, b, c } };
}

static inline struct batch_slot slot6(long nr, long a, long b, long c, long d, long e, long f)
{
	return (struct batch_slot){ .nr = (short)nr, .argc = 6, .arg = { a, b, c, d, e, f } };
}

/* `count` slots that each get the parent's number, and results that nothing has touched. */
static inline void fill(struct batch_slot *slots, long *rets, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		slots[i] = slot(SYS_getppid, 0, 0, 0, 0);
		rets[i] = UNTOUCHED;
	}
}

/* Memory of its own pages, zero. */
static inline void *pages(size_t bytes, int protection)
{
	void *memory = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		printf("Bail out! no memory for a test: %s\n", strerror(errno));
		exit(1);
	}
	return memory;
}

static inline long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

static inline void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/*
 * Wait until a task sleeps in the kernel, and so, when it has nothing else to wait for, in the slot
 * that does. No time is long enough for that on a machine that others use. Returns false when it
 * ends instead.
 */
static inline bool until_asleep(pid_t tid)
{
	char path[32], text[256], *state;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tid);
	for (;;) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t bytes = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

		close(fd);
		if (bytes < 0)
			return false;
		text[bytes] = 0;
		/* "pid (name) state" */
		state = strrchr(text, ')');
		if (!state || state[2] == 'Z' || state[2] == 'X')
			return false;
		if (state[2] == 'S')
			return true;
		sleep_ms(1);
	}
}

/* Set front_end to the next one there is, from `next` on. Returns whether there is one. */
static inline bool next_front_end(int *next)
{
	for (; *next < FRONT_ENDS; ++*next) {
		front_end = *next;
		if (front_end == BY_SYSCALL && run_syscall(NULL, NULL, 0, 0, NULL) != -EINVAL)
			continue;
		if (front_end == BY_DEVICE && batch_fd < 0)
			batch_fd = open(DEVICE, O_RDWR | O_CLOEXEC);
		if (front_end == BY_DEVICE && batch_fd < 0)
			continue;
		++*next;
		return true;
	}
	return false;
}

#define for_each_front_end() for (int next_ = 0; next_front_end(&next_);)

/* Run a function in a child. Returns its wait status. */
static inline int in_child(int (*body)(void))
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(body());
	do {
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return -1;
		/* a child that has asked to be traced stops for us */
		if (WIFSTOPPED(status))
			kill(pid, SIGKILL);
	} while (WIFSTOPPED(status));
	return status;
}

#endif /* BATCH_TEST_H */
