/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How workers that no region needs end while the team goes on (src/openmp/team/members.c, worker.c, team_life.c). A
 * primary opens regions of any sizes. It tells workers to end when no region of a window has needed them, starts new
 * ones in their places and in those of workers that have left by themselves, and at last dismisses the team. Each load,
 * store and locked operation on shared memory is a step of its own. The join is one step here; team.pml has its steps,
 * and the rest of parking.
 *
 * Checked in every reachable state: no worker touches its member or the team after that was freed; each region is run
 * by as many members as its size says; when the team is freed, so is every member. A lost wake-up, and a worker that is
 * forgotten, would be states without a successor.
 *
 * A worker may leave at any time while it is idle and not needed, as if its time had passed. With NO_CLOCK no worker
 * leaves by itself, so only those end that the primary tells to.
 *
 * Spin enumerates sequentially consistent runs. What weaker orders could add is excluded by argument:
 *	- `unpark` is stored with release after `retired`; a worker that has seen it (acquire) sees `retired` too.
 *	- `gone` is stored with release after all that the worker did with its member, and loaded with acquire before that
 *	  is freed; the team's `users` likewise.
 *
 * How it is checked ("long" only in make stress):
 *	holds: -DMEMBERS=2 -DREGIONS=3
 *	holds: -DMEMBERS=3 -DREGIONS=3
 *	holds: -DMEMBERS=3 -DREGIONS=3 -DNO_CLOCK
 *	long: -DMEMBERS=3 -DREGIONS=4
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DNO_FENCE
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DNO_WAKE
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DNO_CLOCK -DRETIRED_LATE
 *	long fails: -DMEMBERS=3 -DREGIONS=4 -DFREES_SOONER
 *	long fails: -DMEMBERS=3 -DREGIONS=4 -DGONE_EARLY
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DUSERS_FIRST
 *	long fails: -DMEMBERS=3 -DREGIONS=4 -DSTAYS_MEMBER
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DSTALE_UNPARK
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DLEAVES_ANYWAY
 *	fails: -DMEMBERS=3 -DREGIONS=3 -DNEEDED_LATE
 *	long fails: -DMEMBERS=3 -DREGIONS=4 -DRUNS_ANYWAY
 */

/* How many workers are started in all: each region may need new workers in all places. Number 0 is the primary. */
#define WORKERS (1 + (MEMBERS - 1) * REGIONS)

#define KEY_GO 1
#define KEY_UNPARK 2
#define KEY_ANY 255

/* Bits of `unpark`, below its count. */
#define NEEDED 1
#define LEFT 2
#define ONE 4

/* `go` is one word: the size of the region, 0 for the dismissal, and its number. */
#define GO(size, generation) ((size) * 16 + (generation))

byte go = 0;
byte users = 1;
byte missing = 0;
bit team_freed = 0;

/* By worker. */
byte unpark[WORKERS];
bit retired[WORKERS];
bit gone[WORKERS];
bit freed[WORKERS];
bit leaving[WORKERS];
bit parked[WORKERS];
byte key[WORKERS];
bit asleep[WORKERS];

/* For the assertions: how many members ran the region. */
byte runs = 0;

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

/*
 * One step of a wait whose condition was found false: mark the parker; or, if it was marked before the condition was
 * found false again, sleep.
 */
inline wait_step(what)
{
	if
	:: !parking ->
		key[me] = what;
		parked[me] = 1;
		parking = 1
	:: parking ->
		/* FUTEX_WAIT compares and queues under one lock */
		atomic { if :: parked[me] -> asleep[me] = 1 :: else fi };
		asleep[me] == 0;
		if
		:: parked[me] == 0 -> parking = 0
		:: else
		fi
	fi
}

inline wait_end()
{
	if
	:: parking -> parked[me] = 0; parking = 0
	:: else
	fi
}

/* ---- the primary ------------------------------------------------------------------------------------------------ */

inline tell(who, what)
{
#ifdef NO_FENCE
	/* the look at the parker comes before the store */
	seen = parked[who];
	unpark[who] = unpark[who] + ONE;
#else
	unpark[who] = unpark[who] + ONE;
	seen = parked[who];
#endif
#ifdef NO_WAKE
	if
	:: what == KEY_ANY && retired[who] -> seen = 0
	:: else
	fi;
#endif
	parker_wake_seen(who, what)
}

/* omp__members_free_gone */
inline free_gone()
{
	who = 1;
	any_leaving = 0;
	do
	:: who < WORKERS ->
		if
#ifdef FREES_SOONER
		:: leaving[who] -> leaving[who] = 0; freed[who] = 1
#else
		:: leaving[who] && gone[who] -> leaving[who] = 0; freed[who] = 1
		:: leaving[who] && !gone[who] -> any_leaving = 1
#endif
		:: else
		fi;
		who++
	:: else -> break
	od
}

/* Retire the workers in the places from `kept` on. */
inline retire(kept)
{
	place = count;
	do
	:: place > kept ->
		place--;
		who = member[place];
		leaving[who] = 1;
		any_leaving = 1;
#ifdef RETIRED_LATE
		tell(who, KEY_ANY);
		retired[who] = 1
#else
		retired[who] = 1;
		tell(who, KEY_ANY)
#endif
	:: else -> break
	od;
#ifndef STAYS_MEMBER
	count = kept
#endif
}

inline start_worker(at)
{
	started++;
	member[at] = started;
	unpark[started] = NEEDED;
	users++;
	run worker(started, at)
}

/*
 * Tell the idle members that the region needs them, so that they stay; start another worker in the place of each that
 * has left.
 */
