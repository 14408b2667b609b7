/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The eventcount (src/thread/eventcount.h): waiters that sleep until a condition is true, and a waker that makes it
 * true and wakes all of them; eventcount_one.pml has a waker of one. Each load, store and locked operation on shared
 * memory is a step.
 *
 * Checked in every reachable state: no wake-up is lost, since a waiter that slept for ever would be a state without a
 * successor (an invalid end state for Spin); the count of sleepers is 0 at the end.
 *
 * Spin enumerates sequentially consistent runs. The waker's store and its look at `sleepers` are the two steps that
 * hardware may reorder; a full barrier stands between them (NO_FENCE shows what it prevents). The waiter's pair is a
 * locked addition and a load. The kernel compares the word and queues the sleeper in one step, as FUTEX_WAIT does.
 *
 * While a waker is suspended between its addition and its system call, the threads that it was to wake go on sleeping.
 * So use the eventcount only where the sleepers wait for that waker anyway.
 *
 * How it is checked:
 *	holds: -DWAITERS=2
 *	holds: -DWAITERS=3
 *	holds: -DWAITERS=2 -DROUNDS=2
 *	fails: -DWAITERS=2 -DNO_FENCE
 *	fails: -DWAITERS=2 -DNO_LOOK
 *	fails: -DWAITERS=2 -DLATE_SEEN
 *	fails: -DWAITERS=2 -DNO_COUNT
 *	fails: -DWAITERS=2 -DROUNDS=2 -DWAKE_ONE
 */
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifdef WAKE_ONE
#define AT_MOST 1
#else
#define AT_MOST WAITERS
#endif

byte condition = 0; /* the latest round whose condition is true */
byte count = 0;
byte sleepers = 0;
bit asleep[WAITERS];
byte done = 0;

proctype waiter(byte me)
{
	byte round = 1, seen;

	do
	:: round > ROUNDS -> break
	:: round <= ROUNDS && condition >= round -> round++
	:: round <= ROUNDS && condition < round ->
#ifdef LATE_SEEN
		sleepers++;
		if
		:: condition >= round -> sleepers--; goto next
		:: else
		fi;
		seen = count;
#else
		seen = count;
		sleepers++;
#ifndef NO_LOOK
		if
		:: condition >= round -> sleepers--; goto next
		:: else
		fi;
#endif
#endif
		/* FUTEX_WAIT */
		d_step {
			if
			:: count == seen -> asleep[me] = 1
			:: else
			fi
		}
		asleep[me] == 0;
		sleepers--;
next:		skip
	od;
	done++
}

proctype waker()
{
	byte round = 1, woken, i, there;

	do
	:: round > ROUNDS -> break
	:: else ->
#ifdef NO_FENCE
		/* the look comes before the store */
		there = sleepers;
		condition = round;
#else
		condition = round;
		there = sleepers;
#endif
		if
		:: there > 0 ->
#ifndef NO_COUNT
			count++;
#endif
			/* FUTEX_WAKE */
			d_step {
				i = 0;
				woken = 0;
				do
				:: i == WAITERS || woken == AT_MOST -> break
				:: else ->
					if
					:: asleep[i] -> asleep[i] = 0; woken++
					:: else
					fi;
					i++
				od;
				i = 0;
				woken = 0
			}
		:: else
		fi;
		round++
	od
}

init {
	byte i = 0;

	atomic {
		run waker();
		do
		:: i == WAITERS -> break
		:: else -> run waiter(i); i++
		od
	}
	done == WAITERS;
	assert(sleepers == 0)
}
