/* SPDX-License-Identifier: BSD-3-Clause */
/* The monitor: the thread that looks at held calls every few milliseconds; see monitor.c. */
#ifndef FERRY_HASKELL_MONITOR_H
#define FERRY_HASKELL_MONITOR_H

#include <stdatomic.h>

#include <stdint.h>

enum ferry_monitor_state { FERRY_MONITOR_ABSENT, FERRY_MONITOR_AWAKE, FERRY_MONITOR_ASLEEP };

/* An enum ferry_monitor_state. */
extern _Atomic uint32_t ferry_monitor_state;

/*
 * Start the monitor, or wake it; `state` is what the caller has read, and is not AWAKE. If the system refuses a thread
 * for it, all calls are retaken.
 */
void ferry_monitor_start(uint32_t state);

/*
 * Whether an owner has asked the monitor for an early look: a look between two regular looks, at calls that keep
 * Haskell threads waiting. An owner that asks stores ASKED.
 */
enum ferry_early_look {
	/* An owner that asks is heard at once: it wakes the monitor. */
	FERRY_EARLY_HEARD,
	FERRY_EARLY_ASKED,
	/* An owner that asks is heard later, because the monitor has looked early just now. */
	FERRY_EARLY_LATER,
};

extern _Atomic uint32_t ferry_monitor_early;

/* An owner that has published its call calls this while Haskell threads wait for the call's Capability. */
void ferry_monitor_ask(void);

/*
 * The thread that opens a parallel region calls this, whether or not it holds a Capability: the monitor has to be
 * awake.
 */
void ferry_monitor_region_opens(void);

#endif /* FERRY_HASKELL_MONITOR_H */
