/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which call holds which Capability, and which thread may give that up; retake.c draws the race. The two steps that
 * every held call makes, ferry_held_publish and ferry_held_take, are inline functions here, so that the compiler puts
 * them into the call.
 *
 * What may be changed: fields that only the owner uses may be moved, as long as layout.h agrees. The memory orders and
 * the order of the stores in ferry_held_publish and ferry_held_take are those of the drawing in retake.c and of the
 * model tests/haskell/model/retake.pml: change all three together.
 */
#ifndef FERRY_HASKELL_RETAKE_H
#define FERRY_HASKELL_RETAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "Rts.h"

#include "capability/fields.h"
#include "capability/list.h"

/* The states of a held call's Capability. */
enum ferry_held_state {
	/* The owner has the Capability. */
	FERRY_HELD,
	/* Another thread has taken the Capability, and gives it up next. */
	FERRY_TAKEN,
	/* Another thread has taken the Capability, and the owner sleeps until it is given up. */
	FERRY_AWAITED,
	/* The Capability has been given up, and the token is in the record. */
	FERRY_GIVEN_UP,
};

/* The states of a claim: which of the owner and one other thread gets the Capability; see retake.c. */
enum ferry_claim {
	/* No other thread wants the Capability. */
	FERRY_UNCLAIMED,
	/* Another thread wants it, and finds out whether the call goes on. */
	FERRY_CLAIMED,
	/*
	 * The owner has seen the claim, while it took its Capability or because it has to wait for its token: the other
	 * thread gets nothing.
	 */
	FERRY_DENIED,
	/* The other thread has the Capability. */
	FERRY_WON,
};

/*
 * A bit that no function's address has. Where it is set in the address of a function (rR1 of the register table, see
 * cmm/lend.h), the call is interruptible, like the call of an `interruptible` import.
 */
#define FERRY_HELD_INTERRUPTIBLE ((StgWord)1 << 63)

/*
 * The record of a held call. That of a thread's outermost call is a part of its owner, so that a short call writes
 * nothing there: between two calls it is as the next one needs it. That of any other call lies on the owner's stack.
 */
struct ferry_held_call {
	struct ferry_held_call *outer; /* the call during which Haskell was called back and made this one, if any */
	/*
	 * An enum ferry_held_state. The thread that gives the Capability up writes the token, then stores
	 * FERRY_GIVEN_UP with release, and does not touch the record again. The owner reads the state with acquire
	 * before it reads the token.
	 */
	_Atomic uint32_t state;
	/* The argument for resumeThread, once the Capability has been given up. */
	void *token;
};

/*
 * An OS thread that makes held calls. An owner is never freed, so that any thread may read it at any time; when the
 * owner's OS thread ends, another OS thread takes the owner over.
 */
struct ferry_held_owner {
	/*
	 * The call that holds a Capability, or NULL. The owner writes this word; a thread that has won stores NULL.
	 * Only these two threads may read the record that `call` points to.
	 */
	_Alignas(64) _Atomic(struct ferry_held_call *) call;
	/*
	 * The register table of that Capability. An owner that goes to another Capability writes `base` before it
	 * writes `call`.
	 */
	_Atomic(StgRegTable *) base;
	/* How many calls the owner has made. relaxed: a monitor that reads an old number looks again later. */
	_Atomic uint32_t calls;
	/* An enum ferry_claim. */
	_Atomic uint32_t claim;
	/*
	 * The owner's innermost call, with its Capability or without, if its record is not `first`. Only the owner uses
	 * this pointer, through ferry_held_innermost().
	 */
	struct ferry_held_call *innermost;
	/* The row of the Capability of `base`. Only the owner uses this pointer. */
	struct ferry_held_row *row;
	/*
	 * What the Cmm code reads after a call: the token, which it sets back to NULL, and the function's result. Only
	 * the owner uses these.
	 */
	void *token;
	union {
		StgWord word;
		StgDouble float64;
		StgFloat float32;
	} result;
	/*
	 * What an adaptive batch of this owner looks at between two slots: 0 when its Capability is wanted, or is given
	 * up. Any thread may store 0; the owner stores 1 before it publishes a batch. relaxed: an owner that sees 0
	 * pauses its batch and finds out whether its Capability is wanted; an owner that sees 0 late pauses late.
	 */
	unsigned long go;
	/*
	 * The address of the word that the batch looks at: `go`, or rHpLim where no thread that collects sets `go`
	 * (wanted.c). Only the owner uses this.
	 */
	const unsigned long *watched;
	/*
	 * A call that is published although ferry_held_begin_ready() could not finish its begin, or NULL. Only the
	 * owner uses this; see call.h.
	 */
	struct ferry_held_call *begun;
	/*
	 * The record of a call that begins while the owner is in no other. It is in use while `call` points to it or
	 * its state is not FERRY_HELD.
	 */
	struct ferry_held_call first;
	/*
	 * Whether the call is one of Ferry.OpenMP, which keeps its Capability from other Haskell threads for the time
	 * slices of time_slice/time_slice.c. relaxed: a hint
	 */
	_Atomic bool has_slices;
	/* Whether an OS thread is using this owner. */
	_Atomic bool is_used;
	struct ferry_held_owner *next;
};

