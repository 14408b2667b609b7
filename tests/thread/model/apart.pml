/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waking a thread apart (src/thread/apart.h): a waker narrows a sleeper's affinity mask while it wakes it, and one of
 * the two gives the mask back. The sleeper parks as in src/openmp/waiting/wait.c, and may also wake up by itself, when
 * its condition has become true before it sleeps or when its limit has passed. Each load, store, locked operation and
 * system call is a step.
 *
 * Checked in every reachable state: once the sleeper has gone on after a wake-up by its waker, its mask is whole, and
 * it is whole at the end; a sleeper that moves by itself, which reads its mask and writes it again, never writes the
 * narrow one back; nobody sleeps for ever (an invalid end state for Spin).
 *
 * How it is checked:
 *	holds: -DROUNDS=2
 *	holds: -DROUNDS=3
 *	fails: -DLATE_BEGIN
 *	fails: -DNO_AWAKE
 *	fails: -DMOVES_ALWAYS
 */
#ifndef ROUNDS
#define ROUNDS 2
#endif

mtype = { NO, BEGUN, NARROW, AWAKE };

mtype apart = NO;
bit mark = 0;
bit asleep = 0;
bit is_narrow = 0;
byte condition = 0; /* the latest region that has begun */
byte arrived = 0;

proctype waker()
{
	byte round = 1;
	bit had;

	do
	:: round > ROUNDS -> break
	:: else ->
		condition = round;
		/* omp__wait_sleeps() */
		if
		:: mark == 0 -> goto joined
		:: else
		fi;
#ifndef LATE_BEGIN
		apart = BEGUN;
#endif
		d_step { had = mark; mark = 0 }
#ifdef LATE_BEGIN
		apart = BEGUN;
#endif
		if
		:: !had -> apart = NO; goto joined
		:: else
		fi;
		is_narrow = 1;
		if
		:: d_step { apart == BEGUN -> apart = NARROW }
		:: d_step { apart != BEGUN -> skip }; is_narrow = 0; apart = NO
		fi;
		/* FUTEX_WAKE */
		asleep = 0;
joined:		skip;
		arrived == round;
		round++
	od;
	assert(!is_narrow && apart == NO)
}

proctype sleeper()
{
	byte round = 1;
	bit had, by_waker, copy;

	do
	:: round > ROUNDS -> break
	:: else ->
		do
		:: condition >= round -> break
		:: condition < round ->
			mark = 1;
			by_waker = 0;
			if
			:: condition >= round -> goto leave
			:: else
			fi;
			/* FUTEX_WAIT; it may end by itself */
			d_step {
				if
				:: mark == 1 -> asleep = 1
				:: else
				fi
			}
			if
			:: asleep == 0 -> by_waker = 1
			:: asleep = 0
			fi;
			/* woken by its limit, it looks again while its mark stays: it leaves if the region has begun */
leave:			skip;
			d_step { had = mark; mark = 0 }
			/* thread__apart_return() */
			if
			:: apart == NO
			:: else ->
				if
#ifndef NO_AWAKE
				:: d_step { apart == BEGUN -> apart = AWAKE }
#endif
				:: d_step { apart == NARROW -> skip }; is_narrow = 0; apart = NO
				:: d_step { apart == NO || apart == AWAKE -> skip }
#ifdef NO_AWAKE
				:: d_step { apart == BEGUN -> skip }
#endif
				fi
			fi;
			if
			:: !had && apart == NO -> assert(!is_narrow)
			:: else
			fi
		od;
		/* in its region it moves to another processor: sched_getaffinity, sched_setaffinity */
		if
#ifdef MOVES_ALWAYS
		:: true ->
#else
		:: apart == NO ->
#endif
			copy = is_narrow;
			is_narrow = copy
		:: true
		fi;
		arrived = round;
		round++
	od
}

init {
	atomic {
		run waker();
		run sleeper()
	}
}
