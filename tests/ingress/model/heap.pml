/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of a heap (src/ingress/memory/heap.c) and the thread that gives the memory of runs of blocks back to the system
 * (heap_trim.c). One heap has two blocks: a run is both, or one of them. A block of a released run has lost its memory,
 * or has kept it, as one does that lies in a page with others. The heap's thread takes blocks, for requests that it does not wait for
 * and for some that it waits for; another thread answers requests and gives their blocks home; an event thread abandons
 * what is waited for, and looks at a block that it found some time ago; another event thread trims the heap at any time.
 * Each exchange and each push of a shared word is a step of its own. Sets of blocks are bits.
 *
 * Checked in every reachable state:
 *	- a block is in one place: the heap's thread never takes one that is in use;
 *	- a thread that swaps the state that it saw has the very use that it saw, and no later one;
 *	- a waiter whose request was abandoned learns that, whenever it looks;
 *	- no block is lost: in the end all are free.
 *
 * Known mistakes:
 *	NOT_HELD	a block is released although it is in use
 *	GIVES_BOTH	the blocks of the released run are given home besides
 *	NUMBERS_BEGIN_AGAIN	a block counts its uses itself, and with its memory the number is lost
 *	ABANDONED_IS_NOT_ZERO	as the name says
 *
 *	holds: -DUSES=3
 *	long: -DUSES=4
 *	fails: -DUSES=3 -DNOT_HELD
 *	fails: -DUSES=3 -DGIVES_BOTH
 *	fails: -DUSES=3 -DNUMBERS_BEGIN_AGAIN
 *	fails: -DUSES=3 -DABANDONED_IS_NOT_ZERO
 */

#define BOTH 3
#define BIT(block) (1 << (block))
/* A state: a number of the use, and whether it runs. */
#define RUNNING(number) ((number) * 2 + 1)
#define FREE(state) ((state) & ~1)

#ifdef ABANDONED_IS_NOT_ZERO
#define ABANDONED 4
#define MEANS_NOTHING 0
#else
#define ABANDONED 0
#define MEANS_NOTHING 4
#endif
#define WAITING 1
#define DONE 2

/* What is in memory that can be released. */
byte state[2], done[2];
/* The words. */
byte returned = 0, surplus = 0, released = 0;
/* For the checks: which use each block is in, or 0; and what was given to the answerer. */
byte use[2], in_flight = 0;
byte answered = 0, abandoned = 0;
bit trimmer_holds = 0;

/* The heap's thread. */
active proctype owner()
{
	byte own = 0, uses = 0, block, seen;
	bit fresh = 1;

	do
	:: uses == USES -> break
	:: uses < USES ->
		/* refill */
		if
		:: own
		:: else ->
			if
			:: returned -> d_step { own = returned; returned = 0 }
			:: else ->
				if
				:: surplus -> d_step { own = surplus; surplus = 0 }
				:: else ->
					if
					:: fresh -> fresh = 0; own = BOTH
					:: !fresh && released -> d_step { own = released; released = 0 }
					/* the heap would grow; here the thread waits */
					:: !fresh && !released && (returned || surplus || released) -> skip
					fi
				fi
			fi
		fi;
		if
		:: !own
		:: own ->
			block = (own & 1 -> 0 : 1);
			own = own & ~BIT(block);
			assert(use[block] == 0);
			uses++;
			use[block] = uses;
			if
			:: true -> done[block] = DONE; seen = DONE
			:: true -> done[block] = WAITING; seen = WAITING
			fi;
#ifdef NUMBERS_BEGIN_AGAIN
			state[block] = RUNNING(state[block] / 2 + 1);
#else
			state[block] = RUNNING(uses);
#endif
			in_flight = in_flight | BIT(block);
			/* a waiter looks again and again, and then once more; the block is its own if it is DONE */
			if
			:: seen == DONE
			:: else ->
				done[block] != WAITING;
				seen = done[block];
				assert(seen != MEANS_NOTHING);
				assert(seen == DONE || abandoned & BIT(block));
				if
				:: seen == DONE -> use[block] = 0; own = own | BIT(block)
				:: else -> seen = done[block]; assert(seen == ABANDONED); abandoned = abandoned & ~BIT(block)
				fi
			fi
		fi
	od;
	/* in the end every block is free, somewhere */
	in_flight == 0 && !trimmer_holds && use[0] == 0 && use[1] == 0;
	(own | returned | surplus | released | (fresh -> BOTH : 0)) == BOTH
}

/* Answers requests, and gives the blocks home that are not their waiters'. */
active proctype answerer()
{
	byte block, taken;
	bit is_waiters;

end:	do
	:: in_flight ->
		if
		:: in_flight & 1 -> block = 0
		:: in_flight & 2 -> block = 1
		fi;
		in_flight = in_flight & ~BIT(block);
		/* from RUNNING to FREE in one step, as it holds the block then; the use ends */
		d_step {
			state[block] = FREE(state[block]);
			is_waiters = (done[block] == WAITING);
			if
			:: !is_waiters -> use[block] = 0
			:: else
			fi
		};
		if
		:: is_waiters -> done[block] = DONE
		:: else ->
			returned = returned | BIT(block);
			/* `returned` is long: make it a list */
			if
			:: returned == BOTH -> d_step { taken = returned; returned = 0 }; surplus = surplus | taken; taken = 0
			:: true
			fi
		fi
	od
}

/* The event thread: abandons, and looks at what it found. */
active proctype event_thread()
{
	byte block, seen, seen_use;

end:	do
	:: in_flight & 1 || in_flight & 2 ->
		if
		:: in_flight & 1 -> block = 0
		:: in_flight & 2 -> block = 1
		:: else -> goto end
		fi;
		d_step { seen = state[block]; seen_use = use[block] };
		/* some time passes; then the swap of that very state, during which the block cannot be used again */
		d_step {
			if
			:: (seen & 1) && state[block] == seen ->
				assert(use[block] == seen_use);
				if
				:: done[block] == WAITING -> abandoned = abandoned | BIT(block); done[block] = ABANDONED
				:: else
				fi
			:: else
			fi
		}
	od
}

inline lose_memory(block)
{
	if
	:: part & BIT(block) -> state[block] = 0; done[block] = 0
	:: true
	fi
}

active proctype trimmer()
{
	byte held, part;

end:	do
	:: returned || surplus ->
		d_step { trimmer_holds = 1; held = surplus; surplus = 0 };
		d_step { held = held | returned; returned = 0 };
		part = 0;
		if
		:: part = held
		:: part = held & BIT(0)
		:: part = held & BIT(1)
#ifdef NOT_HELD
		:: held -> part = BOTH
#endif
		fi;
		returned = returned | (held & ~part);
		lose_memory(0);
		lose_memory(1);
#ifdef GIVES_BOTH
		returned = returned | part;
#endif
		released = released | part;
		d_step { held = 0; part = 0; trimmer_holds = 0 }
	od
}
