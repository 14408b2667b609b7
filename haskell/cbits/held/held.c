/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Held calls: Haskell calls a C function and keeps its Capability until another thread wants it, which then *retakes*
 * it. The Capability is held like a biased lock: its owner takes and leaves it by plain loads and stores, and the
 * thread that revokes it pays for both (retake.c).
 *
 * A Capability is GHC's right to run Haskell code, of which a program has one for each processor. GHC's runtime system
 * gives it up by suspendThread, which returns a *token*, and takes one again by resumeThread, which is given the token.
 * A call that keeps its Capability has no token.
 *
 * A `safe` call gives the Capability up and takes it back. That costs as much as some calls take, and more where other
 * threads wait for the Capability. An `unsafe` call keeps it, and each thread that wants it, or a garbage collection,
 * waits for the end of the call. A held call keeps it as well, but lets other threads take it away. A short one costs
 * some plain loads and stores. A long one loses its Capability: within some microseconds to a collection or to a
 * Haskell thread that wants it (wanted.c), and otherwise to the monitor 4 to 8 ms after its beginning. At its end it
 * then waits for a Capability, as a `safe` call does. An adaptive batch (batch/adaptive.c) is a held call that runs
 * several calls, and itself looks between two of them whether its Capability is wanted.
 *
 *	what the calling thread does			where
 *	yields first, if the Haskell thread was asked	cmm/held.cmm, which calls ferry_held_must_stop below,
 *	to or its time slice is over			which asks time_slice/time_slice.c
 *	saves the Haskell thread's state		cmm/held.cmm
 *	publishes the call's record, by which other	call.h; retake.h, monitor.h
 *	threads know of it; wakes the monitor
 *	calls the function				ferry_held_call below
 *	  meanwhile another thread may retake		monitor.c and wanted.c decide when; retake.c says how
 *	takes its Capability, or waits for the token	call.h; retake.h, retake.c
 *	resumes the Haskell thread, if there is a token	cmm/held.cmm
 *
 * A caller has to keep the rules of a `safe` call. The collector may move heap objects meanwhile, so `argument` points
 * to pinned memory or to C's memory: an object that moves works in every short test, and breaks in a call of 8 ms. The
 * function has to return: longjmp, an exception of C++ or pthread_exit past ferry_held_call would leave its owner with
 * a record on a stack that is gone. The function may call back into Haskell, from its own thread or from a worker of a
 * parallel region that it opened (callback.c).
 *
 * What may go wrong: two threads want the same Capability (retake.c), or no monitor looks (monitor.c).
 * haskell/tests/Ferry/HeldSpec.hs tests both, above all by its storms, in the suites `threaded` and `pressed`; in the
 * suite `debug` no call keeps its Capability. What may be changed: the functions that only prepare a call
 * (ferry_held_begin_slowly here, ferry_held_introduce in retake.c). What may not: the order of the steps of
 * ferry_held_begin and ferry_held_end (call.h) and of ferry_held_publish (retake.h), which retake.c draws.
 */
/* Cabal compiles C with -O1, with which a call takes 1 ns longer because arguments go through memory. */
#pragma GCC optimize("O2", "no-tree-slp-vectorize")

#include <errno.h>
#include <stddef.h>

#include "Rts.h"

#include "capability/fields.h"
#include "held/call.h"
#include "held/held.h"
#include "held/layout.h"
#include "held/monitor.h"
#include "held/openmp.h"
#include "held/retake.h"
#include "time_slice/short_calls.h"
#include "time_slice/time_slice.h"

struct ferry_held_owner *ferry_held_current(void)
{
	struct ferry_held_owner *own = ferry_held_own;

	return ferry_held_innermost(own) ? own : NULL;
}

void ferry_held_yield(void)
{
	struct ferry_held_owner *own = ferry_held_own;
	struct ferry_held_call *call = ferry_held_innermost(own);

	if (call) {
		if (ferry_held_take(own, call))
			ferry_held_give_up(own, call);
		/*
		 * The calling thread takes a Capability next (rts_lock), and may do so only when this one is given up.
		 */
		ferry_held_await_token(call);
	} else if ((own = ferry_openmp_registered->held())) {
		/* `own` is now the owner of the held call that opened the region this worker is in. */
		ferry_held_retake(own);
	}
}

/*
 * Whether the Haskell thread has to go to the scheduler before its call, because it was asked to or its time slice is
 * over. To ask a thread to stop, GHC sets its heap limit (HpLim) to 0. cmm/held.cmm calls this and ferry_held_call, so
 * no header declares them.
 */
StgWord ferry_held_must_stop(StgRegTable *base);
StgWord ferry_held_must_stop(StgRegTable *base)
{
	if (!__atomic_load_n((void **)&base->rHpLim, __ATOMIC_RELAXED))
		return 1;
	return ferry_held_is_possible() && ferry_time_slice_is_over(ferry_capability_of(base));
}

__attribute__((noinline)) void ferry_held_end_slowly(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	int saved = errno;

	if (!ferry_held_take(own, call)) {
		own->token = ferry_held_await_token(call);
		ferry_held_resumed();
	}
	own->innermost = call->outer;
	/* a record that is own->first is the next call's too, which begins with this state */
	atomic_store_explicit(&call->state, FERRY_HELD, memory_order_relaxed);
	errno = saved;
}

__attribute__((noinline)) void ferry_held_end_first_slowly(struct ferry_held_owner *own)
{
	ferry_held_end_slowly(own, &own->first);
}

