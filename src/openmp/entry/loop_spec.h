/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entry points of all loops share: making a loop of the compiler's arguments. */
#ifndef OMP_LOOP_SPEC_H
#define OMP_LOOP_SPEC_H

#include "openmp/process/initial_thread.h"
#include "openmp/state/thread_state.h"
#include "openmp/worksharing/loop.h"

/* Set the schedule; run-sched-var stands in for `runtime`. */
static inline void omp__spec_schedule(struct omp__loop_spec *spec, uint32_t schedule, uint64_t chunk)
{
	if ((schedule & OMP__SCHEDULE_MASK) == 0) {
		const struct omp__icv *icv = omp__self()->task->icv;

		schedule |= icv->schedule;
		chunk = icv->chunk > 0 ? (uint64_t)icv->chunk : 0;
	}
	spec->schedule = schedule;
	spec->chunk = (schedule & OMP__SCHEDULE_MASK) == OMP__AUTO ? 0 : chunk;
}

static inline struct omp__loop_spec omp__spec_long(long start, long end, long step, uint32_t schedule, long chunk)
{
	struct omp__loop_spec spec = { .start = (uint64_t)start, .end = (uint64_t)end, .step = (uint64_t)step };

	spec.count = omp__loop_count(spec.start, spec.end, spec.step, false, step > 0);
	omp__spec_schedule(&spec, schedule, chunk > 0 ? (uint64_t)chunk : 0);
	return spec;
}

static inline struct omp__loop_spec omp__spec_ull(bool up, uint64_t start, uint64_t end, uint64_t step,
						  uint32_t schedule, uint64_t chunk)
{
	struct omp__loop_spec spec = { .start = start, .end = end, .step = step };

	spec.count = omp__loop_count(start, end, step, true, up);
	omp__spec_schedule(&spec, schedule, chunk);
	return spec;
}

#endif
