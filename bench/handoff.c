/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does it cost at least to hand something to another thread: by a cache line, or by a futex?
 *
 * These are the physical floors under every construct of a runtime for threads. Two threads, each bound to a processor
 * of its own (in `same` both to the first processor), pass a turn to and fro; n counts round trips.
 *
 *	line		the turn is a word in a cache line
 *	line-paused	the same with a pause between two looks: without pauses a waiter takes the line away from the
 *			thread that is about to write it
 *	exchange	a bare barrier of two: each thread writes its own word and waits for the other's. Both words
 *			are in one line, and there are pauses
 *	exchange-eager	the same with a line for each word, and without pauses
 *	wake-nobody	a futex_wake while no thread sleeps
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "bench.h"
#include "relax.h"

#define LINE_BYTES 64

/* The turn, alone on its line: even, ours; odd, the partner's. */
static struct {
	_Alignas(LINE_BYTES) _Atomic unsigned turn;
	char padding[LINE_BYTES - sizeof(unsigned)];
} line;

/* The words that the two threads exchange: how far each has come. */
static struct {
	_Alignas(LINE_BYTES) _Atomic unsigned near[2];
	_Alignas(LINE_BYTES) _Atomic unsigned far[2][LINE_BYTES / sizeof(unsigned)];
} halves;

/* How a turn is passed. */
struct way {
	int other_cpu; /* 0: the partner is on our processor */
	bool sleeps;
	bool pauses;
	bool exchanges; /* no turns: both write, both wait */
};

/* The thread that answers `rounds` times. prepare makes it, so that its creation is no part of a sample. */
static struct {
	const struct way *way;
	int cpu;
	long rounds;
	_Atomic bool ready;
	bool started;
	pthread_t thread;
} partner;

static int cpus[2]; /* the two processors */

static int nth_cpu(int n)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return -errno;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && n-- == 0)
			return cpu;
	return -ENODEV;
}

static int bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) < 0 ? -errno : 0;
}

static long futex(int operation, unsigned value)
{
	return syscall(SYS_futex, &line.turn, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static void wait_for(const struct way *way, unsigned turn)
{
	unsigned seen;

	while ((seen = atomic_load_explicit(&line.turn, memory_order_acquire)) != turn)
		if (way->sleeps)
			futex(FUTEX_WAIT, seen);
		else if (way->pauses)
			bench_relax();
}

/* Release and acquire, as in a barrier: what a thread wrote before it, the other thread sees after it. */
static void exchange(const struct way *way, int side, unsigned count)
{
	_Atomic unsigned *own = way->pauses ? &halves.near[side] : &halves.far[side][0];
	_Atomic unsigned *other = way->pauses ? &halves.near[!side] : &halves.far[!side][0];

	atomic_store_explicit(own, count, memory_order_release);
	while (atomic_load_explicit(other, memory_order_acquire) < count)
		if (way->pauses)
			bench_relax();
}

static void pass(const struct way *way, unsigned turn)
{
	atomic_store_explicit(&line.turn, turn, memory_order_release);
	if (way->sleeps)
		futex(FUTEX_WAKE, 1);
}

static void *answer(void *unused)
{
	(void)unused;
	bind_to(partner.cpu);
	atomic_store_explicit(&partner.ready, true, memory_order_release);
	for (long i = 0; i < partner.rounds; i++) {
		if (partner.way->exchanges) {
			exchange(partner.way, 1, (unsigned)i + 1);
			continue;
		}
		wait_for(partner.way, 2 * (unsigned)i + 1);
		pass(partner.way, 2 * (unsigned)i + 2);
	}
	return NULL;
}

static int prepare_way(void *context, long n)
{
	int code;

	if (partner.started)
		pthread_join(partner.thread, NULL);
	partner.way = context;
	partner.cpu = cpus[partner.way->other_cpu];
	partner.rounds = n;
	partner.started = false;
	atomic_store_explicit(&partner.ready, false, memory_order_relaxed);
	atomic_store_explicit(&line.turn, 0, memory_order_relaxed);
	memset(&halves, 0, sizeof(halves));
	code = bind_to(cpus[0]);
	if (code < 0)
		return code;
	code = -pthread_create(&partner.thread, NULL, answer, NULL);
	partner.started = code == 0;
	while (code == 0 && !atomic_load_explicit(&partner.ready, memory_order_acquire))
		sched_yield();
	return code;
}

/* n round trips, or exchanges. */
static long run_way(void *context, long n)
{
	const struct way *way = context;

	for (long i = 0; i < n; i++) {
		if (way->exchanges) {
			exchange(way, 0, (unsigned)i + 1);
			continue;
		}
		pass(way, 2 * (unsigned)i + 1);
		wait_for(way, 2 * (unsigned)i + 2);
	}
	return 0;
}

static long run_wake_nobody(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++)
		if (futex(FUTEX_WAKE, 1) < 0)
			return -errno;
	return 0;
}

static long run_locked_add(void *context, long n)
{
	(void)context;
	for (long i = 0; i < n; i++)
		atomic_fetch_add_explicit(&line.turn, 1, memory_order_relaxed);
	return 0;
}

int main(int argc, char **argv)
{
	static struct way spin = { .other_cpu = 1 };
	static struct way paused = { .other_cpu = 1, .pauses = true };
	static struct way meet = { .other_cpu = 1, .pauses = true, .exchanges = true };
	static struct way meet_eager = { .other_cpu = 1, .exchanges = true };
	static struct way sleep_same = { .sleeps = true };
	static struct way sleep_other = { .other_cpu = 1, .sleeps = true };
	static const long sizes[] = { 100, 1000, 4000 };
	static const struct bench_variant variants[] = {
		{ "locked-add", NULL, run_locked_add, NULL, false },
		{ "line", prepare_way, run_way, &spin, true },
		{ "line-paused", prepare_way, run_way, &paused, true },
		{ "exchange", prepare_way, run_way, &meet, true },
		{ "exchange-eager", prepare_way, run_way, &meet_eager, true },
		{ "wake-nobody", NULL, run_wake_nobody, NULL, false },
		{ "futex-same", prepare_way, run_way, &sleep_same, true },
		{ "futex-other", prepare_way, run_way, &sleep_other, true },
	};
	struct bench_suite suite = {
		.boundary = "handoff",
		.question = "What does it cost at least to hand something to another thread and back?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = sizes,
		.n_count = sizeof(sizes) / sizeof(sizes[0]),
		.repetitions = 20,
		.quick_repetitions = 5,
	};

	cpus[0] = nth_cpu(0);
	cpus[1] = nth_cpu(1);
	if (cpus[1] < 0)
		bench_unavailable("two processors", cpus[1]);
	return bench_main(argc, argv, &suite);
}
