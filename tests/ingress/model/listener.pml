/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of listeners (src/ingress/events/listener.c) beside the event thread (event_thread.c) and the end of their context
 * (context_end.c, destroy.c, abandon.c). The library thread emits events and ends the context; the event thread calls
 * the listeners; one host thread removes listener 1; another destroys the context, and waits for its end or has the
 * requests abandoned. Afterwards the entry of the context table belongs to the next context, whose listener 3 may lie
 * in the memory that listener 1 had. What the core does under the lock of the events is one step; a callback and a
 * release are two steps each, and the end of a wait is another.
 *
 * Checked in every reachable state:
 *	- no callback begins or ends after its user is gone, that is, after `release`, or for a listener without one
 *	  after the removal or the destruction has returned;
 *	- `release` is called exactly once, never beside its callback, and before a host's removal returns INGRESS_OK;
 *	- a removal ends no other listener;
 *	- when destroying returns no callback of the context runs, even if another thread destroys it too;
 *	- the memory of a listener is there while any thread reads it, and none is left at the end;
 *	- no thread waits for ever, which is a state without a successor.
 *
 * With LENDS listeners 1 and 2 have a `release`. With LIBRARY the library thread removes listener 1 too, as in a
 * reply's callback; with SELF its own callback does; with ASKS a callback waits for the library thread, as a blocking
 * call does. With TWO a second thread destroys. Known mistakes:
 *	CLOSED_AT_ONCE	a removal returns when the context ends
 *	NO_WAIT		a removal returns while the callback runs
 *	BY_MEMORY	a listener is found by its memory instead of its id
 *	FREE_EARLY	the removal frees the memory
 *	RELEASE_RUNNING	the thread that removes the listener releases it even while the callback runs
 *	RELEASE_TWICE	the thread that waited for the callback releases too
 *	FORGET_RUNNING	the callback counts as over before its release has returned
 *	QUIET		the end of the callback wakes no waiter
 *	LIBRARY_WAITS	the library thread waits for the callback
 *	SECOND_RETURNS	of two threads that destroy the context, one does not wait
 *
 *	holds: -DLENDS=0
 *	holds: -DLENDS=1
 *	holds: -DLENDS=0 -DSELF
 *	holds: -DLENDS=1 -DLIBRARY -DASKS
 *	holds: -DLENDS=1 -DLIBRARY -DSELF
 *	holds: -DLENDS=0 -DTWO
 *	holds: -DLENDS=1 -DTWO
 *	long: -DLENDS=1 -DLIBRARY -DASKS -DSELF -DTWO
 *	long: -DLENDS=1 -DLIBRARY -DSELF -DEMITS=3
 *	fails: -DLENDS=0 -DCLOSED_AT_ONCE
 *	fails: -DLENDS=0 -DNO_WAIT
 *	fails: -DLENDS=0 -DBY_MEMORY
 *	fails: -DLENDS=1 -DBY_MEMORY
 *	fails: -DLENDS=0 -DFREE_EARLY
 *	fails: -DLENDS=1 -DRELEASE_RUNNING
 *	fails: -DLENDS=1 -DLIBRARY -DRELEASE_RUNNING
 *	fails: -DLENDS=1 -DRELEASE_TWICE
 *	fails: -DLENDS=1 -DFORGET_RUNNING
 *	fails: -DLENDS=0 -DQUIET
 *	fails: -DLENDS=1 -DLIBRARY -DASKS -DLIBRARY_WAITS
 *	fails: -DLENDS=0 -DTWO -DSECOND_RETURNS
 */
#ifndef EMITS
#define EMITS 2
#endif
#define SLOTS 3
#define IDS 4 /* 1, 2, and 3 of the next context; 0 is none */
#define HOST 0
#define LIBRARY_THREAD 1
#define EVENT_THREAD 2

/* Listeners, by where they lie. */
bit memory[SLOTS]; /* whether a listener lies there */
byte id[SLOTS];
byte generation[SLOTS];
byte refs[SLOTS];
bit listed[SLOTS];
bit removed[SLOTS];
bit waits[SLOTS]; /* an event is queued */
byte running = 0; /* slot + 1 */
byte waiters = 0;
byte broadcasts = 0;

/* What the host knows, by id. */
bit inside[IDS];
bit gone[IDS]; /* whether its user is gone */
byte released[IDS];

/* The context. */
bit closing = 0;
bit ended = 0;
bit abandon_asked = 0;
bit abandoned = 0;
bit abandoning = 0;
bit past_abandoning = 0;
bit asked = 0;
bit finished = 0;

