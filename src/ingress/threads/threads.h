/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting the two threads of an entry of the context table. */
#ifndef INGRESS_THREADS_H
#define INGRESS_THREADS_H

#include "ingress/context/context.h"

/*
 * Starter: start the two threads unless they run already, and wait for the provider's thread_begin(). The threads start
 * with the entry's first context, and end when enough other entries of the library are idle. False: no memory, or
 * thread_begin() failed.
 */
bool ingress__threads_start(struct ingress__context *context);

#endif
