/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host: where threads come from, and how many of them the program can have now.
 *
 * Nothing else in the runtime creates a thread or asks about processors; thread/ has how they wait. A
 * host inside another runtime may answer differently at every region: its workers are lent, and a team is sized by what
 * is free.
 */
#ifndef OMP_HOST_H
#define OMP_HOST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a new worker is given; it stays where it is until the worker has begun to run. */
struct omp__worker_start {
	void (*run)(void *argument);
	void *argument;
	size_t stack_bytes;	/* 0: the host's own choice */
	const cpu_set_t *place; /* NULL: wherever the host puts it */
	size_t place_bytes;
};

/* Read what does not change: processors, page size, the program's own affinity. Called once, before anything else here.
 */
void omp__host_start(void);
/*
 * How many processors this program may use: those of its affinity, or its CPU quota rounded up if that is less
 * (thread/quota.h). At least 1.
 */
unsigned omp__host_processors(void);
/* How many of its threads can run all the time: the same, with the quota rounded down. At least 1. */
unsigned omp__host_full_time(void);
/*
 * Look at the quota again, if the last look is a second old. Any thread may call it, at any region; it takes a few
 * nanoseconds, or 30 us when it looks. Returns by how much omp__host_full_time() has grown.
 */
int omp__host_quota_again(void);
/* The quota is ignored from now on. Before the first region. */
void omp__host_quota_off(void);
/* Where the number of processors comes from: "affinity: 2", "CPU quota: 0.50 of 2, from /sys/fs/cgroup/a/cpu.max". */
void omp__host_processors_source(char *text, size_t size);
/* In the child of a fork, whose only thread calls it. */
void omp__host_forked(void);
/* How many threads, the caller included, a team that may be `wanted` strong should have when OMP_DYNAMIC lets us
 * choose. */
unsigned omp__host_free(unsigned wanted);
/* 0, or -errno when the system gives no more threads; the first time, standard error says so. */
int omp__host_worker(const struct omp__worker_start *start);
/* The stack that omp__host_worker would refuse or raise; 0 when `bytes` is usable. */
int omp__host_check_stack(size_t bytes);
/* Bind the caller to these processors; 0 or -errno. */
int omp__host_bind(const cpu_set_t *set, size_t bytes);
/* What the program was allowed when it started; the size is in bytes. */
const cpu_set_t *omp__host_affinity(size_t *bytes);
/* The same, for the caller, now; the number of processors, or -errno. */
int omp__host_affinity_now(cpu_set_t *set, size_t bytes);
/* Call `ended` with `value` when the calling thread ends. */
void omp__host_at_thread_exit(void (*ended)(void *), void *value);
/* Around each fork, by the thread that forks: call `before`, then `in_parent` in the parent and `in_child` in the
 * child.
 */
void omp__host_around_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

#endif
