/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that keep their Capability until it is wanted; see held.c. */
#ifndef FERRY_HASKELL_HELD_H
#define FERRY_HASKELL_HELD_H

#include <stdbool.h>

#include "Rts.h"

/* Capabilities with a higher number are given up at the beginning of each call. GHC 9.10 has no more than these. */
#define FERRY_CAPABILITIES_MAX 256

/* The record of the calling thread's call, or NULL when it is in none. With or without Capability it counts as busy. */
void *ferry_held_here(void);

/* A parallel region is opened, with its Capability held or not: the monitor is to be awake. */
void ferry_held_region_opens(void);

/* The calling thread begins, or ends, to run C with its Capability held, in a call that nobody can take it from. */
void ferry_held_fast(bool is_held);

/* How many calls run that have given their Capability up. */
unsigned ferry_held_loose(void);

/* The Capability of this number when it has held a call, or NULL. */
const char *ferry_held_capability(unsigned number);

/*
 * Give up what stands in the way of a thread that is about to take a Capability: its own, when it is in a held call, or
 * that of the thread for whose parallel region it works.
 */
void ferry_held_yield(void);

/* From turns.c, when a region is about to be opened with this Capability held: whether others are to run first. */
bool ferry_turn_is_over(char *capability);

/*
 * From turns.c, at each look of the monitor: end the time slice of the thread that runs on this Capability, which a
 * call `holds` or not. Whether another thread waits.
 */
bool ferry_turn_share(unsigned number, bool holds);

/* From coscheduler.c: not 0 once a parallel region has been opened. Written once, read without order. */
extern uint32_t ferry_regions_opened;

/* From coscheduler.c: Capabilities that run Haskell, and one of them, or NULL when it is not known. */
unsigned ferry_capability_count(void);
const char *ferry_capability(unsigned number);

#endif /* FERRY_HASKELL_HELD_H */
