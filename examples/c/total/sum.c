/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Add up signed bytes eight at a time, without vector instructions. Flipping the top bit of a byte adds 128 to it, so
 * that it is unsigned; unsigned bytes are added side by side in the 16-bit lanes of one word.
 */
#include <stdint.h>
#include <string.h>

#include "sum.h"

#define FLIP 0x8080808080808080ULL
#define EVEN 0x00ff00ff00ff00ffULL
/* how many words can be added before a lane overflows: each adds at most 2 * 255, and a lane holds 65535 */
#define BLOCK_WORDS 128

/* The sum of the four 16-bit lanes. */
static uint64_t fold(uint64_t lanes)
{
	lanes = (lanes & 0x0000ffff0000ffffULL) + (lanes >> 16 & 0x0000ffff0000ffffULL);
	return (lanes & 0xffffffff) + (lanes >> 32);
}

/* The sum of words * 8 bytes, each plus 128; words <= BLOCK_WORDS. */
static uint64_t sum_block(const signed char *start, size_t words)
{
	uint64_t lanes = 0;

	for (size_t k = 0; k < words; k++) {
		uint64_t word;

		memcpy(&word, start + k * sizeof(word), sizeof(word));
		word ^= FLIP;
		lanes += (word & EVEN) + (word >> 8 & EVEN);
	}
	return fold(lanes);
}

long sum_bytes(const signed char *start, size_t bytes)
{
	size_t words = bytes / sizeof(uint64_t);
	uint64_t flipped = 0;
	long sum;

	for (size_t done = 0; done < words; done += BLOCK_WORDS) {
		size_t left = words - done;

		flipped += sum_block(start + done * sizeof(uint64_t), left < BLOCK_WORDS ? left : BLOCK_WORDS);
	}
	sum = (long)flipped - 128 * (long)(words * sizeof(uint64_t));
	for (size_t k = words * sizeof(uint64_t); k < bytes; k++)
		sum += start[k];
	return sum;
}
