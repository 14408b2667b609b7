/* SPDX-License-Identifier: BSD-3-Clause OR (GPL-2.0-only WITH Linux-syscall-note) */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/*
 * The batch as kernel and user space share it: slot layout, constants, limits and the reasons a batch is
 * refused. spec/program.md says what they mean.
 */
#ifndef FERRY_UAPI_H
#define FERRY_UAPI_H

#include <linux/types.h>

/* the call number of a word copy: *(long *)arg[0] = *(long *)arg[1] */
#define BATCH_WORD_COPY (-2)

/* a jump that ends the batch; every negative jump does */
#define BATCH_STOP (-1)

/* in a slot's flags: the call may take long; a hint that changes no result */
#define BATCH_SLOT_MAY_BLOCK (1)

/* slots in one batch */
#define BATCH_SLOTS_MAX 1048576

/* argument words in one slot */
#define BATCH_ARGS_MAX 6

/* slots one jump can skip */
#define BATCH_JUMP_MAX 32767

/* every flag this version defines */
#define BATCH_FLAGS_KNOWN 0

/* One call of a batch: one cache line. */
struct batch_slot {
	__s16 nr; /* call number, or BATCH_WORD_COPY */
	__s16 jump_fail; /* slots to skip when the result is < 0; negative ends the batch */
	__s16 jump_zero; /* slots to skip when the result is 0; negative ends the batch */
	__s16 jump_positive; /* slots to skip when the result is > 0; negative ends the batch */
	__u8 argc; /* how many of arg[] mean something, 0 to BATCH_ARGS_MAX */
	__u8 flags; /* BATCH_SLOT_MAY_BLOCK or 0; other bits are not read */
	__u8 reserved[6]; /* not read; write zero */
	__s64 arg[6]; /* argument words, all passed as they stand */
};

/* why a batch was refused */
enum batch_reason {
	BATCH_REASON_NONE = 0,
	BATCH_REASON_EMPTY = 1,
	BATCH_REASON_TOO_LONG = 2,
	BATCH_REASON_NULL = 3,
	BATCH_REASON_FLAGS = 4,
	BATCH_REASON_ARGC = 5,
	BATCH_REASON_MISALIGNED = 6,
	BATCH_REASON_SIGNATURE = 7,
	BATCH_REASON_NOT_CARRIED = 8,
	BATCH_REASON_DATA_FLOW = 9,
	BATCH_REASON_JUMP = 10,
	BATCH_REASON_UNAVAILABLE = 11,
	BATCH_REASON_CAPACITY = 12,
	BATCH_REASON_NO_SUCH_SLOT = 13,
	BATCH_REASON_LABEL_BACKWARD = 14,
	BATCH_REASON_LABEL_UNPLACED = 15,
	BATCH_REASON_LABEL_FAR = 16,
	BATCH_REASON_FEED = 17,
	BATCH_REASON_JUMP_SET = 18,
};

#endif /* FERRY_UAPI_H */
