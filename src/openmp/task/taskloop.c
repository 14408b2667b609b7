/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taskloops (OpenMP 5.2, 12.6): how many tasks, of how many iterations each, and how threads get them.
 *
 * The construct's tasks are called parts here. Parts that wait are not one task each, but lie in ranges: a range is one
 * deferred task that stands for many parts and runs them one after the other. A thread whose deque is empty, so that
 * a thief would find nothing, splits the back half of its range off before it goes on (lazy binary splitting:
 * Tzannes, Caragea, Barua, Vishkin 2010). Without thieves n parts cost log2(n) tasks, and a thief gets half of what
 * is left by one steal.
 *
 * The compiler's data begins with the first iteration and the end of a part, and for a reduction the address of what is
 * to be registered.
 */
#include "openmp/task/taskloop.h"
#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/family.h"
#include "openmp/scheduler/task.h"
#include "openmp/scheduler/undeferred.h"
#include "openmp/state/deque.h"
#include "openmp/state/task_memory.h"
#include "openmp/task/create.h"
#include "openmp/task/reduction.h"
#include "openmp/task/taskgroup.h"

#include "thread/clock.h"

#include <string.h>

enum {
	/* Work that is worth a thief: fetching takes some round trips of cache lines, of about 100 ns each. */
	WORTH_NS = 1000,
	/*
	 * A part may turn out longer than those by which the grain was chosen; it holds up no more than so many
	 * others.
	 */
	GRAIN_MAX = 16,
	/* Parts between two looks at the clock, which costs some 25 ns. */
	CLOCK_EVERY = 128,
	/* So many parts for each member, so that the first ones hardly delay the others if they are long. */
	MANY_PER_MEMBER = 32,
};

/* `tasks` parts: the first `longer` have `size` + 1 iterations, the others `size`; the last ends where the loop does.
 */
struct parts {
	uint64_t tasks;
	uint64_t size;
	uint64_t longer;
};

static struct parts even(uint64_t count, uint64_t tasks)
{
	return (struct parts){ tasks, count / tasks, count % tasks };
}

static struct parts cut(uint64_t count, unsigned flags, uint64_t wanted, unsigned threads)
{
	if (!(flags & OMP__TASK_GRAINSIZE)) {
		uint64_t tasks = wanted ? wanted : threads;

		return even(count, tasks < count ? tasks : count);
	}
	if (flags & OMP__TASK_STRICT)
		return (struct parts){ (count - 1) / wanted + 1, wanted, 0 };
	/* Parts of at least the grain and less than twice the grain. */
	return even(count, count / wanted ? count / wanted : 1);
}

/* What a copy function made: the data of every part, in memory of its own that does not move. */
struct copies {
	/* Parts that have not ended: the thread that ends the last one frees this. */
	_Atomic uint64_t left;
	size_t stride;
	char *data;
};

/* Parts i … end - 1 of a loop. Its task has a copy of this for itself. */
struct range {
	void (*fn)(void *data);
	struct omp__taskloop loop;
	struct parts parts;
	uint64_t i;
	uint64_t end;
	/* It may be split into halves of no fewer parts; 0: not at all. */
	uint64_t grain;
	/* The family of the task that met the construct; NULL while that task is the parent of the current one. */
	struct omp__family *of;
	/* NULL: the parts use `data` one after the other. */
	struct copies *copies;
	char *data;
	size_t bytes;
	size_t align;
	unsigned flags;
	int priority;
	bool final;
	char space[];
};

/* What the compiler's data begins with. */
struct bounds {
	uint64_t first;
	uint64_t end;
};

static uint64_t first_of(const struct range *range, uint64_t i)
{
	uint64_t longer = i < range->parts.longer ? i : range->parts.longer;

	return range->loop.first + (i * range->parts.size + longer) * range->loop.step;
}

static void *next_data(struct range *range)
{
	char *data = range->copies ? range->copies->data + range->i * range->copies->stride : range->data;
	struct bounds *bounds = (struct bounds *)data;

	bounds->first = first_of(range, range->i++);
	/* The loop's own end: one step further might not be a number of the loop's type. */
	bounds->end = range->i == range->parts.tasks ? range->loop.end : first_of(range, range->i);
	return data;
}

/* The task that has the data calls its destructors, so that task must not be dropped by a cancellation. */
static bool is_discarded(const struct omp__thread *thread, const struct range *range)
{
	return omp__globals.cancellation && !range->copies && omp__task_discarded(thread, thread->task->taskgroup);
}

