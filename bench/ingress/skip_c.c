/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does it cost in C to skip an unknown item, for each kind of item? One of the n calls is one item: the program
 * decodes a message with n unknown items, and leaves strings in the message.
 */
#include "skip.h"

#include "echo_cbor.h"

static long decode(void *context, long n)
{
	const struct skip_shape *shape = context;
	struct echo_echo_request request;
	struct ferry_wire_error error;
	struct ferry_memory memory;

	(void)n;
	if (echo_echo_request_borrow_cbor(shape->message, shape->message_bytes, &request, &memory, &error))
		return -EBADMSG;
	ferry_memory_free(&memory);
	return request.delay_ms == 1 ? 0 : -EBADMSG;
}

int main(int argc, char **argv)
{
	return skip_main(argc, argv, "c-cbor", "What does going past an unknown item cost in C?", decode);
}
