/* SPDX-License-Identifier: BSD-3-Clause */
/* Inboxes, completion queues of a host: replies and events for a thread that takes them when it likes. See inbox.c. */
#ifndef INGRESS_INBOX_H
#define INGRESS_INBOX_H

#include "ingress/queues/inbox_pool.h"
#include "ingress/self/process.h"

static inline uint32_t ingress__inbox_generation(const struct ingress_inbox *inbox)
{
	/* relaxed: it changes only while no thread uses the inbox */
	return atomic_load_explicit(&inbox->generation, memory_order_relaxed);
}

/* False: the inbox belongs to the parent process, as its descriptor does. */
static inline bool ingress__inbox_is_own(const struct ingress_inbox *inbox)
{
	return inbox->process == ingress__process();
}

/*
 * The answer to a request of the context comes here, or its events do. The consumer, when it waits, takes the context's
 * library thread for the one that will end the wait (wait.h).
 */
static inline void ingress__inbox_expects(struct ingress_inbox *inbox, struct ingress__context *context)
{
	/* relaxed: a hint; entries of contexts are never freed. Read first, since most often it is there already. */
	if (atomic_load_explicit(&inbox->asked, memory_order_relaxed) != context)
		atomic_store_explicit(&inbox->asked, context, memory_order_relaxed);
}

/*
 * Producer: put the caller's block into the inbox. False: the inbox was closed; the block is given home then, unless it
 * is a notice.
 */
bool ingress__inbox_put(struct ingress_inbox *inbox, uint32_t generation, struct ingress__block *block);

#endif
