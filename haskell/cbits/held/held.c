/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Held calls: Haskell calls a C function and keeps the Capability until another thread wants it, which then *retakes*
 * it.
 *
 * A `safe` call gives the Capability up and takes it back. That costs as much as some calls take, and more where other
 * threads wait for the Capability. An `unsafe` call keeps it, and whoever wants it, or a garbage collection, waits for
 * the end of the call. A held call keeps it as well, but lets other threads take it away. A short one costs some
 * plain loads and stores. A long one loses its Capability to the monitor: 0 to 4 ms after somebody wants
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
/* Cabal has C compiled with -O1, by which a call takes 1 ns more: arguments go through memory. */
#pragma GCC optimize("O2", "no-tree-slp-vectorize")

#include <errno.h>
#include <stddef.h>

#include "Rts.h"

#include <ferry/openmp_coscheduler.h>

#include "capability/fields.h"
#include "held/held.h"
#include "held/layout.h"
#include "held/monitor.h"
#include "held/retake.h"
#include "time_slice/time_slice.h"

/* What stands for a batch that holds the Capability: as a record it says that there is nothing left to retake. */
static struct ferry_held_call batch = { .state = FERRY_GIVEN_UP };
static __thread bool is_in_batch;

void *ferry_held_current(void)
{
	return is_in_batch ? &batch : ferry_held_own ? ferry_held_own->innermost : NULL;
}

void ferry_held_batch(bool begins)
{
	is_in_batch = begins;
}

