/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The eventcount (src/thread/eventcount.h) with a waker of one: it provides an item, and wakes one of the waiters that
 * sleep for items. Each load, store and locked operation on shared memory is a step.
 *
 * Checked: when no thread can take a step any more, all items have been taken (otherwise all waiters would sleep
 * although there is an item), and the count of sleepers equals the number of waiters that are counted as asleep.
 *
 * What would happen if a waiter read `seen` after it has counted itself (LATE_SEEN): it falls asleep although there is
 * a grant for it.
 *
 *	waiter				waker				others
 *	sleepers += 1
 *					sleepers -= 1, grants += 1
 *					count += 1, wakes nobody
 *	seen = load(count)						take the item
 *	no item; sleeps: sleepers is 0, so no waker of one looks for it again
 *
 * How it is checked:
 *	holds: -DWAITERS=2 -DITEMS=2
 *	holds: -DWAITERS=3 -DITEMS=2
 *	holds: -DWAITERS=2 -DITEMS=3
 *	fails: -DWAITERS=2 -DITEMS=2 -DLATE_SEEN
 *	fails: -DWAITERS=2 -DITEMS=2 -DNO_LOOK
 *	fails: -DWAITERS=2 -DITEMS=2 -DNO_GRANT
 */
byte items = 0;
byte count = 0;
byte sleepers = 0;
byte grants = 0;
bit asleep[WAITERS];
/* How many waiters are between prepare and leave, counted from their first step to their last. */
byte announced = 0;
bit waker_done = 0;

/* thread__eventcount_leave */
inline leave()
{
	d_step {
		announced--;
		if
		:: grants > 0 -> grants--
		:: else -> sleepers--
		fi
	}
}

inline take(got)
{
	d_step {
		got = 0;
		if
		:: items > 0 -> items--; got = 1
		:: else
		fi
	}
}

proctype waiter(byte me)
{
	byte seen;
	bit got;

	do
	:: take(got);
		if
		:: got -> goto next
		:: else
		fi;
#ifndef LATE_SEEN
		seen = count;
#endif
		d_step {
			sleepers++;
			announced++
		}
#ifdef LATE_SEEN
		seen = count;
#endif
#ifndef NO_LOOK
		take(got);
		if
		:: got -> leave(); goto next
		:: else
		fi;
#endif
		/* FUTEX_WAIT */
		d_step {
			if
			:: count == seen -> asleep[me] = 1
			:: else
			fi
		}
end:		asleep[me] == 0;
		leave();
next:		skip
	od
}

proctype waker()
{
	byte put = 0, i;

	do
	:: put == ITEMS -> break
	:: else ->
		items++;
		if
		:: d_step {
			sleepers > 0 ->
			sleepers--;
#ifndef NO_GRANT
			grants++
#endif
		}
			count++;
			/* FUTEX_WAKE, of one */
			d_step {
				i = 0;
				do
				:: i == WAITERS -> break
				:: i < WAITERS && asleep[i] -> asleep[i] = 0; break
				:: else -> i++
				od;
				i = 0
			}
		:: sleepers == 0
		fi;
		put++
	od;
	waker_done = 1
}

init {
	byte i = 0;

	atomic {
		run waker();
		do
		:: i == WAITERS -> break
		:: else -> run waiter(i); i++
		od
	}
	timeout;
	assert(waker_done && items == 0);
	assert(sleepers == WAITERS && announced == WAITERS && grants == 0)
}
