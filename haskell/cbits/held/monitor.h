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
 * Called when a parallel region is opened, whether or not its opener holds a Capability: the monitor has to be awake.
 */
void ferry_monitor_region_opens(void);

#endif /* FERRY_HASKELL_MONITOR_H */
