/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A provider in C for tests and benchmarks. Payloads are bytes as they are, whatever the wire format; numbers are
 * uint64_t in the machine's order.
 */
#ifndef INGRESS_ECHO_H
#define INGRESS_ECHO_H

#include <ferry/ingress_provider.h>

#define ECHO_HASH 0x6563686f00000001u

enum echo_method {
	/* Constructor: fails when the payload is "bad"; answered by a later call of turn() when it is "later", and by a
	 * timer of turn() when it is "after". */
	ECHO_OPEN,
	ECHO_CLOSE,   /* destructor */
	ECHO_SAME,    /* the payload */
	ECHO_LATER,   /* the payload, in the next turn() */
	ECHO_SLEEP,   /* sleeps so many ns, then answers with the payload */
	ECHO_KEEP,    /* answered by the next ECHO_LET; when it is cancelled, at once */
	ECHO_LET,     /* answers all that was kept, oldest first, then itself */
	ECHO_EMIT,    /* emits event 0 so many times, with 0, 1, …; {count, event, bytes of each (at least 8)} */
	ECHO_LENT,    /* the payload, lent */
	ECHO_FAIL,    /* fails with the payload as its message */
	ECHO_COUNTER, /* counts; answers with how many came before */
	/* {what: 0 open, 1 object, 2 close, 3 close any, 4 open all; kind; id}: an id, an object (7 × id's turn) or 0;
	 * of 4 how many */
	ECHO_HANDLE,
	ECHO_AFTER,   /* the payload, so many ns later, by a timer of turn() */
	ECHO_PIPE,    /* answered when the descriptor becomes readable: echo_ring() */
	ECHO_CALL,    /* submits ECHO_SAME to the context {token}, asks it when the second word is 1: the status */
	ECHO_VERSION, /* static: 1 */
	ECHO_UNTIL,   /* runs until it is cancelled, and says that; or for so many ns, then answers with the payload */
	ECHO_METHODS,
};

enum { ECHO_EVENT_OLDEST, ECHO_EVENT_NEWEST, ECHO_EVENT_COALESCED, ECHO_EVENTS };

/* Two libraries of the same code, and what has happened in all their contexts. */
extern const struct ingress_library echo_library, echo_other_library;
/* At most three contexts; thread_begin fails while echo_refuses is set. */
extern const struct ingress_library echo_small_library;
extern _Atomic uint64_t echo_opened, echo_closed, echo_ended, echo_threads, echo_threads_ended, echo_released,
	echo_turns;
/* How many ECHO_SLEEP have begun. */
extern _Atomic uint64_t echo_sleeps;
extern _Atomic int echo_refuses;

/* Make the descriptors of all contexts in which an ECHO_PIPE waits readable. */
void echo_ring(void);
/* Make that descriptor now, which the first ECHO_PIPE does otherwise. */
void echo_make_bell(void);

/* Returns echo_library, for programs that load this by dlopen. */
const struct ingress_library *echo_get_library(void);

#endif
