/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ingress keeps for each thread. Only the thread itself and its signal handlers read or write it, so nothing
 * here is atomic; `inside` protects it from the signal handlers (reentrancy.h).
 */
#ifndef INGRESS_SELF_H
#define INGRESS_SELF_H

#include "ingress/limits.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct ingress__block;
struct ingress__context;
struct ingress__heap;

struct ingress__self {
	struct ingress__heap *heap;	     /* the heap from which the thread takes blocks: block.h */
	volatile sig_atomic_t inside;	     /* the reentrancy guard */
	struct ingress__context *library_of; /* the context whose library thread this is, or NULL */
	struct ingress__context *events_of;  /* the context whose event thread this is, or NULL */
	uint32_t callbacks;		     /* nested callbacks of replies that this thread is running */
	uint32_t spin_ns;		     /* the budget for spinning in a blocking call: wait.h */
	bool has_woken;			     /* whether it has woken a thread since it last waited */
	uint32_t lane;			     /* index of the lane that it pushes to, the same in every context */
	bool has_lane;
	uint32_t pushes;			       /* how many blocks it has pushed */
	uint32_t newest;			       /* index of the block that it pushed last: lanes.h */
	struct ingress__block *pushed[INGRESS__AHEAD]; /* the blocks that it pushed last, a ring */
};
extern __thread struct ingress__self ingress__self __attribute__((tls_model("initial-exec")));

/* Whether this is a library thread or an event thread, not a thread of the host's. */
static inline bool ingress__self_is_core(void)
{
	return ingress__self.library_of || ingress__self.events_of;
}

#endif
