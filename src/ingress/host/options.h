/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options of a context, and their limits: each option is the host's, or else the library's, or else the core's
 * default.
 */
#ifndef INGRESS_OPTIONS_H
#define INGRESS_OPTIONS_H

#include "ingress/context/context.h"

/* Fill in the options of a context. False: one is over its maximum. */
bool ingress__options_choose(const struct ingress_library *library, const struct ingress_options *options,
			     struct ingress_options *chosen);
/* Starter: give the context its options. */
void ingress__options_set(struct ingress__context *context, const struct ingress_options *options);

#endif
