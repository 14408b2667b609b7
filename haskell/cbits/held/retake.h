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

#include "capability/list.h"

/* Of a held call's Capability. */
enum ferry_held_state {
	/* Not given up. */
	FERRY_HELD,
	/* Not given up yet, and the owner sleeps until it is. */
	FERRY_AWAITED,
	/* Given up: the token is there. */
	FERRY_GIVEN_UP,
};

/* The record of a held call. It lies on the stack of the thread that makes the call, its owner. */
struct ferry_held_call {
	struct ferry_held_call *outer; /* the call that this one is called back from, if any */
	StgRegTable *base;
	unsigned number; /* the Capability's */
	/* What resumeThread wants, once the Capability has been given up. */
	void *token;
	/*
	 * An enum ferry_held_state. Set to FERRY_GIVEN_UP with release: the thread that gave the Capability up has
	 * written the token, and does not touch the record again. Read with acquire by the owner, before it reads the
	 * token.
	 */
	_Atomic uint32_t state;
};

/* The calling thread's innermost held call, or NULL. */
extern __thread struct ferry_held_call *ferry_held_own;

/* The table of held calls: a row for each Capability. */
struct ferry_held_row {
	/*
	 * The call that holds the Capability, or NULL. Only the thread that takes it may look into it: it may be gone.
	 */
	_Alignas(64) _Atomic(struct ferry_held_call *) call;
	/* Written before `call` is for the first time, and always with the same value. */
	_Atomic(StgRegTable *) base;
	/*
	 * Calls so far. Written by the thread that has the Capability; relaxed: a monitor that reads an old one looks
	 * again.
	 */
	_Atomic uint32_t calls;
};

extern struct ferry_held_row ferry_held_rows[FERRY_CAPABILITIES_MAX];

/* Whether calls can be held in this runtime system: 1, 0, or -1 until the first question. */
extern _Atomic int ferry_held_possible;

/* Find the answer to that. */
bool ferry_held_find_out(void);

/*
 * Whether the runtime system has threads and is not the debug one; see retake.c. relaxed: every thread finds the same.
 */
static inline bool ferry_held_is_possible(void)
{
	int found = atomic_load_explicit(&ferry_held_possible, memory_order_relaxed);

	return __builtin_expect(found < 0 ? ferry_held_find_out() : found, 1);
}

/* A Capability's first held call. */
void ferry_held_introduce(const struct ferry_held_call *call);

/* By the owner: from here on any thread may retake the Capability. The owner wakes the monitor next. */
static inline void ferry_held_publish(struct ferry_held_call *call)
{
	struct ferry_held_row *row = &ferry_held_rows[call->number];
	uint32_t calls = atomic_load_explicit(&row->calls, memory_order_relaxed);

	if (__builtin_expect(!atomic_load_explicit(&row->base, memory_order_relaxed), 0))
		ferry_held_introduce(call);
	atomic_store_explicit(&row->calls, calls + 1, memory_order_relaxed);
	/* release: the Haskell thread's saved state. seq_cst: the monitor may be about to sleep (monitor.c). */
	atomic_exchange_explicit(&row->call, call, memory_order_seq_cst);
}

/*
 * Take Capability `number` from the call that holds it. True when this thread did: it has the Capability then. The
 * owner takes it when the function returns, any other thread to give it up. `call` is only compared, since it may be
 * gone. acquire: the owner's saved state, as published. release: pairs with the exchange that fails, of whoever comes
 * second.
 */
static inline bool ferry_held_take(unsigned number, struct ferry_held_call *call)
{
	return atomic_compare_exchange_strong_explicit(&ferry_held_rows[number].call, &call, NULL, memory_order_acq_rel,
						       memory_order_acquire);
}

static inline bool ferry_held_is_given_up(struct ferry_held_call *call)
{
	return atomic_load_explicit(&call->state, memory_order_acquire) == FERRY_GIVEN_UP;
}

/* Give up a call's Capability, by the thread that has taken it, or before it is published. */
void ferry_held_give_up(struct ferry_held_call *call);

/*
 * Take a call's Capability and give it up, unless another thread has done so already. The caller knows that the record
 * is there: the call is its own, or that of the region it works for.
 */
void ferry_held_retake(struct ferry_held_call *call);

/* By the owner, when another thread has taken the Capability: wait until it is given up. Returns the token. */
void *ferry_held_await_token(struct ferry_held_call *call);

/* By the owner, when it has resumed with its token. */
void ferry_held_resumed(void);

/* How many held calls run that have given their Capability up: on processors that no Capability stands for. */
unsigned ferry_held_given_up_count(void);

/* Whether any call is held. */
bool ferry_held_is_any(void);

/* Retake every call that is held, where there is nobody to do so later. */
void ferry_held_retake_all(void);

/* In the child of a fork: the calls of the threads that are not in it do not go on. */
void ferry_held_begin_child(void);

/*
 * By the monitor: retake each call that went on since its last look, or whose Capability somebody wants. Sets holds[i]
 * where a call held Capability i. True when there were held calls since the last look.
 */
bool ferry_held_look(bool holds[FERRY_CAPABILITIES_MAX]);

#endif /* FERRY_HASKELL_RETAKE_H */
