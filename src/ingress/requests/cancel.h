/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancelling requests. A host that wants to cancel a request gave it a *ticket*, a number that no two requests of the
 * process share. Any thread *files* the ticket: it puts the number into the context's set of filed tickets (filed.h),
 * and wakes the library thread. That thread takes the tickets and looks for the requests:
 *
 *	one that was not handed over	is answered INGRESS_CANCELLED, and never handed over
 *	one that waits in its chain	likewise
 *	one that is running		is marked; its provider sees the mark and answers, then or with its result
 *	one that was answered		is nowhere: nothing happens
 *
 * The race of the cancellation against the reply is none: only the library thread looks for the request, hands it over,
 * and gives its terminal reply (or the event thread does, which abandons it).
 *
 *	canceller				library thread
 *	files the ticket
 *						answers the request: its block goes home
 *						takes the ticket: finds no request
 *	uses the block again, another ticket
 *
 * The order. Submitting a request has returned before its ticket is filed, so the request's lane is marked (lanes.h).
 * The library thread takes the tickets before it takes the marked lanes: so it finds every request whose ticket it has,
 * in a lane, pending or running, or the request was answered.
 *
 *	host					library thread
 *	pushes the request, marks its lane	takes the tickets (acquire)
 *	files the ticket (release)		takes the marked lanes
 *
 * The wake-up. As with `closing` (library_thread.c): the ticket is filed, then the parker is read; the library thread
 * stores its parker, then looks whether tickets are filed. tests/ingress/model/cancel.pml enumerates these orders.
 *
 * A handler that runs long may ask meanwhile: ingress_request_cancelled() takes the tickets too, looks for the one of
 * its request, and drops none, since only the loop looks for the others.
 */
#ifndef INGRESS_CANCEL_H
#define INGRESS_CANCEL_H

#include "ingress/context/context.h"

/*
 * Library thread: whether tickets are filed. Until the constructor was taken they stay where they are, since only the
 * first lane may be taken before (serve.c).
 */
static inline bool ingress__cancel_is_filed(const struct ingress__context *context)
{
	return __builtin_expect(ingress__filed_any(&context->filed), 0) && context->is_open;
}

/* Library thread, in its loop: cancel the requests whose tickets were filed. */
void ingress__cancel_filed(struct ingress__context *context);
/* Library thread, at the end of a context: forget tickets that are left. */
void ingress__cancel_forget(struct ingress__context *context);

#endif
