/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor a thread runs on; and a runner, which is what other threads can see of a thread that they wait for:
 * where it runs, and whether it runs at all.
 */
#ifndef THREAD_PROCESSOR_H
#define THREAD_PROCESSOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct thread__runner {
	/*
	 * Points to the number of the processor it last ran on; or NULL. Set once. It is the kernel's word where there
	 * is one, or else cpu_seen.
	 */
	_Atomic(const volatile uint32_t *) cpu;
	/* The processor that it ran on when it asked last. */
	uint32_t cpu_seen;
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
 * Where other threads can read the number of the processor that the caller last ran on. It stays valid for as long as
 * the thread lives. NULL where the C library has no restartable sequences (glibc before 2.35, or switched off).
 */
const volatile uint32_t *thread__cpu_word(void);
/* Migrate the caller to another processor, if it may use one. The set of processors it may use stays the same. */
void thread__move_away(void);
/* Migrate the caller to this processor, if it may use it. */
void thread__move_to(unsigned cpu);

/* By the thread itself: fill in its runner. */
void thread__runner_start(struct thread__runner *self);
/* By the thread itself: ask the kernel for its processor. */
void thread__runner_ask_cpu(struct thread__runner *self);
/* Whether the two threads last ran on the same processor; false where that is not known, and while `other` migrates. */
bool thread__runner_is_beside(const struct thread__runner *self, const struct thread__runner *other);
/*
 * By the thread itself, now and then: bring its processor up to date where the kernel does not. Takes 20 ns there, and
 * next to nothing where the kernel does.
 */
static inline void thread__runner_refresh(struct thread__runner *self)
{
	if (__builtin_expect(atomic_load_explicit(&self->cpu, memory_order_relaxed) == &self->cpu_seen, 0))
		thread__runner_ask_cpu(self);
}
/* By the thread itself: migrate to another processor; until it runs there, no thread takes it for its neighbour. */
void thread__runner_move_away(struct thread__runner *self);
/* By the thread itself: migrate to the processor that `other` last ran on, if that is known. */
void thread__runner_follow(struct thread__runner *self, const struct thread__runner *other);
/* The processor time that the runner's thread has had; 0 where that is not known. Takes 0.2 to 0.5 us. */
uint64_t thread__runner_cpu_ns(const struct thread__runner *runner);

#endif
