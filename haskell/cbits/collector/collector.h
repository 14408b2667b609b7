/* SPDX-License-Identifier: BSD-3-Clause */
/* Collections beside other programs; see collector.c. */
#ifndef FERRY_HASKELL_COLLECTOR_H
#define FERRY_HASKELL_COLLECTOR_H

#include <stdint.h>

/* Called by the monitor at each look: decide whether one thread or several make the next collections. */
void ferry_collector_look(uint64_t now_ns);
/*
 * Called by the monitor before it sleeps, and in the child of a fork: collections are made as the program's options
 * say.
 */
void ferry_collector_forget(void);

#endif /* FERRY_HASKELL_COLLECTOR_H */
