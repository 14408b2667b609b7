/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard output and messages, which behave and look as cat's do. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "readmany.h"

static struct stat output;
static bool output_regular;

void output_start(void)
{
	if (fstat(STDOUT_FILENO, &output) < 0) {
		report("standard output", errno);
		exit(CLI_FAILED);
	}
	output_regular = S_ISREG(output.st_mode);
}

static void fail_write(int code)
{
	fprintf(stderr, "readmany: write error: %s\n", strerror(code));
	exit(CLI_FAILED);
}

void output_write(const void *bytes, size_t count)
{
	const char *at = bytes;

	while (count > 0) {
		ssize_t written = write(STDOUT_FILENO, at, count);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			fail_write(errno);
		at += written;
		count -= (size_t)written;
	}
}

void output_writev(struct iovec *pieces, size_t count)
{
	while (count > 0) {
		ssize_t written = writev(STDOUT_FILENO, pieces, (int)count);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			fail_write(errno);
		while (count > 0 && (size_t)written >= pieces->iov_len) {
			written -= (ssize_t)pieces->iov_len;
			pieces++;
			count--;
		}
		if (count > 0) {
			pieces->iov_base = (char *)pieces->iov_base + written;
			pieces->iov_len -= (size_t)written;
		}
	}
}

bool output_is_input(int fd)
{
	struct stat input;

	return output_regular && fstat(fd, &input) == 0 && input.st_dev == output.st_dev &&
	       input.st_ino == output.st_ino && lseek(fd, 0, SEEK_CUR) < input.st_size;
}

off_t output_size(void)
{
	struct stat now;

	return output_regular && fstat(STDOUT_FILENO, &now) == 0 ? now.st_size : -1;
}

static void print_in_single_quotes(const char *name)
{
	fputc('\'', stderr);
	for (; *name; name++) {
		unsigned char byte = (unsigned char)*name;

		if (byte == '\'')
			fputs("'\\''", stderr);
		else if (byte == '\n')
			fputs("'$'\\n''", stderr);
		else if (byte < ' ' || byte == 127)
			fprintf(stderr, "'$'\\%03o''", byte);
		else
			fputc(byte, stderr);
	}
	fputc('\'', stderr);
}

/* A name as a shell would read it back. It is quoted as the GNU tools quote, and not at all when that is safe. */
static void print_name(const char *name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	static const char bare[] = "%+,-./@_", between_double_quotes[] = "%+,-./@_ '#&()*;:<=>?[]^{|}~";
	size_t at = 0;

	while (name[at] && (strchr(letters, name[at]) || strchr(bare, name[at])))
		at++;
	if (at > 0 && !name[at]) {
		fputs(name, stderr);
		return;
	}
	while (name[at] && (strchr(letters, name[at]) || strchr(between_double_quotes, name[at])))
		at++;
	if (!name[at] && strchr(name, '\''))
		fprintf(stderr, "\"%s\"", name);
	else
		print_in_single_quotes(name);
}

void complain(const char *name, const char *why)
{
	fputs("readmany: ", stderr);
	print_name(name);
	fprintf(stderr, ": %s\n", why);
}

void report(const char *name, int code)
{
	complain(name, strerror(code));
}
