/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads, and where each of them is.
 *
 * Any thread of the program may call us: the first call makes it an initial thread, with an initial region of its own.
 * Workers belong to the team that made them.
 */
#ifndef OMP_THREAD_STATE_H
#define OMP_THREAD_STATE_H

#include "openmp/state/region.h"
#include "openmp/waiting/wait.h"

struct omp__pool;
struct omp__team;
struct opened;

/* Threads that count against one thread-limit-var: an initial thread and all that came of it. */
struct omp__group {
	_Atomic unsigned busy;
};

struct omp__thread {
	/* Never NULL. */
	struct omp__region *region;
	struct omp__task *task;
	/* Where the team for the next region that this thread opens is kept. */
	struct omp__team **hot;
	struct omp__team *hot_first;
	struct opened *opened; /* regions begun by GOMP_parallel_start */
	struct omp__group *group;
	struct omp__group own_group;
	/* host teams: GOMP_teams_reg */
	unsigned league_num;
	unsigned league_count; /* 0: in no league */
	/* Places: this thread's own (0: unbound, else number + 1), and the partition it may bind teams in. */
	unsigned place;
	unsigned partition_first;
	unsigned partition_count;
	bool is_initial;
	bool displayed; /* what OMP_DISPLAY_AFFINITY asks for */
	bool is_lent;	/* in the table of coscheduling/lending.c */
	bool icv_changed;
	bool dying;
	/* See task_memory.h; NULL until the first task. */
	struct omp__pool *pool;
	struct omp__parker parker;
	struct omp__region initial;
	/*
	 * With a co-scheduler: whether an OS thread has this initial thread, what that held, how many its region
	 * counts.
	 */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t taken;
	unsigned engaged;
	void *held;
	/* What parker.cpu points to, because the OS thread's own word ends with it. */
	_Atomic uint32_t cpu;
};

/*
 * The calling thread, as far as the runtime knows it; NULL before its first call. What may be that call asks for
 * omp__self() instead (process/initial_thread.h), as every function that programs call does.
 */
extern __thread struct omp__thread *omp__tls __attribute__((tls_model("initial-exec")));

#endif
