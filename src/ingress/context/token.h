/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens: what is in the public name of a context. See token.c. */
#ifndef INGRESS_TOKEN_H
#define INGRESS_TOKEN_H

#include "ingress/limits.h"

#include <ferry/ingress.h>

/* Under the lock of the context table: draw the key, before the first token is made. */
void ingress__token_draw_key(void);
/* The token of the context that is in the entry of that index with that generation. */
ingress_token ingress__token_make(uint32_t index, uint32_t generation);

/* 0, or the index of the token's entry + 1. */
static inline uint32_t ingress__token_number(ingress_token token)
{
	return (uint32_t)token & 0xffff;
}

static inline uint32_t ingress__token_generation(ingress_token token)
{
	return (uint32_t)(token >> 16) & ((1u << INGRESS__GENERATION_BITS) - 1);
}

#endif