/* This owner stands for every thread that has made no held call yet: it is in no call, and no row names it. */
extern struct ferry_held_owner ferry_held_nobody;

/*
 * The calling thread's owner; ferry_held_nobody before the thread's first held call. initial-exec: reading the variable
 * must not call a function, because the compiler would have to save the arguments of a held call around that call. A
 * library that is loaded with dlopen still finds room for this variable, because it is one pointer.
 */
extern __thread struct ferry_held_owner *ferry_held_own __attribute__((tls_model("initial-exec")));

/* Make the calling thread's owner. Ends the program where there is no memory. */
struct ferry_held_owner *ferry_held_enter(void);

static inline struct ferry_held_owner *ferry_held_self(void)
{
	struct ferry_held_owner *own = ferry_held_own;

	return __builtin_expect(own != &ferry_held_nobody, 1) ? own : ferry_held_enter();
}

/*
 * The caller has the Capability, and has saved the state of its Haskell thread. Note this in the register table, so
 * that a thread that retakes the Capability does not save the state once more. The call is not interruptible.
 */
static inline void ferry_held_note_saved(StgRegTable *base)
{
	base->rHp = NULL;
	base->rR1.w = 0;
}

/*
 * The table of owners: row i names the owner that held Capability i last. The thread that has the Capability writes the
 * row. release: the owner was made before.
 */
struct ferry_held_row {
	_Alignas(64) _Atomic(struct ferry_held_owner *) owner;
};

extern struct ferry_held_row ferry_held_rows[FERRY_CAPABILITIES_MAX];

/* One more than the highest number of a Capability that has held a call: no row from this number on names an owner. */
unsigned ferry_held_row_count(void);

/* Whether the owner that a Capability's row names, if any, was on that Capability at its last call. */
static inline bool ferry_held_is_on(unsigned number, const char *capability)
{
	struct ferry_held_owner *own = atomic_load_explicit(&ferry_held_rows[number].owner, memory_order_acquire);

	return own && atomic_load_explicit(&own->base, memory_order_relaxed) == ferry_capability_registers(capability);
}

/* Whether calls can be held in this runtime system: 1, 0, or -1 until the first question. */
extern _Atomic int ferry_held_possible;

/* Find out whether calls can be held, and store the answer. */
bool ferry_held_find_out(void);

/*
 * Whether the runtime system has threads and is not the debug one, and the system has the barrier that retake.c needs.
 * relaxed: every thread finds the same answer.
 */
static inline bool ferry_held_is_possible(void)
{
	int found = atomic_load_explicit(&ferry_held_possible, memory_order_relaxed);

	return __builtin_expect(found < 0 ? ferry_held_find_out() : found, 1);
}
/* Whether the row of a Capability names the owner, which has the Capability. */
static inline bool ferry_held_is_introduced(const struct ferry_held_owner *own, const StgRegTable *base)
{
	return atomic_load_explicit(&own->base, memory_order_relaxed) == base &&
	       atomic_load_explicit(&own->row->owner, memory_order_relaxed) == own;
}

/*
 * Write the owner into the Capability's row. The owner calls this for its first held call on a Capability that another
 * thread held before. False where the Capability has no row: its number is FERRY_CAPABILITIES_MAX or more.
 */
bool ferry_held_introduce(struct ferry_held_owner *own, StgRegTable *base);

/*
 * The innermost call of the owner, who asks, or NULL. acquire: a thread that has taken the Capability has written
 * `state` before it stored NULL. Where both records are in use, that of `innermost` is the inner one.
 */
static inline struct ferry_held_call *ferry_held_innermost(struct ferry_held_owner *own)
{
	if (own->innermost)
		return own->innermost;
	if (atomic_load_explicit(&own->call, memory_order_acquire) == &own->first ||
	    atomic_load_explicit(&own->first.state, memory_order_relaxed) != FERRY_HELD)
		return &own->first;
	return NULL;
}

