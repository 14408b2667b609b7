// SPDX-License-Identifier: GPL-2.0-only
/*
 * Beside a program of compiled batches: what runs them (linked with --wrap=ferry_compiled_run), and at the end of the
 * program says on its descriptor 200 how many have run, and how many of their slots control has come to or passed.
 */
#include <stdio.h>

#include <ferry/compiled.h>

static unsigned long batches, slots_passed;

long __real_ferry_compiled_run(struct batch_slot *slots, long *rets, unsigned long count);
long __wrap_ferry_compiled_run(struct batch_slot *slots, long *rets, unsigned long count);

long __wrap_ferry_compiled_run(struct batch_slot *slots, long *rets, unsigned long count)
{
	long last = __real_ferry_compiled_run(slots, rets, count);

	if (last >= 0) {
		batches++;
		slots_passed += (unsigned long)last + 1;
	}
	return last;
}

static void __attribute__((destructor)) say(void)
{
	dprintf(200, "ran %lu batches, %lu slots\n", batches, slots_passed);
}
