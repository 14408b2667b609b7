/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does it cost that something comes in between the calls of a batch that the kernel runs, and between the same
 * calls made one by one: a signal with a handler, a stop, a freezer?
 *
 * `direct` is a loop of system call instructions, `kernel` a batch on the kernel executor. n counts what comes in
 * between:
 *
 *	signal		every call sends its own thread a signal that has a handler
 *	signal-16	every 16th call does; the others are getppid
 *	stop		a call stops the process, and a helper has it continue
 *	sleep		the process sleeps in a read, until the helper writes; nothing else comes in between
 *	sleep-stop	the same; the helper stops it while it sleeps, and has it continue, so that it sleeps on
 *	sleep-freeze	the same; the helper freezes its control group (version 2), and thaws it
 *
 * The helper's own instructions are in the figures of both ways. It has the policy SCHED_IDLE: on a single processor,
 * as in QEMU, it runs only when the process cannot, so that both ways have the same order of events.
 */
#include <asm/unistd.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>

#include "batch/exec/kernel.h"
#include "batch/syscall.h"
#include "bench.h"

#define SLOTS_MAX 4096
#define SIGNAL_EVERY 16
#define CGROUP "/sys/fs/cgroup/ferry-bench"

/* What comes in between, as the helper is told it in a byte. */
enum { SIGNAL, SIGNAL_SELDOM, STOP, SLEEP, SLEEP_STOP, SLEEP_FREEZE, KINDS };

static struct batch_kernel_executor kernel;
static struct batch_slot slots[SLOTS_MAX];
static long rets[SLOTS_MAX];
static struct batch_prepared prepared;
static size_t slot_count;
static char kinds[KINDS] = { SIGNAL, SIGNAL_SELDOM, STOP, SLEEP, SLEEP_STOP, SLEEP_FREEZE };
static char byte;
/* the process tells the helper what is to come, and the helper wakes it */
static int asked[2], woken[2];

/* ---- the helper ------------------------------------------------------------------------------------------------ */

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return good;
}

/* Wait until the text of a file of /proc or of a control group has this in it. */
static void until(int fd, const char *wanted)
{
	char text[512];

	for (;;) {
		ssize_t bytes = pread(fd, text, sizeof(text) - 1, 0);

		if (bytes <= 0)
			_exit(1);
		text[bytes] = 0;
		if (strstr(text, wanted))
			return;
		sched_yield();
	}
}

static void come_between(pid_t task, int kind, int state, int events)
{
	if (kind == STOP) {
		until(state, ") T ");
		kill(task, SIGCONT);
		return;
	}
	until(state, ") S ");
	if (kind == SLEEP_STOP) {
		kill(task, SIGSTOP);
		until(state, ") T ");
		kill(task, SIGCONT);
	} else if (kind == SLEEP_FREEZE) {
		put(CGROUP "/cgroup.freeze", "1");
		until(events, "frozen 1");
		put(CGROUP "/cgroup.freeze", "0");
	}
	until(state, ") S ");
	if (write(woken[1], &byte, 1) != 1)
		_exit(1);
}

static void help(pid_t task)
{
	char path[64], kind;
	int state, events;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)task);
	state = open(path, O_RDONLY | O_CLOEXEC);
	events = open(CGROUP "/cgroup.events", O_RDONLY | O_CLOEXEC);
	close(asked[1]);
	sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){ 0 });
	while (read(asked[0], &kind, 1) == 1)
		come_between(task, kind, state, events);
	_exit(0);
}

/* ---- the process ----------------------------------------------------------------------------------------------- */

static void on_signal(int number)
{
	(void)number;
}

/* Leave the control group, which only an empty one can be removed for. */
static void leave(void)
{
	put("/sys/fs/cgroup/cgroup.procs", "0");
	rmdir(CGROUP);
}

