/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the KMP ABI keeps for each OS thread: its global number, and the clauses that the compiler pushes before the
 * construct they belong to.
 */
#ifndef OMP_KMP_THREAD_H
#define OMP_KMP_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct kmp__doacross;

/* A threadprivate variable's copy: threadprivate.c makes it, and it ends with its thread. */
struct kmp__copies {
	struct kmp__copies *next;
	const void *address; /* of the variable */
	void (*destruct)(void *copy);
	char data[] __attribute__((aligned(64)));
};

struct kmp__thread {
	/* The global number + 1; 0: it has none yet. */
	int32_t number;
	/* Of the next parallel region; 0: no clause. */
	unsigned threads;
	unsigned bind;
	/* Of the next teams construct. */
	unsigned teams;
	unsigned thread_limit;
	/* Whether it holds the lock of the reduction that it is in. */
	bool reduces_locked;
	/* The doacross loops that it is in, the innermost first. */
	struct kmp__doacross *doacross;
	/* Its threadprivate variables. */
	struct kmp__copies *copies;
};

extern __thread struct kmp__thread kmp__tls __attribute__((tls_model("initial-exec")));

/* Give the calling thread a number. */
int32_t kmp__number_thread(void);

/* The global number of the calling thread: no other living thread has it, and it is as small as can be. */
static inline int32_t kmp__number(void)
{
	int32_t number = kmp__tls.number;

	return __builtin_expect(number != 0, 1) ? number - 1 : kmp__number_thread();
}

#endif
