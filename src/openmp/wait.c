/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow half of waiting: how long to spin, when to yield, how to sleep.
 *
 * Spinning for about as long as a sleep and a wake-up cost is never worse than twice the best choice (Karlin, Manasse,
 * McGeoch, Owicki 1994). It is pointless when the other thread cannot be running: when it last ran on this very
 * processor, or when more threads are awake than there are processors. Then the processor is given away at once.
 *
 * While there are processors for all, a waiter that has spun for long enough goes on looking, but yields each time:
 * that costs another program little, and a thread that waits for a share of some 100 us at a region's end is not
 * asleep when it comes (16 us of every such region, measured with a critical section that one thread keeps).
 */
#include "wait.h"
#include "guest.h"

_Atomic int omp__crowd_excess;
/* What a sleep and a wake-up on another core cost was measured as 24 to 44 us. */
uint64_t omp__wait_spin_ns = 40000;
uint64_t omp__wait_yield_ns = 400000;

enum {
	/* How often a thread moves away from the one it waits for; a move was measured as 10 to 20 us. */
	MOVE_INTERVAL_NS = 2000000,
	/*
	 * The clock, and who is where, is read once in so many looks with a pause or with a yield: it takes as long as
	 * ten of the former, and meanwhile nobody sees a new region begin.
	 */
	PAUSES_PER_CLOCK = 64,
	YIELDS_PER_CLOCK = 16,
	/*
	 * How long a member of a region waits for another before it leaves its processor to the guest's threads: for as
	 * long as a wake-up takes, or two that have slept once wait for each other's wake-up at each barrier from then
	 * on. A region of ten that a collection came into took 140 to 400 us so, and the collection waited for it.
	 */
	GUEST_SPIN_NS = 40000,
	/*
	 * How long a worker between two regions goes on looking while it leaves its processor to the guest's threads:
	 * longer than a collection that nothing keeps waiting (40 to 120 us). A processor that all have left sleeps,
	 * and the next region waits 25 us for it (in a virtual machine, where that is an interrupt from outside).
	 */
	GUEST_YIELD_NS = 120000,
	/* How long a waiter yields between the regions of a batch, which may have other functions between them. */
	BATCH_YIELD_NS = 10000000,
};

bool omp__wait_is_beside(const struct omp__seat *own, const struct omp__seat *other)
{
	/* acquire: the area behind it was made by its thread; the kernel alone writes to it since */
	const volatile uint32_t *there = atomic_load_explicit(&other->cpu, memory_order_acquire);
	const volatile uint32_t *here = atomic_load_explicit(&own->cpu, memory_order_relaxed);

	return there && here && __atomic_load_n(there, __ATOMIC_RELAXED) == __atomic_load_n(here, __ATOMIC_RELAXED) &&
	       !atomic_load_explicit(&other->moves, memory_order_relaxed);
}

/*
 * The kernel writes where a thread runs when it runs there. Until then those whom it leaves would go after it:
 *
 *	primary				processor 0	processor 1	worker
 *	moves = true; moves away	worker			-
 *					worker		primary		sees that it moves, stays
 *
 * Without the mark two that had one processor had another together, again and again. relaxed: who ran on the same
 * processor has been switched to since.
 */
void omp__seat_move_away(struct omp__seat *seat)
{
	atomic_store_explicit(&seat->moves, true, memory_order_relaxed);
	omp__host_move_away();
	atomic_store_explicit(&seat->moves, false, memory_order_relaxed);
}

static bool other_is_here(const struct omp__wait *wait)
{
	return wait->other && omp__wait_is_beside(wait->seat, wait->other);
}

/* Announced in the last step, and the condition was looked at since: nothing more can be missed. */
static void sleep_now(struct omp__wait *wait)
{
	atomic_fetch_sub_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
	omp__host_park(&wait->seat->parked, 1, wait->limit_ns);
	atomic_fetch_add_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
	if (__builtin_expect(omp__guest != NULL, 0))
		omp__guest_woken(wait->seat);
	if (!atomic_load_explicit(&wait->seat->parked, memory_order_relaxed)) {
		/* woken: the condition is probably true; if it is not, spin again */
		wait->announced = false;
		wait->step = OMP__WAIT_EAGER;
		wait->deadline_ns = 0;
		wait->behind_ns = 0;
		wait->yields = false;
	} else if (wait->limit_ns && wait->limit_ns < OMP__WAIT_LIMIT_MAX_NS) {
		wait->limit_ns *= 2;
	}
}

