/* SPDX-License-Identifier: BSD-3-Clause */
/* The Capabilities of GHC's runtime system, found by their numbers; see list.c. */
#ifndef FERRY_HASKELL_CAPABILITY_LIST_H
#define FERRY_HASKELL_CAPABILITY_LIST_H

#include <stdbool.h>

/* Capabilities with a higher number are unknown here. GHC 9.10 has no more than these. */
#define FERRY_CAPABILITIES_MAX 256

/* Whether the runtime system is up: after hs_init, and before hs_exit begins. */
bool ferry_runtime_is_up(void);

/* Whether hs_exit or a signal has told the runtime system to end, or that cannot be known. */
bool ferry_runtime_is_ending(void);

/* How many Capabilities run Haskell, at most FERRY_CAPABILITIES_MAX; 0 while the runtime system is not up. */
unsigned ferry_capability_count(void);

/* The Capability of that number, which is below ferry_capability_count(), or NULL when it is not known. */
const char *ferry_capability(unsigned number);

/*
 * Check the fields of a Capability (fields.h) against what must be true while the calling thread has it and runs
 * Haskell; end the program if they differ. Called at every Capability's first held call.
 */
void ferry_capability_check(const char *capability);

/*
 * End the program. `what` says in what the runtime system differs from the versions that the package was tested with.
 */
_Noreturn void ferry_capability_is_strange(const char *what);

/* Remember where a Capability is. Called by a thread that has it. */
void ferry_capability_note(unsigned number, const char *capability);

#endif /* FERRY_HASKELL_CAPABILITY_LIST_H */
