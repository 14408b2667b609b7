/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections: a loop over their numbers 1 … count, handed out one at a time. Number 0 says that none is left. */
#include "openmp/worksharing/sections.h"
#include "openmp/abi/gomp.h"
#include "openmp/process/initial_thread.h"
#include "openmp/tool/event.h"
#include "openmp/worksharing/loop.h"

static unsigned next(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	if (loop->hand_out == OMP__HAND_OUT_WHOLE) {
		if (loop->next >= loop->count)
			return 0;
		if (omp__tool_is_on())
			omp__tool_chunk(thread, loop->next + 1, 1);
		return (unsigned)++loop->next;
	}
	return omp__loop_next(thread) ? (unsigned)loop->first + 1 : 0;
}

void omp__sections_enter(struct omp__thread *thread, unsigned count, uintptr_t *reductions, void **memory)
{
	struct omp__loop_spec spec = {
		.start = 1,
		.step = 1,
		.end = (uint64_t)count + 1,
		.count = count,
		.chunk = 1,
		.schedule = OMP__DYNAMIC | OMP__MONOTONIC,
		.reductions = reductions,
		.memory = memory,
	};

	omp__loop_enter(thread, &spec);
}

OMP__EXPORT unsigned GOMP_sections_start(unsigned count)
{
	struct omp__thread *thread = omp__self();

	if (omp__tool_is_on())
		omp__tool_work_begin(thread, ompt_work_sections, count, __builtin_return_address(0));
	omp__sections_enter(thread, count, NULL, NULL);
	return next(thread);
}

OMP__EXPORT unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory)
{
	struct omp__thread *thread = omp__self();

	if (omp__tool_is_on())
		omp__tool_work_begin(thread, ompt_work_sections, count, __builtin_return_address(0));
	omp__sections_enter(thread, count, reductions, memory);
	return next(thread);
}

OMP__EXPORT unsigned GOMP_sections_next(void)
{
	return next(omp__self());
}

OMP__EXPORT void GOMP_sections_end(void)
{
	omp__loop_end(omp__self(), false, OMP__TOOL_CALL());
}

OMP__EXPORT bool GOMP_sections_end_cancel(void)
{
	return omp__loop_end(omp__self(), true, OMP__TOOL_CALL());
}

OMP__EXPORT void GOMP_sections_end_nowait(void)
{
	omp__loop_end_nowait(omp__self(), __builtin_return_address(0));
}
