/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles: a context's table of those objects of the provider's that hosts hold by an id. Only the context's library
 * thread uses the table. See handle.c.
 */
#ifndef INGRESS_HANDLES_H
#define INGRESS_HANDLES_H

#include <stdint.h>

struct ingress__handle {
	uint64_t id; /* 0: the entry is free */
	uint32_t kind;
	uint32_t next_free; /* index + 1 of the next free entry; 0: none */
	void *object;
};

struct ingress__handles {
	struct ingress__handle *table;
	uint32_t capacity;	     /* entries of the table */
	uint32_t used;		     /* entries that were ever used */
	uint32_t first_free;	     /* index + 1; 0: none */
	uint64_t serial, serial_end; /* the numbers that this context may still give */
};

/* Forget all handles; the table stays for the next context. */
static inline void ingress__handles_end(struct ingress__handles *handles)
{
	handles->used = 0;
	handles->first_free = 0;
}

#endif
