/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Retake: a thread takes the Capability from a held call that goes on, and gives it up in the owner's place, as Go's
 * sysmon retakes a processor from a long system call (docs/decisions/0016-retake.md). It is the revocation of a biased
 * lock: an asymmetric Dekker, in which the other thread makes the memory barrier for both sides. The *owner* of a call
 * is the OS thread that makes it (held.c).
 *
 * Four kinds of threads want the Capability of a call: the owner, when the function has returned; the monitor
 * (monitor.c); a thread that is about to collect, that comes back to Haskell or calls it, or that wakes a Haskell
 * thread of this Capability (wanted.c); and a thread that is about to call back into Haskell, which is the owner or a
 * worker of the owner's parallel region (ferry_held_yield in held.c). One of these threads gets the Capability. Most
 * calls are short and nobody else wants theirs, so the owner's two steps are plain loads and stores, and the other
 * thread pays for both: it makes the barrier that keeps the order of each thread of the process (membarrier), as a
 * thief does in the asymmetric Dekker of work-stealing queues.
 *
 *	owner (cmm has saved the Haskell		monitor, or another thread
 *	thread's state, or its registers)
 *	call = record
 *	function					load: call is not NULL
 *							compare and exchange claim: UNCLAIMED -> CLAIMED
 *							membarrier
 *	...						load: call
 *	either
 *	  call = NULL
 *	  load: claim is CLAIMED
 *	  compare and exchange claim -> DENIED
 *	  load: state is HELD
 *	  has its Capability				call is NULL, or claim is DENIED: claim = UNCLAIMED
 *	or
 *							call is not NULL: compare and exchange claim: CLAIMED -> WON
 *							state: HELD -> TAKEN, call = NULL, claim = UNCLAIMED
 *							record->token = suspendThread(base)
 *	  call = NULL
 *	  load: claim is WON, or state is not HELD
 *	  state -> AWAITED; sleeps
 *							exchange(state, GIVEN_UP) was AWAITED: wakes the owner
 *	  resumeThread(token)
 *
 * If the other thread loads a call after the barrier, that call's owner loads the claim after the barrier too: the
 * owner had not stored NULL yet, and it loads the claim after that store. So the owner sees the claim, and the two
 * threads compare and exchange the same word: one of them gets the Capability. The second load may find a later call
 * than the first; that does no harm, because the later call holds its Capability as well. The owner never waits for a
 * thread that has only claimed, because that thread may have lost its processor.
 *
 * A claim does not say that the call still has its Capability: a thread that has seen a call may claim after another
 * thread has retaken the Capability, or after the call that it saw, a nested one, has ended. So an owner that denies a
 * claim looks at its call's state as well:
 *
 *	owner				monitor				worker of its region
 *	call = record
 *	function			load: call is not NULL
 *									wins, gives up
 *					claim: UNCLAIMED -> CLAIMED
 *	call = NULL
 *	claim: CLAIMED -> DENIED
 *	state is GIVEN_UP: takes
 *	its token			claim is DENIED: claim = UNCLAIMED
 *
 * tests/haskell/model/retake.pml is a model of all this, with the mistakes that it must notice.
 *
 * The record lies on the owner's stack, or is the owner's for its next call. The owner does not return before it has
 * taken its Capability or has seen GIVEN_UP, so a thread that has won may use the record until it stores GIVEN_UP.
 *
 * The owner looks for its token again and again for GIVE_UP_NS, then the owner sleeps. Giving the Capability up takes
 * about a microsecond, unless the thread that gives it up has lost its processor to another program. If the owner
 * called sched_yield then, it might give its own processor to such a program as well, for a whole time slice
 * (docs/decisions/0012-waiting.md).
 *
 * What may go wrong: suspendThread must be right for a thread that does not run the call. suspendThread takes the Task
 * (GHC's record of an OS thread) from the Capability, not from the calling thread (rts/Schedule.c of GHC 9.0.2, 9.6.6
 * and 9.10.3); check that before you allow a newer GHC. The debug runtime system asserts that the calling thread is the
 * Task's. So with the debug runtime system each call gives its own Capability up when it begins, as a `safe` call does.
 * A call does the same without -threaded, and where the system has no membarrier.
 *
 * What may be changed: GIVE_UP_NS. What may not: the order of the lines in ferry_held_give_up and of the steps in
 * call.h, which the drawing needs. HeldSpec's test of a suspended monitor (haskell/tests/cbits/retake.c) tests the
 * owner's sleep.
 */
#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Rts.h"

#include "capability/fields.h"
#include "held/retake.h"

#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/spin.h"

enum {
	/* How long the owner spins for its token before it sleeps: about the cost of a sleep and a wake-up. */
	GIVE_UP_NS = 40000,
};

struct ferry_held_row ferry_held_rows[FERRY_CAPABILITIES_MAX];

/* An owner points to this row while its Capability has no row of its own. The row names no owner. */
static struct ferry_held_row no_row;

struct ferry_held_owner ferry_held_nobody = { .row = &no_row };

__thread struct ferry_held_owner *ferry_held_own = &ferry_held_nobody;

/* One more than the highest number of a Capability that has held a call. */
static _Atomic unsigned row_count;

/* How many held calls have given up their Capability and still run. relaxed: a count for the size of teams */
static _Atomic unsigned given_up;

/* ---- whether calls can be held -------------------------------------------------------------------------------------
 */

/* GHC 9.0 does not export rts_isDebugged; there only the debug runtime system defines checkSanity. */
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

static bool barrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

/*
 * With one thread the process asks for membarrier in a microsecond. With more it waits until every processor has passed
 * a quiescent state of RCU (kernel/sched/membarrier.c of Linux 6.18): 10 to 20 ms, for which the first held call would
 * keep every other Haskell thread waiting. Where this fails, ferry_held_find_out notices.
 */
static __attribute__((constructor)) void ask_while_alone(void)
{
	int saved = errno;

	barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
	errno = saved;
}

/* Make each thread of the process pass a memory barrier between two of its instructions. */
static void barrier_all(void)
{
	int saved = errno;

	/* fails where the process is a fork that has lost the registration */
	if (!barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) {
		barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
		if (!barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
			barf("ferry: membarrier does not work any more, without which no call may hold its Capability");
	}
	errno = saved;
}

__attribute__((noinline)) bool ferry_held_find_out(void)
{
	int saved = errno;
	int found = rtsSupportsBoundThreads() && !is_debugged() && barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);

	errno = saved;
	atomic_store_explicit(&ferry_held_possible, found, memory_order_relaxed);
	return found;
}

/* ---- the owners ----------------------------------------------------------------------------------------------------
 */

/* A list of all owners, the newest first. release: publishes an owner's fields. No owner is ever taken out. */
static _Atomic(struct ferry_held_owner *) owners;

static pthread_key_t at_end;

/*
 * The C library calls this when the OS thread ends. release: the next thread that takes this owner sees all that the
 * ending thread wrote.
 */
static void leave(void *own)
{
	ferry_held_own = &ferry_held_nobody;
	atomic_store_explicit(&((struct ferry_held_owner *)own)->is_used, false, memory_order_release);
}

static void make_key(void)
{
	if (pthread_key_create(&at_end, leave))
		barf("ferry: the process has no thread-specific key left for held calls");
}

static struct ferry_held_owner *make_owner(void)
{
	struct ferry_held_owner *own = aligned_alloc(_Alignof(struct ferry_held_owner), sizeof(*own));

	if (!own)
		barf("ferry: there is no memory for a thread's held calls");
	*own = (struct ferry_held_owner){ .is_used = true, .row = &no_row, .go = 1 };
	own->next = atomic_load_explicit(&owners, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&owners, &own->next, own, memory_order_release,
						      memory_order_relaxed))
		;
	return own;
}

