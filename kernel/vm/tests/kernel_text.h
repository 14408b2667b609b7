/* SPDX-License-Identifier: GPL-2.0-only */
/* The code of the kernel that runs, as root reads it: where symbols are, and the bytes there. */
#ifndef KERNEL_TEXT_H
#define KERNEL_TEXT_H

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SEGMENTS_MAX 64
#define CALL 0xe8 /* and four bytes of distance from its end */
#define CALL_BYTES 5

/* The address of a symbol of kallsyms that is a function of the kernel ("") or of a module ("[batch]"), or 0. */
static inline uint64_t address_of(const char *wanted, const char *module)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512];
	uint64_t found = 0;

	while (file && !found && fgets(line, sizeof(line), file)) {
		char name[256] = "", of[128] = "";
		unsigned long address;

		if (sscanf(line, "%lx %*c %255s %127s", &address, name, of) >= 2 &&
		    !strcmp(name, wanted) && !strcmp(of, module))
			found = address;
	}
	if (file)
		fclose(file);
	return found;
}

/* Read the kernel's memory. Returns whether that could be done. */
static inline int read_kernel(uint64_t address, void *to, size_t bytes)
{
	int fd = open("/proc/kcore", O_RDONLY), good = 0;
	Elf64_Phdr segments[SEGMENTS_MAX];
	Elf64_Ehdr head;

	if (fd < 0 || read(fd, &head, sizeof(head)) != sizeof(head) ||
	    head.e_phnum > SEGMENTS_MAX ||
	    pread(fd, segments, head.e_phnum * sizeof(segments[0]), (off_t)head.e_phoff) < 0)
		head.e_phnum = 0;
	for (int i = 0; i < head.e_phnum && !good; i++) {
		const Elf64_Phdr *segment = &segments[i];

		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address + bytes <= segment->p_vaddr + segment->p_memsz)
			good = pread(fd, to, bytes,
				     (off_t)(segment->p_offset + address - segment->p_vaddr)) ==
			       (ssize_t)bytes;
	}
	close(fd);
	return good;
}

/* Where the first call of `to` is in the `bytes` of code that begin at `address`, or 0. */
static inline uint64_t call_of(uint64_t to, uint64_t address, const unsigned char *code,
			       size_t bytes)
{
	for (size_t i = 0; i + CALL_BYTES <= bytes; i++) {
		int32_t distance;

		memcpy(&distance, code + i + 1, sizeof(distance));
		if (code[i] == CALL && address + i + CALL_BYTES + (uint64_t)(int64_t)distance == to)
			return address + i;
	}
	return 0;
}

#endif /* KERNEL_TEXT_H */
