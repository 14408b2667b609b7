/* SPDX-License-Identifier: BSD-3-Clause */
/* The event thread of a context. See event_thread.c. */
#ifndef INGRESS_EVENT_THREAD_H
#define INGRESS_EVENT_THREAD_H

#include "ingress/context/context.h"

/* The thread's main function; the argument is the context. */
void *ingress__event_thread(void *argument);
/* Library thread, or a starter where there is none: end the event thread. It has ended when this returns. */
void ingress__event_thread_stop(struct ingress__context *context);

#endif
