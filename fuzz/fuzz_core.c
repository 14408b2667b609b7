/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Any bytes as a batch for the kernel's core, in user space (kernel/hosttest): what runs, in which order, and what is
 * stored is as R2 to R8, R12 and R17 say, written here a second time. The core's own rules of user access are checked
 * by its stand-ins, which abort.
 *
 * An input is 8 bytes (the low bits of results; the call at which work is made to wait, and which), then 64 bytes per
 * slot. Word copies get addresses that are never mapped: real ones are for the vectors.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel/hosttest/include/kernel.h"

#include "../kernel/core/batch_calls.h"
#include "../kernel/include/uapi/linux/batch.h"

#define SLOTS_MAX 64
#define HEADER_BYTES 8
#define UNTOUCHED 0x5a5a5a5a5a5a5a5aL
#define BAD_ADDRESS 0x10 /* below vm.mmap_min_addr */
#define NR_IOCTL 16

long batch_core_run(struct batch_slot *slots, long *rets, u64 count, u64 flags, struct batch_resume *resume);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static uint8_t header[HEADER_BYTES];
static unsigned long made;

static void require(int holds)
{
	if (!holds)
		abort();
}

/* What call number `index` gives: -1, 0 or 1, or now and then a code that user space may not see. */
static long result_of(unsigned long index)
{
	uint8_t byte = header[index % 4];

	if (byte == 0xff)
		return -ERESTARTSYS;
	return byte % 3 - 1L;
}

static long call(unsigned int nr, const struct pt_regs *regs)
{
	(void)nr;
	(void)regs;
	if (made == header[4])
		host.thread.flags |= header[5] & 1 ? _TIF_SIGPENDING : _TIF_NEED_RESCHED;
	if (made == header[6])
		host.thread.syscall_work |= header[7];
	return result_of(made++);
}

static int is_made(const struct batch_slot *slot)
{
	if (slot->nr == NR_IOCTL)
		return (slot->arg[1] >> 8 & 0xff) != BATCH_IOC_MAGIC || (slot->arg[1] & 0xff) != 1;
	return slot->nr >= 0 && slot->nr < BATCH_CALL_LIMIT &&
	       (batch_calls_allowed[slot->nr / 64] >> slot->nr % 64 & 1);
}

/* What batch_core_run is to return; the results that it is to store. */
static long model(const struct batch_slot *slots, long *rets, long count)
{
	unsigned long calls = 0;
	long last = 0;
	int stop = 0;

	for (long next = 0; next < count;) {
		const struct batch_slot *slot = &slots[next];
		long result = slot->nr == BATCH_WORD_COPY ? -EFAULT : -ENOSYS, jump;

		if (stop)
			return BATCH_RUN_MORE | next;
		if (is_made(slot)) {
			stop |= (calls == header[4] && header[5] & 1) || (calls == header[6] && header[7]);
			result = result_of(calls++);
			result = result == -ERESTARTSYS ? -EINTR : result;
		}
		last = next;
		rets[last] = result;
		jump = result < 0 ? slot->jump_fail : result ? slot->jump_positive : slot->jump_zero;
		next = jump < 0 ? count : next + 1 + jump;
	}
	return last;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct batch_slot slots[SLOTS_MAX];
	static long rets[SLOTS_MAX], expected[SLOTS_MAX];
	long count, wanted = 0;

	if (bytes < HEADER_BYTES + sizeof(*slots))
		return 0;
	memcpy(header, data, sizeof(header));
	count = (long)((bytes - HEADER_BYTES) / sizeof(*slots));
	count = count > SLOTS_MAX ? SLOTS_MAX : count;
	memcpy(slots, data + HEADER_BYTES, (size_t)count * sizeof(*slots));
	for (long i = 0; i < SLOTS_MAX; i++)
		rets[i] = expected[i] = UNTOUCHED;
	for (long i = 0; i < count; i++) {
		if (slots[i].nr == BATCH_WORD_COPY)
			slots[i].arg[0] = slots[i].arg[1] = BAD_ADDRESS;
		if (slots[i].argc > BATCH_ARGS_MAX)
			wanted = -EINVAL;
	}
	if (!wanted)
		wanted = model(slots, expected, count);
	made = 0;
	host = (struct host){ .call = call };
	require(batch_core_run(slots, rets, (u64)count, 0, NULL) == wanted);
	require(memcmp(rets, expected, sizeof(rets)) == 0);
	return 0;
}
