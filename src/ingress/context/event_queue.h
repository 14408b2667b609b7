/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that wait for listeners. Events for callbacks wait in one list of the context, in the order in which they were
 * emitted, for the event thread. Events for inboxes wait in a list of their listener; the inbox holds one notice for
 * all of them, so that what waits can still be dropped or coalesced. Each listener counts what waits for it and never
 * has more than its depth.
 *
 * One lock per context, events->lock, protects all of this. The library thread takes it once for each event; the event
 * thread takes it once for up to 64 events. A list without a lock would not do, since an overflow takes events out of
 * its middle.
 */
#ifndef INGRESS_EVENT_QUEUE_H
#define INGRESS_EVENT_QUEUE_H

#include "ingress/context/context.h"

/* A listener: a callback or an inbox that gets an event. Under the lock of its context's events. */
struct ingress__listener {
	uint64_t id; /* unique in the process, never given again */
	struct ingress__context *context;
	uint32_t generation;		/* of the token that it was made with */
	struct ingress__listener *next; /* of the same event */
	uint32_t event, wire, overflow, depth;
	ingress_event_fn *notify;
	void *user;
	ingress_end_fn *release; /* or NULL */
	struct ingress_inbox *inbox;
	uint32_t inbox_generation;
	uint32_t waiting; /* events in its list */
	uint64_t tag;
	uint64_t lost;			     /* events lost since the one before */
	struct ingress__block *first, *last; /* the events that wait for it, oldest first, by `sibling` */
	uint32_t refs; /* held by the list, by events that were taken, by a notice, by a thread that removes it */
	bool noticed;  /* whether a notice is in the inbox */
	_Atomic bool removed; /* no callback begins any more; written under the lock, read by an inbox's consumer too */
};

/* Make the lists of a new entry of the context table. False: no memory. */
bool ingress__events_start(struct ingress__context *context);

/* Under the lock: one reference less; the last one frees the listener. */
void ingress__listener_unref(struct ingress__listener *listener);
/* Under the lock: the oldest event that waits for the listener leaves its lists. NULL: none waits. */
struct ingress__block *ingress__event_dequeue(struct ingress__events *events, struct ingress__listener *listener);
/* Under the lock: drop all events that wait for the listener. */
void ingress__listener_drop_events(struct ingress__events *events, struct ingress__listener *listener);
/*
 * Under the lock: queue an event for a listener, by its overflow policy. Returns a notice to be put into the listener's
 * inbox, or NULL when none is needed.
 */
struct ingress__block *ingress__event_enqueue(struct ingress__events *events, struct ingress__listener *listener,
					      const struct ingress_event *event);

/* Event thread, under the lock: take the next events for callbacks, linked by `after`; each refers to its listener. */
struct ingress__block *ingress__events_take(struct ingress__events *events);
/* Under the lock: an event that was taken is over. */
void ingress__event_done(struct ingress__block *block);

/* An inbox's consumer: the events that a notice stands for, as a list. The notice's use ends. */
struct ingress__block *ingress__notice_take(struct ingress__block *notice);
/* An inbox's consumer: an event of such a list is about to be handed out. False: its listener was removed meanwhile. */
bool ingress__event_goes_out(struct ingress__block *block);

#endif
