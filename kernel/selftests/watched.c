// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whatever is to see each system call sees those of batches, or the batch is refused as a whole:
 * seccomp, ptrace, and system call user dispatch. A call that a filter forbids is never made.
 * batch(2) shows a filter each call of a batch; the device shows nobody any.
 */
#include "batch_test.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

#define FOLDER "/tmp/batch-forbidden"

/* A filter that refuses mkdir by -EPERM and lets all else through. */
static struct sock_filter no_mkdir[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static struct sock_fprog no_mkdir_program = { 4, no_mkdir };

static void make_folder(struct batch_slot *slots, long *rets)
{
	fill(slots, rets, 4);
	slots[1] = slot(SYS_mkdir, 2, (long)FOLDER, 0700, 0);
}

static int is_there(void)
{
	return access(FOLDER, F_OK) == 0;
}

/* The filter is asked about each call, so the one behind the mkdir is made. */
static int filtered_by_syscall(struct batch_slot *slots, long *rets)
{
	struct batch_resume resume = { 0 };
	long result = enter(slots, rets, 4, 0);

	if (result != (BATCH_RUN_MORE | 1) || rets[0] != getppid() || rets[1] != UNTOUCHED)
		return 3;
	rets[0] = UNTOUCHED;
	result = enter_to_resume(slots, rets, 4, &resume);
	if (result != -EOPNOTSUPP || resume.slot != 2 || resume.how != BATCH_RESUME_DIRECT ||
	    rets[1] != UNTOUCHED || is_there())
		return 4;
	result = run(slots, rets, 4);
	return result == 3 && rets[1] == -EPERM && rets[3] == getppid() && !is_there() ? 0 : 5;
}

static int filtered(void)
{
	struct batch_slot slots[4];
	long rets[4], result;

	make_folder(slots, rets);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &no_mkdir_program))
		return 77;
	if (front_end == BY_SYSCALL)
		return filtered_by_syscall(slots, rets);
	result = enter(slots, rets, 4, 0);
	if (result != -EOPNOTSUPP || rets[0] != UNTOUCHED || is_there())
		return 1;
	return mkdir(FOLDER, 0700) == -1 && errno == EPERM ? 0 : 2;
}

/* The filter is put up by a slot: the next one sees it. */
static int filtered_by_a_slot(void)
{
	struct batch_slot slots[4];
	long rets[4], result;

	fill(slots, rets, 4);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 77;
	slots[1] = slot(SYS_seccomp, 3, SECCOMP_SET_MODE_FILTER, 0, (long)&no_mkdir_program);
	slots[2] = slot(SYS_mkdir, 2, (long)FOLDER, 0700, 0);
	result = enter_as_far_as(slots, rets, 4, 2, NULL);
	if (result != (BATCH_RUN_MORE | 2) || rets[1] != 0 || rets[2] != UNTOUCHED || is_there())
		return 1;
	return enter(slots + 2, rets + 2, 2, 0) == -EOPNOTSUPP && !is_there() ? 0 : 2;
}

static int strict_by_a_slot(void)
{
	struct batch_slot slots[2];
	long rets[2];

	fill(slots, rets, 2);
	slots[0] = slot(SYS_prctl, 2, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0);
	slots[1] = slot(SYS_mkdir, 2, (long)FOLDER, 0700, 0);
	enter(slots, rets, 2, 0);
	syscall(SYS_exit, rets[0] == 0 && rets[1] == UNTOUCHED ? 0 : 1);
	return 2;
}

/* Strict mode forbids the entry itself. */
static int strict_before(void)
{
	struct batch_slot slots[2];
	long rets[2];

	make_folder(slots, rets);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	enter(slots, rets, 2, 0);
	syscall(SYS_exit, 1);
	return 1;
}

static int ends[2];

/* When the first thread sleeps in its batch. What it waits for comes behind the filter. */
static void *put_up_filter_for_all(void *unused)
{
	long code = 1;

	(void)unused;
	if (until_asleep(getpid()))
		code = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
			       &no_mkdir_program);
	if (write(ends[1], "", 1) != 1)
		return (void *)2L;
	return (void *)code;
}

/*
 * Another thread puts the filter up for all (TSYNC) while the batch sleeps: the mkdir behind it is
 * not made.
 */
