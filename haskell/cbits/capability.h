/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields of a Capability that GHC's headers do not give: where they are in GHC 9.0.2 and 9.10.3, both of which have
 * them between fields that the headers do give. The assertions fail when something was put between.
 *
 * All are read without the Capability's lock, and may be old the next moment.
 */
#ifndef FERRY_HASKELL_CAPABILITY_H
#define FERRY_HASKELL_CAPABILITY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "Rts.h"
#include "DerivedConstants.h"

/* struct Capability_ of rts/Capability.h from `no` to before `mut_lists` */
struct ferry_capability_head {
	uint32_t no;
	uint32_t node;
	void *running_task;
	bool in_haskell;
	uint32_t idle;
	bool disabled;
	void *run_queue_hd;
	void *run_queue_tl;
	uint32_t n_run_queue;
	void *suspended_ccalls;
	uint32_t n_suspended_ccalls;
};

_Static_assert(
	sizeof(struct ferry_capability_head) == OFFSET_Capability_mut_lists - OFFSET_Capability_no,
	"ferry does not know this GHC's struct Capability_: compare ferry_capability_head with its rts/Capability.h");

static inline const struct ferry_capability_head *ferry_capability_head(const char *capability)
{
	return (const struct ferry_capability_head *)(capability + OFFSET_Capability_no);
}

/* The same from `lock` to before `sparks`; in the runtime system with threads only. */
struct ferry_capability_queues {
	pthread_mutex_t lock;
	void *returning_tasks_hd;
	void *returning_tasks_tl;
	uint32_t n_returning_tasks;
	void *inbox;
	void *putMVars;
};

_Static_assert(
	sizeof(struct ferry_capability_queues) == OFFSET_Capability_sparks - OFFSET_Capability_lock,
	"ferry does not know this GHC's struct Capability_: compare ferry_capability_queues with its rts/Capability.h");

static inline const struct ferry_capability_queues *ferry_capability_queues(const char *capability)
{
	return (const struct ferry_capability_queues *)(capability + OFFSET_Capability_lock);
}

#endif /* FERRY_HASKELL_CAPABILITY_H */
