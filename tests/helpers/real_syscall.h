/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A syscall() of the test's own, at which the calls of what it tests arrive. The test defines stand_in(), which is
 * given each call, and passes on with real_syscall() what it does not answer itself.
 */
#ifndef TESTS_REAL_SYSCALL_H
#define TESTS_REAL_SYSCALL_H

#include <dlfcn.h>
#include <stdarg.h>
#include <unistd.h>

enum { SYSCALL_WORDS = 6 };

static long stand_in(long number, const long words[SYSCALL_WORDS]);

long syscall(long number, ...)
{
	long words[SYSCALL_WORDS];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < SYSCALL_WORDS; i++)
		words[i] = va_arg(list, long);
	va_end(list);
	return stand_in(number, words);
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
