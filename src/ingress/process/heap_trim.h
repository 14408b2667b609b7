/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trimming: after a burst of requests a heap has many more free blocks than its thread needs. When it has left them
 * alone for INGRESS__TRIM_NS, an event thread gives the memory of spans of them back to the system, or of pages where a
 * span has blocks in use. The event threads do it because they have time and sleep anyway: one is woken when a heap's
 * surplus grows beyond INGRESS__SURPLUS_BLOCKS, looks once after each INGRESS__TRIM_NS while the heap's thread still
 * takes from it, and sleeps for good when it was trimmed. No request pays for it, and an idle process does not wake up.
 *
 * Free buffers of payloads (buffer.h) are trimmed at the same looks. They belong to no heap; a thread that gives one
 * back and finds that many are free asks by way of the heap of the block that had it.
 */
#ifndef INGRESS_HEAP_TRIM_H
#define INGRESS_HEAP_TRIM_H

#include "ingress/memory/heap.h"

/* What one event thread has to trim. */
struct ingress__trim {
	struct ingress__heap *heaps; /* linked by next_asked */
	uint64_t due_ns;	     /* when to look at the first; UINT64_MAX: there is none */
};

/* Event thread: whether heaps are to be trimmed that no event thread has taken yet. */
bool ingress__trim_is_asked(void);
/* Event thread: take the heaps that are to be trimmed, and trim those that are due; if it `leaves`, all of them. */
void ingress__trim_look(struct ingress__trim *trim, bool leaves);
/* In the child of a fork: no heap is to be trimmed. */
void ingress__trim_forget(void);

#endif
