/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tokens, the public names of contexts: 28 bits of check, 20 of generation and 16 for the entry of the context table.
 *
 * The check is a keyed hash of the other bits. Its key is drawn when the process first starts a context. It tells a
 * token that was never given (INGRESS_BAD_TOKEN) from one whose context has ended (INGRESS_CLOSED). The generation is
 * that of the entry's lanes, and a push compares it (lane.h): that keeps a request from reaching another context,
 * whatever was checked before. An entry whose generations are used up is not used again.
 */
#include "ingress/context/token.h"

#include "thread/clock.h"

#include <sys/random.h>
#include <stdbool.h>
#include <unistd.h>

#define CHECK_SHIFT 36

static uint64_t key; /* written before the first token is given */
static bool is_ready;

void ingress__token_draw_key(void)
{
	if (is_ready)
		return;
	if (getrandom(&key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
		key = thread__now_ns() ^ (uint64_t)(uintptr_t)&key ^ (uint64_t)getpid() << 40;
	is_ready = true;
}

ingress_token ingress__token_make(uint32_t index, uint32_t generation)
{
	uint64_t low = (uint64_t)generation << 16 | (index + 1);
	uint64_t z = low + key;

	/* The output function of splitmix64, twice, with the key: it has to catch mistakes, not attackers. */
	for (int i = 0; i < 2; i++) {
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		z = (z ^ (z >> 31)) + key;
	}
	return z >> CHECK_SHIFT << CHECK_SHIFT | low;
}
