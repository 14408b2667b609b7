/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads one file with plain calls, to its end, as cat(1) does; and reports files that cannot be read. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "readmany.h"

static char buffer[READMANY_PLAIN_BYTES];

int plain_copy(int fd, const char *name)
{
	if (output_is_input(fd)) {
		complain(name, "input file is output file");
		return -ELOOP;
	}
	for (;;) {
		ssize_t count = read(fd, buffer, sizeof(buffer));

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0) {
			int code = errno;

			report(name, code);
			return -code;
		}
		if (count == 0)
			return 0;
		output_write(buffer, (size_t)count);
	}
}

/*
 * Make a descriptor that the batch opened with O_NONBLOCK into one as cat would have opened it. For a FIFO that means
 * waiting for its first writer: until one has come, poll(2) reports nothing, and read(2) returns 0 as at the end.
 */
static void make_blocking(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	struct stat status;

	if (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode))
		while (poll(&wait, 1, -1) < 0 && errno == EINTR)
			;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
}

bool plain_file(const char *name, int kept)
{
	int fd = kept;
	int code;

	if (kept >= 0)
		make_blocking(kept);
	else
		fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		report(name, errno);
		return false;
	}
	code = plain_copy(fd, name);
	close(fd);
	return code == 0;
}

bool plain_stdin(void)
{
	return plain_copy(STDIN_FILENO, "-") == 0;
}
