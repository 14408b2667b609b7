/* SPDX-License-Identifier: BSD-3-Clause */
/* What each status means, in a sentence. */
#include <ferry/ingress.h>

static const char *const texts[INGRESS_STATUS_COUNT] = {
	[INGRESS_OK] = "it was done",
	[INGRESS_FAILED] = "the handler failed; its message says why",
	[INGRESS_STALE] = "the handler is still running; the reply is still to come",
	[INGRESS_CLOSED] =
		"the context or inbox was closed, or is of the process that this one was forked from; open another",
	[INGRESS_TIMEOUT] = "the deadline has passed; the handler was left alone, and its reply will be dropped",
	[INGRESS_QUEUE_FULL] =
		"as many requests as the queue holds are unanswered; submit again when some were answered",
	[INGRESS_TOO_LARGE] =
		"the payload is over the context's limit; send less, or start it with a larger payload_bytes",
	[INGRESS_BAD_TOKEN] = "there is no such context; use the token that starting it gave",
	[INGRESS_BAD_METHOD] = "there is no method with that number that can be called so; generate the binding again",
	[INGRESS_BAD_PAYLOAD] = "the payload cannot be decoded; the message has the path to the bad field",
	[INGRESS_BAD_ARGUMENT] =
		"an argument is null, unknown, over its maximum, or excludes another; see ferry/ingress.h",
	[INGRESS_BAD_HANDLE] = "the handle was closed, or is of another kind or context; open another",
	[INGRESS_REENTRANT] = ("a handler may not call its own context, a reply's callback may not wait, and a signal "
			       "handler may not call in the middle of another call; return first"),
	[INGRESS_EVENTS_STUCK] = "a listener's callback has not returned for too long; let it return",
	[INGRESS_NO_CONTEXT] = "every context that the limit allows is in use; destroy one first",
	[INGRESS_NO_MEMORY] = "memory, a thread or a descriptor could not be had",
	[INGRESS_WRONG_INTERFACE] = "library and binding are of different interfaces; generate the binding again",
	[INGRESS_LOST] = "the connection to the library's process was lost; nobody knows whether the handler ran",
	[INGRESS_RAISED] = "the handler failed with the error that its method declares; the payload is that error",
	[INGRESS_CANCELLED] = "the request was cancelled; the library did not do it, or not all of it",
	[INGRESS_SKIPPED] =
		"an earlier request of the chain failed, so this one did not run; the message has its number",
};

const char *ingress_status_text(enum ingress_status status)
{
	if ((unsigned int)status >= INGRESS_STATUS_COUNT)
		return "not a status; the library is newer than the binding";
	return texts[status];
}
