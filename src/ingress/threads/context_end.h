/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a context, on its library thread. See context_end.c; destroy.c has the destroyer's side. */
#ifndef INGRESS_CONTEXT_END_H
#define INGRESS_CONTEXT_END_H

#include "ingress/context/context.h"

enum ingress__ending {
	INGRESS__ENDING_WAITS,	 /* the provider has to finish something first */
	INGRESS__ENDING_GOES_ON, /* call ingress__context_end_further() again */
	INGRESS__ENDING_LEAVES,	 /* the context has ended, and this thread has to end too */
};

/* Library thread of a context that is closing: the next step of its end. */
enum ingress__ending ingress__context_end_further(struct ingress__context *context);

#endif
