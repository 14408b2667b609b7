/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * long: a callback for each event, and all check the same state.
 *
 * A tool that counts events and checks that they fit together. When it ends it prints a line for each kind of event,
 * with how often it came, and "wrong N" with what was wrong. Kinds that releases of LLVM's runtime name differently
 * have one name here.
 *
 * Compiled by itself it is a library for OMP_TOOL_LIBRARIES; TOOL_DECLINES makes it one that wants no callbacks.
 */
#include "tool_counts.h"

#include "omp-tools.h"

#include <stdlib.h>
#include <string.h>

static ompt_set_callback_t set_callback;
static ompt_get_unique_id_t get_unique_id;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_state_t get_state;

/* ---- what is remembered --------------------------------------------------------------------------------------------
 */

/* What a task's word points to; the address is freed never, so that a second end is found. */
struct task {
	uint64_t id;
	int flags;
	int runs;
	int ended;
	int detached;
	int sync;
	int work;
};

struct thread {
	uint64_t id;
	int held;
	int wants;
};

static struct task *new_task(ompt_data_t *data, int flags)
{
	struct task *task = calloc(1, sizeof(*task));

	if (data->ptr)
		wrong("a new task's word is not 0");
	task->id = get_unique_id();
	task->flags = flags;
	data->ptr = task;
	return task;
}

static struct thread *self(const char *event)
{
	ompt_data_t *data = get_thread_data();

	if (!data || !data->ptr) {
		wrong("%s on a thread that has not begun", event);
		abort();
	}
	return data->ptr;
}

/* The current task, as the runtime names it, is the one that the event is of. */
static void check_current(const ompt_data_t *data, const char *event)
{
	ompt_data_t *current = NULL;

	if (get_task_info(0, NULL, &current, NULL, NULL, NULL) != 2 || current != data)
		wrong("%s of a task that is not the current one", event);
}

/* ---- threads and regions -------------------------------------------------------------------------------------------
 */

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *data)
{
	struct thread *thread = calloc(1, sizeof(*thread));

	if (data->ptr || get_thread_data() != data)
		wrong("a new thread's word");
	thread->id = get_unique_id();
	data->ptr = thread;
	count(kind == ompt_thread_initial ? THREAD_INITIAL : THREAD_WORKER);
}

static void on_thread_end(ompt_data_t *data)
{
	struct thread *thread = data->ptr;

	if (!thread)
		wrong("a thread ends that has not begun");
	else if (thread->held)
		wrong("a thread ends with a mutex");
	data->ptr = NULL;
	count(THREAD_END);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned asked,
			      int flags, const void *code)
{
	self("parallel_begin");
	check_current(task, "parallel_begin");
	if (!frame->enter_frame.ptr || !code || asked == 0)
		wrong("parallel_begin without a frame, a return address or a number of threads");
	if (parallel->value)
		wrong("a new region's word is not 0");
	parallel->value = get_unique_id();
	count(flags & ompt_parallel_league ? LEAGUE_BEGIN : PARALLEL_BEGIN);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
	check_current(task, "parallel_end");
	if (!parallel->value || !code)
		wrong("parallel_end without a begin or a return address");
	parallel->value = 0;
	if (!(flags & ompt_parallel_league))
		count(PARALLEL_END);
}

static void on_implicit_task(ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *data, unsigned size,
			     unsigned num, int flags)
{
	int is_initial = flags & ompt_task_initial;

	self("implicit_task");
	check_current(data, "implicit_task");
	if (end == ompt_scope_begin) {
		ompt_data_t *now = NULL;
		int now_size = 0;

		new_task(data, flags);
		if (!is_initial && (!parallel->value || num >= size))
			wrong("implicit_task %u of %u in region %lu", num, size, (unsigned long)parallel->value);
		if (get_parallel_info(0, &now, &now_size) != 2 || now != parallel ||
		    (!is_initial && now_size != (int)size))
			wrong("the region of an implicit task");
		count(is_initial ? INITIAL_BEGIN : IMPLICIT_BEGIN);
	} else {
		struct task *task = data->ptr;

		if (!task || task->ended++ || task->sync || task->work)
			wrong("implicit_task %u ends inside something, or twice", num);
		if (parallel && !is_initial)
			wrong("a region is named at the end of an implicit task");
		count(is_initial ? INITIAL_END : IMPLICIT_END);
	}
}

/* ---- synchronization -----------------------------------------------------------------------------------------------
 */

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *data,
			   const void *code)
{
	struct task *task = data->ptr;

	(void)code;
	self("sync_region");
	if (!task || task->ended) {
		wrong("sync_region %d of a task that does not run", kind);
		return;
	}
	if (end == ompt_scope_begin) {
		task->sync++;
		count(kind_of(kind));
		if (task->work && kind_of(kind) != TASKWAIT && kind_of(kind) != TASKGROUP)
			wrong("barrier %d inside worksharing", kind);
		if (!parallel)
			wrong("sync_region %d begins in no region", kind);
	} else if (task->sync-- <= 0) {
		wrong("sync_region %d ends and has not begun", kind);
	}
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *parallel,
				ompt_data_t *data, const void *code)
{
	struct task *task = data->ptr;

	(void)parallel;
	(void)code;
	if (!task || task->sync <= 0)
		wrong("a wait %d outside its region", kind);
	if (end == ompt_scope_begin)
		count(WAITS);
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *data,
			 const void *code)
{
	(void)parallel;
	(void)code;
	check_current(data, "reduction");
	if (kind != ompt_sync_region_reduction)
		wrong("a reduction of kind %d", kind);
	if (end == ompt_scope_begin)
		count(REDUCTION);
}

