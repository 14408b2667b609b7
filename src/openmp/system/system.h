/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The system: where threads come from, and how many processors the program may use.
 *
 * No other file of the runtime creates a thread or asks about processors; src/thread/ has how threads wait. A system
 * other than POSIX would be another implementation of this header.
 */
#ifndef OMP_SYSTEM_H
#define OMP_SYSTEM_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a new worker is given. The struct stays where it is until the worker has begun to run. */
struct omp__worker_start {
	void (*run)(void *argument);
	void *argument;
	size_t stack_bytes;	/* 0: the system's default */
	const cpu_set_t *place; /* NULL: wherever the system runs it */
	size_t place_bytes;
};

/*
 * Read what does not change: processors, page size, the program's own affinity. Called once, before any other function
 * here.
 */
void omp__system_start(void);
/*
 * How many processors this program may use: those of its affinity, or its CPU quota rounded up if that is less
 * (thread/quota.h). At least 1.
 */
unsigned omp__system_processors(void);
/* How many threads of the program can run all the time: the same, with the quota rounded down. At least 1. */
unsigned omp__system_full_time(void);
/* Whether the program's CPU quota is less than its processors. */
bool omp__system_has_quota(void);
/*
 * Look at the quota again, if the last look is a second old. Any thread may call it, at any region; it takes a few
 * nanoseconds, or 30 us when it looks. Returns by how much omp__system_full_time() has grown.
 */
int omp__system_quota_again(void);
/* The quota is ignored from now on. Called before the first region. */
void omp__system_quota_off(void);
/* Where the number of processors comes from: "affinity: 2", "CPU quota: 0.50 of 2, from /sys/fs/cgroup/a/cpu.max". */
void omp__system_processors_source(char *text, size_t size);
/* In the child of a fork, whose only thread calls it. */
void omp__system_forked(void);
/*
 * How many threads, the caller included, a team that asks for `wanted` should have when OMP_DYNAMIC leaves it to the
 * runtime.
 */
unsigned omp__system_free(unsigned wanted);
/* Start a worker. Returns 0, or -errno when the system gives no more threads; standard error says so the first time. */
int omp__system_worker(const struct omp__worker_start *start);
/* Whether omp__system_worker takes a stack of that size: 0, or -errno. */
int omp__system_check_stack(size_t bytes);
/* Bind the caller to these processors; 0 or -errno. */
int omp__system_bind(const cpu_set_t *set, size_t bytes);
/* The processors that the program was allowed when it started; *bytes is the size of the set. */
const cpu_set_t *omp__system_affinity(size_t *bytes);
/* The processors that the caller is allowed now. Returns their number, or -errno. */
int omp__system_affinity_now(cpu_set_t *set, size_t bytes);
/* Have `ended` called with `value` when the calling thread ends. */
void omp__system_at_thread_exit(void (*ended)(void *), void *value);
/*
 * Around each fork the thread that forks calls `before`, and afterwards `in_parent` in the parent and `in_child` in the
 * child.
 */
void omp__system_around_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

#endif
