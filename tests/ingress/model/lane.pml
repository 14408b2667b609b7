/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes (src/ingress/lane.h, lanes.h) with the library thread's sleep (library_thread.c) and the end of a context
 * (context.c): pushers with a generation, each on its lane, one taker, one who closes. Each load, store and
 * compare-and-swap on what is shared is a step of its own. A lane's word is generation, room and index; blocks are
 * numbers, and `next` links them.
 *
 * Checked in every reachable state: what was pushed is taken exactly once and in its pusher's order; no push succeeds
 * after its lane's end, or with the generation of an earlier use, and no lane has an end after the taker knows of
 * closing; never are more unanswered than the depth; a queue is called full only when there was a moment at which so
 * many were unanswered; the constructor is taken first; no wake-up is lost, since a taker that sleeps for ever is a
 * state without a successor (an invalid end state for Spin).
 *
 * Spin enumerates sequentially consistent runs. The steps of one lane's word are in one order anyway, since taker and
 * pushers modify it; `awake`, `closing` and `parked` are seq_cst; `answered` is monotone, and an older value only makes
 * the queue look fuller.
 *
 * The sleep is the futex's: the taker sleeps if `parked` still says so, and who wakes it clears that in the same step.
 * With SUSPENDED pusher 0 may stop for good between any two of its steps, from its first push on. Then what it pushed
 * itself may stay where it is, and everything that others pushed is taken all the same.
 *
 * PUSHERS threads push PUSHES blocks each to LANES lanes. With DEPTH that many may be unanswered, and a lane without
 * room gets up to GRANT at a time; without it every lane has room enough from the start. With CLOSER another ends the
 * lanes at some time, and what is pushed after that with the old generation is refused. With CONSTRUCTOR the first
 * block of pusher 0 is a constructor, and the others come after it was pushed. Known mistakes: NO_ASLEEP (a pusher does
 * not look whether its lane sleeps), WAKE_FIRST (a pusher wakes the taker before it says that its lane is awake),
 * PARK_LATE (the taker says that it parks only after it has looked whether a lane is awake), CLEAR_LATE (the taker
 * forgets which lanes are awake only after it has put them to sleep), BORN_AWAKE (a lane is not asleep at first),
 * NO_GENERATION (a push does not compare the generation), CLOSE_QUIETLY (who closes does not wake),
 * CLOSE_EARLY (the taker is told before all lanes have ended), END_AWAKE (at the end the taker takes from lanes that
 * are awake, and no others), MOVES_UNSEEN (a queue is called full without a look at `moves`), FREE_ONCE (what is free
 * is not looked at again after the lanes), TAKE_ALL (the taker takes from all lanes before the constructor), WAKE_LATE
 * (a pusher clears `parked` and then wakes: only the first wakes), NO_LOOK (who pushes onto another's block does
 * not look whether the taker is going to look there), LOOK_AWAKE (it looks at `awake`, and not at `parked`).
 *
 *	holds: -DPUSHERS=2 -DPUSHES=2 -DLANES=1
 *	holds: -DPUSHERS=2 -DPUSHES=2 -DLANES=2
 *	holds: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DDEPTH=1
 *	holds: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DCLOSER
 *	holds: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DCONSTRUCTOR
 *	holds: -DPUSHERS=2 -DPUSHES=2 -DLANES=1 -DSUSPENDED
 *	holds: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DSUSPENDED
 *	holds: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DSUSPENDED -DCONSTRUCTOR
 *	holds: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DSUSPENDED -DCLOSER
 *	long: -DPUSHERS=3 -DPUSHES=1 -DLANES=2
 *	long: -DPUSHERS=3 -DPUSHES=1 -DLANES=2 -DSUSPENDED
 *	long: -DPUSHERS=3 -DPUSHES=1 -DLANES=2 -DSUSPENDED -DCONSTRUCTOR
 *	long: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DDEPTH=2 -DGRANT=2
 *	long: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DCLOSER -DDEPTH=1
 *	long: -DPUSHERS=3 -DPUSHES=1 -DLANES=2 -DCLOSER
 *	long: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DCLOSER
 *	long: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DDEPTH=1
 *	long: -DPUSHERS=2 -DPUSHES=2 -DLANES=1 -DDEPTH=2
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DNO_ASLEEP
 *	fails: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DWAKE_FIRST
 *	fails: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DPARK_LATE
 *	fails: -DPUSHERS=1 -DPUSHES=2 -DLANES=1 -DCLEAR_LATE
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DBORN_AWAKE
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DLANES=1 -DCLOSER -DNO_GENERATION
 *	fails: -DPUSHERS=1 -DPUSHES=1 -DLANES=1 -DCLOSER -DCLOSE_QUIETLY
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DCLOSER -DCLOSE_EARLY
 *	fails: -DPUSHERS=1 -DPUSHES=1 -DLANES=1 -DCLOSER -DEND_AWAKE
 *	fails: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DDEPTH=2 -DGRANT=2 -DMOVES_UNSEEN
 *	fails: -DPUSHERS=2 -DPUSHES=2 -DLANES=2 -DDEPTH=2 -DGRANT=2 -DFREE_ONCE
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DCONSTRUCTOR -DTAKE_ALL
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DLANES=2 -DSUSPENDED -DWAKE_LATE
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DLANES=1 -DSUSPENDED -DNO_LOOK
 *	fails: -DPUSHERS=2 -DPUSHES=1 -DLANES=1 -DSUSPENDED -DLOOK_AWAKE
 */
