/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The context table: looking tokens up, and taking and giving back its entries. An entry with its two threads is kept
 * idle for the next context of the same library. See context_table.c for what a forked child has.
 */
#ifndef INGRESS_CONTEXT_TABLE_H
#define INGRESS_CONTEXT_TABLE_H

#include "ingress/context/context.h"
#include "ingress/waiting/lock.h"

/* What the core knows of a library that it has seen; under the table's lock. */
struct ingress__library_record {
	const struct ingress_library *library;
	struct ingress__library_record *next;
	struct ingress__context *idle; /* idle entries with threads */
	struct ingress__context *bare; /* idle entries without threads */
	uint32_t idle_count;	       /* of `idle` */
	uint32_t in_use;	       /* contexts that have not ended */
	ingress_token static_token;    /* 0: none yet */
	bool is_starting;	       /* a thread is starting the static context */
};

extern pthread_mutex_t ingress__context_table_lock;

/* The context of a token. NULL: there is none, and *why says whether it has ended or never was. */
struct ingress__context *ingress__context_find(ingress_token token, enum ingress_status *why);
/* The same, but also finds the entry if the token's context is ending or has ended, whichever context is there now. */
struct ingress__context *ingress__context_find_ended(ingress_token token, enum ingress_status *why);
/* The entry of a token that once was good. */
struct ingress__context *ingress__context_at(ingress_token token);

/* The record of a library, made when the core first sees it; NULL: no memory. */
struct ingress__library_record *ingress__library_record_of(const struct ingress_library *library);

/* Take an entry for a new context of the library. The context counts as in use. */
enum ingress_status ingress__context_table_take(const struct ingress_library *library, bool is_static,
						struct ingress__context **taken);
/* Give an entry back in which no context was started. */
void ingress__context_table_put_back(struct ingress__context *context);
/* Library thread: the context does not count as in use any more, so that another one may start. */
void ingress__context_uncount(struct ingress__context *context);
/* Library thread: the context has ended, and the entry is idle again. */
void ingress__context_recycle(struct ingress__context *context);
/* Library thread, at the end of a context: whether the entry keeps its threads; false when enough others are idle. */
bool ingress__context_keeps_threads(struct ingress__context *context);

/* fork.c: take the table's lock, give it back, and in the child empty the table under it. */
void ingress__contexts_lock(void);
void ingress__contexts_unlock(void);
void ingress__contexts_forget(void);

#endif
