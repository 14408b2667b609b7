/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Families that are taken out of the tree while other threads climb in it (src/openmp/scheduler/family.c, climb.h). A
 * chain of tasks: each defers the next and ends without waiting for it, so that families of ended tasks stand between
 * those that still run. The first task goes on and asks of deferred tasks whether they descend from it, as a thread in
 * a taskwait does. Each load, store and locked operation on shared memory is a step of its own.
 *
 * Checked in every reachable state: no thread touches a family that was freed, and none is freed twice; every deferred
 * task is found to descend from the first; in the end every family is freed but that of the implicit task, which only
 * its own task keeps then.
 *
 * Spin enumerates sequentially consistent runs. `climbers`, and `parent` of a family that is not the thread's own, are
 * loaded and stored with seq_cst only. What weaker orders could add elsewhere is excluded by argument:
 *	- `count` is decremented with release, and the decrement or the exchange that finds that nobody keeps the family
 *	  acquires.
 *	- `ended` is relaxed: a thread that sees it late keeps a family that it could have passed by.
 *
 * How it is checked ("long" only in make stress):
 *	holds: -DTASKS=4 -DCREWS=3
 *	long: -DTASKS=5 -DCREWS=3
 *	fails: -DTASKS=5 -DCREWS=3 -DNO_CLIMBERS
 *	fails: -DTASKS=5 -DCREWS=3 -DCLIMBS_LATE
 *	fails: -DTASKS=5 -DCREWS=3 -DLOOKS_FIRST
 *	fails: -DTASKS=5 -DCREWS=3 -DKEEPS_ANYWAY
 *	fails: -DTASKS=5 -DCREWS=3 -DTAKES_ANYWAY
 *	fails: -DTASKS=5 -DCREWS=3 -DFORGETS_COUNT
 */

/* Family f is that of task f. Family 0 is the implicit task's: the root of the tree. */
#define FAMILIES (TASKS + 1)
#define NONE 255

/* A count: the children that have not ended, times CHILD, and how many references keep the family. */
#define KEEP 1
#define CHILD 16
#define KEPT(value) ((value) % CHILD)

byte count[FAMILIES];
byte parent[FAMILIES];
byte depth[FAMILIES];
bit ended[FAMILIES];
byte climbers = 0;

/* The families that each crew has taken out, linked by next[]. */
byte taken_out[CREWS];
byte next[FAMILIES];

/* Tasks in the queue, and its lock: a thread that asks about a task holds it, so no other takes the task meanwhile. */
bit deferred[FAMILIES];
byte deferred_later = 0; /* how many of them, without the first */
bit queue_lock = 0;

/* For the assertions. */
bit made[FAMILIES];
bit freed[FAMILIES];
byte done = 0;

#define TOUCH(family) assert(made[family] && !freed[family])

/* free_family */
inline free_family(family)
{
	d_step {
		TOUCH(family);
		assert(family != 0);
		freed[family] = 1
	}
}

/* omp__family_left: the family `at` has lost a reference, and `left` remains of its count */
inline family_left()
{
	do
	:: KEPT(left) == 0 ->
		d_step { TOUCH(at); above = parent[at] };
		free_family(at);
		at = above;
		d_step { TOUCH(at); count[at] = count[at] - KEEP; left = count[at] }
	:: else -> break
	od
}

inline drop(amount)
{
	d_step { TOUCH(at); count[at] = count[at] - (amount); left = count[at] };
	family_left()
}

inline climb_begin()
{
#ifndef NO_CLIMBERS
	climbers++
#else
	skip
#endif
}

inline climb_end()
{
#ifndef NO_CLIMBERS
	climbers--
#else
	skip
#endif
}

/* keep: `kept` says whether the family `at` may be kept */
inline keep()
{
	do
	:: d_step { TOUCH(at); left = count[at] };
#ifndef KEEPS_ANYWAY
		if
		:: left == 0 -> kept = 0; break
		:: else
		fi;
#endif
		/* compare-and-swap */
		d_step {
			TOUCH(at);
			if
			:: count[at] == left -> count[at] = left + KEEP; kept = 1
			:: else -> kept = 0
			fi
		};
		if
		:: kept -> break
		:: else
		fi
	od
}

/* keep_above: in `at`, the nearest family above the task whose task has not ended; `at` is the creator's before. */
inline keep_above()
{
	if
	:: at == 0 -> kept = 0
	:: else -> d_step { TOUCH(at); kept = ended[at] }
	fi;
	if
	:: !kept -> d_step { TOUCH(at); count[at] = count[at] + KEEP }
	:: else ->
		d_step { TOUCH(at); above = parent[at] };
		if
		:: above == 0 ->
			at = 0;
			d_step { count[0] = count[0] + KEEP }
		:: else ->
#ifdef CLIMBS_LATE
			at = above;
#endif
			climb_begin();
			do
			:: at == 0 -> break
			:: else ->
				d_step { TOUCH(at); kept = ended[at] };
				if
				:: kept -> kept = 0
				:: else -> keep()
				fi;
				if
				:: kept -> break
				:: else
				fi;
				d_step { TOUCH(at); above = parent[at] };
				at = above
			od;
			if
			:: at == 0 -> d_step { count[0] = count[0] + KEEP }
			:: else
			fi;
			climb_end()
		fi
	fi;
	above = 0;
	kept = 0
}

/* free_taken_out */
inline free_taken_out()
{
	at = taken_out[me];
	taken_out[me] = NONE;
	do
	:: at != NONE ->
		above = next[at];
		free_family(at);
		at = above
	:: else -> break
	od;
	above = 0;
	at = 0
}

