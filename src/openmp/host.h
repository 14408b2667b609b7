/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host: where threads come from, where they sleep, and how many of them the program can have now.
 *
 * Nothing else in the runtime creates a thread, makes a system call to sleep or to wake, or asks about processors. A
 * host inside another runtime may answer differently at every region: its workers are lent, and a team is sized by what
 * is free.
 */
#ifndef OMP_HOST_H
#define OMP_HOST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a new worker is given; it stays where it is until the worker has begun to run. */
struct omp__worker_start {
	void (*run)(void *argument);
	void *argument;
	size_t stack_bytes;	/* 0: the host's own choice */
	const cpu_set_t *place; /* NULL: wherever the host puts it */
	size_t place_bytes;
};

/* Read what does not change: processors, page size, the program's own affinity. Called once, before anything else here.
 */
void omp__host_start(void);
/* How many processors this program may use. */
unsigned omp__host_processors(void);
/* How many threads, the caller included, a team that may be `wanted` strong should have when OMP_DYNAMIC lets us
 * choose. */
unsigned omp__host_free(unsigned wanted);
/* 0, or -errno when the system gives no more threads. */
int omp__host_worker(const struct omp__worker_start *start);
/* The stack that omp__host_worker would refuse or raise; 0 when `bytes` is usable. */
int omp__host_check_stack(size_t bytes);
/* Sleep while *word == value, limit_ns at most unless that is 0; may return early. */
void omp__host_park(_Atomic uint32_t *word, uint32_t value, uint64_t limit_ns);
/* Wake at most `count` of those who sleep on word. */
void omp__host_wake(_Atomic uint32_t *word, int count);
/* Let another thread have this processor. */
void omp__host_yield(void);
/* Go on on another processor, if the caller may use one. What it may use afterwards is what it might before. */
void omp__host_move_away(void);
/* Where the caller's processor can be read by others, or NULL. The value is the last one it ran on. */
const volatile uint32_t *omp__host_cpu_word(void);
uint64_t omp__host_now_ns(void);
/* Bind the caller to these processors; 0 or -errno. */
int omp__host_bind(const cpu_set_t *set, size_t bytes);
/* What the program was allowed when it started; the size is in bytes. */
const cpu_set_t *omp__host_affinity(size_t *bytes);
/* The same, for the caller, now; the number of processors, or -errno. */
int omp__host_affinity_now(cpu_set_t *set, size_t bytes);
/* Call `ended` with `value` when the calling thread ends. */
void omp__host_at_thread_exit(void (*ended)(void *), void *value);
/* Around each fork, by the thread that forks: call `before`, then `in_parent` in the parent and `in_child` in the
 * child.
 */
void omp__host_around_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

/* A clock to compare with itself that costs next to nothing: cycles of the processor's nominal frequency, or
 * nanoseconds. */
static inline uint64_t omp__host_ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#else
	return omp__host_now_ns();
#endif
}

/* A hint to the processor that the caller spins. */
static inline void omp__host_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("isb" ::: "memory");
#endif
}

#endif
