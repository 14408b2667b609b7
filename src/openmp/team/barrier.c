/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barrier of a team: all its members wait here until the last one has arrived.
 *
 * A dissemination barrier. In round r each of the n members tells another member at distance 2^r that it has arrived;
 * after log2(n) rounds every member has heard of every other. Member i tells i + 2^r (Hensgen, Finkel, Manber 1988;
 * Mellor-Crummey, Scott 1991) or, where n is a power of two, i xor 2^r (the butterfly of Brooks 1986). Each flag has
 * one writer and one reader. It holds the number of the barrier, so nobody ever resets it. Odd and even barriers have
 * flags of their own, because a partner can be one barrier ahead:
 *
 *	member 0				member 1
 *	barrier 1: flag[1] of 1 := 1		barrier 1: flag[1] of 0 := 1
 *	sees its flag[1] == 1, leaves		(has not looked yet)
 *	barrier 2: flag[0] of 1 := 2		sees its flag[1] == 1 still
 *
 * A member stores its flag and then looks whether its partner sleeps, without a fence between the two. So the processor
 * may do the look first, and a partner that goes to sleep meanwhile is not woken:
 *
 *	member 0				member 1
 *	flag of 1 := 1, not yet visible		parked := 1
 *	parked of 1 is 0			its flag is 0 still
 *	(its flag becomes visible)		sleeps
 *
 * A fence would cost each barrier 10 of its 50 ns, to prevent what happens only when a partner goes to sleep within the
 * few ns that a store takes to become visible. Instead such a sleep has a limit, after which the sleeper looks again
 * (limit_ns in wait.h; HotSpot leaves monitors without a fence in the same way, "1-0 exit" in its objectMonitor.cpp). A
 * membarrier(2) call by each member that goes to sleep would prevent the race too, but it made the serial code beside a
 * worker that goes to sleep 8 us slower.
 *
 * Between two looks a waiter pauses: without the pause it would take the cache line away from the member that is about
 * to write it. The two partners of a butterfly keep their flags in one line, so that the one that writes its flag gets
 * the other's with it; with a line for each flag a barrier took 50 ns instead of 40. The floor is floor_exchange in
 * bench/openmp: the same exchange of two flags, and nothing else.
 *
 * Each flag also carries a bit that says "the team has unfinished tasks". A member sends on the bits that it has
 * received, so after the last round all members leave with the same answer. When the answer is yes, they run tasks
 * until the team has none and then meet once more, so that no member still looks for tasks when another one creates
 * some after the barrier.
 *
 * A team with more members than processors meets at a counter instead, a centralized barrier: there each member has to
 * run once, not once in each round. No member leaves before the last task has ended, so one meeting is enough: all
 * members that have arrived run tasks while they wait, and one of the members that find that all have come and no task
 * is left lets the others go. No member has to be woken for that. Each member that ends a task looks, and each waiter
 * looks once more after its full memory barrier before it sleeps: of two that end the last two tasks, the one whose
 * memory barrier comes second sees both ends.
 *
 * A cancelled region leaves the flags in disorder; the primary puts them back after the join (omp__barrier_reset).
 *
 * What may change: how members are paired, and where their flags lie (connect, make_meetings). What may not: a member
 * stores its flag before it looks whether its partner sleeps, and a waiter without a partner's fence has a limit.
 */
#include "openmp/team/barrier.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/state/team_state.h"
#include "openmp/synchronization/team_wake.h"
#include "openmp/team/gather.h"

#include "thread/clock.h"

#include <stdlib.h>

#define MET_CANCELLED UINT32_MAX
/* Keeps the count so small that no flag equals MET_CANCELLED. */
#define COUNT_MASK (UINT32_MAX >> (OMP__FLAG_BITS + 1))

static inline bool has_unfinished_tasks(const struct omp__member *member)
{
	return omp__team_has_tasks(member->team, member->generation);
}

static inline bool is_cancelled(const struct omp__team *team)
{
	return atomic_load_explicit(&team->cancelled, memory_order_acquire) != 0;
}

/*
 * The counter: if every member has come and no task is left, let them go. Returns whether this call did. Of several
 * members that see it, one does (the compare and exchange). The last member to come may look so late that another has
 * let all go already, and that members have come to the next barrier; then it sees a smaller count.
 */
