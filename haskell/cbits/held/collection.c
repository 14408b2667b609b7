/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A garbage collection beside held calls: the thread that is about to collect retakes their Capabilities itself.
 *
 * It needs all Capabilities. It asks for them by interruptAllCapabilities, and waits until the Haskell threads that run
 * have stopped. A held call does not hear that while C runs, and the monitor looks only every 4 ms (monitor.c). So the
 * linker leads interruptAllCapabilities through this file (ferry.cabal, --wrap), as it leads rts_lock through
 * callback.c: the thread that has asked looks at the held calls, leaves those to their owners that end within
 * microseconds, and retakes the others (retake.c). Nobody has to be woken for that, and nothing is paid where no
 * collection is made.
 *
 *	owner					thread that collects
 *	looks at rHpLim: nobody asks
 *	call = record
 *	function				interruptAllCapabilities: rHpLim = 0
 *						load: call is not NULL, and so 10 us later
 *						retakes: suspendThread
 *						has all Capabilities, collects
 *	waits for its token
 *	resumeThread
 *
 * An owner that has looked at rHpLim, and publishes its call between the two steps of the other thread, is missed. No
 * barrier excludes that, since it would be one for each collection: the monitor sees the call at its next look.
 *
 * The thread that collects holds no lock of the runtime system there, and has a Capability, so no process is forked by
 * forkProcess meanwhile. The same function is called by interruptStgRts, which may be in a signal's handler, on a
 * thread that has any lock: it has set sched_state before, and then this file does nothing.
 *
 * What may go wrong: a program that is linked with -dynamic has the runtime system's own call of
 * interruptAllCapabilities; a collection waits up to 4 ms there. HeldSpec tests who retakes.
 */
#include "Rts.h"

#include "capability/list.h"
#include "held/retake.h"

void __wrap_interruptAllCapabilities(void);
/* weak: where the linker was not told to wrap it, it makes no such function, and nobody calls the one below */
void __real_interruptAllCapabilities(void) __attribute__((weak));

bool ferry_held_collections_are_led(void)
{
	return &__real_interruptAllCapabilities != NULL;
}

void __wrap_interruptAllCapabilities(void)
{
	__real_interruptAllCapabilities();
	/* relaxed: a runtime system in which no call has been held yet has none to retake */
	if (atomic_load_explicit(&ferry_held_possible, memory_order_relaxed) > 0 && !ferry_runtime_is_ending())
		ferry_held_retake_lasting();
}