__attribute__((noinline)) struct ferry_held_owner *ferry_held_enter(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct ferry_held_owner *own = atomic_load_explicit(&owners, memory_order_acquire);
	int saved = errno;

	pthread_once(&once, make_key);
	/* acquire: sees what the owner's last thread wrote */
	while (own && atomic_exchange_explicit(&own->is_used, true, memory_order_acquire))
		own = own->next;
	if (!own)
		own = make_owner();
	pthread_setspecific(at_end, own);
	ferry_held_own = own;
	errno = saved;
	return own;
}

/* ---- the table -----------------------------------------------------------------------------------------------------
 *
 * Row i of the table names the owner that held Capability i last, so that other threads find the calls.
 */

__attribute__((noinline)) bool ferry_held_introduce(struct ferry_held_owner *own, StgRegTable *base)
{
	const char *capability = ferry_capability_of(base);
	unsigned number = ferry_capability_head(capability)->no;
	unsigned count = atomic_load_explicit(&row_count, memory_order_relaxed);

	atomic_store_explicit(&own->base, base, memory_order_relaxed);
	/* what an adaptive batch looks at between two of its slots */
	own->watched = rtsSupportsBoundThreads() && ferry_held_collections_are_led()
			       ? &own->go
			       : (const unsigned long *)&base->rHpLim;
	own->row = &no_row;
	if (number >= FERRY_CAPABILITIES_MAX)
		return false;
	if (!atomic_load_explicit(&ferry_held_rows[number].owner, memory_order_relaxed))
		ferry_capability_check(capability);
	ferry_capability_note(number, capability);
	own->row = &ferry_held_rows[number];
	atomic_store_explicit(&own->row->owner, own, memory_order_release);
	while (count <= number && !atomic_compare_exchange_weak_explicit(&row_count, &count, number + 1,
									 memory_order_release, memory_order_relaxed))
		;
	return true;
}

