/* SPDX-License-Identifier: BSD-3-Clause */
/* Inboxes: replies and events for a thread that takes them when it likes. See inbox.c. */
#ifndef INGRESS_INBOX_H
#define INGRESS_INBOX_H

#include "block.h"
#include "fork.h"
#include "lane.h"

struct ingress_inbox {
	struct ingress__lane lane;
	_Atomic uint32_t generation;
	int descriptor;
	uint32_t process;	 /* ingress__process() in which it was made */
	_Atomic uint32_t unsaid; /* the sleep for which nobody has written to the descriptor yet, or 0 */
	_Atomic uint64_t extra;	 /* writes besides one for each sleep */

	/* The taker's own. */
	_Alignas(
		INGRESS__LINE_BYTES) struct ingress__block *first; /* taken from the lane, not handed out; by `after` */
	struct ingress__block *last;
	uint32_t budget_ns;
	bool armed;	  /* the lane was put to sleep, and nothing was taken since */
	uint32_t sleeps;  /* how often the lane was put to sleep, never 0 then */
	uint64_t signals; /* for how many sleeps a pusher has written, or will, to the descriptor */
	uint64_t signals_read;
	struct ingress_inbox *next; /* of those that are closed; under the lock of all */
};

static inline uint32_t ingress__inbox_generation(const struct ingress_inbox *inbox)
{
	/* relaxed: it changes only when nobody uses the inbox */
	return atomic_load_explicit(&inbox->generation, memory_order_relaxed);
}

/* False: it is the parent process's, as its descriptor is. */
static inline bool ingress__inbox_is_own(const struct ingress_inbox *inbox)
{
	return inbox->process == ingress__process();
}

/* The caller's block for the inbox. False when that was closed: then the block is given back, unless it is a notice. */
bool ingress__inbox_put(struct ingress_inbox *inbox, uint32_t generation, struct ingress__block *block);

/* event.c: the events that a notice stands for, as a list. The notice's use ends. */
struct ingress__block *ingress__notice_take(struct ingress__block *notice);
/* event.c: an event of such a list is about to be handed out. False: its listener was removed meanwhile. */
bool ingress__event_goes_out(struct ingress__block *block);

#endif
