/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What another runtime system in the process tells libferryomp: a guest.
 *
 * The OpenMP runtime makes its threads and puts them to sleep by itself. It does not know how many processors a runtime
 * system beside it uses at the moment, and so would spin on those that the other wants. A guest tells it; GHC's is
 * haskell/cbits/coscheduler/coscheduler.c. With a guest
 *
 *  - dyn-var is true unless OMP_DYNAMIC says otherwise, and a team gets as many threads as there are free processors;
 *    but where OMP_DYNAMIC says nothing, not for a region in a shared library: that was built for libgomp, and may wait
 *    for the threads that omp_get_max_threads() has promised (OpenBLAS does),
 *  - a thread that waits lets others have its processor at once when there are more threads awake than processors, the
 *    guest's among them, and sleeps soon,
 *  - teams belong to no thread of the program: each region takes one that is free, so that a guest which calls from
 * many threads, one at a time, has one team.
 */
#ifndef FERRY_OPENMP_GUEST_H
#define FERRY_OPENMP_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FERRYOMP_GUEST_VERSION 2

/* Every function may be called by any thread, takes well under a microsecond, and neither blocks nor calls OpenMP. */
struct ferryomp_guest {
	uint32_t version; /* FERRYOMP_GUEST_VERSION */
	/* How many processors the guest would use at most; 0: it does not know, or is not running. */
	unsigned (*processors)(void);
	/* How many it uses now, those of threads that hold one while they are in OpenMP among them. */
	unsigned (*busy)(void);
	/* What the calling thread holds of the guest, so that it counts as busy; NULL when nothing. */
	void *(*holding)(void);
	/* The calling thread, which may have called the guest, ends. May be NULL. */
	void (*worker_ends)(void);
	/* Set to 1 when a region is opened for the first time: before, no batch need be announced. May be NULL. */
	uint32_t *opened;
};

/*
 * Register the guest of this process, before the first parallel region; it is never unregistered, and the structure
 * must stay. Returns 0, -EINVAL for a version that this library does not know, -EBUSY when there is another.
 */
int ferryomp_guest_register(const struct ferryomp_guest *guest);

/*
 * What the thread that opened the outermost region around the caller held when it opened it: what `holding` returned
 * there. NULL outside a region.
 */
void *ferryomp_guest_held(void);

/*
 * The calling thread begins to run a batch of functions, of which some may open regions. Between them, for up to 10 ms,
 * the team's threads stay awake as long as there are processors for all, where they would go to sleep after 0.4 ms. At
 * the end they go to sleep at once: what follows is not another region.
 *
 * Each begin needs an end by the same thread; a batch may run inside another, and counts as a part of it. Where only a
 * part of a batch has ended, which another thread may go on with, `is_over` is false, and the team stays as it is. A
 * batch without regions, or a process without a guest, is left alone. Both take a few nanoseconds.
 */
void ferryomp_batch_begin(void);
/* See ferryomp_batch_begin. */
void ferryomp_batch_end(bool is_over);

/* Internal control variables that a program sets for all its threads at once. */
enum ferryomp_variable {
	FERRYOMP_THREADS = 1,	 /* nthreads-var; 0: as many as the guest has processors */
	FERRYOMP_DYNAMIC = 2,	 /* dyn-var: 0 or 1 */
	FERRYOMP_SCHEDULE = 3,	 /* run-sched-var: omp_sched_t */
	FERRYOMP_CHUNK = 4,	 /* its chunk, 0: the schedule's own */
	FERRYOMP_MAX_LEVELS = 5, /* max-active-levels-var */
};

/*
 * The value that threads start with which have not set their own by omp_set_…. Threads of a guest see a change when
 * they next call OpenMP from outside a region, others only when they call OpenMP for the first time. Any thread may
 * call. Returns 0, or -EINVAL for a variable or value that there is not.
 */
int ferryomp_initial_set(enum ferryomp_variable variable, int value);
/* What the last call of ferryomp_initial_set gave, or the environment; -EINVAL for a variable that there is not. */
int ferryomp_initial_get(enum ferryomp_variable variable);

#ifdef __cplusplus
}
#endif

#endif /* FERRY_OPENMP_GUEST_H */