#define lends(i) (i == 3 || LENDS)

/* ---- in one step with what surrounds it: under the lock ---- */

inline unref(s) {
	assert(memory[s] && refs[s] > 0);
	refs[s]--;
	if
	:: refs[s] == 0 -> memory[s] = 0; id[s] = 0
	:: else
	fi
}

inline listen(s, number, use) {
	memory[s] = 1;
	id[s] = number;
	generation[s] = use;
	refs[s] = 1;
	listed[s] = 1;
	removed[s] = 0;
	waits[s] = 0
}

inline remove(s) {
	assert(memory[s] && listed[s]);
	listed[s] = 0;
	removed[s] = 1;
	waits[s] = 0
}

inline callback_is_over() {
	running = 0;
#ifndef QUIET
	if
	:: waiters -> broadcasts++
	:: else
	fi
#endif
}

/* ---- without the lock ---- */

inline release(number) {
	atomic {
		assert(!inside[number]);
		assert(!gone[number]);
		gone[number] = 1
	};
	atomic {
		released[number]++;
		assert(released[number] == 1)
	}
}

/* `number` 0: any */
inline wait_for_callback(number) {
	waiters++;
	do
	:: atomic {
		running && (number == 0 || id[running - 1] == number) -> seen = broadcasts
	   };
	   broadcasts != seen
	:: atomic {
		!(running && (number == 0 || id[running - 1] == number)) -> waiters--;
		break
	   }
	od
}

#define IS_RUNNING(number) (running && id[running - 1] == number)

/* Remove listener `number` of the first context. `found`: 0, or slot + 1. */
inline unlisten(number, caller) {
	atomic {
		found = 0;
		mine = 0;
		runs = IS_RUNNING(number);
		at = 0;
		do
		:: at < SLOTS ->
			if
#ifdef BY_MEMORY
			:: listed[at] && at + 1 == number -> found = at + 1
#else
			:: listed[at] && id[at] == number && generation[at] == 1 -> found = at + 1
#endif
			:: else
			fi;
			at++
		:: else -> break
		od;
#ifdef CLOSED_AT_ONCE
		if
		:: closing -> found = 0; runs = 0
		:: else
		fi;
#endif
		if
		:: found ->
			assert(id[found - 1] == number);
			remove(found - 1);
#ifdef RELEASE_RUNNING
			mine = lends(number);
#else
			mine = lends(number) && !runs;
#endif
#ifdef FREE_EARLY
			memory[found - 1] = 0
#else
			if
			:: !mine -> unref(found - 1)
			:: else
			fi
#endif
		:: else
		fi;
		at = 0
	};
	if
	:: mine ->
		release(number);
		atomic {
			unref(found - 1)
		}
#ifndef NO_WAIT
#ifdef LIBRARY_WAITS
	:: !mine && runs && caller != EVENT_THREAD -> wait_for_callback(number)
#else
	:: !mine && runs && caller == HOST ->
		wait_for_callback(number)
#ifdef RELEASE_TWICE
		;
		if
		:: found && lends(number) -> release(number)
		:: else
		fi
#endif
#endif
#endif
	:: else
	fi
}

inline listeners_end(caller) {
	atomic {
		at = 0;
		do
		:: at < SLOTS ->
			releases[at] = 0;
			if
			:: listed[at] ->
				remove(at);
				if
				:: running != at + 1 && lends(id[at]) -> releases[at] = 1
				:: else -> unref(at)
				fi
			:: else
			fi;
			at++
		:: else -> break
		od;
		at = 0
	};
	do
	:: at < SLOTS ->
		if
		:: releases[at] -> release(id[at])
		:: else
		fi;
		at++
	:: else -> break
	od;
	atomic {
		at = 0;
		do
		:: at < SLOTS ->
			if
			:: releases[at] -> unref(at); releases[at] = 0
			:: else
			fi;
			at++
		:: else -> break
		od;
		at = 0
	};
	if
	:: caller != EVENT_THREAD -> wait_for_callback(0)
	:: else
	fi
}

inline emit() {
	atomic {
		at = 0;
		do
		:: at < SLOTS ->
			if
			:: listed[at] -> waits[at] = 1
			:: else
			fi;
			at++
		:: else -> break
		od;
		at = 0
	}
}

