/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that want the Capability of a held call retake it themselves, and wait for no look of the monitor.
 *
 * A held call does not hear that its Capability is wanted while C runs, and the monitor looks only every 4 ms
 * (monitor.c). But nearly every thread that wants a Capability calls one of three functions of the runtime system. The
 * linker leads calls of these functions through this file (ferry.cabal, --wrap), as it leads calls of rts_lock through
 * callback.c:
 *
 *	function			called by a thread that				held calls that it looks at
 *	interruptAllCapabilities	is about to collect, and has asked for all	all
 *	waitForCapability, given one	comes back from a safe call, or needs every	the one on that Capability
 *					Capability (setNumCapabilities, forkProcess)
 *	waitForCapability, given NULL	calls Haskell from C, with any Capability	all, unless a Capability is free
 *	sendMessage			wakes a Haskell thread of another Capability,	the one on the other Capability
 *					or throws to it, and has asked for that one
 *
 * The thread leaves these calls LASTING_NS to end, and then retakes each of them that goes on (retake.c). No other
 * thread has to wake up for that.
 *
 * Each safe call of the program passes waitForCapability when it comes back. Nearly always its Capability is free then,
 * and no held call has it: the two fields that say so are those that the runtime system reads next anyway.
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
 * The other thread misses an owner that has looked at rHpLim before the first step of that thread and publishes its
 * call after the second. A barrier would exclude that, but each collection would have to make one. Instead the monitor
 * sees the call at its next look. tests/haskell/model/retake.pml has the thread that collects, and shows that it must
 * ask before it looks.
 *
 * A thread that makes one short call after the other is never in one that lasts. So a thread that comes back from a
 * safe call also asks that one to let it in between two calls (ask_between_calls; time_slice/short_calls.c has the
 * rest).
 *
 * A Haskell thread that waits in the run queue when a call begins passes none of the three. The owner sees that thread,
 * and asks the monitor for an early look (monitor.c), which ferry_held_look_early() makes. Neither the early look nor
 * the last three rows of the table apply to calls of Ferry.OpenMP (has_slices): a region that lost its Capability to
 * every thread that wakes up would wait for a Capability at its end. time_slice.c serves the waiting threads there.
 *
 * Locks. A thread that calls one of the three holds no lock of the runtime system but those of closures: of an MVar,
 * for one, when it wakes a thread. Retaking takes the locks of a Capability and of a Task and suspends a Haskell
 * thread, which may lock the thunks that the suspended thread evaluates; no thread wakes another one while it has a
 * thunk locked. interruptStgRts calls interruptAllCapabilities as well. It may run in a signal handler, on a thread
 * that has any of these locks; but it has set sched_state before (ferry_runtime_is_ending), and then this file does
 * nothing.
 *
 * What may go wrong: in a program that is linked with -dynamic, the runtime system's own calls of these functions lie
 * inside its shared library and do not come through this file; the threads that make them wait for the monitor.
 * HeldSpec and WantedSpec test which thread retakes. What may be changed: LASTING_NS and EARLY_NS; and the questions
 * that come before the loads of a row, as long as a thread that finds a held call on the Capability that it wants
 * retakes that call. What may not: a thread asks for the Capability before it looks at the calls.
 */
/* as in held.c: Cabal has C compiled with -O1 */
#pragma GCC optimize("O2")

#include <time.h>

#include "Rts.h"

#include "capability/fields.h"
#include "capability/list.h"
#include "held/retake.h"

#include "thread/clock.h"
#include "thread/spin.h"

enum {
	/* How long a thread waits for calls to end before it retakes them: about as long as retaking takes. */
	LASTING_NS = 10000,
	/*
	 * How long the monitor sleeps between the two halves of an early look. The kernel makes the sleep about twice
	 * as long.
	 */
	EARLY_NS = 50000,
};

