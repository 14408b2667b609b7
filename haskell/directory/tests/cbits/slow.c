/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A slow disk. The functions of libc that take a path or a descriptor are defined here, where the linker finds them
 * first. While a test has armed it, one call on something whose path contains "slow", the one after `skip` others,
 * waits until another thread opens the gate. So a test waits for no time: a call that keeps its Capability would wait
 * for ever, but for the seconds after which it gives up.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { GIVE_UP_MS = 20000 };

/* calls to let pass before the one that waits; -1: none waits */
static atomic_int skip = -1;
static atomic_bool is_waiting, is_open, has_given_up;

void slow_arm(int calls);
void slow_arm(int calls)
{
	atomic_store(&is_waiting, false);
	atomic_store(&is_open, false);
	atomic_store(&has_given_up, false);
	atomic_store(&skip, calls);
}

int slow_is_waiting(void);
int slow_is_waiting(void)
{
	return atomic_load(&is_waiting);
}

void slow_open(void);
void slow_open(void)
{
	atomic_store(&is_open, true);
}

/* No call waits any more. Returns 0 if none has, 1 if the gate was opened for one, 2 if it was not. */
int slow_disarm(void);
int slow_disarm(void)
{
	atomic_store(&skip, -1);
	return !atomic_load(&is_waiting) ? 0 : atomic_load(&has_given_up) ? 2 : 1;
}

/* calls that are to wait at the same time, and those that do; the first call is slow by itself */
static atomic_int wanted, gathered;
static atomic_bool is_first;

/* From the second call on, calls wait until so many do. 0: none waits. */
void slow_gather(int calls);
void slow_gather(int calls)
{
	atomic_store(&has_given_up, false);
	atomic_store(&gathered, 0);
	atomic_store(&is_first, true);
	atomic_store(&wanted, calls);
}

/* How many calls have come to wait, or -1 if one has waited for the others for too long. */
int slow_gathered(void);
int slow_gathered(void)
{
	return atomic_load(&has_given_up) ? -1 : atomic_load(&gathered);
}

static void gather(void)
{
	/* longer than FERRY_FILES_SLOW_NS and a tick of the coarse clock */
	struct timespec slow = { .tv_nsec = 40000000 }, millisecond = { .tv_nsec = 1000000 };

	if (atomic_exchange(&is_first, false)) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &slow, NULL);
		return;
	}
	atomic_fetch_add(&gathered, 1);
	for (int waited = 0; atomic_load(&gathered) < atomic_load(&wanted); waited++) {
		if (waited == GIVE_UP_MS) {
			atomic_store(&has_given_up, true);
			return;
		}
		clock_nanosleep(CLOCK_MONOTONIC, 0, &millisecond, NULL);
	}
}

/* how long each call takes, as a disk does that no signal interrupts */
static atomic_long delay_ns;

void slow_delay(long ns);
void slow_delay(long ns)
{
	atomic_store(&delay_ns, ns);
}

static void delay(long ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		;
}

static void slow_wait(const char *path)
{
	struct timespec millisecond = { .tv_nsec = 1000000 };

	if (atomic_load(&delay_ns) > 0 && strstr(path, "slow"))
		delay(atomic_load(&delay_ns));
	if (atomic_load(&wanted) > 0 && strstr(path, "slow"))
		gather();
	if (atomic_load(&skip) < 0 || !strstr(path, "slow") || atomic_fetch_sub(&skip, 1) != 0)
		return;
	atomic_store(&is_waiting, true);
	for (int waited = 0; !atomic_load(&is_open); waited++) {
		if (waited == GIVE_UP_MS) {
			atomic_store(&has_given_up, true);
			return;
		}
		clock_nanosleep(CLOCK_MONOTONIC, 0, &millisecond, NULL);
	}
}

/* The next definition of this function. */
static void *next(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found) {
		fprintf(stderr, "slow.c: libc has no %s\n", name);
		abort();
	}
	return found;
}

