/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that counts in a file how often the handler of each request ran, so that the counts outlive its process.
 * A request is a struct count_request; COUNT_FILE in the provider's environment names the file, a byte for each number.
 */
#ifndef TESTS_NETWORK_COUNT_H
#define TESTS_NETWORK_COUNT_H

#include <ferry/ingress_provider.h>

#include <stdint.h>

enum { COUNT_OPEN, COUNT_CLOSE, COUNT_MARK, COUNT_MARK_STATIC, COUNT_MARK_AGAIN, COUNT_METHODS };

struct count_request {
	uint64_t number;   /* the byte of the file that is counted up */
	uint64_t sleep_us; /* how long the handler takes, without computing */
};

static const uint8_t count_methods[] = { INGRESS_CONSTRUCTOR, INGRESS_DESTRUCTOR, INGRESS_METHOD, INGRESS_STATIC,
					 INGRESS_METHOD };
/* COUNT_MARK_AGAIN counts as the others; but it is declared so that what is repeated is seen. */
static const uint8_t count_idempotent[] = { 0, 0, 0, 0, 1 };

#define COUNT_HASH 0xc0047c0047ULL

#endif
