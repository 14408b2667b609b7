/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks. A task that the compiled code has filled is passed to the scheduler as an order whose data is the task's
 * address.
 *
 * An untied task runs in parts: at a scheduling point its code notes the next part, hands the task in again and
 * returns. This runtime treats all tasks as tied, so the thread that runs the task calls the next part at once, in the
 * same frame. So all tasks that the parts create have the same parent.
 */
#include "openmp/kmp/task.h"
#include "openmp/process/initial_thread.h"
#include "openmp/kmp/thread.h"
#include "openmp/scheduler/task.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/scheduler/tool_task.h"
#include "openmp/scheduler/undeferred.h"
#include "openmp/state/task_memory.h"
#include "openmp/task/create.h"

#include <omp.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* What the scheduler carries; it writes a detached task's handle into the first word. */
struct carried {
	void *handle;
	struct kmp__task *task;
};

struct kmp__task *kmp__task_get(struct omp__thread *thread, size_t bytes)
{
	size_t all = offsetof(struct kmp__task, task) + bytes;
	struct kmp__task *task;

	if (__builtin_expect(omp__globals.slow_tasks, 0) && omp__tool_is_sanitizer && all < OMP__MEMORY_LARGE)
		all = OMP__MEMORY_LARGE;
	task = omp__memory_get(thread, all);
	task->frame.tool = NULL;
	task->bytes = bytes;
	task->runs = false;
	task->again = false;
	task->has_event = false;
	task->is_part = false;
	atomic_init(&task->event, 0);
	task->handle = NULL;
	return task;
}

OMP__EXPORT struct kmp_task *__kmpc_omp_task_alloc(const struct kmp_ident *where, int32_t number, int32_t flags,
						   size_t task_bytes, size_t shareds_bytes, kmp_task_entry entry)
{
	size_t shareds_at = (task_bytes + 15) & ~(size_t)15;
	struct kmp__task *task = kmp__task_get(omp__self(), shareds_at + shareds_bytes);

	(void)where;
	(void)number;
	task->flags = flags;
	task->has_event = flags & KMP_TASK_PROXY;
	task->task.shareds = shareds_bytes ? (char *)&task->task + shareds_at : NULL;
	task->task.entry = entry;
	task->task.part = 0;
	return &task->task;
}

