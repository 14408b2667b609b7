// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module goes while batches run: it stays as long as one has the device open, and comes back.
 */
#include "batch_test.h"

#include <sched.h>
#include <signal.h>

#define MODULE_FILE "/batch.ko"
#define SLOTS 64
#define ROUNDS 60
#define USERS 3
#define TRIES 8	      /* of a run that is to sleep */
#define HANDED_BACK 2 /* how a child ends whose run has not come to that */

static struct batch_slot slots[SLOTS];
static long rets[SLOTS];

static int unload(void)
{
	return syscall(SYS_delete_module, "batch", O_NONBLOCK) ? -errno : 0;
}

static int load(void)
{
	int fd = open(MODULE_FILE, O_RDONLY | O_CLOEXEC), code;

	if (fd < 0)
		return -errno;
	code = syscall(SYS_finit_module, fd, "mode=0666", 0) ? -errno : 0;
	close(fd);
	return code;
}

/* Open, run, close by a slot, again and again. Ends with 1 when a result is wrong. */
static int use(void)
{
	for (;;) {
		int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
		long result;

		if (fd < 0) {
			sched_yield();
			continue;
		}
		fill(slots, rets, SLOTS);
		slots[SLOTS / 2] = slot(SYS_close, 1, fd, 0, 0);
		result = run_device(fd, slots, rets, SLOTS, 0, NULL);
		if (result != SLOTS - 1 && result != (BATCH_RUN_MORE | (SLOTS / 2 + 1)) &&
		    !(result > 0 && result & BATCH_RUN_MORE))
			return 1;
		for (int i = 0; i < SLOTS / 2; i++)
			if (rets[i] != getppid() && !(result & BATCH_RUN_MORE))
				return 1;
		close(fd);
	}
}

/* In a child: close the device, and wait to be told to go on, in one batch. */
static int sleep_in_a_run(int go)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	char byte = 0;
	long result;

	fill(slots, rets, 3);
	slots[0] = slot(SYS_close, 1, fd, 0, 0);
	slots[1] = slot(SYS_read, 3, go, (long)&byte, 1);
	result = run_device(fd, slots, rets, 3, 0, NULL);
	/* a tick may put work on a task that the module leaves to the entry code */
	if (result == (BATCH_RUN_MORE | 1))
		return HANDED_BACK;
	return result != 2 && result != (BATCH_RUN_MORE | 2);
}

/*
 * A run that sleeps for as long as it likes keeps the module, although nobody has the device open
 * any more: to unload is refused at once, and not begun and held up.
 */
static void in_a_run(void)
{
	int go[2], status = -1;
	bool asleep = false;
	pid_t child = -1;

	if (pipe(go)) {
		report(false, "no pipe for a run that sleeps");
		return;
	}
	for (int i = 0; i < TRIES && !asleep; i++) {
		child = fork();
		if (child == 0)
			_exit(sleep_in_a_run(go[0]));
		asleep = until_asleep(child);
		if (!asleep && waitpid(child, &status, 0) == child &&
		    (!WIFEXITED(status) || WEXITSTATUS(status) != HANDED_BACK))
			break;
	}
	if (report(asleep, "a run has closed the device, and sleeps")) {
		same(unload(), -EWOULDBLOCK, "the module stays while it sleeps");
		report(write(go[1], "", 1) == 1 && waitpid(child, &status, 0) == child && !status,
		       "the run ends");
		same(unload(), 0, "and the module goes");
		same(load(), 0, "and comes back");
	}
	close(go[0]);
	close(go[1]);
}

static void under_load(void)
{
	unsigned int unloaded = 0, refused = 0, other = 0;
	pid_t users[USERS];
	int status;

	for (int i = 0; i < USERS; i++) {
		users[i] = fork();
		if (users[i] == 0)
			_exit(use());
	}
	for (int i = 0; i < ROUNDS; i++) {
		int code = unload();

		unloaded += code == 0;
		refused += code == -EWOULDBLOCK;
		other += code && code != -EWOULDBLOCK;
		if (code == 0 && load())
			other++;
		sleep_ms(5);
	}
	for (int i = 0; i < USERS; i++) {
		kill(users[i], SIGKILL);
		waitpid(users[i], &status, 0);
		other += !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL;
	}
	printf("# unloaded %u times, refused %u times\n", unloaded, refused);
	report(!other && unloaded + refused == ROUNDS, "unloading under load is refused or done");
}

int main(void)
{
	int code;

	front_end = BY_DEVICE;
	batch_fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (batch_fd < 0 || access(MODULE_FILE, R_OK)) {
		skip("the module goes", "there is no module");
		return finish();
	}
	same(unload(), -EWOULDBLOCK, "the module stays while the device is open");
	fill(slots, rets, SLOTS);
	same(run(slots, rets, SLOTS), SLOTS - 1, "and runs batches");
	close(batch_fd);
	code = unload();
	same(code, 0, "it goes when the device is closed");
	report(open(DEVICE, O_RDWR) < 0 && errno == ENOENT, "and the device with it");
	same(load(), 0, "it comes back");
	in_a_run();
	under_load();
	return finish();
}
