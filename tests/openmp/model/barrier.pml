/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barrier (src/openmp/team/barrier.c) with the parking that it uses (wait.h) and the tasks that its waiters run
 * (task_wait.c). Each load, store and locked operation on shared memory is a step of its own, and the members' steps
 * may come in any order. A member that looks again before it marks its parker stands for a waiter that spins.
 *
 * Checked in every reachable state: no member leaves a barrier before all have come to it; none leaves a barrier at
 * which there are unfinished tasks before those have ended; no wake-up is lost, since a member that slept for ever
 * would be a state without a successor (an invalid end state for Spin).
 *
 * Spin enumerates sequentially consistent runs. What weaker orders could add is excluded by argument:
 *	- A waker stores the flag and then loads the parker; hardware may turn these two round, and no others that matter.
 *	  At the counter omp__wait_fence() stands between them (NO_FENCE is what it prevents). Flags are written without a
 *	  fence, so the model takes the two steps in either order. A sleeper that misses its flag by that finds it when
 *	  its sleep has come to its limit (NO_LIMIT is what that prevents). The model lets a limit come where nothing
 *	  else can move, which is when all stores have arrived, and only for a sleeper whose flag is there; another would
 *	  look and sleep again. The waiter's pair is a locked exchange and a load, and the exchange is seq_cst.
 *	- the parker's key is stored before the exchange and loaded after a seq_cst load that saw it, so it is as new as that
 *	  mark. With an older mark the waker's fence comes before the waiter's exchange, whose next look sees the flag.
 *	- tasks_live is relaxed. A member sets it itself before it arrives, or has deferred no task. Member 0 clears it
 *	  between two meetings, and at the counter the member that lets the others go does; the flags or the counter
 *	  (release, acquire) order that store with what the others do before and after.
 *	- at the counter nobody is woken for the end of a task. A waiter that sees all come and no task left has read the
 *	  counter and then the sums; another that ends a task later makes its full barrier, the mark, before it looks.
 *	- created and completed are stored with release and loaded with acquire. A thread that counts a task's end has seen
 *	  its creation.
 *
 * How it is checked ("long" only in make stress):
 *	holds: -DMEMBERS=3 -DBARRIERS=1
 *	holds: -DMEMBERS=2 -DBARRIERS=3
 *	holds: -DMEMBERS=3 -DBARRIERS=2 -DCOUNTER
 *	holds: -DMEMBERS=2 -DBARRIERS=2 -DTASKS=1
 *	holds: -DMEMBERS=2 -DBARRIERS=1 -DTASKS=2
 *	holds: -DMEMBERS=2 -DBARRIERS=1 -DTASKS=2 -DCOUNTER
 *	holds: -DMEMBERS=2 -DBARRIERS=2 -DTASKS=1 -DCOUNTER
 *	long: -DMEMBERS=3 -DBARRIERS=3
 *	long: -DMEMBERS=4 -DBARRIERS=1 -DBUTTERFLY
 *	long: -DMEMBERS=3 -DBARRIERS=3 -DCOUNTER
 *	long: -DMEMBERS=2 -DBARRIERS=2 -DTASKS=2
 *	long: -DMEMBERS=2 -DBARRIERS=2 -DTASKS=2 -DCOUNTER
 *	long: -DMEMBERS=3 -DBARRIERS=1 -DTASKS=1 -DCOUNTER
 *	fails: -DMEMBERS=2 -DBARRIERS=1 -DNO_LIMIT
 *	fails: -DMEMBERS=2 -DBARRIERS=1 -DCOUNTER -DNO_FENCE
 *	fails: -DMEMBERS=2 -DBARRIERS=1 -DNO_LOOK
 *	fails: -DMEMBERS=2 -DBARRIERS=2 -DONE_PARITY
 *	fails: -DMEMBERS=2 -DBARRIERS=2 -DTASKS=2 -DNO_SECOND_MEETING
 *	fails: -DMEMBERS=2 -DBARRIERS=1 -DTASKS=2 -DCREATED_FIRST
 *	fails: -DMEMBERS=2 -DBARRIERS=1 -DTASKS=1 -DNO_LAST_WAKE
 *	fails: -DMEMBERS=2 -DBARRIERS=1 -DTASKS=1 -DCOUNTER -DNO_LOOK
 *	fails: -DMEMBERS=2 -DBARRIERS=1 -DTASKS=1 -DCOUNTER -DSOME_COME
 *	fails: -DMEMBERS=2 -DBARRIERS=1 -DTASKS=2 -DCOUNTER -DCREATED_FIRST
 *	fails: -DMEMBERS=2 -DBARRIERS=2 -DTASKS=2 -DCOUNTER -DLIVE_LATE
 *	fails: -DMEMBERS=2 -DBARRIERS=2 -DTASKS=1 -DCOUNTER -DNO_CLAIM
 */
