/* SPDX-License-Identifier: BSD-3-Clause */
/* What other threads have for a library thread: answers, and the wish that ->turn() is called. See post.c. */
#ifndef INGRESS_POST_H
#define INGRESS_POST_H

#include "ingress/context/context.h"

/* Library thread: whether something was posted since the last take. */
static inline bool ingress__has_posts(const struct ingress__context *context)
{
	/* seq_cst: this thread stores its parker before this load, and a thread that posts stores `posted` first */
	return atomic_load_explicit(&context->posted, memory_order_seq_cst) != 0;
}

/* Library thread: give the replies to the requests whose answers were posted. */
void ingress__posts_take(struct ingress__context *context);

#endif
