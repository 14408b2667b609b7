/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the ingress core share: contexts of the echo provider, and callbacks that count. */
#ifndef INGRESS_TESTS_H
#define INGRESS_TESTS_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "../echo.h"

#define MS_NS 1000000ll
#define SECOND_NS 1000000000ll
/* Longer than anything here takes, sanitizers and a machine shared with others included. */
#define LONG_NS (60 * SECOND_NS)

static inline ingress_token open_echo(const struct ingress_library *library, const struct ingress_options *options)
{
	struct ingress_answer answer;
	ingress_token context;

	assert_int_equal(ingress_context_create(library, options, ECHO_OPEN, INGRESS_WIRE_C, NULL, 0, LONG_NS, &context,
						&answer),
			 INGRESS_OK);
	assert_true(context != 0);
	ingress_answer_release(&answer);
	return context;
}

static inline void close_echo(ingress_token context)
{
	assert_int_equal(ingress_context_destroy(context, LONG_NS), INGRESS_OK);
}

/* End a context in which requests are kept, which nothing else answers; it may not have been handed them yet. */
static inline void cut_echo(ingress_token context, int64_t timeout_ns)
{
	enum ingress_status status = ingress_context_destroy(context, timeout_ns);

	assert_true(status == INGRESS_OK || status == INGRESS_TIMEOUT);
}

static inline enum ingress_status ask(ingress_token context, uint32_t method, const void *data, size_t bytes)
{
	struct ingress_answer answer;
	enum ingress_status status = ingress_ask(context, method, INGRESS_WIRE_C, data, bytes, LONG_NS, &answer);

	ingress_answer_release(&answer);
	return status;
}

/* Ask with words; the answer's first word. */
static inline uint64_t ask_words(ingress_token context, uint32_t method, uint64_t first, uint64_t second,
				 uint64_t third)
{
	const uint64_t words[3] = { first, second, third };
	struct ingress_answer answer;
	uint64_t value = 0;

	assert_int_equal(ingress_ask(context, method, INGRESS_WIRE_C, words, sizeof(words), LONG_NS, &answer),
			 INGRESS_OK);
	assert_true(answer.bytes >= sizeof(value));
	memcpy(&value, answer.data, sizeof(value));
	ingress_answer_release(&answer);
	return value;
}

/* What a callback has heard. */
struct heard {
	_Atomic uint32_t terminal, stale;
	_Atomic uint32_t status; /* of the terminal one */
	_Atomic uint64_t word;	 /* its first eight bytes */
	_Atomic size_t bytes;
};

static inline void hear(void *user, const struct ingress_reply *reply)
{
	struct heard *heard = user;
	uint64_t word = 0;

	if (reply->status == INGRESS_STALE) {
		atomic_fetch_add(&heard->stale, 1);
		return;
	}
	memcpy(&word, reply->data, reply->bytes < sizeof(word) ? reply->bytes : sizeof(word));
	atomic_store(&heard->word, word);
	atomic_store(&heard->bytes, reply->bytes);
	atomic_store(&heard->status, reply->status);
	atomic_fetch_add(&heard->terminal, 1);
}

static inline enum ingress_status submit(ingress_token context, uint32_t method, const void *data, size_t bytes,
					 struct heard *heard)
{
	const struct ingress_call call = {
		.method = method, .wire = INGRESS_WIRE_C, .data = data, .bytes = bytes, .reply = hear, .user = heard
	};

	return ingress_submit(context, &call);
}

static inline void nap(int64_t ns)
{
	const struct timespec time = { ns / SECOND_NS, ns % SECOND_NS };

	nanosleep(&time, NULL);
}

static inline int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/* Wait until *counter is at least `least`. */
#define wait_for(counter, least)                                                                                       \
	do {                                                                                                           \
		int64_t until = now_ns() + LONG_NS;                                                                    \
                                                                                                                       \
		while (atomic_load(counter) < (least) && now_ns() < until)                                             \
			nap(MS_NS / 10);                                                                               \
		assert_true(atomic_load(counter) >= (least));                                                          \
	} while (0)

#endif
