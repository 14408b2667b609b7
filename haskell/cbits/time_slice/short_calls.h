/* SPDX-License-Identifier: BSD-3-Clause */
/* Shorter time slices for a Haskell thread that makes one short held call after the other; see short_calls.c. */
#ifndef FERRY_HASKELL_SHORT_CALLS_H
#define FERRY_HASKELL_SHORT_CALLS_H

#include "Rts.h"

/*
 * Called by a thread in a held call, while Haskell threads wait in its Capability's run queue: unless it was kept
 * waiting just before, ask it to go to the end of that queue when it is back from its call (cmm/yield.h).
 */
void ferry_short_calls_end_slice(const char *capability);

/*
 * Called by Cmm code before its Haskell thread goes to the scheduler because it was asked to, and when it runs again.
 * The first returns what the second is given: the time, in nanoseconds.
 */
StgWord ferry_short_calls_yields(void);
void ferry_short_calls_yielded(StgRegTable *base, StgWord since_ns);

#endif /* FERRY_HASKELL_SHORT_CALLS_H */
