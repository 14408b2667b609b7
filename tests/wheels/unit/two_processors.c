/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two processors for a unit test that wheels_test.sh keeps on one: teams have the size that they would have on
 * two, and no test leaves itself out for want of a second. Threads stay where they are, whatever binds them.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PROCESSORS = 2 };

int sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set)
{
	long written = syscall(SYS_sched_getaffinity, thread, bytes, set);

	if (written < 0)
		return -1;
	CPU_ZERO_S(bytes, set);
	for (int i = 0; i < PROCESSORS; i++)
		CPU_SET_S(i, bytes, set);
	return 0;
}

/* weak: test_openmp_retire has one of its own */
__attribute__((weak)) int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set)
{
	(void)thread;
	return sched_getaffinity(0, bytes, set) ? errno : 0;
}

/* weak: test_openmp_wait has one of its own, by which no thread moves either */
__attribute__((weak)) int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set)
{
	(void)thread;
	(void)bytes;
	(void)set;
	errno = EPERM;
	return -1;
}

int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set)
{
	(void)thread;
	(void)bytes;
	(void)set;
	return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t bytes, const cpu_set_t *set)
{
	(void)attributes;
	(void)bytes;
	(void)set;
	return 0;
}
