/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose turn it is on a Capability while there are parallel regions.
 *
 * GHC's runtime system ends a thread's turn every 20 ms, and that is how long one waits that has slept and finds
 * another that computes. It does not matter where a Capability is free; regions make more threads compute than there
 * were. So while there are regions turns end earlier:
 *
 *  - where threads have gone on waiting since the monitor's last look, they change places (ferry_turn_share),
 *  - where nobody waited, who comes is let in at once (ferry_turn_is_over). Most of those are there for microseconds:
 *    the thread that serves GHC's timers, the one whose timer that was, or one whose MVar was filled. Whoever opens
 *    regions looks, at each, at its own Capability and at one of the others.
 *
 * A thread that is let in early may compute after all, and do so again after its next pause. So whom it displaced then
 * has EARLY_REST times as long for itself as it had to do without: nobody loses more than a third by that. One that
 * comes often brings another: the thread of the timers those whose time has come. They belong together.
 *
 *	opens regions			turn of Capability 1	threads of Capability 1
 *					since = 0		A computes; nobody waits
 *	region; look: nobody waits	owner = A
 *								B wakes up, is queued
 *	region; look: B waits		since = t0
 *	asks for a switch
 *								A is put behind B; B runs, wakes C, sleeps
 *								A runs, C is queued
 *	region; look: C waits, A runs
 *	asks for a switch
 *								C runs, sleeps; A goes on
 *	region; look: nobody waits	not_before = t1 +
 *					EARLY_REST * (t1 - t0)
 *
 * All fields of the runtime system are read without its locks, and all of ours are relaxed: what is missed is seen at
 * the next look, and a switch too many costs the one it is asked of a microsecond.
 */
#include <stdatomic.h>

#include "Rts.h"

#include "capability.h"
#include "held.h"

#include "thread/clock.h"

enum {
	/* that a thread which opens regions has before another, which has one; see ferry_turn_share */
	TURNS = 3,
	EARLY_REST = 2,
	/* A thread that comes so long after the first still belongs to it. */
	TOGETHER_NS = 200000,
	/* The longest that counts as the time somebody was displaced; nobody may have looked for long. */
	EARLY_MOST_NS = 2000000,
	/* `since` when it is longer than TOGETHER_NS: somebody waits all the time, which is for the monitor. */
	LONG_SINCE = 1,
	/* What was seen so long ago says nothing. */
	FORGOTTEN_NS = 10000000,
	/* A thread that opened a region so long ago has the turn: a thread that only wakes another takes less. */
	OPENED_NS = 100000,
};

static struct turn {
	/* Since when somebody is let in early, or 0: nobody waits. */
	_Alignas(64) _Atomic uint64_t since;
	/* Nobody is let in early again before. */
	_Atomic uint64_t not_before;
	/* The thread that ran when last nobody waited. Never looked into: it may be gone or moved. */
	_Atomic(StgTSO *) owner;
	/* When a region was opened here last while somebody waited. */
	_Atomic uint64_t opened_ns;
	/* Looks of the monitor since which the same thread may be running; its own. */
	unsigned looks;
} turns[FERRY_CAPABILITIES_MAX];

/* Threads that could run, and Tasks that come back from safe calls. */
static bool is_queued(const char *capability)
{
	return __atomic_load_n(&ferry_capability_head(capability)->n_run_queue, __ATOMIC_RELAXED);
}

static bool is_returned_to(const char *capability)
{
	return __atomic_load_n(&ferry_capability_queues(capability)->n_returning_tasks, __ATOMIC_RELAXED);
}

/* As contextSwitchCapability and interruptCapability of the runtime system: after the latter the thread goes first. */
static void ask(char *capability, bool for_another)
{
	StgRegTable *base = (StgRegTable *)(capability + OFFSET_Capability_r);
	size_t flag = for_another ? OFFSET_Capability_context_switch : OFFSET_Capability_interrupt;

	__atomic_store_n((void **)&base->rHpLim, NULL, __ATOMIC_SEQ_CST);
	__atomic_store_n((int *)(capability + flag), 1, __ATOMIC_SEQ_CST);
}

