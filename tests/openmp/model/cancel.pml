/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation of a region (src/openmp/worksharing/cancel.c, barrier.c, single.c): members share a single construct's
 * data by copyprivate and meet at two barriers, and any of them may cancel the region before, between and after them.
 * Each load, store and locked operation on shared memory is a step of its own. barrier.pml has all steps of a barrier,
 * and team.pml those by which members come to a region and leave it; here each of them is a single wait.
 *
 * Checked in every reachable state: no member sleeps at a barrier to which others will not come; none takes a barrier
 * as met before all have come to it; the data exists while a member copies it, although it lies on its owner's stack,
 * which ends with the region; the region after a cancelled one finds its barriers in their initial state. A lost
 * wake-up would be a state without a successor.
 *
 * Spin enumerates sequentially consistent runs. What weaker orders could add is excluded by argument:
 *	- the mark of the cancelled region is stored with release, and a full fence stands before the look at the parkers
 *	  (NO_FENCE is what it prevents); a sleeper's pair is a locked exchange and two loads, of its flag and of the mark.
 *	- the flags and their late stores are as in barrier.pml.
 *	- `joining` and `arrived` are stored with release after the last read of the data, and loaded with acquire before
 *	  it goes.
 *	- what the primary puts back is ordered by `arrived` before and by `go` after it.
 *
 * How it is checked ("long" only in make stress):
 *	holds: -DMEMBERS=2 -DREGIONS=2 -DCANCELS=2
 *	long: -DMEMBERS=3 -DREGIONS=1 -DCANCELS=1 -DONE_BARRIER
 *	fails: -DMEMBERS=2 -DREGIONS=1 -DCANCELS=1 -DNO_FENCE
 *	fails: -DMEMBERS=2 -DREGIONS=1 -DCANCELS=1 -DNO_WAKE
 *	fails: -DMEMBERS=2 -DREGIONS=2 -DCANCELS=1 -DNO_RESET
 *	fails: -DMEMBERS=3 -DREGIONS=1 -DCANCELS=1 -DOWNER_LEAVES
 */
#if MEMBERS > 2
#define ROUNDS 2
#else
#define ROUNDS 1
#endif
#define FLAG(member, round, parity) (((member) * ROUNDS + (round)) * 2 + (parity))
#define FLAGS (MEMBERS * ROUNDS * 2)
#define PARTNER(member, round) (((member) + (1 << (round))) % MEMBERS)
/* What a member waits for: a flag by its number, or this. */
#define KEY_COPY FLAGS

byte flag[FLAGS];
byte barrier_count[MEMBERS];
byte published_at[MEMBERS];
bit cancelled = 0;
byte copy_ready = 0;
byte go = 1;
byte joining = 0;
byte arrived[MEMBERS];
byte claimed = 0;

bit parked[MEMBERS];
byte key[MEMBERS];
/* Whether the thread is in the kernel's queue, from which a wake-up takes it. */
bit asleep[MEMBERS];

/*
 * For the assertions: the region whose data exists, or 0; the last barrier that each member has come to, and its
 * region.
 */
byte alive = 0;
byte come[MEMBERS];
byte cancels_left = CANCELS;

/* omp__parker_wake: the waker that clears the mark wakes the thread */
inline parker_wake(who)
{
	d_step { seen = parked[who]; parked[who] = 0 }
	if
	:: seen -> asleep[who] = 0
	:: else
	fi;
	seen = 0
}

/* omp__wait_wake_key; `seen` was loaded from the parker before */
inline parker_wake_seen(who, what)
{
	if
	:: seen && key[who] == what -> parker_wake(who)
	:: else -> seen = 0
	fi
}

/* A member that sleeps although its flag has arrived looks again when its limit has passed, as in barrier.pml. */
#define IS_LATE(what) ((what) < FLAGS && flag[(what) % FLAGS] == barrier_count[me])

/*
 * One step of a wait whose condition was found false: mark the parker; or, if it was marked before the condition was
 * found false again, sleep.
 */
inline wait_step(what)
{
	if
	:: !prepared ->
		key[me] = what;
		parked[me] = 1;
		prepared = 1
	:: prepared ->
		/* FUTEX_WAIT compares and queues under one lock */
		atomic { if :: parked[me] -> asleep[me] = 1 :: else fi };
		if
		:: asleep[me] == 0
		:: atomic { timeout && asleep[me] && IS_LATE(what) -> asleep[me] = 0 }
		fi;
		if
		:: parked[me] == 0 -> prepared = 0
		:: else
		fi
	fi
}

inline wait_end()
{
	if
	:: prepared -> parked[me] = 0; prepared = 0
	:: else
	fi
}

