/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session between a host's context and a provider's process (src/network): sequences, slots, gaps, silence, and
 * idempotent requests that are sent again. One host sends REQUESTS requests, one in a message; one provider's process
 * takes, runs and answers them, in any order. The network between the two has a queue in each direction. FAULTS times
 * it loses a message, delivers one twice, delivers one late, or leaves the host to believe that it was interrupted or
 * that the provider is silent; with DEATH the provider's process may end as well. Requests below AGAIN are idempotent.
 *
 * Checked in every reachable state:
 *	- each request is answered exactly once, in the end;
 *	- no handler runs twice, that of an idempotent request included, as long as the process lives;
 *	- a request that is answered with a result has run;
 *	- of a request of which the host was told that it did not run (GAP), the handler has not run and never will;
 *	- handlers of requests that are not idempotent begin in the order of the requests.
 *
 * What is not in the model: several requests in a message, which share its fate; credits and windows, which only delay;
 * the forgetting of old answers.
 *
 * Known mistakes:
 *	TAKE_TWICE	the provider takes a message with a sequence that it has seen
 *	TAKE_LATE	the provider takes a message of which it has said that it never came
 *	NO_SLOT		the host gives an answer without looking whether the request is under way
 *	NO_SILENCE	the host waits for ever for a provider that says nothing
 *	REPEAT_ALL	the host sends again what is not idempotent
 *	NEW_ID		a request gets another id when it is sent again
 *	FORGET		the provider does not remember what it has answered
 *	FORGET_RUNNING	the provider does not remember what it is running
 *	KEEP_GONE	the host keeps what is to be sent again when the provider has ended
 *
 *	holds: -DREQUESTS=2 -DAGAIN=0 -DFAULTS=2
 *	holds: -DREQUESTS=2 -DAGAIN=1 -DFAULTS=2
 *	holds: -DREQUESTS=2 -DAGAIN=2 -DFAULTS=2 -DDEATH
 *	holds: -DREQUESTS=3 -DAGAIN=1 -DFAULTS=2 -DDEATH
 *	holds: -DREQUESTS=2 -DAGAIN=1 -DFAULTS=3 -DDEATH
 *	fails: -DREQUESTS=1 -DAGAIN=0 -DFAULTS=1 -DTAKE_TWICE
 *	fails: -DREQUESTS=2 -DAGAIN=0 -DFAULTS=1 -DTAKE_LATE
 *	fails: -DREQUESTS=1 -DAGAIN=0 -DFAULTS=1 -DNO_SLOT
 *	fails: -DREQUESTS=1 -DAGAIN=0 -DFAULTS=1 -DNO_SILENCE
 *	fails: -DREQUESTS=1 -DAGAIN=0 -DFAULTS=1 -DREPEAT_ALL
 *	fails: -DREQUESTS=1 -DAGAIN=1 -DFAULTS=1 -DNEW_ID
 *	fails: -DREQUESTS=1 -DAGAIN=1 -DFAULTS=1 -DFORGET
 *	fails: -DREQUESTS=1 -DAGAIN=1 -DFAULTS=1 -DFORGET_RUNNING
 *	fails: -DREQUESTS=1 -DAGAIN=1 -DFAULTS=1 -DDEATH -DKEEP_GONE
 */

#define SENDS_MAX 3
#define QUEUE 6

/* Where a request is, at the host. */
mtype = { WAITING, UNDER_WAY, TO_REPEAT, ANSWERED };
/* What a message says. */
mtype = { REQUEST, REPLY, GAP, GONE };

mtype place[REQUESTS] = WAITING;
byte flight[REQUESTS];	/* the sequence of the message that it went with */
byte sends[REQUESTS];
byte ran[REQUESTS];	/* by the process that lives */
bool denied[REQUESTS];	/* the host was told that it did not run */

/* sequence, what, the request or the first sequence that is missing, the last one; the request's id */
chan to_provider = [QUEUE] of { byte, mtype, byte, byte, byte };
chan to_host = [QUEUE] of { byte, mtype, byte, byte, byte };

