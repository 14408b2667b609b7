/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A co-scheduler: another runtime system of the process, which schedules threads of its own on the same processors.
 *
 * The runtime asks it the few things below, and knows nothing else of it. In a program that registers none, this costs
 * one look at a pointer on each of these paths. The folder coscheduling/ implements the functions.
 */
#ifndef OMP_COSCHEDULER_H
#define OMP_COSCHEDULER_H

#include "openmp/system/system.h"

#include <stdbool.h>
#include <stddef.h>

struct omp__icv;
struct omp__parker;
struct omp__thread;
struct omp__wait;

/* What a waiter should do now: go on as without a co-scheduler; yield, and look again; park. */
enum omp__wait_advice { OMP__WAIT_AS_USUAL, OMP__WAIT_YIELD, OMP__WAIT_PARK };

struct omp__coscheduler {
	/* How many processors the two share: nthreads-var, unless the program sets it. */
	unsigned (*processors)(void);
	/* How many threads a team should have that asks for `wanted`. */
	unsigned (*free_processors)(unsigned wanted);
	/* Whether `code` is code of the program or of the co-scheduler's package, and not of another library. */
	bool (*knows)(void (*code)(void *));
	/* A waiter asks this between two looks at its condition. */
	enum omp__wait_advice (*advise)(struct omp__wait *wait);
	/*
	 * The owner of the parker yields its processor to threads that wait for it. Between two regions a worker does
	 * so now and then, after a sleep each time: a thread of the co-scheduler may have been woken on the same
	 * processor, and may need it for no longer than it takes to wake another thread.
	 */
	void (*yield)(struct omp__parker *parker);
	void (*woken)(struct omp__parker *parker);
	/*
	 * Called around each region. After the second one the caller may have no initial thread, so it must not use
	 * `thread`.
	 */
	void (*region_enter)(struct omp__thread *thread, unsigned size);
	void (*region_leave)(struct omp__thread *thread);
	/* A worker calls this last. */
	void (*worker_ends)(void);
	/* An initial thread for the caller: its own if it has one, else one that is free. NULL: none is free. */
	struct omp__thread *(*initial_take)(void);
	/* Make a new initial thread one that can be lent; the thread that made it has it. */
	void (*initial_add)(struct omp__thread *thread);
	/* The OS thread that has the initial thread ends. */
	void (*initial_give_back)(struct omp__thread *thread);
	/* The control variables that the caller's initial region starts with. */
	void (*initial_variables)(struct omp__icv *icv);
	/* Called after a fork, in the child. */
	void (*forked)(struct omp__thread *survivor);
};

/* NULL, or set before the first region and never changed. */
extern const struct omp__coscheduler *omp__coscheduler;

static inline void omp__region_enter(struct omp__thread *thread, unsigned size)
{
	if (__builtin_expect(omp__coscheduler != NULL, 0))
		omp__coscheduler->region_enter(thread, size);
}

static inline void omp__region_leave(struct omp__thread *thread)
{
	if (__builtin_expect(omp__coscheduler != NULL, 0))
		omp__coscheduler->region_leave(thread);
}

#endif
