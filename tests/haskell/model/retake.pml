/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread has the Capability of a held call (haskell/cbits/held/retake.c, retake.h, held.c): the owner, which uses
 * plain loads and stores; the monitor; a thread that is about to collect (wanted.c); or a worker of the owner's
 * region that is about to call back. The owner's plain stores go through a store buffer of two entries, which is drained at any time, oldest entry first. The owner's
 * compare-and-exchanges, and another thread's membarrier, wait until the buffer is empty. A load of the owner looks
 * into the buffer first.
 *
 * The owner makes CALLS calls. In each it may call back once or twice, and the callback makes a nested call. The worker
 * exists in the first call only, and the owner waits for it before that call ends. Each of MONITORS threads that belong
 * to no call (the monitor; an owner that could not start a monitor) tries LOOKS times to retake.
 *
 * With COLLECTOR, a thread that has another Capability collects once. It asks for the owner's Capability, and then
 * retakes the call that it sees, unless that call ends first. Each call may block until the collection is over. The
 * monitors look again and again until then. An owner that has been asked gives its Capability up before its next call.
 * With BEGUN, the first call goes on until the thread has seen it: then no monitor is needed. (A thread that asks while a
 * call is being published may miss it, and the monitor has to see that call.)
 *
 * Checked in every reachable state: exactly one thread has the Capability when it is used or given up; the record
 * exists while the thread that has won uses it, although it lies on the owner's stack; a thread that waits for its
 * token gets it, and so does a collection that waits for a Capability (otherwise there would be a state without a
 * successor); nothing is claimed at the end.
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
 * What would happen if the thread that collects looked before it asks (ASKED_LATE): it waits for the second call.
 *
 *	owner						thread that collects
 *	first call					sees the first call
 *	the first call ends				sees its end: nothing to retake
 *	is not asked: the second call, which blocks
 *							asks
 *
 * What would happen if a thread gave up the call that it loaded before its claim, and not the one that it finds after
 * the barrier (FIRST_LOADED): it uses the record of a nested call that has ended, while a later call is published.
 *
 * How it is checked:
 *	holds: -DCALLS=2 -DLOOKS=2 -DMONITORS=1
 *	holds: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DWORKER -DBACKS=2
 *	holds: -DCALLS=2 -DLOOKS=1 -DMONITORS=2
 *	holds: -DCALLS=2 -DLOOKS=0 -DMONITORS=1 -DCOLLECTOR
 *	holds: -DCALLS=2 -DLOOKS=0 -DMONITORS=0 -DCOLLECTOR -DBEGUN
 *	holds: -DCALLS=1 -DLOOKS=0 -DMONITORS=0 -DCOLLECTOR -DBEGUN -DWORKER
 *	long: -DCALLS=2 -DLOOKS=2 -DMONITORS=2 -DWORKER -DBACKS=2
 *	long: -DCALLS=2 -DLOOKS=0 -DMONITORS=2 -DCOLLECTOR -DWORKER
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DNO_BARRIER
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DCLAIM_FIRST
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DNO_DENIED
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DNO_TAKEN
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DTAKEN_STORED
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DNO_STATE
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DWORKER -DBACKS=0 -DNO_STATE
 *	fails: -DCALLS=1 -DLOOKS=1 -DMONITORS=1 -DTOUCHED_LATE
 *	fails: -DCALLS=2 -DLOOKS=1 -DMONITORS=1 -DFIRST_LOADED
 *	fails: -DCALLS=1 -DLOOKS=0 -DMONITORS=0 -DCOLLECTOR
 *	fails: -DCALLS=2 -DLOOKS=0 -DMONITORS=1 -DCOLLECTOR -DNO_STATE
 *	fails: -DCALLS=1 -DLOOKS=0 -DMONITORS=0 -DCOLLECTOR -DBEGUN -DNO_BARRIER
 *	fails: -DCALLS=1 -DLOOKS=0 -DMONITORS=0 -DCOLLECTOR -DBEGUN -DTOUCHED_LATE
 *	fails: -DCALLS=1 -DLOOKS=0 -DMONITORS=0 -DCOLLECTOR -DBEGUN -DNO_RETAKE
 *	fails: -DCALLS=2 -DLOOKS=0 -DMONITORS=0 -DCOLLECTOR -DBEGUN -DASKED_LATE
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
#define COLLECTING 3
byte holder = OWNER;
bit is_there[3];
byte users[3];

