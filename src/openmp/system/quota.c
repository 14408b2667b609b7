/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processors that a program may use, by its affinity and by its CPU quota. The quota can change while the program
 * runs (`docker update --cpus`), so it is read again, by one thread at a time and at most once a second.
 */
#include "openmp/system/quota.h"
#include "openmp/system/system.h"

#include "thread/clock.h"
#include "thread/quota.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static unsigned allowed = 1;
static struct thread__quota quota;
/*
 * Only the thread that has changed this from false to true reads the quota. acquire and release: that thread has
 * `quota` for itself.
 */
static _Atomic bool is_reading;
/*
 * relaxed everywhere: no other data depends on these numbers, and a thread that reads one late only makes a team of the
 * previous size.
 */
static _Atomic uint64_t rate_ns = THREAD__NO_QUOTA;
static _Atomic uint64_t read_ns;
static _Atomic unsigned processors = 1, full_time = 1;
/* Set before the first region. */
static bool is_off;

/* A clock that costs 5 ns and is up to 4 ms late. */
static uint64_t roughly_now_ns(void)
{
	return thread__clock_ns(CLOCK_MONOTONIC_COARSE);
}

static unsigned at_most_allowed(uint64_t count)
{
	return count < allowed ? (unsigned)count : allowed;
}

static void apply(uint64_t rate)
{
	uint64_t whole = rate / THREAD__SECOND_NS, begun = rate % THREAD__SECOND_NS != 0;

	atomic_store_explicit(&rate_ns, rate, memory_order_relaxed);
	/* the kernel allows no quota below 1 ms in a period, so `rate` is never 0; nor is a program's share */
	atomic_store_explicit(&processors, at_most_allowed(whole + begun), memory_order_relaxed);
	atomic_store_explicit(&full_time, at_most_allowed(whole ? whole : 1), memory_order_relaxed);
}

void omp__quota_start(unsigned count)
{
	allowed = count;
	thread__quota_find(&quota, "/proc/self/mountinfo");
	apply(thread__quota_read(&quota, "/proc/self/cgroup"));
	atomic_store_explicit(&read_ns, roughly_now_ns(), memory_order_relaxed);
}

void omp__system_quota_off(void)
{
	is_off = true;
	apply(THREAD__NO_QUOTA);
}

static __attribute__((noinline)) int read_again(uint64_t now)
{
	unsigned before;

	if (atomic_exchange_explicit(&is_reading, true, memory_order_acquire))
		return 0;
	before = omp__system_full_time();
	atomic_store_explicit(&read_ns, now, memory_order_relaxed);
	apply(thread__quota_read(&quota, "/proc/self/cgroup"));
	atomic_store_explicit(&is_reading, false, memory_order_release);
	return (int)(omp__system_full_time() - before);
}

int omp__system_quota_again(void)
{
	uint64_t now;

	if (is_off)
		return 0;
	now = roughly_now_ns();
	/* signed: another thread may have read it after this one read the clock */
	if ((int64_t)(now - atomic_load_explicit(&read_ns, memory_order_relaxed)) < (int64_t)THREAD__SECOND_NS)
		return 0;
	return read_again(now);
}

unsigned omp__system_processors(void)
{
	return atomic_load_explicit(&processors, memory_order_relaxed);
}

unsigned omp__system_full_time(void)
{
	return atomic_load_explicit(&full_time, memory_order_relaxed);
}

bool omp__system_has_quota(void)
{
	return omp__system_full_time() < allowed;
}

void omp__system_processors_source(char *text, size_t size)
{
	uint64_t rate = atomic_load_explicit(&rate_ns, memory_order_relaxed);

	if (rate / THREAD__SECOND_NS >= allowed) {
		snprintf(text, size, "affinity: %u", allowed);
		return;
	}
	/* a thread that reads the quota writes the name of the file */
	if (atomic_exchange_explicit(&is_reading, true, memory_order_acquire)) {
		snprintf(text, size, "CPU quota: %.2f of %u", (double)rate / THREAD__SECOND_NS, allowed);
		return;
	}
	snprintf(text, size, "CPU quota: %.2f of %u, from %s", (double)rate / THREAD__SECOND_NS, allowed, quota.least);
	atomic_store_explicit(&is_reading, false, memory_order_release);
}

/* Called in the child of a fork, where a thread that was reading the quota does not exist any more. */
void omp__system_forked(void)
{
	atomic_store_explicit(&is_reading, false, memory_order_relaxed);
}
