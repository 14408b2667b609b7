// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call that a signal interrupts in a batch is restarted, goes on or is given up as it would be by
 * itself: each call that waits, disturbed in each way, gives in a batch what it gives when the same
 * calls are made one by one. By root, who may make a control group to freeze.
 */
#include "batch_test.h"

#include <linux/futex.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

#define GROUPS "/tmp/batch-groups"
#define GROUP GROUPS "/frozen"
#define SLOTS 4
#define WAITS 1 /* the slot that does */
#define DISTURBANCES 2
#define TIMEOUT_NS 1000000000L /* of calls that have one */
#define POLL_DATA 7

/* what a child tells; the parent reads it when the child has ended, but for `handled` */
struct outcome {
	long rets[SLOTS], last;
	volatile sig_atomic_t handled;
	long ns; /* that its calls took */
};

static struct outcome *outcome;

static int ends[2];
static int events; /* an eventfd that wakes the child's ring */

static void handle(int signal)
{
	(void)signal;
	outcome->handled++;
}

/* ---- what waits ------------------------------------------------------------------------------ */

static const struct timespec timeout = { TIMEOUT_NS / 1000000000, TIMEOUT_NS % 1000000000 };
static const struct timespec week = { 604800, 0 };
static struct pollfd readable;
static char bytes[8];
static unsigned long no_signals;
static int word;

enum end { BY_DATA, BY_TIME, BY_SIGNAL };

static struct call {
	const char *name;
	enum end end; /* what it waits for */
	struct batch_slot slot;
} calls[] = {
	{ .name = "read", BY_DATA },	     { .name = "poll", BY_DATA },
	{ .name = "ppoll", BY_DATA },	     { .name = "poll with a timeout", BY_TIME },
	{ .name = "nanosleep", BY_TIME },    { .name = "clock_nanosleep", BY_TIME },
	{ .name = "futex", BY_TIME },	     { .name = "pause", BY_SIGNAL },
	{ .name = "sigsuspend", BY_SIGNAL },
};

static void make_calls(void)
{
	const struct batch_slot slots[] = {
		slot(SYS_read, 3, ends[0], (long)bytes, sizeof(bytes)),
		slot(SYS_poll, 3, (long)&readable, 1, -1),
		slot6(SYS_ppoll, (long)&readable, 1, (long)&week, (long)&no_signals, 8, 0),
		slot(SYS_poll, 3, (long)&readable, 1, TIMEOUT_NS / 1000000),
		slot(SYS_nanosleep, 2, (long)&timeout, 0, 0),
		slot6(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&timeout, 0, 0, 0),
		slot6(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 0, (long)&timeout, 0, 0),
		slot(SYS_pause, 0, 0, 0, 0),
		slot(SYS_rt_sigsuspend, 2, (long)&no_signals, 8, 0),
	};

	readable = (struct pollfd){ ends[0], POLLIN, 0 };
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		calls[i].slot = slots[i];
}

/* ---- how it is disturbed --------------------------------------------------------------------- */

/*
 * A call that does not go on behind a stop lets its child end, maybe before we look: waitpid()
 * would take that for what it waits for, and the child's status with it.
 */
static void stop_and_continue(pid_t child)
{
	siginfo_t information;
	int status;

	kill(child, SIGSTOP);
	waitpid(child, &status, WUNTRACED);
	kill(child, SIGCONT);
	waitid(P_PID, (id_t)child, &information, WCONTINUED);
}

static void send_alarm(pid_t child)
{
	sig_atomic_t before = outcome->handled;

	kill(child, SIGALRM);
	while (outcome->handled == before)
		sleep_ms(1);
}

static void attach_and_detach(pid_t child)
{
	int status;

	if (ptrace(PTRACE_SEIZE, child, NULL, NULL) || ptrace(PTRACE_INTERRUPT, child, NULL, NULL))
		return;
	waitpid(child, &status, 0);
	ptrace(PTRACE_DETACH, child, NULL, NULL);
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return good;
}

static void freeze_and_thaw(pid_t child)
{
	char text[64] = "", number[16];
	ssize_t got = 1;

	snprintf(number, sizeof(number), "%d", (int)child);
	write_text(GROUP "/cgroup.procs", number);
	write_text(GROUP "/cgroup.freeze", "1");
	while (got > 0 && !strstr(text, "frozen 1")) {
		int fd = open(GROUP "/cgroup.events", O_RDONLY | O_CLOEXEC);

		got = read(fd, text, sizeof(text) - 1);
		text[got > 0 ? got : 0] = 0;
		close(fd);
	}
	write_text(GROUP "/cgroup.freeze", "0");
}

/* The child's ring polls `events`; what comes of it is work for the child, which wakes it. */
static void complete_a_request(pid_t child)
{
	const unsigned long one = 1;

	(void)child;
	if (write(events, &one, sizeof(one)) != sizeof(one))
		printf("# the ring is not woken\n");
}

static bool can_freeze(void)
{
	mkdir(GROUPS, 0755);
	if (access(GROUPS "/cgroup.procs", F_OK) && mount("none", GROUPS, "cgroup2", 0, NULL))
		return false;
	mkdir(GROUP, 0755);
	return access(GROUP "/cgroup.freeze", W_OK) == 0;
}

