/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a context: the host's, else the library's, else the core's defaults; and their limits. */
#ifndef INGRESS_OPTIONS_H
#define INGRESS_OPTIONS_H

#include "context.h"

/* Fill in the options of a context. False: one is over its maximum. */
bool ingress__options_choose(const struct ingress_library *library, const struct ingress_options *options,
			     struct ingress_options *chosen);
/* Starter: give the context its options. */
void ingress__options_set(struct ingress__context *context, const struct ingress_options *options);

#endif
