/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Retake: a thread takes the Capability from a held call that goes on, and gives it up in the owner's place, as Go's
 * sysmon retakes a processor from a long system call (docs/decisions/0016-retake.md).
 *
 * The table has a row for each Capability, with the record of the call that holds it. The thread that changes the row
 * from that record to NULL has the Capability. Three kinds of threads try: the owner, when the function has returned;
 * the monitor (monitor.c); and a thread that is about to call back into Haskell, the owner or a worker of its
 * parallel region (ferry_held_yield in held.c). One of them wins:
 *
 *	owner (cmm/held.cmm has saved the	row of the	monitor, or another thread
 *	Haskell thread's state)			Capability
 *	exchange				-> record
 *	function				load: record
 *							compare and exchange record -> NULL succeeds
 *	...					NULL		record->token = suspendThread(base)
 *	compare and exchange fails
 *	state HELD -> AWAITED; sleeps
 *								exchange(state, GIVEN_UP) was AWAITED: wakes the owner
 *	resumeThread(token)
 *
 * The record lies on the owner's stack. The owner does not leave before it has taken its Capability or has seen
 * GIVEN_UP, so a thread that has taken the Capability may use the record until it stores that. A record that was only
 * loaded may be gone: it is compared, and not looked into. ABA is harmless: if a later call has its record at the same
 * place by then, the compare and exchange takes that call's Capability, which it holds, and the row is the same.
 *
 * The owner looks for its token again and again for GIVE_UP_NS, then it sleeps. Giving up takes about a microsecond,
 * unless the thread that does it has lost its processor to another program. If the owner then called sched_yield, it
 * might give its processor to such a program as well, for a whole time slice (docs/decisions/0012-waiting.md).
 *
 * What may go wrong: suspendThread must be right for a thread that does not run the call. It finds the Task that is
 * suspended in the Capability, not in the calling thread (rts/Schedule.c of GHC 9.0.2, 9.6.6 and 9.10.3); look there
 * before a newer GHC is allowed. The debug runtime system asserts that the calling thread is the Task's, so with that
 * one each call gives its Capability up itself when it begins, as a `safe` call does; so it does without -threaded.
 *
 * What may be changed: GIVE_UP_NS. The order of the lines in ferry_held_give_up and of the steps of ferry_held_call is
 * what the drawing needs. HeldSpec's test of a suspended monitor (haskell/tests/cbits/retake.c) covers the sleep.
 */
#include "Rts.h"

#include "capability/fields.h"
#include "held/retake.h"

#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/spin.h"

enum {
	/* How long the owner looks for its token before it sleeps: what a sleep and a wake-up cost. */
	GIVE_UP_NS = 40000,
};

struct ferry_held_row ferry_held_rows[FERRY_CAPABILITIES_MAX];

__thread struct ferry_held_call *ferry_held_own;

/* One more than the highest number of a Capability that has held a call. */
static _Atomic unsigned row_count;

/* Held calls that have given up their Capability and still run. relaxed: a count for the size of teams */
static _Atomic unsigned given_up;

/* ---- whether calls can be held -------------------------------------------------------------------------------------
 */

/* GHC 9.0 has no function that says so; checkSanity is in its debug runtime system only. */
#if __GLASGOW_HASKELL__ >= 902
static bool is_debugged(void)
{
	return rts_isDebugged();
}
#else
extern void checkSanity(bool after_gc, bool major_gc) __attribute__((weak));

static bool is_debugged(void)
{
	return checkSanity != NULL;
}
#endif

_Atomic int ferry_held_possible = -1;

__attribute__((noinline)) bool ferry_held_find_out(void)
{
	int found = rtsSupportsBoundThreads() && !is_debugged();

	atomic_store_explicit(&ferry_held_possible, found, memory_order_relaxed);
	return found;
}

/* ---- the table -----------------------------------------------------------------------------------------------------
 */

__attribute__((noinline)) void ferry_held_introduce(const struct ferry_held_call *call)
{
	unsigned count = atomic_load_explicit(&row_count, memory_order_relaxed);

	ferry_capability_check(ferry_capability_of(call->base));
	ferry_capability_note(call->number, ferry_capability_of(call->base));
	atomic_store_explicit(&ferry_held_rows[call->number].base, call->base, memory_order_relaxed);
	/*
	 * A monitor that reads the count finds `base`. seq_cst: as the exchange that publishes the call, see monitor.c.
	 */
	while (count <= call->number &&
	       !atomic_compare_exchange_weak_explicit(&row_count, &count, call->number + 1, memory_order_seq_cst,
						      memory_order_relaxed))
		;
}

/* seq_cst: the monitor asks before it sleeps (monitor.c), and any other caller's own call was published before */
bool ferry_held_is_any(void)
{
	unsigned count = atomic_load_explicit(&row_count, memory_order_seq_cst);

	for (unsigned i = 0; i < count; i++)
		if (atomic_load_explicit(&ferry_held_rows[i].call, memory_order_seq_cst))
			return true;
	return false;
}

/*
 * The monitor of the parent is not there to retake the other threads' calls, and nobody will return from them. After
 * forkProcess no other call is held, since that takes all Capabilities first; after a fork in C they may be.
 */
void ferry_held_begin_child(void)
{
	unsigned own_given_up = 0;

	for (unsigned i = 0; i < FERRY_CAPABILITIES_MAX; i++) {
		struct ferry_held_call *own = ferry_held_own;

		while (own && atomic_load_explicit(&ferry_held_rows[i].call, memory_order_relaxed) != own)
			own = own->outer;
		if (!own)
			atomic_store_explicit(&ferry_held_rows[i].call, NULL, memory_order_relaxed);
	}
	for (struct ferry_held_call *own = ferry_held_own; own; own = own->outer)
		own_given_up += ferry_held_is_given_up(own);
	atomic_store_explicit(&given_up, own_given_up, memory_order_relaxed);
}

/* ---- giving up -----------------------------------------------------------------------------------------------------
 */

void ferry_held_give_up(struct ferry_held_call *call)
{
	call->token = suspendThread(call->base, false);
	atomic_fetch_add_explicit(&given_up, 1, memory_order_relaxed);

	/*
	 * After the exchange the owner may leave, and the record with it. The wake-up only names an address: if there
	 * is another futex by then, its sleepers wake up and look again.
	 */
	if (atomic_exchange_explicit(&call->state, FERRY_GIVEN_UP, memory_order_release) == FERRY_AWAITED)
		thread__futex_wake(&call->state, 1);
}

void ferry_held_retake(struct ferry_held_call *call)
{
	if (!ferry_held_is_given_up(call) && ferry_held_take(call->number, call))
		ferry_held_give_up(call);
}

void ferry_held_retake_all(void)
{
	unsigned count = atomic_load_explicit(&row_count, memory_order_seq_cst);

	for (unsigned i = 0; i < count; i++) {
		struct ferry_held_call *call = atomic_load_explicit(&ferry_held_rows[i].call, memory_order_seq_cst);

		if (call && ferry_held_take(i, call))
			ferry_held_give_up(call);
	}
}

void *ferry_held_await_token(struct ferry_held_call *call)
{
	struct thread__spin spin = thread__spin_begin(NULL, NULL, GIVE_UP_NS, GIVE_UP_NS);
	uint32_t held = FERRY_HELD;

	while (!ferry_held_is_given_up(call)) {
		if (thread__spin(&spin, 0, 0))
			continue;
		/*
		 * relaxed: the state is read again. One that is GIVEN_UP already stays so, and then the futex does not
		 * sleep.
		 */
		atomic_compare_exchange_strong_explicit(&call->state, &held, FERRY_AWAITED, memory_order_relaxed,
							memory_order_relaxed);
		thread__futex_wait(&call->state, FERRY_AWAITED, THREAD__NEVER);
		held = FERRY_HELD;
	}
	return call->token;
}

void ferry_held_resumed(void)
{
	atomic_fetch_sub_explicit(&given_up, 1, memory_order_relaxed);
}

unsigned ferry_held_given_up_count(void)
{
	return atomic_load_explicit(&given_up, memory_order_relaxed);
}

/* ---- the monitor's look --------------------------------------------------------------------------------------------
 */

bool ferry_held_look(bool holds[FERRY_CAPABILITIES_MAX])
{
	/* the monitor's own: what it saw of each row when it last looked */
	static uint32_t seen[FERRY_CAPABILITIES_MAX];
	/* acquire: `base` of each row */
	unsigned count = atomic_load_explicit(&row_count, memory_order_acquire);
	bool is_any = false;

	for (unsigned i = 0; i < count; i++) {
		struct ferry_held_row *row = &ferry_held_rows[i];
		/* acquire: what comes next is of this call or of a later one */
		struct ferry_held_call *call = atomic_load_explicit(&row->call, memory_order_acquire);
		uint32_t calls = atomic_load_explicit(&row->calls, memory_order_relaxed);
		bool goes_on = calls == seen[i];
		StgRegTable *base = atomic_load_explicit(&row->base, memory_order_relaxed);

		seen[i] = calls;
		holds[i] = call;
		is_any |= call || !goes_on;
		if (call && (goes_on || ferry_capability_is_asked(ferry_capability_of(base))) &&
		    ferry_held_take(i, call))
			ferry_held_give_up(call);
	}
	return is_any;
}
