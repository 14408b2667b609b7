/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doacross loops. A *run* is a series of outer iterations that one thread executes in order: a thread's block (static),
 * a chunk, or one iteration (guided). Each run has a progress word, which says how far the run has come, as one number
 * over all loops of the nest. A sink waits until the word of its run says that its iteration has passed its source.
 */
#include "openmp/worksharing/doacross.h"
#include "openmp/state/thread_state.h"
#include "openmp/state/workshares.h"
#include "openmp/synchronization/team_wake.h"
#include "openmp/system/no_memory.h"
#include "openmp/tool/event.h"

#include <stdlib.h>
#include <string.h>

/* If there are no more words than this, each has a cache line to itself. */
#define SPREAD_WORDS_MAX 4096

struct omp__doacross {
	size_t bytes; /* of this memory, which the work share keeps for the next loop */
	unsigned dimensions;
	unsigned threads;
	uint64_t count;
	uint64_t run;	/* outer iterations of one run; 0: static blocks */
	uint64_t inner; /* iterations of the inner loops for each outer one */
	uint64_t inner_counts[OMP__DIMENSIONS_MAX];
	unsigned stride;
	_Atomic uint64_t words[];
};

static uint64_t word_count(uint64_t count, uint64_t run, unsigned threads)
{
	if (run == 0)
		return threads;
	return count ? (count - 1) / run + 1 : 1;
}

/* Get memory for that many progress words, all 0. */
static struct omp__doacross *progress_words(struct omp__workshare *share, size_t words)
{
	struct omp__doacross *doacross = share->doacross;
	size_t bytes = sizeof(*doacross) + words * sizeof(doacross->words[0]);

	if (!doacross || doacross->bytes < bytes) {
		free(doacross);
		doacross = share->doacross = malloc(bytes);
		if (!doacross)
			omp__no_memory("a doacross loop");
		doacross->bytes = bytes;
	}
	memset((void *)doacross->words, 0, words * sizeof(doacross->words[0]));
	return doacross;
}

void omp__doacross_set_up(const struct omp__loop *loop, struct omp__workshare *share, const struct omp__loop_spec *spec,
			  unsigned threads)
{
	uint64_t run = loop->hand_out == OMP__HAND_OUT_BLOCKS	? 0
		       : loop->hand_out == OMP__HAND_OUT_GUIDED ? 1
								: loop->chunk;
	uint64_t words = word_count(loop->count, run, threads);
	unsigned stride = words <= SPREAD_WORDS_MAX ? OMP__LINE_BYTES / sizeof(uint64_t) : 1;
	struct omp__doacross *doacross = progress_words(share, words * stride);

	if (spec->dimensions > OMP__DIMENSIONS_MAX)
		abort();
	doacross->dimensions = spec->dimensions;
	doacross->threads = threads;
	doacross->count = loop->count;
	doacross->run = run;
	doacross->stride = stride;
	doacross->inner = 1;
	for (unsigned i = 1; i < spec->dimensions; i++) {
		doacross->inner_counts[i] = spec->counts[i];
		doacross->inner *= spec->counts[i];
	}
}

unsigned omp__doacross_dimensions(const struct omp__thread *thread)
{
	const struct omp__workshare *share = thread->region->loop.share;

	if (thread->region->thread_count == 1 || !share || !share->doacross)
		return 0;
	return share->doacross->dimensions;
}

/* The run that an outer iteration belongs to; *first: the first iteration of that run. */
static uint64_t run_of(const struct omp__doacross *doacross, uint64_t outer, uint64_t *first)
{
	uint64_t size, rest, long_ones;

	if (doacross->run) {
		*first = outer / doacross->run * doacross->run;
		return outer / doacross->run;
	}
	size = doacross->count / doacross->threads;
	rest = doacross->count % doacross->threads;
	long_ones = rest * (size + 1);
	if (outer < long_ones) {
		*first = outer / (size + 1) * (size + 1);
		return outer / (size + 1);
	}
	*first = long_ones + (outer - long_ones) / size * size;
	return rest + (outer - long_ones) / size;
}

static _Atomic uint64_t *word_of(struct omp__doacross *doacross, const uint64_t *counts, uint64_t *progress)
{
	uint64_t inner = 0;
	uint64_t first;
	uint64_t run = run_of(doacross, counts[0], &first);

	for (unsigned i = 1; i < doacross->dimensions; i++)
		inner = inner * doacross->inner_counts[i] + counts[i];
	*progress = (counts[0] - first) * doacross->inner + inner + 1;
	return &doacross->words[run * doacross->stride];
}

void omp__doacross_post(struct omp__thread *thread, const uint64_t *counts)
{
	uint64_t progress;
	_Atomic uint64_t *word = word_of(thread->region->loop.share->doacross, counts, &progress);

	/* release: what the iteration did before its source */
	atomic_store_explicit(word, progress, memory_order_release);
	omp__wait_fence();
	omp__team_wake(thread->region->team, word);
}

void omp__doacross_wait(struct omp__thread *thread, const uint64_t *counts)
{
	uint64_t progress;
	_Atomic uint64_t *word = word_of(thread->region->loop.share->doacross, counts, &progress);
	struct omp__wait wait = omp__wait_begin(&thread->parker, NULL, word);

	while (atomic_load_explicit(word, memory_order_acquire) < progress)
		omp__wait_step(&wait);
	omp__wait_end(&wait);
}

/* ---- for a tool ----------------------------------------------------------------------------------------------------
 */

static OMP__TOOL_ONLY void tell(struct omp__thread *thread, const uint64_t *counts, unsigned dimensions,
				ompt_dependence_type_t type)
{
	ompt_dependence_t list[OMP__DIMENSIONS_MAX];

	if (!thread->task->tool)
		return;
	for (unsigned i = 0; i < dimensions; i++)
		list[i] = (ompt_dependence_t){ { .value = counts[i] }, type };
	omp__tool_dependences(thread->task->tool, list, (int)dimensions);
}

void omp__doacross_post_here(struct omp__thread *thread, const uint64_t *counts)
{
	unsigned dimensions = omp__doacross_dimensions(thread);

	if (!dimensions)
		return;
	if (omp__tool_is_on())
		tell(thread, counts, dimensions, ompt_dependence_type_source);
	omp__doacross_post(thread, counts);
}

void omp__doacross_wait_here(struct omp__thread *thread, const uint64_t *counts)
{
	omp__doacross_wait(thread, counts);
	if (omp__tool_is_on())
		tell(thread, counts, omp__doacross_dimensions(thread), ompt_dependence_type_sink);
}
