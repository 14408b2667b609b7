/* SPDX-License-Identifier: BSD-3-Clause */
/* What stays as it is, and why. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

extern volatile int flag;
extern int counter;
extern void other(void);
void stored(int fd, char *text);
void is_volatile(int fd);
void calls(int fd);
int reads(int fd, char *text);
int jumps(int fd, jmp_buf *where);
int unknown_flags(const char *path, int flags);
int compares(int fd, int wanted);
int narrow(int fd);
int offsets(int fd);
int declared_here(int fd);
extern int listen(int fd, int backlog);

void stored(int fd, char *text)
{
	fsync(fd);
	*text = 1; /* no batch goes on here: a store, which a later call might see or undo */
	fdatasync(fd);
}

void is_volatile(int fd)
{
	fsync(fd);
	(void)flag; /* no batch goes on here: a volatile access, or an operation that may fault */
	fdatasync(fd);
}

void calls(int fd)
{
	fsync(fd);
	other(); /* no batch goes on here: another call, which may do anything */
	fdatasync(fd);
}

int reads(int fd, char *text)
{
	int before;

	fsync(fd);
	before = counter;
	read(fd, text, 8); /* no batch goes on here: the call may change what was read since the first one */
	return before;
}

int jumps(int fd, jmp_buf *where) /* no batch in this function: it may be returned to from elsewhere (setjmp) */
{
	if (setjmp(*where))
		return 1;
	fsync(fd);
	return fdatasync(fd);
}

int unknown_flags(const char *path, int flags)
{
	fsync(3);
	return open(path, flags); /* no batch goes on here: the flags of open are not constant */
}

int compares(int fd, int wanted)
{
	int got = dup(fd);

	if (got == wanted) /* no batch goes on here: a branch on something else than the sign of the call before it */
		return close(fd);
	return 0;
}

int narrow(int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return -1;
	return fchmod(fd, status.st_mode); /* no batch goes on here: an argument is computed between the calls */
}

/* an offset in /proc/self/mem may be negative, and other than -1 */
int offsets(int fd)
{
	/* no batch goes on here: a branch on something else than the sign of the call before it */
	if (lseek(fd, -4096, SEEK_SET) == -1)
		return close(fd);
	return 0;
}

int declared_here(int fd)
{
	fsync(fd);
	return listen(fd, 5); /* no batch goes on here: no header of the system declares the function */
}
