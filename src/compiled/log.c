/* SPDX-License-Identifier: BSD-3-Clause */
/* What a log of compiled batches has: see log.h. */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descriptor.h"

/* No system call gives it: it is neither a small number, nor an address of a process, nor -errno. */
#define UNMADE 0x5afe5afe5afe5afeL

enum { LINE_MAX_BYTES = 64 };

int compiled__log_open(void)
{
	const char *path = secure_getenv("FERRY_COMPILED_LOG");
	const int saved = errno;
	int file, moved;

	if (!path || !*path)
		return -1;
	file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	moved = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, COMPILED__DESCRIPTOR_MIN);
	if (moved < 0)
		fprintf(stderr, "ferry: FERRY_COMPILED_LOG=%s: %s; batches run, and are not logged\n", path,
			strerror(errno));
	if (file >= 0)
		close(file);
	errno = saved;
	return moved;
}

void compiled__log_mark(long *rets, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		rets[i] = UNMADE;
}

void compiled__log(int log, const struct batch_slot *slots, const long *rets, long last)
{
	char line[LINE_MAX_BYTES];
	const int saved = errno;
	long calls = 0;
	int length;

	for (long i = 0; i <= last; i++)
		calls += slots[i].nr >= 0 && rets[i] != UNMADE;
	length = snprintf(line, sizeof(line), "%ld %ld %ld\n", (long)getpid(), calls, last + 1);
	/* where this fails, as when the program has closed every descriptor, the log ends */
	if (write(log, line, (size_t)length) != length)
		errno = saved;
}
