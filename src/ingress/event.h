/* SPDX-License-Identifier: BSD-3-Clause */
/* Listeners, as event.c keeps them and event_thread.c calls them. */
#ifndef INGRESS_EVENT_H
#define INGRESS_EVENT_H

#include "context.h"

/* Under the lock of its context's events. */
struct ingress__listener {
	uint64_t id;
	struct ingress__context *context;
	struct ingress__listener *next; /* of the same event */
	uint32_t event, wire, overflow, depth;
	ingress_event_fn *notify;
	void *user;
	struct ingress_inbox *inbox;
	uint32_t inbox_generation;
	uint32_t waiting; /* events in its list */
	uint64_t tag;
	uint64_t lost;			     /* since the event before */
	struct ingress__block *first, *last; /* what waits, oldest first, by `sibling` */
	uint32_t refs; /* its place in the list, events that were taken, a notice, and who waits for its end */
	bool noticed;  /* a notice is in the inbox */
	bool removed;  /* no callback begins any more */
};

/* Under the lock: the next events for callbacks, by `after`, each holding its listener. */
struct ingress__block *ingress__events_take(struct ingress__events *events);
/* Under the lock: an event that was taken is over. */
void ingress__event_done(struct ingress__block *block);

#endif
