// SPDX-License-Identifier: GPL-2.0-only
/* The stand-ins of include/kernel.h. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "batch/syscall.h"
#include "kernel.h"

/* user space ends here on x86-64 with four levels of page tables */
#define USER_END 0x7ffffffff000UL

_Thread_local struct host host;

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "the core broke a rule of the kernel: %s\n", what);
	abort();
}

bool host_access_ok(const void *address, unsigned long bytes)
{
	return bytes <= USER_END && (unsigned long)address <= USER_END - bytes;
}

bool host_window_open(const void *address, unsigned long bytes)
{
	require(!host.window, "user access is begun twice");
	host.window = host_access_ok(address, bytes);
	return host.window;
}

void host_window_close(void)
{
	require(host.window, "user access is ended without having been begun");
	host.window = false;
}

void host_may_sleep(void)
{
	require(!host.window, "something else is done while user access is open");
}

/* libc would set errno, which is the test's to keep */
static long vm_call(long nr, const struct iovec *local, const struct iovec *remote)
{
	return batch__syscall6(nr, getpid(), (long)local, 1, (long)remote, 1, 0);
}

int host_read(void *to, const void *from, size_t bytes)
{
	const struct iovec local = { to, bytes }, remote = { (void *)from, bytes };

	require(host.window, "user memory is read outside user access");
	return vm_call(__NR_process_vm_readv, &local, &remote) == (long)bytes ? 0 : -EFAULT;
}

int host_write(void *to, const void *from, size_t bytes)
{
	const struct iovec local = { (void *)from, bytes }, remote = { to, bytes };

	require(host.window, "user memory is written outside user access");
	return vm_call(__NR_process_vm_writev, &local, &remote) == (long)bytes ? 0 : -EFAULT;
}

void host_schedule(void)
{
	host_may_sleep();
	host.thread.flags &= ~_TIF_NEED_RESCHED;
	host.scheduled++;
	if (host.reschedule)
		host.reschedule();
}
