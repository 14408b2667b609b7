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

enum {
	/* Taking a task from another thread's deque takes some round trips of cache lines, of about 100 ns each. */
	SHORT_NS = 250,
	/* Parts between two looks at the clock, which costs some 25 ns. */
	CLOCK_EVERY = 128,
	MANY_PER_MEMBER = 32,
};

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

/* The loop while it is being made into tasks. */
struct maker {
	struct omp__thread *thread;
	const struct omp__task_order *order;
	const struct omp__taskloop *loop;
	struct parts parts;
	/* The next part, and its first iteration. */
	uint64_t i;
	uint64_t first;
	/* Each part has data of its own, so many bytes further; 0 when all use the same. */
	size_t stride;
};

/* The data of the next part. */
static void *next_data(struct maker *maker)
{
	char *data = (char *)maker->order->data + maker->i * maker->stride;

	*(struct bounds *)data = next_part(maker->loop, &maker->parts, maker->i, &maker->first);
	maker->i++;
	return data;
}

/* One frame serves them all, made anew only after a part that left something in it. */
static void run_parts(struct maker *maker, uint64_t count, bool final)
{
	struct omp__thread *thread = maker->thread;
	struct omp__task frame;

	omp__task_enter(&frame, thread, final);
	for (; count > 0; count--) {
		maker->order->fn(next_data(maker));
		if (__builtin_expect(frame.family || frame.icv_allocated, 0)) {
			omp__task_return(&frame, thread);
			omp__task_enter(&frame, thread, final);
		}
	}
	omp__task_return(&frame, thread);
}

/*
 * Run parts at once for as long as they are so short that a thief would spend more on fetching one. Only in a loop of
 * so many parts that the first ones hardly delay the others, should they be long.
 */
static void run_short_parts(struct maker *maker, bool final)
{
	uint64_t count = 1;
	uint64_t then = omp__host_now_ns();

	while (maker->i < maker->parts.tasks) {
		uint64_t left = maker->parts.tasks - maker->i;
		uint64_t now;

		count = count < left ? count : left;
		run_parts(maker, count, final);
		now = omp__host_now_ns();
		if (now - then > count * SHORT_NS)
			return;
		then = now;
		count = count < CLOCK_EVERY ? 2 * count : count;
	}
}

static void make_tasks(struct maker *maker)
{
	struct omp__task_order each = *maker->order;
	struct omp__task *task = maker->thread->task;
	struct omp__crew *crew = task->crew ? task->crew : omp__task_attach(maker->thread, task);
	unsigned size = crew->team ? crew->team->size : 1;
	bool final = task->final || (each.flags & OMP__TASK_FINAL);

	if (!omp__globals.cancellation && (!each.if_clause || task->final || size == 1))
		run_parts(maker, maker->parts.tasks, final);
	else if (!omp__globals.cancellation && maker->parts.tasks >= (uint64_t)MANY_PER_MEMBER * size)
		run_short_parts(maker, final);
	while (maker->i < maker->parts.tasks) {
		each.data = next_data(maker);
		omp__task_create(maker->thread, &each);
	}
}

/* A copy function reads the program's variables, which a task may change: all copies come before the first task runs.
 */
static void make_copied_tasks(struct maker *maker)
{
	const struct omp__task_order *order = maker->order;
	struct omp__task_order copied = *order;
	struct maker with_copies = *maker;
	size_t align = order->align > 16 ? order->align : 16;
	size_t bytes = (order->bytes + align - 1) & ~(align - 1);
	char *space = omp__memory_get(maker->thread, bytes * maker->parts.tasks + align);
	char *data = space + (-(uintptr_t)space & (align - 1));

	for (uint64_t i = 0; i < maker->parts.tasks; i++)
		order->copy(data + i * bytes, order->data);
	copied.copy = NULL;
	copied.flags |= OMP__TASK_COPIED;
	copied.data = data;
	with_copies.order = &copied;
	with_copies.stride = bytes;
	make_tasks(&with_copies);
	omp__memory_put(maker->thread, space);
}

void omp__taskloop(struct omp__thread *thread, const struct omp__task_order *order, const struct omp__taskloop *loop,
		   unsigned long tasks)
{
	bool group = !(order->flags & OMP__TASK_NOGROUP);
	uintptr_t *reductions = (order->flags & OMP__TASK_REDUCTION) && group ? ((uintptr_t **)order->data)[2] : NULL;
	struct omp__task_order each = *order;
	struct maker maker = { .thread = thread, .order = &each, .loop = loop, .first = loop->first };

	if (loop->count == 0 || (omp__globals.cancellation && omp__task_discarded(thread, NULL))) {
		/* So that the compiler's code does not end a registration that never was. */
		if (reductions)
			reductions[2] = 0;
		return;
	}
	maker.parts = cut(loop->count, order->flags, tasks, thread->region->thread_count);
	if (group)
		omp__taskgroup_start(thread);
	if (reductions)
		omp__reductions_register(thread, reductions);
	each.flags &= OMP__TASK_UNTIED | OMP__TASK_FINAL | OMP__TASK_MERGEABLE | OMP__TASK_PRIORITY;
	if (each.priority > 0)
		each.flags |= OMP__TASK_PRIORITY;
	if (order->copy)
		make_copied_tasks(&maker);
	else
		make_tasks(&maker);
	if (group)
		omp__taskgroup_end(thread);
}