unsigned ferry_held_row_count(void)
{
	return atomic_load_explicit(&row_count, memory_order_acquire);
}

/* The owner that held a Capability last, or NULL. */
static struct ferry_held_owner *owner_of(unsigned number)
{
	return atomic_load_explicit(&ferry_held_rows[number].owner, memory_order_acquire);
}

bool ferry_held_is_any(void)
{
	unsigned count;

	/*
	 * after this barrier the monitor sees every call that was published before, and an owner that publishes later
	 * sees the monitor's state
	 */
	barrier_all();
	count = ferry_held_row_count();
	for (unsigned i = 0; i < count; i++) {
		struct ferry_held_owner *own = owner_of(i);

		if (own && atomic_load_explicit(&own->call, memory_order_relaxed))
			return true;
	}
	return false;
}

/*
 * A thread locks this for reading while it retakes, and for writing while it forks: in a child, a Capability that was
 * half given up would leave its owner waiting for its token for ever. The lock is needed, because a fork of a large
 * process takes longer than the monitor's pause.
 *
 * forkProcess forks while it has all Capabilities and locks of the runtime system. No call is held then, so a thread
 * that is in retake_from() has found no call to take, has lost to the owner, or has released the last of the runtime
 * system's locks. A thread that retakes never waits for an owner, so an owner may fork.
 */
static pthread_rwlock_t retaking = PTHREAD_RWLOCK_INITIALIZER;

void ferry_held_begin_fork(void)
{
	pthread_rwlock_wrlock(&retaking);
}

void ferry_held_end_fork(void)
{
	pthread_rwlock_unlock(&retaking);
}

/*
 * The child has neither the monitor nor the threads whose calls may be held in the parent, so it forgets those calls.
 * After forkProcess there are no such calls, because forkProcess takes all Capabilities first; after a fork in C there
 * may be some. The forking thread's own call is either held or given up, because no thread could retake it during the
 * fork.
 */
void ferry_held_begin_child(void)
{
	struct ferry_held_owner *self = ferry_held_own;
	unsigned own_given_up = 0;

	/* the child makes the lock anew instead of unlocking it: no thread of the child has locked it */
	retaking = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
	for (unsigned i = 0; i < FERRY_CAPABILITIES_MAX; i++)
		if (owner_of(i) != self)
			atomic_store_explicit(&ferry_held_rows[i].owner, NULL, memory_order_relaxed);
	for (struct ferry_held_call *call = ferry_held_innermost(self); call; call = call->outer)
		own_given_up += atomic_load_explicit(&call->state, memory_order_relaxed) == FERRY_GIVEN_UP;
	atomic_store_explicit(&given_up, own_given_up, memory_order_relaxed);
}

/* ---- giving up -----------------------------------------------------------------------------------------------------
 */

/*
 * Take the Capability of the call that an owner is in, in order to give it up. Returns the call. NULL: there is no
 * call, it has ended, or another thread is about to take its Capability.
 */
static struct ferry_held_call *win(struct ferry_held_owner *own)
{
	uint32_t claim = FERRY_UNCLAIMED, held = FERRY_HELD;
	struct ferry_held_call *call = NULL;

	if (!atomic_load_explicit(&own->call, memory_order_relaxed) ||
	    !atomic_compare_exchange_strong_explicit(&own->claim, &claim, FERRY_CLAIMED, memory_order_acq_rel,
						     memory_order_relaxed))
		return NULL;
	barrier_all();
	claim = FERRY_CLAIMED;
	/* acquire, in both cases: sees the record as it was published */
	if ((call = atomic_load_explicit(&own->call, memory_order_acquire)) &&
	    atomic_compare_exchange_strong_explicit(&own->claim, &claim, FERRY_WON, memory_order_acq_rel,
						    memory_order_relaxed)) {
		/* the exchange fails if the owner already waits for the token (FERRY_AWAITED) */
		atomic_compare_exchange_strong_explicit(&call->state, &held, FERRY_TAKEN, memory_order_relaxed,
							memory_order_relaxed);
		/* release: ferry_held_innermost */
		atomic_store_explicit(&own->call, NULL, memory_order_release);
	} else {
		call = NULL;
	}
	/* release: publishes `state` */
	atomic_store_explicit(&own->claim, FERRY_UNCLAIMED, memory_order_release);
	return call;
}

