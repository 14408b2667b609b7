/* SPDX-License-Identifier: BSD-3-Clause */
/* The system as POSIX threads on Linux. */
#include "openmp/system/no_memory.h"
#include "openmp/system/system.h"
#include "openmp/system/quota.h"

#include "thread/clock.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

#define CPUS_MAX 4096
/* After the system refused a thread, no thread asks it again for this long: a vain try (30 us) is 0.03% of that. */
#define REFUSED_NS 100000000

static cpu_set_t *program_affinity;
static size_t program_affinity_bytes;
/* How many processors the affinity allows, which does not change. */
static unsigned allowed = 1;
static pthread_key_t exit_key;
/* The function that every thread calls when it ends. */
static _Atomic(void (*)(void *)) thread_ended;

/* The kernel refuses a set that is smaller than its own, so the size doubles until it is accepted. */
static void read_affinity(void)
{
	for (int cpus = CPU_SETSIZE; cpus <= CPUS_MAX * 16; cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC(cpus);
		size_t bytes = CPU_ALLOC_SIZE(cpus);

		if (!set)
			return;
		CPU_ZERO_S(bytes, set);
		if (pthread_getaffinity_np(pthread_self(), bytes, set) == 0) {
			program_affinity = set;
			program_affinity_bytes = bytes;
			allowed = (unsigned)CPU_COUNT_S(bytes, set);
			return;
		}
		CPU_FREE(set);
	}
}

static void call_thread_ended(void *value)
{
	atomic_load_explicit(&thread_ended, memory_order_relaxed)(value);
}

void omp__system_start(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	allowed = online > 0 ? (unsigned)online : 1;
	read_affinity();
	if (allowed == 0)
		allowed = 1;
	omp__quota_start(allowed);
	if (pthread_key_create(&exit_key, call_thread_ended))
		omp__no_key();
}

/* The load average counts this program's own threads too, so it only tells whether other programs are busy. */
unsigned omp__system_free(unsigned wanted)
{
	unsigned processors = omp__system_processors(), limit = processors;
	double load;

	if (getloadavg(&load, 1) == 1 && load > 0.0) {
		unsigned busy = load < (double)processors ? (unsigned)(load + 0.1) : processors;

		limit = busy < processors ? processors - busy : 1;
	}
	return wanted < limit ? wanted : limit;
}

/*
 * This calls neither malloc nor free: the first call of either in a thread reserves 64 MiB of address space (glibc's
 * arenas).
 */
static void *worker_main(void *opaque)
{
	const struct omp__worker_start *start = opaque;

#ifndef __GLIBC__
	/* musl makes no thread with a set of processors, so the thread takes it; one that cannot runs unbound */
	if (start->place)
		sched_setaffinity(0, start->place_bytes, start->place);
#endif
	start->run(start->argument);
	return NULL;
}

/*
 * The system gave no thread. Asking costs 30 us, and a region that asked in vain would ask again, so nobody asks for
 * a while.
 */
static _Atomic uint64_t refused_ns;

static void refused(int error)
{
	static atomic_flag is_said = ATOMIC_FLAG_INIT;

	atomic_store_explicit(&refused_ns, thread__now_ns(), memory_order_relaxed);
	if (!atomic_flag_test_and_set_explicit(&is_said, memory_order_relaxed))
		fprintf(stderr,
			"libgomp: the system gives no more threads (%s): regions run with fewer. What limits them: "
			"ulimit -u, ulimit -v, pids.max of the control group.\n",
			strerror(error));
}

int omp__system_worker(const struct omp__worker_start *start)
{
	uint64_t before = atomic_load_explicit(&refused_ns, memory_order_relaxed);
	pthread_attr_t attributes;
	pthread_t thread;
	int status;

	if (before && thread__now_ns() - before < REFUSED_NS)
		return -EAGAIN;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (start->stack_bytes)
		pthread_attr_setstacksize(&attributes, start->stack_bytes);
#ifdef __GLIBC__
	if (start->place)
		pthread_attr_setaffinity_np(&attributes, start->place_bytes, start->place);
#endif
	status = pthread_create(&thread, &attributes, worker_main, (void *)start);
	pthread_attr_destroy(&attributes);
	if (status)
		refused(status);
	return -status;
}

int omp__system_check_stack(size_t bytes)
{
	pthread_attr_t attributes;
	int status;

	pthread_attr_init(&attributes);
	status = pthread_attr_setstacksize(&attributes, bytes);
	pthread_attr_destroy(&attributes);
	return -status;
}

int omp__system_bind(const cpu_set_t *set, size_t bytes)
{
	return -pthread_setaffinity_np(pthread_self(), bytes, set);
}

const cpu_set_t *omp__system_affinity(size_t *bytes)
{
	*bytes = program_affinity_bytes;
	return program_affinity;
}

int omp__system_affinity_now(cpu_set_t *set, size_t bytes)
{
	int status = pthread_getaffinity_np(pthread_self(), bytes, set);

	return status ? -status : CPU_COUNT_S(bytes, set);
}

void omp__system_at_thread_exit(void (*ended)(void *), void *value)
{
	atomic_store_explicit(&thread_ended, ended, memory_order_relaxed);
	pthread_setspecific(exit_key, value);
}

void omp__system_around_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
	pthread_atfork(before, in_parent, in_child);
}
