/* SPDX-License-Identifier: BSD-3-Clause */
/* See process.h. */
#include "ingress/self/process.h"

#include <unistd.h>

_Atomic uint32_t ingress__forks;

void ingress__child_ends(void)
{
	/* not exit(): the buffered output and the exit handlers are the parent's */
	_exit(0);
}
