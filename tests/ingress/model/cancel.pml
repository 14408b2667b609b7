/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancelling requests (src/ingress/cancel.h) with the library thread's sleep (library_thread.c). Each host submits one
 * request to the lane and then files its ticket; the provider keeps every request until it sees that it was cancelled. A
 * handler that runs long may look for tickets at any time that a request runs. Each load, store and compare-and-swap of
 * a shared word is a step of its own; that of the lane is its push or its being emptied.
 *
 * Checked in every reachable state:
 *	- each request has one terminal answer;
 *	- a request that is answered was either never handed over, or marked;
 *	- no ticket is lost: a request that is never answered leaves a state without a successor (an invalid end state
 *	  for Spin), and so does a wake-up that is lost.
 *
 * With AGAIN another thread files the ticket of the first request too. With ANSWERS the provider may answer a request
 * that was not cancelled, at any time. Known mistakes:
 *	LOOK_EARLY	the library thread looks for tickets before it parks, not after
 *	WAKE_FIRST	a canceller looks at the parker before it files the ticket
 *	LANES_FIRST	the library thread takes the lanes before the tickets
 *	FORGETS		a handler that looks drops the tickets of requests that do not run
 *	HANDS_OVER	a pending request that is answered stays in the list
 *
 *	holds: -DHOSTS=1
 *	holds: -DHOSTS=2
 *	holds: -DHOSTS=2 -DAGAIN
 *	holds: -DHOSTS=2 -DANSWERS
 *	long: -DHOSTS=2 -DAGAIN -DANSWERS
 *	long: -DHOSTS=3
 *	fails: -DHOSTS=1 -DLOOK_EARLY
 *	fails: -DHOSTS=1 -DWAKE_FIRST
 *	fails: -DHOSTS=1 -DLANES_FIRST
 *	fails: -DHOSTS=2 -DFORGETS
 *	fails: -DHOSTS=1 -DHANDS_OVER
 */

#define ALL ((1 << HOSTS) - 1)
#define BIT(host) (1 << (host))

/* The words. Sets of requests are bits. */
byte in_lane = 0;
bit lane_asleep = 1;
bit lane_marked = 0;
byte filed = 0;
bit parked = 0;
bit sleeping = 0; /* whether the library thread sleeps on the futex */

byte submitted = 0;
byte answered = 0; /* terminal answers were given */

inline wake()
{
	d_step {
		if
		:: parked -> parked = 0; sleeping = 0
		:: else
		fi
	}
}

inline file(which)
{
#ifdef WAKE_FIRST
	wake();
	filed = filed | BIT(which)
#else
	filed = filed | BIT(which);
	wake()
#endif
}

proctype host(byte me)
{
	bit replaced_asleep;

	d_step {
		replaced_asleep = lane_asleep;
		lane_asleep = 0;
		in_lane = in_lane | BIT(me)
	}
	/* the host that replaced ASLEEP may be slow: another marks the lane in its place */
	if
	:: replaced_asleep || !lane_marked || parked -> lane_marked = 1; wake()
	:: else
	fi;
	submitted = submitted | BIT(me);
	file(me)
}

#ifdef AGAIN
proctype other()
{
	submitted & BIT(0);
	file(0)
}
#endif

active proctype library()
{
	/* of the requests; and the tickets that were taken, and those that a handler left for the loop */
	byte pending = 0, running = 0, marked = 0, named, left = 0, now;

	do
	:: answered == ALL -> break
	:: else ->
		/* the tickets that are filed */
#ifdef LANES_FIRST
		if
		:: lane_marked -> d_step { pending = pending | in_lane; in_lane = 0 }
		:: else
		fi;
#endif
		d_step { named = filed | left; filed = 0; left = 0 };
#ifndef LANES_FIRST
		if
		:: named && lane_marked -> d_step { pending = pending | in_lane; in_lane = 0 }
		:: else
		fi;
#endif
		now = named & pending;
		assert((answered & now) == 0);
		answered = answered | now;
#ifndef HANDS_OVER
		pending = pending & ~now;
#endif
		marked = marked | (named & running);

		/* serve: a request that was answered is never handed over */
		if
		:: lane_marked -> d_step { pending = pending | in_lane; in_lane = 0 }
		:: else
		fi;
		assert((answered & pending) == 0);
		running = running | pending;
		pending = 0;

		/* a handler looks, or does not */
		if
		:: running ->
			d_step { named = filed | left; filed = 0; left = 0 };
			marked = marked | (named & running);
#ifdef FORGETS
			left = 0
#else
			left = named
#endif
		:: true
		fi;

		/* the provider answers what it sees to be cancelled, and others if it likes */
		now = marked & running;
#ifdef ANSWERS
		if
		:: now = running
		:: true
		fi;
#endif
		assert((answered & now) == 0);
		answered = answered | now;
		running = running & ~now;
		if
		:: answered == ALL -> break
		:: else
		fi;
		if
		:: left -> goto again
		:: else
		fi;

		/* sleep */
#ifdef LOOK_EARLY
		now = filed;
#endif
		lane_marked = 0;
		d_step {
			if
			:: in_lane -> lane_marked = 1
			:: else -> lane_asleep = 1
			fi
		};
		if
		:: lane_marked -> goto again
		:: else
		fi;
		parked = 1;
#ifndef LOOK_EARLY
		now = filed;
#endif
		if
		:: now || lane_marked -> parked = 0
		:: else ->
			d_step {
				if
				:: parked -> sleeping = 1
				:: else
				fi
			};
			!sleeping;
			parked = 0
		fi;
again:		skip
	od
}

init
{
	byte each = 0;

	atomic {
		do
		:: each < HOSTS -> run host(each); each++
		:: else -> break
		od;
#ifdef AGAIN
		run other()
#endif
	}
}
