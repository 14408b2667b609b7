/* SPDX-License-Identifier: BSD-3-Clause */
/* See event.h: threads, regions, worksharing, tasks. event_mutex.c has the mutexes. */
#include "openmp/tool/event.h"
#include "openmp/tool/lookup.h"

/* Call the callback of an event, if the tool has one. */
#define TELL_AS(type, event, ...)                                                                                      \
	do {                                                                                                           \
		type call_ = (type)omp__tool_callback(event);                                                          \
		if (call_)                                                                                             \
			call_(__VA_ARGS__);                                                                            \
	} while (0)
#define TELL(event, ...) TELL_AS(event##_t, event, __VA_ARGS__)

static ompt_data_t *data_of(const struct omp__tool_task *task)
{
	return task ? (ompt_data_t *)&task->data : NULL;
}

static ompt_data_t *task_data(const struct omp__thread *thread)
{
	return data_of(thread->task->tool);
}

static struct omp__tool_region *region_of(const struct omp__thread *thread)
{
	return (struct omp__tool_region *)thread->region->implicit.tool;
}

static ompt_data_t *parallel_data(const struct omp__thread *thread)
{
	return region_of(thread)->parallel;
}

bool omp__tool_knows(const struct omp__thread *thread)
{
	return region_of(thread) && thread->task->tool;
}

/* ---- threads -------------------------------------------------------------------------------------------------------
 */

void omp__tool_thread_begin(struct omp__thread *thread, ompt_thread_t kind)
{
	thread->tool.is_known = true;
	thread->tool.state = kind == ompt_thread_initial ? ompt_state_work_serial : ompt_state_idle;
	TELL(ompt_callback_thread_begin, kind, &thread->tool.data);
	if (kind == ompt_thread_initial)
		omp__tool_implicit_begin(thread, &thread->tool.initial, &thread->tool.parallel, ompt_task_initial);
}

void omp__tool_thread_end(struct omp__thread *thread)
{
	if (!thread->tool.is_known)
		return;
	if (thread->is_initial && thread->task && thread->task->tool == &thread->tool.initial.task)
		omp__tool_implicit_end(thread, ompt_task_initial);
	TELL(ompt_callback_thread_end, &thread->tool.data);
	thread->tool.is_known = false;
}

/* ---- regions -------------------------------------------------------------------------------------------------------
 */

void omp__tool_parallel_begin(struct omp__thread *thread, struct omp__tool_parallel *parallel, unsigned threads)
{
	parallel->data.value = 0;
	parallel->before = thread->tool.state;
	omp__tool_task_enter(thread->task, &parallel->call);
	if (omp__tool_knows(thread))
		TELL(ompt_callback_parallel_begin, task_data(thread), &thread->task->tool->frame, &parallel->data,
		     threads, parallel->flags, parallel->call.code);
}

void omp__tool_parallel_end(struct omp__thread *thread, struct omp__tool_parallel *parallel)
{
	if (omp__tool_knows(thread))
		TELL(ompt_callback_parallel_end, &parallel->data, task_data(thread), parallel->flags,
		     parallel->call.code);
	omp__tool_task_leave(thread->task);
	thread->tool.state = parallel->before;
}

/*
 * OpenMP numbers the initial task's thread 1 (5.2, 19.5.2.11), the threads of a region from 0. At the end of the
 * initial task LLVM's runtime names the region, although OpenMP says that it does not, and Archer frees there what it
 * has of it.
 */
void omp__tool_implicit_begin(struct omp__thread *thread, struct omp__tool_region *in, ompt_data_t *parallel, int flags)
{
	bool is_initial = flags & ompt_task_initial;

	*in = (struct omp__tool_region){ .task.flags = flags, .parallel = parallel };
	thread->region->implicit.tool = &in->task;
	if (!is_initial)
		thread->tool.state = ompt_state_work_parallel;
	TELL(ompt_callback_implicit_task, ompt_scope_begin, parallel, &in->task.data, thread->region->thread_count,
	     is_initial ? 1 : thread->region->thread_num, flags);
}

void omp__tool_implicit_end(struct omp__thread *thread, int flags)
{
	struct omp__tool_region *in = region_of(thread);
	bool is_initial = flags & ompt_task_initial;

	if (!in)
		return;
	omp__tool_work_end(thread, NULL);
	TELL(ompt_callback_implicit_task, ompt_scope_end, is_initial ? in->parallel : NULL, &in->task.data,
	     is_initial ? 0 : thread->region->thread_count, is_initial ? 1 : thread->region->thread_num, flags);
	thread->region->implicit.tool = NULL;
	/* the primary thread does something else at the region's end */
	if (!is_initial)
		thread->tool.state = ompt_state_idle;
}

