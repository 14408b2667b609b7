/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread structs: made when a thread first calls us, freed when it ends.
 */
#include "thread.h"
#include "affinity.h"
#include "crowd.h"
#include "environment.h"
#include "task_memory.h"
#include "team.h"

#include <stdlib.h>
#include <string.h>

__thread struct omp__thread *omp__tls __attribute__((tls_model("initial-exec")));

struct omp__thread *omp__thread_make(void)
{
	struct omp__thread *thread = aligned_alloc(OMP__LINE_BYTES, sizeof(*thread));

	if (!thread)
		return NULL;
	memset(thread, 0, sizeof(*thread));
	thread->hot = &thread->hot_first;
	return thread;
}

void omp__thread_free(struct omp__thread *thread)
{
	struct omp__region *region = &thread->initial;

	if (thread->hot_first)
		omp__team_dismiss(thread->hot_first);
	if (region->team)
		omp__team_dismiss(region->team);
	omp__memory_leave(thread);
	free(thread);
}

static void thread_ended(void *value)
{
	struct omp__thread *thread = value;

	omp__tls = NULL;
	atomic_fetch_sub_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
	omp__thread_free(thread);
}

void omp__thread_adopt(struct omp__thread *thread)
{
	/* relaxed: a waiter that misses it spins a little longer */
	atomic_store_explicit(&thread->seat.cpu, omp__host_cpu_word(), memory_order_release);
	omp__tls = thread;
}

static void start_initial_region(struct omp__thread *thread, struct omp__region *region)
{
	region->thread_count = 1;
	region->icv = omp__globals.initial;
	omp__task_start_implicit(&region->implicit, NULL, &region->icv, NULL);
	thread->region = region;
	thread->task = &region->implicit;
}

void omp__inner_root_begin(struct omp__thread *thread, struct omp__inner_root *root)
{
	memset(root, 0, sizeof(*root));
	root->outer_region = thread->region;
	root->outer_task = thread->task;
	root->outer_hot = thread->hot;
	root->league_num = thread->league_num;
	root->league_count = thread->league_count;
	start_initial_region(thread, &root->region);
	thread->hot = &root->hot_first;
	thread->league_num = 0;
	thread->league_count = 0;
}

void omp__inner_root_end(struct omp__thread *thread, struct omp__inner_root *root)
{
	if (root->region.team) {
		omp__barrier(thread, false);
		omp__team_dismiss(root->region.team);
	}
	if (root->hot_first)
		omp__team_dismiss(root->hot_first);
	thread->region = root->outer_region;
	thread->task = root->outer_task;
	thread->hot = root->outer_hot;
	thread->league_num = root->league_num;
	thread->league_count = root->league_count;
}

/* Out of memory is fatal: there is nothing to return it through. */
struct omp__thread *omp__thread_enter(void)
{
	struct omp__thread *thread;

	omp__environment_read();
	thread = omp__thread_make();
	if (!thread)
		abort();
	thread->is_root = true;
	thread->group = &thread->own_group;
	atomic_store_explicit(&thread->own_group.busy, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
	omp__thread_adopt(thread);
	start_initial_region(thread, &thread->initial);
	omp__affinity_root(thread);
	omp__host_at_thread_exit(thread_ended, thread);
	return thread;
}