/* GOMP_cancel */
inline cancel()
{
#ifdef NO_FENCE
	late = parked[(me + 1) % MEMBERS];
	cancelled = 1;
#else
	cancelled = 1;
	late = 1;
#endif
#ifndef NO_WAKE
	other = 0;
	do
	:: other < MEMBERS ->
		if
		:: other != me && late && parked[other] -> parker_wake(other)
		:: else
		fi;
		other++
	:: else -> break
	od;
#endif
	other = 0;
	late = 0
}

/* leave_cancelled: a member whose data others may still copy leaves last. */
inline leave_cancelled(count)
{
#ifndef OWNER_LEAVES
	if
	:: published_at[me] == count ->
		other = 0;
		do
		:: other < MEMBERS ->
			other == me || (other == 0 && joining == generation) || (other > 0 && arrived[other] == generation);
			other++
		:: else -> break
		od;
		other = 0
	:: else
	fi;
#endif
	out = 1
}

/* The barrier; `out` says that the region is cancelled, `met` that all members have come. */
inline barrier(number)
{
	met = 0;
	come[me] = generation * 4 + number;
	if
	:: cancelled -> leave_cancelled(barrier_count[me] + 1)
	:: else ->
		barrier_count[me]++;
		round = 0;
		do
		:: round < ROUNDS ->
			value = FLAG(PARTNER(me, round), round, barrier_count[me] & 1);
			if
			:: flag[value] = barrier_count[me]; seen = parked[PARTNER(me, round)]
			:: seen = parked[PARTNER(me, round)]; flag[value] = barrier_count[me]	/* the store is late */
			fi;
			parker_wake_seen(PARTNER(me, round), value);
			value = FLAG(me, round, barrier_count[me] & 1);
			do
			:: flag[value] == barrier_count[me] -> break
			:: else ->
				if
				:: cancelled -> out = 1; break
				:: else -> wait_step(value)
				fi
			od;
			wait_end();
			if
			:: out -> break
			:: else -> round++
			fi
		:: else -> met = 1; break
		od;
		round = 0;
		value = 0;
		if
		:: out -> out = 0; leave_cancelled(barrier_count[me])
		:: else -> out = cancelled
		fi
	fi;
	if
	:: met ->
		atomic {
			other = 0;
			do
			:: other < MEMBERS -> assert(come[other] >= generation * 4 + number); other++
			:: else -> break
			od;
			other = 0
		}
	:: else
	fi;
	met = 0
}

/* GOMP_single_copy_start, _end, and the copying */
inline single()
{
	if
	:: atomic { claimed < generation -> claimed = generation; mine = 1 };
		alive = generation;
		published_at[me] = barrier_count[me] + 1;
		copy_ready = generation;
		other = 0;
		do
		:: other < MEMBERS -> seen = parked[other]; parker_wake_seen(other, KEY_COPY); other++
		:: else -> break
		od;
		other = 0
	:: claimed == generation ->
		do
		:: copy_ready == generation -> break
		:: else -> wait_step(KEY_COPY)
		od;
		wait_end();
		assert(alive == generation)
	fi
}

/* omp__members_reset, when no member is in the region */
inline reset()
{
#ifndef NO_RESET
	other = 0;
	do
	:: other < FLAGS -> flag[other] = 0; other++
	:: else -> break
	od;
	other = 0;
	do
	:: other < MEMBERS -> barrier_count[other] = 0; published_at[other] = 0; other++
	:: else -> break
	od;
	other = 0;
#endif
	copy_ready = 0;
	cancelled = 0
}

/* Cancel the region, find it cancelled, or go on. */
inline maybe_cancel()
{
	if
	:: atomic { cancels_left > 0 -> cancels_left-- }; cancel(); out = 1
	:: cancelled -> out = 1
	:: skip
	fi
}

proctype member(byte me)
{
	byte generation = 0, round = 0, value = 0, other = 0;
	bit prepared = 0, seen = 0, mine = 0, out = 0, late = 0, met = 0;

	do
	:: generation < REGIONS ->
		go == generation + 1;
		generation++;
		maybe_cancel();
		if
		:: !out -> single(); barrier(1)
		:: else
		fi;
#ifndef ONE_BARRIER
		if
		:: !out -> maybe_cancel()
		:: else
		fi;
		if
		:: !out -> barrier(2)
		:: else
		fi;
#endif
		out = 0;
		/* the end of the region's function, and of the data on its stack */
		if
		:: mine -> alive = 0; mine = 0
		:: else
		fi;
		if
		:: me == 0 ->
			joining = generation;
			other = 1;
			do
			:: other < MEMBERS -> arrived[other] == generation; other++
			:: else -> break
			od;
			other = 0;
			if
			:: cancelled -> reset()
			:: else
			fi;
			go = generation + 1
		:: else -> arrived[me] = generation
		fi
	:: else -> break
	od
}

init
{
	atomic {
		byte who = 0;

		do
		:: who < MEMBERS -> run member(who); who++
		:: else -> break
		od
	}
}
