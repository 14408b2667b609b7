/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/*
 * The system calls a batch may make. The numbers are the specification's own, so that the answer does not
 * depend on the headers of the machine that built the library.
 */
#ifndef FERRY_BATCH_CALLS_H
#define FERRY_BATCH_CALLS_H

#define BATCH__CALL_WORDS 16
#define BATCH__CALL_LIMIT (BATCH__CALL_WORDS * 64)

/* bit n is set when system call n is allowed */
#if defined(__x86_64__)
static const unsigned long long batch__calls_allowed[BATCH__CALL_WORDS] = {
	0xe0ffffffffff7fffULL,
	0xffffffffffffffffULL,
	0xff7fefffbfffffffULL,
	0xffffff7ff7ffdfffULL,
	0xffffffffffffffffULL,
	0x0000000000007ffbULL,
	0xfff7ff0000000000ULL,
	0x00000000003fffffULL,
};
#elif defined(__aarch64__)
static const unsigned long long batch__calls_allowed[BATCH__CALL_WORDS] = {
	0xffffffffffffffffULL,
	0xffffffff9fffffffULL,
	0xfffffffffffff7feULL,
	0x000fffffcfffffffULL,
	0x0000007ffdfffff0ULL,
	0x0000000000000000ULL,
	0xfff7ff0000000000ULL,
	0x00000000003fffffULL,
};
#else
#error "spec/batch.toml has the system calls of x86-64 and aarch64 only; add those of this machine"
#endif

/* whether slot number nr may reach the kernel; any value of nr is legal */
static inline int batch__call_allowed(int nr)
{
	return (unsigned int)nr < BATCH__CALL_LIMIT && (batch__calls_allowed[nr / 64] >> (nr % 64) & 1);
}

#endif /* FERRY_BATCH_CALLS_H */
