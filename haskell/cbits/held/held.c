/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Held calls: Haskell calls a C function and keeps the Capability until another thread wants it, which then *retakes*
 * it.
 *
 * A `safe` call gives the Capability up and takes it back. That costs as much as some calls take, and more where other
 * threads wait for the Capability. An `unsafe` call keeps it, and whoever wants it, or a garbage collection, waits for
 * the end of the call. A held call keeps it as well, but lets other threads take it away. A short one costs one
 * exchange and one compare and exchange. A long one loses its Capability to the monitor: 0 to 4 ms after somebody wants
 * it, 4 to 8 ms after its beginning if nobody does. At its end it then waits for a Capability, as a `safe` call does.
 *
 *	step						file
 *	yields first, if it was asked to, or if its	cmm/held.cmm: ferry_held_must_stop below, which asks
 *	time slice is over				time_slice/time_slice.c
 *	saves the Haskell thread's state		cmm/held.cmm
 *	publishes the call's record, wakes the monitor	ferry_held_call below; retake.h, monitor.h
 *	calls the function				ferry_held_call
 *	  meanwhile another thread may retake		monitor.c, which decides when; retake.c, which says how
 *	takes its Capability, or waits for the token	ferry_held_call; retake.h, retake.c
 *	resumes the Haskell thread, if there is a token	cmm/held.cmm
 *
 * What a caller keeps to is what holds for a `safe` call. The collector may move heap objects meanwhile, so `argument`
 * points to pinned memory or to C's: an object that moves works in every short test, and breaks in a call of 8 ms. The
 * function returns: longjmp, an exception of C++ or pthread_exit past ferry_held_call would leave a record in the table
 * whose stack is gone. It may call back into Haskell, from its own thread or from a worker of a parallel region that it
 * opened. Every callback begins with rts_lock, for which the linker puts batch/checked.c; that calls ferry_held_yield.
 * Without it the callback would wait for ever for a Capability that its own caller holds.
 *
 * What may go wrong is in retake.c (two threads want one record) and monitor.c (nobody looks). What tests it:
 * haskell/tests/Ferry/HeldSpec.hs, above all its storms, in the suites `threaded` and `pressed`. In the suite `debug`
 * no call keeps its Capability.
 */
#include "Rts.h"

#include <ferry/openmp_coscheduler.h>

#include "capability/fields.h"
#include "held/held.h"
#include "held/monitor.h"
#include "held/retake.h"
#include "time_slice/time_slice.h"

/* What stands for a batch that holds the Capability: as a record it says that there is nothing left to retake. */
static struct ferry_held_call batch = { .state = FERRY_GIVEN_UP };
static __thread bool is_in_batch;

void *ferry_held_current(void)
{
	return is_in_batch ? &batch : ferry_held_own;
}

void ferry_held_batch(bool begins)
{
	is_in_batch = begins;
}

void ferry_held_yield(void)
{
	struct ferry_held_call *call;

	if (ferry_held_own) {
		ferry_held_retake(ferry_held_own);
		/* This thread may take a Capability only when it does not have this one any more. */
		ferry_held_await_token(ferry_held_own);
	} else if (ferry_held_is_any() && (call = ferryomp_coscheduler_held())) {
		/* Of the region that this worker is in: its record stays until the worker has left the region. */
		ferry_held_retake(call);
	}
}

/* Whether the Haskell thread is to go to the scheduler before its call: it was asked to, or its time slice is over. */
StgWord ferry_held_must_stop(StgRegTable *base);
StgWord ferry_held_must_stop(StgRegTable *base)
{
	if (!__atomic_load_n((void **)&base->rHpLim, __ATOMIC_RELAXED))
		return 1;
	return ferry_held_is_possible() && ferry_time_slice_is_over(ferry_capability_of(base));
}

static void hold(struct ferry_held_call *call)
{
	ferry_held_publish(call);
	ferry_monitor_wake();
}

/*
 * Call function(argument). cmm/held.cmm has saved the state of its Haskell thread, and resumes with the token that this
 * returns, if it is not NULL.
 */
void *ferry_held_call(void (*function)(void *), void *argument, StgRegTable *base);
void *ferry_held_call(void (*function)(void *), void *argument, StgRegTable *base)
{
	struct ferry_held_call call = { .outer = ferry_held_own, .base = base };
	void *token;

	call.number = ferry_capability_head(ferry_capability_of(base))->no;
	if (ferry_held_is_possible() && call.number < FERRY_CAPABILITIES_MAX)
		hold(&call);
	else
		ferry_held_give_up(&call);
	ferry_held_own = &call;
	function(argument);
	ferry_held_own = call.outer;
	if (!ferry_held_is_given_up(&call) && ferry_held_take(call.number, &call))
		return NULL;
	token = ferry_held_await_token(&call);
	ferry_held_resumed();
	return token;
}
