/* SPDX-License-Identifier: BSD-3-Clause */
/* See inquiry.h. What there is outside this thread's own structs (places, processors) does not change. */
#include "openmp/tool/inquiry.h"
#include "openmp/places/places.h"
#include "openmp/system/system.h"
#include "openmp/tool/tool.h"
#include "openmp/waiting/oversubscribed.h"

#include <sched.h>

/* NULL: the calling thread is none that the tool knows. */
static struct omp__thread *caller(void)
{
	struct omp__thread *thread = omp__tls;

	return thread && thread->tool.is_known ? thread : NULL;
}

ompt_data_t *omp__tool_get_thread_data(void)
{
	struct omp__thread *thread = caller();

	return thread ? &thread->tool.data : NULL;
}

int omp__tool_get_state(ompt_wait_id_t *wait)
{
	const struct omp__thread *thread = caller();

	if (wait)
		*wait = thread ? thread->tool.wait : ompt_wait_id_none;
	return thread ? (int)thread->tool.state : ompt_state_work_serial;
}

/* ---- regions and tasks ---------------------------------------------------------------------------------------------
 */

static const struct omp__tool_region *known_region(const struct omp__region *region)
{
	return (const struct omp__tool_region *)region->implicit.tool;
}

int omp__tool_get_parallel_info(int level, ompt_data_t **parallel, int *size)
{
	const struct omp__thread *thread = caller();
	const struct omp__region *region = thread ? thread->region : NULL;

	while (region && level-- > 0)
		region = region->outer;
	if (!region)
		return 0;
	if (!known_region(region))
		return 1;
	if (parallel)
		*parallel = known_region(region)->parallel;
	if (size)
		*size = (int)region->thread_count;
	return 2;
}

static int flags_of(const struct omp__task *task, const struct omp__region *region)
{
	int flags = task->tool->flags;

	if (task->kind == OMP__TASK_IMPLICIT && !(flags & ompt_task_initial) && region->thread_count == 1)
		flags |= ompt_task_undeferred;
	return flags;
}

int omp__tool_get_task_info(int level, int *flags, ompt_data_t **data, ompt_frame_t **frame, ompt_data_t **parallel,
			    int *num)
{
	const struct omp__thread *thread = caller();
	const struct omp__region *region = thread ? thread->region : NULL;
	const struct omp__task *task = thread ? thread->task : NULL;

	while (task && level-- > 0) {
		if (task == &region->implicit)
			region = region->outer;
		task = task->parent;
	}
	if (!task || !region)
		return 0;
	if (!task->tool)
		return 1;
	if (flags)
		*flags = flags_of(task, region);
	if (data)
		*data = &task->tool->data;
	if (frame)
		*frame = &task->tool->frame;
	if (parallel)
		*parallel = known_region(region) ? known_region(region)->parallel : NULL;
	if (num)
		*num = (int)region->thread_num;
	return 2;
}

int omp__tool_get_task_memory(void **memory, size_t *bytes, int block)
{
	const struct omp__thread *thread = caller();
	const struct omp__tool_task *task = thread ? thread->task->tool : NULL;
	bool has_memory = task && task->memory && block == 0;

	*memory = has_memory ? task->memory : NULL;
	*bytes = has_memory ? task->memory_bytes : 0;
	/* 1 would say that there is another block */
	return 0;
}

/* ---- processors and places -----------------------------------------------------------------------------------------
 */

int omp__tool_get_num_procs(void)
{
	return omp__processors_visible();
}

int omp__tool_get_num_places(void)
{
	return (int)omp__places.count;
}

int omp__tool_get_place_proc_ids(int place, int size, int *ids)
{
	int count = 0;

	if (place < 0 || place >= (int)omp__places.count)
		return 0;
	for (size_t cpu = 0; cpu < omp__places.bytes * 8; cpu++) {
		if (!CPU_ISSET_S(cpu, omp__places.bytes, omp__places.sets[place]))
			continue;
		if (count < size)
			ids[count] = (int)cpu;
		count++;
	}
	return count;
}

int omp__tool_get_place_num(void)
{
	const struct omp__thread *thread = caller();

	return thread ? (int)thread->place - 1 : -1;
}

int omp__tool_get_partition_place_nums(int size, int *places)
{
	const struct omp__thread *thread = caller();
	int count = thread ? (int)thread->partition_count : 0;

	for (int i = 0; i < count && i < size; i++)
		places[i] = (int)thread->partition_first + i;
	return count;
}

int omp__tool_get_proc_id(void)
{
	return caller() ? sched_getcpu() : -1;
}
