/* SPDX-License-Identifier: BSD-3-Clause */
/* fork: what remains of the ingress in the child of a process with contexts. See fork.c. */
#ifndef INGRESS_FORK_H
#define INGRESS_FORK_H

#include <stdbool.h>

/* Call it before the first context or inbox. False: no memory, and a fork would go unnoticed. */
bool ingress__fork_ready(void);

/* Whether a signal handler forked this process in the middle of a call. Then the process has no ingress. */
bool ingress__forked_inside(void);

#endif
