/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does it cost in C++ to skip an unknown item, for each kind of item? One of the n calls is one item: the program
 * decodes a message with n unknown items into a value that owns its memory.
 */
#include <echo.hpp>

extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* C has structs and functions of one name */
#include "skip.h"
#pragma GCC diagnostic pop
}

static long decode(void *context, long)
{
	const auto *shape = static_cast<const skip_shape *>(context);
	ferry::ingress::Fault fault;
	echo::EchoRequest request;

	if (!ferry::ingress::decode(ferry::ingress::Wire::cbor, reinterpret_cast<const std::byte *>(shape->message),
				    shape->message_bytes, request, fault))
		return -EBADMSG;
	return request.delay_ms == 1 ? 0 : -EBADMSG;
}

int main(int argc, char **argv)
{
	return skip_main(argc, argv, "cpp-cbor", "What does going past an unknown item cost in C++?", decode);
}
