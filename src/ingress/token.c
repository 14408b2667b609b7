/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tokens: 28 bits of check, 20 of generation and 16 of place. The check is a keyed hash of the rest, with a key that is
 * drawn when the process first starts a context: so a token that was never given is told from one whose context has
 * ended. The generation is also the one of the place's lanes, and part of the step that pushes (lane.h): that is what
 * keeps a request from reaching another context, whatever was checked before. A place whose generations are used up is
 * not used again.
 */
#include "context.h"

#include <sys/random.h>
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

ingress_token ingress__token_make(uint32_t number, uint32_t generation)
{
	uint64_t low = (uint64_t)generation << 16 | (number + 1);
	uint64_t z = low + key;

	/* splitmix64's output function, twice with the key: it has to keep mistakes out, not attackers of the process
	 */
	for (int i = 0; i < 2; i++) {
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		z = (z ^ (z >> 31)) + key;
	}
	return z >> CHECK_SHIFT << CHECK_SHIFT | low;
}