void omp__tool_team_begin(struct omp__thread *thread, struct omp__tool_region *in, struct omp__tool_parallel *league,
			  unsigned teams)
{
	*in = (struct omp__tool_region){ .task.flags = ompt_task_initial, .parallel = &league->data };
	thread->region->implicit.tool = &in->task;
	TELL(ompt_callback_implicit_task, ompt_scope_begin, in->parallel, &in->task.data, teams, thread->league_num,
	     ompt_task_initial);
}

void omp__tool_team_end(struct omp__thread *thread, struct omp__tool_region *in)
{
	omp__tool_work_end(thread, NULL);
	TELL(ompt_callback_implicit_task, ompt_scope_end, NULL, &in->task.data, 0, thread->league_num,
	     ompt_task_initial);
}

/* ---- synchronization -----------------------------------------------------------------------------------------------
 */

static ompt_state_t state_of(ompt_sync_region_t kind)
{
	switch (kind) {
	case ompt_sync_region_barrier_implicit_parallel:
		return ompt_state_wait_barrier_implicit_parallel;
	case ompt_sync_region_barrier_implicit_workshare:
		return ompt_state_wait_barrier_implicit_workshare;
	case ompt_sync_region_barrier_explicit:
		return ompt_state_wait_barrier_explicit;
	case ompt_sync_region_taskwait:
		return ompt_state_wait_taskwait;
	case ompt_sync_region_taskgroup:
		return ompt_state_wait_taskgroup;
	default:
		return ompt_state_wait_barrier_implementation;
	}
}

void omp__tool_wait_begin(struct omp__thread *thread, struct omp__tool_wait *sync)
{
	sync->before = thread->tool.state;
	thread->tool.state = state_of(sync->kind);
	if (omp__tool_knows(thread))
		TELL_AS(ompt_callback_sync_region_t, ompt_callback_sync_region_wait, sync->kind, ompt_scope_begin,
			parallel_data(thread), task_data(thread), sync->call.code);
}

void omp__tool_sync_begin(struct omp__thread *thread, struct omp__tool_wait *sync)
{
	bool ends = sync->kind == ompt_sync_region_barrier_implicit_parallel;

	if (sync->kind != ompt_sync_region_taskwait)
		omp__tool_work_end(thread, sync->call.code);
	if (!ends)
		omp__tool_task_enter(thread->task, &sync->call);
	if (omp__tool_knows(thread))
		TELL(ompt_callback_sync_region, sync->kind, ompt_scope_begin, parallel_data(thread), task_data(thread),
		     sync->call.code);
	omp__tool_wait_begin(thread, sync);
}

void omp__tool_sync_end(struct omp__thread *thread, const struct omp__tool_wait *sync)
{
	bool ends = sync->kind == ompt_sync_region_barrier_implicit_parallel;
	ompt_data_t *parallel;

	thread->tool.state = sync->before;
	if (!omp__tool_knows(thread))
		return;
	parallel = ends ? NULL : parallel_data(thread);
	TELL_AS(ompt_callback_sync_region_t, ompt_callback_sync_region_wait, sync->kind, ompt_scope_end, parallel,
		task_data(thread), sync->call.code);
	TELL(ompt_callback_sync_region, sync->kind, ompt_scope_end, parallel, task_data(thread), sync->call.code);
	if (!ends)
		omp__tool_task_leave(thread->task);
}

void omp__tool_taskgroup_begin(struct omp__thread *thread, const void *code)
{
	if (omp__tool_knows(thread))
		TELL(ompt_callback_sync_region, ompt_sync_region_taskgroup, ompt_scope_begin, parallel_data(thread),
		     task_data(thread), code);
}

void omp__tool_reduction(struct omp__thread *thread, ompt_scope_endpoint_t endpoint, const void *code)
{
	if (omp__tool_knows(thread))
		TELL_AS(ompt_callback_sync_region_t, ompt_callback_reduction, ompt_sync_region_reduction, endpoint,
			parallel_data(thread), task_data(thread), code);
}

void omp__tool_masked(struct omp__thread *thread, ompt_scope_endpoint_t endpoint, const void *code)
{
	if (omp__tool_knows(thread))
		TELL(ompt_callback_masked, endpoint, parallel_data(thread), task_data(thread), code);
}

/* ---- worksharing ---------------------------------------------------------------------------------------------------
 */

void omp__tool_work(struct omp__thread *thread, ompt_work_t work, ompt_scope_endpoint_t endpoint, uint64_t count,
		    const void *code)
{
	if (omp__tool_knows(thread))
		TELL(ompt_callback_work, work, endpoint, parallel_data(thread), task_data(thread), count, code);
}

bool omp__tool_is_in_work(const struct omp__thread *thread)
{
	return region_of(thread) && region_of(thread)->work;
}

