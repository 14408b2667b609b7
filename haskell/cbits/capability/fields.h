/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields of a Capability (GHC's struct Capability_), and how a thread that does not have a Capability asks the Haskell
 * thread on it to stop.
 *
 * GHC's headers say where only some of the fields are. The two structs below are the fields between those, as GHC
 * 9.0.2, 9.6.6 and 9.10.3 have them. The assertions fail to compile where these fields take another number of bytes,
 * and ferry_capability_check (list.c) checks their values when a program makes its first held call.
 *
 * All fields are read without the Capability's lock, so a value may be out of date the next moment. Every reader must
 * be correct whatever it reads: these fields may decide what is fast, never what is correct.
 */
#ifndef FERRY_HASKELL_CAPABILITY_FIELDS_H
#define FERRY_HASKELL_CAPABILITY_FIELDS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "Rts.h"

/*
 * DerivedConstants.h has the offsets of fields, for Cmm. It defines three names of Rts.h a second time, with the same
 * values, of which the compiler warns, and GHC writes "error:" before a warning of its C compiler.
 */
#pragma push_macro("BLOCK_SIZE")
#pragma push_macro("MBLOCK_SIZE")
#pragma push_macro("BLOCKS_PER_MBLOCK")
#undef BLOCK_SIZE
#undef MBLOCK_SIZE
#undef BLOCKS_PER_MBLOCK
#include "DerivedConstants.h"
#pragma pop_macro("BLOCK_SIZE")
#pragma pop_macro("MBLOCK_SIZE")
#pragma pop_macro("BLOCKS_PER_MBLOCK")

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

/* struct Capability_ from `lock` to before `sparks`; only the runtime system with threads has these. */
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

/* cmm/yield.h reads both flags by one load */
_Static_assert(OFFSET_Capability_interrupt == OFFSET_Capability_context_switch + 4,
	       "ferry does not know this GHC's struct Capability_: compare cmm/yield.h with its rts/Capability.h");

static inline const struct ferry_capability_queues *ferry_capability_queues(const char *capability)
{
	return (const struct ferry_capability_queues *)(capability + OFFSET_Capability_lock);
}

/* The Capability that has this register table. */
static inline char *ferry_capability_of(StgRegTable *base)
{
	return (char *)base - OFFSET_Capability_r;
}

static inline StgRegTable *ferry_capability_registers(const char *capability)
{
	return (StgRegTable *)(uintptr_t)(capability + OFFSET_Capability_r);
}

/* Whether Haskell threads wait in the Capability's run queue. */
static inline bool ferry_capability_is_queued(const char *capability)
{
	return __atomic_load_n(&ferry_capability_head(capability)->n_run_queue, __ATOMIC_RELAXED);
}

/* Whether Tasks that come back from safe calls wait for the Capability. */
static inline bool ferry_capability_is_returned_to(const char *capability)
{
	return __atomic_load_n(&ferry_capability_queues(capability)->n_returning_tasks, __ATOMIC_RELAXED);
}

/* Whether no thread of the system has the Capability. */
static inline bool ferry_capability_is_free(const char *capability)
{
	return !__atomic_load_n(&ferry_capability_head(capability)->running_task, __ATOMIC_RELAXED);
}

/*
 * The Haskell thread that runs on the Capability; NULL between two threads, and during a collection. Only compare the
 * pointer: the thread may be freed at any time.
 */
static inline StgTSO *ferry_capability_thread(const char *capability)
{
	const char *field = capability + OFFSET_Capability_r + OFFSET_StgRegTable_rCurrentTSO;

	return __atomic_load_n((StgTSO *const *)field, __ATOMIC_RELAXED);
}

/* How the thread that runs on a Capability is asked to stop. */
enum ferry_ask {
	/* The thread goes to the end of the run queue (contextSwitchCapability of the runtime system). */
	FERRY_ASK_SWITCH,
	/*
	 * Returning Tasks and messages are served first, then the thread goes on, before the run queue
	 * (interruptCapability).
	 */
	FERRY_ASK_INTERRUPT,
};

static inline void ferry_capability_ask(const char *capability, enum ferry_ask ask)
{
	StgRegTable *base = ferry_capability_registers(capability);
	size_t flag = ask == FERRY_ASK_SWITCH ? OFFSET_Capability_context_switch : OFFSET_Capability_interrupt;

	/* seq_cst and in this order, as the runtime system writes them */
	__atomic_store_n((void **)&base->rHpLim, NULL, __ATOMIC_SEQ_CST);
	__atomic_store_n((int *)(uintptr_t)(capability + flag), 1, __ATOMIC_SEQ_CST);
}

/*
 * Whether the thread that runs on the Capability has been asked to stop. rHpLim alone does not say so: a thread that
 * gets the Capability back overwrites rHpLim when it opens its nursery, but the flags stay (cmm/yield.h).
 */
static inline bool ferry_capability_is_asked(const char *capability)
{
	return !__atomic_load_n((void **)&ferry_capability_registers(capability)->rHpLim, __ATOMIC_RELAXED) ||
	       __atomic_load_n((const int *)(capability + OFFSET_Capability_context_switch), __ATOMIC_RELAXED) ||
	       __atomic_load_n((const int *)(capability + OFFSET_Capability_interrupt), __ATOMIC_RELAXED);
}

#endif /* FERRY_HASKELL_CAPABILITY_FIELDS_H */
