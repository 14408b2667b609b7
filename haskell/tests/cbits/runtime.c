/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots that take a known time, block, or call back into Haskell: for the tests of how batches and the runtime system
 * live together. Counters and gates are words that other threads read while the batch runs.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Take so long, then count. Returns the count, from 1. */
long runtime_step(atomic_long *counter, long ns)
{
	long end = ns ? now_ns() + ns : 0;

	while (ns && now_ns() < end)
		;
	return atomic_fetch_add(counter, 1) + 1;
}

/* Count, then block until the gate is not 0. */
long runtime_wait(atomic_long *counter, const atomic_long *gate)
{
	long count = atomic_fetch_add(counter, 1) + 1;

	while (!atomic_load(gate))
		sched_yield();
	return count;
}

/* Count, then call back into Haskell. Returns what that returns. */
long runtime_call_back(atomic_long *counter, long (*callback)(long), long argument)
{
	atomic_fetch_add(counter, 1);
	return callback(argument);
}

/* Which thread of the system runs this. */
unsigned long runtime_thread(void)
{
	return (unsigned long)pthread_self();
}

/* How often threads of the process went to sleep while this one slept so long. */
long runtime_sleeps_during(long ns)
{
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
	getrusage(RUSAGE_SELF, &after);
	return after.ru_nvcsw - before.ru_nvcsw;
}

/* Never return, and keep the Capability. */
void runtime_hang(void)
{
	for (;;)
		pause();
}
