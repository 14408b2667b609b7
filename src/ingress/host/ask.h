/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking calls: waiting for the reply of a request that was submitted. See ask.c. */
#ifndef INGRESS_ASK_H
#define INGRESS_ASK_H

#include "ingress/context/context.h"

/* Make the status's sentence the answer. Returns the status. */
enum ingress_status ingress__ask_text(struct ingress_answer *answer, enum ingress_status status, uint32_t wire);
/* Wait for the reply to `block`, which is NULL where there was no memory. Returns answer->status. */
enum ingress_status ingress__ask_finish(struct ingress__context *context, struct ingress__block *block,
					uint64_t deadline_ns, uint32_t wire, struct ingress_answer *answer);

#endif
