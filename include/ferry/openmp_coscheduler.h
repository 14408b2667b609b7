/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How another runtime system of the process tells libferryomp what it uses of the machine: as a co-scheduler.
 *
 * The OpenMP runtime makes its threads and puts them to sleep by itself. It cannot see how many processors another
 * runtime system uses at the moment, and so would spin on processors that the other wants. A co-scheduler tells it;
 * GHC's is haskell/openmp/cbits/coscheduler/coscheduler.c. With a co-scheduler
 *
 *  - dyn-var is true unless OMP_DYNAMIC says otherwise: a team gets as many threads as there are free processors. If
 *    OMP_DYNAMIC is not set, regions in shared libraries are exempt: such a library was built for libgomp, and may wait
 *    for as many threads as omp_get_max_threads() has promised (OpenBLAS does),
 *  - a waiting thread yields its processor at once and sleeps soon when more threads are awake than there are
 *    processors; the co-scheduler's threads count among them,
 *  - teams belong to no thread of the program: each region takes a team that is free, so that a co-scheduler that calls
 *    from many threads, one at a time, has one team.
 */
#ifndef FERRY_OPENMP_COSCHEDULER_H
#define FERRY_OPENMP_COSCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FERRYOMP_COSCHEDULER_VERSION 2

/* Every function may be called by any thread, takes well under a microsecond, and neither blocks nor calls OpenMP. */
struct ferryomp_coscheduler {
	uint32_t version; /* FERRYOMP_COSCHEDULER_VERSION */
	/* How many processors the co-scheduler would use at most; 0: it does not know, or is not running. */
	unsigned (*processors)(void);
	/* How many it uses now; a thread that holds one of its processors while it is in OpenMP counts. */
	unsigned (*busy)(void);
	/* What the calling thread holds of the co-scheduler, so that it counts as busy; NULL when it holds nothing. */
	void *(*holding)(void);
	/* The calling thread ends; it may have called the co-scheduler before. May be NULL. */
	void (*worker_ends)(void);
	/*
	 * The runtime sets it to 1 when it opens its first region: until then no batch needs its begin and end. May be
	 * NULL.
	 */
	uint32_t *opened;
};

/*
 * Register the co-scheduler of this process, before the first parallel region. It is never unregistered, and the struct
 * must stay where it is. Returns 0, -EINVAL for a version that this library does not know, -EBUSY when another
 * co-scheduler is registered.
 */
int ferryomp_coscheduler_register(const struct ferryomp_coscheduler *coscheduler);

/*
 * What `holding` returned to the thread that opened the outermost region around the caller, when it opened that region.
 * NULL outside a region.
 */
void *ferryomp_coscheduler_held(void);

/*
 * The calling thread begins to run a batch of functions, some of which may open regions. Between these regions the
 * team's threads stay awake for up to 10 ms, as long as there are processors for all; without a batch they would go to
 * sleep after 0.4 ms. At the end of the batch they go to sleep at once, since no region follows soon.
 *
 * Each begin needs an end by the same thread. A batch may run inside another, and then counts as a part of that. Where
 * only a part of a batch has ended and another thread may go on with the rest, `is_over` is false, and the team stays
 * as it is. In a batch without regions and in a process without a co-scheduler the two calls change nothing. Each takes
 * a few nanoseconds.
 */
void ferryomp_batch_begin(void);
/* See ferryomp_batch_begin. */
void ferryomp_batch_end(bool is_over);

/* Internal control variables that a program sets for all its threads at once. */
enum ferryomp_variable {
	FERRYOMP_THREADS = 1,	 /* nthreads-var; 0: as many as the co-scheduler has processors */
	FERRYOMP_DYNAMIC = 2,	 /* dyn-var: 0 or 1 */
	FERRYOMP_SCHEDULE = 3,	 /* run-sched-var: omp_sched_t */
	FERRYOMP_CHUNK = 4,	 /* its chunk, 0: the schedule's own */
	FERRYOMP_MAX_LEVELS = 5, /* max-active-levels-var */
};

/*
 * Set the value that threads start with, unless they have set their own by omp_set_…. A thread of a co-scheduler sees a
 * change when it next calls OpenMP from outside a region; any other thread sees it only when it calls OpenMP for the
 * first time. Any thread may call. Returns 0, or -EINVAL for a variable or a value that does not exist.
 */
int ferryomp_initial_set(enum ferryomp_variable variable, int value);
/* The value set by the last ferryomp_initial_set, or by the environment; -EINVAL for a variable that does not exist. */
int ferryomp_initial_get(enum ferryomp_variable variable);

#ifdef __cplusplus
}
#endif

#endif /* FERRY_OPENMP_COSCHEDULER_H */
