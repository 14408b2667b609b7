/* SPDX-License-Identifier: BSD-3-Clause */
/* The library thread of a context. See library_thread.c. */
#ifndef INGRESS_LIBRARY_THREAD_H
#define INGRESS_LIBRARY_THREAD_H

#include "ingress/context/context.h"

/* The thread's main function; the argument is the context. */
void *ingress__library_thread(void *argument);

#endif
