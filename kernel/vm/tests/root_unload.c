// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is unloaded while a task is on its way out of it, behind the fput() that gives back its file, which
 * another process has open as well (batch_exit() draws it). Does the module wait, or is it freed under the task?
 *
 * The task is held there as a busy machine might do it, by a task of a higher priority on its processor:
 *
 *	processor 0				processor 1
 *	-----------				-----------
 *	the leaver runs a batch, whose slot
 *	 closes its descriptor
 *	it comes to the probe behind fput()
 *	the holder, which a perf event of that
 *	 probe wakes, takes the processor
 *						closes the last descriptor; rmmod
 *						sees rmmod wait, or end
 *	 and gives it back when it is told
 *	the leaver goes on, in the module
 *
 * The probe's event wakes by an interrupt that is pending until the probe has been handled, so the leaver never gets
 * further than one instruction. In a module that does not wait, it then runs what was freed: the kernel's log says so.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/batch.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kernel_text.h"

#define MODULE_FILE "/batch.ko"
#define DEVICE "/dev/batch"
#define CODE_BYTES 512 /* of batch_ioctl(), which is shorter */
#define EVENT_PAGES 2  /* of a perf event: its head and one of data */
#define PAGE 4096
#define NOT_BACK (-1L) /* the result of a batch that has not returned */
#define LOW 1	       /* priorities of SCHED_FIFO */
#define HIGH 50

/* what the processes tell each other; each word is written by one of them, once */
static struct words {
	_Atomic bool watching; /* the holder waits for the probe */
	_Atomic bool holding;  /* it has processor 0 */
	_Atomic bool release;  /* it may end */
	_Atomic long result;   /* of the batch */
} * words;

static void stop(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static void skip(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		printf("# %s is not written: %s\n", path, strerror(errno));
	close(fd);
}

static void run_on(int processor, int priority)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		stop("sched_setaffinity");
	if (priority &&
	    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = priority }))
		stop("sched_setscheduler");
}

/* A perf event of the task each time it comes to a place in the kernel's code, or -1. */
static int probe(pid_t task, uint64_t address)
{
	struct perf_event_attr attributes = { .size = sizeof(attributes),
					      .sample_period = 1,
					      .wakeup_events = 1 };
	FILE *file = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	int fd;

	if (!file || fscanf(file, "%u", &attributes.type) != 1)
		return -1;
	fclose(file);
	attributes.config2 = address;
	fd = (int)syscall(SYS_perf_event_open, &attributes, task, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0 && mmap(NULL, (size_t)EVENT_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
			    fd, 0) == MAP_FAILED)
		stop("mmap of the event");
	return fd;
}

/* Run a batch whose first slot closes the descriptor, when it is told to. */
static void leave(int fd, int told)
{
	struct batch_slot slots[] = {
		{ .nr = SYS_close, .argc = 1, .arg = { fd } },
		{ .nr = SYS_getppid },
	};
	long rets[2] = { 0 };
	const struct batch_run run = { (unsigned long)slots, (unsigned long)rets, 1, 0, 0 };
	char byte;

	run_on(0, LOW);
	if (read(told, &byte, 1) != 1)
		exit(1);
	words->result = syscall(SYS_ioctl, fd, BATCH_IOC_RUN, &run);
	exit(rets[0] == 0 ? 0 : 1);
}

/* Wait for the probe, then keep processor 0 until it is told to give it back. */
static void hold(int event)
{
	struct pollfd wait = { event, POLLIN, 0 };

	run_on(0, HIGH);
	words->watching = true;
	if (poll(&wait, 1, -1) != 1)
		exit(1);
	words->holding = true;
	while (!words->release)
		;
	exit(0);
}

static int unload(void)
{
	return syscall(SYS_delete_module, "batch", O_NONBLOCK) ? errno : 0;
}

static int load(void)
{
	int fd = open(MODULE_FILE, O_RDONLY | O_CLOEXEC), code;

	code = syscall(SYS_finit_module, fd, "mode=0666", 0) ? errno : 0;
	close(fd);
	return code;
}