void omp__tool_work_begin(struct omp__thread *thread, ompt_work_t work, uint64_t count, const void *code)
{
	struct omp__tool_region *in = region_of(thread);

	omp__tool_work_end(thread, code);
	if (in) {
		in->work = work;
		in->work_count = count;
		in->work_code = code;
	}
	omp__tool_work(thread, work, ompt_scope_begin, count, code);
}

void omp__tool_work_end(struct omp__thread *thread, const void *code)
{
	struct omp__tool_region *in = region_of(thread);
	ompt_work_t work;

	if (!in || !in->work)
		return;
	work = in->work;
	in->work = 0;
	/* LLVM's runtime tells the count again at the end of a single construct, and 0 at the end of others */
	omp__tool_work(thread, work, ompt_scope_end, work == ompt_work_single_executor ? in->work_count : 0, code);
}

ompt_work_t omp__tool_loop_kind(const struct omp__thread *thread, uint32_t schedule)
{
	switch (schedule & OMP__SCHEDULE_MASK) {
	case OMP__DYNAMIC:
		return ompt_work_loop_dynamic;
	case OMP__GUIDED:
		return thread->region->thread_count > 1 ? ompt_work_loop_guided : ompt_work_loop_static;
	default:
		return ompt_work_loop_static;
	}
}

static void tell_chunk(struct omp__thread *thread, ompt_dispatch_t kind, uint64_t start, uint64_t iterations)
{
	ompt_dispatch_chunk_t chunk = { start, iterations };
	ompt_data_t instance = { .ptr = &chunk };

	TELL(ompt_callback_dispatch, parallel_data(thread), task_data(thread), kind, instance);
}

void omp__tool_chunk(struct omp__thread *thread, uint64_t start, uint64_t iterations)
{
	const struct omp__tool_region *in = region_of(thread);

	if (!omp__tool_knows(thread) || !in->work)
		return;
	if (in->work == ompt_work_sections) {
		ompt_data_t instance = { .ptr = (void *)in->work_code };

		TELL(ompt_callback_dispatch, in->parallel, task_data(thread), ompt_dispatch_section, instance);
	} else {
		tell_chunk(thread,
			   in->work == ompt_work_distribute ? ompt_dispatch_distribute_chunk
							    : ompt_dispatch_ws_loop_chunk,
			   start, iterations);
	}
}

void omp__tool_taskloop_chunk(struct omp__thread *thread, uint64_t start, uint64_t iterations)
{
	if (omp__tool_knows(thread))
		tell_chunk(thread, ompt_dispatch_taskloop_chunk, start, iterations);
}

/* ---- tasks ---------------------------------------------------------------------------------------------------------
 */

void omp__tool_task_create(struct omp__thread *thread, struct omp__tool_task *created, int flags, bool depends,
			   const void *code)
{
	const struct omp__tool_task *task = thread->task->tool;

	*created = (struct omp__tool_task){ .flags = flags };
	TELL(ompt_callback_task_create, data_of(task), task ? &task->frame : NULL, &created->data, flags, depends,
	     code);
}

void omp__tool_dependences(struct omp__tool_task *task, const ompt_dependence_t *dependences, int count)
{
	TELL(ompt_callback_dependences, &task->data, dependences, count);
}

void omp__tool_dependence(struct omp__tool_task *before, struct omp__tool_task *after)
{
	if (before && after)
		TELL(ompt_callback_task_dependence, &before->data, &after->data);
}

void omp__tool_schedule(const struct omp__tool_task *from, ompt_task_status_t status, const struct omp__tool_task *to)
{
	if (from)
		TELL(ompt_callback_task_schedule, data_of(from), status, data_of(to));
}

void omp__tool_cancel(struct omp__thread *thread, int flags, const void *code)
{
	if (omp__tool_knows(thread))
		TELL(ompt_callback_cancel, task_data(thread), flags, code);
}

/* ---- the rest ------------------------------------------------------------------------------------------------------
 */

void omp__tool_flush(const void *code)
{
	struct omp__thread *thread = omp__tool_thread();

	if (thread)
		TELL(ompt_callback_flush, &thread->tool.data, code);
}

void omp__tool_error(ompt_severity_t severity, const char *message, size_t length, const void *code)
{
	TELL(ompt_callback_error, severity, message, length, code);
}

/* What omp_control_tool() returns where there is no tool, or one without this callback. */
enum { CONTROL_NO_TOOL = -2, CONTROL_NO_CALLBACK = -1 };

int omp__tool_control(uint64_t command, uint64_t modifier, void *argument, const void *code)
{
	ompt_callback_control_tool_t callback;

	if (atomic_load_explicit(&omp__globals.tool, memory_order_relaxed) != OMP__TOOL_ON)
		return CONTROL_NO_TOOL;
	callback = (ompt_callback_control_tool_t)omp__tool_callback(ompt_callback_control_tool);
	return callback ? callback(command, modifier, argument, code) : CONTROL_NO_CALLBACK;
}
