/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains: requests that run one after another, in which one takes fields of earlier ones' results (C1 to C9 of
 * spec/interface.md). A host's thread makes the chain and pushes all its requests at once (submit.c). The library
 * thread takes them together, so a chain is in the lanes and the pending list as a whole, or has *begun* as a whole:
 * then each of its requests is running in the sense of request.h, and those that were not handed over *wait*. So
 * destroying, abandoning and cancelling find them as they find any request.
 *
 *	library thread
 *	hands request 0 over (serve.c)
 *	is answered: ingress__chain_answered() keeps what later ones take, and puts the chain on the ready list
 *	in its loop, ingress__chains_step() answers those that cannot run, fills the next in, and hands it over
 *
 * Which thread may write what. Once the chain has begun only the library thread looks at it. Before, requests of it may
 * be answered by the library thread (cancelled) or by the event thread (abandoned); each writes its own member, and the
 * library thread reads that only if the rest begins. The one who answers the last request frees the chain.
 */
#ifndef INGRESS_CHAIN_H
#define INGRESS_CHAIN_H

#include "ingress/context/context.h"

/* A request of a chain. */
struct ingress__member {
	struct ingress__block *block; /* never changes, also when it is another's */
	uint32_t first_link;	      /* its links end where the next one's begin */
	uint32_t cause;		      /* the first request that failed, if this one was skipped: else itself */
	uint8_t status;		      /* of its answer; INGRESS_STALE: it has none yet */
	bool is_source;		      /* a later one takes a field */
	bool is_large;		      /* its result was not kept, since it is over the limit */
	unsigned char *result;	      /* kept for those; NULL: it is over the limit, or there was no memory */
	size_t bytes;
};

struct ingress__chain {
	_Atomic uint32_t
		refs; /* its requests that are not answered, and the library thread in ingress__chains_step() */
	uint32_t count, link_count;
	uint32_t next;	  /* the first member that was not handed over and not passed by */
	uint32_t current; /* the member that the provider has; INGRESS__NO_MEMBER: none */
	bool has_begun;
	size_t kept_bytes;	      /* of all results */
	struct ingress__chain *after; /* in the ready list */
	struct ingress_link *links;   /* their paths lie behind them */
	struct ingress__member members[];
};
#define INGRESS__NO_MEMBER UINT32_MAX

/* Host's thread: a chain without blocks, whose links were checked. NULL: no memory. */
struct ingress__chain *ingress__chain_make(size_t count, const struct ingress_link *links, size_t link_count);
/* The member that is a request of the chain. */
struct ingress__member *ingress__chain_member(const struct ingress__block *block);
/* One of those who hold the chain is done with it. */
void ingress__chain_unref(struct ingress__chain *chain);

/*
 * Library thread, under take_lock: the request is running from now on. Whether it is to be handed over now: the others
 * wait.
 */
bool ingress__chain_begin(struct ingress__context *context, struct ingress__block *block);
/* Library thread, before the reply is given: what the chain has to know of the answer to one of its requests. */
void ingress__chain_answered(struct ingress__context *context, struct ingress__block *block, enum ingress_status status,
			     const void *data, size_t bytes);
/* Any thread: a request of a chain that has not begun is answered. */
void ingress__chain_unserved(struct ingress__block *block, enum ingress_status status);

#endif
