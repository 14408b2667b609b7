/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adaptive spinning: a thread that waits spins for a bounded time and then sleeps. The bound, its budget, tunes itself.
 *
 * The rule: a wait that took at most `most_ns`, whether it spun or slept, would have ended during a spin of that
 * length, so the next wait may spin for that long. A wait that took longer halves the budget, so a thread whose waits
 * are long soon sleeps at once. (Karlin, Manasse, McGeoch, Owicki 1994: spinning as long as a sleep costs is
 * never worse than twice the best choice. Here each waiter learns whether to spin at all.)
 *
 * A thread does not spin
 *	- on the processor on which the thread that it waits for ran last: that thread cannot be running (for the
 *	  library thread, placement.c);
 *	- when as many threads spin already as there are processors, less one;
 *	- when other programs want the processors, or the thread it waits for has lost its own: thread/spin.h.
 *
 * How to use it:
 *
 *	struct ingress__spin spin = ingress__spin_begin(&budget_ns, most_ns, other);
 *
 *	while (!condition() && ingress__spin_step(&spin))
 *		;
 *	if (condition())
 *		ingress__spin_end(&spin);
 *	else {
 *		park: store PARKED; unless condition(): sleep;
 *		ingress__spin_slept(&spin);
 *	}
 */
#ifndef INGRESS_WAIT_H
#define INGRESS_WAIT_H

#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/spin.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ingress__spin {
	uint32_t *budget_ns;
	int64_t most_ns;
	uint64_t start_ns; /* of the wait; 0: the clock was not read yet */
	struct thread__spin spin;
	uint32_t looks;
	bool counted;  /* whether the thread is among those that spin */
	bool was_here; /* whether the thread that it waits for ran last on this processor */
};

/* `other` is the thread that will end the wait, or NULL where any thread may. */
static inline struct ingress__spin ingress__spin_begin(uint32_t *budget_ns, int64_t most_ns,
						       const struct thread__runner *other)
{
	return (struct ingress__spin){ .budget_ns = budget_ns,
				       .most_ns = most_ns,
				       .spin = thread__spin_begin(NULL, other, *budget_ns, 0) };
}

/* Looks before the first reading of the clock. They cover a hand-over between two processors that are both awake. */
#define INGRESS__SPIN_EAGER 32u

bool ingress__spin_slowly(struct ingress__spin *spin);

/* Pause before the next look. False: sleep instead. */
static inline bool ingress__spin_step(struct ingress__spin *spin)
{
	if (spin->looks++ % 8 != 7) {
		thread__relax();
		return true;
	}
	return ingress__spin_slowly(spin);
}

/* Skip the eager looks: what the caller waits for is not about to come. */
static inline void ingress__spin_skip_eager(struct ingress__spin *spin)
{
	spin->looks = INGRESS__SPIN_EAGER - 1;
}

/* The thread sleeps without spinning. */
static inline void ingress__spin_sleeps(struct ingress__spin *spin)
{
	spin->start_ns = thread__now_ns();
}

/* The wait ended while the thread was spinning. */
void ingress__spin_end(struct ingress__spin *spin);
/* The wait ended after a sleep: adapt the budget. */
void ingress__spin_slept(struct ingress__spin *spin);

/* In the child of a fork: no thread spins. */
void ingress__spinning_forget(void);

/* The time in timeout_ns from now; THREAD__NEVER for INGRESS_FOREVER. */
uint64_t ingress__deadline_ns(int64_t timeout_ns);

#endif
