/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a context. See start.c. */
#ifndef INGRESS_START_H
#define INGRESS_START_H

#include "ingress/context/context.h"

/*
 * Take an entry of the context table, with threads and options, and make the token of the context that will be in it.
 * The caller, the context's starter, publishes the token.
 */
enum ingress_status ingress__start_entry(const struct ingress_library *library, const struct ingress_options *options,
					 bool is_static, struct ingress__context **entry, ingress_token *token);

#endif
