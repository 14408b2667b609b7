/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread has the Capability of a held call (haskell/cbits/held/retake.c, retake.h, held.c): the owner, which uses
 * plain loads and stores; the monitor; or a worker of the owner's region that is about to call back. The owner's plain
 * stores go through a store buffer of two entries, which is drained at any time, oldest entry first. The owner's
 * compare-and-exchanges, and another thread's membarrier, wait until the buffer is empty. A load of the owner looks
 * into the buffer first.
 *
 * The owner makes CALLS calls. In each it may call back once or twice, and the callback makes a nested call. The worker
 * exists in the first call only, and the owner waits for it before that call ends. Each of MONITORS threads that belong
 * to no call (the monitor; a thread that collects; an owner that could not start a monitor) tries LOOKS times to
 * retake.
 *
 * Checked in every reachable state: exactly one thread has the Capability when it is used or given up; the record
 * exists while the thread that has won uses it, although it lies on the owner's stack; a thread that waits for its
 * token gets it (otherwise there would be a state without a successor); nothing is claimed at the end.
 *
 * The store buffer is that of x86-64. What weaker processors could add is excluded by argument: the record is published
 * with release and loaded with acquire, `state` is stored before the claim is withdrawn with release, and the token
 * before GIVEN_UP.
 *
 * What would happen if the owner did not look at the state after it has denied a claim (NO_STATE): two threads have the
 * Capability.
 *
 *	owner				monitor				worker
 *	call = record
 *	region				load: call is not NULL
 *									wins, gives the Capability up
 *					claim: UNCLAIMED -> CLAIMED
 *	the region ends
 *	call = NULL
 *	claim: CLAIMED -> DENIED
 *	goes on without its token
 *
 * How it is checked:
 *	holds: -DCALLS=2 -DLOOKS=2 -DMONITORS=1
 *	holds: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DWORKER -DBACKS=2
 *	holds: -DCALLS=2 -DLOOKS=1 -DMONITORS=2
 *	long: -DCALLS=2 -DLOOKS=2 -DMONITORS=2 -DWORKER -DBACKS=2
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DNO_BARRIER
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DCLAIM_FIRST
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DNO_DENIED
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DNO_TAKEN
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DTAKEN_STORED
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DNO_STATE
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DWORKER -DBACKS=0 -DNO_STATE
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DTOUCHED_LATE
 */
#ifndef BACKS
#define BACKS 1
#endif

/* enum ferry_held_state */
#define HELD 0
#define TAKEN 1
#define AWAITED 2
#define GIVEN_UP 3

/* enum ferry_claim */
#define UNCLAIMED 0
#define CLAIMED 1
#define DENIED 2
#define WON 3

/*
 * Fields of struct ferry_held_owner. `call` is NULL or a record's number: record 1 is the call, record 2 the nested
 * one.
 */
#define NONE 0
byte call = NONE;
byte claim = UNCLAIMED;

/* The states of the records. */
byte state[3];

/* The owner's store buffer. An entry is what is stored to (CALL, or the record whose state it is), and the value. */
#define CALL 0
byte buffered = 0;
byte where[2];
byte what[2];

/*
 * For the assertions: which thread has the Capability; whether a record exists; how many threads that have won use it.
 */
#define FREE 0
#define OWNER 1
#define OTHER 2
byte holder = OWNER;
bit is_there[3];
byte users[3];

/* Whether the owner sleeps on the futex of its record. */
bit is_asleep = 0;
bit region_on = 0;
bit worker_done = 0;

inline write(place, value)
{
	if
	:: place == CALL -> call = value
	:: else -> state[place] = value
	fi
}

inline drain()
{
	write(where[0], what[0]);
	where[0] = where[1];
	what[0] = what[1];
	where[1] = 0;
	what[1] = 0;
	buffered--
}

active proctype processor()
{
end:	do
	:: d_step { buffered > 0 -> drain() }
	od
}

/* A plain store of the owner. */
inline store(place, value)
{
	d_step {
		buffered < 2 ->
		where[buffered] = place;
		what[buffered] = value;
		buffered++
	}
}

/* A plain load of the owner. */
inline load_state(record, value)
{
	d_step {
		value = state[record];
		if
		:: buffered > 0 && where[0] == record -> value = what[0]
		:: else
		fi;
		if
		:: buffered > 1 && where[1] == record -> value = what[1]
		:: else
		fi
	}
}

inline membarrier()
{
#ifndef NO_BARRIER
	d_step {
		do
		:: buffered > 0 -> drain()
		:: else -> break
		od
	}
#else
	skip
#endif
}

/* ferry_held_publish */
inline publish(record)
{
	assert(holder == OWNER);
	d_step {
		assert(users[record] == 0);
		is_there[record] = 1
	}
	store(record, HELD);
	store(CALL, record)
}

