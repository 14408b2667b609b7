// SPDX-License-Identifier: GPL-2.0-only
/*
 * What does the module's call of the dispatcher look like in the kernel that runs? Read from /proc/kcore: a direct call
 * of the first byte of x64_sys_call(), whatever kprobes say the address is. Hardware with Indirect Branch Tracking
 * checks nothing of a direct call; one through a pointer would need the ENDBR there, and this kernel may have written
 * over that at boot, which the test says and does not judge.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CODE_BYTES 2048 /* of batch_core_run(), which is shorter */
#define SEGMENTS_MAX 64
#define CALL 0xe8 /* and four bytes of distance from its end */

static const unsigned char endbr64[4] = { 0xf3, 0x0f, 0x1e, 0xfa };

/* The address of a symbol of kallsyms that is a function of the kernel ("") or of a module ("[batch]"), or 0. */
static uint64_t address_of(const char *wanted, const char *module)
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
static int read_kernel(uint64_t address, void *to, size_t bytes)
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

/* How many calls in a function lead to an address. */
static int calls_of(uint64_t function, uint64_t to)
{
	static unsigned char code[CODE_BYTES];
	int count = 0;

	if (!read_kernel(function, code, sizeof(code)))
		return -1;
	for (size_t i = 0; i + 5 <= sizeof(code); i++) {
		int32_t distance;

		memcpy(&distance, code + i + 1, sizeof(distance));
		count += code[i] == CALL && function + i + 5 + (uint64_t)(int64_t)distance == to;
	}
	return count;
}

static int has_endbr(uint64_t function)
{
	unsigned char first[sizeof(endbr64)] = { 0 };

	return read_kernel(function, first, sizeof(first)) &&
	       !memcmp(first, endbr64, sizeof(first));
}

int main(void)
{
	uint64_t dispatcher = address_of("x64_sys_call", ""),
		 core = address_of("batch_core_run", "[batch]"),
		 entry = address_of("batch_ioctl", "[batch]");
	int calls, good;

	if (!core) {
		printf("1..0 # SKIP there is no module\n");
		return 0;
	}
	if (!dispatcher) {
		printf("1..0 # SKIP this kernel has no x64_sys_call: its table is what is called "
		       "through\n");
		return 0;
	}
	calls = calls_of(core, dispatcher);
	if (calls < 0) {
		printf("1..0 # SKIP there is no /proc/kcore\n");
		return 0;
	}
	printf("1..2\n# x64_sys_call() has %s ENDBR\n", has_endbr(dispatcher) ? "its" : "no");
	printf("%sok 1 - batch_core_run() calls x64_sys_call() directly, at its first byte\n",
	       calls ? "" : "not ");
	/* both are called by their address, in a table of the kernel's and in one of the module's */
	good = has_endbr(entry) == has_endbr(address_of("__x64_sys_getppid", ""));
	printf("%sok 2 - batch_ioctl() begins as functions do that are called by address\n",
	       good ? "" : "not ");
	return !calls || !good;
}
