/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which Haskell thread may use a prepared program (haskell/cbits/batch/owner.c, Ferry.Internal.Owner): the owner, which
 * finds its own number by a plain load; a thread that takes a program that nobody owns by a compare-and-exchange that
 * acquires; and an owner that hands the program over by a store that releases.
 *
 * Each of THREADS threads tries TRIES times to use the program twice in a row, as setParameter and runPrepared do: it
 * stores an argument, and in a second step, before which it looks at the owner again, it runs the program and reads the
 * result. Then it hands the program over. A thread that finds another owner leaves the program alone.
 *
 * The processor may be weaker than x86-64: what a thread has stored to the program's argument and result is its own
 * until it is written back, at any time, in any order; and it may go on to read an old value until it acquires. The
 * owner's word is one variable, so all threads agree on the order of what is stored there.
 *
 * Checked in every reachable state: a thread that uses the program is its only user; it reads the result of its own
 * argument, and finds what the last owner left.
 *
 * What would happen if a thread took the program by a load and a store (PLAIN_TAKE): two threads own it.
 *
 *	thread 1				thread 2
 *	load: nobody's				load: nobody's
 *	store 1, uses it			store 2, uses it
 *
 * What would happen if any thread could hand the program over while another one uses it (TAKEN_AWAY), or if a second
 * thread had the owner's number (SAME_NUMBER): the same. handOver does not ask who calls it, because the owner may have
 * ended: its caller has to know that.
 *
 * How it is checked:
 *	holds: -DTHREADS=2 -DTRIES=2
 *	holds: -DTHREADS=3 -DTRIES=2
 *	long: -DTHREADS=3 -DTRIES=4
 *	fails: -DTHREADS=2 -DTRIES=1 -DPLAIN_TAKE
 *	fails: -DTHREADS=2 -DTRIES=1 -DNO_RELEASE
 *	fails: -DTHREADS=2 -DTRIES=2 -DNO_ACQUIRE
 *	fails: -DTHREADS=2 -DTRIES=1 -DTAKEN_AWAY
 *	fails: -DTHREADS=2 -DTRIES=1 -DSAME_NUMBER
 */
#define NOBODY 0

/* ferry_program.owner */
byte owner = NOBODY;

/*
 * The program's argument and result as memory has them, and as each thread sees them; whether a thread has stored what
 * memory does not have yet. A result is that of the argument that it equals.
 */
#define ARGUMENT 0
#define RESULT 1
byte memory[2];
typedef view {
	byte value[2];
	bit is_stored[2];
};
view views[THREADS];

/* For the assertions: how many threads use the program, and what its last user has left. */
byte users = 0;
byte left = 0;

inline store(place, is)
{
	d_step {
		views[me].value[place] = is;
		views[me].is_stored[place] = 1
	}
}

/* Every store of this thread is in memory. */
inline release()
{
#ifndef NO_RELEASE
	!views[me].is_stored[ARGUMENT] && !views[me].is_stored[RESULT]
#else
	skip
#endif
}

/* This thread sees what memory has. */
inline acquire()
{
#ifndef NO_ACQUIRE
	d_step {
		views[me].value[ARGUMENT] = memory[ARGUMENT];
		views[me].value[RESULT] = memory[RESULT]
	}
#else
	skip
#endif
}

inline write_back(place)
{
	memory[place] = views[me].value[place];
	views[me].is_stored[place] = 0
}

/* Which stores of a thread reach memory, and when. */
active [THREADS] proctype processor()
{
	byte me = _pid;

end:	do
	:: d_step { views[me].is_stored[ARGUMENT] -> write_back(ARGUMENT) }
	:: d_step { views[me].is_stored[RESULT] -> write_back(RESULT) }
	od
}

/* ferry_own, ferry_program_own */
inline own()
{
	found = owner;
	if
	:: found == number -> is_own = 1
	:: else ->
#ifdef PLAIN_TAKE
		if
		:: found == NOBODY -> owner = number; is_own = 1
		:: else -> is_own = 0
		fi;
#else
		d_step {
			if
			:: owner == NOBODY -> owner = number; is_own = 1
			:: else -> is_own = 0
			fi
		}
#endif
		if
		:: is_own -> acquire()
		:: else
		fi
	fi;
	found = 0
}

/* ferry_program_hand_over */
inline hand_over()
{
	release();
	owner = NOBODY
}

active [THREADS] proctype thread()
{
	byte me = _pid - THREADS, number, tries = 0, found = 0;
	bit is_own = 0;

#ifdef SAME_NUMBER
	number = 1;
#else
	number = me + 1;
#endif
	do
	:: tries == TRIES -> break
	:: else ->
		tries++;
		/* setParameter */
		own();
		if
		:: is_own ->
			d_step {
				users++;
				assert(users == 1);
				/* what the last owner left is here */
				assert(views[me].value[RESULT] == left)
			}
			store(ARGUMENT, number);
			/* runPrepared */
			own();
			assert(is_own && users == 1);
			assert(views[me].value[ARGUMENT] == number);
			store(RESULT, views[me].value[ARGUMENT]);
			d_step {
				assert(views[me].value[RESULT] == number);
				left = number;
				users--
			}
			hand_over()
		:: else ->
#ifdef TAKEN_AWAY
			hand_over()
#else
			skip
#endif
		fi;
		is_own = 0
	od
}
