/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On which processor a thread runs; and a runner, which is what other threads see of the thread that they wait for:
 * where it runs, and whether it runs at all.
 */
#ifndef THREAD_PROCESSOR_H
#define THREAD_PROCESSOR_H

#include "share.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct thread__runner {
	/*
	 * Points to the number of the processor that the thread last ran on, or NULL. Set once, to the word that the
	 * kernel writes where there is one, and otherwise to cpu_seen.
	 */
	_Atomic(const volatile uint32_t *) cpu;
	/* The processor that the thread ran on when it last asked the kernel. */
	uint32_t cpu_seen;
	/* The clock of the thread's processor time (a clockid_t), or 0. Set once. */
	_Atomic int clock;
	/* Whether the thread is on its way to another processor. */
	_Atomic bool moves;
	/* The thread's number (gettid(2)), or 0. Set with the clock. */
	_Atomic int tid;
	/* Whether the thread sleeps of its own will, where its waits say so (openmp/waiting). */
	_Atomic bool sleeps;
	/* When it was last woken (thread__now_ns()), and when and on which processor it ran first after that. */
	_Atomic uint64_t woken_ns, began_ns;
	_Atomic uint32_t woken_cpu;
	/* How far the thread is that wakes this one apart (apart.h), and the processor that its mask is without. */
	_Atomic uint32_t apart;
	uint32_t apart_cpu;
	/* When the thread last moved to leave a processor to another thread; read and written by itself only. */
	uint64_t moved_ns;
	/* What it knows of who else runs on its processor. */
	struct thread__share share;
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

/* A thread's affinity mask. */
enum { THREAD__CPUS_MAX = 4096 };
struct thread__cpus {
	unsigned long words[THREAD__CPUS_MAX / 8 / sizeof(unsigned long)];
};

/* Read and set the mask of a thread of this process (0: the caller). False: the system refuses. */
bool thread__cpus_of(int tid, struct thread__cpus *cpus);
bool thread__cpus_set(int tid, const struct thread__cpus *cpus);
/* Take this processor out. False: it is not in the mask, or the only one there; then the mask stays as it is. */
bool thread__cpus_remove(struct thread__cpus *cpus, uint32_t cpu);
/* Put this processor in. */
void thread__cpus_add(struct thread__cpus *cpus, uint32_t cpu);

/*
 * Where other threads can read the number of the processor that the caller last ran on. It stays valid for as long as
 * the thread lives. NULL where the C library has no restartable sequences (glibc before 2.35, or switched off).
 */
const volatile uint32_t *thread__cpu_word(void);
/* The number of the processor that the caller runs on; UINT32_MAX where there is no such word. */
uint32_t thread__cpu(void);
/*
 * Migrate the caller to another processor, if it may use one. The set of processors it may use stays the same, and so
 * does errno, also where the system refuses.
 */
void thread__move_away(void);
/* Migrate the caller to this processor, if it may use it. errno stays as it was. */
void thread__move_to(unsigned cpu);

/* The caller fills in its own runner. */
void thread__runner_start(struct thread__runner *self);
/*
 * Whether a companion, another thread of this process, has run on the caller's processor since the caller last asked
 * this; false where the number of the processor is not known.
 */
bool thread__runner_has_companion(struct thread__runner *self);
/* The caller asks the kernel for its processor. */
void thread__runner_ask_cpu(struct thread__runner *self);
/* Whether the two threads last ran on the same processor; false where that is not known, and while `other` migrates. */
bool thread__runner_is_beside(const struct thread__runner *self, const struct thread__runner *other);
/*
 * The caller brings the number of its processor up to date, now and then, where the kernel does not. Takes 20 ns there,
 * and next to nothing where the kernel does.
 */
static inline void thread__runner_refresh(struct thread__runner *self)
{
	if (__builtin_expect(atomic_load_explicit(&self->cpu, memory_order_relaxed) == &self->cpu_seen, 0))
		thread__runner_ask_cpu(self);
}
/* The caller migrates to another processor; until it runs there, thread__runner_is_beside() says false of it. */
void thread__runner_move_away(struct thread__runner *self);
/* The processor that the thread last ran on; UINT32_MAX where that is not known. */
uint32_t thread__runner_cpu(const struct thread__runner *runner);
/* The caller migrates to the processor that `other` last ran on, if that is known. */
void thread__runner_follow(struct thread__runner *self, const struct thread__runner *other);
/* How much processor time the runner's thread has used; 0 where that is not known. Takes 0.2 to 0.5 us. */
uint64_t thread__runner_cpu_ns(const struct thread__runner *runner);
/*
 * The state of the runner's thread as proc_pid_stat(5) has it: 'R' if it has a processor or waits for one, 'S' if it
 * sleeps in a system call, and so on; 0 where /proc does not say. Takes about 10 us.
 */
char thread__runner_state(const struct thread__runner *runner);

#endif