/* One frame serves several parts; it is made anew only after a part that left something in it. */
static void run_parts(struct omp__thread *thread, struct range *range, uint64_t count)
{
	struct copies *copies = range->copies;
	struct omp__task frame;

	omp__task_enter(&frame, thread, range->final, range->flags & OMP__TASK_UNTIED);
	for (uint64_t k = 0; k < count && !is_discarded(thread, range); k++) {
		range->fn(next_data(range));
		if (__builtin_expect(frame.family || frame.icv_allocated, 0)) {
			omp__task_return(&frame, thread);
			omp__task_enter(&frame, thread, range->final, range->flags & OMP__TASK_UNTIED);
		}
	}
	omp__task_return(&frame, thread);
	/* acq_rel: the other parts' last use of the memory comes before it is freed */
	if (copies && atomic_fetch_sub_explicit(&copies->left, count, memory_order_acq_rel) == count)
		omp__memory_put(thread, copies);
}

/* ---- ranges as tasks -----------------------------------------------------------------------------------------------
 */

static void run_range(struct omp__thread *thread, struct range *range);

static void run_range_task(void *data)
{
	run_range(omp__self(), data);
}

static void copy_range(void *to, void *from)
{
	const struct range *old = from;
	struct range *range = to;

	*range = *old;
	if (old->copies)
		return;
	range->data = range->space + (-(uintptr_t)range->space & (old->align - 1));
	memcpy(range->data, old->data, old->bytes);
}

static struct omp__task_order order_of(struct range *range)
{
	return (struct omp__task_order){ .fn = run_range_task,
					 .data = range,
					 .copy = copy_range,
					 .bytes = sizeof(*range) + (range->copies ? 0 : range->bytes + range->align),
					 .align = _Alignof(struct range),
					 .flags = range->flags,
					 .if_clause = true,
					 .priority = range->priority };
}

/* The current task's only children are parts, so a range split off it is its sibling. */
static void split(struct omp__thread *thread, struct range *range)
{
	struct range half = *range;
	struct omp__task_order order = order_of(&half);

	if (!range->of)
		range->of = omp__family_of(thread, thread->task->parent);
	half.of = range->of;
	half.i += (range->end - range->i) / 2;
	range->end = half.i;
	omp__task_defer_beside(thread, &order, range->of);
}

/* Run a range in a task of its own, or in a frame of its own. */
static void run_range(struct omp__thread *thread, struct range *range)
{
	uint64_t step = range->grain ? range->grain : 1;

	while (range->i < range->end && !is_discarded(thread, range)) {
		uint64_t left = range->end - range->i;

		if (range->grain && left / 2 >= range->grain && omp__deque_filled(&thread->task->crew->deque) == 0)
			split(thread, range);
		else
			run_parts(thread, range, left < step ? left : step);
	}
}

/* ---- for a tool ----------------------------------------------------------------------------------------------------
 *
 * Each part is a task of its own, as the tool is to see it.
 */

/* A part whose data a copy function made. */
struct copied_part {
	void (*fn)(void *data);
	void *data;
	struct copies *copies;
};

static void run_copied_part(void *opaque)
{
	struct copied_part *part = opaque;

	part->fn(part->data);
	/* acq_rel: the other parts' last use of the memory comes before it is freed */
	if (atomic_fetch_sub_explicit(&part->copies->left, 1, memory_order_acq_rel) == 1)
		omp__memory_put(omp__self(), part->copies);
}

static OMP__TOOL_ONLY void make_tasks_for_tool(struct omp__thread *thread, struct range *range,
					       const struct omp__task_order *construct)
{
	struct omp__task_order order = {
		.fn = range->fn,
		.bytes = range->bytes,
		.align = range->align,
		.flags = range->flags,
		.if_clause = construct->if_clause,
		.priority = range->priority,
		.call = construct->call,
	};

	omp__tool_work(thread, ompt_work_taskloop, ompt_scope_begin, range->loop.count, construct->call.code);
	while (range->i < range->end && !is_discarded(thread, range)) {
		struct copied_part part = { range->fn, NULL, range->copies };

		order.data = part.data = next_data(range);
		if (range->copies) {
			order.fn = run_copied_part;
			order.data = &part;
			order.bytes = sizeof(part);
			order.align = _Alignof(struct copied_part);
		}
		omp__task_create(thread, &order);
	}
	omp__tool_work(thread, ompt_work_taskloop, ompt_scope_end, range->loop.count, construct->call.code);
}

/* ---- the construct -------------------------------------------------------------------------------------------------
 */

