/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which process this is, counted in forks. A context or an inbox records the number under which it was made; where the
 * number differs, it belongs to the parent process and its threads do not exist here. fork.c says what a child may do.
 */
#ifndef INGRESS_PROCESS_H
#define INGRESS_PROCESS_H

#include <stdatomic.h>
#include <stdint.h>

/* Forks between the process in which the ingress was first used and this one. */
extern _Atomic uint32_t ingress__forks;

static inline uint32_t ingress__process(void)
{
	/* relaxed: it changes only in a new child, which has one thread */
	return atomic_load_explicit(&ingress__forks, memory_order_relaxed);
}

/*
 * Ends this process, a child. The caller is a copy of a library thread or an event thread: code of the host's or the
 * library's that it called has forked. Its context, and all that it would go on with, belongs to the parent.
 */
_Noreturn void ingress__child_ends(void);

#endif
