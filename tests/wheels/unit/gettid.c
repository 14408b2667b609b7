/* SPDX-License-Identifier: BSD-3-Clause */
/* What the unit tests call and glibc before 2.30 lacks; `make wheels-test` links it into them. */
#include <sys/syscall.h>
#include <unistd.h>

pid_t gettid(void)
{
	return (pid_t)syscall(SYS_gettid);
}