/* Do what SAVE_THREAD_STATE does in Cmm, for a Haskell thread that has lent its registers (cmm/lend.h). */
static void save_thread_state(StgRegTable *base)
{
	bdescr *nursery = base->rCurrentNursery;
	StgTSO *thread = base->rCurrentTSO;

	/* the state is saved already: ferry_held_note_saved */
	if (!base->rHp)
		return;
	thread->stackobj->sp = base->rSp;
	nursery->free = base->rHp + 1;
	thread->alloc_limit -= (StgInt64)((char *)nursery->free - (char *)nursery->start);
#ifdef PROFILING
	thread->prof.cccs = base->rCCCS;
#endif
}

void ferry_held_give_up(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	StgRegTable *base = atomic_load_explicit(&own->base, memory_order_relaxed);

	/* an adaptive batch pauses when it sees this */
	__atomic_store_n(&own->go, 0, __ATOMIC_RELAXED);
	save_thread_state(base);
	call->token = suspendThread(base, (base->rR1.w & FERRY_HELD_INTERRUPTIBLE) != 0);
	atomic_fetch_add_explicit(&given_up, 1, memory_order_relaxed);

	/*
	 * After the exchange the owner may return, and then its record is gone. The wake-up only names an address: if
	 * another futex lies there by then, the sleepers of that futex wake up and look again.
	 */
	if (atomic_exchange_explicit(&call->state, FERRY_GIVEN_UP, memory_order_release) == FERRY_AWAITED)
		thread__futex_wake(&call->state, 1);
}

static bool retake_from(struct ferry_held_owner *own)
{
	struct ferry_held_call *call;

	pthread_rwlock_rdlock(&retaking);
	call = win(own);
	if (call)
		ferry_held_give_up(own, call);
	pthread_rwlock_unlock(&retaking);
	return call;
}

void ferry_held_retake(struct ferry_held_owner *own)
{
	retake_from(own);
}

void ferry_held_retake_all(void)
{
	unsigned count;

	barrier_all();
	count = ferry_held_row_count();
	for (unsigned i = 0; i < count; i++)
		if (owner_of(i))
			retake_from(owner_of(i));
}

void *ferry_held_await_token(struct ferry_held_call *call)
{
	struct thread__spin spin = thread__spin_begin(NULL, NULL, GIVE_UP_NS, GIVE_UP_NS);
	uint32_t state;

	/* acquire: the token is read after this */
	while ((state = atomic_load_explicit(&call->state, memory_order_acquire)) != FERRY_GIVEN_UP) {
		if (thread__spin(&spin, 0, 0))
			continue;
		/*
		 * relaxed: the owner reads the state again. If the state has changed meanwhile, the owner does not fall
		 * asleep.
		 */
		if (state == FERRY_AWAITED ||
		    atomic_compare_exchange_strong_explicit(&call->state, &state, FERRY_AWAITED, memory_order_relaxed,
							    memory_order_relaxed))
			thread__futex_wait(&call->state, FERRY_AWAITED, THREAD__NEVER);
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
	/* only the monitor uses this: what the monitor saw of each row at its last look */
	static struct {
		struct ferry_held_owner *own;
		uint32_t calls;
	} seen[FERRY_CAPABILITIES_MAX];
	unsigned count = ferry_held_row_count();
	bool is_any = false;

	for (unsigned i = 0; i < count; i++) {
		struct ferry_held_owner *own = owner_of(i);
		const char *capability = ferry_capability(i);
		/* a value that is too old or too new makes the monitor only look again, or retake a young call */
		bool is_in_call = own && atomic_load_explicit(&own->call, memory_order_relaxed);
		uint32_t calls = own ? atomic_load_explicit(&own->calls, memory_order_relaxed) : 0;
		bool goes_on = own == seen[i].own && calls == seen[i].calls;

		seen[i].own = own;
		seen[i].calls = calls;
		/*
		 * the owner may have moved to another Capability, and then that Capability's row names the owner as
		 * well
		 */
		is_in_call = is_in_call && ferry_held_is_on(i, capability);
		holds[i] = is_in_call;
		is_any |= is_in_call || !goes_on;
		if (is_in_call &&
		    (goes_on || ferry_capability_is_asked(capability) || ferry_capability_is_returned_to(capability)))
			retake_from(own);
	}
	return is_any;
}