/* take_out_above: out of the tree go those families above the task's own that only the family below keeps */
inline take_out_above()
{
	do
	:: d_step { TOUCH(task); at = parent[task] };
		if
		:: at == 0 -> break
		:: else
		fi;
		/* compare-and-swap */
#ifdef TAKES_ANYWAY
		d_step { TOUCH(at); kept = (count[at] == KEEP) };
		if
		:: kept -> d_step { TOUCH(at); count[at] = 0 }
		:: else -> break
		fi;
#else
		d_step {
			TOUCH(at);
			kept = 0;
			if
			:: count[at] == KEEP -> count[at] = 0; kept = 1
			:: else
			fi
		};
		if
		:: kept
		:: else -> break
		fi;
#endif
		d_step { TOUCH(at); above = parent[at] };
		parent[task] = above;
#ifdef FORGETS_COUNT
		d_step { TOUCH(above); count[above] = count[above] - KEEP };
#endif
		next[at] = taken_out[me];
		taken_out[me] = at
	od;
	kept = 0;
	above = 0;
	at = 0
}

/* omp__family_end */
inline family_end()
{
	d_step { TOUCH(task); left = count[task] };
	if
	:: left == KEEP -> at = task; left = 0; family_left()
	:: else ->
		d_step { TOUCH(task); above = parent[task] };
#ifdef LOOKS_FIRST
		late = climbers;
#endif
		if
		:: above != 0 ->
			d_step { TOUCH(above); kept = (count[above] == KEEP) };
			if
			:: kept -> take_out_above()
			:: else
			fi
		:: else
		fi;
#ifndef LOOKS_FIRST
		late = climbers;
#endif
		if
		:: taken_out[me] != NONE && late == 0 -> free_taken_out()
		:: else
		fi;
		late = 0;
		at = task;
		drop(KEEP)
	fi;
	at = 0;
	above = 0;
	left = 0;
	kept = 0
}

/* A task in the queue is asked about: omp__family_descends of the family that it is a child of, and of task 1. */
inline ask()
{
	d_step { TOUCH(at); left = depth[at] };
	d_step { TOUCH(at); above = parent[at] };
	if
	:: at == 1 || above == 1
	:: else ->
		climb_begin();
		do
		:: left > depth[1] ->
			d_step { TOUCH(at); above = parent[at] };
			at = above;
			d_step { TOUCH(at); left = depth[at] }
		:: else -> break
		od;
		climb_end();
		assert(at == 1)
	fi;
	at = 0;
	above = 0;
	left = 0
}

/* A task makes its family and defers the next task. */
inline begin_task()
{
	at = task - 1;
	keep_above();
	d_step {
		TOUCH(at);
		count[task] = KEEP;
		parent[task] = at;
		depth[task] = depth[at] + 1;
		made[task] = 1;
		at = 0
	};
	if
	:: task < TASKS ->
		/* family_join, by the task's own thread */
		d_step { TOUCH(task); count[task] = KEEP + KEEP + CHILD };
		atomic { queue_lock == 0 -> deferred[task + 1] = 1; deferred_later++ }
	:: else
	fi
}

/* The first task asks about deferred tasks as often as it likes, as the taskwait of a task does. */
inline ask_for_a_while()
{
	do
	:: break
	:: atomic {
			queue_lock == 0 && deferred[TASKS - 1] -> queue_lock = 1; at = TASKS - 2
		};
		ask();
		queue_lock = 0
	:: atomic {
			queue_lock == 0 && deferred[TASKS] -> queue_lock = 1; at = TASKS - 1
		};
		ask();
		queue_lock = 0
	od
}

/* omp__task_complete */
inline end_task()
{
	ended[task] = 1;
	at = task - 1;
	drop(CHILD + KEEP);
	family_end();
	done++;
	task = 0
}

/* The first crew runs the first task, the others run all that are deferred, in any order. */
proctype crew(byte me)
{
	byte task = 0, at = 0, above = 0, left = 0, late = 0;
	bit kept = 0;

	do
	:: atomic {
			queue_lock == 0 && (me == 0 && deferred[1] || me != 0 && deferred_later) ->
			if
			:: me == 0 -> task = 1
			:: me != 0 && deferred[2] -> task = 2
#if TASKS > 2
			:: me != 0 && deferred[3] -> task = 3
#endif
#if TASKS > 3
			:: me != 0 && deferred[4] -> task = 4
#endif
#if TASKS > 4
			:: me != 0 && deferred[5] -> task = 5
#endif
			fi;
			deferred[task] = 0;
			deferred_later = deferred_later - (task > 1)
		};
		begin_task();
		if
		:: task == 1 -> ask_for_a_while()
		:: else
		fi;
		end_task()
	:: done == TASKS -> break
	od;
	/* omp__family_crew_end, when the region is over */
	free_taken_out()
}

init {
	byte each = 0;

	d_step {
		made[0] = 1;
		count[0] = KEEP + KEEP + CHILD;
		do
		:: each < CREWS -> taken_out[each] = NONE; each++
		:: else -> break
		od;
		deferred[1] = 1
	};
	atomic {
		each = 0;
		do
		:: each < CREWS -> run crew(each); each++
		:: else -> break
		od
	};
	_nr_pr == 1;
	d_step {
		assert(count[0] == KEEP);
		each = 1;
		do
		:: each < FAMILIES -> assert(freed[each]); each++
		:: else -> break
		od
	}
}
