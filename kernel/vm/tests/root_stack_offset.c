// SPDX-License-Identifier: GPL-2.0-only
/*
 * With randomize_kstack_offset=on each call of batch(2) has a stack offset of its own, as each
 * system call has, and the offset ends with the call. LKDTM (CONFIG_LKDTM) says by how much the
 * stack of a call differs from that of its task's first one: in the kernel's log, when
 * REPORT_STACK is written to its file.
 */
#include "../../selftests/batch_test.h"

#include <sys/klog.h>

#define REPORTER "/sys/kernel/debug/provoke-crash/DIRECT"
#define REPORT "REPORT_STACK"
#define CALLS 32
/* an offset is one of 64; 32 random ones are hardly ever so few different ones */
#define DIFFERENT 8
/* and less than this */
#define OFFSET_MAX 1024
#define READ_ALL 3
#define LOG_BYTES (1 << 18)

static int reporter;
static bool in_batch;

static int report_stacks(void)
{
	struct batch_slot slots[CALLS];
	long rets[CALLS];

	for (int i = 0; i < CALLS; i++) {
		slots[i] = slot(SYS_write, 3, reporter, (long)REPORT, strlen(REPORT));
		rets[i] = 0;
	}
	if (in_batch)
		return run(slots, rets, CALLS) != CALLS - 1 || rets[CALLS - 1] < 0;
	for (int i = 0; i < CALLS; i++)
		if (directly(&slots[i]) < 0)
			return 1;
	return 0;
}

/* How many different offsets the last task that reported had, and how far they lie apart. */
static int offsets(int *apart)
{
	static char log[LOG_BYTES];
	int bytes = klogctl(READ_ALL, log, sizeof(log) - 1), least = 0, most = 0, different = 0;
	bool seen[2 * OFFSET_MAX] = { false };
	char *at = log, *next;

	log[bytes < 0 ? 0 : bytes] = 0;
	while ((next = strstr(at + 1, "Starting stack offset tracking")))
		at = next;
	for (; (at = strstr(at, "Stack offset: ")); at++) {
		int offset = atoi(at + strlen("Stack offset: "));

		least = offset < least ? offset : least;
		most = offset > most ? offset : most;
		if (offset <= -OFFSET_MAX || offset >= OFFSET_MAX || seen[OFFSET_MAX + offset])
			continue;
		seen[OFFSET_MAX + offset] = true;
		different++;
	}
	*apart = most - least;
	return different;
}

static void compare(void)
{
	int apart, direct, batched;

	in_batch = false;
	same(in_child(report_stacks), 0, "system calls report their stacks");
	direct = offsets(&apart);
	if (direct == 1) {
		skip("each call has an offset of its own", "without randomize_kstack_offset=on");
		return;
	}
	report(direct >= DIFFERENT && apart < OFFSET_MAX, "each system call has its own offset");
	in_batch = true;
	same(in_child(report_stacks), 0, "the calls of a batch report their stacks");
	batched = offsets(&apart);
	printf("# %d different offsets of %d calls, %d of a batch's, %d bytes apart\n", direct,
	       CALLS, batched, apart);
	report(batched >= DIFFERENT, "each call of a batch has its own offset");
	report(apart < OFFSET_MAX, "an offset ends with its call");
}

int main(void)
{
	reporter = open(REPORTER, O_WRONLY | O_CLOEXEC);
	for_each_front_end() {
		if (front_end == BY_DEVICE)
			skip("each call has an offset of its own",
			     "the module has no access to them");
		else if (reporter < 0)
			skip("each call has an offset of its own", "a kernel without LKDTM");
		else
			compare();
	}
	return finish();
}
