/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collections beside other programs: one thread makes them, instead of GHC's parallel collector.
 *
 * The threads of GHC's parallel collector wait for each other by sched_yield (rts/sm/GC.c, SpinLock.c). On an empty
 * machine that costs next to nothing. Beside a busy neighbour each yield gives a time slice away:
 *
 *	processor 0				processor 1
 *	collects; waits for the other: yields	neighbour
 *	neighbour, 3 ms				the other collects; waits: yields
 *	back; waits: yields			neighbour, 3 ms
 *
 * A collection of 0.1 ms then takes tens of milliseconds, and every thread that needs a Capability waits for it. A
 * collection by one thread does not: the others sleep until it is over.
 *
 * So while there are parallel regions or held calls, the monitor (held/monitor.c) asks every ASK_NS whether other
 * programs want the processors. If they do, it sets the youngest generation that is collected in parallel above all
 * generations, as +RTS -qg does. The runtime system reads that number once for each collection, when it decides how to
 * make it (scheduleDoGC of rts/Schedule.c, GHC 9.0.2 and 9.10.3), so it may change at any time. The old number comes
 * back when no neighbour has been seen for HOLD_NS, when the monitor goes to sleep, and in the child of a fork.
 * FERRY_COLLECTOR=rts in the environment leaves the number alone.
 *
 * A *neighbour* is another program that wants a processor. There is one when the system has more runnable threads than
 * this process has; /proc says both.
 *
 * What may go wrong: one answer may count a thread that is about to sleep, so the first answer that there are
 * neighbours is confirmed at the next look. Where /proc does not say, nothing is changed. What may be changed: ASK_NS
 * and HOLD_NS; haskell/tests/Ferry/CollectorSpec.hs tests that the number changes and comes back, and
 * tests/haskell/collector_fork.c that it does so in a child of any moment.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Rts.h"

#include "collector/collector.h"

#include "thread/file.h"
#include "thread/neighbours.h"

enum {
	/* The time between two questions. An answer takes 5 us for each thread of the process. */
	ASK_NS = 20000000,
	/* For this long after a neighbour was last seen, collections are made by one thread. */
	HOLD_NS = 100000000,
	/* In a process with more threads than this, the threads are not counted, and collections stay as they are. */
	THREADS_MAX = 128,
	/* No generation has this number. */
	NO_GENERATION = INT32_MAX,
};

/* FERRY_COLLECTOR=rts leaves the option alone. It is read before there are threads that may set variables. */
static bool is_left_alone;

static __attribute__((constructor)) void read_environment(void)
{
	const char *value = getenv("FERRY_COLLECTOR");

	is_left_alone = value && strcmp(value, "rts") == 0;
}

/* Used by the monitor only, and in the child of a fork, which has no monitor yet. */
static struct {
	uint64_t ask_ns, until_ns;
	/* Whether the last answer was that there are neighbours: only the second one in a row counts. */
	bool said_so;
	bool is_sequential;
	uint32_t parallel_from;
} collector;

static void set_parallel_from(uint32_t generation)
{
	/* read once for each collection, and any answer is right; release: a child that has it has is_sequential */
	__atomic_store_n(&RtsFlags.ParFlags.parGcGen, generation, __ATOMIC_RELEASE);
}

/* release: a child that has the new value has the stores before */
static void set_sequential(bool is_sequential)
{
	__atomic_store_n(&collector.is_sequential, is_sequential, __ATOMIC_RELEASE);
}

/*
 * Another thread may fork between any two stores, and the child sets the number back if is_sequential says so. So that
 * says so from before the number changes until it is back.
 */
static void collect_by_one(void)
{
	if (collector.is_sequential)
		return;
	collector.parallel_from = RtsFlags.ParFlags.parGcGen;
	set_sequential(true);
	set_parallel_from(NO_GENERATION);
}

static void collect_by_all(void)
{
	if (!collector.is_sequential)
		return;
	set_parallel_from(collector.parallel_from);
	set_sequential(false);
}

/* Whether the thread `name` of the folder /proc/self/task is runnable: its file says "11206 (comm) R 1 …". */
static bool is_runnable(long folder, const char *name)
{
	char path[32], text[128];
	const char *after;
	size_t length = strlen(name);

	if (length + sizeof("/stat") > sizeof(path))
		return false;
	stpcpy(stpcpy(path, name), "/stat");
	if (!thread__file_read(folder, path, text, sizeof(text)))
		return false;
	after = strrchr(text, ')');
	return after && after[1] == ' ' && after[2] == 'R';
}

/* As the kernel writes an entry of a folder. */
struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

/*
 * How many threads of this process are runnable; UINT32_MAX where that is not known, and then there is no neighbour.
 * By plain system calls: opendir() allocates, and a thread's first malloc reserves 64 MiB of address space in glibc.
 */
static unsigned runnable_threads(void)
{
	_Alignas(struct entry) char entries[4096];
	unsigned threads = 0, runnable = 0;
	long got, folder = syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

	if (folder < 0)
		return UINT32_MAX;
	while ((got = syscall(SYS_getdents64, folder, entries, sizeof(entries))) > 0) {
		for (long at = 0; at < got && threads <= THREADS_MAX;) {
			const struct entry *entry = (const struct entry *)(entries + at);

			at += entry->bytes;
			if (entry->name[0] == '.')
				continue;
			threads++;
			runnable += is_runnable(folder, entry->name);
		}
	}
	syscall(SYS_close, folder);
	return got < 0 || threads > THREADS_MAX || runnable == 0 ? UINT32_MAX : runnable;
}

/*
 * Asks the system anew each time, and does not use the hints of neighbours.h: these hold for moments only, and say that
 * there are no neighbours while an oversubscribed team makes a trial of yields, which nothing here would end.
 */
static bool has_neighbours(void)
{
	unsigned ours = runnable_threads();

	return ours != UINT32_MAX && thread__others_run(ours, getNumberOfProcessors());
}

void ferry_collector_look(uint64_t now_ns)
{
	bool says_so;

	if (!RtsFlags.ParFlags.parGcEnabled || now_ns < collector.ask_ns || is_left_alone)
		return;
	says_so = has_neighbours();
	if (says_so && collector.said_so) {
		collect_by_one();
		collector.until_ns = now_ns + HOLD_NS;
	} else if (!says_so && now_ns >= collector.until_ns) {
		collect_by_all();
	}
	/* the first answer that there are neighbours is confirmed at the next look */
	collector.ask_ns = says_so && !collector.said_so ? now_ns : now_ns + ASK_NS;
	collector.said_so = says_so;
}

void ferry_collector_forget(void)
{
	collect_by_all();
	collector.ask_ns = collector.until_ns = 0;
	collector.said_so = false;
}
