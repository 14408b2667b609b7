/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taskgroups, and reductions over their tasks. A member gets its own copy of a list item when one of the tasks that it
 * runs first asks for it. When the group's tasks have ended, all copies are combined into the item.
 *
 * For reduction(task, …) on a parallel or worksharing construct, each member opens a taskgroup, and these taskgroups
 * share one set of copies. A member's list items are its private variables. The last member to end its taskgroup
 * combines all copies into its own private variables; the construct's ordinary reduction then combines the members'
 * private variables.
 */
#include "openmp/abi/gomp_tasking.h"
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/team_state.h"
#include "openmp/state/workshares.h"
#include "openmp/system/no_memory.h"
#include "openmp/task/taskgroup.h"
#include "openmp/worksharing/workshare.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Code of compilers before LLVM 8 has initialisers that do not get the original. */
union init {
	void (*plain)(void *copy);
	void (*from)(void *copy, void *original);
};

struct item {
	void *original;
	size_t bytes;
	union init init;
	void (*fini)(void *copy);
	void (*combine)(void *shared, void *copy);
	/*
	 * A copy for each member, NULL until the member asks for it. Only that member writes the pointer; others
	 * compare it with an address.
	 */
	_Atomic(void *) *copies;
};

/* The items and their copies: of one taskgroup, or shared by the taskgroups of a construct's members. */
struct items {
	_Atomic uint32_t users;
	bool knows_original;
	uint32_t count;
	uint32_t members;
	struct item item[];
};

/* What each taskgroup has for itself: its items, and the addresses under which its tasks ask for them. */
struct kmp__reductions {
	struct items *items;
	void *shared[];
};

static struct items *make_items(struct omp__thread *thread, int32_t count, const struct kmp_reduction *list,
				const struct kmp_reduction_old *old, unsigned users)
{
	unsigned members = thread->region->thread_count;
	struct items *items = omp__memory_get(thread, sizeof(*items) + (size_t)count * sizeof(items->item[0]));

	atomic_init(&items->users, users);
	items->knows_original = list != NULL;
	items->count = (uint32_t)count;
	items->members = members;
	for (int32_t i = 0; i < count; i++) {
		struct item *item = &items->item[i];

		if (list)
			*item = (struct item){ list[i].original, list[i].bytes,	  { .from = list[i].init },
					       list[i].fini,	 list[i].combine, NULL };
		else
			*item = (struct item){ old[i].shared, old[i].bytes,   { .plain = old[i].init },
					       old[i].fini,   old[i].combine, NULL };
		item->copies = omp__memory_get(thread, members * sizeof(item->copies[0]));
		memset((void *)item->copies, 0, members * sizeof(item->copies[0]));
	}
	return items;
}

static void enter(struct omp__thread *thread, struct items *items, const struct kmp_reduction *list,
		  const struct kmp_reduction_old *old)
{
	struct kmp__reductions *reductions =
		omp__memory_get(thread, sizeof(*reductions) + items->count * sizeof(void *));

	reductions->items = items;
	for (uint32_t i = 0; i < items->count; i++)
		reductions->shared[i] = list ? list[i].shared : old[i].shared;
	thread->task->taskgroup->kmp_reductions = reductions;
}

OMP__EXPORT void *__kmpc_taskred_init(int32_t number, int32_t count, const struct kmp_reduction *list)
{
	struct omp__thread *thread = omp__self();

	(void)number;
	enter(thread, make_items(thread, count, list, NULL, 1), list, NULL);
	return thread->task->taskgroup;
}

OMP__EXPORT void *__kmpc_task_reduction_init(int32_t number, int32_t count, const struct kmp_reduction_old *list)
{
	struct omp__thread *thread = omp__self();

	(void)number;
	enter(thread, make_items(thread, count, NULL, list, 1), NULL, list);
	return thread->task->taskgroup;
}

/* ---- a task's copy ----------------------------------------------------------------------------------------------- */

static void *copy_for(struct omp__thread *thread, const struct items *items, const struct item *item)
{
	_Atomic(void *) *own = &item->copies[thread->region->thread_num];
	/*
	 * relaxed, here and in find(): a thread gets the address of another member's copy only through a task, and that
	 * orders the copy too
	 */
	void *copy = atomic_load_explicit(own, memory_order_relaxed);

	if (copy)
		return copy;
	copy = aligned_alloc(OMP__LINE_BYTES, (item->bytes + OMP__LINE_BYTES - 1) / OMP__LINE_BYTES * OMP__LINE_BYTES);
	if (!copy)
		omp__no_memory("a variable of a task reduction");
	if (!item->init.plain)
		memset(copy, 0, item->bytes);
	else if (items->knows_original)
		item->init.from(copy, item->original);
	else
		item->init.plain(copy);
	atomic_store_explicit(own, copy, memory_order_relaxed);
	return copy;
}

