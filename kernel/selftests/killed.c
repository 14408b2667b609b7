// SPDX-License-Identifier: GPL-2.0-only
/*
 * SIGKILL in the middle of a batch: the task dies there, before its next slot.
 *
 * killed [MS]: and is reaped within MS milliseconds, each time. That is for a machine whose clock
 * goes with what its processor does (QEMU's -icount), or for one that nobody else uses: without
 * MS no time is a failure, since an emulated machine on a busy host takes any time for anything.
 */
#include "batch_test.h"

#include <signal.h>

#define SLOTS 4096
#define KILLS 16
#define NS_PER_MS 1000000L

static struct batch_slot slots[SLOTS];
static long rets[SLOTS];

/* Of the child: batches it has begun, and ended. */
struct progress {
	unsigned long begun;
	unsigned long ended;
};

/* in memory that it shares */
static struct progress *progress;

static void batches_forever(void)
{
	do {
		__atomic_add_fetch(&progress->begun, 1, __ATOMIC_SEQ_CST);
		if (run(slots, rets, SLOTS) != SLOTS - 1)
			_exit(1);
		__atomic_add_fetch(&progress->ended, 1, __ATOMIC_SEQ_CST);
	} while (true);
}

static void short_calls(void)
{
	fill(slots, rets, SLOTS);
	batches_forever();
}

/* Each slot takes memory away and the next brings it in: longer, and with locks. */
static void long_calls(void)
{
	char *memory = pages(1 << 20, PROT_READ | PROT_WRITE);

	for (int i = 0; i < SLOTS; i += 2) {
		slots[i] = slot(SYS_madvise, 3, (long)memory, 1 << 20, MADV_DONTNEED);
		slots[i + 1] = slot(SYS_madvise, 3, (long)memory, 1 << 20, MADV_WILLNEED);
	}
	batches_forever();
}

static void sleeping_calls(void)
{
	static const struct timespec week = { 604800, 0 };

	for (int i = 0; i < SLOTS; i++)
		slots[i] = slot(SYS_nanosleep, 2, (long)&week, 0, 0);
	batches_forever();
}

/* Kill a child in its nth millisecond. Returns the time until it is reaped, in ns, or -1. */
static long kill_one(void (*body)(void), int n)
{
	long start;
	int status;
	pid_t child;

	progress->begun = 0;
	progress->ended = 0;
	fflush(stdout);
	child = fork();
	if (child == 0)
		body();
	while (__atomic_load_n(&progress->begun, __ATOMIC_SEQ_CST) == 0)
		sleep_ms(1);
	sleep_ms(1 + n);
	start = now_ns();
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		return -1;
	return now_ns() - start;
}

static void dies(void (*body)(void), const char *name, long limit_ms)
{
	unsigned int within = 0;
	long longest = 0;

	for (int i = 0; i < KILLS; i++) {
		long took = kill_one(body, i);

		if (took < 0) {
			report(false, "%s: killed", name);
			return;
		}
		longest = took > longest ? took : longest;
		within += progress->begun > progress->ended;
	}
	printf("# %s: SIGKILL to reaped: longest of %d: %ld us; %u in a batch\n", name, KILLS,
	       longest / 1000, within);
	report(true, "%s: killed", name);
	report(within > 0, "%s: in the middle of a batch", name);
	if (limit_ms)
		report(longest < limit_ms * NS_PER_MS, "%s: reaped within %ld ms", name, limit_ms);
}

int main(int argc, char **argv)
{
	long limit_ms = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (progress == MAP_FAILED)
		return 1;
	for_each_front_end() {
		dies(short_calls, "short calls", limit_ms);
		dies(long_calls, "calls on memory", limit_ms);
		dies(sleeping_calls, "sleeping calls", limit_ms);
	}
	return finish();
}
