/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the names come from. A list is read as it is used, so it may be longer than memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "readmany.h"

int names_from_operands(struct names *names, char *const *operands, size_t count)
{
	*names = (struct names){ .operands = operands, .operand_count = count, .list_fd = -1 };
	return 0;
}

int names_from_list(struct names *names, const char *file)
{
	*names = (struct names){ .list_name = file };
	names->list_fd = strcmp(file, "-") == 0 ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
	if (names->list_fd < 0)
		return -errno;
	names->list_buffer = malloc(READMANY_LIST_BYTES);
	return names->list_buffer ? 0 : -ENOMEM;
}

void names_end(struct names *names)
{
	if (names->list_fd > STDIN_FILENO)
		close(names->list_fd);
	free(names->list_buffer);
}

/* The next byte of the list, or -1 at its end. */
static int list_byte(struct names *names)
{
	ssize_t have;

	if (names->list_used < names->list_have)
		return (unsigned char)names->list_buffer[names->list_used++];
	if (names->list_ended)
		return -1;
	do {
		have = read(names->list_fd, names->list_buffer, READMANY_LIST_BYTES);
	} while (have < 0 && errno == EINTR);
	if (have < 0) {
		report(names->list_name, errno);
		names->failed = true;
	}
	names->list_ended = have <= 0;
	names->list_have = have < 0 ? 0 : (size_t)have;
	names->list_used = 0;
	return names->list_ended ? -1 : list_byte(names);
}

static void refuse(struct names *names, const char *why)
{
	fprintf(stderr, "readmany: %s:%lu: %s\n", names->list_name, names->list_line, why);
	names->failed = true;
}

/* Copy one name of the list to storage[PATH_MAX]. Returns its length, PATH_MAX for one too long, or -1 at the end. */
static long list_name(struct names *names, char *storage)
{
	long length = 0;
	int byte;

	while ((byte = list_byte(names)) > 0)
		if (length < PATH_MAX)
			storage[length++] = (char)byte;
	if (byte < 0 && length == 0)
		return -1;
	if (length < PATH_MAX)
		storage[length] = '\0';
	names->list_line++;
	return length;
}

const char *names_next(struct names *names, char *storage)
{
	if (names->operands)
		return names->next < names->operand_count ? names->operands[names->next++] : NULL;
	for (;;) {
		long length = list_name(names, storage);

		if (length < 0)
			return NULL;
		if (length == 0)
			refuse(names, "the name is empty: names are separated by one NUL byte each");
		else if (length == PATH_MAX)
			refuse(names, strerror(ENAMETOOLONG));
		else if (strcmp(storage, "-") == 0 && names->list_fd == STDIN_FILENO)
			refuse(names, "'-' cannot be read when the list itself is standard input; use ./-");
		else
			return storage;
	}
}
