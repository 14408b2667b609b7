// SPDX-License-Identifier: GPL-2.0-only
/*
 * What does the module's call of the dispatcher look like in the kernel that runs? Read from /proc/kcore: a direct call
 * of the first byte of x64_sys_call(), whatever kprobes say the address is. Hardware with Indirect Branch Tracking
 * checks nothing of a direct call; one through a pointer would need the ENDBR there, and this kernel may have written
 * over that at boot, which the test says and does not judge.
 */
#include "kernel_text.h"

#define CODE_BYTES 2048 /* of batch_core_run(), which is shorter */

static const unsigned char endbr64[4] = { 0xf3, 0x0f, 0x1e, 0xfa };

/* Whether a function calls an address: 1 or 0, or -1 when its code cannot be read. */
static int calls_it(uint64_t function, uint64_t to)
{
	static unsigned char code[CODE_BYTES];

	if (!read_kernel(function, code, sizeof(code)))
		return -1;
	return call_of(to, function, code, sizeof(code)) != 0;
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
	calls = calls_it(core, dispatcher);
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
