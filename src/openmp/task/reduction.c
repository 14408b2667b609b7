/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task reductions (OpenMP 5.2, 5.5.9 and 5.5.10).
 *
 * The compiler passes blocks of words, each with the list items of one construct. The taskgroup has a chain of blocks,
 * and a block that is registered becomes the first of it:
 *
 *	0	how many items
 *	1	bytes of one thread's private copies
 *	2	alignment; then the address of the copies of all threads
 *	3	allocator, or -1
 *	4	the next block, 0 at the end of what is registered; then the block that was first before
 *	5	unused by the compiler: the table of all items from here on, in the first block of a registration
 *	6	the end of the copies
 *	7…	for each item, by rising offset: its address, its offset in a thread's copies, and a word for the
 *		runtime: the item's block
 */
#include "openmp/task/reduction.h"
#include "openmp/abi/gomp_tasking.h"
#include "openmp/process/initial_thread.h"
#include "openmp/system/coscheduler.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/state/task_memory.h"
#include "openmp/task/taskgroup.h"
#include "openmp/team/barrier.h"
#include "openmp/team/members.h"
#include "openmp/team/tool_region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT, BYTES, COPIES, ALLOCATOR, NEXT, TABLE, END, ITEMS };
enum { ADDRESS, OFFSET, BLOCK, ITEM_WORDS };

/*
 * A hash table of all visible items; of those with one address it has the innermost. Open addressing, its capacity a
 * power of two.
 */
struct table {
	size_t capacity;
	size_t count;
	uintptr_t *items[];
};

