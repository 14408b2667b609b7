/* SPDX-License-Identifier: BSD-3-Clause OR (GPL-2.0-only WITH Linux-syscall-note) */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/*
 * The batch as kernel and user space share it: slot layout, constants, limits, how a batch enters the
 * kernel, and the reasons a batch is refused. spec/program.md says what they mean.
 */
#ifndef FERRY_UAPI_H
#define FERRY_UAPI_H

#include <linux/ioctl.h>
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

/*
 * A slot whose call ended a run: a signal interrupted it, and the kernel is to go on with it, or
 * its result could not be stored. All of it is the kernel's between the entry of a run and its
 * return; see what a run returns.
 */
struct batch_resume {
	__u32 slot; /* 0, or 1 + the index of that slot */
	__u32 how; /* of BATCH_RESUME_* */
	struct batch_slot call; /* that slot as it was when its call began */
	__s64 result; /* of that slot, with BATCH_RESUME_UNSTORED */
};

/*
 * BATCH_IOC_RUN takes this. The ioctl's number holds its size: a kernel that knows more members
 * takes the missing ones as 0, one that knows fewer refuses with -E2BIG unless those it does not
 * know are 0.
 */
struct batch_run {
	__u64 slots; /* address of struct batch_slot[count], aligned to 8 bytes */
	__u64 rets; /* address of long[count], aligned to 8 bytes */
	__u64 count; /* slots, 1 to BATCH_SLOTS_MAX */
	__u64 flags; /* of BATCH_FLAGS_KNOWN; any other is -EINVAL */
	__u64 resume; /* address of struct batch_resume, aligned to 8 bytes, or 0 */
};

/*
 * BATCH_IOC_QUERY fills this, as much of it as the caller's ioctl number says it has; what the
 * kernel does not know is 0.
 */
struct batch_query {
	__u32 version; /* BATCH_API_VERSION */
	__u32 run_bytes; /* bytes of struct batch_run that are known */
	__u64 features; /* of BATCH_FEATURE_* */
	__u64 flags; /* the flags of a batch that are known */
	__u64 slots_max; /* slots in one batch */
	__u32 slot_bytes; /* bytes of struct batch_slot */
	__u32 reserved; /* 0 */
};

/* the ioctl type of /dev/batch */
#define BATCH_IOC_MAGIC 0xbe

/* verify and run a batch; see struct batch_run */
#define BATCH_IOC_RUN _IOW(BATCH_IOC_MAGIC, 1, struct batch_run)

/* what this kernel can do; see struct batch_query */
#define BATCH_IOC_QUERY _IOR(BATCH_IOC_MAGIC, 2, struct batch_query)

/* the number of the system call in the patch series, until mainline assigns one */
#define BATCH_SYSCALL_NR 472

/* of struct batch_query: the meaning of a batch, spec/program.md */
#define BATCH_API_VERSION 1

/* calls may sleep */
#define BATCH_FEATURE_MAY_BLOCK (1 << 0)

/* work that waits for the return to user space is done between slots */
#define BATCH_FEATURE_USER_WORK (1 << 1)

/* struct batch_resume: a call that a signal interrupts goes on, no result is lost */
#define BATCH_FEATURE_RESUME (1 << 2)

/*
 * What a run returns, by the ioctl and by the system call: -errno when nothing ran; when the batch
 * has ended, the index of the last slot that ran; else BATCH_RUN_MORE and the index of the slot to
 * go on with. It fits an int, which is all that Linux hands through from an ioctl.
 *
 * The kernel may hand a batch back before its end, after any slot: so that a signal is handled, a
 * tracer sees what it came for, or work is done that waits for the return to user space. Go on with
 * the rest, slots + next and rets + next and count - next, as one goes on after a short write. At
 * least one slot runs each time. -EFAULT may also mean that a result could not be stored: then
 * calls have been made, and a struct batch_resume says so.
 *
 * When a signal interrupts a call, the kernel goes on with it, or not, as with that call by itself:
 * by SA_RESTART, with the time that is left. For that a run is given a struct batch_resume whose
 * slot is 0. If that is not 0 any more when the run returns, its slot's call has ended the run:
 *
 * - how is BATCH_RESUME_UNSTORED, and what the run returned is -EFAULT: the call has been made, and
 *   its result, which could not be stored, is in result. Store it where there is a place again, and
 *   go on where call's jumps lead.
 * - how is BATCH_RESUME_RESULT, or what the run returned is -EINTR: that is the slot's result.
 *   Store it, and go on where call's jumps lead.
 * - else nobody has taken up the call, since something that watches system calls has come, for
 *   instance: go on with the slot itself.
 *
 * Without one the slot's result is -EINTR, whatever it was that interrupted it (a stop that is
 * continued, a debugger, a freezer), and the run goes on behind it.
 *
 * The rest of a batch has been verified with it and need not be again, which takes the longer the
 * more is left: when slot is 1, how 0 and call a copy of its first slot, that is taken up.
 */
/* the batch has not ended */
#define BATCH_RUN_MORE (1 << 30)
/* in how: what the run returned is the result of the slot */
#define BATCH_RESUME_RESULT (1 << 0)
/* in how: the result of the slot could not be stored; it is in result */
#define BATCH_RESUME_UNSTORED (1 << 1)
/* slot to go on with, or 0 when the batch has ended; of a result that is not negative */
#define BATCH_RUN_NEXT(result) ((result) & BATCH_RUN_MORE ? (result) & (BATCH_RUN_MORE - 1) : 0)

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
	BATCH_REASON_VALUE = 13,
	BATCH_REASON_LABEL_BACKWARD = 14,
	BATCH_REASON_LABEL_UNPLACED = 15,
	BATCH_REASON_LABEL_FAR = 16,
	BATCH_REASON_SKIPPED = 17,
	BATCH_REASON_JUMP_SET = 18,
	BATCH_REASON_WATCHED = 19,
	BATCH_REASON_NO_ENTRY = 20,
	BATCH_REASON_MEMORY = 21,
};

#endif /* FERRY_UAPI_H */
