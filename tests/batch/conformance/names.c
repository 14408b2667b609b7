/* SPDX-License-Identifier: BSD-3-Clause */
/* The names a vector may use: calls and reasons as spec/batch.toml has them, and constants of the system's headers. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "functions.h"
#include "names.h"
#include "vector.h"

struct named {
	const char *name;
	long value;
};

#define NAMED(symbol)                                                                                                  \
	{                                                                                                              \
#symbol, symbol                                                                                        \
	}

static const struct named errors[] = {
	NAMED(EACCES), NAMED(EAGAIN),	  NAMED(EBADF),	 NAMED(EEXIST), NAMED(EFAULT), NAMED(EINVAL), NAMED(EISDIR),
	NAMED(ENOENT), NAMED(ENOTDIR),	  NAMED(ENOSYS), NAMED(EPERM),	NAMED(ESPIPE), NAMED(ESRCH),  NAMED(E2BIG),
	NAMED(ENOMEM), NAMED(EOPNOTSUPP), NAMED(ENXIO),	 NAMED(EINTR),	NAMED(EMFILE),
};

static const struct named constants[] = {
	NAMED(AT_FDCWD),
	NAMED(AT_EMPTY_PATH),
	NAMED(O_RDONLY),
	NAMED(O_WRONLY),
	NAMED(O_RDWR),
	NAMED(O_CREAT),
	NAMED(O_EXCL),
	NAMED(O_TRUNC),
	NAMED(O_CLOEXEC),
	NAMED(O_NONBLOCK),
	NAMED(O_DIRECTORY),
	NAMED(SEEK_SET),
	NAMED(SEEK_CUR),
	NAMED(SEEK_END),
	NAMED(PROT_NONE),
	NAMED(PROT_READ),
	NAMED(PROT_WRITE),
	NAMED(MAP_PRIVATE),
	NAMED(MAP_SHARED),
	NAMED(MAP_ANONYMOUS),
	NAMED(STATX_BASIC_STATS),
	NAMED(STATX_SIZE),
	NAMED(F_GETFD),
	NAMED(F_SETFD),
	NAMED(FD_CLOEXEC),
	NAMED(O_NONBLOCK),
	NAMED(F_GETFL),
	{ "WORD_MIN", (-0x7fffffffffffffffL - 1) },
	{ "WORD_MAX", 0x7fffffffffffffffL },
};

static bool find(const struct named *table, size_t count, const char *name, long *value)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(table[i].name, name) == 0) {
			*value = table[i].value;
			return true;
		}
	}
	return false;
}

#define FIND(table, name, value) find(table, sizeof(table) / sizeof((table)[0]), name, value)

/* a call that this architecture does not have is -1 */
static const struct named calls[] = { NAMES_CALLS };
static const struct named reasons[] = { NAMES_REASONS };

bool vector_call_number(const char *name, long *value)
{
	if (strcmp(name, "wdcpy") == 0) {
		*value = BATCH_WORD_COPY;
		return true;
	}
	return FIND(calls, name, value) && *value >= 0;
}

bool vector_function_number(const char *name, long *value)
{
	if (strcmp(name, "wdcpy") == 0) {
		*value = BATCH_WORD_COPY;
		return true;
	}
	for (size_t i = 0; i < functions_count; i++) {
		if (strcmp(functions[i].name, name) == 0) {
			*value = (long)i;
			return true;
		}
	}
	return false;
}

bool vector_reason(const char *name, long *value)
{
	return FIND(reasons, name, value);
}

bool vector_constant(const char *name, long *value)
{
	return FIND(errors, name, value) || FIND(constants, name, value);
}

const char *vector_errno_name(long code)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].value == code)
			return errors[i].name;
	return NULL;
}
