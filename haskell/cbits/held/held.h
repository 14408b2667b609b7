/* SPDX-License-Identifier: BSD-3-Clause */
/* Held calls: calls of C functions that keep their Capability until another thread wants it; see held.c. */
#ifndef FERRY_HASKELL_HELD_H
#define FERRY_HASKELL_HELD_H

struct ferry_held_owner;

/*
 * Called before every callback into Haskell, which has to take a Capability: give up the one for which it might wait
 * for ever. That is the caller's own, if it is in a held call, or that of the thread for whose parallel region the
 * caller works.
 */
void ferry_held_yield(void);

/*
 * The calling thread as the owner of a held call, NULL outside of one. A thread that is in one counts as busy already,
 * with or without its Capability.
 */
struct ferry_held_owner *ferry_held_current(void);

#endif /* FERRY_HASKELL_HELD_H */
