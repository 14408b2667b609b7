// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal ends a run after the call it came in; what the call gives is never a code of the entry
 * code's. These runs have no struct batch_resume, so the call gives -EINTR; root_resume.c is about
 * those that have.
 */
#include "batch_test.h"

#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#define SLOTS 4096
/* a storm of signals is over after so many */
#define STORM_SIGNALS 200

static struct batch_slot slots[SLOTS];
static long rets[SLOTS];
static volatile sig_atomic_t handled;
static bool storm_is_over;

static void handle(int signal)
{
	(void)signal;
	handled++;
}

static void on_alarm(int flags)
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = flags };

	handled = 0;
	sigaction(SIGALRM, &action, NULL);
}

static pid_t main_tid;

/* SIGALRM to the main thread, when it sleeps. */
static void *alarm_the_sleeper(void *main_thread)
{
	if (until_asleep(main_tid))
		pthread_kill(*(pthread_t *)main_thread, SIGALRM);
	return NULL;
}

/* A call that waits for long, as slot 1 of 3, with the signal coming in it. */
static void interrupted(struct batch_slot waits, const char *name)
{
	pthread_t self = pthread_self(), thread;
	long result;

	fill(slots, rets, 3);
	slots[1] = waits;
	slots[1].jump_fail = 0;
	handled = 0;
	if (pthread_create(&thread, NULL, alarm_the_sleeper, &self)) {
		report(false, "%s: no thread", name);
		return;
	}
	result = enter_as_far_as(slots, rets, 3, 2, NULL);
	pthread_join(thread, NULL);
	if (result != (BATCH_RUN_MORE | 2) || rets[0] != getppid() || rets[1] != -EINTR ||
	    rets[2] != UNTOUCHED)
		printf("# result %lx, rets %ld %ld %lx\n", result, rets[0], rets[1], rets[2]);
	report(result == (BATCH_RUN_MORE | 2), "%s: the run ends after the call", name);
	report(rets[0] == getppid() && rets[1] == -EINTR && rets[2] == UNTOUCHED && handled == 1,
	       "%s: -EINTR, results so far, one signal", name);
}

/*
 * nanosleep gives -ERESTART_RESTARTBLOCK, poll and read -ERESTARTSYS or -ERESTARTNOHAND, and so on.
 */
