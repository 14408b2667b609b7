/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancelling requests (src/ingress/requests/cancel.h, filed.h) with the library thread's sleep (library_thread.c). Each host
 * submits one request to the lane and then files its ticket; the provider keeps every request until it sees that it was
 * cancelled. A handler that runs long may look for tickets at any time that a request runs. Each load, store and
 * compare-and-swap of a shared word is a step of its own; that of the lane is its push or its being emptied. Each
 * ticket has a cell, and all cells are one group.
 *
 * Checked in every reachable state:
 *	- each request has one terminal answer;
 *	- a request that is answered was either never handed over, or marked;
 *	- no ticket is lost: a request that is never answered leaves a state without a successor (an invalid end state
 *	  for Spin), and so does a wake-up that is lost.
 *
 * With AGAIN another thread files the ticket of the first request too. With EARLY one does so before that is submitted,
 * which cancels nothing, and may stop at any step for good; the host that has submitted files it all the same. With
 * ANSWERS the provider may answer a request that was not cancelled, at any time. Known mistakes:
 *	LOOK_EARLY	the library thread looks for tickets before it parks, not after
 *	WAKE_FIRST	a canceller looks at the parker before it files the ticket
 *	LANES_FIRST	the library thread takes the lanes before the tickets
 *	FORGETS		a handler that looks drops the tickets of requests that do not run
 *	HANDS_OVER	a pending request that is answered stays in the list
 *	BIT_FIRST	a canceller sets the group's bit before it fills the cell
 *	DROPS_FILED	the library thread drops a ticket that was filed again after it was taken
 *	SILENT		a canceller that finds its ticket filed leaves the bit and the wake-up to the one that filed it
 *	TAKEN_ENOUGH	a canceller that finds its ticket taken leaves it so
 *
 *	holds: -DHOSTS=1
 *	holds: -DHOSTS=1 -DAGAIN -DEARLY
 *	holds: -DHOSTS=2
 *	holds: -DHOSTS=2 -DAGAIN
 *	long: -DHOSTS=2 -DEARLY
 *	holds: -DHOSTS=2 -DANSWERS
 *	long: -DHOSTS=2 -DAGAIN -DEARLY -DANSWERS
 *	long: -DHOSTS=3
 *	fails: -DHOSTS=1 -DLOOK_EARLY
 *	fails: -DHOSTS=1 -DWAKE_FIRST
 *	fails: -DHOSTS=1 -DLANES_FIRST
 *	fails: -DHOSTS=2 -DFORGETS
 *	fails: -DHOSTS=1 -DHANDS_OVER
 *	fails: -DHOSTS=1 -DBIT_FIRST
 *	fails: -DHOSTS=1 -DEARLY -DDROPS_FILED
 *	fails: -DHOSTS=1 -DEARLY -DSILENT
 *	fails: -DHOSTS=1 -DEARLY -DTAKEN_ENOUGH
 */

#define ALL ((1 << HOSTS) - 1)
#define BIT(host) (1 << (host))

/* The words. Sets of requests are bits. */
byte in_lane = 0;
bit lane_asleep = 1;
bit lane_marked = 0;
/* The cells: each holds nothing, or a ticket that is filed, or one that is taken. */
byte filed = 0;
byte taken = 0;
bit group = 0; /* the bit of their group */
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

/* `was`: whether a thread that filed the ticket before has all to do */
inline fill_cell(which, was)
{
	d_step {
		was = 0;
		if
#ifdef TAKEN_ENOUGH
		:: taken & BIT(which) -> was = 1
#endif
#ifdef SILENT
		:: filed & BIT(which) -> was = 1
#endif
		:: else -> filed = filed | BIT(which); taken = taken & ~BIT(which)
		fi
	}
}

inline file(which, was)
{
#ifdef WAKE_FIRST
	wake();
#endif
#ifdef BIT_FIRST
	group = 1;
	fill_cell(which, was);
#else
	fill_cell(which, was);
	if
	:: was
	:: else -> group = 1
	fi;
#endif
#ifndef WAKE_FIRST
	if
	:: was
	:: else -> wake()
	fi
#endif
}

proctype host(byte me)
{
	bit replaced_asleep, was;

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
	file(me, was)
}

#ifdef AGAIN
proctype other()
{
	bit was;

	submitted & BIT(0);
	file(0, was)
}
#endif

#ifdef EARLY
proctype early()
{
	bit was;

	if
	:: goto stops
	:: fill_cell(0, was)
	fi;
	if
	:: goto stops
	:: group = 1
	fi;
	if
	:: skip
	:: wake()
	fi;
stops:	skip
}
#endif

inline take_lanes()
{
	if
	:: lane_marked -> d_step { pending = pending | in_lane; in_lane = 0 }
	:: else
	fi
}

/* Take the tickets; `any`: some are taken. */
inline take_tickets()
{
	d_step { now = group; group = 0; each = 0 };
	do
	:: now && each < HOSTS ->
		atomic {
			any = any | (filed >> each & 1);
			taken = taken | (filed & BIT(each));
			filed = filed & ~BIT(each);
			each++
		}
	:: else -> break
	od
}

active proctype library()
{
	byte pending = 0, running = 0, marked = 0, named, now, each;
	bit any = 0; /* tickets are taken, and not dropped */

	do
	:: answered == ALL -> break
	:: else ->
		/* the tickets that are filed */
#ifdef LANES_FIRST
		take_lanes();
#endif
		take_tickets();
		if
		:: any ->
#ifndef LANES_FIRST
			take_lanes();
#endif
			d_step { named = 0; each = 0 };
			do
			:: each < HOSTS -> d_step { named = named | ((filed | taken) & BIT(each)); each++ }
			:: else -> break
			od;
			atomic {
				taken = 0;
#ifdef DROPS_FILED
				filed = 0;
#endif
				any = 0
			}
		:: else -> named = 0
		fi;
		now = named & pending;
		assert((answered & now) == 0);
		answered = answered | now;
#ifndef HANDS_OVER
		pending = pending & ~now;
#endif
		marked = marked | (named & running);

		/* serve: a request that was answered is never handed over */
		take_lanes();
		assert((answered & pending) == 0);
		running = running | pending;
		pending = 0;

		/* a handler looks, or does not */
		if
		:: running ->
			take_tickets();
			marked = marked | ((filed | taken) & running);
#ifdef FORGETS
			d_step { taken = 0; any = 0 }
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
		:: any -> goto again
		:: else
		fi;

		/* sleep */
#ifdef LOOK_EARLY
		now = group;
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
		now = group;
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
		run other();
#endif
#ifdef EARLY
		run early();
#endif
		skip
	}
}
