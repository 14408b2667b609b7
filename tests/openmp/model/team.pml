/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fork and join with docking (src/openmp/team/team.c, worker.c, members.c) and the parking below (wait.h): a primary opens regions of
 * any sizes one after the other, and at last dismisses its workers. Each load, store and locked operation on what is
 * shared is a step of its own.
 *
 * Checked in every reachable state: a worker runs the regions that it has a place in, each once, while the primary is in
 * that region, and finds the function of that region in the fork's line; nobody rewrites the line while a member reads
 * it; a worker beyond the region's size stays out; all workers end after the dismissal. A wake-up that is lost is a
 * state without a successor.
 *
 * Spin enumerates sequentially consistent runs. What weaker orders could add is excluded by argument:
 *	- `go` is stored with release after the line and loaded with acquire before it; `arrived` likewise, after the
 *	  region and before the next.
 *	- `recall` is stored with release after `go`, and whoever saw it (acquire) reads that `go` or a newer one.
 *	- between the store of go, recall or arrived and the look at a seat stands omp__wait_fence() (NO_FENCE is what it
 *	  prevents). The sleeper's pair is a locked exchange and a load.
 *
 * How it is checked ("long" only in make stress):
 *	holds: -DMEMBERS=2 -DREGIONS=3
 *	holds: -DMEMBERS=3 -DREGIONS=2
 *	long: -DMEMBERS=3 -DREGIONS=3
 *	fails: -DMEMBERS=2 -DREGIONS=1 -DNO_FENCE
 *	fails: -DMEMBERS=3 -DREGIONS=2 -DNO_RECALL
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DRECALL_FIRST
 *	fails: -DMEMBERS=3 -DREGIONS=2 -DLEAVES_EARLY
 *	fails: -DMEMBERS=3 -DREGIONS=2 -DREADS_ANYWAY
 */

/* What a thread waits for: a member's arrival by the member's number, or one of these. */
#define KEY_GO MEMBERS
#define KEY_RECALL (MEMBERS + 1)
#define KEY_ANY 255

/* `go` is one word: the size of the region, 0 for the dismissal, and its number. */
#define GO(size, generation) ((size) * 16 + (generation))

byte go = 0;
/* The rest of the fork's line: the region's function, which is its number here. */
byte function = 0;
byte arrived[MEMBERS];
byte recall[MEMBERS];

bit parked[MEMBERS];
byte key[MEMBERS];
/* In the kernel's queue; a wake-up takes it out. */
bit asleep[MEMBERS];

/* For the assertions: the region the primary is in, or 0; how often members ran it; who reads the line. */
byte open_region = 0;
byte runs = 0;
byte readers = 0;
byte gone = 0;

/* omp__seat_wake: whoever takes the mark off wakes */
inline seat_wake(who)
{
	d_step { seen = parked[who]; parked[who] = 0 }
	if
	:: seen -> asleep[who] = 0
	:: else
	fi;
	seen = 0
}

/* omp__wait_wake_key, `seen` loaded from the seat before */
inline seat_wake_seen(who, what)
{
	if
	:: seen && (what == KEY_ANY || key[who] == what) -> seat_wake(who)
	:: else -> seen = 0
	fi
}

/* A store, a full barrier, and the look at a seat. */
inline store_and_wake(word, value, who, what)
{
#ifdef NO_FENCE
	seen = parked[who];
	word = value;
#else
	word = value;
	seen = parked[who];
#endif
	seat_wake_seen(who, what)
}

/* One pass of a wait whose condition was found false: announce, or sleep when that was done and looked after. */
inline wait_step(what)
{
	if
	:: !announced ->
		key[me] = what;
		parked[me] = 1;
		announced = 1
	:: announced ->
		/* FUTEX_WAIT compares and queues under one lock */
		atomic { if :: parked[me] -> asleep[me] = 1 :: else fi };
		asleep[me] == 0;
		if
		:: parked[me] == 0 -> announced = 0
		:: else
		fi
	fi
}

inline wait_end()
{
	if
	:: announced -> parked[me] = 0; announced = 0
	:: else
	fi
}

/* omp__members_recall: who has docked is told that it is needed again. */
inline members_recall()
{
	who = docked_from;
	do
	:: who < size -> store_and_wake(recall[who], recall[who] + 1, who, KEY_RECALL); who++
	:: else -> break
	od;
	docked_from = size
}

inline start()
{
	atomic { assert(readers == 0); function = generation };
#ifdef RECALL_FIRST
	if
	:: docked_from < size -> members_recall()
	:: else
	fi;
#endif
	atomic { open_region = generation; runs = 0 };
#ifdef NO_FENCE
	/* the look at the first seat comes before the store */
	late = parked[1];
	go = GO(size, generation);
#else
	go = GO(size, generation);
	late = 1;
#endif
#if !defined(RECALL_FIRST) && !defined(NO_RECALL)
	if
	:: docked_from < size -> members_recall()
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
		seat_wake_seen(who, KEY_GO);
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

/* Its number is 0. */
proctype primary()
{
	byte me = 0, generation = 0, size = 0, docked_from = MEMBERS, who = 0;
	bit announced = 0, seen = 0, late = 0;

	do
	:: generation < REGIONS ->
		/* resize: any size of two members and more */
		atomic {
			size = 2;
			do
			:: break
			:: size < MEMBERS -> size++
			od;
			if
			:: size < docked_from -> docked_from = size
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
	:: who < MEMBERS -> store_and_wake(recall[who], recall[who] + 1, who, KEY_ANY); who++
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

inline dock()
{
	do
	:: value = recall[me];
		if
		:: value != recalled -> break
		:: else -> wait_step(KEY_RECALL)
		fi
	od;
	wait_end();
	recalled = value
}

proctype worker(byte me)
{
	byte seen_go = 0, value = 0, recalled = 0, generation = 0;
	bit announced = 0, seen = 0;

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
				:: else -> dock()
				fi
#else
			:: value / 16 > me -> take_part()
			:: value / 16 <= me && value / 16 != 0 -> dock()
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