/* Find the item whose shared variable, or a member's copy of it, lies at that address. */
static const struct item *find(const struct kmp__reductions *reductions, const void *address)
{
	const struct items *items = reductions->items;

	for (uint32_t i = 0; i < items->count; i++) {
		if (reductions->shared[i] == address || items->item[i].original == address)
			return &items->item[i];
		for (uint32_t k = 0; k < items->members; k++)
			if (atomic_load_explicit(&items->item[i].copies[k], memory_order_relaxed) == address)
				return &items->item[i];
	}
	return NULL;
}

OMP__EXPORT void *__kmpc_task_reduction_get_th_data(int32_t number, void *in, void *address)
{
	struct omp__thread *thread = omp__self();
	const struct omp__taskgroup *group = in ? in : thread->task->taskgroup;

	(void)number;
	for (; group; group = group->outer) {
		const struct item *item = group->kmp_reductions ? find(group->kmp_reductions, address) : NULL;

		/* there is a copy for each member of the group's team: not for one of a region inside the group */
		if (item && thread->region->thread_num < group->kmp_reductions->items->members)
			return copy_for(thread, group->kmp_reductions->items, item);
	}
	/* in a region of one thread the constructs register no items */
	if (thread->region->thread_count == 1)
		return address;
	fprintf(stderr,
		"libferryomp: no task reduction is in effect for %p; give its construct task_reduction or "
		"reduction(task, …)\n",
		address);
	abort();
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void combine(struct omp__thread *thread, struct items *items, void *const *shared)
{
	for (uint32_t i = 0; i < items->count; i++) {
		struct item *item = &items->item[i];

		for (uint32_t k = 0; k < items->members; k++) {
			void *copy = atomic_load_explicit(&item->copies[k], memory_order_relaxed);

			if (!copy)
				continue;
			item->combine(shared[i], copy);
			if (item->fini)
				item->fini(copy);
			free(copy);
		}
		omp__memory_put(thread, (void *)item->copies);
	}
	omp__memory_put(thread, items);
}

OMP__EXPORT void __kmpc_taskgroup(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	omp__taskgroup_start_here(omp__self(), OMP__TOOL_CALL());
}

/* The caller's taskgroup has ended. */
static void end_reductions(struct omp__thread *thread, struct kmp__reductions *reductions)
{
	if (!reductions)
		return;
	/* acq_rel: the last member sees what the others' tasks did to the copies */
	if (atomic_fetch_sub_explicit(&reductions->items->users, 1, memory_order_acq_rel) == 1)
		combine(thread, reductions->items, reductions->shared);
	omp__memory_put(thread, reductions);
}

OMP__EXPORT void __kmpc_end_taskgroup(const struct kmp_ident *where, int32_t number)
{
	struct omp__thread *thread = omp__self();
	struct kmp__reductions *reductions = thread->task->taskgroup->kmp_reductions;

	(void)where;
	(void)number;
	omp__taskgroup_end_here(thread, OMP__TOOL_CALL());
	end_reductions(thread, reductions);
}

/* ---- constructs of a team ---------------------------------------------------------------------------------------- */

static void *enter_construct(int32_t count, const struct kmp_reduction *list, const struct kmp_reduction_old *old)
{
	struct omp__thread *thread = omp__self();
	struct omp__workshare *share;
	bool first;

	if (thread->region->thread_count == 1) {
		omp__taskgroup_start(thread);
		return thread->task->taskgroup;
	}
	share = omp__workshare_enter(thread, &first);
	if (first) {
		share->reductions = (uintptr_t *)make_items(thread, count, list, old, thread->region->thread_count);
		omp__workshare_ready(share);
	}
	omp__taskgroup_start(thread);
	enter(thread, (struct items *)share->reductions, list, old);
	omp__workshare_leave(thread);
	return thread->task->taskgroup;
}

OMP__EXPORT void *__kmpc_taskred_modifier_init(const struct kmp_ident *where, int32_t number, int32_t is_workshare,
					       int32_t count, const struct kmp_reduction *list)
{
	(void)where;
	(void)number;
	(void)is_workshare;
	return enter_construct(count, list, NULL);
}

OMP__EXPORT void *__kmpc_task_reduction_modifier_init(const struct kmp_ident *where, int32_t number,
						      int32_t is_workshare, int32_t count,
						      const struct kmp_reduction_old *list)
{
	(void)where;
	(void)number;
	(void)is_workshare;
	return enter_construct(count, NULL, list);
}

OMP__EXPORT void __kmpc_task_reduction_modifier_fini(const struct kmp_ident *where, int32_t number,
						     int32_t is_workshare)
{
	struct omp__thread *thread = omp__self();
	struct kmp__reductions *reductions = thread->task->taskgroup->kmp_reductions;

	(void)where;
	(void)number;
	(void)is_workshare;
	/* no taskgroup that the program wrote: a tool is not told of it */
	omp__taskgroup_end(thread);
	end_reductions(thread, reductions);
}
