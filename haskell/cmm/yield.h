/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A crossing that gets its Capability back may find that the runtime system has asked its Haskell thread to stop. Then
 * it goes to the scheduler at once, as the thread's next heap check would.
 *
 * The request is in two places. rHpLim is set to 0, which a heap check sees; and one of two flags is set, which only
 * the scheduler clears. The flags are two words of 32 bits side by side (cbits/capability/fields.h asserts that), so
 * one load sees both. LOAD_THREAD_STATE opens the nursery, which overwrites rHpLim, so the flags say whether there is
 * a request:
 *
 *	this thread                             another thread
 *	                                        collects; gives all Capabilities back
 *	resumeThread returns
 *	                                        asks again: rHpLim = 0, interrupt = 1
 *	LOAD_THREAD_STATE: rHpLim = the end of the block
 *	YIELD_IF_ASKED: interrupt is 1, so to the scheduler
 *
 * Without this the collection would wait until the thread's next block of the nursery, or the next tick: with it 99 of
 * 100 collections waited up to 2 us for a batch of 1 us calls, without it up to 17 us (haskell-gc, AMD EPYC VM, 2
 * cores).
 *
 * A request that is left standing does harm as well. A Haskell loop that does not allocate has no heap check, so
 * nothing clears the flag that the runtime system's tick sets every 20 ms; an adaptive batch looks at it between its
 * slots, and from the first tick on each run of each batch would give its Capability up: 4 ns became 50, and 130 beside
 * other programs.
 *
 * How long the thread has waited there decides when its calls let other threads in again
 * (cbits/time_slice/short_calls.c).
 *
 * Use it only where nothing is left to do with the Capability but to return: after it the thread may run on another
 * Capability, and an asynchronous exception may be raised in it.
 */
#ifndef FERRY_CMM_YIELD_H
#define FERRY_CMM_YIELD_H

#define YIELD()                                                                                                        \
	W_ since;                                                                                                      \
	(since) = ccall ferry_short_calls_yields();                                                                    \
	call stg_yield_noregs();                                                                                       \
	ccall ferry_short_calls_yielded(BaseReg "ptr", since)

#define YIELD_IF_ASKED()                                                                                               \
	if (I64[MyCapability() + OFFSET_Capability_context_switch] != 0 || HpLim == 0) {                               \
		YIELD();                                                                                               \
	}

#endif /* FERRY_CMM_YIELD_H */
