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

/* A thread's copy of a threadprivate variable: threadprivate.c makes it, and it is freed when its thread ends. */
struct kmp__copies {
	struct kmp__copies *next;
	const void *address; /* of the variable */
	void (*destruct)(void *copy);
	char data[] __attribute__((aligned(64)));
};

/* What num_threads says of the regions inside one, the outermost first; the last number is of all below. */
struct kmp__list {
	const int32_t *threads;
	unsigned count; /* 0: no list, the control variables alone say it */
};

/* What num_threads says besides a number: strict, a list. On the heap, from the push to the region's end. */
struct kmp__clause {
	unsigned threads;
	int32_t severity; /* 0: not strict */
	const char *message;
	struct kmp__list inside; /* in `list` */
	int32_t list[];
};

struct kmp__thread {
	/* The global number + 1; 0: the thread has none yet. */
	int32_t number;
	/* From the clauses of the next parallel region; 0: no clause. */
	unsigned threads;
	unsigned bind;
	struct kmp__clause *clause; /* NULL: it has no more than `threads` */
	/* What the num_threads list of a region around this thread says of the regions that the thread opens. */
	struct kmp__list inside;
	/* From the clauses of the next teams construct. */
	unsigned teams;
	unsigned thread_limit;
	/* Whether the thread holds the lock of the reduction that it is in. */
	bool reduces_locked;
	/* Whether it is at a sections construct whose first section it has not asked for. */
	bool sections_begin;
	/* The doacross loops that the thread is in, the innermost first. */
	struct kmp__doacross *doacross;
	/* The thread's copies of threadprivate variables. */
	struct kmp__copies *copies;
};

extern __thread struct kmp__thread kmp__tls __attribute__((tls_model("initial-exec")));

/* Give the calling thread a number. */
int32_t kmp__number_thread(void);

/* The global number of the calling thread: the smallest number that no other living thread had when it was taken. */
static inline int32_t kmp__number(void)
{
	int32_t number = kmp__tls.number;

	return __builtin_expect(number != 0, 1) ? number - 1 : kmp__number_thread();
}

#endif
