// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is the test machine what the tests take it for? Programs run as nobody, may not become root, and have more than one
 * processor and /proc, /tmp and /dev/shm to work in.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int number;

static void report(int good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++number, name);
}

int main(void)
{
	struct stat status;

	printf("1..5\n");
	report(getuid() == 65534 && geteuid() == 65534, "programs run as nobody");
	report(setuid(0) < 0, "and cannot become root");
	report(stat("/proc/self/status", &status) == 0, "there is /proc");
	report(access("/tmp", W_OK) == 0 && access("/dev/shm", W_OK) == 0,
	       "there are folders to write in");
	report(sysconf(_SC_NPROCESSORS_ONLN) > 1, "there is more than one processor");
	return 0;
}
