/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of listeners: how they end. See listener.c. */
#ifndef INGRESS_LISTENER_H
#define INGRESS_LISTENER_H

#include "ingress/context/event_queue.h"

/* Under the lock: take the listener out of the list of its event. The caller gets the list's reference to it. */
void ingress__listener_remove(struct ingress__context *context, struct ingress__listener *listener);
/* Without the lock: call the `release` of a listener that was removed and whose callback is not running. */
void ingress__listener_release(const struct ingress__listener *listener);
/* Without the lock: release the listeners of a list by `next`, and end the caller's reference to each. */
void ingress__listeners_release(struct ingress__context *context, struct ingress__listener *gone);
/*
 * At the end of a context: remove all of its listeners and drop their events. When this returns no callback is running,
 * unless the caller is the event thread, and all listeners are released.
 */
void ingress__listeners_end(struct ingress__context *context);

#endif
