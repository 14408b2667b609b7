/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fork and join with idle members (src/openmp/team/team.c, worker.c, members.c), and the parking that they use
 * (wait.h): a primary opens regions of any sizes one after the other, and at last dismisses its workers. Each load,
 * store and locked operation on shared memory is a step of its own.
 *
 * Checked in every reachable state: a worker runs each region that has a place for it once, while the primary is in
 * that region, and finds the function of that region in the fork's line; no thread rewrites the line while a member
 * reads it; a worker beyond the region's size stays out; all workers end after the dismissal. A lost wake-up would be a
 * state without a successor.
 *
 * Spin enumerates sequentially consistent runs. What weaker orders could add is excluded by argument:
 *	- `go` is stored with release after the line and loaded with acquire before it; `arrived` likewise, after the
 *	  region and before the next.
 *	- `unpark` is stored with release after `go`, and a member that has seen it (acquire) reads that `go` or a newer one.
 *	- between the store of go, unpark or arrived and the look at a parker stands omp__wait_fence() (NO_FENCE is what it
 *	  prevents). The sleeper's pair is a locked exchange and a load.
 *
 * How it is checked ("long" only in make stress):
 *	holds: -DMEMBERS=2 -DREGIONS=3
 *	holds: -DMEMBERS=3 -DREGIONS=2
 *	long: -DMEMBERS=3 -DREGIONS=3
 *	fails: -DMEMBERS=2 -DREGIONS=1 -DNO_FENCE
 *	fails: -DMEMBERS=3 -DREGIONS=2 -DNO_UNPARK
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DUNPARK_FIRST
 *	fails: -DMEMBERS=3 -DREGIONS=2 -DLEAVES_EARLY
 *	fails: -DMEMBERS=3 -DREGIONS=2 -DREADS_ANYWAY
 */

/* What a thread waits for: a member's arrival by the member's number, or one of these. */
#define KEY_GO MEMBERS
#define KEY_UNPARK (MEMBERS + 1)
#define KEY_ANY 255

/* `go` is one word: the size of the region, 0 for the dismissal, and its number. */
#define GO(size, generation) ((size) * 16 + (generation))

byte go = 0;
/* The rest of the fork's line: the region's function, which is its number here. */
byte function = 0;
byte arrived[MEMBERS];
byte unpark[MEMBERS];

bit parked[MEMBERS];
byte key[MEMBERS];
/* Whether the thread is in the kernel's queue, from which a wake-up takes it. */
bit asleep[MEMBERS];

/*
 * For the assertions: the region that the primary is in, or 0; how many members have run it; how many are reading the
 * line.
 */
byte open_region = 0;
byte runs = 0;
byte readers = 0;
byte gone = 0;

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
	:: seen && (what == KEY_ANY || key[who] == what) -> parker_wake(who)
	:: else -> seen = 0
	fi
}

/* A store, a full barrier, and the look at a parker. */
inline store_and_wake(word, value, who, what)
{
#ifdef NO_FENCE
	seen = parked[who];
	word = value;
#else
	word = value;
	seen = parked[who];
#endif
	parker_wake_seen(who, what)
}

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
		asleep[me] == 0;
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

/* omp__members_unpark: tell idle members that they are needed again. */
inline members_unpark()
{
	who = idle_from;
	do
	:: who < size -> store_and_wake(unpark[who], unpark[who] + 1, who, KEY_UNPARK); who++
	:: else -> break
	od;
	idle_from = size
}

inline start()
{
	atomic { assert(readers == 0); function = generation };
#ifdef UNPARK_FIRST
	if
	:: idle_from < size -> members_unpark()
	:: else
	fi;
#endif
	atomic { open_region = generation; runs = 0 };
#ifdef NO_FENCE
	/* the look at the first parker comes before the store */
	late = parked[1];
	go = GO(size, generation);
#else
	go = GO(size, generation);
	late = 1;
#endif
#if !defined(UNPARK_FIRST) && !defined(NO_UNPARK)
	if
	:: idle_from < size -> members_unpark()
	:: else
	fi;
#endif
	who = 1;
	do
	:: who < size ->
		seen = parked[who];
		if
		:: who == 1 -> seen = seen && late
		:: else
		fi;
		parker_wake_seen(who, KEY_GO);
		who++
	:: else -> break
	od
}

inline join()
{
	who = 1;
	do
	:: who < size ->
#ifdef LEAVES_EARLY
		if
		:: who + 1 == size -> break
		:: else
		fi;
#endif
		do
		:: arrived[who] == generation -> break
		:: else -> wait_step(who)
		od;
		wait_end();
		who++
	:: else -> break
	od;
	atomic { assert(runs == size - 1); open_region = 0 }
}

/* The primary, member 0. */
proctype primary()
{
	byte me = 0, generation = 0, size = 0, idle_from = MEMBERS, who = 0;
	bit prepared = 0, seen = 0, late = 0;

	do
	:: generation < REGIONS ->
		/* resize: any size from two members on */
		atomic {
			size = 2;
			do
			:: break
			:: size < MEMBERS -> size++
			od;
			if
			:: size < idle_from -> idle_from = size
			:: else
			fi;
			generation++
		};
		start();
		join()
	:: else -> break
	od;
	/* omp__team_dismiss */
	go = GO(0, generation + 1);
	who = 1;
	do
	:: who < MEMBERS -> store_and_wake(unpark[who], unpark[who] + 1, who, KEY_ANY); who++
	:: else -> break
	od;
	gone == MEMBERS - 1
}

inline take_part()
{
	atomic { readers++; assert(open_region == generation) };
	atomic { assert(function == generation); readers--; runs++ };
	store_and_wake(arrived[me], generation, 0, me)
}

inline stay_idle()
{
	do
	:: value = unpark[me];
		if
		:: value != unparked -> break
		:: else -> wait_step(KEY_UNPARK)
		fi
	od;
	wait_end();
	unparked = value
}

proctype worker(byte me)
{
	byte seen_go = 0, value = 0, unparked = 0, generation = 0;
	bit prepared = 0, seen = 0;

	do
	:: value = go;
		if
		:: value == seen_go -> wait_step(KEY_GO)
		:: else ->
			wait_end();
			seen_go = value;
			generation = value % 16;
			if
			:: value / 16 == 0 -> break
#ifdef READS_ANYWAY
			/* a member reads the line and then whether it takes part */
			:: value / 16 != 0 -> readers++; readers--;
				if
				:: me < value / 16 -> take_part()
				:: else -> stay_idle()
				fi
#else
			:: value / 16 > me -> take_part()
			:: value / 16 <= me && value / 16 != 0 -> stay_idle()
#endif
			fi
		fi
	od;
	gone++
}

init
{
	atomic {
		byte who = 1;

		run primary();
		do
		:: who < MEMBERS -> run worker(who); who++
		:: else -> break
		od
	}
}