static void nobody_waits(struct turn *turn, uint64_t since)
{
	uint64_t now = thread__now_ns();
	uint64_t lost = now - since < EARLY_MOST_NS ? now - since : EARLY_MOST_NS;

	atomic_store_explicit(&turn->not_before, now + EARLY_REST * lost, memory_order_relaxed);
	atomic_store_explicit(&turn->since, 0, memory_order_relaxed);
}

/* Whether a thread that waits there is to be let in before the end of `runs`'s turn. */
static bool lets_in(struct turn *turn, bool waits, StgTSO *runs)
{
	uint64_t since = atomic_load_explicit(&turn->since, memory_order_relaxed);
	uint64_t now;

	if (!waits) {
		if (since)
			nobody_waits(turn, since);
		/* the plain look keeps the line shared */
		if (runs && atomic_load_explicit(&turn->owner, memory_order_relaxed) != runs)
			atomic_store_explicit(&turn->owner, runs, memory_order_relaxed);
		return false;
	}
	if (since == LONG_SINCE || runs != atomic_load_explicit(&turn->owner, memory_order_relaxed))
		return false;
	now = thread__now_ns();
	if (now - since > FORGOTTEN_NS)
		since = 0;
	if (!since && now < atomic_load_explicit(&turn->not_before, memory_order_relaxed))
		return false;
	if (since && now - since > TOGETHER_NS) {
		atomic_store_explicit(&turn->since, LONG_SINCE, memory_order_relaxed);
		return false;
	}
	if (!since)
		atomic_store_explicit(&turn->since, now, memory_order_relaxed);
	return true;
}

/* NULL between two threads, and while there is a collection. */
static StgTSO *running(const char *capability)
{
	return __atomic_load_n((StgTSO **)(capability + OFFSET_Capability_r + OFFSET_StgRegTable_rCurrentTSO),
			       __ATOMIC_RELAXED);
}

static void look_at_another(unsigned own)
{
	static __thread unsigned next;
	unsigned count = ferry_capability_count();
	char *capability;
	bool queued;

	next = next + 1 < count ? next + 1 : 0;
	if (next == own)
		next = next + 1 < count ? next + 1 : 0;
	if (next == own || !(capability = (char *)ferry_capability(next)))
		return;
	queued = is_queued(capability);
	if (lets_in(&turns[next], queued || is_returned_to(capability), running(capability)))
		ask(capability, queued);
}

bool ferry_turn_is_over(char *capability)
{
	unsigned number = ferry_capability_head(capability)->no;
	bool waits = is_queued(capability);

	/* The runtime system lets a Task that returns wait for the end of the turn; it goes first, and is there for
	 * what it was called for. */
	if (is_returned_to(capability))
		return true;
	if (number >= FERRY_CAPABILITIES_MAX)
		return false;
	if (waits)
		atomic_store_explicit(&turns[number].opened_ns, thread__now_ns(), memory_order_relaxed);
	if (lets_in(&turns[number], waits, running(capability))) {
		ask(capability, true);
		return true;
	}
	look_at_another(number);
	return false;
}

/*
 * A thread that opens regions has three turns in a row. It has one processor now where its regions had two, so that it
 * loses more than the others: beside two threads that compute it kept 0.35 of its rate with two turns, and they 0.6 of
 * theirs; with three 0.38 to 0.42, and they about as much as before. That is, if it still has the turn: the runtime
 * system's own tick may have ended it since the monitor's last look, and the thread that came then has one.
 */
bool ferry_turn_share(unsigned number, bool holds)
{
	char *capability = (char *)ferry_capability(number);
	struct turn *turn = &turns[number];
	bool queued, returning, opens;

	if (!capability)
		return false;
	opens = holds || thread__now_ns() - atomic_load_explicit(&turn->opened_ns, memory_order_relaxed) < OPENED_NS;
	queued = is_queued(capability);
	returning = is_returned_to(capability);
	if (!queued && !returning) {
		turn->looks = 0;
		return false;
	}
	turn->looks++;
	if (!opens || turn->looks >= TURNS || returning) {
		/* A holder that only lets a returning thread back in keeps its own place in the queue. */
		bool for_another = queued && turn->looks >= (opens ? TURNS : 1);

		ask(capability, for_another);
		if (for_another)
			turn->looks = 0;
	}
	return true;
}
