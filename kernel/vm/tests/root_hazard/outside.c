// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the controller changes: signals, stops, tracers, tracepoints, the freezer, a completed
 * request. The second function of each pair waits until what the first began has come to pass, which
 * is only when the task is no longer held in the kernel.
 */
#include "hazard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

#define CGROUPS "/tmp/hazard-cgroups"
#define CGROUP CGROUPS "/victim"
#define TRACING "/sys/kernel/tracing/"
#define SYS_ENTER TRACING "events/raw_syscalls/sys_enter/"

static bool put(const char *path, const char *format, long number)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	bool good = fd >= 0 && dprintf(fd, format, number) > 0;

	if (fd >= 0)
		close(fd);
	return good;
}

/* ---- signals ----------------------------------------------------------------------------------- */

static bool tell(const struct cell *cell, int signal)
{
	return syscall(SYS_tgkill, cell->pid, cell->pid, signal) == 0;
}

bool send_signal(struct cell *cell)
{
	return tell(cell, SIGUSR1);
}

bool send_credentials(struct cell *cell)
{
	return tell(cell, SIGUSR2);
}

static bool is_handled(const struct cell *cell)
{
	(void)cell;
	return __atomic_load_n(&shared->handled, __ATOMIC_SEQ_CST) > 0;
}

bool until_handled(struct cell *cell)
{
	return until(cell, is_handled);
}

/*
 * The state of a thread, as ps(1) has it, or 0. Not by /proc/PID/stat: from 7.2 on that waits for who
 * changes the credentials of all threads, who may wait for the thread that is held.
 */
char state_of(pid_t thread)
{
	char path[32], line[256], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)thread);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (!state && fgets(line, sizeof(line), file))
		if (!strncmp(line, "State:\t", 7))
			state = line[7];
	fclose(file);
	return state;
}

/* What the assistant has begun has put work on the task that is held, and waits for it. */
static bool is_blocked(const struct cell *cell)
{
	(void)cell;
	return __atomic_load_n(&shared->blocks, __ATOMIC_SEQ_CST) &&
	       state_of(shared->assistant) == 'S';
}

bool until_blocked(struct cell *cell)
{
	return until(cell, is_blocked);
}

bool send_kill(struct cell *cell)
{
	return kill(cell->pid, SIGKILL) == 0;
}

/* ---- stop and continue ------------------------------------------------------------------------- */

bool stop(struct cell *cell)
{
	return kill(cell->pid, SIGSTOP) == 0;
}

bool go_on(struct cell *cell)
{
	return until_stopped(cell) && kill(cell->pid, SIGCONT) == 0;
}

/* ---- tracers ----------------------------------------------------------------------------------- */

bool seize(struct cell *cell)
{
	return !ptrace(PTRACE_SEIZE, cell->pid, NULL, (void *)PTRACE_O_TRACESYSGOOD) &&
	       !ptrace(PTRACE_INTERRUPT, cell->pid, NULL, NULL);
}

/* From here on each call is seen. */
bool trace(struct cell *cell)
{
	if (!until_stopped(cell))
		return false;
	cell->traced = true;
	return !ptrace(PTRACE_SYSCALL, cell->pid, NULL, NULL);
}

/* A debugger that has looked, and is not after calls. */
bool let_run(struct cell *cell)
{
	return until_stopped(cell) && !ptrace(PTRACE_CONT, cell->pid, NULL, NULL);
}

bool attach(struct cell *cell)
{
	return !ptrace(PTRACE_ATTACH, cell->pid, NULL, NULL);
}

bool detach(struct cell *cell)
{
	return until_stopped(cell) && !ptrace(PTRACE_DETACH, cell->pid, NULL, NULL);
}

/* A stop of a victim whose calls are traced. */
void on_trace_stop(struct cell *cell, int status)
{
	struct ptrace_syscall_info information;
	long signal = WSTOPSIG(status);

	if (signal == (SIGTRAP | 0x80)) {
		signal = 0;
		if (ptrace(PTRACE_GET_SYSCALL_INFO, cell->pid, (void *)sizeof(information),
			   &information) > 0 &&
		    information.op == PTRACE_SYSCALL_INFO_ENTRY)
			record_seen(cell->record, (long)information.entry.nr);
	} else if (signal == SIGTRAP || status >> 16) {
		signal = 0;
	}
	ptrace(PTRACE_SYSCALL, cell->pid, NULL, (void *)signal);
}

/* ---- tracepoints ------------------------------------------------------------------------------- */

const char *no_tracepoints(void)
{
	return access(SYS_ENTER "enable", W_OK) ? "this kernel has no tracepoints of system calls"
						: NULL;
}

/*
 * Names of commands are not recorded: for them each look at system calls would have the scheduler's
 * code patched, too. QEMU's processors have been seen to run a breakpoint there that the kernel had
 * taken away again ("Oops: int3" in __schedule).
 */
bool tracepoints_on(struct cell *cell)
{
	return put(TRACING "options/record-cmd", "%ld", 0) &&
	       put(SYS_ENTER "filter", "common_pid == %ld", cell->pid) &&
	       put(TRACING "trace", "%ld", 0) && put(SYS_ENTER "enable", "%ld", 1);
}

void tracepoints_off(struct cell *cell)
{
	char line[256];
	FILE *file;

	put(SYS_ENTER "enable", "%ld", 0);
	file = fopen(TRACING "trace", "re");
	while (file && fgets(line, sizeof(line), file)) {
		char *number = strstr(line, "sys_enter: NR ");

		if (number)
			record_seen(cell->record, strtol(number + 14, NULL, 10));
	}
	if (file)
		fclose(file);
}

/* ---- the freezer ------------------------------------------------------------------------------- */

const char *no_freezer(void)
{
	mkdir(CGROUPS, 0700);
	if (access(CGROUPS "/cgroup.procs", F_OK) &&
	    mount("none", CGROUPS, "cgroup2", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return "no cgroups of version 2";
	if (mkdir(CGROUP, 0700) && errno != EEXIST)
		return "no cgroup can be made";
	return access(CGROUP "/cgroup.freeze", W_OK) ? "cgroups have no freezer" : NULL;
}

bool freeze(struct cell *cell)
{
	return put(CGROUP "/cgroup.procs", "%ld", cell->pid) &&
	       put(CGROUP "/cgroup.freeze", "%ld", 1);
}

static bool is_frozen(const struct cell *cell)
{
	char text[128] = "";
	int fd = open(CGROUP "/cgroup.events", O_RDONLY | O_CLOEXEC);
	bool frozen = fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 && strstr(text, "frozen 1");

	(void)cell;
	if (fd >= 0)
		close(fd);
	return frozen;
}

bool thaw(struct cell *cell)
{
	bool frozen = until(cell, is_frozen);

	cell->record->stopped = log_bytes();
	return put(CGROUP "/cgroup.freeze", "%ld", 0) && frozen;
}

/* ---- a request of io_uring --------------------------------------------------------------------- */

bool complete_request(struct cell *cell)
{
	const unsigned long one = 1;

	(void)cell;
	return write(ends.ring, &one, sizeof(one)) == sizeof(one);
}

/* A request has read what we wrote: the task has done the work that was put on it. */
bool is_completed(const struct cell *cell)
{
	struct pollfd from = { ends.ring, POLLIN, 0 };

	(void)cell;
	return poll(&from, 1, 0) == 0;
}

bool until_completed(struct cell *cell)
{
	return until(cell, is_completed);
}
