/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of the echo provider, for tests. It answers with the payload as it is, so an answer shows what was put into
 * the payload.
 */
#ifndef INGRESS_CHAIN_TESTS_H
#define INGRESS_CHAIN_TESTS_H

#include "ingress_tests.h"

enum { CHAIN = INGRESS_CHAIN_MAX, ANSWER_BYTES = 4096 };

/* A chain that is being made, and its answers. */
struct made {
	struct ingress_call calls[CHAIN + 1];
	struct ingress_link links[INGRESS_LINKS_MAX + 1];
	struct heard heard[CHAIN + 1];
	struct kept {
		struct heard *heard;
		size_t bytes;
		char data[ANSWER_BYTES];
	} kept[CHAIN + 1];
	uint32_t count, link_count;
	uint64_t tickets;
};

static inline void keep_answer(void *user, const struct ingress_reply *reply)
{
	struct kept *kept = user;

	if (reply->status != INGRESS_STALE) {
		kept->bytes = reply->bytes < sizeof(kept->data) ? reply->bytes : sizeof(kept->data) - 1;
		memcpy(kept->data, reply->data, kept->bytes);
		kept->data[kept->bytes] = 0;
	}
	hear(kept->heard, reply);
}

static inline struct made *make_chain(void)
{
	struct made *made = calloc(1, sizeof(*made));

	assert_non_null(made);
	made->tickets = ingress_tickets(CHAIN);
	return made;
}

static inline uint32_t add(struct made *made, uint32_t method, const char *data, size_t bytes)
{
	uint32_t number = made->count++;

	made->kept[number].heard = &made->heard[number];
	made->calls[number] = (struct ingress_call){ .method = method,
						     .wire = INGRESS_WIRE_CBOR,
						     .data = data,
						     .bytes = bytes,
						     .reply = keep_answer,
						     .user = &made->kept[number],
						     .ticket = made->tickets + number };
	return number;
}

#define ADD(made, method, text) add(made, method, text, sizeof(text) - 1)

static inline void link_to(struct made *made, uint32_t request, uint32_t source, uint32_t kind, uint32_t place,
			   const char *path)
{
	made->links[made->link_count++] = (struct ingress_link){ .request = request,
								 .source = source,
								 .kind = kind,
								 .place = place,
								 .path = path,
								 .path_bytes = (uint32_t)strlen(path) };
}

static inline enum ingress_status submit_chain(ingress_token context, struct made *made, int64_t timeout_ns,
					       struct ingress_refusal *error)
{
	return ingress_submit_chain(context, made->calls, made->count, made->links, made->link_count, timeout_ns,
				    error);
}

/* Submit, and wait for all answers. */
static inline void run(ingress_token context, struct made *made)
{
	assert_int_equal(submit_chain(context, made, INGRESS_FOREVER, NULL), INGRESS_OK);
	for (uint32_t i = 0; i < made->count; i++)
		wait_for(&made->heard[i].terminal, 1);
}

static inline void assert_answer(const struct made *made, uint32_t number, enum ingress_status status, const char *data,
				 size_t bytes)
{
	assert_int_equal(made->heard[number].terminal, 1);
	assert_int_equal(made->heard[number].status, status);
	assert_int_equal(made->kept[number].bytes, bytes);
	assert_memory_equal(made->kept[number].data, data, bytes);
}

#define ASSERT_ANSWER(made, number, status, text) assert_answer(made, number, status, text, sizeof(text) - 1)

#endif