/* Run parts at once until it is known how long they take, and what a thief should fetch at least. */
static void choose_grain(struct omp__thread *thread, struct range *range)
{
	uint64_t count = 1;
	uint64_t then = thread__now_ns();

	while (range->i < range->end && !is_discarded(thread, range)) {
		uint64_t left = range->end - range->i;
		uint64_t now;

		count = count < left ? count : left;
		run_parts(thread, range, count);
		left -= count;
		now = thread__now_ns();
		/* The first part fetches what it needs; the others tell more. */
		if (count > 1 || now - then > WORTH_NS) {
			uint64_t each_ns = (now - then) / count + 1;

			if (each_ns * left >= UINT64_C(2) * WORTH_NS || each_ns > WORTH_NS) {
				range->grain = WORTH_NS / each_ns + 1;
				if (range->grain > GRAIN_MAX)
					range->grain = GRAIN_MAX;
				return;
			}
		}
		then = now;
		count = count < CLOCK_EVERY ? 2 * count : count;
	}
}

static void make_tasks(struct omp__thread *thread, struct range *range, bool if_clause, bool group)
{
	struct omp__task *task = thread->task;
	struct omp__crew *crew = task->crew ? task->crew : omp__task_attach(thread, task);
	unsigned size = crew->team ? crew->team->size : 1;
	struct omp__task frame;

	range->final = task->final || (range->flags & OMP__TASK_FINAL);
	if (!if_clause || task->final || size == 1) {
		run_parts(thread, range, range->end);
		return;
	}
	range->grain = 1;
	if (range->parts.tasks >= (uint64_t)MANY_PER_MEMBER * size && !(range->flags & OMP__TASK_PRIORITY))
		choose_grain(thread, range);
	if (range->i == range->end)
		return;
	if (group && !(range->flags & OMP__TASK_PRIORITY)) {
		/* The construct waits for its tasks at its end, so this thread may run the first of them now. */
		omp__task_enter(&frame, thread, range->final, range->flags & OMP__TASK_UNTIED);
		run_range(thread, range);
		omp__task_return(&frame, thread);
	} else {
		struct omp__task_order order = order_of(range);

		range->of = omp__family_of(thread, task);
		omp__task_create(thread, &order);
	}
}

/* A copy function reads the program's variables, which a task may change: all copies come before the first task runs.
 */
static struct copies *make_copies(struct omp__thread *thread, const struct omp__task_order *order, uint64_t tasks)
{
	size_t align = order->align > 16 ? order->align : 16;
	size_t stride = (order->bytes + align - 1) & ~(align - 1);
	struct copies *copies = omp__memory_get(thread, sizeof(*copies) + stride * tasks + align);

	atomic_init(&copies->left, tasks);
	copies->stride = stride;
	copies->data = (char *)(copies + 1);
	copies->data += -(uintptr_t)copies->data & (align - 1);
	for (uint64_t i = 0; i < tasks; i++)
		order->copy(copies->data + i * stride, order->data);
	return copies;
}

void omp__taskloop(struct omp__thread *thread, const struct omp__task_order *order, const struct omp__taskloop *loop,
		   unsigned long tasks)
{
	bool group = !(order->flags & OMP__TASK_NOGROUP);
	uintptr_t *reductions = (order->flags & OMP__TASK_REDUCTION) && group ? ((uintptr_t **)order->data)[2] : NULL;
	struct range range = { .fn = order->fn,
			       .loop = *loop,
			       .data = order->data,
			       .bytes = order->bytes,
			       .align = order->align ? order->align : 1 };

	if (loop->count == 0 || (omp__globals.cancellation && omp__task_discarded(thread, NULL))) {
		/* The compiler's code ends the registration after the loop, so there has to be one. */
		if (reductions)
			reductions[2] = 0;
		return;
	}
	range.parts = cut(loop->count, order->flags, tasks, thread->region->thread_count);
	range.end = range.parts.tasks;
	range.flags = order->flags & (OMP__TASK_UNTIED | OMP__TASK_FINAL | OMP__TASK_MERGEABLE);
	if (order->priority > 0 && omp__globals.max_task_priority > 0) {
		range.flags |= OMP__TASK_PRIORITY;
		range.priority = order->priority;
	}
	if (group)
		omp__taskgroup_start_here(thread, order->call);
	if (reductions)
		omp__reductions_register(thread, reductions);
	if (order->copy) {
		range.copies = make_copies(thread, order, range.parts.tasks);
		range.flags |= OMP__TASK_COPIED;
	}
	if (omp__tool_is_on())
		make_tasks_for_tool(thread, &range, order);
	else
		make_tasks(thread, &range, order->if_clause, group);
	if (group)
		omp__taskgroup_end_here(thread, order->call);
}
