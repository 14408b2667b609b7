/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which call holds which Capability, and who may give that up: see retake.c, which has the race. The two steps of a
 * held call that is not disturbed are here, so that they are compiled into it.
 */
#ifndef FERRY_HASKELL_RETAKE_H
#define FERRY_HASKELL_RETAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "Rts.h"

#include "capability/fields.h"
#include "capability/list.h"

/* Of a held call's Capability. */
enum ferry_held_state {
	/* Held. */
	FERRY_HELD,
	/* Another thread has taken it, and gives it up next. */
	FERRY_TAKEN,
	/* The same, and the owner sleeps until it is given up. */
	FERRY_AWAITED,
	/* Given up: the token is there. */
	FERRY_GIVEN_UP,
};

/* Of an owner's call: which of the owner and one other thread gets the Capability; see retake.c. */
enum ferry_claim {
	/* No other thread wants it. */
	FERRY_UNCLAIMED,
	/* One does, and finds out whether the call goes on. */
	FERRY_CLAIMED,
	/* The owner saw that when it took its Capability, or waits for its token: the other thread gets nothing. */
	FERRY_DENIED,
	/* The other thread has the Capability. */
	FERRY_WON,
};

/*
 * In the address of a function: its call is interruptible, as that of an `interruptible` import. No address of a
 * program has this bit.
 */
#define FERRY_HELD_INTERRUPTIBLE ((StgWord)1 << 63)

/* The record of a held call. It lies on the stack of the thread that makes the call, its owner. */
struct ferry_held_call {
	struct ferry_held_call *outer; /* the call that this one is called back from, if any */
	/* Registers of the Haskell thread whose state is not saved yet; `hp` is NULL when it is. */
	StgPtr sp, hp;
	/* The function's address where that is known, and whether an exception may interrupt the call. */
	StgWord function;
	/*
	 * An enum ferry_held_state. Set to FERRY_GIVEN_UP with release: the thread that gave the Capability up has
	 * written the token, and does not touch the record again. Read with acquire by the owner, before it reads the
	 * token.
	 */
	_Atomic uint32_t state;
	/* What resumeThread wants, once the Capability has been given up. */
	void *token;
};

/*
 * An OS thread that makes held calls. Never freed: it passes to another OS thread when this one ends, so that any
 * thread may read one whenever it likes.
 */
struct ferry_held_owner {
	/*
	 * The call that holds a Capability, or NULL. Written by the owner, with NULL also by a thread that has won. The
	 * record may be looked into by the owner and by a thread that has won.
	 */
	_Alignas(64) _Atomic(struct ferry_held_call *) call;
	/* The register table of that Capability. Written before `call` is, where the owner goes to another one. */
	_Atomic(StgRegTable *) base;
	/* Calls so far. relaxed: a monitor that reads an old one looks again. */
	_Atomic uint32_t calls;
	/* An enum ferry_claim. */
	_Atomic uint32_t claim;
	/* The owner's innermost call, with its Capability or without; the row of `base`. Its own, both. */
	struct ferry_held_call *innermost;
	struct ferry_held_row *row;
	/*
	 * What cmm reads after a call: the token, which it sets back to NULL, and the function's result. The owner's
	 * own.
	 */
	void *token;
	union {
		StgWord word;
		StgDouble float64;
		StgFloat float32;
	} result;
	/* A call that is published while the monitor is not awake yet, or NULL. The owner's own; see call.h. */
	struct ferry_held_call *begun;
	/* Whether an OS thread has it. */
	_Atomic bool is_used;
	struct ferry_held_owner *next;
};

/* What stands for the owner of a thread that has made no held call yet: it is in none, and no row names it. */
extern struct ferry_held_owner ferry_held_nobody;

/*
 * That of the calling thread; ferry_held_nobody before its first held call. initial-exec: reading it must not call a
 * function, which would have the arguments of a held call saved first. A library that is loaded later finds room for
 * one pointer.
 */
extern __thread struct ferry_held_owner *ferry_held_own __attribute__((tls_model("initial-exec")));

/* Make it. Ends the program where there is no memory. */
struct ferry_held_owner *ferry_held_enter(void);

static inline struct ferry_held_owner *ferry_held_self(void)
{
	struct ferry_held_owner *own = ferry_held_own;

	return __builtin_expect(own != &ferry_held_nobody, 1) ? own : ferry_held_enter();
}

/*
 * The table of owners: the one that held each Capability last. Written by the thread that has that Capability; release:
 * the owner was made before.
 */