byte faults = FAULTS;
bool is_dead;		/* the provider's process */
bool interrupted;	/* the host is to believe so, or that the provider is silent */
byte running;		/* requests that the provider has not answered */

#define IS_IDEMPOTENT(r) (r < AGAIN)

/* ---- the host ---------------------------------------------------------------------------------------------------- */

inline answer(r)
{
	assert(place[r] != ANSWERED);
	place[r] = ANSWERED;
}

/* No answer comes to messages from `first` to `last`. */
inline lose(first, last)
{
	i = 0;
	do
	:: i < REQUESTS ->
		if
		:: place[i] == UNDER_WAY && flight[i] >= first && flight[i] <= last ->
			if
#ifdef REPEAT_ALL
			:: sends[i] < SENDS_MAX -> place[i] = TO_REPEAT
			:: else -> answer(i)
#else
			:: IS_IDEMPOTENT(i) && sends[i] < SENDS_MAX -> place[i] = TO_REPEAT
			:: else -> answer(i)
#endif
			fi
		:: else
		fi;
		i++
	:: else -> break
	od
}

inline deny(first, last)
{
	i = 0;
	do
	:: i < REQUESTS ->
		if
		:: place[i] == UNDER_WAY && flight[i] >= first && flight[i] <= last && !IS_IDEMPOTENT(i) ->
			assert(!ran[i]);
			denied[i] = true
		:: else
		fi;
		i++
	:: else -> break
	od
}

/* The provider's process has ended: nothing that it has not answered is answered any more. */
inline give_up()
{
	i = 0;
	do
	:: i < REQUESTS ->
		if
#ifdef KEEP_GONE
		:: place[i] == UNDER_WAY || place[i] == WAITING -> answer(i)
#else
		:: place[i] != ANSWERED -> answer(i)
#endif
		:: else
		fi;
		i++
	:: else -> break
	od
}

inline send(r)
{
	sent++;
	sends[r]++;
	place[r] = UNDER_WAY;
	flight[r] = sent;
	to_provider!sent, REQUEST, r, 0, sends[r]
}

#define ALL_ANSWERED (place[0] == ANSWERED && place[REQUESTS - 1] == ANSWERED && place[REQUESTS / 2] == ANSWERED)
#define IS_UNDER_WAY(r) (r < REQUESTS && place[r % REQUESTS] == UNDER_WAY)
#define ANY_UNDER_WAY (IS_UNDER_WAY(0) || IS_UNDER_WAY(1) || IS_UNDER_WAY(2))

active proctype host()
{
	byte sent, heard, sequence, first, last, id, i, next;
	mtype what;
	bool gone;

	do
	:: ALL_ANSWERED -> break
	/* in the order in which they came */
	:: d_step {
		!gone && next < REQUESTS && nfull(to_provider) && place[next % REQUESTS] == WAITING ->
			send(next);
			next++
	}
	:: d_step { !gone && place[0] == TO_REPEAT && nfull(to_provider) -> send(0) }
#if REQUESTS > 1
	:: d_step { !gone && place[1] == TO_REPEAT && nfull(to_provider) -> send(1) }
#endif
	:: d_step { nempty(to_host) ->
			to_host?sequence, what, first, last, id;
			if
			:: what == GONE -> gone = true
			:: what != GONE && sequence > heard ->
				if
				:: sequence > heard + 1 -> lose(0, 255)
				:: else
				fi;
				heard = sequence;
				if
				:: what == GAP ->
					deny(first, last);
					lose(first, last)
#ifdef NO_SLOT
				:: what == REPLY -> answer(first)
#else
				:: what == REPLY && place[first] != ANSWERED ->
					assert(ran[first] || is_dead);
					answer(first)
#endif
				:: else
				fi
			:: else
			fi;
			sequence = 0; what = 0; first = 0; last = 0; id = 0
		}
	:: gone ->
		d_step { give_up(); i = 0 };
#ifdef KEEP_GONE
		(ALL_ANSWERED)
#endif
	:: d_step { interrupted -> interrupted = false; lose(0, 255); i = 0 }
#ifndef NO_SILENCE
	/* nothing is on its way to either side, and nobody is at work */
	:: d_step {
		ANY_UNDER_WAY && empty(to_provider) && empty(to_host) && !running -> lose(0, 255); i = 0
	}
#endif
	od
}

