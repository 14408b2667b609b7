/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of walk_run share: a folder of the program's own, which is the current one while its tests run. */
#ifndef WALK_TESTS_H
#define WALK_TESTS_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char base[64];

static int make_base(void **state)
{
	(void)state;
	/* thousands of directories are made and removed: in memory where that is possible */
	snprintf(base, sizeof(base), "%s/ferry-walk-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	return mkdtemp(base) && chdir(base) == 0 ? 0 : -1;
}

static int remove_base(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", base);
	return chdir("/") || system(command);
}

#endif