OMP__EXPORT struct kmp_task *__kmpc_omp_target_task_alloc(const struct kmp_ident *where, int32_t number, int32_t flags,
							  size_t task_bytes, size_t shareds_bytes, kmp_task_entry entry,
							  int64_t device)
{
	(void)device;
	return __kmpc_omp_task_alloc(where, number, flags, task_bytes, shareds_bytes, entry);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* What a tool knows of a task with an event lasts as long as the task. */
static void put_task(struct omp__thread *thread, struct kmp__task *task)
{
	if (__builtin_expect(task->frame.tool && task->has_event, 0))
		omp__memory_put(thread, task->frame.tool);
	omp__memory_put(thread, task);
}

/*
 * Called when the body has run: destroy the task's private variables and, unless an event still needs it, free its
 * memory.
 */
static void finish(struct omp__thread *thread, struct kmp__task *task)
{
	if (task->flags & KMP_TASK_DESTRUCTORS)
		task->task.first.destructors(kmp__number(), &task->task);
	/*
	 * acq_rel: of this thread and the one that fulfils the event, the second frees the task, after all that the
	 * first did
	 */
	if (task->has_event &&
	    !(atomic_fetch_or_explicit(&task->event, OMP__EVENT_RAN, memory_order_acq_rel) & OMP__EVENT_FULFILLED))
		return;
	put_task(thread, task);
}

static inline __attribute__((always_inline)) void call_parts(struct kmp__task *task)
{
	int32_t number = kmp__number();

	task->runs = true;
	/* a task without code exists only so that others can depend on it */
	if (!task->task.entry)
		return;
	do {
		task->again = false;
		task->task.entry(number, &task->task);
	} while (task->again);
}

/* A tool is told from which frame the code is called. */
static OMP__TOOL_ONLY void run_parts_for_tool(struct kmp__task *task)
{
	omp__tool_task_exit(omp__tls->task, __builtin_frame_address(0));
	if (task->is_part)
		omp__tool_taskloop_chunk(omp__tls, task->part.start, task->part.iterations);
	call_parts(task);
}

static void run_parts(struct kmp__task *task)
{
	call_parts(task);
}

/*
 * The task may be cancelled, or a tool watches it. A task whose code is not run is told as discarded here: for the
 * scheduler it runs, because its private variables have to be destroyed.
 */
static __attribute__((noinline)) void run_slowly(struct omp__thread *thread, struct kmp__task *task)
{
	if (omp__globals.cancellation && omp__task_discarded(thread, thread->task->taskgroup)) {
		if (omp__tool_is_on())
			omp__tool_cancel(thread, ompt_cancel_taskgroup | ompt_cancel_discarded_task, NULL);
	} else if (omp__tool_is_on()) {
		run_parts_for_tool(task);
	} else {
		run_parts(task);
	}
}

static void run(void *data)
{
	struct kmp__task *task = ((struct carried *)data)->task;
	struct omp__thread *thread = omp__self();

	if (__builtin_expect(!omp__globals.slow_tasks, 1))
		run_parts(task);
	else
		run_slowly(thread, task);
	finish(thread, task);
}

static unsigned scheduler_flags(const struct kmp__task *task)
{
	unsigned flags = 0;

	if (!(task->flags & KMP_TASK_TIED))
		flags |= OMP__TASK_UNTIED;
	if (task->flags & KMP_TASK_FINAL)
		flags |= OMP__TASK_FINAL;
	if (task->flags & KMP_TASK_PRIORITY)
		flags |= OMP__TASK_PRIORITY;
	if (task->has_event)
		flags |= OMP__TASK_DETACH;
	return flags;
}

static __attribute__((noinline)) void create(struct omp__thread *thread, struct kmp__task *task, void **depend,
					     bool if_clause, struct omp__tool_call call)
{
	struct carried carried = { .task = task };
	/* COPIED: run() has to be called even if the task's group is cancelled, to destroy the private variables */
	struct omp__task_order order = {
		.fn = run,
		.data = &carried,
		.bytes = sizeof(carried),
		.align = _Alignof(struct carried),
		.flags = scheduler_flags(task) | OMP__TASK_COPIED | (depend ? OMP__TASK_DEPEND : 0),
		.if_clause = if_clause,
		.priority = task->flags & KMP_TASK_PRIORITY ? task->task.second.priority : 0,
		.depend = depend,
		.detach = &task->handle,
		.call = call,
		.memory = &task->task,
		.memory_bytes = task->bytes,
	};

	omp__task_create(thread, &order);
}

void kmp__task_start(struct omp__thread *thread, struct kmp__task *task, void **depend, bool if_clause,
		     struct omp__tool_call call)
{
	struct omp__task *parent = thread->task;

	if (!depend && kmp__task_is_undeferred(parent, task, if_clause)) {
		struct omp__task frame;

		omp__task_enter(&frame, thread, parent->final || (task->flags & KMP_TASK_FINAL),
				!(task->flags & KMP_TASK_TIED));
		run_parts(task);
		finish(thread, task);
		omp__task_return(&frame, thread);
	} else {
		create(thread, task, depend, if_clause, call);
	}
}

static inline __attribute__((always_inline)) int32_t hand_in(struct kmp__task *task)
{
	if (__builtin_expect(task->runs, 0))
		task->again = true;
	else
		kmp__task_start(omp__self(), task, NULL, true, OMP__TOOL_CALL());
	return 0;
}

OMP__EXPORT int32_t __kmpc_omp_task(const struct kmp_ident *where, int32_t number, struct kmp_task *task)
{
	(void)where;
	(void)number;
	return hand_in(kmp__task_of(task));
}

OMP__EXPORT int32_t __kmpc_omp_task_parts(const struct kmp_ident *where, int32_t number, struct kmp_task *task)
{
	(void)where;
	(void)number;
	return hand_in(kmp__task_of(task));
}

/* ---- undeferred: the program calls the task's code itself, between these ----------------------------------------- */

/* The task's code is called by the program's function, whose frame address the caller's frame has at its start. */
static __attribute__((noinline)) struct omp__tool_task *
create_for_tool(struct omp__thread *thread, struct kmp__task *task, const void *code, void **frame)
{
	struct omp__task_order order = {
		.flags = scheduler_flags(task),
		.call = { code, *frame },
		.memory = &task->task,
		.memory_bytes = task->bytes,
	};
	struct omp__tool_task *tool;

	if (!omp__tool_knows(thread))
		return NULL;
	tool = omp__memory_get(thread, sizeof(*tool));
	omp__tool_task_new(thread, tool, &order, true);
	return tool;
}

static OMP__TOOL_ONLY void begin_for_tool(struct omp__thread *thread, struct omp__tool_task *tool, void **frame)
{
	omp__tool_task_begins(thread, tool);
	omp__tool_task_exit(thread->task, *frame);
	tool->frame.exit_frame_flags = ompt_frame_application | ompt_frame_framepointer;
}

static OMP__TOOL_ONLY void complete_for_tool(struct omp__thread *thread, struct kmp__task *task)
{
	omp__tool_task_ends(thread, task->has_event && omp__tool_task_stays(&task->event));
	omp__tool_task_leave(task->frame.parent);
	if (!task->has_event)
		omp__memory_put(thread, task->frame.tool);
}

static void nothing(void *data)
{
	(void)data;
}

/*
 * The task has an event, which may be fulfilled after the program has come to the task's end; until then its parent has
 * an unfinished child. A task that does nothing stands for that child. The program goes on behind the construct, as
 * with LLVM's runtime: the event may be fulfilled there.
 */
static __attribute__((noinline)) void stand_in(struct omp__thread *thread, struct kmp__task *task)
{
	struct omp__task_order order = {
		.fn = nothing, .align = 1, .flags = OMP__TASK_DETACH, .if_clause = true, .detach = &task->handle
	};

	omp__task_create(thread, &order);
}

OMP__EXPORT void __kmpc_omp_task_begin_if0(const struct kmp_ident *where, int32_t number, struct kmp_task *handed_in)
{
	struct omp__thread *thread = omp__self();
	struct kmp__task *task = kmp__task_of(handed_in);
	struct omp__tool_task *tool = NULL;

	(void)where;
	(void)number;
	if (!thread->task->crew)
		omp__task_attach(thread, thread->task);
	if (omp__tool_is_on())
		tool = create_for_tool(thread, task, __builtin_return_address(0), __builtin_frame_address(0));
	if (__builtin_expect(task->has_event, 0))
		stand_in(thread, task);
	omp__task_enter(&task->frame, thread, thread->task->final || (task->flags & KMP_TASK_FINAL),
			!(task->flags & KMP_TASK_TIED));
	task->runs = true;
	if (__builtin_expect(tool != NULL, 0))
		begin_for_tool(thread, tool, __builtin_frame_address(0));
}

OMP__EXPORT void __kmpc_omp_task_complete_if0(const struct kmp_ident *where, int32_t number, struct kmp_task *handed_in)
{
	struct omp__thread *thread = omp__self();
	struct kmp__task *task = kmp__task_of(handed_in);

	(void)where;
	(void)number;
	if (task->again)
		run_parts(task);
	if (__builtin_expect(task->frame.tool != NULL, 0))
		complete_for_tool(thread, task);
	omp__task_return(&task->frame, thread);
	finish(thread, task);
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

OMP__EXPORT int32_t __kmpc_omp_taskwait(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	if (omp__tool_is_on())
		omp__taskwait_for_tool(omp__self(), OMP__TOOL_CALL());
	else
		omp__taskwait(omp__self());
	return 0;
}

OMP__EXPORT int32_t __kmpc_omp_taskyield(const struct kmp_ident *where, int32_t number, int end_part)
{
	(void)where;
	(void)number;
	(void)end_part;
	omp__taskyield(omp__self());
	return 0;
}

/* ---- events: the handle that the program gets is the task's own address ------------------------------------------ */

OMP__EXPORT void *__kmpc_task_allow_completion_event(const struct kmp_ident *where, int32_t number,
						     struct kmp_task *handed_in)
{
	struct kmp__task *task = kmp__task_of(handed_in);

	(void)where;
	(void)number;
	task->has_event = true;
	return task;
}

void kmp__event_fulfill(void *event);
void kmp__event_fulfill(void *event)
{
	struct kmp__task *task = event;

	if (__builtin_expect(task->frame.tool != NULL, 0))
		omp__tool_task_fulfilled(task->frame.tool, &task->event);
	omp_fulfill_event((omp_event_handle_t)task->handle);
	/* acq_rel: see finish() */
	if (atomic_fetch_or_explicit(&task->event, OMP__EVENT_FULFILLED, memory_order_acq_rel) & OMP__EVENT_RAN)
		put_task(omp__self(), task);
}

/* The body of a proxy task runs outside the runtime; a thread of the program calls this when the body has ended. */
OMP__EXPORT void __kmpc_proxy_task_completed_ooo(struct kmp_task *task)
{
	kmp__event_fulfill(kmp__task_of(task));
}

OMP__EXPORT void __kmpc_proxy_task_completed(int32_t number, struct kmp_task *task)
{
	(void)number;
	kmp__event_fulfill(kmp__task_of(task));
}

/* The affinity clause of a task is only a hint; this runtime ignores it. */
OMP__EXPORT int32_t __kmpc_omp_reg_task_with_affinity(const struct kmp_ident *where, int32_t number,
						      struct kmp_task *task, int32_t count, void *list)
{
	(void)where;
	(void)number;
	(void)task;
	(void)count;
	(void)list;
	return 0;
}

/*
 * Since LLVM 16 these tell LLVM's library for devices whether a target task can be taken up again when the device is
 * ready. If not, the library waits for the device within the task.
 */
OMP__EXPORT int32_t __kmpc_omp_has_task_team(int32_t number)
{
	(void)number;
	return 0;
}

OMP__EXPORT void **__kmpc_omp_get_target_async_handle_ptr(int32_t number)
{
	(void)number;
	return NULL;
}
