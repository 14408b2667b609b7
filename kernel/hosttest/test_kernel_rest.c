// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rest of a batch that the kernel hands back is not verified again: the kernel executor has its first slot taken
 * up. With a pass over all that is left in each entry, a signal that comes as often as such a pass takes would have a
 * large batch make one call for each signal, and hardly ever end.
 *
 * The entry leads to the core in this process (kernel_entry.c), which hands back behind every slot.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/batch.h>

#include "kernel.h"

#define SLOTS 64
#define UNTOUCHED 0x5a5a5a5aL

static struct batch_kernel_executor kernel;
static struct batch_slot slots[SLOTS];
static long rets[SLOTS];

static int fresh(void **state)
{
	(void)state;
	setenv("HOSTTEST_HAND_BACK", "1", 1);
	for (int i = 0; i < SLOTS; i++) {
		slots[i] = scall0(getppid, 0, 0, 0);
		rets[i] = UNTOUCHED;
	}
	return batch_kernel_open(&kernel, NULL);
}

static void each_entry_but_the_first_verifies_nothing(void **state)
{
	(void)state;
	assert_int_equal(batch_run(&kernel.executor, rets, slots, SLOTS, 0, NULL), SLOTS - 1);
	for (int i = 0; i < SLOTS; i++)
		assert_int_equal(rets[i], getppid());
	/* of the last entry */
	assert_int_equal(host.checks, 0);
}

/* A slot that is read later is read as it is then (R13), be it the first of an entry. */
static void a_slot_is_read_when_it_is_about_to_run(void **state)
{
	struct batch_slot other = scall1(close, 0, 0, 0, -1);

	(void)state;
	slots[1] = scall2(wdcpy, 0, 0, 0, &slots[2], &other);
	slots[2].arg[0] = -1;
	assert_int_equal(batch_run(&kernel.executor, rets, slots, SLOTS, 0, NULL), SLOTS - 1);
	assert_int_equal(rets[2], -EBADF);
	assert_int_equal(rets[3], getppid());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_entry_but_the_first_verifies_nothing, fresh),
		cmocka_unit_test_setup(a_slot_is_read_when_it_is_about_to_run, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
