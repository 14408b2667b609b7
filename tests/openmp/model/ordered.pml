/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a thread sleeps until its iteration of an ordered loop may run, and how it is woken (src/openmp/worksharing/
 * ordered.c). MEMBERS threads run ITERATIONS iterations, of which each has every MEMBERSth. A thread whose iteration may
 * not run yet looks any number of times, then marks its parker, counts itself, and sleeps. Each load, store and locked
 * operation on shared memory is a step of its own.
 *
 * Checked in every reachable state: iterations run in order, one at a time. A lost wake-up would be a state without a
 * successor.
 *
 * Spin enumerates sequentially consistent runs. The store of `next` has no fence after it, so a processor may do the
 * load of `sleepers` first. -DUNFENCED does, and the model fails; that is why a sleep in the runtime has a limit.
 *
 * The other mistakes: with -DUNCOUNTED a sleeper is not counted; with -DCOUNTS_LATE it counts itself after its last
 * look, and with -DKEY_LATE says what it sleeps for after that; with -DUNCOUNTS_EARLY a thread that was woken takes
 * itself off the count and may sleep again; with -DWAKES_SELF a thread wakes those that sleep for its own iteration.
 *
 *	holds: -DMEMBERS=2 -DITERATIONS=6
 *	holds: -DMEMBERS=3 -DITERATIONS=6
 *	fails: -DMEMBERS=3 -DITERATIONS=6 -DUNFENCED
 *	fails: -DMEMBERS=3 -DITERATIONS=6 -DUNCOUNTED
 *	fails: -DMEMBERS=3 -DITERATIONS=6 -DCOUNTS_LATE
 *	fails: -DMEMBERS=3 -DITERATIONS=6 -DUNCOUNTS_EARLY
 *	fails: -DMEMBERS=3 -DITERATIONS=6 -DKEY_LATE
 *	fails: -DMEMBERS=3 -DITERATIONS=6 -DWAKES_SELF
 */
#define NOTHING 255

/* The iteration that may run: ordered_next. */
byte next = 0;
byte sleepers = 0;

/* By thread: its parker's mark, and the iteration that it sleeps for. */
bit parked[MEMBERS];
byte key[MEMBERS];

/* For the assertions: how many threads are in an ordered region. */
byte inside = 0;

/* Look whether the iteration may run, and set `may`. */
inline look()
{
	may = (next == mine)
}

/* Wake the threads that sleep for the iteration `first`, as omp__team_wake() does. */
inline wake(first)
{
	other = 0;
	do
	:: other < MEMBERS ->
		sees = parked[other];
		if
		:: sees && key[other] == first ->
			/* the exchange */
			parked[other] = 0
		:: else
		fi;
		other++
	:: else -> break
	od
}

proctype member(byte num)
{
	byte mine = num, other = 0, seen = 0;
	bit may = 0, sees = 0, counted = 0;

	do
	:: mine >= ITERATIONS -> break
	:: else ->
		counted = 0;
again:
		look();
		if
		:: may -> goto ordered
		:: else
		fi;
		if
		:: true -> goto again /* spins or yields */
		:: true
		fi;
#ifndef KEY_LATE
		key[num] = mine;
#endif
		parked[num] = 1;
		if
		:: !counted ->
			look();
			if
			:: may -> parked[num] = 0; goto ordered
			:: else
			fi;
#ifndef UNCOUNTED
#ifndef COUNTS_LATE
			sleepers++;
			counted = 1;
#endif
#endif
		:: else
		fi;
		look();
#ifdef COUNTS_LATE
		sleepers++;
		counted = 1;
#endif
#ifdef KEY_LATE
		key[num] = mine;
#endif
		if
		:: may -> parked[num] = 0; goto ordered
		:: else
		fi;
		/* sleeps until another thread has taken the mark off */
		!parked[num];
#ifdef UNCOUNTS_EARLY
		sleepers--;
#endif
		goto again;
ordered:
		if
		:: counted -> sleepers--
		:: else
		fi;
		inside++;
		assert(inside == 1 && next == mine);
		inside--;
#ifdef UNFENCED
		seen = sleepers;
		next = mine + 1;
#else
		next = mine + 1;
		seen = sleepers;
#endif
		if
		:: seen ->
#ifdef WAKES_SELF
			wake(mine)
#else
			wake(mine + 1)
#endif
		:: else
		fi;
		mine = mine + MEMBERS
	od
}

init {
	byte started = 0;

	atomic {
		do
		:: started < MEMBERS ->
			key[started] = NOTHING;
			run member(started);
			started++
		:: else -> break
		od
	}
}