void __wrap_interruptAllCapabilities(void);
void __wrap_waitForCapability(Capability **capability, void *task);
void __wrap_sendMessage(Capability *from, Capability *to, void *message);
/*
 * weak: a linker that was not told to wrap these functions makes none of these names, and then nobody calls the three
 * functions above
 */
void __real_interruptAllCapabilities(void) __attribute__((weak));
void __real_waitForCapability(Capability **capability, void *task) __attribute__((weak));
void __real_sendMessage(Capability *from, Capability *to, void *message) __attribute__((weak));

/*
 * Whether the call that an owner is in goes on until until_ns. relaxed: this may miss a call that is published just
 * now; and if the call has just ended, the owner's next call may be retaken in its place.
 */
static bool lasts(struct ferry_held_owner *own, uint64_t until_ns)
{
	uint32_t calls = atomic_load_explicit(&own->calls, memory_order_relaxed);

	while (atomic_load_explicit(&own->call, memory_order_relaxed) &&
	       atomic_load_explicit(&own->calls, memory_order_relaxed) == calls) {
		if (thread__now_ns() >= until_ns)
			return true;
		thread__relax();
	}
	return false;
}

/*
 * Retake the call that has the Capability of this number, if the call goes on until *until_ns. *until_ns is 0 until
 * this function has seen a first call and sets it, so a caller that finds no held call neither waits nor reads the
 * clock. acquire: see ferry_held_rows.
 */
static void retake_lasting(unsigned number, uint64_t *until_ns)
{
	struct ferry_held_owner *own = atomic_load_explicit(&ferry_held_rows[number].owner, memory_order_acquire);

	if (!own || !atomic_load_explicit(&own->call, memory_order_relaxed))
		return;
	if (!*until_ns)
		*until_ns = thread__now_ns() + LASTING_NS;
	if (lasts(own, *until_ns))
		ferry_held_retake(own);
}

static void retake_all_lasting(void)
{
	unsigned count = ferry_held_row_count();
	uint64_t until_ns = 0;

	for (unsigned i = 0; i < count; i++) {
		struct ferry_held_owner *own = atomic_load_explicit(&ferry_held_rows[i].owner, memory_order_acquire);

		/* a batch that sees this pauses by itself */
		if (own && atomic_load_explicit(&own->call, memory_order_relaxed))
			__atomic_store_n(&own->go, 0, __ATOMIC_RELAXED);
		retake_lasting(i, &until_ns);
	}
}

/*
 * The owner of a call that holds the Capability of this number from Haskell threads that want it, or NULL. Most often
 * there is no call, and the function checks that first, because each safe call of the program comes here.
 */
static inline struct ferry_held_owner *owner_on(unsigned number)
{
	struct ferry_held_owner *own = atomic_load_explicit(&ferry_held_rows[number].owner, memory_order_acquire);
	const char *capability;

	if (__builtin_expect(!own || !atomic_load_explicit(&own->call, memory_order_relaxed), 1))
		return NULL;
	if (atomic_load_explicit(&own->has_slices, memory_order_relaxed))
		return NULL;
	capability = ferry_capability(number);
	/* the owner may have gone to another Capability; then that Capability's row names the owner too */
	return capability && ferry_held_is_on(number, capability) ? own : NULL;
}

/* relaxed: a runtime system in which no call has been held yet has none to retake */
static bool may_be_held(void)
{
	return atomic_load_explicit(&ferry_held_possible, memory_order_relaxed) > 0;
}

static bool is_one_free(void)
{
	unsigned count = ferry_capability_count();

	for (unsigned i = 0; i < count; i++) {
		const char *capability = ferry_capability(i);

		if (!capability || ferry_capability_is_free(capability))
			return true;
	}
	return count == 0;
}

static void retake_on(const Capability *capability)
{
	unsigned number = ferry_capability_head((const char *)capability)->no;
	uint64_t until_ns = 0;

	if (number < FERRY_CAPABILITIES_MAX && owner_on(number))
		retake_lasting(number, &until_ns);
}

