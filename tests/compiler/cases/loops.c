/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops whose end is known become straight lines; others stay. */
#include <fcntl.h>
#include <unistd.h>

extern int counts[8];
void other(int);
void close_row(void);
int find_known(void);
void pairs(int fd);
void too_many(void);
void unknown(int n);
void has_a_store(void);
void has_another_call(void);

void close_row(void)
{
	for (int fd = 3; fd < 9; fd++)
		close(fd); /* batched 6 calls in 6 slots: close, close, close, close, close, close */
}

int find_known(void)
{
	static const char *const paths[] = { "/bin/csh", "/bin/zsh", "/bin/sh" };

	for (int k = 0; k < 3; k++)
		if (access(paths[k], X_OK) == 0) /* batched 3 calls in 3 slots: access, access, access */
			return k;
	return -1;
}

void pairs(int fd)
{
	for (int k = 0; k < 3; k++) {
		fsync(fd); /* batched 6 calls in 6 slots: fsync, close, fsync, close, fsync, close */
		close(k + 5);
	}
}

void too_many(void)
{
	for (int fd = 3; fd < 100; fd++)
		close(fd);
}

void unknown(int n)
{
	for (int fd = 3; fd < n; fd++)
		close(fd);
}

void has_a_store(void)
{
	for (int k = 0; k < 8; k++)
		counts[k] = dup(k); /* no batch goes on here: a store, which a later call might see or undo */
}

void has_another_call(void)
{
	for (int fd = 3; fd < 8; fd++) {
		close(fd);
		other(fd); /* no batch goes on here: another call, which may do anything */
	}
}