__attribute__((noinline)) void ferry_held_begin_slowly(struct ferry_held_owner *own, struct ferry_held_call *call,
						       StgRegTable *base, bool has_row, uint32_t state)
{
	if (has_row && ferry_held_is_possible()) {
		if (state != FERRY_MONITOR_AWAKE)
			ferry_monitor_start(state);
		if (ferry_held_is_asking(own, base)) {
			/* this call may block, or be one of many short ones */
			ferry_monitor_ask();
			ferry_short_calls_end_slice(ferry_capability_of(base));
		}
	} else if (ferry_held_take(own, call)) {
		/* no thread could retake this call: the owner gives its Capability up now, as a `safe` call does */
		ferry_held_give_up(own, call);
	}
}

/*
 * Call function(argument), a function that may open parallel regions (has_slices). cmm/held.cmm has saved the state of
 * its Haskell thread before, and resumes the thread with the token that this function returns, if that is not NULL.
 */
void *ferry_held_call(void (*function)(void *), void *argument, StgRegTable *base);
void *ferry_held_call(void (*function)(void *), void *argument, StgRegTable *base)
{
	struct ferry_held_owner *own = ferry_held_self();
	bool had_slices = atomic_load_explicit(&own->has_slices, memory_order_relaxed);
	struct ferry_held_call call;
	void *token;

	ferry_held_note_saved(base);
	atomic_store_explicit(&own->has_slices, true, memory_order_relaxed);
	ferry_held_begin(own, &call, base);
	function(argument);
	ferry_held_end(own, &call);
	atomic_store_explicit(&own->has_slices, had_slices, memory_order_relaxed);
	token = own->token;
	own->token = NULL;
	return token;
}

/*
 * ---- calls with arguments ------------------------------------------------------------------------------------------
 *
 * cmm/foreign.cmm calls these for Ferry.Foreign. The arguments for the C function come first, so that they are already
 * in the registers in which that function expects them. The calling conventions of x86-64 and aarch64 count words and
 * floating point numbers apart, and a function ignores registers that it has no argument for. So nine functions call
 * every C function that has at most five words and four numbers of one width, whatever the order of its arguments:
 * three for the arguments (words; words and doubles; words and floats), each with three for the result. Any other C
 * function is called through arguments.c.
 *
 * The Haskell thread's state is not saved before the call: that would take half as long as the call itself. Instead Sp
 * and Hp, the two registers that a compiled safe call saves, go into the Capability's register table, and a thread that
 * retakes the Capability does the rest (save_thread_state in retake.c). The function's address comes in that table too,
 * with a bit that says whether the call is interruptible (retake.h). The address is read before the call is published:
 * after that the table may be another thread's.
 */

_Static_assert(offsetof(struct ferry_held_owner, token) == FERRY_OWNER_TOKEN, "the token is not where layout.h says");
_Static_assert(offsetof(struct ferry_held_owner, result) == FERRY_OWNER_RESULT,
	       "the result is not where layout.h says");

#define TYPES_words StgWord, StgWord, StgWord, StgWord, StgWord
#define TYPES_doubles TYPES_words, StgDouble, StgDouble, StgDouble, StgDouble
#define TYPES_floats TYPES_words, StgFloat, StgFloat, StgFloat, StgFloat
#define PARAMETERS_words StgWord a, StgWord b, StgWord c, StgWord d, StgWord e
#define PARAMETERS_doubles PARAMETERS_words, StgDouble p, StgDouble q, StgDouble r, StgDouble s
#define PARAMETERS_floats PARAMETERS_words, StgFloat p, StgFloat q, StgFloat r, StgFloat s
#define ARGUMENTS_words a, b, c, d, e
#define ARGUMENTS_doubles ARGUMENTS_words, p, q, r, s
#define ARGUMENTS_floats ARGUMENTS_doubles

/* The compiler keeps nothing but this pointer across the C function: each register that it saves is one more store. */
#define KEEP_ONLY(pointer) asm("" : "+r"(pointer))

#define CALL(shape, name, member, type)                                                                                \
	struct ferry_held_owner *name(PARAMETERS_##shape, StgRegTable *base);                                          \
	static __attribute__((noinline)) struct ferry_held_owner *name##_slowly(PARAMETERS_##shape, StgRegTable *base, \
										StgWord function)                      \
	{                                                                                                              \
		struct ferry_held_owner *own = ferry_held_self();                                                      \
		struct ferry_held_call own_call;                                                                       \
		struct ferry_held_call *call = ferry_held_begin(own, &own_call, base);                                 \
                                                                                                                       \
		own->result.member =                                                                                   \
			((type(*)(TYPES_##shape))(function & ~FERRY_HELD_INTERRUPTIBLE))(ARGUMENTS_##shape);           \
		ferry_held_end(own, call);                                                                             \
		return own;                                                                                            \
	}                                                                                                              \
	struct ferry_held_owner *name(PARAMETERS_##shape, StgRegTable *base)                                           \
	{                                                                                                              \
		struct ferry_held_owner *own = ferry_held_own;                                                         \
		StgWord function = base->rR1.w;                                                                        \
                                                                                                                       \
		if (__builtin_expect(!ferry_held_begin_ready(own, base), 0))                                           \
			return name##_slowly(ARGUMENTS_##shape, base, function);                                       \
		own->result.member =                                                                                   \
			((type(*)(TYPES_##shape))(function & ~FERRY_HELD_INTERRUPTIBLE))(ARGUMENTS_##shape);           \
		KEEP_ONLY(own);                                                                                        \
		ferry_held_end_ready(own);                                                                             \
		return own;                                                                                            \
	}

#define CALLS(shape)                                                                                                   \
	CALL(shape, ferry_foreign_##shape##_word_held, word, StgWord)                                                  \
	CALL(shape, ferry_foreign_##shape##_double_held, float64, StgDouble)                                           \
	CALL(shape, ferry_foreign_##shape##_float_held, float32, StgFloat)

CALLS(words)
CALLS(doubles)
CALLS(floats)
