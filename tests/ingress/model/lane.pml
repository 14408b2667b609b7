/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes (src/ingress/queues/lane.h, lanes.h, credits.h) with the library thread's sleep (library_thread.c) and the closing
 * of a context (context.c). There are producers, which push with a generation to one lane each, one consumer, and one
 * thread that closes the context. Each load, store and compare-and-swap of a shared word is a step of its own. A lane's
 * word is generation, credits and index; blocks are numbers, and `next` links them.
 *
 * Checked in every reachable state:
 *	- each block that was pushed is taken exactly once, in its producer's order;
 *	- no push succeeds after its lane's end, or with the generation of an earlier use, and no lane ends after the
 *	  consumer knows of the closing;
 *	- never are more blocks unanswered than the depth;
 *	- a producer reports a full queue only when there was a moment at which as many blocks as the depth were
 *	  unanswered;
 *	- the consumer takes the constructor first;
 *	- no wake-up is lost: a consumer that sleeps for ever is a state without a successor (an invalid end state for
 *	  Spin).
 *
 * Spin enumerates sequentially consistent runs. The steps of one lane's word are in one order anyway, since consumer
 * and producers modify it; `awake`, `closing` and `parked` (the parker) are seq_cst; `answered` is monotone, and an
 * older value only makes the queue look fuller.
 *
 * The consumer sleeps on a futex: it sleeps if `parked` is still set, and a waker clears `parked` and wakes in the same
 * step. With SUSPENDED producer 0 may stop for good between any two of its steps, from its first push on. Then its own
 * blocks may stay where they are, but all blocks that others pushed are still taken.
 *
 * PRODUCERS threads push PUSHES blocks each to LANES lanes. With DEPTH, that many blocks may be unanswered, and a lane
 * without credits gets up to GRANT at a time; without DEPTH every lane has enough credits from the start. With CLOSER
 * another thread ends the lanes at some time, and later pushes with the old generation are refused. With CONSTRUCTOR
 * the first block of producer 0 is a constructor, and the others come after it was pushed. Known mistakes:
 *	NO_ASLEEP	a producer does not check whether its lane is asleep
 *	WAKE_FIRST	a producer wakes the consumer before it marks its lane awake
 *	PARK_LATE	the consumer parks only after it has looked whether a lane is awake
 *	CLEAR_LATE	the consumer clears `awake` only after it has put the lanes to sleep
 *	BORN_AWAKE	a lane is not asleep at first
 *	NO_GENERATION	a push does not compare the generation
 *	CLOSE_QUIETLY	the thread that closes does not wake the consumer
 *	CLOSE_EARLY	the consumer is told of the closing before all lanes have ended
 *	END_AWAKE	at the end the consumer takes only from lanes that are marked awake
 *	TRANSFERS_UNSEEN	a producer reports a full queue without looking at `transfers`
 *	FREE_ONCE	a producer does not look for free credits again after the lanes
 *	TAKE_ALL	the consumer takes from all lanes before the constructor
 *	WAKE_LATE	a waker clears `parked` and then wakes: only the first one wakes
 *	NO_LOOK		a producer that pushes onto another's block does not check that the consumer will look there
 *	LOOK_AWAKE	such a producer checks `awake`, but not `parked`
 *
 *	holds: -DPRODUCERS=2 -DPUSHES=2 -DLANES=1
 *	holds: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2
 *	holds: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DDEPTH=1
 *	holds: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DCLOSER
 *	holds: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DCONSTRUCTOR
 *	long: -DPRODUCERS=2 -DPUSHES=2 -DLANES=1 -DSUSPENDED
 *	holds: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DSUSPENDED
 *	holds: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DSUSPENDED -DCONSTRUCTOR
 *	holds: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DSUSPENDED -DCLOSER
 *	long: -DPRODUCERS=3 -DPUSHES=1 -DLANES=2
 *	long: -DPRODUCERS=3 -DPUSHES=1 -DLANES=2 -DSUSPENDED
 *	long: -DPRODUCERS=3 -DPUSHES=1 -DLANES=2 -DSUSPENDED -DCONSTRUCTOR
 *	long: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DDEPTH=2 -DGRANT=2
 *	long: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DCLOSER -DDEPTH=1
 *	long: -DPRODUCERS=3 -DPUSHES=1 -DLANES=2 -DCLOSER
 *	long: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DCLOSER
 *	long: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DDEPTH=1
 *	long: -DPRODUCERS=2 -DPUSHES=2 -DLANES=1 -DDEPTH=2
 *	fails: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DNO_ASLEEP
 *	fails: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DWAKE_FIRST
 *	fails: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DPARK_LATE
 *	fails: -DPRODUCERS=1 -DPUSHES=2 -DLANES=1 -DCLEAR_LATE
 *	fails: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DBORN_AWAKE
 *	fails: -DPRODUCERS=2 -DPUSHES=1 -DLANES=1 -DCLOSER -DNO_GENERATION
 *	fails: -DPRODUCERS=1 -DPUSHES=1 -DLANES=1 -DCLOSER -DCLOSE_QUIETLY
 *	fails: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DCLOSER -DCLOSE_EARLY
 *	fails: -DPRODUCERS=1 -DPUSHES=1 -DLANES=1 -DCLOSER -DEND_AWAKE
 *	fails: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DDEPTH=2 -DGRANT=2 -DTRANSFERS_UNSEEN
 *	fails: -DPRODUCERS=2 -DPUSHES=2 -DLANES=2 -DDEPTH=2 -DGRANT=2 -DFREE_ONCE
 *	fails: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DCONSTRUCTOR -DTAKE_ALL
 *	fails: -DPRODUCERS=2 -DPUSHES=1 -DLANES=2 -DSUSPENDED -DWAKE_LATE
 *	fails: -DPRODUCERS=2 -DPUSHES=1 -DLANES=1 -DSUSPENDED -DNO_LOOK
 *	fails: -DPRODUCERS=2 -DPUSHES=1 -DLANES=1 -DSUSPENDED -DLOOK_AWAKE
 */
