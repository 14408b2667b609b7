/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Giving replies to hosts: by a callback, in an inbox, or to a thread in a blocking call. request.h says which thread
 * may give the terminal reply of a request; this does it.
 */
#ifndef INGRESS_REPLY_H
#define INGRESS_REPLY_H

#include "ingress/context/request.h"

/*
 * Give the terminal reply to a request that was never handed to the provider, with the status's sentence as its
 * message. The caller owns the block before, and not afterwards.
 */
void ingress__reply_unserved(struct ingress__block *block, enum ingress_status status);

/* Library thread: give the reply of a constructor that failed, which was kept until its entry was idle again. */
void ingress__reply_failed_constructor(struct ingress__block *block);

/* Library thread: give the reply of a request whose answer another thread has put into its block (post.c). */
void ingress__reply_posted(struct ingress__block *block);

/*
 * Event thread, which holds the request: tell its host a status while the block stays the library's, in a callback or
 * in an inbox. A thread in a blocking call is told nothing.
 */
void ingress__reply_meanwhile(struct ingress__context *context, struct ingress__block *block,
			      enum ingress_status status);

#endif