/* ferry_held_take */
inline take(record, is_taken)
{
#ifdef CLAIM_FIRST
	seen = claim;
	store(CALL, NONE);
#else
	store(CALL, NONE);
	seen = claim;
#endif
	if
	:: seen == UNCLAIMED ->
		load_state(record, found);
		is_taken = (found == HELD)
	:: else ->
		/* ferry_held_is_left */
		d_step {
			buffered == 0 ->
			seen = claim;
			if
			:: claim == CLAIMED ->
#ifndef NO_DENIED
				claim = DENIED
#endif
			:: else
			fi
		}
#ifdef NO_STATE
		if
		:: seen == CLAIMED -> is_taken = 1
		:: seen == WON -> is_taken = 0
		:: else -> load_state(record, found); is_taken = (found == HELD)
		fi
#else
		if
		:: seen == WON -> is_taken = 0
		:: else -> load_state(record, found); is_taken = (found == HELD)
		fi
#endif
	fi;
	seen = 0;
	found = 0
}

/* ferry_held_await_token */
inline await(record)
{
	do
	:: load_state(record, found);
		if
		:: found == GIVEN_UP -> break
		:: found == AWAITED
		:: else ->
			d_step {
				buffered == 0 ->
				if
				:: state[record] == found -> state[record] = AWAITED; found = AWAITED
				:: else
				fi
			}
		fi;
		/* FUTEX_WAIT */
		if
		:: found == AWAITED ->
			d_step {
				if
				:: state[record] == AWAITED -> is_asleep = 1
				:: else
				fi
			}
			!is_asleep
		:: else
		fi
	od;
	found = 0
}

/* rts_lock, resumeThread */
inline acquire()
{
	d_step { holder == FREE -> holder = OWNER }
}

/* ferry_held_give_up, by a thread that has taken the Capability */
inline give_up(record, me)
{
	d_step {
		assert(holder == me && is_there[record]);
		holder = FREE
	}
	d_step {
		was = state[record];
		state[record] = GIVEN_UP;
#ifndef TOUCHED_LATE
		if
		:: me == OTHER -> users[record]--
		:: else
		fi
#endif
	}
	/* FUTEX_WAKE, of an address */
	if
	:: was == AWAITED -> is_asleep = 0
	:: else
	fi;
#ifdef TOUCHED_LATE
	d_step {
		if
		:: me == OTHER -> users[record]--
		:: else
		fi
	}
#endif
	was = 0
}

/* The owner returns from the call with its Capability. */
inline leave(record)
{
	take(record, is_taken);
	if
	:: is_taken
	:: else -> await(record); acquire()
	fi;
	d_step {
		is_taken = 0;
		assert(holder == OWNER && users[record] == 0);
		is_there[record] = 0
	}
}

/* ferry_held_yield, and then the callback in Haskell */
inline call_back(record)
{
	take(record, is_taken);
	if
	:: is_taken ->
		assert(holder == OWNER);
		/* the exchange is a locked operation */
		buffered == 0;
		give_up(record, OWNER)
	:: else
	fi;
	is_taken = 0;
	await(record);
	acquire();
	publish(2);
	leave(2);
	/* rts_unlock */
	d_step { assert(holder == OWNER); holder = FREE }
}

active proctype owner()
{
	byte calls = 0, backs = 0, seen = 0, found = 0, was = 0;
	bit is_taken = 0;

	do
	:: calls == CALLS -> break
	:: else ->
		publish(1);
#ifdef WORKER
		region_on = (calls == 0);
#endif
		do
		:: backs < BACKS -> backs++; call_back(1)
		:: break
		od;
		backs = 0;
#ifdef WORKER
		worker_done;
#endif
		leave(1);
		calls++
	od
}

/* retake_from */
inline retake()
{
	if
	:: call == NONE -> goto missed
	:: else
	fi;
	d_step {
		if
		:: claim == UNCLAIMED -> claim = CLAIMED; is_mine = 1
		:: else
		fi
	}
	if
	:: is_mine
	:: else -> goto missed
	fi;
	membarrier();
	got = call;
	if
	:: got != NONE ->
		d_step {
			if
			:: claim == CLAIMED ->
				claim = WON;
				assert(holder == OWNER && is_there[got]);
				holder = OTHER;
				users[got]++
			:: else -> got = NONE
			fi
		}
	:: else
	fi;
	if
	:: got != NONE ->
#ifdef TAKEN_STORED
		state[got] = TAKEN;
#else
#ifndef NO_TAKEN
		d_step {
			if
			:: state[got] == HELD -> state[got] = TAKEN
			:: else
			fi
		}
#endif
#endif
		call = NONE;
		claim = UNCLAIMED;
		give_up(got, OTHER)
	:: else -> claim = UNCLAIMED
	fi;
missed:	is_mine = 0;
	got = NONE
}

active [MONITORS] proctype monitor()
{
	byte got = NONE, was = 0, looks = 0;
	bit is_mine = 0;

	do
	:: looks == LOOKS -> break
	:: else ->
		retake();
		looks++
	od
}

#ifdef WORKER
/* ferry_held_retake: the call is the first one */
active proctype worker()
{
	byte got = NONE, was = 0;
	bit is_mine = 0;

	region_on;
	assert(is_there[1]);
	if
	:: state[1] == HELD -> retake()
	:: else
	fi;
	worker_done = 1
}
#endif

active proctype judge()
{
	timeout;
	assert(claim == UNCLAIMED && holder == OWNER && !is_there[1] && !is_there[2])
}
