/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taskloops. The compiled code fills one task; each part of the loop is a copy of that task with bounds of its own,
 * which lie among the private variables. Where memcpy is not enough to copy these, the program passes a function that
 * copies them.
 */
#include "openmp/kmp/task.h"
#include "openmp/process/initial_thread.h"
#include "openmp/kmp/loop_bounds.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/thread_state.h"
#include "openmp/task/taskgroup.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Which clause the construct has. */
enum { NO_CLAUSE, GRAINSIZE, NUM_TASKS };

/* Without a clause the loop has this many parts for each member. */
#define PARTS_EACH 10

typedef void (*copy_task)(struct kmp_task *to, struct kmp_task *from, int32_t is_last);

/* `count` parts of `size` iterations each; the first `longer` parts have one iteration more. */
struct parts {
	uint64_t count;
	uint64_t size;
	uint64_t longer;
};

static struct parts cut(uint64_t iterations, int32_t clause, uint64_t value, bool strict, unsigned threads)
{
	struct parts parts = { .count = value };

	if (clause == NO_CLAUSE || value == 0)
		parts.count = (uint64_t)threads * PARTS_EACH;
	else if (clause == GRAINSIZE && strict)
		return (struct parts){ .count = (iterations - 1) / value + 1, .size = value };
	else if (clause == GRAINSIZE)
		parts.count = iterations / value;
	if (parts.count > iterations)
		parts.count = iterations;
	if (parts.count == 0)
		parts.count = 1;
	parts.size = iterations / parts.count;
	parts.longer = iterations % parts.count;
	return parts;
}

static struct kmp__task *copy_of(struct omp__thread *thread, const struct kmp__task *of)
{
	struct kmp__task *task = kmp__task_get(thread, of->bytes);

	task->flags = of->flags;
	memcpy(&task->task, &of->task, of->bytes);
	if (of->task.shareds)
		task->task.shareds = (char *)&task->task + ((char *)of->task.shareds - (char *)&of->task);
	return task;
}

struct taskloop {
	struct kmp__task *of;
	ptrdiff_t low_at, high_at; /* where the bounds are in the task */
	uint64_t low, high;
	int64_t step;
	uint64_t iterations;
	copy_task copy;
	bool if_clause;
	struct omp__tool_call call;
};

static void make_parts(struct omp__thread *thread, const struct taskloop *loop, struct parts parts)
{
	uint64_t first = 0;

	for (uint64_t i = 0; i < parts.count; i++) {
		bool is_last = i + 1 == parts.count;
		/* with a strict grain the last part has what is left */
		uint64_t size = is_last ? loop->iterations - first : parts.size + (i < parts.longer);
		struct kmp__task *task = copy_of(thread, loop->of);
		char *base = (char *)&task->task;

		*(uint64_t *)(base + loop->low_at) = loop->low + first * (uint64_t)loop->step;
		*(uint64_t *)(base + loop->high_at) = loop->low + (first + size - 1) * (uint64_t)loop->step;
		task->is_part = omp__tool_is_on();
		task->part = (ompt_dispatch_chunk_t){ loop->low + first * (uint64_t)loop->step, size };
		if (loop->copy)
			loop->copy(&task->task, &loop->of->task, is_last);
		kmp__task_start(thread, task, NULL, loop->if_clause, loop->call);
		first += size;
	}
}

static void run_taskloop(struct kmp_task *handed_in, bool if_clause, uint64_t *low, uint64_t *high, int64_t step,
			 bool nogroup, int32_t clause, uint64_t value, bool strict, copy_task copy,
			 struct omp__tool_call call)
{
	struct omp__thread *thread = omp__self();
	struct taskloop loop = {
		.of = kmp__task_of(handed_in),
		.low_at = (char *)low - (char *)handed_in,
		.high_at = (char *)high - (char *)handed_in,
		.low = *low,
		.high = *high,
		.step = step,
		.copy = copy,
		.if_clause = if_clause,
		.call = call,
	};

	/*
	 * not empty, because compiled code enters no empty loop; bounds of a signed type were widened with their sign
	 */
	loop.iterations = kmp__count(false, *low, *high, step);
	if (!nogroup)
		omp__taskgroup_start_here(thread, call);
	if (omp__tool_is_on())
		omp__tool_work(thread, ompt_work_taskloop, ompt_scope_begin, loop.iterations, call.code);
	if (loop.iterations)
		make_parts(thread, &loop, cut(loop.iterations, clause, value, strict, thread->region->thread_count));
	if (omp__tool_is_on())
		omp__tool_work(thread, ompt_work_taskloop, ompt_scope_end, loop.iterations, call.code);
	if (!nogroup)
		omp__taskgroup_end_here(thread, call);
	/* destroy what the compiled code constructed for the first task */
	if (loop.of->flags & KMP_TASK_DESTRUCTORS)
		handed_in->first.destructors(0, handed_in);
	omp__memory_put(thread, loop.of);
}

OMP__EXPORT void __kmpc_taskloop(const struct kmp_ident *where, int32_t number, struct kmp_task *task,
				 int32_t if_clause, uint64_t *low, uint64_t *high, int64_t step, int32_t nogroup,
				 int32_t clause, uint64_t value, copy_task copy)
{
	(void)where;
	(void)number;
	run_taskloop(task, if_clause, low, high, step, nogroup, clause, value, false, copy, OMP__TOOL_CALL());
}

OMP__EXPORT void __kmpc_taskloop_5(const struct kmp_ident *where, int32_t number, struct kmp_task *task,
				   int32_t if_clause, uint64_t *low, uint64_t *high, int64_t step, int32_t nogroup,
				   int32_t clause, uint64_t value, int32_t strict, copy_task copy)
{
	(void)where;
	(void)number;
	run_taskloop(task, if_clause, low, high, step, nogroup, clause, value, strict, copy, OMP__TOOL_CALL());
}
