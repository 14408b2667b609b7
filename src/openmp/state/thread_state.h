/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the runtime keeps for each thread, and where the thread is.
 *
 * Any thread of the program may call the runtime. Its first call makes it an initial thread, with an initial region of
 * its own. A worker belongs to the team that made it.
 */
#ifndef OMP_THREAD_STATE_H
#define OMP_THREAD_STATE_H

#include "openmp/state/region.h"
#include "openmp/state/tool_state.h"
#include "openmp/waiting/wait.h"

struct omp__pool;
struct omp__team;
struct opened;

/*
 * Threads that count together against one thread-limit-var: an initial thread, and all workers of its teams and of the
 * teams inside those.
 */
struct omp__group {
	_Atomic unsigned busy;
};

struct omp__thread {
	/* The thread's place in its region; never NULL. */
	struct omp__region *region;
	struct omp__task *task;
	/* Where this thread keeps the hot team for the next region that it opens. */
	struct omp__team **hot;
	struct omp__team *hot_first;
	struct opened *opened; /* regions that GOMP_parallel_start began */
	struct omp__group *group;
	struct omp__group own_group;
	/* The league that the thread is in, of a teams construct on the host device: GOMP_teams_reg. */
	unsigned league_num;
	unsigned league_count; /* 0: in no league */
	/*
	 * The thread's own place (0: unbound, else number + 1), and the partition of the list of places that its teams
	 * may be bound to.
	 */
	unsigned place;
	unsigned partition_first;
	unsigned partition_count;
	/* What was last shown of the thread, as OMP_DISPLAY_AFFINITY asks; a count of 0: nothing was. */
	struct {
		unsigned thread_num;
		unsigned thread_count;
		unsigned level;
		unsigned place;
	} displayed;
	bool is_initial;
	bool is_lent; /* it is in the table of coscheduling/lending.c */
	bool icv_changed;
	bool dying;
	/* Its pool (task_memory.h); NULL until its first task. */
	struct omp__pool *pool;
	struct omp__parker parker;
	struct omp__region initial;
	/*
	 * With a co-scheduler: whether an OS thread has this initial thread; how many threads its region has added to
	 * omp__engaged; what the OS thread holds of the co-scheduler.
	 */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t taken;
	unsigned engaged;
	void *held;
	/* What parker.runner.cpu points to for a lent thread: the OS thread's own word ends with the OS thread. */
	_Atomic uint32_t cpu;
	struct omp__tool_thread tool;
};

/*
 * The calling thread, as far as the runtime knows it; NULL before its first call. A function that may be that first
 * call asks for omp__self() instead (process/initial_thread.h), as every function that programs call does.
 */
extern __thread struct omp__thread *omp__tls;

#endif