static void codes_do_not_leak(int flags, const char *kind)
{
	static const struct timespec week = { 604800, 0 };
	static int word;
	sigset_t none;
	char byte, name[64];
	int ends[2];

	sigemptyset(&none);
	if (pipe(ends)) {
		report(false, "no pipe");
		return;
	}
	on_alarm(flags);
	const struct {
		const char *name;
		struct batch_slot slot;
	} table[] = {
		{ "nanosleep", slot(SYS_nanosleep, 2, (long)&week, 0, 0) },
		{ "read", slot(SYS_read, 3, ends[0], (long)&byte, 1) },
		{ "poll", slot(SYS_poll, 3, (long)&(struct pollfd){ ends[0], POLLIN, 0 }, 1, -1) },
		{ "ppoll", slot6(SYS_ppoll, (long)&(struct pollfd){ ends[0], POLLIN, 0 }, 1, 0,
				 (long)&none, 8, 0) },
		{ "pause", slot(SYS_pause, 0, 0, 0, 0) },
		{ "rt_sigsuspend", slot(SYS_rt_sigsuspend, 2, (long)&none, 8, 0) },
		{ "futex", slot6(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		snprintf(name, sizeof(name), "%s, %s", table[i].name, kind);
		interrupted(table[i].slot, name);
	}
	close(ends[0]);
	close(ends[1]);
}

/* A signal that is there before is handled behind the first slot. */
static void a_pending_signal_ends_it_early(void)
{
	long result;

	on_alarm(0);
	fill(slots, rets, 8);
	slots[3] = slot(SYS_kill, 2, getpid(), SIGALRM, 0);
	result = enter_as_far_as(slots, rets, 8, 4, NULL);
	same(result, BATCH_RUN_MORE | 4, "a signal from a slot: the run ends behind it");
	report(rets[3] == 0 && rets[4] == UNTOUCHED && handled == 1,
	       "a signal from a slot: it is handled");
	same(run(slots + 4, rets + 4, 4), 3, "a signal from a slot: the rest");
}

/* Signals to the main thread without end, until it says that it has had enough. */
static void *hammer(void *self)
{
	while (!__atomic_load_n(&storm_is_over, __ATOMIC_RELAXED)) {
		pthread_kill(*(pthread_t *)self, SIGALRM);
		sleep_ms(1);
	}
	return NULL;
}

/*
 * One batch whose every slot moves a file's position on by one, so that none runs twice or not at
 * all unseen, entered until it has ended. Returns how often it was handed back, or -1 when a result
 * is wrong.
 */
static long one_of_the_storm(int fd)
{
	unsigned long from = 0;
	long returns = 0;

	lseek(fd, 0, SEEK_SET);
	for (int i = 0; i < SLOTS; i++) {
		slots[i] = slot(SYS_lseek, 3, fd, 1, SEEK_CUR);
		rets[i] = UNTOUCHED;
	}
	for (;;) {
		long result = enter(slots + from, rets + from, SLOTS - from, 0);

		if (result < 0)
			return -1;
		if (!(result & BATCH_RUN_MORE))
			break;
		from += (unsigned long)BATCH_RUN_NEXT(result);
		returns++;
	}
	for (int i = 0; i < SLOTS; i++)
		if (rets[i] != i + 1)
			return -1;
	return returns;
}

/*
 * Signals without end: each slot runs once, and the batch ends. Signals that come together are one.
 */
static void a_storm_of_signals(void)
{
	pthread_t self = pthread_self(), thread;
	long runs = 0, returns = 0;
	int fd = memfd_create("storm", 0);
	bool good = fd >= 0;

	on_alarm(SA_RESTART);
	storm_is_over = false;
	if (pthread_create(&thread, NULL, hammer, &self)) {
		report(false, "a storm of signals: no thread");
		return;
	}
	while (good && (handled < STORM_SIGNALS || !returns)) {
		long returned = one_of_the_storm(fd);

		good = returned >= 0;
		returns += returned;
		runs++;
	}
	__atomic_store_n(&storm_is_over, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	close(fd);
	printf("# %ld batches, handed back %ld times, %d signals\n", runs, returns, (int)handled);
	report(good, "a storm of signals: every slot ran once");
	report(returns > 0 && handled > 0, "a storm of signals: they came in the middle");
}

/* Enter without a struct batch_resume until the batch has ended, wherever it is handed back. */
static long run_without(unsigned long count)
{
	unsigned long from = 0;

	for (;;) {
		long result = enter(slots + from, rets + from, count - from, 0);

		if (result < 0 || !(result & BATCH_RUN_MORE))
			return result < 0 ? result : (long)from + result;
		from += (unsigned long)BATCH_RUN_NEXT(result);
	}
}

static void stopped_and_continued(void)
{
	static const struct timespec week = { 604800, 0 };
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		fill(slots, rets, 3);
		slots[1] = slot(SYS_nanosleep, 2, (long)&week, 0, 0);
		_exit(run_without(3) == 2 && rets[1] == -EINTR && rets[2] == getppid() ? 0 : 1);
	}
	until_asleep(child);
	kill(child, SIGSTOP);
	waitpid(child, &status, WUNTRACED);
	report(WIFSTOPPED(status), "SIGSTOP: stopped in its batch");
	kill(child, SIGCONT);
	waitpid(child, &status, 0);
	report(WIFEXITED(status) && !WEXITSTATUS(status), "SIGCONT: the batch goes on");
}

int main(void)
{
	main_tid = (pid_t)syscall(SYS_gettid);
	for_each_front_end() {
		codes_do_not_leak(0, "interrupting");
		codes_do_not_leak(SA_RESTART, "restarting");
		a_pending_signal_ends_it_early();
		a_storm_of_signals();
		stopped_and_continued();
	}
	return finish();
}
