/* SPDX-License-Identifier: BSD-3-Clause */
/* Listeners, as listener.c and event.c keep them and event_thread.c calls them. */
#ifndef INGRESS_EVENT_H
#define INGRESS_EVENT_H

#include "context.h"

/* Under the lock of its context's events. */
struct ingress__listener {
	uint64_t id; /* of the process; never given again */
	struct ingress__context *context;
	uint32_t generation;		/* of the token it was made with */
	struct ingress__listener *next; /* of the same event */
	uint32_t event, wire, overflow, depth;
	ingress_event_fn *notify;
	void *user;
	ingress_end_fn *release; /* or NULL */
	struct ingress_inbox *inbox;
	uint32_t inbox_generation;
	uint32_t waiting; /* events in its list */
	uint64_t tag;
	uint64_t lost;			     /* since the event before */
	struct ingress__block *first, *last; /* what waits, oldest first, by `sibling` */
	uint32_t refs;	      /* its place in the list, events that were taken, a notice, and who removes it */
	bool noticed;	      /* a notice is in the inbox */
	_Atomic bool removed; /* no callback begins any more; written under the lock, read by the inbox's taker too */
};

/* Under the lock: the next events for callbacks, by `after`, each holding its listener. */
struct ingress__block *ingress__events_take(struct ingress__events *events);
/* Under the lock: an event that was taken is over. */
void ingress__event_done(struct ingress__block *block);

/* event.c. Under the lock: what waits for a listener is dropped. */
void ingress__listener_drop_events(struct ingress__events *events, struct ingress__listener *listener);

/* listener.c. Under the lock: one hold less. */
void ingress__listener_unref(struct ingress__listener *listener);
/* Under the lock: it is no listener any more; the list's hold on it becomes the caller's. */
void ingress__listener_remove(struct ingress__context *context, struct ingress__listener *listener);
/* Without the lock: call its `release`. It was removed, and does not run. */
void ingress__listener_release(const struct ingress__listener *listener);
/* Without the lock: release the listeners of a list by `next`, and end the caller's hold on each. */
void ingress__listeners_release(struct ingress__context *context, struct ingress__listener *gone);

#endif
