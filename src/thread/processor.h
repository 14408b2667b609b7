/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor a thread runs on, and a thread as those see it that wait for it (a runner): where it runs, and whether
 * it runs at all.
 */
#ifndef THREAD_PROCESSOR_H
#define THREAD_PROCESSOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct thread__runner {
	/* Where the number of its processor can be read, or NULL. Set once. */
	_Atomic(const volatile uint32_t *) cpu;
	/* The clock of the processor time it has had (a clockid_t), or 0. Set once. */
	_Atomic int clock;
	/* Whether it is on its way to another processor. */
	_Atomic bool moves;
	/* When it was last woken, thread__now_ns(). */
	_Atomic uint64_t woken_ns;
	/* When it last left a processor for another thread's sake; its own. */
	uint64_t moved_ns;
};

/* A hint to the processor that the caller looks for a change again and again. */
static inline void thread__relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("isb" ::: "memory");
#endif
}

/*
 * Where the caller's processor can be read by others: the last one it ran on; NULL where the C library has no
 * restartable sequences (glibc before 2.35). It is there for as long as the thread.
 */
const volatile uint32_t *thread__cpu_word(void);
/* Go on on another processor, if the caller may use one. What it may use afterwards is what it might before. */
void thread__move_away(void);
/* Go on on this processor, if the caller may use it. */
void thread__move_to(unsigned cpu);

/* The caller fills in its own. */
void thread__runner_start(struct thread__runner *self);
/* Whether two were last on the same processor; false where nobody knows, and while `other` moves. */
bool thread__runner_is_beside(const struct thread__runner *self, const struct thread__runner *other);
/* By its owner: go on on another processor, and be beside nobody meanwhile. */
void thread__runner_move_away(struct thread__runner *self);
/* By its owner: go on on the processor that `other` was last on, if that is known. */
void thread__runner_follow(struct thread__runner *self, const struct thread__runner *other);
/* The processor time that the runner's thread has had; 0 where nobody knows. Takes 0.2 to 0.5 us. */
uint64_t thread__runner_cpu_ns(const struct thread__runner *runner);

#endif
