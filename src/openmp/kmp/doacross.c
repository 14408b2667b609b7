/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doacross loops. In the KMP ABI the program divides the iterations without telling this part of the runtime, which so
 * cannot know which of them one thread runs in order. So each iteration of the nest has a bit, which is set when the
 * iteration has come to its source (`ordered depend(source)`).
 */
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/kmp/thread.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/thread_state.h"
#include "openmp/state/workshares.h"
#include "openmp/synchronization/team_wake.h"
#include "openmp/tool/event.h"
#include "openmp/worksharing/workshare.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

struct kmp__doacross {
	struct kmp__doacross *outer;
	_Atomic uint64_t *bits; /* NULL in a region of one thread: every iteration that a sink can name has run */
	int32_t dimensions;
	struct {
		struct kmp_dimension of;
		uint64_t count;
	} dimension[];
};

static uint64_t count_of(const struct kmp_dimension *of)
{
	if (of->step > 0)
		return of->high < of->low ? 0 : ((uint64_t)of->high - (uint64_t)of->low) / (uint64_t)of->step + 1;
	return of->low < of->high ? 0 : ((uint64_t)of->low - (uint64_t)of->high) / -(uint64_t)of->step + 1;
}

/* The first thread that enters the loop allocates the bits; the others use the same. */
static _Atomic uint64_t *shared_bits(struct omp__thread *thread, uint64_t iterations)
{
	bool first;
	struct omp__workshare *share = omp__workshare_enter(thread, &first);

	if (first) {
		omp__workshare_memory(share, (iterations / 64 + 1) * sizeof(uint64_t));
		omp__workshare_ready(share);
	}
	return share->memory;
}

OMP__EXPORT void __kmpc_doacross_init(const struct kmp_ident *where, int32_t number, int32_t dimensions,
				      const struct kmp_dimension *dimension)
{
	struct omp__thread *thread = omp__self();
	struct kmp__doacross *doacross =
		omp__memory_get(thread, sizeof(*doacross) + (size_t)dimensions * sizeof(doacross->dimension[0]));
	uint64_t iterations = 1;

	(void)where;
	(void)number;
	doacross->outer = kmp__tls.doacross;
	doacross->dimensions = dimensions;
	for (int32_t i = 0; i < dimensions; i++) {
		doacross->dimension[i].of = dimension[i];
		doacross->dimension[i].count = count_of(&dimension[i]);
		iterations *= doacross->dimension[i].count;
	}
	doacross->bits = thread->region->thread_count > 1 ? shared_bits(thread, iterations) : NULL;
	kmp__tls.doacross = doacross;
}

OMP__EXPORT void __kmpc_doacross_fini(const struct kmp_ident *where, int32_t number)
{
	struct omp__thread *thread = omp__self();
	struct kmp__doacross *doacross = kmp__tls.doacross;

	(void)where;
	(void)number;
	kmp__tls.doacross = doacross->outer;
	if (doacross->bits)
		omp__workshare_leave(thread);
	omp__memory_put(thread, doacross);
}

/* The number of an iteration in the nest; false when there is no such iteration. */
static bool number_of(const struct kmp__doacross *doacross, const int64_t *vector, uint64_t *iteration)
{
	*iteration = 0;
	for (int32_t i = 0; i < doacross->dimensions; i++) {
		const struct kmp_dimension *of = &doacross->dimension[i].of;
		uint64_t at;

		if (of->step > 0 ? vector[i] < of->low || vector[i] > of->high
				 : vector[i] > of->low || vector[i] < of->high)
			return false;
		at = of->step > 0 ? ((uint64_t)vector[i] - (uint64_t)of->low) / (uint64_t)of->step
				  : ((uint64_t)of->low - (uint64_t)vector[i]) / -(uint64_t)of->step;
		*iteration = *iteration * doacross->dimension[i].count + at;
	}
	return true;
}

/* A tool is told of a source or a sink. */
static OMP__TOOL_ONLY void tell(struct omp__thread *thread, const int64_t *vector, ompt_dependence_type_t type)
{
	int32_t count = kmp__tls.doacross->dimensions;
	ompt_dependence_t *list = omp__memory_get(thread, (size_t)count * sizeof(*list));

	for (int32_t i = 0; i < count; i++)
		list[i] = (ompt_dependence_t){ { .value = (uint64_t)vector[i] }, type };
	if (thread->task->tool)
		omp__tool_dependences(thread->task->tool, list, count);
	omp__memory_put(thread, list);
}

OMP__EXPORT void __kmpc_doacross_post(const struct kmp_ident *where, int32_t number, const int64_t *vector)
{
	struct omp__thread *thread = omp__self();
	const struct kmp__doacross *doacross = kmp__tls.doacross;
	_Atomic uint64_t *word;
	uint64_t iteration;

	(void)where;
	(void)number;
	if (!doacross->bits || !number_of(doacross, vector, &iteration))
		return;
	if (omp__tool_is_on())
		tell(thread, vector, ompt_dependence_type_source);
	word = &doacross->bits[iteration / 64];
	/* release: publishes what this iteration did before its source */
	atomic_fetch_or_explicit(word, UINT64_C(1) << iteration % 64, memory_order_release);
	omp__wait_fence();
	omp__team_wake(thread->region->team, word);
}

OMP__EXPORT void __kmpc_doacross_wait(const struct kmp_ident *where, int32_t number, const int64_t *vector)
{
	struct omp__thread *thread = omp__self();
	const struct kmp__doacross *doacross = kmp__tls.doacross;
	const _Atomic uint64_t *word;
	struct omp__wait wait;
	uint64_t iteration;

	(void)where;
	(void)number;
	if (!doacross->bits || !number_of(doacross, vector, &iteration))
		return;
	word = &doacross->bits[iteration / 64];
	wait = omp__wait_begin(&thread->parker, NULL, word);
	/* acquire: sees what that iteration did before its source */
	while (!(atomic_load_explicit(word, memory_order_acquire) & UINT64_C(1) << iteration % 64))
		omp__wait_step(&wait);
	omp__wait_end(&wait);
	if (omp__tool_is_on())
		tell(thread, vector, ompt_dependence_type_sink);
}
