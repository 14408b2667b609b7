/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting: look for a bounded while, then sleep. How long to look tunes itself.
 *
 * A wait that ended within `most_ns`, spinning or not, would have been caught by spinning so long: the next one may.
 * One that took longer halves the budget, so a thread that waits for rare things soon sleeps at once (Karlin, Manasse,
 * McGeoch, Owicki 1994: never worse than twice the best choice; here each waiter learns which it is). Nobody spins
 *	- on the processor on which the thread it waits for ran last: that thread cannot be running;
 *	- beside as many spinning threads as there are processors but one;
 *	- where neighbours want the processors, or the thread it waits for has lost its own: thread/spin.h.
 *
 *	struct ingress__spin spin = ingress__spin_begin(&budget_ns, most_ns, other);
 *
 *	while (!condition() && ingress__spin_step(&spin))
 *		;
 *	if (condition())
 *		ingress__spin_end(&spin);
 *	else {
 *		announce; unless condition(): sleep;
 *		ingress__spin_slept(&spin);
 *	}
 *
 * A parker is a word that says how its thread sleeps. Its thread announces, looks again at what it waits for, and
 * sleeps while the word says so; a waker stores first what it waits for, then looks at the word. A waker may be
 * suspended at any point, by a signal, a debugger or a thread of a higher priority, and then any other waker has to do:
 * so the word says AWAKE only when the wake-up is over. If a waker said so first, this would happen:
 *
 *	sleeper			waker A				waker B
 *	PARKED, sleeps
 *				PARKED -> AWAKE
 *				suspended
 *								AWAKE: nothing to do
 *	sleeps until A goes on
 */
#ifndef INGRESS_WAIT_H
#define INGRESS_WAIT_H

#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/spin.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * An eventcount: a word that changes with whatever others may wait for. Who waits reads it, looks at what it waits for,
 * and parks while it is what was read; so a waiter whose waker is suspended before it wakes sleeps until its deadline
 * at most.
 */
static inline uint32_t ingress__eventcount_read(const _Atomic uint32_t *count)
{
	/* acquire: what was changed before */
	return atomic_load_explicit(count, memory_order_acquire);
}
/* After the change. */
void ingress__eventcount_advance(_Atomic uint32_t *count);

/*
 * What a parker says. PARKED: it sleeps on the word. POLLING: it sleeps on a descriptor; the bits above count these
 * sleeps, so that a waker tells the sleep that it has written for from a later one.
 */
enum ingress__parked { INGRESS__AWAKE = 0, INGRESS__PARKED = 1, INGRESS__POLLING = 2, INGRESS__POLL_ONE = 4 };

struct ingress__spin {
	uint32_t *budget_ns;
	int64_t most_ns;
	uint64_t start_ns; /* 0: not read yet */
	struct thread__spin spin;
	uint32_t looks;
	bool counted;  /* among those that spin */
	bool was_here; /* the thread that is waited for ran on this thread's processor */
};

/* `other` is the thread that is waited for, or NULL where it may be any. */
static inline struct ingress__spin ingress__spin_begin(uint32_t *budget_ns, int64_t most_ns,
						       const struct thread__runner *other)
{
	return (struct ingress__spin){ .budget_ns = budget_ns,
				       .most_ns = most_ns,
				       .spin = thread__spin_begin(NULL, other, *budget_ns, 0) };
}

/* Looks before the clock is read for the first time: a hand-over between two processors that are awake. */
#define INGRESS__SPIN_EAGER 32u

bool ingress__spin_slowly(struct ingress__spin *spin);

/* Wait a moment before the next look. False: sleep instead. */
static inline bool ingress__spin_step(struct ingress__spin *spin)
{
	if (spin->looks++ % 8 != 7) {
		thread__relax();
		return true;
	}
	return ingress__spin_slowly(spin);
}

/* Leave out the eager looks: what is waited for is not about to come. */
static inline void ingress__spin_hurry(struct ingress__spin *spin)
{
	spin->looks = INGRESS__SPIN_EAGER - 1;
}

/* What was waited for came while spinning. */
void ingress__spin_end(struct ingress__spin *spin);
/* It came after a sleep. */
void ingress__spin_slept(struct ingress__spin *spin);

/* The time in timeout_ns from now; THREAD__NEVER: never. */
uint64_t ingress__deadline_ns(int64_t timeout_ns);
/* How many processors the process may use. */
uint32_t ingress__processors(void);

#endif
