/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a held call begins and ends: what held.c (a function) and batch/adaptive.c (a batch) do before and after it. Both
 * are inlined where nothing is to be done but some loads and stores; retake.c says why these are enough.
 */
#ifndef FERRY_HASKELL_CALL_H
#define FERRY_HASKELL_CALL_H

#include "Rts.h"

#include "capability/fields.h"
#include "held/monitor.h"
#include "held/retake.h"

/*
 * Call this after the publication if the monitor is not awake, if Haskell threads wait, or if the Capability has no
 * row. It gives the Capability up where the call cannot be held: the Capability has no row, or this runtime system's
 * calls are not held.
 */
void ferry_held_begin_slowly(struct ferry_held_owner *own, struct ferry_held_call *call, StgRegTable *base,
			     bool has_row, uint32_t state);

/*
 * Call this if another thread has taken the Capability of `call`, the innermost one, or has claimed it. The function
 * leaves the token, if there is one, in own->token.
 */
void ferry_held_end_slowly(struct ferry_held_owner *own, struct ferry_held_call *call);
/* The same for own->first, which a caller need not keep in a register while the C function runs. */
void ferry_held_end_first_slowly(struct ferry_held_owner *own);

/*
 * relaxed: the compiler keeps this load behind a publication, and the monitor's membarrier makes the processor keep it
 * there (monitor.c)
 */
static inline bool ferry_held_is_monitored(void)
{
	return atomic_load_explicit(&ferry_monitor_state, memory_order_relaxed) == FERRY_MONITOR_AWAKE;
}

/* While threads wait and the monitor has been asked, the owner looks at the clock at one call in so many. */
#define FERRY_HELD_LOOK_CALLS 8u

/*
 * Whether the owner is to see to the Haskell threads in the run queue, after the publication: there are some, and
 * nobody has asked the monitor for an early look, or the owner has made some calls since.
 */
static inline bool ferry_held_is_asking(const struct ferry_held_owner *own, StgRegTable *base)
{
	return ferry_capability_is_queued(ferry_capability_of(base)) &&
	       (atomic_load_explicit(&ferry_monitor_early, memory_order_relaxed) != FERRY_EARLY_ASKED ||
		atomic_load_explicit(&own->calls, memory_order_relaxed) % FERRY_HELD_LOOK_CALLS == 0) &&
	       !atomic_load_explicit(&own->has_slices, memory_order_relaxed);
}

/*
 * Publish a call, unless ferry_held_begin_ready has published one: then that call's record is returned. *has_row says
 * whether the Capability has a row.
 */
static inline struct ferry_held_call *ferry_held_open(struct ferry_held_owner *own, struct ferry_held_call *call,
						      StgRegTable *base, bool *has_row)
{
	struct ferry_held_call *begun = own->begun;

	*has_row = begun || ferry_held_is_introduced(own, base) || ferry_held_introduce(own, base);
	own->begun = NULL;
	if (begun)
		return begun;
	ferry_held_publish(own, call);
	return call;
}

/*
 * From here on the call is held, or has given its Capability up already where calls are not held. Returns the call's
 * record, which may be another record than `call`.
 */
static inline struct ferry_held_call *ferry_held_begin(struct ferry_held_owner *own, struct ferry_held_call *call,
						       StgRegTable *base)
{
	bool has_row;
	uint32_t state;

	call = ferry_held_open(own, call, base, &has_row);
	state = atomic_load_explicit(&ferry_monitor_state, memory_order_relaxed);
	if (__builtin_expect(state != FERRY_MONITOR_AWAKE || !has_row || ferry_held_is_asking(own, base), 0))
		ferry_held_begin_slowly(own, call, base, has_row, state);
	return call;
}

/*
 * The same, for the usual case in which nothing is left to do: this calls no function and is part of its caller,
 * whatever the compiler thinks of its size, so the arguments of the C function stay in their registers. True: the
 * call's record is own->first, and ferry_held_end_ready ends it. False: something is left to do, and the caller has to
 * call a function that calls ferry_held_begin, which finds the record if this function has published it.
 *
 * What a short call costs is above all its stores, so this makes two. On an AMD EPYC VM ten stores and twenty other
 * instructions fewer made a call of 8.2 ns one of 6.0; a dozen moves between registers fewer alone, 0.1 ns.
 */
static inline __attribute__((always_inline)) bool ferry_held_begin_ready(struct ferry_held_owner *own,
									 StgRegTable *base)
{
	if (__builtin_expect(!ferry_held_is_introduced(own, base), 0) ||
	    __builtin_expect(!ferry_held_is_outermost(own), 0))
		return false;
	ferry_held_publish_ready(own, &own->first);
	if (__builtin_expect(ferry_held_is_monitored() && !ferry_capability_is_queued(ferry_capability_of(base)), 1))
		return true;
	own->begun = &own->first;
	return false;
}

/*
 * The first steps of a call's end, those of ferry_held_take. Whether the owner has its Capability without further ones,
 * which are in ferry_held_end_slowly.
 */
static inline bool ferry_held_is_kept(struct ferry_held_owner *own, const struct ferry_held_call *call)
{
	atomic_store_explicit(&own->call, NULL, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	/* acquire: a thread that has taken the Capability has written `state` before `claim` */
	return __builtin_expect(atomic_load_explicit(&own->claim, memory_order_acquire) == FERRY_UNCLAIMED, 1) &&
	       __builtin_expect(atomic_load_explicit(&call->state, memory_order_relaxed) == FERRY_HELD, 1);
}

/* The C function has returned. This leaves in own->token what the Haskell thread resumes with, if there is a token. */
static inline void ferry_held_end(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	if (ferry_held_is_kept(own, call))
		own->innermost = call->outer;
	else
		ferry_held_end_slowly(own, call);
}

/* The same for a call that ferry_held_begin_ready has begun. */
static inline void ferry_held_end_ready(struct ferry_held_owner *own)
{
	if (!ferry_held_is_kept(own, &own->first))
		ferry_held_end_first_slowly(own);
}

#endif /* FERRY_HASKELL_CALL_H */
