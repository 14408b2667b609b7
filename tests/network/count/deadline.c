/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count-deadline: the handler of request 0 takes 500 ms; 1 is asked meanwhile with a deadline of 100 ms, and 2 after
 * that with all the time there is. Prints the status of each.
 */
#include "count.h"

#include <ferry/network.h>

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#define MS_NS INT64_C(1000000)

static const struct ingress_event_kind no_events[1];
static const struct ferry_network_interface interface = {
	.name = "count",
	.hash = COUNT_HASH,
	.method_count = COUNT_METHODS,
	.methods = count_methods,
	.events = no_events,
};

static void on_reply(void *user, const struct ingress_reply *reply)
{
	if (reply->status != INGRESS_STALE)
		atomic_store((_Atomic int *)user, (int)reply->status);
}

static enum ingress_status ask(ingress_token token, uint64_t number, int64_t timeout_ns)
{
	const struct count_request asked = { .number = number };
	struct ingress_answer answer;
	enum ingress_status status =
		ingress_ask(token, COUNT_MARK, INGRESS_WIRE_C, &asked, sizeof(asked), timeout_ns, &answer);

	ingress_answer_release(&answer);
	return status;
}

int main(void)
{
	const struct count_request slow = { .number = 0, .sleep_us = 500000 };
	const struct ingress_library *library = ferry_network_library(&interface, NULL);
	_Atomic int first = -1;
	const struct ingress_call call = { .method = COUNT_MARK,
					   .wire = INGRESS_WIRE_C,
					   .data = &slow,
					   .bytes = sizeof(slow),
					   .reply = on_reply,
					   .user = &first };
	enum ingress_status second, third;
	struct ingress_answer answer;
	ingress_token token;

	if (ingress_context_create(library, NULL, COUNT_OPEN, INGRESS_WIRE_C, NULL, 0, 10000 * MS_NS, &token,
				   &answer) != INGRESS_OK ||
	    ingress_submit(token, &call) != INGRESS_OK)
		return 1;
	/* so that the provider's process has it before the next ones, which travel together otherwise too */
	nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
	second = ask(token, 1, 100 * MS_NS);
	third = ask(token, 2, INGRESS_FOREVER);
	printf("%d %d %d\n", atomic_load(&first), (int)second, (int)third);
	return 0;
}
