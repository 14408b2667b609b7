/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taskloops (OpenMP 5.2, 12.6): how many tasks, of how many iterations each, and their creation.
 *
 * The compiler's data begins with the first iteration and the end of a task's part, and for a reduction the address of
 * what is to be registered.
 */
#include "taskloop.h"
#include "task_run.h"
#include "thread.h"

#include <string.h>

/* `tasks` parts: the first `longer` have `size` + 1 iterations, the others `size`; with `last`, the last has that many.
 */
struct parts {
	uint64_t tasks;
	uint64_t size;
	uint64_t longer;
	uint64_t last;
};

static struct parts even(uint64_t count, uint64_t tasks)
{
	return (struct parts){ tasks, count / tasks, count % tasks, 0 };
}

static struct parts cut(uint64_t count, unsigned flags, uint64_t wanted, unsigned threads)
{
	if (!(flags & OMP__TASK_GRAINSIZE)) {
		uint64_t tasks = wanted ? wanted : threads;

		return even(count, tasks < count ? tasks : count);
	}
	if (flags & OMP__TASK_STRICT) {
		uint64_t tasks = (count - 1) / wanted + 1;

		return (struct parts){ tasks, wanted, 0, count - (tasks - 1) * wanted };
	}
	/* Parts of at least the grain and less than twice the grain. */
	return even(count, count / wanted ? count / wanted : 1);
}

static uint64_t part_size(const struct parts *parts, uint64_t i)
{
	if (parts->last)
		return i + 1 == parts->tasks ? parts->last : parts->size;
	return parts->size + (i < parts->longer);
}

struct bounds {
	uint64_t first;
	uint64_t end;
};

static struct bounds next_part(const struct omp__taskloop *loop, const struct parts *parts, uint64_t i, uint64_t *first)
{
	struct bounds bounds = { .first = *first };

	*first += part_size(parts, i) * loop->step;
	/* The loop's own end: one step further might not be a number of the loop's type. */
	bounds.end = i + 1 == parts->tasks ? loop->end : *first;
	return bounds;
}

/* Nothing is copied but bytes, so each task can be made when the one before may have run. */
static void create_plain(struct omp__thread *thread, const struct omp__task_order *order,
			 const struct omp__taskloop *loop, const struct parts *parts)
{
	uint64_t first = loop->first;

	for (uint64_t i = 0; i < parts->tasks; i++) {
		*(struct bounds *)order->data = next_part(loop, parts, i, &first);
		omp__task_create(thread, order);
	}
}

/* A copy function reads the program's variables, which a task may change: all copies come before the first task runs.
 */
static void create_copied(struct omp__thread *thread, const struct omp__task_order *order,
			  const struct omp__taskloop *loop, const struct parts *parts)
{
	struct omp__task_order copied = *order;
	size_t align = order->align > 16 ? order->align : 16;
	size_t bytes = (order->bytes + align - 1) & ~(align - 1);
	char *space = omp__memory_get(thread, bytes * parts->tasks + align);
	char *data = space + (-(uintptr_t)space & (align - 1));
	uint64_t first = loop->first;

	for (uint64_t i = 0; i < parts->tasks; i++) {
		order->copy(data + i * bytes, order->data);
		*(struct bounds *)(data + i * bytes) = next_part(loop, parts, i, &first);
	}
	copied.copy = NULL;
	copied.flags |= OMP__TASK_COPIED;
	for (uint64_t i = 0; i < parts->tasks; i++) {
		copied.data = data + i * bytes;
		omp__task_create(thread, &copied);
	}
	omp__memory_put(thread, space);
}

void omp__taskloop(struct omp__thread *thread, const struct omp__task_order *order, const struct omp__taskloop *loop,
		   unsigned long tasks)
{
	bool group = !(order->flags & OMP__TASK_NOGROUP);
	uintptr_t *reductions = (order->flags & OMP__TASK_REDUCTION) && group ? ((uintptr_t **)order->data)[2] : NULL;
	struct omp__task_order each = *order;
	struct parts parts;

	if (loop->count == 0 || (omp__globals.cancellation && omp__task_discarded(thread, NULL))) {
		/* So that the compiler's code does not end a registration that never was. */
		if (reductions)
			reductions[2] = 0;
		return;
	}
	parts = cut(loop->count, order->flags, tasks, thread->region->thread_count);
	if (group)
		omp__taskgroup_start(thread);
	if (reductions)
		omp__reductions_register(thread, reductions);
	each.flags &= OMP__TASK_UNTIED | OMP__TASK_FINAL | OMP__TASK_MERGEABLE | OMP__TASK_PRIORITY;
	if (each.priority > 0)
		each.flags |= OMP__TASK_PRIORITY;
	if (order->copy)
		create_copied(thread, &each, loop, &parts);
	else
		create_plain(thread, &each, loop, &parts);
	if (group)
		omp__taskgroup_end(thread);
}
