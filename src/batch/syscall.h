/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A system call with six arguments, straight from the instruction: no errno, no cancellation point. Linux calling
 * convention: syscall(2), "Architecture calling conventions". Arguments a call does not take are ignored by the kernel.
 */
#ifndef FERRY_BATCH_SYSCALL_H
#define FERRY_BATCH_SYSCALL_H

#if defined(__clang_analyzer__)
/* the analyzer does not see that the instruction writes memory; of a call it does not know, it assumes so */
long batch__syscall6(long nr, long a, long b, long c, long d, long e, long f);
#elif defined(__x86_64__)
static inline long batch__syscall6(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
static inline long batch__syscall6(long nr, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
}
#else
#error "Ferry knows the system call instruction of x86-64 and aarch64 only; add this machine's to src/batch/syscall.h"
#endif

#endif /* FERRY_BATCH_SYSCALL_H */
