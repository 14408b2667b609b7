/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks for Ferry.OpenMP.Task: the first thread of a region runs the body, which adds tasks; all threads of the region
 * run them.
 *
 * Tasks are added and waited for on a thread of the team, because the OpenMP runtime knows the current task by the OS
 * thread. A Haskell thread that was made by forkIO runs on another OS thread. So `here` says which region an OS thread
 * is in while it runs Haskell, and a call from another thread is refused:
 *
 *	thread of the team                              another OS thread of the process
 *	run_task: here = the region
 *	  Haskell, in a thread bound to this one        Haskell, in a thread made by forkIO
 *	    ferry_openmp_task: here == the region         ferry_openmp_task: here == NULL, refused
 */
#include <stdint.h>

#include "Rts.h"
#include "region/loop.h"

/* libgomp's interface, which no header declares */
void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align, bool if_clause,
	       unsigned flags, void **depend, int priority, void *detach);
void GOMP_taskwait(void);
int omp_get_thread_num(void);
#define GOMP_TASK_FLAG_DEPEND 8

/* A region of tasks, on the stack of the thread that opened it. */
struct ferry_tasks {
	void *job;   /* a StablePtr to what Haskell needs of it */
	int stopped; /* set by any thread of the team, read before each task. relaxed: the join orders it */
};

/* A task: C to call with its data, or a StablePtr to what Haskell is to do. */
struct task {
	struct ferry_tasks *region;
	void (*function)(void *data);
	void *data;
};

/* Exported by Ferry.OpenMP.Task. */
void ferryOpenmpTasksBody(void *job, struct ferry_tasks *region);
void ferryOpenmpTask(void *job, struct ferry_tasks *region, void *action);

static __thread struct ferry_tasks *here;

bool ferry_openmp_tasks_stopped(const struct ferry_tasks *region);
bool ferry_openmp_tasks_stopped(const struct ferry_tasks *region)
{
	return __atomic_load_n(&region->stopped, __ATOMIC_RELAXED);
}

/* Let no more tasks begin. */
void ferry_openmp_tasks_stop(struct ferry_tasks *region);
void ferry_openmp_tasks_stop(struct ferry_tasks *region)
{
	__atomic_store_n(&region->stopped, 1, __ATOMIC_RELAXED);
}

static void run_task(void *data)
{
	const struct task *task = data;
	struct ferry_tasks *outer = here;
	bool is_stopped = ferry_openmp_tasks_stopped(task->region);

	here = task->region;
	if (task->function && !is_stopped)
		task->function(task->data);
	else if (!task->function && !is_stopped)
		ferryOpenmpTask(task->region->job, task->region, task->data);
	else if (!task->function)
		hs_free_stable_ptr(task->data);
	here = outer;
}

/*
 * Add a task that calls function(data) or, when `function` is NULL, runs the Haskell action to which `data` is a
 * StablePtr. `depend` is a list as GOMP_task takes it, or NULL. False: this thread is not in the region; the caller
 * still owns the action.
 */
bool ferry_openmp_task(struct ferry_tasks *region, void (*function)(void *), void *data, void **depend);
bool ferry_openmp_task(struct ferry_tasks *region, void (*function)(void *), void *data, void **depend)
{
	struct task task = { .region = region, .function = function, .data = data };

	if (here != region)
		return false;
	GOMP_task(run_task, &task, NULL, sizeof(task), _Alignof(struct task), true, depend ? GOMP_TASK_FLAG_DEPEND : 0,
		  depend, 0, NULL);
	return true;
}

/* Wait for the tasks that the current task added. False: this thread is not in the region. */
bool ferry_openmp_taskwait(const struct ferry_tasks *region);
bool ferry_openmp_taskwait(const struct ferry_tasks *region)
{
	if (here != region)
		return false;
	GOMP_taskwait();
	return true;
}

static void work(void *data)
{
	struct ferry_tasks *region = data, *outer = here;

	if (omp_get_thread_num() != 0)
		return;
	here = region;
	ferryOpenmpTasksBody(region->job, region);
	here = outer;
}

/* Open a region of tasks. Returns whether it was stopped. */
int ferry_openmp_tasks(void *job, unsigned threads);
int ferry_openmp_tasks(void *job, unsigned threads)
{
	struct ferry_tasks region = { .job = job };

	GOMP_parallel(work, &region, ferry_openmp_haskell_threads(threads), 0);
	return region.stopped;
}
