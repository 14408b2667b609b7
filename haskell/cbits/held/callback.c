/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Callbacks: C that was called with the Capability held calls a Haskell function.
 *
 * Every way into Haskell begins with rts_lock, which waits for a Capability. The package is linked with
 * --wrap=rts_lock, so that the call arrives here first. If the calling thread is in a held call or in an adaptive
 * batch, or works for the region of such a call, that call gives its Capability up now, which is possible because the
 * state of its Haskell thread is saved or in the record. If that call kept its Capability, the callback might wait for
 * ever for the Capability that its own caller has.
 *
 *	C stack of one OS thread, growing down		record's state	Capability
 *	a held call or an adaptive batch		HELD		held
 *	  a Haskell function, exported: rts_lock	GIVEN_UP	given up, then taken as by any other thread
 *	    Haskell					GIVEN_UP	held
 *	      another held call				its own: HELD	held
 *	  rts_unlock					GIVEN_UP	given up
 *	  the rest of the call, or of the slice		GIVEN_UP	given up
 *
 * This file also refuses callbacks by a team's workers where the runtime system has one OS thread.
 *
 * What may go wrong: a program that GHCi's own linker has put together calls rts_lock itself. A callback from a held
 * call hangs there. Ferry.CallbackSpec tests callbacks from batches, Ferry.ForeignSpec and Ferry.HeldSpec those from
 * calls and regions. What may be changed: the message, and which callbacks are refused. ferry_held_yield must come
 * before __real_rts_lock, and must not return while the calling thread has a Capability.
 */
#include <stdlib.h>

#include "Rts.h"

#include "held/held.h"
#include "held/openmp.h"

Capability *__wrap_rts_lock(void);
/* weak: a linker that was not told to wrap rts_lock makes no such function, and then nobody calls __wrap_rts_lock */
Capability *__real_rts_lock(void) __attribute__((weak));

/*
 * A runtime system with one OS thread for Haskell lets in every thread that calls it, and breaks when two threads are
 * in it. The threads of a parallel region run at the same time, so only the region's primary thread may call Haskell.
 */
static void refuse_workers(void)
{
	if (!ferry_openmp_registered->is_worker())
		return;
	errorBelch("ferry: a thread of an OpenMP team called back into Haskell, which needs the threaded runtime "
		   "system: add -threaded to the program's ghc-options");
	stg_exit(EXIT_FAILURE);
}

Capability *__wrap_rts_lock(void)
{
	if (!rtsSupportsBoundThreads())
		refuse_workers();
	ferry_held_yield();
	return __real_rts_lock();
}
