/* SPDX-License-Identifier: BSD-3-Clause */
/* fork: what the child of a process with contexts has. See fork.c. */
#ifndef INGRESS_FORK_H
#define INGRESS_FORK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Forks between the process that the ingress was first used in and this one. What was made at another count is dead. */
extern _Atomic uint32_t ingress__forks;

static inline uint32_t ingress__process(void)
{
	/* relaxed: it changes while the process has one thread */
	return atomic_load_explicit(&ingress__forks, memory_order_relaxed);
}

/* Before the first context or inbox: false when a fork could not be noticed, for lack of memory. */
bool ingress__fork_ready(void);

/* Whether a signal handler forked this process in the middle of a call: then there is no ingress in it. */
bool ingress__forked_inside(void);

/*
 * A thread of ours has come back from code of the host's or the library's, and is in a child that was forked there. Its
 * context and all that it would go on with is the parent's.
 */
_Noreturn void ingress__child_ends(void);

/* Each file's part: take its locks, give them back, and forget in the child what is the parent's; that with its locks.
 */
void ingress__places_lock(void);
void ingress__places_unlock(void);
void ingress__places_forget(void);
void ingress__blocks_lock(void);
void ingress__blocks_unlock(void);
void ingress__inboxes_lock(void);
void ingress__inboxes_unlock(void);
void ingress__inboxes_forget(void);
void ingress__spinning_forget(void);

#endif