static bool let_go(struct omp__member *member, uint32_t count)
{
	struct omp__team *team = member->team;
	uint32_t all = team->size;
	bool had_tasks;

	/* acquire: sees which tasks each member has created */
	if (atomic_load_explicit(&team->barrier_arrived, memory_order_acquire) != all)
		return false;
	had_tasks = has_unfinished_tasks(member);
	if (had_tasks && !omp__tasks_ended(team))
		return false;
	if (!atomic_compare_exchange_strong_explicit(&team->barrier_arrived, &all, 0, memory_order_relaxed,
						     memory_order_relaxed))
		return false;
	/* No member creates a task before it is let go, so this store cannot erase a newer mark. */
	if (had_tasks)
		atomic_store_explicit(&team->tasks_live, 0, memory_order_relaxed);
	atomic_store_explicit(&team->barrier_passed, count << OMP__FLAG_BITS, memory_order_release);
	omp__wait_fence();
	omp__team_wake(team, &team->barrier_passed);
	return true;
}

/*
 * Wait until *flag has reached the count. `other` is the partner that writes the flag; NULL: the caller waits at the
 * counter, for any member. Returns the flag's value, or MET_CANCELLED.
 */
static __attribute__((noinline)) uint32_t wait_for(struct omp__member *member, _Atomic uint32_t *flag, uint32_t count,
						   const struct omp__parker *other, bool cancellable)
{
	struct omp__thread *thread = member->thread;
	struct omp__wait wait = omp__wait_begin(&thread->parker, other, flag);
	uint32_t value;

	wait.helps = true;
	/*
	 * Members that meet by flags use no fence, so a wake-up may be missed. Passive members do use one, because they
	 * sleep at nearly every barrier, and a sleep with a limit takes twice as long: the kernel sets a timer. The
	 * member that lets all go at the counter uses a fence too.
	 */
	wait.limit_ns = other && !omp__wait_is_passive() ? OMP__WAIT_LIMIT_NS : 0;
	wait.event = other ? NULL : &member->team->event;
	for (;;) {
		/* acquire: what the others did before the barrier is seen after it */
		value = atomic_load_explicit(flag, memory_order_acquire);
		if (value >> OMP__FLAG_BITS == count)
			break;
		if (cancellable && is_cancelled(member->team)) {
			value = MET_CANCELLED;
			break;
		}
		if (has_unfinished_tasks(member) && (omp__tasks_help(thread) || (!other && let_go(member, count))))
			continue;
		omp__wait_step(&wait);
	}
	omp__wait_end(&wait);
	return value;
}

/*
 * Spin on the flag briefly. Returns its value, or 0 when the count was not reached; no flag is 0, because counts start
 * at 1.
 */
static inline uint32_t look(_Atomic uint32_t *flag, uint32_t count)
{
	for (int i = 0; i < OMP__WAIT_EAGER; i++) {
		uint32_t value = atomic_load_explicit(flag, memory_order_acquire);

		if (value >> OMP__FLAG_BITS == count)
			return value;
		thread__relax();
	}
	return 0;
}

static inline void signal(const struct omp__round *round, uint32_t count, uint32_t bits)
{
	/* release: publishes what this thread, and those that it has heard of, did before the barrier */
	atomic_store_explicit(&round->out[count & 1], count << OMP__FLAG_BITS | bits, memory_order_release);
}

/* All rounds, except for the first signal, which the caller has already given. */
static __attribute__((noinline)) uint32_t exchange(struct omp__member *member, uint32_t bits, bool cancellable)
{
	uint32_t count = member->barrier_count & COUNT_MASK;

	for (unsigned r = 0; r < member->team->rounds; r++) {
		const struct omp__round *round = &member->rounds[r];
		_Atomic uint32_t *in = &round->in[count & 1];
		uint32_t value;

		if (r > 0)
			signal(round, count, bits);
		if (omp__wait_is_passive())
			omp__wait_fence();
		value = omp__wait_is_beside(&member->thread->parker, round->from) ? 0 : look(in, count);
		omp__wait_wake_key(round->to, &round->out[count & 1]);
		if (value == 0) {
			value = wait_for(member, in, count, round->from, cancellable);
			if (value == MET_CANCELLED)
				return value;
		}
		bits |= value & ((1u << OMP__FLAG_BITS) - 1);
	}
	if (omp__team_gathers(member->team) && member->num)
		omp__member_gather(member);
	return bits;
}

/*
 * The barrier with a counter. barrier_arrived holds the number of members that have arrived; barrier_passed holds the
 * number of the last barrier that all members reached, where a flag has it. The one that lets the others go clears
 * barrier_arrived before that (release), so that they find it empty at the next barrier.
 */