/*
 * Ask the Haskell thread on the Capability to let the calling Task in, if the owner that the row names has made calls
 * since the last such question: `safe` calls would have let the Task in. A thread that makes no calls keeps its time
 * slice. relaxed: whichever thread runs there goes on as soon as the Task is through.
 */
static void ask_between_calls(const Capability *capability)
{
	static _Atomic uint32_t asked_at[FERRY_CAPABILITIES_MAX];
	unsigned number = ferry_capability_head((const char *)capability)->no;
	struct ferry_held_owner *own;
	uint32_t calls;

	if (number >= FERRY_CAPABILITIES_MAX || !ferry_held_is_on(number, (const char *)capability))
		return;
	own = atomic_load_explicit(&ferry_held_rows[number].owner, memory_order_acquire);
	calls = own ? atomic_load_explicit(&own->calls, memory_order_relaxed) : 0;
	if (!own || atomic_load_explicit(&own->has_slices, memory_order_relaxed) ||
	    atomic_exchange_explicit(&asked_at[number], calls, memory_order_relaxed) == calls)
		return;
	ferry_capability_ask((const char *)capability, FERRY_ASK_INTERRUPT);
}

static void retake_any(void)
{
	unsigned count = ferry_held_row_count();
	uint64_t until_ns = 0;

	for (unsigned i = 0; i < count; i++)
		if (owner_on(i))
			retake_lasting(i, &until_ns);
}

_Atomic unsigned ferry_held_early_count;

bool ferry_held_look_early(void)
{
	/* only the monitor uses this */
	static struct {
		struct ferry_held_owner *own;
		uint32_t calls;
	} noted[FERRY_CAPABILITIES_MAX];
	unsigned count = ferry_held_row_count();
	bool is_any = false;

	for (unsigned i = 0; i < count; i++) {
		struct ferry_held_owner *own = owner_on(i);

		noted[i].own = own && ferry_capability_is_queued(ferry_capability(i)) ? own : NULL;
		noted[i].calls = own ? atomic_load_explicit(&own->calls, memory_order_relaxed) : 0;
	}
	nanosleep(&(struct timespec){ .tv_nsec = EARLY_NS }, NULL);
	for (unsigned i = 0; i < count; i++) {
		struct ferry_held_owner *own = noted[i].own;

		if (!own || owner_on(i) != own ||
		    atomic_load_explicit(&own->calls, memory_order_relaxed) != noted[i].calls)
			continue;
		ferry_held_retake(own);
		atomic_fetch_add_explicit(&ferry_held_early_count, 1, memory_order_relaxed);
		is_any = true;
	}
	return is_any;
}

bool ferry_held_collections_are_led(void)
{
	return &__real_interruptAllCapabilities != NULL;
}

void __wrap_interruptAllCapabilities(void)
{
	__real_interruptAllCapabilities();
	if (may_be_held() && !ferry_runtime_is_ending())
		retake_all_lasting();
}

/*
 * Not inlined, and with the call of the runtime system inside: so a safe call of the program, which nearly always finds
 * its Capability free, saves no register on the way.
 */
static __attribute__((noinline)) void wait_after_retaking(Capability **capability, void *task)
{
	if (may_be_held()) {
		if (*capability) {
			retake_on(*capability);
			ask_between_calls(*capability);
		} else if (!is_one_free())
			retake_any();
	}
	__real_waitForCapability(capability, task);
}

/* *capability: NULL for any. `task` is the calling thread's. */
void __wrap_waitForCapability(Capability **capability, void *task)
{
	if (__builtin_expect(!*capability || !ferry_capability_is_free((const char *)*capability), 0))
		wait_after_retaking(capability, task);
	else
		__real_waitForCapability(capability, task);
}

void __wrap_sendMessage(Capability *from, Capability *to, void *message)
{
	__real_sendMessage(from, to, message);
	if (may_be_held())
		retake_on(to);
}
