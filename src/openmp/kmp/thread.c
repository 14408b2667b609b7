/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Global thread numbers. Intel's compilers index arrays by them, so they stay small: a thread that ends gives its
 * number back, and a new thread takes the smallest number that is free. The first thread of the process that asks gets
 * 0.
 */
#include "openmp/kmp/thread.h"
#include "openmp/process/initial_thread.h"
#include "openmp/synchronization/lock.h"
#include "openmp/system/no_memory.h"
#include "openmp/tool/tool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

__thread struct kmp__thread kmp__tls;

/* One bit for each number that is in use; read and written under the lock. */
static struct omp__own_lock lock;
static uint64_t *taken;
static size_t taken_words;

static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static void give_back(int32_t number)
{
	omp__own_lock(&lock);
	taken[number / 64] &= ~(UINT64_C(1) << number % 64);
	omp__own_unlock(&lock);
}

static void free_copies(struct kmp__copies *copies)
{
	while (copies) {
		struct kmp__copies *next = copies->next;

		if (copies->destruct)
			copies->destruct(copies->data);
		free(copies);
		copies = next;
	}
}

static void thread_ended(void *value)
{
	int32_t number = kmp__tls.number;

	(void)value;
	free_copies(kmp__tls.copies);
	free(kmp__tls.clause);
	kmp__tls = (struct kmp__thread){ 0 };
	if (number)
		give_back(number - 1);
}

static void make_key(void)
{
	if (pthread_key_create(&exit_key, thread_ended))
		omp__no_key();
}

/* Out of memory is fatal, because the ABI has no way to report an error here. */
static int32_t take(void)
{
	size_t word = 0;
	unsigned bit;

	while (word < taken_words && taken[word] == UINT64_MAX)
		word++;
	if (word == taken_words) {
		size_t words = taken_words ? 2 * taken_words : 4;

		taken = realloc(taken, words * sizeof(*taken));
		if (!taken)
			omp__no_memory("the numbers of threads");
		memset(taken + taken_words, 0, (words - taken_words) * sizeof(*taken));
		taken_words = words;
	}
	bit = (unsigned)__builtin_ctzll(~taken[word]);
	taken[word] |= UINT64_C(1) << bit;
	return (int32_t)(word * 64 + bit);
}

int32_t kmp__number_thread(void)
{
	int32_t number;

	/* a tool is to know the thread: its next call may be of a function that needs no initial thread */
	if (omp__tool_is_on())
		omp__self();
	pthread_once(&exit_once, make_key);
	omp__own_lock(&lock);
	number = take();
	omp__own_unlock(&lock);
	kmp__tls.number = number + 1;
	pthread_setspecific(exit_key, &kmp__tls);
	return number;
}