#ifndef TASKS
#define TASKS 0
#endif
#if MEMBERS > 2
#define ROUNDS 2
#else
#define ROUNDS 1
#endif

#ifdef ONE_PARITY
#define PARITY(count) 0
#else
#define PARITY(count) ((count) & 1)
#endif
#define FLAG(member, round, parity) (((member) * ROUNDS + (round)) * 2 + (parity))
#define FLAGS (MEMBERS * ROUNDS * 2)
#ifdef BUTTERFLY
#define PARTNER(member, round) ((member) ^ (1 << (round)))
#else
#define PARTNER(member, round) (((member) + (1 << (round))) % MEMBERS)
#endif

/* What a member waits for: a flag by its number, or one of these. */
#define KEY_PASSED FLAGS
#define KEY_QUIET (FLAGS + 1)

/* count * 2 + the bit "the team has unfinished tasks"; `passed` has that bit never */
byte flag[FLAGS];
byte passed = 0;
/* How many members have come to the counter. */
byte arrived = 0;

bit parked[MEMBERS];
byte key[MEMBERS];
/* Whether the thread is in the kernel's queue, from which a wake-up takes it. */
bit asleep[MEMBERS];

bit live = 0;
byte created[MEMBERS];
byte completed[MEMBERS];
/*
 * Tasks in deques, tasks that have not ended, and tasks that may still be created; by the barrier before which they
 * belong.
 */
byte ready[BARRIERS + 2];
byte unfinished[BARRIERS + 2];
byte left_to_create = TASKS;

/* The last barrier that each member has come to. */
byte come[MEMBERS];

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
	:: seen && key[who] == what -> parker_wake(who)
	:: else -> seen = 0
	fi
}

inline parker_wake_key(who, what)
{
	seen = parked[who];
	parker_wake_seen(who, what)
}

/* omp__team_wake */
inline team_wake(what)
{
	other = 0;
	do
	:: other < MEMBERS -> parker_wake_key(other, what); other++
	:: else -> break
	od;
	other = 0
}

/* A member that sleeps although its flag has arrived looks again when its limit has passed. */
#ifdef NO_LIMIT
#define IS_LATE(what) false
#else
#define IS_LATE(what) ((what) < FLAGS && flag[(what) % FLAGS] / 2 == meeting)
#endif

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
#ifdef NO_LOOK
		atomic { if :: parked[me] -> asleep[me] = 1 :: else fi };
		asleep[me] == 0;
#endif
		prepared = 1
	:: prepared ->
		/* FUTEX_WAIT compares and queues under one lock */
		atomic { if :: parked[me] -> asleep[me] = 1 :: else fi };
		if
		:: asleep[me] == 0
		:: atomic { timeout && asleep[me] && IS_LATE(what) -> asleep[me] = 0 }
		fi;
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

/* Defer a task: set "the team has unfinished tasks", count the task, push it, and wake a member that would run it. */
inline create(before)
{
	if
	:: live == 0 -> live = 1
	:: else
	fi;
	d_step { unfinished[before]++; created[me]++ };
	ready[before]++;
	if
	:: seen = parked[(me + 1) % MEMBERS];
		if
		:: seen -> parker_wake((me + 1) % MEMBERS)
		:: else
		fi
	:: skip	/* another member was found asleep, or none was */
	fi
}

/* Run a task that was taken; it may defer one more. */
inline execute(before)
{
	if
	:: atomic { left_to_create > 0 -> left_to_create-- }; create(before)
	:: skip
	fi;
	unfinished[before]--;
	completed[me]++
}

/*
 * omp__tasks_help: `helped` says whether there was a task. A member that is one barrier behind also runs tasks of those
 * ahead.
 */
inline help()
{
	helped = 0;
	if
	:: atomic { ready[count] > 0 -> ready[count]-- }; execute(count); helped = 1
	:: atomic { ready[count + 1] > 0 -> ready[count + 1]-- }; execute(count + 1); helped = 1
	:: atomic { ready[count] == 0 && ready[count + 1] == 0 -> skip }
	fi
}