static void announce(struct omp__wait *wait)
{
	atomic_store_explicit(&wait->seat->key, wait->key, memory_order_relaxed);
	atomic_store_explicit(&wait->seat->helps, wait->helps, memory_order_relaxed);
	/* seq_cst: the full barrier of the waiter's side */
	atomic_exchange_explicit(&wait->seat->parked, 1, memory_order_seq_cst);
	wait->announced = true;
}

static void move_away(const struct omp__wait *wait, uint64_t now)
{
	if (now - wait->seat->moved_ns < MOVE_INTERVAL_NS)
		return;
	wait->seat->moved_ns = now;
	omp__seat_move_away(wait->seat);
}

/* relaxed: one that is read late is acted upon at the next look */
static bool idles(const struct omp__wait *wait, enum omp__idle how)
{
	return wait->idle && atomic_load_explicit(wait->idle, memory_order_relaxed) == how;
}

/*
 * Workers between regions may yield for as long as their primary runs elsewhere, however many they are: they pass one
 * processor round among themselves, and the next region need not wake each of them, which was 20 us of every region
 * with four on two processors and 0.3 ms of serial work between regions.
 */
static bool may_stay(const struct omp__wait *wait)
{
	return wait->idle && !other_is_here(wait);
}

/*
 * Whether the guest's threads are to have the waiter's processor until it is woken. Between regions they get it at
 * once, but the waiter stays where it is, behind them.
 */
static bool leaves_to_guest(struct omp__wait *wait, uint64_t now)
{
	uint64_t begun = wait->deadline_ns - omp__wait_spin_ns;

	if (!omp__guest_crowded()) {
		wait->behind_ns = 0;
		return false;
	}
	if (!wait->idle)
		return wait->yields || now - begun >= GUEST_SPIN_NS;
	if (!wait->behind_ns)
		wait->behind_ns = now;
	return now - wait->behind_ns >= GUEST_YIELD_NS;
}

void omp__wait_slowly(struct omp__wait *wait)
{
	unsigned looks;
	bool leaves;

	/* Where it is crowded the pauses are left out. */
	if (wait->step < OMP__WAIT_EAGER)
		wait->step = OMP__WAIT_EAGER + 1;
	looks = wait->step - OMP__WAIT_EAGER - 1;
	if (wait->announced) {
		sleep_now(wait);
		return;
	}
	/* only a guest's batches end */
	if (__builtin_expect(omp__guest != NULL, 0) && idles(wait, OMP__IDLE_PARKS)) {
		announce(wait);
		return;
	}
	if (looks % (wait->hopeless || wait->yields ? YIELDS_PER_CLOCK : PAUSES_PER_CLOCK) == 0) {
		uint64_t now = omp__host_now_ns();

		if (wait->deadline_ns == 0)
			wait->deadline_ns = now + omp__wait_spin_ns;
		wait->hopeless = omp__crowded();
		if (__builtin_expect(omp__guest != NULL, 0) && leaves_to_guest(wait, now)) {
			announce(wait);
			return;
		}
		if (wait->behind_ns) {
			wait->hopeless = true;
			omp__host_yield();
			return;
		}
		if (!wait->hopeless && other_is_here(wait)) {
			wait->hopeless = true;
			move_away(wait, now);
		}
		leaves = wait->hopeless && !may_stay(wait);
		if (now > wait->deadline_ns || (wait->yields && leaves)) {
			if (wait->yields || leaves || omp__wait_yield_ns == 0) {
				announce(wait);
				return;
			}
			wait->yields = true;
			wait->deadline_ns = now + (idles(wait, OMP__IDLE_STAYS) ? BATCH_YIELD_NS : omp__wait_yield_ns);
		}
	}
	if (wait->hopeless || wait->yields)
		omp__host_yield();
	else
		omp__host_relax();
}

void omp__wait_leave(struct omp__wait *wait)
{
	atomic_store_explicit(&wait->seat->parked, 0, memory_order_relaxed);
	wait->announced = false;
}

/* Whoever takes the mark off wakes, so that one sleep costs one call. */
void omp__seat_wake(struct omp__seat *seat)
{
	if (atomic_exchange_explicit(&seat->parked, 0, memory_order_seq_cst))
		omp__host_wake(&seat->parked, 1);
}