/* A ring with one request that waits for `events`, as often as they come. */
static bool make_ring(void)
{
	struct io_uring_params params = { 0 };
	int ring = (int)syscall(SYS_io_uring_setup, 4, &params);
	struct io_uring_sqe *requests;
	char *rings;

	if (ring < 0)
		return false;
	rings = mmap(NULL, params.sq_off.array + params.sq_entries * sizeof(__u32),
		     PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	requests = mmap(NULL, params.sq_entries * sizeof(*requests), PROT_READ | PROT_WRITE,
			MAP_SHARED, ring, IORING_OFF_SQES);
	if (rings == MAP_FAILED || (void *)requests == MAP_FAILED)
		return false;
	requests[0] = (struct io_uring_sqe){ .opcode = IORING_OP_POLL_ADD,
					     .fd = events,
					     .poll32_events = POLLIN,
					     .len = IORING_POLL_ADD_MULTI,
					     .user_data = POLL_DATA };
	*(__u32 *)(rings + params.sq_off.array) = 0;
	*(__u32 *)(rings + params.sq_off.tail) = 1;
	return syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) == 1;
}

static const struct disturbance {
	const char *name;
	void (*disturb)(pid_t child);
	int flags; /* of the handler */
} disturbances[] = {
	{ "a handler", send_alarm, 0 },
	{ "a handler with SA_RESTART", send_alarm, SA_RESTART },
	{ "stop and continue", stop_and_continue, 0 },
	{ "a debugger that attaches", attach_and_detach, 0 },
	{ "a freezer", freeze_and_thaw, 0 },
	{ "a request of io_uring", complete_a_request, 0 },
};

/* ---- the same in a batch and one by one ------------------------------------------------------ */

/* Returns the last slot that ran. */
static long one_by_one(struct batch_slot *slots, long *rets, long count)
{
	for (long next = 0, last;;) {
		const __s64 *arg = slots[next].arg;
		long jump;

		last = next;
		rets[last] =
			syscall(slots[last].nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
		if (rets[last] == -1)
			rets[last] = -errno;
		jump = jump_of(&slots[last], rets[last]);
		next = last + 1 + jump;
		if (jump < 0 || next >= count)
			return last;
	}
}

static int body(const struct call *call, const struct disturbance *disturbance, bool in_a_batch)
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = disturbance->flags };
	struct batch_slot slots[SLOTS];
	long from = now_ns();

	sigaction(SIGALRM, &action, NULL);
	action.sa_flags = 0;
	sigaction(SIGUSR1, &action, NULL);
	if (disturbance->disturb == complete_a_request && !make_ring())
		return 77;
	fill(slots, outcome->rets, SLOTS);
	slots[WAITS] = call->slot;
	/* where it fails, the slot behind it is left out */
	slots[WAITS].jump_fail = 1;
	outcome->last = in_a_batch ? run(slots, outcome->rets, SLOTS)
				   : one_by_one(slots, outcome->rets, SLOTS);
	outcome->ns = now_ns() - from;
	return 0;
}

/* Disturb a call as long as it waits, then let it end. Returns the child's status. */
static int disturbed(const struct call *call, const struct disturbance *disturbance,
		     bool in_a_batch)
{
	unsigned long count;
	int status = -1;
	pid_t child;

	*outcome = (struct outcome){ .last = -1 };
	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit(body(call, disturbance, in_a_batch));
	for (int i = 0; i < DISTURBANCES && until_asleep(child); i++)
		disturbance->disturb(child);
	if (until_asleep(child) && call->end == BY_SIGNAL)
		kill(child, SIGUSR1);
	else if (call->end == BY_DATA && write(ends[1], "x", 1) != 1)
		printf("# nothing is written\n");
	waitpid(child, &status, 0);
	while (poll(&readable, 1, 0) > 0)
		if (read(ends[0], bytes, sizeof(bytes)) < 0)
			break;
	if (read(events, &count, sizeof(count)) < 0)
		count = 0;
	return status;
}

static void say(const char *how, int status, const struct outcome *what)
{
	printf("# %s: status 0x%x, last slot %ld, result %ld, handled %d\n", how,
	       (unsigned int)status, what->last, what->rets[WAITS], (int)what->handled);
}

static void as_by_itself(const struct call *call, const struct disturbance *disturbance)
{
	struct outcome alone;
	int status = disturbed(call, disturbance, false), batched;
	bool good;

	alone = *outcome;
	batched = disturbed(call, disturbance, true);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		skip(call->name, "no ring of io_uring can be made");
		return;
	}
	good = status == batched && alone.last == outcome->last &&
	       alone.handled == outcome->handled &&
	       !memcmp(alone.rets, outcome->rets, sizeof(alone.rets));
	if (!good) {
		say("alone", status, &alone);
		say("in a batch", batched, outcome);
	}
	/* nothing is lost of the time that it has to wait */
	if (call->end == BY_TIME && alone.rets[WAITS] != -EINTR && outcome->ns < TIMEOUT_NS) {
		printf("# it took %ld ns\n", outcome->ns);
		good = false;
	}
	report(good, "%s, %s: as by itself", call->name, disturbance->name);
}

int main(void)
{
	bool freezes = can_freeze();

	outcome = mmap(NULL, sizeof(*outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	events = eventfd(0, EFD_NONBLOCK);
	if (outcome == MAP_FAILED || pipe(ends) || events < 0) {
		printf("Bail out! no memory, pipe or eventfd\n");
		return 1;
	}
	make_calls();
	for_each_front_end() {
		for (size_t i = 0; i < ARRAY_SIZE(disturbances); i++) {
			if (disturbances[i].disturb == freeze_and_thaw && !freezes) {
				skip(disturbances[i].name, "there are no control groups");
				continue;
			}
			for (size_t k = 0; k < ARRAY_SIZE(calls); k++)
				as_by_itself(&calls[k], &disturbances[i]);
		}
	}
	return finish();
}