/* Whether the owner sleeps on the futex of its record. */
bit is_asleep = 0;
bit region_on = 0;
bit worker_done = 0;

/*
 * The owner's field `calls`; whether the collector has seen the first call; whether rHpLim is 0; whether the collection
 * is over.
 */
byte made = 0;
bit is_seen = 0;
bit is_asked = 0;
bit is_collected = 0;

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

/*
 * ferry_held_publish. The record of a thread's outermost call is HELD from the end of the call before on; stored here,
 * that is the same order of stores.
 */
inline publish(record)
{
	assert(holder == OWNER);
	d_step {
		assert(users[record] == 0);
		is_there[record] = 1
	}
	store(record, HELD);
#ifdef COLLECTOR
	made++;
#endif
	store(CALL, record)
}

/* Where Haskell looks at rHpLim: the collector has the Capability next. */
inline yield_if_asked()
{
#ifdef COLLECTOR
	if
	:: is_asked ->
		d_step { assert(holder == OWNER); holder = FREE }
		!is_asked;
		acquire()
	:: else
	fi
#else
	skip
#endif
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
	yield_if_asked();
	publish(2);
	leave(2);
	/* rts_unlock */
	d_step { assert(holder == OWNER); holder = FREE }
}

active proctype owner()
{
	byte calls = 0, backs = 0, seen = 0, found = 0, was = 0;
	bit is_taken = 0, blocks = 0;

	do
	:: calls == CALLS -> break
	:: else ->
		yield_if_asked();
		publish(1);
#ifdef BEGUN
		is_seen;
#endif
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
#ifdef COLLECTOR
		if
		:: blocks = 1
		:: blocks = 0
		fi;
		!blocks || is_collected;
		blocks = 0;
#endif
		leave(1);
		calls++
	od;
	yield_if_asked()
}

/* retake_from */
inline retake()
{
	first = call;
	if
	:: first == NONE -> goto missed
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
#ifdef FIRST_LOADED
	got = first;
#else
	got = call;
#endif
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
	first = NONE;
	got = NONE
}

#if MONITORS > 0
active [MONITORS] proctype monitor()
{
	byte first = NONE, got = NONE, was = 0, looks = 0;
	bit is_mine = 0;

	do
#ifdef COLLECTOR
	:: is_collected -> break
	:: else -> retake()
#else
	:: looks == LOOKS -> break
	:: else ->
		retake();
		looks++
#endif
	od
}
#endif

#ifdef COLLECTOR
/* interruptAllCapabilities */
inline ask()
{
#if defined(BEGUN) && !defined(ASKED_LATE)
	d_step { call == 1 -> is_seen = 1; is_asked = 1 }
#else
	is_asked = 1
#endif
}

/* ferry_held_retake_lasting. LASTING_NS may be over at any time. */
inline retake_lasting()
{
	number = made;
	do
	:: call == NONE || made != number -> break
	:: else -> retake(); break
	od;
	number = 0
}

/* __wrap_interruptAllCapabilities, acquireAllCapabilities, the collection */
active proctype collector()
{
	byte first = NONE, got = NONE, was = 0, number = 0;
	bit is_mine = 0;

#ifdef ASKED_LATE
	d_step { call == 1 -> is_seen = 1 }
	retake_lasting();
	ask();
#else
	ask();
#ifndef NO_RETAKE
	retake_lasting();
#endif
#endif
	d_step { holder == FREE -> holder = COLLECTING }
	assert(holder == COLLECTING);
	d_step {
		holder = FREE;
		is_asked = 0;
		is_collected = 1
	}
}
#endif

#ifdef WORKER
/* ferry_held_retake: the call is the first one */
active proctype worker()
{
	byte first = NONE, got = NONE, was = 0;
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
