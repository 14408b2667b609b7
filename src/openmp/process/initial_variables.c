/* SPDX-License-Identifier: BSD-3-Clause */
/* The control variables that initial threads start with. */
#include "openmp/process/initial_variables.h"
#include "openmp/environment/icv.h"
#include "openmp/synchronization/lock.h"

#include <stdatomic.h>
#include <string.h>

static struct omp__own_lock lock;
static _Atomic uint32_t version;

/*
 * omp__globals.initial, read without a lock by a seqlock: `version` is odd while the words are written. A reader reads
 * again if it saw an odd version, or another version after the words than before them. The words are atomic, so that no
 * read is a data race.
 */
enum { INITIAL_WORDS = sizeof(struct omp__icv) / sizeof(uint64_t) };
_Static_assert(sizeof(struct omp__icv) % sizeof(uint64_t) == 0, "the variables are copied by words");
static _Atomic uint64_t initial[INITIAL_WORDS];

void omp__initial_set(const struct omp__icv *icv)
{
	uint64_t words[INITIAL_WORDS];
	uint32_t now = atomic_load_explicit(&version, memory_order_relaxed);

	omp__globals.initial = *icv;
	memcpy(words, icv, sizeof(words));
	atomic_store_explicit(&version, now + 1, memory_order_relaxed);
	/* release: a reader of a new word sees the odd version in its second look */
	atomic_thread_fence(memory_order_release);
	for (unsigned i = 0; i < INITIAL_WORDS; i++)
		atomic_store_explicit(&initial[i], words[i], memory_order_relaxed);
	atomic_store_explicit(&version, now + 2, memory_order_release);
}

void omp__initial_copy(struct omp__icv *icv)
{
	uint64_t words[INITIAL_WORDS];
	uint32_t before, after;

	do {
		before = atomic_load_explicit(&version, memory_order_acquire);
		for (unsigned i = 0; i < INITIAL_WORDS; i++)
			words[i] = atomic_load_explicit(&initial[i], memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
		after = atomic_load_explicit(&version, memory_order_relaxed);
	} while (before & 1 || before != after);
	memcpy(icv, words, sizeof(words));
}

uint32_t omp__initial_version(void)
{
	return atomic_load_explicit(&version, memory_order_relaxed);
}

void omp__initial_lock(void)
{
	omp__own_lock(&lock);
}

void omp__initial_unlock(void)
{
	omp__own_unlock(&lock);
}

void omp__initial_forked(void)
{
	atomic_store_explicit(&lock.word, 0, memory_order_relaxed);
}
