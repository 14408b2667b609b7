/* SPDX-License-Identifier: BSD-3-Clause */
/* examples/c/total as plain C: its batch, and a field of struct stat that feeds an argument. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void *map_file(const char *path);

void *map_file(const char *path)
{
	struct stat status;
	void *map = MAP_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC); /* batched 4 calls in 8 slots: openat, fstat, mmap, close */

	if (fd < 0)
		return map;
	if (fstat(fd, &status) == 0)
		map = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	return map;
}
