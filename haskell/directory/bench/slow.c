/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A slow disk: functions of libc that take a path, defined where the linker finds them first. Each call on a path with
 * "slow" in it takes as long as slow_set() says, or FERRY_SLOW_MS where a program has this as a library of its own.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static atomic_long delay_ns;

void slow_set(long ns);
void slow_set(long ns)
{
	atomic_store(&delay_ns, ns);
}

static __attribute__((constructor)) void slow_begin(void)
{
	const char *ms = getenv("FERRY_SLOW_MS");

	if (ms)
		slow_set(strtol(ms, NULL, 10) * 1000000);
}

static void slow_wait(const char *path)
{
	long ns = atomic_load(&delay_ns);
	struct timespec delay = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	if (ns > 0 && strstr(path, "slow"))
		clock_nanosleep(CLOCK_MONOTONIC, 0, &delay, NULL);
}

/* A call that takes as long, on no disk. */
void slow_sleep(void);
void slow_sleep(void)
{
	slow_wait("slow");
}

#define SLOW(name, parameters, arguments)                                                                              \
	int name parameters                                                                                            \
	{                                                                                                              \
		slow_wait(path);                                                                                       \
		return ((int(*) parameters)dlsym(RTLD_NEXT, #name))arguments;                                          \
	}

SLOW(stat, (const char *path, struct stat *to), (path, to))
SLOW(lstat, (const char *path, struct stat *to), (path, to))
SLOW(rename, (const char *path, const char *new), (path, new))
SLOW(mkdir, (const char *path, mode_t mode), (path, mode))
SLOW(rmdir, (const char *path), (path))

int open(const char *path, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = va_arg(more, mode_t);
	va_end(more);
	slow_wait(path);
	return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}

void *opendir(const char *path);
void *opendir(const char *path)
{
	slow_wait(path);
	return ((void *(*)(const char *))dlsym(RTLD_NEXT, "opendir"))(path);
}
