/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_RELAX_H
#define BENCH_RELAX_H

#include <time.h>

/*
 * Called between two looks at a word that another thread is about to write: tells the processor that the caller spins.
 */
static inline void bench_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

/*
 * The same for a longer wait: after many looks the caller sleeps for a moment between two looks. It does not yield:
 * beside a busy neighbour a yield would give a whole time slice away, and the program would measure that. `looks`
 * counts from 0.
 */
static inline void bench_wait(unsigned *looks)
{
	enum { LOOKS = 4000, NAP_NS = 20000 };

	if (++*looks < LOOKS)
		bench_relax();
	else
		nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
}

#endif
