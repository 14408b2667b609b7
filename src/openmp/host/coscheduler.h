/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A co-scheduler: another runtime system in the process that schedules threads of its own on the same processors.
 *
 * The core asks it the few things below, and knows nothing else of it. With none registered every way is the plain one,
 * for the price of one look at a pointer. The room coscheduling/ implements it.
 */
#ifndef OMP_COSCHEDULER_H
#define OMP_COSCHEDULER_H

#include "openmp/host/host.h"

#include <stdbool.h>
#include <stddef.h>

struct omp__icv;
struct omp__parker;
struct omp__thread;
struct omp__wait;

/* What a waiter should do now: as it would without a co-scheduler; let others run, and look again; park. */
enum omp__wait_advice { OMP__WAIT_AS_USUAL, OMP__WAIT_YIELD, OMP__WAIT_PARK };

struct omp__coscheduler {
	/* How many processors both share: nthreads-var where nobody has set it. */
	unsigned (*processors)(void);
	/* How many threads a team should have that may be `wanted` strong. */
	unsigned (*free_processors)(unsigned wanted);
	/* Whether that is code of the program, or of the co-scheduler's package; not of another library. */
	bool (*knows)(void (*code)(void *));
	/* By a waiter, between two looks at its condition. */
	enum omp__wait_advice (*advise)(struct omp__wait *wait);
	/*
	 * By the owner of the parker: let those run that wait for its processor. Between two regions that is now and
	 * then, after a sleep each time: a thread of the co-scheduler may have been woken with it, for no more than
	 * waking another.
	 */
	void (*yield)(struct omp__parker *parker);
	void (*woken)(struct omp__parker *parker);
	/* Around each region; after the second the caller may have no initial thread, and `thread` must not be used. */
	void (*region_enter)(struct omp__thread *thread, unsigned size);
	void (*region_leave)(struct omp__thread *thread);
	/* By a worker, last. */
	void (*worker_ends)(void);
	/* An initial thread for the caller, its own if it has one; NULL when all are taken and there can be no more. */
	struct omp__thread *(*initial_take)(void);
	/* Make a new initial thread one that can be lent; its maker has it. */
	void (*initial_add)(struct omp__thread *thread);
	/* The OS thread that has it ends. */
	void (*initial_give_back)(struct omp__thread *thread);
	/* What the caller's initial region starts with. */
	void (*initial_variables)(struct omp__icv *icv);
	/* After a fork, in the child. */
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