static void set_up(void)
{
	const struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	pid_t task = getpid(), helper = -1;
	struct batch_error error;

	if (batch_kernel_open(&kernel, &error))
		bench_unavailable("neither batch(2) nor /dev/batch runs batches for this user", -EOPNOTSUPP);
	if (mkdir(CGROUP, 0700) && errno != EEXIST)
		bench_unavailable(CGROUP " cannot be made", -errno);
	if (sigaction(SIGUSR1, &action, NULL) || pipe2(asked, O_CLOEXEC) || pipe2(woken, O_CLOEXEC) ||
	    (helper = fork()) < 0)
		bench_unavailable("there is no helper", -errno);
	if (!helper)
		help(task);
	atexit(leave);
	if (!put(CGROUP "/cgroup.procs", "0"))
		bench_unavailable(CGROUP " cannot be entered", -errno);
}

static void add(struct batch_builder *builder, int nr, unsigned int argc, long one, long two, long three)
{
	batch_builder_call(builder, nr, argc, (long[]){ one, two, three });
}

static void add_kind(struct batch_builder *builder, char *kind)
{
	const long self = getpid(), thread = gettid();

	switch (*kind) {
	case SIGNAL_SELDOM:
		for (int i = 1; i < SIGNAL_EVERY; i++)
			add(builder, __NR_getppid, 0, 0, 0, 0);
		/* fallthrough */
	case SIGNAL:
		add(builder, __NR_tgkill, 3, self, thread, SIGUSR1);
		return;
	case STOP:
		add(builder, __NR_write, 3, asked[1], (long)kind, 1);
		add(builder, __NR_kill, 2, self, SIGSTOP, 0);
		return;
	default:
		add(builder, __NR_write, 3, asked[1], (long)kind, 1);
		add(builder, __NR_read, 3, woken[0], (long)&byte, 1);
	}
}

static int fill(void *context, long n)
{
	struct batch_builder builder;
	long count;

	batch_builder_init(&builder, slots, rets, SLOTS_MAX);
	for (long i = 0; i < n; i++)
		add_kind(&builder, context);
	count = batch_builder_finish(&builder, NULL);
	slot_count = (size_t)count;
	return count < 0 ? (int)count : batch_prepare(&prepared, &kernel.executor, rets, slots, slot_count, 0, NULL);
}

static long run_direct(void *context, long n)
{
	(void)context;
	(void)n;
	for (size_t i = 0; i < slot_count; i++) {
		const __s64 *arg = slots[i].arg;

		rets[i] = batch__syscall6(slots[i].nr, arg[0], arg[1], arg[2], 0, 0, 0);
		if (rets[i] < 0)
			return rets[i];
	}
	return 0;
}

static long run_kernel(void *context, long n)
{
	long last = batch_prepared_run(&prepared);

	(void)context;
	(void)n;
	if (last != (long)slot_count - 1)
		return last < 0 ? last : -EINTR;
	return rets[last] < 0 ? rets[last] : 0;
}

#define TWO_WAYS(NAME, KIND)                                                                                           \
	{ "direct:" NAME, fill, run_direct, &kinds[KIND], false },                                                     \
	{                                                                                                              \
		"kernel:" NAME, fill, run_kernel, &kinds[KIND], false                                                  \
	}

static const struct bench_variant variants[] = {
	TWO_WAYS("signal", SIGNAL), TWO_WAYS("signal-16", SIGNAL_SELDOM), TWO_WAYS("stop", STOP),
	TWO_WAYS("sleep", SLEEP),   TWO_WAYS("sleep-stop", SLEEP_STOP),	  TWO_WAYS("sleep-freeze", SLEEP_FREEZE),
};

int main(int argc, char **argv)
{
	static const long n[] = { 1, 2, 4, 8, 16 };
	const struct bench_suite suite = {
		.boundary = "kernel",
		.question = "What does it cost that something comes in between the calls of a batch?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 60,
		.quick_repetitions = 10,
		.set_up = set_up,
	};

	return bench_main(argc, argv, &suite);
}
