/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers for payloads that do not fit into a block. A buffer that is given back is kept for use again, by size; any
 * thread may take and give. After a burst an event thread gives the memory of what is free back to the system, up to
 * INGRESS__BUFFERS_KEPT_BYTES of each size (heap_trim.h).
 */
#ifndef INGRESS_BUFFER_H
#define INGRESS_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory for `bytes`, or NULL: none is left. */
void *ingress__buffer_take(size_t bytes);
/* Give a buffer back. `data` may be NULL. Returns whether so many are free that some should be trimmed. */
bool ingress__buffer_give(void *data);

/* Event thread: from now on look how many are free at least. */
void ingress__buffers_watch(uint64_t now_ns);
/*
 * Event thread: give back what was free all the time since that, or, `at_once`, what is free. Returns whether no more
 * than is kept is free; otherwise look again later.
 */
bool ingress__buffers_trim(uint64_t now_ns, bool at_once);

/* fork.c: take, and give back, the locks of all sizes. */
void ingress__buffers_lock(void);
void ingress__buffers_unlock(void);

#endif
