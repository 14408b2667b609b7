/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of Host.hs. */
#include <stdio.h>

#include "echo.h"

long host_calls(long count);

/* How many of so many calls were answered; -1: there is no context, and standard output says why. */
long host_calls(long count)
{
	struct echo_create_reply created;
	ingress_token context;
	long answered = 0;

	if (echo_create(NULL, ferry_string("hi "), INGRESS_FOREVER, &context, &created)) {
		printf("%.*s\n", (int)created.message.bytes, created.message.data);
		echo_create_reply_free(&created);
		return -1;
	}
	echo_create_reply_free(&created);
	for (long i = 0; i < count; i++) {
		const struct echo_echo_request request = { ferry_string("you"), 0 };
		struct echo_echo_reply reply;

		if (echo_echo(context, &request, INGRESS_FOREVER, &reply))
			continue;
		answered += reply.value.echoed.bytes == 6;
		echo_echo_reply_free(&reply);
	}
	return echo_destroy(context, INGRESS_FOREVER) ? -1 : answered;
}