#define SLOW(type, name, parameters, arguments, path)                                                                  \
	type name parameters                                                                                           \
	{                                                                                                              \
		slow_wait(path);                                                                                       \
		return ((type(*) parameters)next(#name))arguments;                                                     \
	}

SLOW(int, stat, (const char *path, struct stat *to), (path, to), path)
SLOW(int, lstat, (const char *path, struct stat *to), (path, to), path)
SLOW(int, access, (const char *path, int mode), (path, mode), path)
SLOW(int, chmod, (const char *path, mode_t mode), (path, mode), path)
SLOW(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group), path)
SLOW(int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group), path)
SLOW(int, link, (const char *old, const char *new), (old, new), old)
SLOW(int, unlink, (const char *path), (path), path)
SLOW(int, symlink, (const char *target, const char *path), (target, path), path)
SLOW(ssize_t, readlink, (const char *path, char *to, size_t bytes), (path, to, bytes), path)
SLOW(int, rename, (const char *old, const char *new), (old, new), old)
SLOW(int, mkdir, (const char *path, mode_t mode), (path, mode), path)
SLOW(int, rmdir, (const char *path), (path), path)
SLOW(int, mkfifo, (const char *path, mode_t mode), (path, mode), path)
SLOW(int, mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device), path)
SLOW(int, utimensat, (int folder, const char *path, const struct timespec times[2], int flags),
     (folder, path, times, flags), path)
SLOW(int, truncate, (const char *path, off_t bytes), (path, bytes), path)
SLOW(long, pathconf, (const char *path, int name), (path, name), path)
SLOW(char *, realpath, (const char *path, char *to), (path, to), path)
SLOW(int, chdir, (const char *path), (path), path)
SLOW(char *, getcwd, (char *to, size_t bytes), (to, bytes), "slow")

SLOW(int, statx, (int folder, const char *path, int flags, unsigned int mask, struct statx *to),
     (folder, path, flags, mask, to), path)

int open(const char *path, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = va_arg(more, mode_t);
	va_end(more);
	slow_wait(path);
	return ((int (*)(const char *, int, ...))next("open"))(path, flags, mode);
}

struct path {
	char bytes[4096];
};

/* The path of an open file. */
static struct path path_of(int fd)
{
	struct path at, found = { "" };

	if (atomic_load(&skip) < 0)
		return found;
	snprintf(at.bytes, sizeof(at.bytes), "/proc/self/fd/%d", fd);
	if (((ssize_t(*)(const char *, char *, size_t))next("readlink"))(at.bytes, found.bytes,
									 sizeof(found.bytes) - 1) < 0)
		found.bytes[0] = 0;
	return found;
}

SLOW(int, fstat, (int fd, struct stat *to), (fd, to), path_of(fd).bytes)
SLOW(int, fchmod, (int fd, mode_t mode), (fd, mode), path_of(fd).bytes)
SLOW(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group), path_of(fd).bytes)
SLOW(int, futimens, (int fd, const struct timespec times[2]), (fd, times), path_of(fd).bytes)
SLOW(int, ftruncate, (int fd, off_t bytes), (fd, bytes), path_of(fd).bytes)
SLOW(long, fpathconf, (int fd, int name), (fd, name), path_of(fd).bytes)
SLOW(int, fsync, (int fd), (fd), path_of(fd).bytes)
SLOW(ssize_t, read, (int fd, void *to, size_t bytes), (fd, to, bytes), path_of(fd).bytes)
SLOW(ssize_t, write, (int fd, const void *from, size_t bytes), (fd, from, bytes), path_of(fd).bytes)
SLOW(ssize_t, getdents64, (int fd, void *to, size_t bytes), (fd, to, bytes), path_of(fd).bytes)
SLOW(int, close, (int fd), (fd), path_of(fd).bytes)
SLOW(ssize_t, copy_file_range, (int from, off64_t *at, int to, off64_t *to_at, size_t bytes, unsigned int flags),
     (from, at, to, to_at, bytes, flags), path_of(from).bytes)

/* Become nobody, for whom permissions count. /proc/self stays readable. Returns 0 or -1. */
int slow_become_nobody(void);
int slow_become_nobody(void)
{
	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		return -1;
	return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}