static void on_masked(ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *data, const void *code)
{
	check_current(data, "masked");
	if (!parallel || !code)
		wrong("masked without a region or a return address");
	if (end == ompt_scope_begin)
		count(MASKED);
}

static void on_work(ompt_work_t work, ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *data,
		    uint64_t number, const void *code)
{
	struct task *task = data->ptr;

	(void)code;
	check_current(data, "work");
	if (!parallel || !task) {
		wrong("work %d outside a region", work);
		return;
	}
	if (end == ompt_scope_end) {
		if (task->work-- <= 0)
			wrong("work %d ends and has not begun", work);
		return;
	}
	task->work++;
	atomic_fetch_add_explicit(&counts[WORK_COUNTED], number, memory_order_relaxed);
	switch (work) {
	case ompt_work_loop:
	case ompt_work_loop_static:
	case ompt_work_loop_dynamic:
	case ompt_work_loop_guided:
	case ompt_work_loop_other:
		count(WORK_LOOP);
		break;
	case ompt_work_sections:
		count(WORK_SECTIONS);
		break;
	case ompt_work_single_executor:
		count(WORK_SINGLE);
		break;
	case ompt_work_single_other:
		count(WORK_SINGLE_OTHER);
		break;
	case ompt_work_taskloop:
		count(WORK_TASKLOOP);
		break;
	default:
		count(WORK_OTHER);
	}
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *data, ompt_dispatch_t kind, ompt_data_t instance)
{
	const struct task *task = data->ptr;
	const ompt_dispatch_chunk_t *chunk = instance.ptr;

	check_current(data, "dispatch");
	if (!parallel || !task || (kind != ompt_dispatch_taskloop_chunk && task->work <= 0)) {
		wrong("dispatch %d outside a construct", kind);
		return;
	}
	if (kind == ompt_dispatch_section) {
		count(SECTIONS);
		return;
	}
	if (!chunk->iterations)
		wrong("an empty chunk");
	count(kind == ompt_dispatch_taskloop_chunk ? TASKLOOP_PARTS : CHUNKS);
	atomic_fetch_add_explicit(
		&counts[kind == ompt_dispatch_taskloop_chunk ? TASKLOOP_ITERATIONS : CHUNK_ITERATIONS],
		chunk->iterations, memory_order_relaxed);
}

/* ---- tasks ---------------------------------------------------------------------------------------------------------
 */

static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *data, int flags, int depends,
			   const void *code)
{
	if (flags & ompt_task_initial)
		return;
	new_task(data, flags);
	check_current(parent, "task_create");
	if (!frame->enter_frame.ptr || !code)
		wrong("task_create without a frame or a return address");
	if (flags & ompt_task_taskwait) {
		count(TASKWAIT_CREATE);
		if (!depends)
			wrong("a taskwait task without dependences");
		return;
	}
	count(TASK_CREATE);
	if (flags & ompt_task_undeferred)
		count(TASK_UNDEFERRED);
}

static void end_task(struct task *task, ompt_task_status_t status)
{
	if (!task || !(task->flags & ompt_task_explicit))
		return;
	if (status == ompt_task_complete || status == ompt_task_cancel) {
		if (task->ended++)
			wrong("task %lu ends twice", (unsigned long)task->id);
		if (task->sync || task->work)
			wrong("task %lu ends inside something", (unsigned long)task->id);
		count(status == ompt_task_complete ? TASK_END : TASK_CANCELLED);
	} else if (status == ompt_task_detach) {
		task->detached = 1;
		count(TASK_DETACH);
	}
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct task *task = next ? next->ptr : NULL;

	self("task_schedule");
	if (status == ompt_taskwait_complete) {
		count(TASKWAIT_COMPLETE);
		return;
	}
	if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) {
		count(status == ompt_task_late_fulfill ? TASK_LATE : TASK_EARLY);
		return;
	}
	end_task(prior->ptr, status);
	if (status != ompt_task_switch && status != ompt_task_yield)
		return;
	if (!task || !(task->flags & ompt_task_explicit) || task->ended || task->runs++)
		wrong("a task begins that has begun before");
	count(TASK_BEGIN);
}

static void on_dependences(ompt_data_t *data, const ompt_dependence_t *list, int length)
{
	if (!data->ptr)
		wrong("dependences of an unknown task");
	for (int i = 0; i < length; i++)
		if (list[i].dependence_type < ompt_dependence_type_in ||
		    list[i].dependence_type > ompt_dependence_type_inoutset)
			wrong("a dependence of type %d", list[i].dependence_type);
	count(DEPENDENCES);
	atomic_fetch_add_explicit(&counts[DEPENDENCE_ITEMS], (unsigned long)length, memory_order_relaxed);
}

