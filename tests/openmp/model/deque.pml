/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The work-stealing deque (src/openmp/state/deque.c). The owner pushes ITEMS items and takes at any time, two thieves
 * steal at any time, on a ring of only two slots, so that every slot is used again. With -DGROWS a ring of four slots
 * replaces a full one. Each shared load, store and compare-and-swap is a step of its own.
 *
 * Checked in every reachable state: no item leaves twice, the owner gets no item below its mark, and top passes bottom
 * by no more than a take in progress allows. Checked at the end: every item that was pushed has left or is in the
 * deque.
 *
 * Spin enumerates sequentially consistent runs. deque.c says why its weaker memory orders add no run that matters:
 * bottom in take, top in take and in steal, and the compare-and-swap are seq_cst; the release of a push and the acquire
 * of a steal carry the slot; the compare-and-swap of a thief that read an old slot fails.
 *
 * -DWEAK lets the store of bottom in take be seen after the load of top, as a plain store may; with -DEARLY a thief
 * reads which ring is in use before it reads bottom; with -DUNCOPIED the larger ring is published before it has the
 * items. The model must then fail.
 *
 *	holds: -DITEMS=2
 *	holds: -DITEMS=2 -DGROWS
 *	long: -DITEMS=3
 *	long: -DITEMS=3 -DGROWS
 *	long: -DITEMS=4 -DGROWS
 *	fails: -DITEMS=3 -DWEAK
 *	fails: -DITEMS=3 -DGROWS -DEARLY
 *	fails: -DITEMS=3 -DGROWS -DUNCOPIED
 */
#define CAPACITY 2
#define THIEVES 2
#define STEALS 2
#define TAKES 3

byte top = 0;
byte bottom = 0;
byte ring[CAPACITY];
byte larger[2 * CAPACITY];
bit grown = 0;
bit left[ITEMS + 1];
byte pushed = 0;
byte gone = 0;
byte running = THIEVES + 1;

inline leave(item)
{
	assert(item >= 1 && item <= ITEMS);
	assert(left[item] == 0);
	left[item] = 1;
	gone++;
}

inline read_slot(r, index)
{
	if
	:: r -> item = larger[index % (2 * CAPACITY)]
	:: else -> item = ring[index % CAPACITY]
	fi
}

/* Only the owner writes either ring. */
inline grow()
{
#ifdef UNCOPIED
	grown = 1;
#endif
	b = seen;
	do
	:: b < bottom -> larger[b % (2 * CAPACITY)] = ring[b % CAPACITY]; b++
	:: else -> break
	od;
	b = 0;
	grown = 1
}

inline push()
{
	if
	:: bottom - seen >= CAPACITY -> seen = top
	:: else
	fi;
#ifdef GROWS
	if
	:: bottom - seen >= CAPACITY && !grown -> grow()
	:: else
	fi;
#endif
	if
	:: grown && bottom - seen < 2 * CAPACITY ->
		larger[bottom % (2 * CAPACITY)] = pushed + 1;
		atomic { bottom = bottom + 1; pushed++ }
	:: !grown && bottom - seen < CAPACITY ->
		ring[bottom % CAPACITY] = pushed + 1;
		atomic { bottom = bottom + 1; pushed++ }
	:: else
	fi
}

inline take(mark)
{
	if
	:: bottom <= mark -> skip
	:: else ->
		t = top;
		if
		:: t >= bottom -> skip
		:: else ->
			b = bottom - 1;
#ifdef WEAK
			t = top;
			bottom = b;
#else
			bottom = b;
			t = top;
#endif
			if
			:: t < b -> d_step { assert(b >= mark); read_slot(grown, b); leave(item) }
			:: t == b ->
				d_step { read_slot(grown, b) };
				if
				:: d_step { top == t -> top = t + 1; leave(item) }
				:: d_step { top != t -> skip }
				fi;
				bottom = b + 1
			:: t > b -> bottom = b + 1
			fi
		fi
	fi;
	d_step { t = 0; b = 0; item = 0 }
}

active proctype owner()
{
	byte seen = 0, t = 0, b = 0, item = 0, takes = 0, mark = 0;

	do
	:: pushed < ITEMS -> push()
	:: takes < TAKES -> take(mark); takes++
	:: mark == 0 && pushed > 0 -> mark = bottom	/* a task starts: the items below belong to other tasks */
	:: mark > 0 -> mark = 0				/* it ends */
	:: pushed == ITEMS -> break
	od;
	running--
}

active [THIEVES] proctype thief()
{
	byte t = 0, b = 0, item = 0, steals = 0;
	bit r = 0;

	do
	:: steals < STEALS ->
		t = top;
#ifdef EARLY
		r = grown;
		b = bottom;
#else
		b = bottom;
		r = grown;
#endif
		if
		:: t >= b -> skip
		:: else ->
			d_step { read_slot(r, t) };
			if
			:: d_step { top == t -> top = t + 1; leave(item) }
			:: d_step { top != t -> skip }
			fi
		fi;
		d_step { t = 0; b = 0; r = 0; item = 0; steals++ }
	:: break
	od;
	running--
}

/* When all threads have stopped, the items that have not left lie between top and bottom. */
active proctype end()
{
	(running == 0);
	assert(pushed == gone + (bottom - top))
}
