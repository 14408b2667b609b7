// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor of /dev/batch goes away while a batch runs on it: the batch ends as if nothing had
 * happened.
 */
#include "batch_test.h"

#include <pthread.h>

#define SLOTS 64

static struct batch_slot slots[SLOTS];
static long rets[SLOTS];

/*
 * A slot closes the only descriptor of a process with one thread: the ioctl has no reference of its
 * own then.
 */
static int closed_by_a_slot(void)
{
	long result;

	close(batch_fd);
	batch_fd = open(DEVICE, O_RDWR);
	fill(slots, rets, SLOTS);
	slots[3] = slot(SYS_close, 1, batch_fd, 0, 0);
	result = enter_as_far_as(slots, rets, SLOTS, 4, NULL);
	if (rets[3] != 0)
		return 1;
	/* it ran to its end, or was handed back behind the close */
	if (result != SLOTS - 1 && result != (BATCH_RUN_MORE | 4))
		return 2;
	return enter(slots, rets, 1, 0) == -EBADF ? 0 : 3;
}

static int all_closed_by_a_slot(void)
{
	fill(slots, rets, SLOTS);
	slots[1] = slot(SYS_close_range, 3, 0, ~0U, 0);
	enter(slots, rets, SLOTS, 0);
	return rets[1] == 0 ? 0 : 1;
}

static int ends[2];

static void *close_it(void *unused)
{
	(void)unused;
	until_asleep(getpid());
	close(batch_fd);
	return write(ends[1], "", 1) == 1 ? NULL : ends;
}

static int closed_by_a_thread(void)
{
	pthread_t thread;
	long result;
	char byte;

	fill(slots, rets, SLOTS);
	if (pipe(ends))
		return 1;
	slots[0] = slot(SYS_read, 3, ends[0], (long)&byte, 1);
	if (pthread_create(&thread, NULL, close_it, NULL))
		return 1;
	result = enter(slots, rets, SLOTS, 0);
	pthread_join(thread, NULL);
	return rets[0] == 1 && (result == SLOTS - 1 || result == (BATCH_RUN_MORE | 1)) ? 0 : 2;
}

static void expect(int (*body)(void), const char *name)
{
	int status = in_child(body);

	if (!WIFEXITED(status) || WEXITSTATUS(status))
		printf("# wait status 0x%x\n", (unsigned int)status);
	report(WIFEXITED(status) && !WEXITSTATUS(status), "%s", name);
}

int main(void)
{
	for_each_front_end() {
		if (front_end != BY_DEVICE) {
			skip("the descriptor goes away", "batch(2) has no descriptor");
			continue;
		}
		expect(closed_by_a_slot, "closed by a slot");
		expect(all_closed_by_a_slot, "every descriptor closed by a slot");
		expect(closed_by_a_thread, "closed by another thread while a slot sleeps");
	}
	return finish();
}