static void on_task_dependence(ompt_data_t *before, ompt_data_t *after)
{
	if (!before->ptr || !after->ptr || before->ptr == after->ptr)
		wrong("a pair of tasks that depend");
}

static void on_cancel(ompt_data_t *data, int flags, const void *code)
{
	if (!data->ptr)
		wrong("cancel in an unknown task");
	if (!code != !!(flags & ompt_cancel_discarded_task))
		wrong("cancel %d, return address %p", flags, code);
	count(flags & ompt_cancel_activated  ? CANCEL_ACTIVATED
	      : flags & ompt_cancel_detected ? CANCEL_DETECTED
					     : CANCEL_DISCARDED);
}

/* ---- mutexes and the rest ------------------------------------------------------------------------------------------
 */

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *code)
{
	(void)kind;
	(void)hint;
	(void)impl;
	self("mutex_acquire")->wants++;
	if (!id || !code)
		wrong("mutex_acquire without an identifier or a return address");
	count(MUTEX_ACQUIRE);
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	struct thread *thread = self("mutex_acquired");

	if (!thread->wants || !id || !code)
		wrong("mutex_acquired that nobody wanted");
	thread->wants = 0;
	thread->held++;
	count(mutex_of(kind));
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	struct thread *thread = self("mutex_released");

	(void)kind;
	if (thread->held-- <= 0 || !id || !code)
		wrong("mutex_released that the thread had not");
	count(MUTEX_RELEASED);
}

static void on_nest_lock(ompt_scope_endpoint_t end, ompt_wait_id_t id, const void *code)
{
	if (!id || !code || self("nest_lock")->held <= 0)
		wrong("nest_lock that the thread had not");
	if (end == ompt_scope_begin)
		count(NEST_AGAIN);
}

static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *code)
{
	(void)hint;
	(void)impl;
	if ((kind != ompt_mutex_lock && kind != ompt_mutex_nest_lock) || !id || !code)
		wrong("lock_init");
	count(LOCK_INIT);
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	if ((kind != ompt_mutex_lock && kind != ompt_mutex_nest_lock) || !id || !code)
		wrong("lock_destroy");
	count(LOCK_DESTROY);
}

static void on_flush(ompt_data_t *thread, const void *code)
{
	if (thread != get_thread_data() || !code)
		wrong("flush");
	count(FLUSH);
}

static int on_control(uint64_t command, uint64_t modifier, void *argument, const void *code)
{
	if (command != 4 || modifier != 5 || argument || !code)
		wrong("control_tool");
	count(CONTROL);
	return 17;
}

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *code)
{
	if (severity != ompt_warning || length != strlen(message) || !code)
		wrong("error");
	count(ERROR);
}

/* ---- life ----------------------------------------------------------------------------------------------------------
 */

static void enlist(ompt_callbacks_t event, ompt_callback_t callback)
{
	ompt_set_result_t how_often = set_callback(event, callback);

	if (how_often != ompt_set_always && how_often != ompt_set_sometimes && how_often != ompt_set_sometimes_paired)
		wrong("callback %d is called never", event);
}

#define ENLIST(name) enlist(ompt_callback_##name, (ompt_callback_t)on_##name)

static void enlist_all(void)
{
	ENLIST(thread_begin);
	ENLIST(thread_end);
	ENLIST(parallel_begin);
	ENLIST(parallel_end);
	ENLIST(implicit_task);
	ENLIST(sync_region);
	ENLIST(sync_region_wait);
	ENLIST(reduction);
	ENLIST(masked);
	ENLIST(work);
	ENLIST(dispatch);
	ENLIST(task_create);
	ENLIST(task_schedule);
	ENLIST(dependences);
	ENLIST(task_dependence);
	ENLIST(cancel);
	ENLIST(mutex_acquire);
	ENLIST(mutex_acquired);
	ENLIST(mutex_released);
	ENLIST(nest_lock);
	ENLIST(lock_init);
	ENLIST(lock_destroy);
	ENLIST(flush);
	ENLIST(error);
	enlist(ompt_callback_control_tool, (ompt_callback_t)on_control);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)device;
	set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
	get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
	get_state = (ompt_get_state_t)lookup("ompt_get_state");
	if (lookup("ompt_no_such_function") || data->value != 23)
		wrong("lookup, or the tool's own word");
	enlist_all();
	printf("initialize\n");
	return !getenv("TOOL_DECLINES");
}

static void finalize(ompt_data_t *data)
{
	if (data->value != 23)
		wrong("the tool's own word");
	for (int i = 0; i < COUNTS; i++)
		printf("%s: %lu\n", names[i], (unsigned long)counts[i]);
	printf("wrong %u\n", (unsigned)wrongs);
	fflush(stdout);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 23 } };

	if (version < 201611 || !runtime)
		wrong("the runtime's version");
	return getenv("TOOL_IGNORES") ? NULL : &result;
}
