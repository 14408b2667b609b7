/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adaptive spinning, the slow half: what a waiter does when its eager looks, 32 of them without the clock, were in
 * vain. It may spin for its *budget*, which is the whole of `most_ns` if its last wait was over by then, and half of
 * what it was if not (wait.h has the rule and its source). thread/spin.h ends the spin earlier where spinning is of no
 * use.
 *
 * What may go wrong: nothing here decides whether a wait is over; a wrong choice costs time, nothing else. What may
 * change: when a thread spins; `ferry measure ingress` shows the effect.
 */
#include "ingress/waiting/wait.h"
#include "ingress/limits.h"

#include "thread/neighbours.h"

#include <sched.h>
#include <stddef.h>
#include <unistd.h>

/*
 * How many threads spin, and how many processors this process may use (0: not asked yet). Both are accessed relaxed:
 * they are hints, and nothing is published through them.
 */
static struct {
	/* in a line of its own: each call reads what the linker would lay beside it */
	_Alignas(INGRESS__LINE_BYTES) _Atomic uint32_t threads;
} spinning;
static _Atomic uint32_t processors;

uint64_t ingress__deadline_ns(int64_t timeout_ns)
{
	uint64_t now;

	if (timeout_ns == INT64_MAX)
		return THREAD__NEVER;
	now = thread__now_ns();
	return timeout_ns <= 0 ? now : now + (uint64_t)timeout_ns;
}

static uint32_t count_processors(void)
{
	uint32_t known = atomic_load_explicit(&processors, memory_order_relaxed);
	cpu_set_t set;

	if (known)
		return known;
	CPU_ZERO(&set);
	known = sched_getaffinity(0, sizeof(set), &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 0;
	if (known == 0)
		known = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	atomic_store_explicit(&processors, known, memory_order_relaxed);
	return known;
}

/* Whether the other thread ran last on the caller's processor. */
static bool is_here(const struct thread__runner *other)
{
	struct thread__runner self = { .cpu = other ? thread__cpu_word() : NULL };

	return other && thread__runner_is_beside(&self, other);
}

void ingress__spinning_forget(void)
{
	/* the threads that spun are the parent's */
	atomic_store_explicit(&spinning.threads, 0, memory_order_relaxed);
	thread__neighbours_forget();
}

static void stop_counting(struct ingress__spin *spin)
{
	if (spin->counted)
		atomic_fetch_sub_explicit(&spinning.threads, 1, memory_order_relaxed);
	spin->counted = false;
}

/*
 * Called once, after the eager looks: read the clock. Returns whether the thread may spin for its budget. It may not if
 * the budget is too small, and not if, with it, as many threads spin as there are processors: then they would take the
 * processor of the thread that they wait for. A thread that knows that other thread may spin all the same, because
 * thread__spin() sees whether it runs.
 */
static bool begin_slowly(struct ingress__spin *spin)
{
	spin->start_ns = thread__now_ns();
	if (*spin->budget_ns < INGRESS__SPIN_LEAST_NS)
		return false;
	spin->counted = true;
	if (atomic_fetch_add_explicit(&spinning.threads, 1, memory_order_relaxed) + 1 < count_processors())
		return true;
	return spin->spin.other && count_processors() > 1;
}

bool ingress__spin_slowly(struct ingress__spin *spin)
{
	if (spin->most_ns <= 0)
		return false;
	/* the other thread cannot run before this one sleeps, if both are on one processor */
	spin->was_here = is_here(spin->spin.other);
	if (!spin->was_here) {
		if (spin->looks < INGRESS__SPIN_EAGER)
			return true;
		/* thread__spin() reads the clock once in so many looks; those that only paused count too */
		spin->spin.looks = spin->looks - INGRESS__SPIN_EAGER;
		if ((spin->start_ns || begin_slowly(spin)) && thread__spin(&spin->spin, 0, 0))
			return true;
	}
	stop_counting(spin);
	if (!spin->start_ns)
		spin->start_ns = thread__now_ns();
	return false;
}

void ingress__spin_end(struct ingress__spin *spin)
{
	stop_counting(spin);
}

void ingress__spin_slept(struct ingress__spin *spin)
{
	uint64_t took;

	if (spin->most_ns <= 0)
		return;
	/* with the sleep: a spin of most_ns would have seen the end of a wait that took no longer */
	took = thread__now_ns() - spin->start_ns;
	if (took <= (uint64_t)spin->most_ns)
		*spin->budget_ns = (uint32_t)spin->most_ns;
	else
		*spin->budget_ns /= 2;
}