void ferry_held_yield(void)
{
	struct ferry_held_owner *own = ferry_held_own;
	struct ferry_held_call *call = own ? own->innermost : NULL;

	if (call) {
		if (ferry_held_take(own, call))
			ferry_held_give_up(own, call);
		/* This thread may take a Capability only when it does not have this one any more. */
		ferry_held_await_token(call);
	} else if ((call = ferryomp_coscheduler_held())) {
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

static unsigned number_of(const StgRegTable *base)
{
	return ferry_capability_head((const char *)base - OFFSET_Capability_r)->no;
}

/* relaxed: the compiler keeps its order after a publication, and membarrier the processor's (monitor.c) */
static bool is_monitored(void)
{
	return atomic_load_explicit(&ferry_monitor_state, memory_order_relaxed) == FERRY_MONITOR_AWAKE;
}

static void end_slowly(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	int saved = errno;

	own->token = ferry_held_await_token(call);
	ferry_held_resumed();
	errno = saved;
}

/* The monitor is not awake or does not see this Capability, or this runtime system's calls are not held. */
static __attribute__((noinline)) void begin_slowly(struct ferry_held_owner *own, struct ferry_held_call *call,
						   bool is_seen, uint32_t state)
{
	if (is_seen && ferry_held_is_possible())
		ferry_monitor_start(state);
	else if (ferry_held_take(own, call))
		ferry_held_give_up(own, call);
}

/* From here on the call is held. */
static inline void begin(struct ferry_held_owner *own, struct ferry_held_call *call, StgRegTable *base)
{
	unsigned number = number_of(base);
	bool is_seen = number < FERRY_CAPABILITIES_MAX;
	uint32_t state;

	if (is_seen && !ferry_held_is_introduced(own, number))
		ferry_held_introduce(own, base, number);
	ferry_held_publish(own, call, base);
	state = atomic_load_explicit(&ferry_monitor_state, memory_order_relaxed);
	if (__builtin_expect(state != FERRY_MONITOR_AWAKE || !is_seen, 0))
		begin_slowly(own, call, is_seen, state);
}

/*
 * The same where nothing is to be done first, as nearly always: no function is called, so that the arguments stay in
 * their registers. False where something is, and the call is not held then.
 */
static inline bool begin_ready(struct ferry_held_owner *own, struct ferry_held_call *call, StgRegTable *base)
{
	unsigned number = number_of(base);

	if (!own || number >= FERRY_CAPABILITIES_MAX || !ferry_held_is_introduced(own, number) || !is_monitored())
		return false;
	ferry_held_publish(own, call, base);
	if (__builtin_expect(is_monitored(), 1) || !ferry_held_take(own, call))
		return true;
	own->innermost = call->outer;
	return false;
}

/*
 * The function has returned: leaves in own->token what the Haskell thread resumes with, if there is something. `outer`
 * is what call->outer says: from a register, it does not wait for the store before the call.
 */
static inline void end(struct ferry_held_owner *own, struct ferry_held_call *call, struct ferry_held_call *outer)
{
	own->innermost = outer;
	if (__builtin_expect(!ferry_held_take(own, call), 0))
		end_slowly(own, call);
}

/*
 * Call function(argument). cmm/held.cmm has saved the state of its Haskell thread, and resumes with the token that this
 * returns, if it is not NULL.
 */
void *ferry_held_call(void (*function)(void *), void *argument, StgRegTable *base);
void *ferry_held_call(void (*function)(void *), void *argument, StgRegTable *base)
{
	struct ferry_held_owner *own = ferry_held_self();
	struct ferry_held_call *outer = own->innermost;
	struct ferry_held_call call;
	void *token;

	call.hp = NULL;
	call.function = 0;
	begin(own, &call, base);
	function(argument);
	end(own, &call, outer);
	token = own->token;
	own->token = NULL;
	return token;
}

/* ---- calls with arguments ------------------------------------------------------------------------------------------
 *
 * The functions of cmm/foreign.cmm call these. The arguments of the function come first, so that they are in the
 * registers already that the function wants them in. Words and floating point numbers are counted apart by the calling
 * conventions of x86-64 and aarch64, so a function takes what it needs from registers that hold more than that:
 * everything that has no more than five words and four numbers of one width is called by one of nine functions,
 * whatever the order of its arguments. What does not fit goes through arguments.c.
 *
 * The Haskell thread's state is not saved before the call, which would cost half of what the call takes: Sp and Hp, the
 * two registers that a compiled safe call saves, go into the record, and a thread that takes the Capability does the
 * rest (save_thread_state in retake.c).
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

#define CALL(shape, name, member, type)                                                                                \
	struct ferry_held_owner *name(PARAMETERS_##shape, StgWord function, StgRegTable *base, StgPtr sp, StgPtr hp);  \
	static __attribute__((noinline)) struct ferry_held_owner *name##_slowly(PARAMETERS_##shape, StgWord function,  \
										StgRegTable *base, StgPtr sp,          \
										StgPtr hp)                             \
	{                                                                                                              \
		struct ferry_held_call call = { .sp = sp, .hp = hp, .function = function };                            \
		struct ferry_held_owner *own = ferry_held_self();                                                      \
		struct ferry_held_call *outer = own->innermost;                                                        \
                                                                                                                       \
		begin(own, &call, base);                                                                               \
		own->result.member =                                                                                   \
			((type(*)(TYPES_##shape))(function & ~FERRY_HELD_INTERRUPTIBLE))(ARGUMENTS_##shape);           \
		end(own, &call, outer);                                                                                \
		return own;                                                                                            \
	}                                                                                                              \
	struct ferry_held_owner *name(PARAMETERS_##shape, StgWord function, StgRegTable *base, StgPtr sp, StgPtr hp)   \
	{                                                                                                              \
		struct ferry_held_owner *own = ferry_held_own;                                                         \
		struct ferry_held_call *outer = own ? own->innermost : NULL;                                           \
		struct ferry_held_call call;                                                                           \
                                                                                                                       \
		call.sp = sp;                                                                                          \
		call.hp = hp;                                                                                          \
		call.function = function;                                                                              \
		if (__builtin_expect(!begin_ready(own, &call, base), 0))                                               \
			return name##_slowly(ARGUMENTS_##shape, function, base, sp, hp);                               \
		own->result.member =                                                                                   \
			((type(*)(TYPES_##shape))(function & ~FERRY_HELD_INTERRUPTIBLE))(ARGUMENTS_##shape);           \
		end(own, &call, outer);                                                                                \
		return own;                                                                                            \
	}

#define CALLS(shape)                                                                                                   \
	CALL(shape, ferry_foreign_##shape##_word_held, word, StgWord)                                                  \
	CALL(shape, ferry_foreign_##shape##_double_held, float64, StgDouble)                                           \
	CALL(shape, ferry_foreign_##shape##_float_held, float32, StgFloat)

CALLS(words)
CALLS(doubles)
CALLS(floats)
