/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lane (src/ingress/lane.h) with the library thread's sleep (library_thread.c) and the end of a context (context.c):
 * pushers with a generation, one taker, one who closes. Each load, store and compare-and-swap on what is shared is a step
 * of its own. The word is generation, count and index; blocks are numbers, and `next` links them.
 *
 * Checked in every reachable state: what was pushed is taken exactly once and in its pusher's order; no push succeeds
 * after the end, or with the generation of an earlier use; never are more unanswered than the depth; no wake-up is lost,
 * since a taker that sleeps for ever is a state without a successor (an invalid end state for Spin).
 *
 * Spin enumerates sequentially consistent runs. All of it but `parked`, `closing` and `answered` is one word, whose steps
 * are in one order anyway; `parked` and `closing` are seq_cst; `answered` is monotone, and an older value only makes the
 * lane look fuller (the difference is taken modulo 2^20, of which the depth is at most half).
 *
 * PUSHERS threads push PUSHES blocks each. With CLOSER another ends the lane at some time, and what is pushed after that
 * with the old generation is refused. Known mistakes: NO_ASLEEP (a pusher does not look whether the taker sleeps),
 * PARK_LATE (the taker says that it parks only after the lane is asleep), NO_GENERATION (a push does not compare the
 * generation), CHECK_APART (the bound is checked for another count than the one that is swapped), CLOSE_QUIETLY (who
 * closes wakes only if the lane was asleep).
 *
 *	holds: -DPUSHERS=2 -DPUSHES=2
 *	holds: -DPUSHERS=3 -DPUSHES=1
 *	holds: -DPUSHERS=2 -DPUSHES=2 -DDEPTH=1
 *	holds: -DPUSHERS=2 -DPUSHES=1 -DCLOSER
 *	long: -DPUSHERS=3 -DPUSHES=2
 *	long: -DPUSHERS=2 -DPUSHES=3 -DDEPTH=2
 *	long: -DPUSHERS=2 -DPUSHES=2 -DCLOSER
 *	long: -DPUSHERS=3 -DPUSHES=1 -DCLOSER
 *	fails: -DPUSHERS=2 -DPUSHES=2 -DNO_ASLEEP
 *	fails: -DPUSHERS=2 -DPUSHES=2 -DPARK_LATE
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DCLOSER -DNO_GENERATION
 *	fails: -DPUSHERS=1 -DPUSHES=1 -DCLOSER -DCLOSE_QUIETLY
 *	fails: -DPUSHERS=2 -DPUSHES=2 -DDEPTH=1 -DCHECK_APART
 */
#ifndef DEPTH
#define DEPTH 100
#endif
#define BLOCKS (PUSHERS * PUSHES)
#define EMPTY 0
#define ASLEEP 1
#define FIRST 2

/* The word. */
byte generation = 0;
byte count = 0;
byte index = EMPTY;

byte next[FIRST + BLOCKS];
byte answered = 0;
byte parked = 0;
bit closing = 0;

byte unanswered = 0; /* pushed and not answered, as it is */
byte last[PUSHERS];  /* of each pusher: how many of its were taken */
byte taken = 0;
byte refused = 0;
byte pushers_done = 0;

inline wake() {
	d_step {
		parked = 0;
	}
}

/* Pusher p pushes its blocks one after the other, with generation 0. */
proctype pusher(byte p)
{
	byte done = 0, seen_generation, seen_count, seen_index, seen_answered, block;

	do
	:: done < PUSHES ->
		block = FIRST + p * PUSHES + done;
retry:
		atomic {
			seen_generation = generation;
			seen_count = count;
			seen_index = index;
		}
#ifndef NO_GENERATION
		if
		:: seen_generation != 0 -> refused++; goto next_block
		:: else
		fi;
#endif
		seen_answered = answered;
		if
		:: seen_answered > seen_count -> goto retry /* the word is older than the answers */
		:: seen_count - seen_answered >= DEPTH -> goto retry /* full: the host tries again */
		:: else
		fi;
		next[block] = seen_index;
#ifdef CHECK_APART
		/* the bound was checked for another count than the one that is swapped */
		atomic {
			seen_count = count;
			seen_index = index;
			next[block] = seen_index;
		}
#endif
		/* the compare-and-swap */
		atomic {
			if
#ifdef NO_GENERATION
			:: count == seen_count && index == seen_index ->
#else
			:: generation == seen_generation && count == seen_count && index == seen_index ->
#endif
				assert(generation == 0);
				count++;
				index = block;
				unanswered++;
				assert(unanswered <= DEPTH);
			:: else -> goto retry
			fi
		}
#ifndef NO_ASLEEP
		if
		:: seen_index == ASLEEP -> wake()
		:: else
		fi;
#endif
next_block:
		done++
	:: else -> break
	od;
	pushers_done++
}

/* Take all: newest first; turned round, so oldest first. */
byte order[BLOCKS];
proctype taker()
{
	byte list, block, length, at;
	bit knows = 0, said;

	do
	:: taken + refused == BLOCKS && pushers_done == PUSHERS -> break
	:: else ->
		/* look and take */
		atomic {
			list = index;
			if
			:: list != EMPTY -> index = EMPTY
			:: else
			fi
		}
		length = 0;
		if
		:: list >= FIRST ->
			d_step {
				block = list;
				do
				:: block >= FIRST ->
					order[length] = block;
					length++;
					block = next[block]
				:: else -> break
				od;
				do
				:: length > 0 ->
					length--;
					block = order[length] - FIRST;
					/* each once, and in its pusher's order */
					assert(block % PUSHES == last[block / PUSHES] || closing);
					assert(block % PUSHES >= last[block / PUSHES]);
					last[block / PUSHES] = block % PUSHES + 1;
					taken++;
					unanswered--;
				:: else -> break
				od;
				block = 0
			};
			/* published some time after the reply: it only makes the lane look fuller */
			answered = taken
		:: else
		fi;
		said = closing;
		if
		:: taken + refused == BLOCKS && pushers_done == PUSHERS && said -> break
		:: said != knows -> knows = said; goto again
		:: else
		fi;
		/* to sleep */
#ifndef PARK_LATE
		parked = 1;
#endif
		atomic {
			if
			:: index == EMPTY -> index = ASLEEP
			:: else -> parked = 0; goto again
			fi
		}
#ifdef PARK_LATE
		parked = 1;
#endif
		if
		:: closing != knows -> goto awake
		:: else
		fi;
		/* the futex; a taker that has nothing to expect any more may sleep for good */
sleeping:
		if
		:: parked == 0
		:: taken + refused == BLOCKS && pushers_done == PUSHERS && index < FIRST && closing == knows -> break
		fi;
awake:
		parked = 0;
again:
		skip
	od;
	assert(taken + refused == BLOCKS);
	assert(index < FIRST)
}

#ifdef CLOSER
proctype closer()
{
	bit asleep;

	atomic {
		generation = 1;
		asleep = (index == ASLEEP);
		if
		:: asleep -> index = EMPTY
		:: else
		fi
	}
	closing = 1;
#ifdef CLOSE_QUIETLY
	if
	:: asleep -> wake()
	:: else
	fi;
#else
	wake();
#endif
}
#endif

init {
	byte p = 0;

	atomic {
		do
		:: p < PUSHERS -> run pusher(p); p++
		:: else -> break
		od;
		run taker();
#ifdef CLOSER
		run closer()
#endif
	}
}
