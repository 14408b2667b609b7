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
 * A slot whose call ended a run: a signal interrupted the call, and the kernel is to go on with it,
 * or its result could not be stored, or the caller is to make it by itself. From the begin of a run
 * until it returns, all of this belongs to the kernel; see what a run returns.
 */
struct batch_resume {
	__u32 slot; /* 0, or 1 + the index of the slot */
	__u32 how; /* 0, or BATCH_RESUME_* */
	struct batch_slot call; /* the slot as it was when its call began */
	__s64 result; /* with BATCH_RESUME_UNSTORED, the result of the slot */
};

/*
 * BATCH_IOC_RUN takes this. The ioctl's number contains its size. A kernel that knows more
 * members takes the missing ones as 0; a kernel that knows fewer refuses with -E2BIG, unless the
 * members that it does not know are 0.
 */
struct batch_run {
	__u64 slots; /* address of struct batch_slot[count], aligned to 8 bytes */
	__u64 rets; /* address of long[count], aligned to 8 bytes */
	__u64 count; /* slots, 1 to BATCH_SLOTS_MAX */
	__u64 flags; /* bits of BATCH_FLAGS_KNOWN; any other gives -EINVAL */
	__u64 resume; /* address of struct batch_resume, aligned to 8 bytes, or 0 */
};

/*
 * BATCH_IOC_QUERY fills this, up to the size that the caller's ioctl number contains. Members
 * that the kernel does not know are 0.
 */
struct batch_query {
	__u32 version; /* BATCH_API_VERSION */
	__u32 run_bytes; /* bytes of struct batch_run that are known */
	__u64 features; /* BATCH_FEATURE_* bits */
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

/* in struct batch_query: the version of what a batch means, spec/program.md */
#define BATCH_API_VERSION 1

/* calls may sleep */
#define BATCH_FEATURE_MAY_BLOCK (1 << 0)

/* work that waits for the return to user space is done between slots */
#define BATCH_FEATURE_USER_WORK (1 << 1)

/* with struct batch_resume, an interrupted call goes on and no result is lost */
#define BATCH_FEATURE_RESUME (1 << 2)

/*
 * What a run returns, by the ioctl and by the system call: -errno when nothing ran; when the
 * batch has ended, the index of the last slot that ran; otherwise BATCH_RUN_MORE and the index of
 * the slot with which to go on. It fits an int, which is all that Linux hands through from an
 * ioctl.
 *
 * The kernel may return before the batch has ended, after any slot, so that a signal is handled,
 * a tracer sees what it waits for, or work is done that waits for the return to user space. The
 * caller then goes on with the rest (slots + next, rets + next, count - next), as after a short
 * write. Each run runs at least one slot. -EFAULT may also mean that a result could not be
 * stored: then calls have been made, and struct batch_resume names the slot.
 *
 * When a signal interrupts a call, the kernel begins it again, goes on with it for the time that
 * is left, or ends it with -EINTR, as it would do with that call by itself. For that the caller
 * passes a struct batch_resume whose slot is 0. If slot is not 0 when the run returns, the call
 * of that slot has ended the run:
 *
 * - If how is BATCH_RESUME_UNSTORED, the run returned -EFAULT and the call has been made. Its
 *   result, which could not be stored, is in result. The caller stores it where there is memory
 *   again, and goes on where call's jumps lead.
 * - If how is BATCH_RESUME_RESULT, or the run returned -EINTR, what the run returned is the
 *   slot's result. The caller stores it, and goes on where call's jumps lead.
 * - If how is BATCH_RESUME_DIRECT, the run returned -EOPNOTSUPP and the call has not been made: a
 *   seccomp filter does not just allow it. The caller makes the call of the slot by itself, so that
 *   the filter is asked again, stores the result, and goes on where call's jumps lead.
 * - Otherwise the call has not been made, for instance because something that watches system
 *   calls has come meanwhile. The caller goes on with the slot itself.
 *
 * Without a struct batch_resume the result of an interrupted call is -EINTR, whatever interrupted
 * it (a stop that is continued, a debugger, a freezer), and the run goes on behind it.
 *
 * The rest of a batch was verified together with the whole. To verify it again takes the longer,
 * the more is left. A caller avoids that with a struct batch_resume in which slot is 1, how is 0,
 * and call is a copy of the first slot of the rest: the kernel takes that slot up as an
 * interrupted one.
 */
/* the batch has not ended */
#define BATCH_RUN_MORE (1 << 30)
/* in how: what the run returned is the result of the slot */
#define BATCH_RESUME_RESULT (1 << 0)
/* in how: the result of the slot could not be stored; it is in result */
#define BATCH_RESUME_UNSTORED (1 << 1)
/* in how: the caller is to make the call of the slot by itself */
#define BATCH_RESUME_DIRECT (1 << 2)
/* the slot to go on with, or 0 when the batch has ended, from a result that is not negative */
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
	BATCH_REASON_NONBLOCK = 22,
};

#endif /* FERRY_UAPI_H */