#ifndef DEPTH
#define DEPTH (BLOCKS * LANES)
#define AMPLE
#endif
#ifndef GRANT
#define GRANT 1
#endif
#define BLOCKS (PRODUCERS * PUSHES)
#define EMPTY 0
#define ASLEEP 1
#define FIRST 2

/* The words. */
byte generation[LANES];
byte credits[LANES];
byte index[LANES];
byte granted = 0;
bit awake[LANES];
byte under_way = 0;
bit completed[PRODUCERS]; /* whether a transfer has completed since the producer's search began */

byte next[FIRST + BLOCKS];
byte answered = 0;
bit parked = 0;
bit sleeping = 0; /* whether the consumer sleeps on the futex */
bit closing = 0;

byte pushed = 0;    /* how many blocks were pushed; minus `answered`: how many are unanswered */
byte last[PRODUCERS]; /* how many blocks of each producer were taken */
byte taken = 0;
byte refused = 0;
byte others = 0; /* of these, blocks of producers other than 0 */
bit suspended = 0;
byte producers_done = 0;
bit told = 0; /* the consumer has seen that the context is closing */

#define ALL_TAKEN (suspended -> others == BLOCKS - PUSHES : taken + refused == BLOCKS)
#define NOTHING_COMES (ALL_TAKEN && producers_done == PRODUCERS)

/* Producer 0 may stop here for good. */
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

inline begin_transfer() {
	if
	:: !transfers ->
		atomic {
			transfers = 1;
			under_way++
		}
	:: else
	fi
}

/* Take free credits, which no lane has. */
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
			begin_transfer()
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

/* Clear variables of finished steps, so that states that differ only in those become one state. */
inline forget() {
	seen_generation = 0;
	seen_credits = 0;
	seen_index = 0;
	seen_answered = 0;
	seen_granted = 0;
	seen_under_way = 0;
	found = 0;
	other = 0;
	was_full = 0;
	completed[p] = 0
}

/* Producer p pushes its blocks one after the other, with generation 0, to lane `mine`. */
proctype producer(byte p)
{
	byte done = 0, seen_generation, seen_credits, seen_index, seen_answered, seen_granted, block, found, other;
	bit seen_under_way, transfers = 0, was_full = 0;
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
			seen_credits = credits[mine];
			seen_index = index[mine]
		}