static __attribute__((noinline)) uint32_t count_in(struct omp__member *member, bool cancellable)
{
	struct omp__team *team = member->team;
	uint32_t count = ++member->barrier_count & COUNT_MASK;

	/*
	 * release: hands what this member did to the last one, also that it has deferred a task; acquire: the last one
	 * sees what all did
	 */
	if (atomic_fetch_add_explicit(&team->barrier_arrived, 1, memory_order_acq_rel) + 1 == team->size &&
	    let_go(member, count))
		return 0;
	if (wait_for(member, &team->barrier_passed, count, NULL, cancellable) == MET_CANCELLED)
		return MET_CANCELLED;
	if (member->num)
		omp__member_gather(member);
	return 0;
}

/* Returns whether tasks are left, or MET_CANCELLED. */
static uint32_t meet(struct omp__member *member, uint32_t bits, bool cancellable)
{
	if (__builtin_expect(member->team->rounds == 0, 0))
		return count_in(member, cancellable);
	signal(&member->first_round, ++member->barrier_count & COUNT_MASK, bits);
	return exchange(member, bits, cancellable);
}

/* All members have arrived: run the tasks that are left, and meet again. */
static __attribute__((noinline)) bool finish_tasks(struct omp__thread *thread, bool cancellable)
{
	struct omp__member *member = omp__member_of(thread);

	omp__tasks_drain(thread);
	/* No member creates a task before the second meeting, so this store cannot erase a newer mark. */
	if (member->num == 0)
		atomic_store_explicit(&member->team->tasks_live, 0, memory_order_relaxed);
	return meet(member, 0, cancellable) == MET_CANCELLED;
}

static __attribute__((noinline)) bool barrier_alone(struct omp__thread *thread, bool cancellable)
{
	struct omp__team *team = thread->region->team;

	if (__builtin_expect(!team, 1))
		return false;
	if (has_unfinished_tasks(thread->region->member)) {
		omp__tasks_drain(thread);
		atomic_store_explicit(&team->tasks_live, 0, memory_order_relaxed);
	}
	return cancellable && is_cancelled(team);
}

static bool has_left(const struct omp__team *team, const struct omp__member *member)
{
	const _Atomic uint32_t *left = member->num == 0 ? &team->joining : &member->arrived;

	/* acquire: its last reads of the data come before */
	return atomic_load_explicit(left, memory_order_acquire) == team->generation;
}

/*
 * The caller goes to the end of its cancelled region without having met the others. If it published data for
 * copyprivate, other members may still copy that from the caller's stack, so the caller leaves last. It does not wait
 * for ever: every other member is on its way out, and none of them can wait here too, because only one member publishes
 * data before each barrier.
 */
static __attribute__((noinline)) bool leave_cancelled(struct omp__member *member, uint32_t count)
{
	struct omp__team *team = member->team;
	unsigned looks = 0;

	if (member->published_at != count)
		return true;
	for (unsigned i = 0; i < team->size; i++)
		while (i != member->num && !has_left(team, team->members[i]))
			thread__spin_briefly(&looks);
	return true;
}

/* What a member does after the meeting; `bits` is what meet() returned. */
static bool go_on(struct omp__thread *thread, uint32_t bits, bool cancellable)
{
	struct omp__member *member = omp__member_of(thread);

	if (bits == MET_CANCELLED)
		return leave_cancelled(member, member->barrier_count);
	return (bits && finish_tasks(thread, cancellable)) || (cancellable && is_cancelled(member->team));
}

static __attribute__((noinline)) bool barrier_cancellable(struct omp__thread *thread)
{
	struct omp__member *member = omp__member_of(thread);

	if (is_cancelled(member->team))
		return leave_cancelled(member, member->barrier_count + 1);
	return go_on(thread, meet(member, has_unfinished_tasks(member), true), true);
}

static __attribute__((noinline)) bool barrier_general(struct omp__thread *thread, uint32_t bits)
{
	return go_on(thread, meet(omp__member_of(thread), bits, false), false);
}

/* The slow path of omp__barrier, which has already given the first signal. */
static __attribute__((noinline)) bool barrier_rest(struct omp__thread *thread)
{
	return go_on(thread, exchange(omp__member_of(thread), 0, false), false);
}

/*
 * The fast path of two members that arrive at about the same time, while the team has no unfinished tasks, is all in
 * this function and makes no calls: every instruction between the look that succeeds and the next barrier's signal
 * delays both members.
 */