#ifndef DEPTH
#define DEPTH (BLOCKS * LANES)
#define AMPLE
#endif
#ifndef GRANT
#define GRANT 1
#endif
#define BLOCKS (PUSHERS * PUSHES)
#define EMPTY 0
#define ASLEEP 1
#define FIRST 2

/* The words. */
byte generation[LANES];
byte room[LANES];
byte index[LANES];
byte granted = 0;
bit awake[LANES];
byte moving = 0;
bit moved[PUSHERS]; /* moves were over since the pusher's look began: what their count says */

byte next[FIRST + BLOCKS];
byte answered = 0;
bit parked = 0;
bit sleeping = 0; /* on the futex */
bit closing = 0;

byte pushed = 0;    /* as it is; less `answered`: unanswered */
byte last[PUSHERS]; /* of each pusher: how many of its were taken */
byte taken = 0;
byte refused = 0;
byte others = 0; /* of these, pushed by others than pusher 0 */
bit suspended = 0;
byte pushers_done = 0;
bit told = 0; /* the taker has seen that it is closing */

#define ALL_TAKEN (suspended -> others == BLOCKS - PUSHES : taken + refused == BLOCKS)
#define NOTHING_COMES (ALL_TAKEN && pushers_done == PUSHERS)

/* Pusher 0 may go no further. */
inline may_stop() {
#ifdef SUSPENDED
	if
	:: p == 0 && pushed > 0 -> goto stop
	:: true
	fi
#else
	skip
#endif
}

inline wake() {
	if
	:: parked ->
		may_stop();
#ifdef WAKE_LATE
		parked = 0;
		may_stop();
		sleeping = 0
#else
		d_step {
			parked = 0;
			sleeping = 0
		}
#endif
	:: else
	fi
}

inline begin_move() {
	if
	:: !moves ->
		atomic {
			moves = 1;
			moving++
		}
	:: else
	fi
}

/* Room that no lane has. */
inline take_free() {
	do
	:: true ->
		seen_granted = granted;
		atomic {
			seen_answered = answered;
			was_full = (pushed - answered == DEPTH)
		}
		if
		:: seen_granted >= seen_answered && seen_granted - seen_answered < DEPTH ->
			found = DEPTH - (seen_granted - seen_answered);
			if
			:: found > GRANT -> found = GRANT
			:: else
			fi;
			begin_move()
		:: else -> found = 0
		fi;
		atomic {
			if
			:: granted == seen_granted ->
				granted = granted + found;
				break
			:: else -> found = 0
			fi
		}
	od
}

inline count_refused() {
	d_step {
		refused++;
		others = others + (p != 0 -> 1 : 0)
	}
}

/* So that states which differ only in what is over are one. */
inline forget() {
	seen_generation = 0;
	seen_room = 0;
	seen_index = 0;
	seen_answered = 0;
	seen_granted = 0;
	seen_moving = 0;
	found = 0;
	other = 0;
	was_full = 0;
	moved[p] = 0
}