static uintptr_t **probe(struct table *table, uintptr_t address)
{
	size_t at = (address * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & (table->capacity - 1);

	while (table->items[at] && table->items[at][ADDRESS] != address)
		at = (at + 1) & (table->capacity - 1);
	return &table->items[at];
}

static void insert(struct table *table, uintptr_t *item)
{
	uintptr_t **slot = probe(table, item[ADDRESS]);

	table->count += *slot == NULL;
	*slot = item;
}

/* The items of the old table, and room for `more`. */
static struct table *make_table(struct omp__thread *thread, const struct table *old, size_t more)
{
	size_t capacity = 8;
	struct table *table;

	while (capacity < 2 * (more + (old ? old->count : 0)))
		capacity *= 2;
	table = omp__memory_get(thread, sizeof(*table) + capacity * sizeof(table->items[0]));
	*table = (struct table){ .capacity = capacity };
	memset(table->items, 0, capacity * sizeof(table->items[0]));
	for (size_t i = 0; old && i < old->capacity; i++)
		if (old->items[i])
			insert(table, old->items[i]);
	return table;
}

/* In front of a block's copies lies the address at which their memory begins. */
static void allocate(struct omp__thread *thread, uintptr_t *block, unsigned threads)
{
	size_t bytes = block[BYTES] * threads;
	size_t align = block[COPIES] < sizeof(void *) ? sizeof(void *) : block[COPIES];
	char *memory = omp__memory_get(thread, sizeof(void *) + align + bytes);
	char *copies = memory + sizeof(void *);

	copies += -(uintptr_t)copies & (align - 1);
	((void **)copies)[-1] = memory;
	memset(copies, 0, bytes);
	block[COPIES] = (uintptr_t)copies;
	block[END] = block[COPIES] + bytes;
}

static void free_copies(struct omp__thread *thread, const uintptr_t *block)
{
	omp__memory_put(thread, ((void **)block[COPIES])[-1]);
}

/* `old` is the chain so far. `first` is what another thread registered for the same construct: its copies are shared.
 */
static void register_blocks(struct omp__thread *thread, uintptr_t *data, uintptr_t *old, const uintptr_t *first,
			    unsigned threads)
{
	const struct table *old_table = old ? (const struct table *)old[TABLE] : NULL;
	uintptr_t *block = data;
	struct table *table;
	size_t items = 0;

	for (;; block = (uintptr_t *)block[NEXT]) {
		if (first) {
			block[COPIES] = first[COPIES];
			block[END] = first[END];
			first = (const uintptr_t *)first[NEXT];
		} else {
			allocate(thread, block, threads);
		}
		block[TABLE] = 0;
		items += block[COUNT];
		if (!block[NEXT])
			break;
	}
	block[NEXT] = (uintptr_t)old;
	table = make_table(thread, old_table, items);
	for (block = data; block != old; block = (uintptr_t *)block[NEXT])
		for (size_t i = 0; i < block[COUNT]; i++) {
			uintptr_t *item = block + ITEMS + i * ITEM_WORDS;

			item[BLOCK] = (uintptr_t)block;
			insert(table, item);
		}
	data[TABLE] = (uintptr_t)table;
}

void omp__reductions_register(struct omp__thread *thread, uintptr_t *data)
{
	struct omp__taskgroup *group = thread->task->taskgroup;

	register_blocks(thread, data, group->reductions, NULL, thread->region->thread_count);
	group->reductions = data;
}

OMP__EXPORT void GOMP_taskgroup_reduction_register(uintptr_t *data)
{
	omp__reductions_register(omp__self(), data);
}

/* The copies of this registration: up to the block that has a table of its own. */
OMP__EXPORT void GOMP_taskgroup_reduction_unregister(uintptr_t *data)
{
	struct omp__thread *thread = omp__self();
	uintptr_t *block = data;

	omp__memory_put(thread, (void *)data[TABLE]);
	do {
		free_copies(thread, block);
		block = (uintptr_t *)block[NEXT];
	} while (block && !block[TABLE]);
}

static void fail(const void *address)
{
	fprintf(stderr,
		"libferryomp: no task reduction is in effect for %p; give its construct task_reduction or "
		"reduction(task, …)\n",
		address);
	abort();
}

/* The block whose copies hold the address. */
static uintptr_t *block_of(uintptr_t *data, uintptr_t address)
{
	uintptr_t *block = data;

	while (block && (address < block[COPIES] || address >= block[END]))
		block = (uintptr_t *)block[NEXT];
	if (!block)
		fail((void *)address);
	return block;
}

static uintptr_t item_at(const uintptr_t *block, uintptr_t offset, uintptr_t address)
{
	size_t low = 0;
	size_t high = block[COUNT];

	while (low < high) {
		size_t middle = (low + high) / 2;
		const uintptr_t *item = block + ITEMS + middle * ITEM_WORDS;

		if (item[OFFSET] == offset)
			return item[ADDRESS];
		if (item[OFFSET] < offset)
			low = middle + 1;
		else
			high = middle;
	}
	fail((void *)address);
	return 0;
}

/*
 * Each of the `count` addresses is that of a list item, or of some thread's copy of one: it becomes the address of this
 * thread's copy. The first `originals` of them also want the item's own address, behind all.
 */
OMP__EXPORT void GOMP_task_reduction_remap(size_t count, size_t originals, void **addresses)
{
	struct omp__thread *thread = omp__self();
	uintptr_t num = thread->region->thread_num;
	uintptr_t *data = thread->task->taskgroup ? thread->task->taskgroup->reductions : NULL;

	for (size_t i = 0; i < count; i++) {
		uintptr_t address = (uintptr_t)addresses[i];
		uintptr_t *item = data ? *probe((struct table *)data[TABLE], address) : NULL;
		uintptr_t *block = item ? (uintptr_t *)item[BLOCK] : block_of(data, address);
		uintptr_t offset = item ? item[OFFSET] : (address - block[COPIES]) % block[BYTES];

		addresses[i] = (void *)(block[COPIES] + num * block[BYTES] + offset);
		if (i < originals)
			addresses[count + i] = (void *)(item ? address : item_at(block, offset, address));
	}
}

/* ---- parallel and worksharing constructs ------------------------------------------------------------------------- */

struct omp__taskgroup *omp__reductions_parallel(uintptr_t *data, unsigned threads)
{
	struct omp__thread *thread = omp__self();
	struct omp__taskgroup *group = omp__memory_get(thread, sizeof(*group));

	*group = (struct omp__taskgroup){ .reductions = data };
	register_blocks(thread, data, NULL, NULL, threads);
	return group;
}

void omp__reductions_parallel_end(struct omp__taskgroup *group)
{
	omp__memory_put(omp__self(), group);
}

/* Such regions are rare, so they take the general way: the region gets the taskgroup, and loses it after the join. */
static unsigned run_reductions(void (*code)(void *), void (*fn)(void *), void *data, uintptr_t *reductions,
			       unsigned threads, unsigned flags)
{
	struct omp__thread *thread = omp__self();
	unsigned size = omp__team_size(thread, threads, code);
	struct omp__team *team = size > 1 ? omp__team_take(thread, &size, flags) : NULL;
	struct omp__taskgroup *taskgroup;
	struct omp__region region;

	if (!team)
		size = 1;
	omp__region_enter(thread, size);
	taskgroup = omp__reductions_parallel(reductions, size);
	if (team) {
		team->taskgroup = taskgroup;
		omp__team_begin(thread, team, fn, data, flags);
		fn(data);
		omp__team_end(thread, team);
		team->taskgroup = NULL;
		omp__group_give(thread, size);
	} else {
		omp__alone_begin(thread, &region, flags);
		region.implicit.taskgroup = taskgroup;
		fn(data);
		omp__alone_end(thread, &region);
	}
	omp__reductions_parallel_end(taskgroup);
	omp__region_leave(thread);
	return size;
}

static unsigned run_for_tool(void (*fn)(void *), void *data, unsigned threads, unsigned flags,
			     struct omp__tool_call call)
{
	struct omp__tool_watched watched = { fn, data, { .call = call, .flags = ompt_parallel_invoker_program } };
	struct omp__thread *thread = omp__self();
	unsigned size;

	omp__tool_watch(thread, &watched, threads);
	size = run_reductions(fn, omp__tool_run_watched, &watched, *(uintptr_t **)data, threads, flags);
	omp__tool_unwatch(thread, &watched);
	return size;
}

unsigned omp__team_run_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags,
				  struct omp__tool_call call)
{
	omp__self();
	if (omp__tool_is_on())
		return run_for_tool(fn, data, threads, flags, call);
	return run_reductions(fn, fn, data, *(uintptr_t **)data, threads, flags);
}

void omp__reductions_workshare(struct omp__thread *thread, uintptr_t *data, uintptr_t *first)
{
	struct omp__taskgroup *group;

	omp__taskgroup_start(thread);
	group = thread->task->taskgroup;
	group->workshare = true;
	register_blocks(thread, data, group->reductions, first, thread->region->thread_count);
	group->reductions = data;
}

OMP__EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
	struct omp__thread *thread = omp__self();
	uintptr_t *data = thread->task->taskgroup->reductions;

	omp__taskgroup_end(thread);
	if (thread->region->thread_num == 0)
		GOMP_taskgroup_reduction_unregister(data);
	else
		omp__memory_put(thread, (void *)data[TABLE]);
	if (!cancelled)
		omp__barrier_here(thread, false, ompt_sync_region_barrier_implicit_workshare);
}