/* Whether a task's kernel stack has a function on it. */
static bool is_in(pid_t task, const char *function)
{
	char path[32], text[4096];
	ssize_t bytes;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stack", (int)task);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	bytes = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	close(fd);
	text[bytes > 0 ? bytes : 0] = 0;
	return strstr(text, function);
}

static void until(_Atomic bool *word, pid_t task)
{
	while (!*word) {
		if (waitpid(task, NULL, WNOHANG) == task) {
			printf("Bail out! a process of the test ended early\n");
			exit(1);
		}
		usleep(1000);
	}
}

/* Whether rmmod waits (true) or has ended while the leaver is held, with its status. */
static bool waits(pid_t rmmod, int *status)
{
	while (waitpid(rmmod, status, WNOHANG) != rmmod) {
		if (is_in(rmmod, "rcu_tasks"))
			return true;
		usleep(1000);
	}
	return false;
}

/* The place behind the first fput() of batch_ioctl(), where nothing of the module's is held any more. */
static uint64_t behind_fput(void)
{
	static unsigned char code[CODE_BYTES];
	uint64_t function = address_of("batch_ioctl", "[batch]"), fput = address_of("fput", ""),
		 call;

	if (!function)
		skip("there is no module");
	if (!fput || !read_kernel(function, code, sizeof(code)))
		skip("there is no /proc/kcore");
	call = call_of(fput, function, code, sizeof(code));
	if (!call)
		skip("batch_ioctl() does not call fput()");
	return call + CALL_BYTES;
}

/* Have the leaver held at an address while the module is unloaded. Returns whether that waited for it. */
static bool unloading_waits(uint64_t address, bool *held, int *left, int *unloaded)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC), told[2], event;
	pid_t leaver, holder, rmmod;
	bool waited;

	if (fd < 0 || pipe2(told, O_CLOEXEC))
		stop(DEVICE);
	if ((leaver = fork()) == 0)
		leave(fd, told[0]);
	event = probe(leaver, address);
	if (event < 0) {
		kill(leaver, SIGKILL);
		skip("this kernel has no perf events of kprobes");
	}
	if ((holder = fork()) == 0) {
		close(fd);
		hold(event);
	}
	until(&words->watching, holder);
	if (write(told[1], "", 1) != 1)
		stop("write");
	until(&words->holding, leaver);
	close(fd);
	if ((rmmod = fork()) == 0)
		_exit(unload());
	waited = waits(rmmod, unloaded);
	*held = words->result == NOT_BACK;
	words->release = true;
	waitpid(leaver, left, 0);
	waitpid(holder, NULL, 0);
	if (waited)
		waitpid(rmmod, unloaded, 0);
	return waited;
}

int main(void)
{
	uint64_t address;
	int left = -1, unloaded = -1;
	bool waited, held = false;

	if (access(MODULE_FILE, R_OK) || access(DEVICE, R_OK | W_OK))
		skip("there is no module");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip("one processor alone: nothing could unload the module while it is held");
	words = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (words == MAP_FAILED)
		stop("mmap");
	words->result = NOT_BACK;
	setvbuf(stdout, NULL, _IOLBF, 0);
	address = behind_fput();
	/* or the holder is made to give way, and a probe may become a jump that ends elsewhere */
	write_file("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	write_file("/proc/sys/debug/kprobes-optimization", "0");
	run_on(1, 0);
	waited = unloading_waits(address, &held, &left, &unloaded);
	printf("1..4\n%sok 1 - a task is held, and not yet back from its batch\n",
	       held ? "" : "not ");
	printf("%sok 2 - unloading waits for a task that is on its way out of the module\n",
	       waited ? "" : "not ");
	printf("# the batch returned %ld; the leaver's status 0x%x, rmmod's 0x%x\n", words->result,
	       left, unloaded);
	printf("%sok 3 - the task came out, and then the module went\n",
	       left == 0 && unloaded == 0 && words->result == 0 ? "" : "not ");
	write_file("/proc/sys/kernel/sched_rt_runtime_us", "950000");
	write_file("/proc/sys/debug/kprobes-optimization", "1");
	printf("%sok 4 - it comes back\n", load() == 0 ? "" : "not ");
	return !held || !waited || left || unloaded;
}
