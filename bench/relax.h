/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_RELAX_H
#define BENCH_RELAX_H

#include <time.h>

/* Between two looks at what another thread is about to write: a hint to the processor that the caller spins. */
static inline void bench_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

/*
 * The same for a longer wait whose end wakes nobody. A yield beside a busy neighbour would give a whole time slice
 * away, and that would be what is measured. `looks` counts from 0.
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