/* Whether the owner, who asks, is in no call. Then `first.state` is FERRY_HELD. */
static inline bool ferry_held_is_outermost(struct ferry_held_owner *own)
{
	return !own->innermost && atomic_load_explicit(&own->first.state, memory_order_relaxed) == FERRY_HELD;
}

/*
 * The owner, whom the Capability's row names already, publishes its call: from here on any thread may retake the
 * Capability. The owner looks at the monitor's state next. On this side only the compiler has to keep that order,
 * because the other side makes the barrier for both (retake.c).
 */
static inline void ferry_held_publish_ready(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	uint32_t calls = atomic_load_explicit(&own->calls, memory_order_relaxed);

	atomic_store_explicit(&own->calls, calls + 1, memory_order_relaxed);
	/* release: publishes the record, and the Haskell thread's state if it is saved */
	atomic_store_explicit(&own->call, call, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
}

/* The same for a record on the owner's stack. */
static inline void ferry_held_publish(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	call->outer = ferry_held_innermost(own);
	atomic_store_explicit(&call->state, FERRY_HELD, memory_order_relaxed);
	own->innermost = call;
	ferry_held_publish_ready(own, call);
}

/*
 * Whether the owner still has its Capability although another thread has claimed it. It is not enough that the owner
 * has denied the claim: a third thread may have won before the claim. The denied thread may have seen this call before
 * the third thread won, or may have seen a nested call that has ended since. Inlined, like everything that runs before
 * the C function, because the compiler would save the arguments around a call.
 */
static inline bool ferry_held_is_left(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	uint32_t claim = FERRY_CLAIMED;

	/*
	 * acquire, in both cases: a thread that has won writes `state` before it withdraws its claim, and a later claim
	 * is an exchange on the value that this thread wrote
	 */
	atomic_compare_exchange_strong_explicit(&own->claim, &claim, FERRY_DENIED, memory_order_acq_rel,
						memory_order_acquire);
	return claim != FERRY_WON && atomic_load_explicit(&call->state, memory_order_acquire) == FERRY_HELD;
}

/*
 * The owner takes the Capability of its call back, unless another thread has taken the Capability. acquire: a thread
 * that has taken the Capability has written `state` before `claim`.
 */
static inline bool ferry_held_take(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	atomic_store_explicit(&own->call, NULL, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&own->claim, memory_order_acquire) == FERRY_UNCLAIMED, 1))
		return __builtin_expect(atomic_load_explicit(&call->state, memory_order_relaxed) == FERRY_HELD, 1);
	return ferry_held_is_left(own, call);
}

/*
 * Give the call's Capability up. The thread that has taken the Capability calls this: the owner (ferry_held_take), or a
 * thread that has won (retake.c).
 */
void ferry_held_give_up(struct ferry_held_owner *own, struct ferry_held_call *call);

/*
 * Take the Capability of the call that an owner is in, and give it up, unless another thread has done so already or
 * does so now.
 */
void ferry_held_retake(struct ferry_held_owner *own);

/*
 * The owner calls this when another thread has taken the Capability: wait until the Capability is given up. Returns the
 * token.
 */
void *ferry_held_await_token(struct ferry_held_call *call);

/* The owner calls this when it resumes with its token. */
void ferry_held_resumed(void);

/*
 * How many held calls still run although their Capability has been given up. Each uses a processor that no Capability
 * accounts for.
 */
unsigned ferry_held_given_up_count(void);

/* Whether any call is held. Called by the monitor before it sleeps. */
bool ferry_held_is_any(void);

/* Retake every call that is held, when there is no monitor that could do so later. */
void ferry_held_retake_all(void);

/* Whether the linker leads each thread that is about to collect through wanted.c. */
bool ferry_held_collections_are_led(void);

/* Called before a fork, and after it in the parent: no call is retaken in between. */
void ferry_held_begin_fork(void);
void ferry_held_end_fork(void);

/* Called in the child of a fork: forget the calls of threads that do not exist in the child. */
void ferry_held_begin_child(void);

/*
 * Called by the monitor when an owner has asked for an early look: retake each call that goes on while
 * Haskell threads wait in its Capability's run queue. Returns whether there was such a call.
 */
bool ferry_held_look_early(void);

/* How many calls early looks have retaken. relaxed: a count that the tests read */
extern _Atomic unsigned ferry_held_early_count;

/*
 * Called by the monitor: retake each call that has gone on since the last look, or whose Capability is asked for or
 * waited for by a thread that comes back from a safe call. Sets holds[i] if a call held Capability i. True if there
 * were held calls since the last look.
 */
bool ferry_held_look(bool holds[FERRY_CAPABILITIES_MAX]);

#endif /* FERRY_HASKELL_RETAKE_H */