#ifndef NO_GENERATION
		if
		:: seen_generation != 0 -> count_refused(); goto next_block
		:: else
		fi;
#endif
		if
		:: seen_credits == 0 -> goto find_credits
		:: else
		fi;
		next[block] = seen_index;
		/* the compare-and-swap */
		atomic {
			if
#ifdef NO_GENERATION
			:: credits[mine] == seen_credits && index[mine] == seen_index ->
#else
			:: generation[mine] == seen_generation && credits[mine] == seen_credits && index[mine] == seen_index ->
#endif
				assert(generation[mine] == 0);
				assert(!told);
				credits[mine] = credits[mine] - 1;
				index[mine] = block;
				pushed++;
				assert(pushed - answered <= DEPTH)
			:: else -> goto retry
			fi
		}
		may_stop();
#ifndef NO_LOOK
		/*
		 * the look at `awake` and at `parked`, which a producer skips if its own block or none was in the lane
		 */
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
find_credits:
		if
		:: generation[mine] != 0 -> goto retry
		:: else
		fi;
		atomic {
			seen_under_way = under_way > 0;
			completed[p] = 0
		}
		/* another producer of this lane may have found some meanwhile */
		if
		:: credits[mine] > 0 -> goto retry
		:: else
		fi;
		take_free();
		other = 0;
		do
		:: other < LANES && found == 0 ->
			atomic {
				seen_credits = (other != mine && generation[other] == 0 -> credits[other] : 0)
			};
			if
			:: seen_credits > 0 ->
				begin_transfer();
				atomic {
					if
					:: credits[other] == seen_credits && generation[other] == 0 ->
						credits[other] = seen_credits - 1;
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
		/* when the lane has ended the credits are lost, with this use of it */
		atomic {
			if
			:: found > 0 && generation[mine] == 0 -> credits[mine] = credits[mine] + found
			:: else
			fi
		}
		if
		:: transfers ->
			d_step {
				transfers = 0;
				under_way--;
				other = 0;
				do
				:: other < PRODUCERS -> completed[other] = 1; other++
				:: else -> break
				od;
				forget()
			};
			goto retry
		:: else ->
			/* the credits of lanes that have ended are lost, and the first lane ends before the others */
			if
			:: generation[0] != 0 -> count_refused(); goto next_block
			:: else
			fi;
			/* full, if no thread transferred any; the host tries again */
			d_step {
				if
#ifdef TRANSFERS_UNSEEN
				:: true ->
#else
				:: !seen_under_way && under_way == 0 && !completed[p] ->
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
	producers_done++;
	goto end
stop:
	atomic {
		suspended = 1;
		producers_done++;
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

/* The consumer takes all blocks, newest first, and reverses the list. */
byte order[BLOCKS];
proctype consumer()
{
	byte list, block, length, at;
	bit knows = 0, said, stays = 0;
	bit was_awake[LANES];

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
						/* each block once, and in its producer's order */
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
		/* the entry may be another context's now */
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
				was_awake[at] = awake[at];
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
				:: !was_awake[at]
				:: was_awake[at] && index[at] < FIRST ->
					index[at] = ASLEEP;
					was_awake[at] = 0
				:: else /* there is something in it */
				fi
			};
			at++
		:: else -> break
		od;
		skip; /* because a jump must not lead into a d_step */
		d_step {
			stays = 0;
			at = 0;
			do
			:: at < LANES ->
#ifdef CLEAR_LATE
				awake[at] = 0;
#endif
				if
				:: was_awake[at] ->
					awake[at] = 1;
					was_awake[at] = 0;
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
		/* the futex; a consumer that has nothing to expect any more may sleep for good */
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
			credits[at] = 1; /* for the next use of the lane */
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
		:: p < LANES -> credits[p] = BLOCKS; granted = granted + BLOCKS; p++
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
		:: p < PRODUCERS -> run producer(p); p++
		:: else -> break
		od;
		run consumer();
#ifdef CLOSER
		run closer()
#endif
	}
}