/* ---- the provider's process -------------------------------------------------------------------------------------- */

/* What it knows of a request: nothing, that it runs, that it was answered. */
mtype = { UNKNOWN, RUNS, DONE };

inline reply(r)
{
	said++;
	to_host!said, REPLY, r, 0, 0
}

inline begin(r)
{
	assert(!denied[r]);
	ran[r]++;
	assert(ran[r] == 1);
	i = r + 1;
	do
	:: i < REQUESTS ->
		assert(IS_IDEMPOTENT(r) || IS_IDEMPOTENT(i) || !ran[i]);
		i++
	:: else -> break
	od;
	known[r] = RUNS;
	running++
}

inline take(r, id)
{
	if
#ifdef FORGET
	:: known[r] == RUNS && IS_IDEMPOTENT(r)
#else
#ifndef FORGET_RUNNING
	:: known[r] == RUNS && IS_IDEMPOTENT(r)
#endif
#ifdef NEW_ID
	:: known[r] == DONE && IS_IDEMPOTENT(r) && id == 1 -> reply(r)
#else
	:: known[r] == DONE && IS_IDEMPOTENT(r) -> reply(r)
#endif
#endif
	:: else -> begin(r)
	fi
}

active proctype provider()
{
	byte heard, said, sequence, r, id, i, zero;
	mtype what;
	mtype known[REQUESTS] = UNKNOWN;

end:	do
	:: d_step { !is_dead && nempty(to_provider) && len(to_host) < QUEUE - 1 ->
			to_provider?sequence, what, r, zero, id;
			if
#ifdef TAKE_TWICE
			:: sequence < heard
#else
#ifdef TAKE_LATE
			:: sequence == heard
#else
			:: sequence <= heard
#endif
#endif
			:: else ->
				if
				:: sequence > heard + 1 ->
					said++;
					to_host!said, GAP, heard + 1, sequence - 1, 0
				:: else
				fi;
				heard = sequence;
				take(r, id)
			fi;
			sequence = 0; what = 0; r = 0; id = 0; i = 0
		}
	:: d_step { !is_dead && known[0] == RUNS && nfull(to_host) -> known[0] = DONE; running--; reply(0) }
#if REQUESTS > 1
	:: d_step { !is_dead && known[1] == RUNS && nfull(to_host) -> known[1] = DONE; running--; reply(1) }
#endif
#if REQUESTS > 2
	:: d_step { !is_dead && known[2] == RUNS && nfull(to_host) -> known[2] = DONE; running--; reply(2) }
#endif
#ifdef DEATH
	:: d_step { !is_dead -> is_dead = true; running = 0 }
#endif
	/* the server says that nobody hears */
	:: d_step { is_dead && nempty(to_provider) && nfull(to_host) ->
			to_provider?sequence, what, r, zero, id; to_host!0, GONE, 0, 0, 0; sequence = 0; what = 0; r = 0; id = 0 }
	od
}

/* ---- the network ------------------------------------------------------------------------------------------------- */

inline spoil(queue)
{
	if
	/* lost */
	:: queue?sequence, what, first, last, id
	/* twice, the second time late */
	:: nfull(queue) -> queue?sequence, what, first, last, id; queue!sequence, what, first, last, id;
		if
		:: nfull(queue) -> queue!sequence, what, first, last, id
		:: full(queue)
		fi
	/* late */
	:: queue?sequence, what, first, last, id; queue!sequence, what, first, last, id
	fi
}

active proctype network()
{
	byte sequence, first, last, id;
	mtype what;

end:	do
	:: atomic { faults && nempty(to_provider) -> faults--; spoil(to_provider); sequence = 0; what = 0; first = 0; last = 0; id = 0 }
	:: atomic { faults && nempty(to_host) -> faults--; spoil(to_host); sequence = 0; what = 0; first = 0; last = 0; id = 0 }
	:: d_step { faults && !interrupted -> faults--; interrupted = true }
	od
}
