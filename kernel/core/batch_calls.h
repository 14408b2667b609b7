/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/*
 * The system calls a batch may make on x86-64: an allow list, so that a call this list has not
 * heard of is not made. The reason for each verdict is in spec/batch.toml. ioctl is allowed but
 * not listed: whether it would run a batch inside the batch is seen by its command.
 */
#ifndef _BATCH_CALLS_H
#define _BATCH_CALLS_H

#include <linux/types.h>

#define BATCH_CALL_LIMIT 512

/* bit n is set when system call n is allowed */
static const u64 batch_calls_allowed[BATCH_CALL_LIMIT / 64] = {
	0xe0fffffffffe7fffULL,
	0xffffffffffffffffULL,
	0xff7fefffbfffffffULL,
	0xffffff7ff7ffdfffULL,
	0xffffffffffffffffULL,
	0x0000000000007ffbULL,
	0xfff7ff0000000000ULL,
	0x00000000003fffffULL,
};

#endif /* _BATCH_CALLS_H */
