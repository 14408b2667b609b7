/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before the first line of one of the kernel's selftests: none of its tests fails by being slow. The kernel's
 * own limit of 30 s is for real processors. One test of seccomp has 100,000 calls answered by another process, which
 * takes about that long in QEMU.
 */
#include <kselftest_harness.h>

#undef TEST_TIMEOUT_DEFAULT
/* seconds; what runs the whole program has a limit of its own (vm.limit) */
#define TEST_TIMEOUT_DEFAULT 3600
