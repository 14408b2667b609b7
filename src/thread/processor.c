/* SPDX-License-Identifier: BSD-3-Clause */
/* See processor.h. */
#include "processor.h"
#include "clock.h"
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

/*
 * weak: a library that was linked for an older glibc (the wheels are, for 2.28) also runs with one that has the area,
 * and then uses it.
 */
#ifdef RSEQ_SIG
#pragma weak __rseq_size
#pragma weak __rseq_offset
#endif

/* The kernel writes the number whenever a thread that it has moved comes back to user space. */
const volatile uint32_t *thread__cpu_word(void)
{
#ifdef RSEQ_SIG
	if (&__rseq_size && __rseq_size > 0) {
		struct rseq *area = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);

		return &area->cpu_id;
	}
#endif
	return NULL;
}

uint32_t thread__cpu(void)
{
	const volatile uint32_t *word = thread__cpu_word();

	return word ? *word : UINT32_MAX;
}

bool thread__cpus_of(int tid, struct thread__cpus *cpus)
{
	return sched_getaffinity(tid, sizeof(*cpus), (cpu_set_t *)cpus) == 0;
}

bool thread__cpus_set(int tid, const struct thread__cpus *cpus)
{
	return sched_setaffinity(tid, sizeof(*cpus), (const cpu_set_t *)cpus) == 0;
}

enum { WORD_BITS = 8 * sizeof(unsigned long) };

static bool has(const struct thread__cpus *cpus, uint32_t cpu)
{
	return cpu < THREAD__CPUS_MAX && cpus->words[cpu / WORD_BITS] >> (cpu % WORD_BITS) & 1;
}

bool thread__cpus_remove(struct thread__cpus *cpus, uint32_t cpu)
{
	unsigned count = 0;

	for (unsigned k = 0; k < THREAD__CPUS_MAX / WORD_BITS; k++)
		count += (unsigned)__builtin_popcountl(cpus->words[k]);
	if (count == 1 || !has(cpus, cpu))
		return false;
	cpus->words[cpu / WORD_BITS] &= ~(1UL << (cpu % WORD_BITS));
	return true;
}

void thread__cpus_add(struct thread__cpus *cpus, uint32_t cpu)
{
	if (cpu < THREAD__CPUS_MAX)
		cpus->words[cpu / WORD_BITS] |= 1UL << (cpu % WORD_BITS);
}

void thread__move_away(void)
{
	struct thread__cpus all, others;
	int saved = errno, cpu = sched_getcpu();

	if (cpu >= 0 && thread__cpus_of(0, &all)) {
		others = all;
		if (thread__cpus_remove(&others, (uint32_t)cpu) && thread__cpus_set(0, &others))
			thread__cpus_set(0, &all);
	}
	errno = saved;
}

void thread__move_to(unsigned cpu)
{
	struct thread__cpus all, one = { { 0 } };
	int saved = errno;

	if (thread__cpus_of(0, &all) && has(&all, cpu)) {
		thread__cpus_add(&one, cpu);
		if (thread__cpus_set(0, &one))
			thread__cpus_set(0, &all);
	}
	errno = saved;
}

/* Other threads may read the number during the store. An old number is only a bad hint, as after any migration. */
void thread__runner_ask_cpu(struct thread__runner *self)
{
	int cpu = sched_getcpu();

	if (cpu >= 0)
		__atomic_store_n(&self->cpu_seen, (uint32_t)cpu, __ATOMIC_RELAXED);
}

/* release: a thread that reads the pointer sees the word that it points to filled in */
void thread__runner_start(struct thread__runner *self)
{
	const volatile uint32_t *word = thread__cpu_word();
	clockid_t clock;

	atomic_store_explicit(&self->tid, (int)syscall(SYS_gettid), memory_order_relaxed);
	if (pthread_getcpuclockid(pthread_self(), &clock) == 0)
		atomic_store_explicit(&self->clock, clock, memory_order_relaxed);
	if (!word) {
		thread__runner_ask_cpu(self);
		word = &self->cpu_seen;
	}
	atomic_store_explicit(&self->cpu, word, memory_order_release);
}

bool thread__runner_has_companion(struct thread__runner *self)
{
	const volatile uint32_t *here = atomic_load_explicit(&self->cpu, memory_order_relaxed);

	return here && thread__share_visit(&self->share, __atomic_load_n(here, __ATOMIC_RELAXED));
}

uint32_t thread__runner_cpu(const struct thread__runner *runner)
{
	/* acquire: as in thread__runner_is_beside */
	const volatile uint32_t *cpu = atomic_load_explicit(&runner->cpu, memory_order_acquire);

	return cpu ? __atomic_load_n(cpu, __ATOMIC_RELAXED) : UINT32_MAX;
}

bool thread__runner_is_beside(const struct thread__runner *self, const struct thread__runner *other)
{
	/* acquire: the other thread made the area behind it; since then only the kernel writes there */
	const volatile uint32_t *there = atomic_load_explicit(&other->cpu, memory_order_acquire);
	const volatile uint32_t *here = atomic_load_explicit(&self->cpu, memory_order_relaxed);

	return there && here && __atomic_load_n(there, __ATOMIC_RELAXED) == __atomic_load_n(here, __ATOMIC_RELAXED) &&
	       !atomic_load_explicit(&other->moves, memory_order_relaxed);
}

/*
 * The kernel writes a thread's new processor only when the thread runs there. Until then a thread on the old processor
 * believes that the mover is still there, and would itself move away after it:
 *
 *	primary				processor 0	processor 1	worker
 *	moves = true; moves away	worker			-
 *					worker		primary		sees that it moves, stays
 *
 * Without `moves`, two threads that shared one processor moved to the same other processor, again and again. relaxed:
 * the reader runs on the processor that the mover has left, and the switch between the two orders their accesses.
 *
 * A thread that its waker is just about to wake apart stays, because both would change its mask.
 */
void thread__runner_move_away(struct thread__runner *self)
{
	if (atomic_load_explicit(&self->apart, memory_order_relaxed))
		return;
	atomic_store_explicit(&self->moves, true, memory_order_relaxed);
	thread__move_away();
	thread__runner_refresh(self);
	atomic_store_explicit(&self->moves, false, memory_order_relaxed);
}

void thread__runner_follow(struct thread__runner *self, const struct thread__runner *other)
{
	/* acquire: as in thread__runner_is_beside */
	const volatile uint32_t *there = atomic_load_explicit(&other->cpu, memory_order_acquire);

	if (!there || atomic_load_explicit(&self->apart, memory_order_relaxed))
		return;
	atomic_store_explicit(&self->moves, true, memory_order_relaxed);
	thread__move_to(__atomic_load_n(there, __ATOMIC_RELAXED));
	thread__runner_refresh(self);
	atomic_store_explicit(&self->moves, false, memory_order_relaxed);
}

uint64_t thread__runner_cpu_ns(const struct thread__runner *runner)
{
	int clock = atomic_load_explicit(&runner->clock, memory_order_relaxed);

	return clock ? thread__clock_ns(clock) : 0;
}

char thread__runner_state(const struct thread__runner *runner)
{
	int tid = atomic_load_explicit(&runner->tid, memory_order_relaxed), saved = errno;
	/* "4711 (name) R 1 ...": the name, of 15 bytes at most, may have parentheses too */
	char path[48], text[128];
	const char *name_end;
	bool is_known;

	if (tid == 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	is_known = thread__file_read(AT_FDCWD, path, text, sizeof(text));
	errno = saved;
	if (!is_known)
		return 0;
	name_end = strrchr(text, ')');
	return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}
