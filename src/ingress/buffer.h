/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers for payloads that do not fit into a block. A buffer that is given back is kept for use again, by size, up to
 * INGRESS__BUFFERS_KEPT_BYTES of each size; any thread may take and give.
 */
#ifndef INGRESS_BUFFER_H
#define INGRESS_BUFFER_H

#include <stddef.h>

/* Memory for `bytes`, or NULL: none is left. */
void *ingress__buffer_take(size_t bytes);
/* Give a buffer back. `data` may be NULL. */
void ingress__buffer_give(void *data);

/* fork.c: take, and give back, the locks of all sizes. */
void ingress__buffers_lock(void);
void ingress__buffers_unlock(void);

#endif
