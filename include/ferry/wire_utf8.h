/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether bytes are UTF-8, quickly when they are ASCII. */
#ifndef FERRY_WIRE_UTF8_H
#define FERRY_WIRE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define ferry_likely(condition) __builtin_expect(!!(condition), 1)
#define ferry_unlikely(condition) __builtin_expect(!!(condition), 0)

/* How many of the `left` bytes at *at are the first character; 0 when it is not valid (Unicode 15, table 3-7). */
static inline unsigned int ferry_utf8_character(const uint8_t *at, size_t left)
{
	uint8_t first = at[0], low = 0x80, high = 0xbf;
	unsigned int bytes = first < 0x80   ? 1
			     : first < 0xc2 ? 0
			     : first < 0xe0 ? 2
			     : first < 0xf0 ? 3
			     : first < 0xf5 ? 4
					    : 0;

	if (bytes < 2)
		return bytes;
	if (bytes > left)
		return 0;
	if (first == 0xe0)
		low = 0xa0; /* shorter ways to write it exist */
	else if (first == 0xed)
		high = 0x9f; /* surrogates */
	else if (first == 0xf0)
		low = 0x90;
	else if (first == 0xf4)
		high = 0x8f; /* above U+10FFFF */
	if (at[1] < low || at[1] > high)
		return 0;
	for (unsigned int i = 2; i < bytes; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	return bytes;
}

/* Whether data[bytes] is UTF-8, from the first byte that is not ASCII on. */
__attribute__((noinline, unused)) static bool ferry_utf8_valid_rest(const uint8_t *data, size_t bytes)
{
	const uint8_t *at = data, *end = data + bytes;

	while (at < end) {
		unsigned int step;
		uint64_t word;

		if (end - at >= 8) {
			memcpy(&word, at, 8);
			if (!(word & 0x8080808080808080)) {
				at += 8;
				continue;
			}
		}
		step = ferry_utf8_character(at, (size_t)(end - at));
		if (!step)
			return false;
		at += step;
	}
	return true;
}

/* Whether data[bytes], fewer than 16, is ASCII. Two loads that overlap cover 4 to 15 bytes without a loop. */
static inline bool ferry_ascii_short(const uint8_t *data, size_t bytes)
{
	if (bytes >= 8) {
		uint64_t first, last;

		memcpy(&first, data, 8);
		memcpy(&last, data + bytes - 8, 8);
		return !((first | last) & 0x8080808080808080);
	}
	if (bytes >= 4) {
		uint32_t first, last;

		memcpy(&first, data, 4);
		memcpy(&last, data + bytes - 4, 4);
		return !((first | last) & 0x80808080);
	}
	return !bytes || !((data[0] | data[bytes / 2] | data[bytes - 1]) & 0x80);
}

/* Whether data[bytes] is ASCII, 16 bytes at a time. */
static inline bool ferry_ascii(const uint8_t *data, size_t bytes)
{
	size_t at = 0;
#ifdef __SSE2__
	__m128i all = _mm_setzero_si128();

	if (bytes < 16)
		return ferry_ascii_short(data, bytes);
	for (; at + 16 <= bytes; at += 16)
		all = _mm_or_si128(all, _mm_loadu_si128((const __m128i *)(const void *)(data + at)));
	all = _mm_or_si128(all, _mm_loadu_si128((const __m128i *)(const void *)(data + bytes - 16)));
	return !_mm_movemask_epi8(all);
#else
	uint64_t high = 0, word;

	for (; at + 8 <= bytes; at += 8) {
		memcpy(&word, data + at, 8);
		high |= word;
	}
	return !(high & 0x8080808080808080) && ferry_ascii_short(data + at, bytes - at);
#endif
}

/* Whether data[bytes] is UTF-8. */
static inline bool ferry_utf8_valid(const void *data, size_t bytes)
{
	return ferry_likely(ferry_ascii(data, bytes)) || ferry_utf8_valid_rest(data, bytes);
}

#endif /* FERRY_WIRE_UTF8_H */
