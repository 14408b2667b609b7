/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_RELAX_H
#define BENCH_RELAX_H

/* Between two looks at what another thread is about to write: a hint to the processor that the caller spins. */
static inline void bench_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

#endif
