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
	const void *address; /* the variable's address */
	void (*destruct)(void *copy);
	char data[] __attribute__((aligned(64)));
};

/* The numbers of a num_threads list for the regions inside, the outermost first; the last holds for all further in. */
struct kmp__list {
	const int32_t *threads;
	unsigned count; /* 0: there is no list, and the control variables hold */
};

/* What a num_threads clause has besides a number: strict, a list. It is on the heap until the region ends. */
struct kmp__clause {
	unsigned threads;
	int32_t severity; /* 0: not strict */
	const char *message;
	struct kmp__list inside; /* its numbers lie in `list` */
	int32_t list[];
};

struct kmp__thread {
	/* The global number + 1; 0: the thread has none yet. */
	int32_t number;
	/* From the clauses of the next parallel region; 0: no clause. */
	unsigned threads;
	unsigned bind;
	struct kmp__clause *clause; /* NULL: the clause has only a number, `threads` */
	/* The part of a surrounding region's num_threads list that holds for the regions that the thread opens. */
	struct kmp__list inside;
	/* From the clauses of the next teams construct. */
	unsigned teams;
	unsigned thread_limit;
	/* Whether the thread holds the lock of the reduction that it is in. */
	bool reduces_locked;
	/* Whether a tool was told that the reduction begins. */
	bool reduces_watched;
	/* Whether it is at a sections construct whose first section it has not asked for. */
	bool sections_begin;
	/* The doacross loops that the thread is in, the innermost first. */
	struct kmp__doacross *doacross;
	/* The thread's copies of threadprivate variables. */
	struct kmp__copies *copies;
};

extern __thread struct kmp__thread kmp__tls;

/* Give the calling thread a number. */
int32_t kmp__number_thread(void);

/* The global number of the calling thread: the smallest number that no other living thread had when it was taken. */
static inline int32_t kmp__number(void)
{
	int32_t number = kmp__tls.number;

	return __builtin_expect(number != 0, 1) ? number - 1 : kmp__number_thread();
}

#endif