static int filtered_by_another_thread(void)
{
	struct batch_slot slots[4];
	pthread_t thread;
	char byte;
	long rets[4], result;

	fill(slots, rets, 4);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (pipe(ends) || pthread_create(&thread, NULL, put_up_filter_for_all, NULL))
		return 77;
	slots[0] = slot(SYS_read, 3, ends[0], (long)&byte, 1);
	slots[1] = slot(SYS_mkdir, 2, (long)FOLDER, 0700, 0);
	result = enter(slots, rets, 4, 0);
	if (result != (BATCH_RUN_MORE | 1) || rets[0] != 1 || rets[1] != UNTOUCHED || is_there())
		return 1;
	return enter(slots + 1, rets + 1, 3, 0) == -EOPNOTSUPP && !is_there() ? 0 : 2;
}

static char selector;

static int dispatched(void)
{
	struct batch_slot slots[4];
	long rets[4], result;

	make_folder(slots, rets);
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector))
		return 77;
	result = enter(slots, rets, 4, 0);
	return result == -EOPNOTSUPP && rets[0] == UNTOUCHED && !is_there() ? 0 : 1;
}

static int expect(int (*body)(void), const char *name)
{
	int status = in_child(body);
	bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == 77;

	if (skipped)
		skip(name, "this kernel does not have it");
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		printf("# wait status 0x%x\n", (unsigned int)status);
	if (!skipped)
		report(WIFEXITED(status) && !WEXITSTATUS(status), "%s", name);
	rmdir(FOLDER);
	return status;
}

static void strict_mode_kills(void)
{
	int status = in_child(strict_before);

	report(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !is_there(),
	       "seccomp strict mode: the entry is killed");
}

static int traced(void)
{
	struct batch_slot slots[4];
	long rets[4], result;

	make_folder(slots, rets);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		return 77;
	raise(SIGSTOP);
	result = enter(slots, rets, 4, 0);
	return result == -EOPNOTSUPP && rets[0] == UNTOUCHED && !is_there() ? 0 : 1;
}

/* A tracer that stops at each system call. */
static void a_tracer_of_system_calls(void)
{
	int status, stops = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(traced());
	waitpid(child, &status, 0);
	while (WIFSTOPPED(status) && stops++ < 1000) {
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		waitpid(child, &status, 0);
	}
	report(WIFEXITED(status) && !WEXITSTATUS(status) && stops > 3,
	       "ptrace: a batch is refused, its entry is seen");
	rmdir(FOLDER);
}

/* Attach while a batch sleeps: it ends early, and no call of it is made unseen. */
static void a_tracer_that_attaches(void)
{
	static const struct timespec week = { 604800, 0 };
	struct batch_slot slots[3];
	long rets[3];
	int status = 0, seen = 0;
	pid_t child;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		long result;

		fill(slots, rets, 3);
		slots[0] = slot(SYS_nanosleep, 2, (long)&week, 0, 0);
		slots[1] = slot(SYS_mkdir, 2, (long)FOLDER, 0700, 0);
		result = enter(slots, rets, 3, 0);
		/* attaching interrupts the call */
		if (rets[0] != -EINTR)
			_exit(2);
		if (result != (BATCH_RUN_MORE | 1) || rets[1] != UNTOUCHED || is_there())
			_exit(1);
		_exit(enter(slots + 1, rets + 1, 2, 0) == -EOPNOTSUPP ? 0 : 1);
	}
	until_asleep(child);
	if (ptrace(PTRACE_SEIZE, child, NULL, (void *)PTRACE_O_TRACESYSGOOD) ||
	    ptrace(PTRACE_INTERRUPT, child, NULL, NULL)) {
		report(false, "ptrace: cannot attach: %s", strerror(errno));
		kill(child, SIGKILL);
	}
	waitpid(child, &status, 0);
	while (WIFSTOPPED(status) && seen < 1000) {
		seen += WSTOPSIG(status) == (SIGTRAP | 0x80);
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		waitpid(child, &status, 0);
	}
	report(WIFEXITED(status) && !WEXITSTATUS(status) && seen > 0,
	       "ptrace: attached in the middle of a batch");
	rmdir(FOLDER);
}

int main(void)
{
	for_each_front_end() {
		expect(filtered, "seccomp filter: what it forbids is not made");
		expect(filtered_by_a_slot, "seccomp filter put up by a slot: the next is not made");
		expect(filtered_by_another_thread,
		       "seccomp filter put up by another thread: the next is not made");
		expect(strict_by_a_slot, "seccomp strict mode by a slot: the next is not made");
		strict_mode_kills();
		expect(dispatched, "system call user dispatch: a batch is refused");
		a_tracer_of_system_calls();
		a_tracer_that_attaches();
	}
	return finish();
}
