/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/* For each enum batch_reason: the error it is returned as, and the sentence a person reads. */
#ifndef FERRY_BATCH_REASONS_H
#define FERRY_BATCH_REASONS_H

static const struct {
	int code;
	const char *text;
} batch__reasons[] = {
	[BATCH_REASON_NONE] = { 0,
		"nothing is wrong" },
	[BATCH_REASON_EMPTY] = { -EINVAL,
		"a batch has at least one slot: give a slot count of 1 or more" },
	[BATCH_REASON_TOO_LONG] = { -E2BIG,
		"too many slots: split the batch, BATCH_SLOTS_MAX is the limit" },
	[BATCH_REASON_NULL] = { -EFAULT,
		"slots or rets is a null pointer: pass arrays of as many elements as the slot count" },
	[BATCH_REASON_FLAGS] = { -EINVAL,
		"unknown flag: pass 0, or only flags this version defines" },
	[BATCH_REASON_ARGC] = { -EINVAL,
		"argument count above BATCH_ARGS_MAX: set argc to what the call takes" },
	[BATCH_REASON_MISALIGNED] = { -EINVAL,
		"slots or rets is not aligned to 8 bytes: use an array of struct batch_slot and of long" },
	[BATCH_REASON_SIGNATURE] = { -EINVAL,
		"argc differs from the function's signature: pass as many arguments as the function table says" },
	[BATCH_REASON_NOT_CARRIED] = { -EOPNOTSUPP,
		"this executor cannot carry the call: use the loop executor, or auto" },
	[BATCH_REASON_DATA_FLOW] = { -EOPNOTSUPP,
		"this executor cannot express the word copy: use the loop executor, or auto" },
	[BATCH_REASON_JUMP] = { -EOPNOTSUPP,
		"this executor cannot express the jump: use the loop executor, or auto" },
	[BATCH_REASON_UNAVAILABLE] = { -EOPNOTSUPP,
		"this machine does not offer the executor: use the loop executor, or auto" },
	[BATCH_REASON_CAPACITY] = { -ENOSPC,
		"the builder's slot array is full: give batch_builder_init a larger one" },
	[BATCH_REASON_VALUE] = { -EINVAL,
		"the value is of no call of this batch: pass what this builder returned since batch_builder_init" },
	[BATCH_REASON_LABEL_BACKWARD] = { -EINVAL,
		"a jump may only go forward: place the label after every slot that jumps to it" },
	[BATCH_REASON_LABEL_UNPLACED] = { -EINVAL,
		"a jump goes to a label that was never placed: call batch_builder_label before batch_builder_finish" },
	[BATCH_REASON_LABEL_FAR] = { -ERANGE,
		"a jump skips more than BATCH_JUMP_MAX slots: place the label nearer" },
	[BATCH_REASON_SKIPPED] = { -EINVAL,
		"a jump may pass by the call that gives this value: use it before the label, or load its word of rets[] instead" },
	[BATCH_REASON_JUMP_SET] = { -EINVAL,
		"this outcome of the slot has its jump already: set each outcome once" },
	[BATCH_REASON_WATCHED] = { -EOPNOTSUPP,
		"a filter, tracer or audit rule is to see each system call of this thread: use the loop executor, or auto" },
	[BATCH_REASON_NO_ENTRY] = { -EPERM,
		"the kernel can no longer be entered: a filter or security module forbids it, or the executor's descriptor was closed: use the loop executor, or auto" },
	[BATCH_REASON_MEMORY] = { -EFAULT,
		"slots or rets is not memory to its end, and calls may have been made: pass arrays of as many elements as the slot count" },
	[BATCH_REASON_NONBLOCK] = { -EOPNOTSUPP,
		"io_uring opens files as if O_NONBLOCK were set, and would not wait for the writer of a FIFO: add O_NONBLOCK to the flags, which changes nothing for a regular file, or use the loop executor, or auto" },
};

#endif /* FERRY_BATCH_REASONS_H */