proctype library_thread()
{
	byte emitted = 0, at = 0, found = 0, seen = 0;
	bit mine = 0, runs = 0, releases[SLOTS];
#ifdef LIBRARY
	bit removes = 1;
#endif

	do
	:: !closing && emitted < EMITS -> emit(); emitted++
	:: asked -> asked = 0
#ifdef LIBRARY
	:: removes -> removes = 0; unlisten(1, LIBRARY_THREAD)
#endif
	:: closing -> break
	od;
	asked = 0; /* requests that wait are refused */
	listeners_end(LIBRARY_THREAD);
	/* recycle: a late request to abandon does nothing */
	atomic {
		past_abandoning = 1
	};
	!abandoning;
	/* the entry is the next context's */
	atomic {
		at = 0;
		do
		:: memory[at] -> at++
		:: else -> break
		od;
		listen(at, 3, 2);
		at = 0
	};
	ended = 1;
	emit();
	listeners_end(LIBRARY_THREAD);
	finished = 1
}

proctype event_thread()
{
	byte s = 0, number = 0, at = 0, found = 0, seen = 0, self = 0;
	bit mine = 0, runs = 0, calls = 0, releases[SLOTS];

	do
	:: atomic {
		waits[0] || waits[1] || waits[2] ->
		if
		:: waits[0] -> s = 0
		:: waits[1] -> s = 1
		:: waits[2] -> s = 2
		fi;
		waits[s] = 0;
		refs[s]++
	   };
	   atomic {
		assert(memory[s]);
		calls = !removed[s];
		if
		:: calls -> running = s + 1
		:: else
		fi
	   };
	   if
	   :: calls ->
		atomic {
			assert(memory[s]);
			number = id[s];
			assert(!gone[number]);
			inside[number] = 1
		};
#ifdef ASKS
		/* a context that is closing refuses requests at once */
		atomic {
			if
			:: !closing -> asked = 1
			:: else
			fi
		};
		!asked;
#endif
#ifdef SELF
		if
		:: number == 1 -> self = 1; unlisten(1, EVENT_THREAD)
		:: true
		fi;
#endif
		atomic {
			assert(!gone[number]);
			inside[number] = 0
		};
		atomic {
			assert(memory[s]);
			mine = removed[s] && lends(number);
#ifdef FORGET_RUNNING
			callback_is_over();
#else
			if
			:: !mine -> callback_is_over()
			:: else
			fi;
#endif
			if
			:: !mine -> unref(s)
			:: else
			fi
		};
		if
		:: mine ->
			release(number);
			atomic {
#ifndef FORGET_RUNNING
				callback_is_over();
#endif
				unref(s)
			}
		:: else
		fi;
		atomic {
			number = 0;
			mine = 0
		}
	   :: else ->
		atomic {
			unref(s)
		}
	   fi
	:: atomic {
		abandon_asked && !abandoned ->
		if
		:: past_abandoning -> abandoned = 1; goto cut_is_over
		:: else -> abandoning = 1
		fi
	   };
	   listeners_end(EVENT_THREAD);
	   atomic {
		abandoning = 0;
		abandoned = 1
	   };
cut_is_over:
	   skip
	:: finished && !waits[0] && !waits[1] && !waits[2] -> break
	od
}

/* A host's thread that removes listener 1. */
proctype remover()
{
	byte at = 0, found = 0, seen = 0;
	bit mine = 0, runs = 0;

	unlisten(1, HOST);
	atomic {
		if
		:: lends(1) -> assert(!found || released[1] == 1)
		:: else ->
			assert(!inside[1]);
			gone[1] = 1
		fi
	}
}

/* A host's thread that destroys the context. Without a `release`, the user of listener 2 is gone when that returns. */
proctype destroyer(bit is_first)
{
#ifdef SECOND_RETURNS
	bit was_closing;

	atomic {
		was_closing = closing;
		closing = 1
	};
	if
	:: was_closing -> goto out
	:: else
	fi;
#else
	closing = 1;
#endif
	if
	:: ended
	:: abandon_asked = 1;
	   /* a destroyer that finds the end under way waits for that */
	   ended || (abandoned && !past_abandoning)
	fi;
out:
	atomic {
		assert(!inside[1] && !inside[2]);
		if
		:: is_first && !LENDS -> gone[2] = 1
		:: else
		fi
	}
}

init {
	atomic {
		listen(0, 1, 1);
		listen(1, 2, 1);
		run library_thread();
		run event_thread();
		run remover();
		run destroyer(1);
#ifdef TWO
		run destroyer(0)
#endif
	};
	_nr_pr == 1;
	assert(released[1] == LENDS && released[2] == LENDS && released[3] == 1);
	assert(!memory[0] && !memory[1] && !memory[2])
}
