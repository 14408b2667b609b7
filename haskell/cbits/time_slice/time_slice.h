/* SPDX-License-Identifier: BSD-3-Clause */
/* Shorter time slices for Haskell threads while parallel regions are opened; see time_slice.c. */
#ifndef FERRY_HASKELL_TIME_SLICE_H
#define FERRY_HASKELL_TIME_SLICE_H

#include <stdbool.h>

/*
 * Called by the Haskell thread that is about to make a held call, and so has this Capability. True: the thread has to
 * go to the scheduler first, because another thread is to run (cmm/held.cmm yields then). Each call checks this
 * Capability and one other, which changes their states and may ask the other one's thread to stop; so call it once for
 * each held call.
 */
bool ferry_time_slice_is_over(char *capability);

/*
 * Called by the monitor at each of its looks: end the time slice of the thread that runs on Capability `number`, if the
 * thread has run for long enough. `holds`: a held call has the Capability. Returns whether another thread waits for it.
 */
bool ferry_time_slice_look(unsigned number, bool holds);

#endif /* FERRY_HASKELL_TIME_SLICE_H */