struct ferry_held_row {
	_Alignas(64) _Atomic(struct ferry_held_owner *) owner;
};

extern struct ferry_held_row ferry_held_rows[FERRY_CAPABILITIES_MAX];

/* Whether calls can be held in this runtime system: 1, 0, or -1 until the first question. */
extern _Atomic int ferry_held_possible;

/* Find the answer to that. */
bool ferry_held_find_out(void);

/*
 * Whether the runtime system has threads and is not the debug one, and the system has the barrier that retake.c needs.
 * relaxed: every thread finds the same.
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
 * Make it so. By the owner, for its first held call on a Capability that another thread held before. False where the
 * Capability has no row: its number is FERRY_CAPABILITIES_MAX or more.
 */
bool ferry_held_introduce(struct ferry_held_owner *own, StgRegTable *base);

/*
 * By the owner, which has been introduced: from here on any thread may retake the Capability. The owner looks at
 * the monitor's state next, and nothing but the compiler keeps that order: the other side makes the barrier for both
 * (retake.c).
 */
static inline void ferry_held_publish(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	uint32_t calls = atomic_load_explicit(&own->calls, memory_order_relaxed);

	call->outer = own->innermost;
	atomic_store_explicit(&call->state, FERRY_HELD, memory_order_relaxed);
	own->innermost = call;
	atomic_store_explicit(&own->calls, calls + 1, memory_order_relaxed);
	/* release: the record, and the Haskell thread's state where it is saved */
	atomic_store_explicit(&own->call, call, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
}

/*
 * Where another thread has claimed the call: whether the owner has its Capability all the same. That the claim is
 * denied does not say so: a third thread may have won before, and the one that is denied may have seen the call while
 * that was there, or a nested one. Inlined, like everything that runs before the function does: a call would have the
 * arguments saved.
 */
static inline bool ferry_held_is_left(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	uint32_t claim = FERRY_CLAIMED;

	/*
	 * acquire, both: a thread that has won writes `state` before it withdraws its claim, and a later claim is made
	 * by an exchange of what it wrote then
	 */
	atomic_compare_exchange_strong_explicit(&own->claim, &claim, FERRY_DENIED, memory_order_acq_rel,
						memory_order_acquire);
	return claim != FERRY_WON && atomic_load_explicit(&call->state, memory_order_acquire) == FERRY_HELD;
}

/*
 * By the owner: take the Capability of its call, if no other thread has. acquire: a thread that has taken it has
 * written `state` before `claim`.
 */
static inline bool ferry_held_take(struct ferry_held_owner *own, struct ferry_held_call *call)
{
	atomic_store_explicit(&own->call, NULL, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&own->claim, memory_order_acquire) == FERRY_UNCLAIMED, 1))
		return __builtin_expect(atomic_load_explicit(&call->state, memory_order_relaxed) == FERRY_HELD, 1);
	return ferry_held_is_left(own, call);
}

/* By the owner, which has taken its Capability: give it up. */
void ferry_held_give_up(struct ferry_held_owner *own, struct ferry_held_call *call);

/*
 * Take the Capability of the call that an owner is in, and give it up, unless another thread has done so already or
 * does so now.
 */
void ferry_held_retake(struct ferry_held_owner *own);

/* By the owner, when another thread has taken the Capability: wait until it is given up. Returns the token. */
void *ferry_held_await_token(struct ferry_held_call *call);

/* By the owner, when it has resumed with its token. */
void ferry_held_resumed(void);

/* How many held calls run that have given their Capability up: on processors that no Capability stands for. */
unsigned ferry_held_given_up_count(void);

/* Whether any call is held. By the monitor, which is about to sleep. */
bool ferry_held_is_any(void);

/* Retake every call that is held, where there is nobody to do so later. */
void ferry_held_retake_all(void);

/* Retake every call that is held and does not end within a few microseconds. By a thread that waits for all of them. */
void ferry_held_retake_lasting(void);

/* Before a fork, and after it in the parent: no call is retaken in between. */
void ferry_held_begin_fork(void);
void ferry_held_end_fork(void);

/* In the child of a fork: the calls of the threads that are not in it do not go on. */
void ferry_held_begin_child(void);

/*
 * By the monitor: retake each call that went on since its last look, or whose Capability somebody wants. Sets holds[i]
 * where a call held Capability i. True when there were held calls since the last look.
 */
bool ferry_held_look(bool holds[FERRY_CAPABILITIES_MAX]);

#endif /* FERRY_HASKELL_RETAKE_H */