inline need()
{
	place = (idle_from -> idle_from : 1);
	do
	:: place < size && place < count ->
		who = member[place];
#ifdef NEEDED_LATE
		/* looks whether the worker has left, and tells it only after that that it is needed */
		seen = (unpark[who] & LEFT) != 0;
		unpark[who] = unpark[who] | NEEDED;
#else
		d_step { seen = (unpark[who] & LEFT) != 0; unpark[who] = unpark[who] | NEEDED };
#endif
		if
		:: seen -> atomic { leaving[who] = 1; any_leaving = 1; start_worker(place); seen = 0 }
		:: else
		fi;
		place++
	:: else -> break
	od
}

inline need_no_more()
{
	place = size;
	do
	:: place < idle_from && place < count ->
		who = member[place];
		unpark[who] = unpark[who] & ~NEEDED;
		place++
	:: else -> break
	od
}

/*
 * Start a worker for each member that the region needs and the team does not have. The worker finds the `go` of the
 * last region.
 */
inline grow()
{
	do
	:: count < size ->
		atomic { start_worker(count); count++ }
	:: else -> break
	od
}

/* retire_unneeded, where the clock may say that a window has ended at any time */
inline team_take()
{
	if
	:: count > size || any_leaving ->
		free_gone();
		if
		:: needed < size -> needed = size
		:: else
		fi;
		if
		:: true
		:: true ->
			if
			:: needed < count -> retire(needed)
			:: else
			fi;
			needed = size
		fi
	:: else
	fi;
	need();
	need_no_more();
	grow();
	if
	:: size < idle_from -> idle_from = size
	:: else
	fi;
	if
	:: size > needed -> needed = size
	:: else
	fi
}

inline start()
{
	atomic { missing = size - 1; runs = 0 };
	go = GO(size, generation);
	place = idle_from;
	do
	:: place < size ->
		who = member[place];
		if
		:: place > 0 -> tell(who, KEY_UNPARK)
		:: else
		fi;
		place++
	:: else -> break
	od;
	if
	:: idle_from < size -> idle_from = size
	:: else
	fi;
	place = 1;
	do
	:: place < size -> who = member[place]; seen = parked[who]; parker_wake_seen(who, KEY_GO); place++
	:: else -> break
	od
}

/* omp__team_dismiss */
inline dismiss()
{
	go = GO(0, generation + 1);
	place = 1;
	do
	:: place < count -> who = member[place]; tell(who, KEY_ANY); place++
	:: else -> break
	od;
	users == 1;
	free_gone();
	atomic {
		who = 1;
		do
		:: who < WORKERS -> assert(!leaving[who]); freed[who] = 1; who++
		:: else -> break
		od;
		team_freed = 1
	}
}

proctype primary()
{
	byte member[MEMBERS];
	byte generation = 0, size = 0, count = 1, idle_from = 0, needed = 0, started = 0, place = 0, who = 0;
	bit seen = 0, any_leaving = 0;

	do
	:: generation < REGIONS ->
		atomic {
			size = 2;
			do
			:: break
			:: size < MEMBERS -> size++
			od;
			generation++
		};
		team_take();
		start();
		atomic { missing == 0; assert(runs == size - 1) }
	:: else -> break
	od;
	dismiss()
}

/* ---- a worker ---------------------------------------------------------------------------------------------------- */

/* `ends` says that the worker ends, because it was told to or leaves by itself. */
inline be_idle()
{
	do
	:: atomic { assert(!freed[me]); value = unpark[me] };
		if
		:: value != unparked ->
			unparked = value;
#ifdef STALE_UNPARK
			ends = retired[me];
			break
#else
			if
			:: retired[me] -> ends = 1; break
			:: !retired[me] && go != seen_go -> break
			:: else
			fi
#endif
		:: else -> wait_step(KEY_UNPARK)
		/* the clock may say so at any time */
#if defined(NO_CLOCK)
#elif defined(LEAVES_ANYWAY)
		:: value == unparked && !(value & NEEDED) -> unpark[me] = unpark[me] | LEFT; ends = 1; break
#else
		:: value == unparked && !(value & NEEDED) ->
			if
			:: d_step { unpark[me] == value -> unpark[me] = value | LEFT } -> ends = 1; break
			:: else
			fi
#endif
		fi
	od;
	wait_end()
}

#ifdef RUNS_ANYWAY
#define IS_KEPT true
#else
#define IS_KEPT !retired[me]
#endif

inline run_region()
{
	atomic { assert(!freed[me]); runs++; assert(missing > 0); missing-- }
}

proctype worker(byte me; byte num)
{
	byte seen_go = 0, value = 0, unparked = NEEDED;
	bit parking = 0, ends = 0;

	do
	:: atomic { assert(!team_freed && !freed[me]); value = go };
		if
		:: value == seen_go -> wait_step(KEY_GO)
		:: else ->
			wait_end();
			seen_go = value;
			if
#ifndef RUNS_ANYWAY
			:: retired[me] -> break
#endif
			:: IS_KEPT && value / 16 == 0 -> break
			:: IS_KEPT && value / 16 > num -> run_region()
			:: IS_KEPT && value / 16 <= num && value / 16 != 0 ->
				be_idle();
				if
				:: ends -> break
				:: else
				fi
			fi
		fi
	od;
	/* ended() */
#ifdef USERS_FIRST
	users--;
	atomic { assert(!freed[me]); gone[me] = 1 }
#else
#ifdef GONE_EARLY
	gone[me] = 1;
	assert(!freed[me]);
#else
	atomic { assert(!freed[me]); gone[me] = 1 };
#endif
	atomic { assert(!team_freed); users-- }
#endif
}

init
{
	run primary()
}