/* Pusher p pushes its blocks one after the other, with generation 0, to lane `mine`. */
proctype pusher(byte p)
{
	byte done = 0, seen_generation, seen_room, seen_index, seen_answered, seen_granted, block, found, other;
	bit seen_moving, moves = 0, was_full = 0;
#define mine (p % LANES)

#ifdef CONSTRUCTOR
	if
	:: p == 0
	:: else -> pushed > 0
	fi;
#endif
	do
	:: done < PUSHES ->
		block = FIRST + p * PUSHES + done;
retry:
		atomic {
			seen_generation = generation[mine];
			seen_room = room[mine];
			seen_index = index[mine]
		}
#ifndef NO_GENERATION
		if
		:: seen_generation != 0 -> count_refused(); goto next_block
		:: else
		fi;
#endif
		if
		:: seen_room == 0 -> goto make_room
		:: else
		fi;
		next[block] = seen_index;
		/* the compare-and-swap */
		atomic {
			if
#ifdef NO_GENERATION
			:: room[mine] == seen_room && index[mine] == seen_index ->
#else
			:: generation[mine] == seen_generation && room[mine] == seen_room && index[mine] == seen_index ->
#endif
				assert(generation[mine] == 0);
				assert(!told);
				room[mine] = room[mine] - 1;
				index[mine] = block;
				pushed++;
				assert(pushed - answered <= DEPTH)
			:: else -> goto retry
			fi
		}
		may_stop();
#ifndef NO_LOOK
		/* the look at `awake`, and at `parked`, unless its own block was there, or none */
		if
		:: seen_index < FIRST || (seen_index - FIRST) / PUSHES == p -> goto looked
		:: else
		fi;
		if
		:: !awake[mine] -> goto rouse
		:: else
		fi;
#ifndef LOOK_AWAKE
		if
		:: parked -> goto rouse
		:: else
		fi;
#endif
looked:
		skip;
#endif
#ifndef NO_ASLEEP
		if
		:: seen_index == ASLEEP -> goto rouse
		:: else
		fi;
#endif
		goto next_block;
rouse:
#ifdef WAKE_FIRST
		wake();
#endif
		awake[mine] = 1;
		may_stop();
#ifndef WAKE_FIRST
		wake();
#endif
		may_stop();
		goto next_block;
make_room:
		if
		:: generation[mine] != 0 -> goto retry
		:: else
		fi;
		atomic {
			seen_moving = moving > 0;
			moved[p] = 0
		}
		/* another pusher of this lane may have got some meanwhile */
		if
		:: room[mine] > 0 -> goto retry
		:: else
		fi;
		take_free();
		other = 0;
		do
		:: other < LANES && found == 0 ->
			atomic {
				seen_room = (other != mine && generation[other] == 0 -> room[other] : 0)
			};
			if
			:: seen_room > 0 ->
				begin_move();
				atomic {
					if
					:: room[other] == seen_room && generation[other] == 0 ->
						room[other] = seen_room - 1;
						found = 1
					:: else /* another look at this lane */
					fi
				}
			:: else -> other++
			fi
		:: else -> break
		od;
#ifndef FREE_ONCE
		if
		:: found == 0 -> take_free()
		:: else
		fi;
#endif
		/* when the lane has ended the room is lost, with the use */
		atomic {
			if
			:: found > 0 && generation[mine] == 0 -> room[mine] = room[mine] + found
			:: else
			fi
		}
		if
		:: moves ->
			d_step {
				moves = 0;
				moving--;
				other = 0;
				do
				:: other < PUSHERS -> moved[other] = 1; other++
				:: else -> break
				od;
				forget()
			};
			goto retry
		:: else ->
			/* room of lanes that have ended is lost, and the first ends before the others */
			if
			:: generation[0] != 0 -> count_refused(); goto next_block
			:: else
			fi;
			/* full, if nobody moved any; the host tries again */
			d_step {
				if
#ifdef MOVES_UNSEEN
				:: true ->
#else
				:: !seen_moving && moving == 0 && !moved[p] ->
#endif
					assert(was_full)
				:: else
				fi;
				forget()
			};
			goto retry
		fi;
next_block:
		atomic {
			done++;
			forget()
		}
	:: else -> break
	od;
	pushers_done++;
	goto end
stop:
	atomic {
		suspended = 1;
		pushers_done++;
		forget()
	}
end:
	skip
}

#ifdef END_AWAKE
#define IS_AWAKE awake[at]
#else
#define IS_AWAKE (awake[at] || said)
#endif
#if defined(CONSTRUCTOR) && !defined(TAKE_ALL)
#define MAY_TAKE ((IS_AWAKE && taken > 0) || (at == 0 && taken == 0))
#else
#define MAY_TAKE IS_AWAKE
#endif

