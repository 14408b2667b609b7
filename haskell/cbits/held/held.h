/* SPDX-License-Identifier: BSD-3-Clause */
/* Held calls: calls of C that keep their Capability until another thread wants it; see held.c. */
#ifndef FERRY_HASKELL_HELD_H
#define FERRY_HASKELL_HELD_H

#include <stdbool.h>

/*
 * Give up the Capability that would keep the calling thread from taking one: its own, when it is in a held call, or
 * that of the thread for whose parallel region it works. Called before every callback into Haskell.
 */
void ferry_held_yield(void);

/*
 * The calling thread begins, or ends, to run a batch with its Capability held. No other thread can retake that: the
 * thread's Haskell state is not saved.
 */
void ferry_held_batch(bool begins);

/*
 * The record of the calling thread's held call or batch, NULL outside of both. A thread that has one counts as busy
 * already, with or without its Capability.
 */
void *ferry_held_current(void);

#endif /* FERRY_HASKELL_HELD_H */
