/* SPDX-License-Identifier: BSD-3-Clause */
/* Held calls: calls of C that keep their Capability until another thread wants it; see held.c. */
#ifndef FERRY_HASKELL_HELD_H
#define FERRY_HASKELL_HELD_H

struct ferry_held_owner;

/*
 * Give up the Capability that would keep the calling thread from taking one: its own, when it is in a held call, or
 * that of the thread for whose parallel region it works. Called before every callback into Haskell.
 */
void ferry_held_yield(void);

/*
 * The calling thread as the owner of a held call, NULL outside of one. A thread that is in one counts as busy already,
 * with or without its Capability.
 */
struct ferry_held_owner *ferry_held_current(void);

#endif /* FERRY_HASKELL_HELD_H */
