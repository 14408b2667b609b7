/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of listeners (src/ingress/listener.c) beside the event thread (event_thread.c) and the end of their context
 * (library_thread.c, destroy.c): the library thread emits and ends the context, the event thread calls, one host thread
 * removes listener 1, another destroys the context, by waiting for its end or by a cut. Afterwards the place is the next
 * context's, whose listener 3 may lie in the memory that listener 1 had. What the core does under the lock of the events
 * is one step; a callback and a release are two each, and the end of a wait is another.
 *
 * Checked in every reachable state: no callback begins or ends after its user is gone, that is, after `release`, or
 * without one after the removal or the destruction has returned; `release` comes exactly once, never beside its
 * callback, and before a host's removal returns INGRESS_OK; a removal ends no other listener; when destroying returns no
 * callback of the context runs, whoever else destroys it; the memory of a listener is there while anybody looks at it,
 * and none is left at the end; nobody waits for ever, which is a state without a successor.
 *
 * With LENDS listeners 1 and 2 have a `release`. With LIBRARY the library thread removes listener 1 too, as in a reply's
 * callback; with SELF its own callback does; with ASKS a callback waits for the library thread, as one that calls does.
 * With TWO a second thread destroys. Known mistakes: CLOSED_AT_ONCE (a removal returns when the context ends), NO_WAIT
 * (and when the callback runs), BY_PLACE (a listener is found by its memory instead of its id), FREE_EARLY (its memory
 * goes with its removal), RELEASE_RUNNING (who removes releases, also while the callback runs), RELEASE_TWICE (who
 * waited for the callback releases too), FORGET_RUNNING (the callback is over before its release has returned),
 * QUIET (nobody is told that it is), LIBRARY_WAITS (the library thread waits for the callback), SECOND_RETURNS (of two
 * that destroy one does not wait).
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
 *	fails: -DLENDS=0 -DBY_PLACE
 *	fails: -DLENDS=1 -DBY_PLACE
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
bit memory[SLOTS]; /* it is one's */
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
bit gone[IDS]; /* its user */
byte released[IDS];

/* The context. */
bit closing = 0;
bit ended = 0;
bit cut_asked = 0;
bit cut_done = 0;
bit cutting = 0;
bit past_cutting = 0;
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
inline unlisten(number, who) {
	atomic {
		found = 0;
		mine = 0;
		runs = IS_RUNNING(number);
		at = 0;
		do
		:: at < SLOTS ->
			if
#ifdef BY_PLACE
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
	:: !mine && runs && who != EVENT_THREAD -> wait_for_callback(number)
#else
	:: !mine && runs && who == HOST ->
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

inline events_end(who) {
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
	:: who != EVENT_THREAD -> wait_for_callback(0)
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
	asked = 0; /* what had been asked is refused */
	events_end(LIBRARY_THREAD);
	/* recycle: a cut that comes late does nothing */
	atomic {
		past_cutting = 1
	};
	!cutting;
	/* the place is the next context's */
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
	events_end(LIBRARY_THREAD);
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
		/* what closes refuses at once */
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
		cut_asked && !cut_done ->
		if
		:: past_cutting -> cut_done = 1; goto cut_is_over
		:: else -> cutting = 1
		fi
	   };
	   events_end(EVENT_THREAD);
	   atomic {
		cutting = 0;
		cut_done = 1
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

/* A host's thread that destroys. Without a `release`, what listener 2 has goes with the context. */
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
	:: cut_asked = 1;
	   /* a cut that finds the end under way waits for that */
	   ended || (cut_done && !past_cutting)
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
