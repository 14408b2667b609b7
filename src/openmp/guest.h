/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another runtime system in the process (ferry/openmp_guest.h): what changes when there is one.
 *
 * Its threads come and go, and any of them may open the next region. So a root, with its hot team, is lent: it belongs
 * to the OS thread that is in a region, and at the end of the outermost one lies where the next thread takes it.
 *
 *	thread A			root 1			thread B
 *	omp__root_take: free -> A	taken
 *	region				taken			omp__root_take: root 1 is taken, takes or makes another
 *	omp__root_leave			free
 *								omp__root_take: free -> B, its workers still awake
 *
 * Roots are never freed while there is a guest: a worker looks at its primary's seat after it has told it that it
 * arrived, when that may already have left.
 */
#ifndef OMP_GUEST_H
#define OMP_GUEST_H

#include "openmp/state/thread.h"

#include <ferry/openmp_guest.h>

/* Roots that can be lent; threads that find all taken have one of their own, which they keep until they end. */
#define OMP__ROOTS_MAX 64

/* NULL, or set before the first region and never changed. */
extern const struct ferryomp_guest *omp__guest;

/* A root for the calling thread, its own if it has one; NULL when all are taken and there can be no more. */
struct omp__thread *omp__root_take(void);
/* Make a new root one that can be lent; its maker has it. */
void omp__root_add(struct omp__thread *root);
/* The thread that has the root ends. */
void omp__root_forsake(struct omp__thread *root);
/* What the calling thread's initial region starts with. */
void omp__guest_initial(struct omp__icv *icv);
/* How many threads a team should have that may be `wanted` strong. */
unsigned omp__guest_free(unsigned wanted);
/* Whether that is code of the program, or of the guest's package; not of another library. */
bool omp__guest_knows(void (*code)(void *));
/* Whether the guest has processors busy, and with them more threads are awake than there are processors. */
bool omp__guest_crowded(void);
/* nthreads-var where nobody has set it. */
unsigned omp__guest_threads(void);
/* After a fork, in the child. */
void omp__guest_forked(struct omp__thread *survivor);

void omp__guest_enter(struct omp__thread *thread, unsigned size);
void omp__guest_leave(struct omp__thread *thread);

/*
 * With a guest, by the owner of the seat: let those run that wait for its processor. Between two regions that is now
 * and then, after a sleep each time: a thread of the guest may have been woken with it, for no more than waking
 * another.
 */
void omp__guest_give_way(struct omp__seat *seat);
void omp__guest_woken(struct omp__seat *seat);

/* Around each region; after the second the thread may have no root, and `thread` must not be used. */
static inline void omp__region_enter(struct omp__thread *thread, unsigned size)
{
	if (__builtin_expect(omp__guest != NULL, 0))
		omp__guest_enter(thread, size);
}

static inline void omp__region_leave(struct omp__thread *thread)
{
	if (__builtin_expect(omp__guest != NULL, 0))
		omp__guest_leave(thread);
}

#endif