bool omp__barrier(struct omp__thread *thread, bool cancellable)
{
	const struct omp__region *region = thread->region;
	struct omp__member *member = region->member;
	const struct omp__round *round;
	_Atomic uint32_t *in;
	uint32_t count;

	if (region->thread_count == 1)
		return barrier_alone(thread, cancellable);
	if (cancellable)
		return barrier_cancellable(thread);
	if (!member->team->is_pair || has_unfinished_tasks(member))
		return barrier_general(thread, has_unfinished_tasks(member));
	count = ++member->barrier_count & COUNT_MASK;
	round = &member->first_round;
	in = &round->in[count & 1];
	signal(round, count, 0);
	for (int i = 0; i < OMP__WAIT_EAGER; i++) {
		if (atomic_load_explicit(in, memory_order_acquire) == count << OMP__FLAG_BITS) {
			if (omp__wait_sleeps(round->to))
				break;
			return false;
		}
		thread__relax();
	}
	return barrier_rest(thread);
}

void omp__barrier_reset(struct omp__team *team)
{
	for (unsigned i = 0; i < team->member_count; i++) {
		team->members[i]->barrier_count = 0;
		team->members[i]->published_at = 0;
	}
	for (unsigned i = 0; i < team->rounds * team->size; i++)
		for (unsigned flag = 0; flag < 4; flag++)
			atomic_store_explicit(&team->meetings[i].side[flag / 2][flag % 2], 0, memory_order_relaxed);
	atomic_store_explicit(&team->barrier_arrived, 0, memory_order_relaxed);
	atomic_store_explicit(&team->barrier_passed, 0, memory_order_relaxed);
	atomic_store_explicit(&team->loop_cancelled, 0, memory_order_relaxed);
}

static void connect(struct omp__team *team, unsigned num, unsigned r)
{
	struct omp__member *member = team->members[num];
	struct omp__round *round = &member->rounds[r];
	unsigned distance = 1u << r;

	if ((team->size & (team->size - 1)) == 0) {
		struct omp__member *partner = team->members[num ^ distance];
		bool upper = num & distance;
		struct omp__meeting *meeting = upper ? &partner->meetings[r] : &member->meetings[r];

		round->out = meeting->side[upper];
		round->in = meeting->side[!upper];
		round->to = round->from = &partner->thread->parker;
	} else {
		struct omp__member *to = team->members[(num + distance) % team->size];

		round->out = to->meetings[r].side[0];
		round->in = member->meetings[r].side[0];
		round->to = &to->thread->parker;
		round->from = &team->members[(num + team->size - distance) % team->size]->thread->parker;
	}
}

/*
 * Allocate the flags and rounds for a team of this size; false without memory. All members have left the last region,
 * so none of them reads the old ones.
 */
static bool make_meetings(struct omp__team *team, unsigned rounds)
{
	size_t count = (size_t)team->size * rounds;
	size_t bytes = count * (sizeof(struct omp__meeting) + sizeof(struct omp__round));
	struct omp__round *round;

	if (bytes > team->meetings_bytes) {
		free(team->meetings);
		/* a multiple of the alignment */
		bytes = (bytes + OMP__PAIR_BYTES - 1) / OMP__PAIR_BYTES * OMP__PAIR_BYTES;
		team->meetings = aligned_alloc(OMP__PAIR_BYTES, bytes);
		team->meetings_bytes = team->meetings ? bytes : 0;
	}
	if (!team->meetings)
		return false;
	round = (struct omp__round *)(team->meetings + count);
	for (unsigned num = 0; num < team->size; num++) {
		team->members[num]->meetings = team->meetings + (size_t)num * rounds;
		team->members[num]->rounds = round + (size_t)num * rounds;
	}
	return true;
}

void omp__barrier_connect(struct omp__team *team)
{
	unsigned rounds = 0;

	team->rounds = 0;
	team->is_pair = false;
	/*
	 * rounds == 0: an oversubscribed team meets at the counter, and so does a team that gets no memory for flags.
	 */
	if (team->oversubscribed)
		return;
	while (1u << rounds < team->size)
		rounds++;
	if (rounds == 0 || !make_meetings(team, rounds))
		return;
	for (unsigned r = 0; r < rounds; r++)
		for (unsigned num = 0; num < team->size; num++)
			connect(team, num, r);
	for (unsigned num = 0; num < team->size; num++)
		team->members[num]->first_round = team->members[num]->rounds[0];
	team->rounds = rounds;
	/* a pair makes no fence, and looks for longer than is of use where the other sleeps at once */
	team->is_pair = team->size == 2 && !omp__wait_is_passive();
}