/* Take all: newest first; turned round, so oldest first. */
byte order[BLOCKS];
proctype taker()
{
	byte list, block, length, at;
	bit knows = 0, said, stays = 0;
	bit dozes[LANES];

	do
	:: NOTHING_COMES -> break
	:: else ->
		said = closing;
		told = said;
		at = 0;
		do
		:: at < LANES ->
			/* look and take */
			list = EMPTY;
			if
			:: MAY_TAKE ->
				atomic {
					list = index[at];
					if
					:: list >= FIRST ->
						index[at] = EMPTY;
						awake[at] = awake[at] || taken == 0
					:: else
					fi
				}
			:: else
			fi;
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
#ifdef CONSTRUCTOR
						assert(taken > 0 || block == 0);
#endif
						/* each once, and in its pusher's order */
						assert(block % PUSHES == last[block / PUSHES] || closing);
						assert(block % PUSHES >= last[block / PUSHES]);
						last[block / PUSHES] = block % PUSHES + 1;
						others = others + (block >= PUSHES -> 1 : 0);
						taken++
					:: else -> break
					od;
					block = 0
				};
				/* published some time after the reply: it only makes the queue look fuller */
				answered = taken
			:: else
			fi;
			at++
		:: else -> break
		od;
		/* the place may be another's now */
		assert(!said || taken == pushed);
		if
		:: NOTHING_COMES && said -> break
		:: said != knows -> knows = said; goto again
		:: else
		fi;
		/* to sleep: first the lanes */
		d_step {
			at = 0;
			do
			:: at < LANES ->
				dozes[at] = awake[at];
#ifndef CLEAR_LATE
				awake[at] = 0;
#endif
				at++
			:: else -> break
			od;
			at = 0
		};
		do
		:: at < LANES ->
			atomic {
				if
				:: !dozes[at]
				:: dozes[at] && index[at] < FIRST ->
					index[at] = ASLEEP;
					dozes[at] = 0
				:: else /* there is something in it */
				fi
			};
			at++
		:: else -> break
		od;
		skip; /* since no jump may end in a d_step */
		d_step {
			stays = 0;
			at = 0;
			do
			:: at < LANES ->
#ifdef CLEAR_LATE
				awake[at] = 0;
#endif
				if
				:: dozes[at] ->
					awake[at] = 1;
					dozes[at] = 0;
					stays = 1
				:: else
				fi;
				at++
			:: else -> break
			od;
			at = 0
		};
		if
		:: stays -> stays = 0; goto again
		:: else
		fi;
#ifndef PARK_LATE
		parked = 1;
#endif
		skip;
		/* a look at the word: all lanes at once */
		d_step {
			do
			:: at < LANES -> stays = stays || awake[at]; at++
			:: else -> break
			od;
			at = 0
		};
#ifdef PARK_LATE
		parked = 1;
#endif
		if
		:: stays -> stays = 0; goto up
		:: else
		fi;
		if
		:: closing != knows -> goto up
		:: else
		fi;
		/* the futex; a taker that has nothing to expect any more may sleep for good */
		sleeping = parked;
		if
		:: !sleeping
		:: NOTHING_COMES && closing == knows -> break
		fi;
up:
		parked = 0;
again:
		skip
	od;
	assert(ALL_TAKEN)
}

inline close_wake() {
	if
	:: parked ->
		d_step {
			parked = 0;
			sleeping = 0
		}
	:: else
	fi
}

#ifdef CLOSER
proctype closer()
{
	byte at = 0;

	do
	:: at < LANES ->
		atomic {
			generation[at] = 1;
			room[at] = 1; /* of the next use */
			if
			:: index[at] == ASLEEP -> index[at] = EMPTY
			:: else
			fi
		};
		at++;
#ifdef CLOSE_EARLY
		closing = 1;
		close_wake()
#endif
	:: else -> break
	od;
	closing = 1;
#ifndef CLOSE_QUIETLY
	close_wake()
#endif
}
#endif

init {
	byte p = 0;

	atomic {
#ifdef AMPLE
		do
		:: p < LANES -> room[p] = BLOCKS; granted = granted + BLOCKS; p++
		:: else -> break
		od;
		p = 0;
#endif
#ifndef BORN_AWAKE
		do
		:: p < LANES -> index[p] = ASLEEP; p++
		:: else -> break
		od;
		p = 0;
#endif
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