/* is_quiet, one load after the other: first how many tasks have ended, then how many were created */
#ifdef CREATED_FIRST
#define FIRST created
#define SECOND completed
#else
#define FIRST completed
#define SECOND created
#endif
inline look_whether_quiet()
{
	other = 0;
	sum = 0;
	do
	:: other < MEMBERS -> sum = sum + FIRST[other]; other++
	:: else -> break
	od;
	other = 0;
	do
	:: other < MEMBERS -> sum = sum - SECOND[other]; other++
	:: else -> break
	od;
	other = 0
}

#ifdef SOME_COME
#define ALL_COME (arrived > 0)
#else
#define ALL_COME (arrived == MEMBERS)
#endif

inline publish()
{
#ifdef NO_FENCE
	seen = parked[(me + 1) % MEMBERS];
	passed = meeting * 2;
	parker_wake_seen((me + 1) % MEMBERS, KEY_PASSED)
#else
	passed = meeting * 2;
	team_wake(KEY_PASSED)
#endif
}

/* `helped` says whether this member has let the others go; `had` is had_tasks. */
inline let_go()
{
	if
	:: ALL_COME ->
		had = live;
		if
		:: had -> look_whether_quiet()
		:: else -> sum = 0
		fi;
		if
		:: sum == 0 ->
#ifdef NO_CLAIM
			arrived = 0;
			helped = 1;
#else
			d_step { helped = ALL_COME; arrived = (helped -> 0 : arrived) };
#endif
			if
			:: helped ->
#ifdef LIVE_LATE
				publish();
#endif
				if
				:: had -> live = 0
				:: else
				fi;
#ifndef LIVE_LATE
				publish()
#endif
			:: else
			fi
		:: else
		fi
	:: else
	fi;
	had = 0;
	sum = 0
}

inline wait_for(word, what)
{
	do
	:: value = word;
		if
		:: value / 2 == meeting -> break
		:: else
		fi;
#if TASKS
		if
		:: live -> help()
		:: else
		fi;
#ifdef COUNTER
		if
		:: live && !helped -> let_go()
		:: else
		fi;
#endif
		if
		:: helped -> helped = 0
		:: else -> wait_step(what)
		fi
#else
		wait_step(what)
#endif
	od;
	wait_end()
}

inline disseminate()
{
	round = 0;
	do
	:: round < ROUNDS ->
		value = FLAG(PARTNER(me, round), round, PARITY(meeting));
		if
		:: flag[value] = meeting * 2 + bits; seen = parked[PARTNER(me, round)]
		:: seen = parked[PARTNER(me, round)]; flag[value] = meeting * 2 + bits	/* the store is late */
		fi;
		parker_wake_seen(PARTNER(me, round), value);
		wait_for(flag[FLAG(me, round, PARITY(meeting))], FLAG(me, round, PARITY(meeting)));
		bits = bits | (value & 1);
		round++
	:: else -> break
	od;
	round = 0
}

inline count_in()
{
	d_step { value = arrived; arrived++ };
	if
	:: value + 1 == MEMBERS -> let_go()
	:: else
	fi;
	if
	:: helped -> helped = 0
	:: else -> wait_for(passed, KEY_PASSED)
	fi;
	bits = 0
}

inline meet()
{
	meeting++;
#ifdef COUNTER
	count_in();
#else
	disseminate();
#endif
	value = 0
}

inline drain()
{
	do
	:: look_whether_quiet();
		if
		:: sum == 0 -> break
		:: else
		fi;
		help();
		if
		:: helped -> wait_end(); helped = 0
		:: else -> wait_step(KEY_QUIET)
		fi
	od;
	wait_end();
#ifndef NO_LAST_WAKE
	team_wake(KEY_QUIET)
#endif
}

proctype member(byte me)
{
	byte count = 0, meeting = 0, round = 0, value = 0, other = 0;
	short sum = 0;
	bit bits = 0, prepared = 0, helped = 0, had = 0, seen = 0;

	do
	:: count < BARRIERS ->
		do
		:: atomic { left_to_create > 0 -> left_to_create-- }; create(count + 1)
		:: break
		od;
		atomic { count++; come[me] = count };
		bits = live;
		meet();
		if
		:: bits ->
			drain();
			if
			:: me == 0 -> live = 0
			:: else
			fi;
			bits = 0;
#ifndef NO_SECOND_MEETING
			meet();
#endif
			bits = 0
		:: else
		fi;
		atomic {
			assert(unfinished[count] == 0);
			other = 0;
			do
			:: other < MEMBERS -> assert(come[other] >= count); other++
			:: else -> break
			od;
			other = 0
		}
	:: else -> break
	od
}

init
{
	atomic {
		byte who = 0;

		do
		:: who < MEMBERS -> run member(who); who++
		:: else -> break
		od
	}
}
