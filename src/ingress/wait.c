/* SPDX-License-Identifier: BSD-3-Clause */
/* The slow half of waiting. See wait.h. */
#include "wait.h"
#include "fork.h"
#include "limits.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

#define SECOND_NS 1000000000ull

enum {
	/* Two looks at the clock while spinning are 0.2 us apart; a thread that lost its processor sees more. */
	LOST_NS = 30000,
	/* How long nobody spins then. */
	CROWDED_NS = 1000000,
};

/* relaxed, all three: what they say is a hint, and nothing is published through them */
static _Atomic uint32_t spinning;
static _Atomic uint64_t crowded_until_ns;
static _Atomic uint32_t processors;

uint64_t ingress__now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

uint64_t ingress__deadline_ns(int64_t timeout_ns)
{
	uint64_t now;

	if (timeout_ns == INT64_MAX)
		return UINT64_MAX;
	now = ingress__now_ns();
	return timeout_ns <= 0 ? now : now + (uint64_t)timeout_ns;
}

bool ingress__park(_Atomic uint32_t *word, uint32_t value, uint64_t deadline_ns)
{
	struct timespec until = { (time_t)(deadline_ns / SECOND_NS), (long)(deadline_ns % SECOND_NS) };
	int saved = errno;
	bool timed_out;

	/* the bitset form takes the deadline as a time of CLOCK_MONOTONIC */
	timed_out = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value,
			    deadline_ns == UINT64_MAX ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY) < 0 &&
		    errno == ETIMEDOUT;
	errno = saved;
	return !timed_out;
}

void ingress__unpark(_Atomic uint32_t *word)
{
	int saved = errno;

	syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT32_MAX, NULL, NULL, 0);
	errno = saved;
}

/*
 * The kernel changes the word and wakes under one lock of its own, and no signal is delivered in between. (On a kernel
 * that preempts itself, a waker of a low priority may still lose its processor between the two halves of any futex
 * wake-up; no program can tell.)
 */
void ingress__unpark_clear(_Atomic uint32_t *word, uint32_t bit)
{
	int saved = errno;

	/* The rest of the operation would wake again if the word had been less than 0, which it never is. */
	if (syscall(SYS_futex, word, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, INT32_MAX, NULL, word,
		    FUTEX_OP(FUTEX_OP_ANDN, bit, FUTEX_OP_CMP_LT, 0)) < 0) {
		/* A system call filter that does not know it: better in two steps than not at all. */
		atomic_fetch_and_explicit(word, ~bit, memory_order_seq_cst);
		ingress__unpark(word);
	}
	errno = saved;
}

void ingress__eventcount_advance(_Atomic uint32_t *count)
{
	atomic_fetch_add_explicit(count, 1, memory_order_release);
	ingress__unpark(count);
}

ingress__cpu ingress__own_cpu(void)
{
#ifdef RSEQ_SIG
	if (__rseq_size > 0)
		return &((const volatile struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset))->cpu_id;
#endif
	return NULL;
}

uint32_t ingress__processors(void)
{
	uint32_t known = atomic_load_explicit(&processors, memory_order_relaxed);
	cpu_set_t set;

	if (known)
		return known;
	CPU_ZERO(&set);
	known = sched_getaffinity(0, sizeof(set), &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 0;
	if (known == 0)
		known = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	atomic_store_explicit(&processors, known, memory_order_relaxed);
	return known;
}

static bool other_is_here(const _Atomic uint32_t *other)
{
	ingress__cpu own = other ? ingress__own_cpu() : NULL;

	return own && atomic_load_explicit(other, memory_order_relaxed) == *own;
}

void ingress__move_away(void)
{
	cpu_set_t all, others;
	int cpu = sched_getcpu();

	if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof(all), &all))
		return;
	others = all;
	CPU_CLR(cpu, &others);
	if (CPU_COUNT(&others) && sched_setaffinity(0, sizeof(others), &others) == 0)
		sched_setaffinity(0, sizeof(all), &all);
}

void ingress__spinning_forget(void)
{
	/* those that spun did not come along */
	atomic_store_explicit(&spinning, 0, memory_order_relaxed);
}

static void stop_counting(struct ingress__spin *spin)
{
	if (spin->counted)
		atomic_fetch_sub_explicit(&spinning, 1, memory_order_relaxed);
	spin->counted = false;
}

/* From looking eagerly to spinning for the budget: whether it may. */
static bool begin_slowly(struct ingress__spin *spin)
{
	spin->start_ns = spin->last_ns = ingress__now_ns();
	if (*spin->budget_ns < INGRESS__SPIN_LEAST_NS ||
	    spin->start_ns < atomic_load_explicit(&crowded_until_ns, memory_order_relaxed))
		return false;
	spin->counted = true;
	if (atomic_fetch_add_explicit(&spinning, 1, memory_order_relaxed) + 1 < ingress__processors())
		return true;
	return spin->other && ingress__processors() > 1;
}

bool ingress__spin_slowly(struct ingress__spin *spin)
{
	uint64_t now;

	if (spin->most_ns <= 0)
		return false;
	spin->was_here = other_is_here(spin->other);
	if (spin->was_here || (!spin->start_ns && spin->looks >= INGRESS__SPIN_EAGER && !begin_slowly(spin)))
		goto sleep;
	if (!spin->start_ns || spin->looks % 16)
		return true;
	now = ingress__now_ns();
	if (now - spin->last_ns > LOST_NS) {
		atomic_store_explicit(&crowded_until_ns, now + CROWDED_NS, memory_order_relaxed);
		goto sleep;
	}
	if (now - spin->start_ns < *spin->budget_ns) {
		/*
		 * The thread that is waited for may have been woken on this very processor, and then it runs now. With
		 * nobody there this takes 0.3 us.
		 */
		if (spin->other) {
			sched_yield();
			now = ingress__now_ns();
		}
		spin->last_ns = now;
		return true;
	}
sleep:
	stop_counting(spin);
	if (!spin->start_ns)
		spin->start_ns = ingress__now_ns();
	return false;
}

void ingress__spin_end(struct ingress__spin *spin)
{
	stop_counting(spin);
}

void ingress__spin_slept(struct ingress__spin *spin)
{
	uint64_t took;

	if (spin->most_ns <= 0)
		return;
	took = ingress__now_ns() - spin->start_ns;
	if (took <= (uint64_t)spin->most_ns)
		*spin->budget_ns = (uint32_t)spin->most_ns;
	else
		*spin->budget_ns /= 2;
}
