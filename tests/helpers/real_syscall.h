/* SPDX-License-Identifier: BSD-3-Clause */
/* For a test with a syscall() of its own, at which the calls of what it tests arrive: what it passes on. */
#ifndef TESTS_REAL_SYSCALL_H
#define TESTS_REAL_SYSCALL_H

#include <dlfcn.h>
#include <stdarg.h>

enum { SYSCALL_WORDS = 6 };

/* Take the arguments behind a call's number. */
static inline void syscall_words(long words[SYSCALL_WORDS], va_list list)
{
	for (int i = 0; i < SYSCALL_WORDS; i++)
		words[i] = va_arg(list, long);
}

/* Call the C library's syscall(). */
static inline long real_syscall(long number, const long words[SYSCALL_WORDS])
{
	/* atomic: threads that look for it at the same time store the same address */
	static long (*_Atomic real)(long, ...);

	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

#endif
