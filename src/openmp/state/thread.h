/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads, and where each of them is.
 *
 * Any thread of the program may call us: the first call makes it a root, with an initial region of its own. Workers
 * belong to the team that made them. A thread's place in a region is a struct omp__region: for a region of one thread
 * it lies on that thread's stack, otherwise in its member of the team.
 */
#ifndef OMP_THREAD_H
#define OMP_THREAD_H

#include "openmp/worksharing/loop.h"
#include "openmp/state/task.h"
#include "openmp/waiting/wait.h"

struct omp__member;
struct omp__team;
struct opened;

struct omp__region {
	/* Where the primary thread was when it opened this region; NULL for an initial region. */
	struct omp__region *outer;
	/* NULL in a region of one thread that never needed one (see omp__team_of). */
	struct omp__team *team;
	struct omp__member *member;
	unsigned thread_num;
	unsigned thread_count;
	unsigned level;
	unsigned active_level;
	/* Constructs met so far that share state, single constructs met so far. */
	uint32_t workshare_count;
	uint32_t single_count;
	struct omp__loop loop;
	struct omp__icv icv;
	struct omp__task implicit;
};

/* Threads that count against one thread-limit-var: a root and all that came of it. */
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
	bool is_root;
	bool displayed; /* what OMP_DISPLAY_AFFINITY asks for */
	bool is_lent;	/* in the table of guest.c */
	bool icv_changed;
	bool dying;
	/* See task_memory.h; NULL until the first task. */
	struct omp__pool *pool;
	struct omp__seat seat;
	struct omp__region initial;
	/* With a guest (guest.h): whether an OS thread has this root, what it held, whom its region counts. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t taken;
	unsigned engaged;
	void *held;
	/* What seat.cpu points to, because the OS thread's own word ends with it. */
	_Atomic uint32_t cpu;
};

extern __thread struct omp__thread *omp__tls __attribute__((tls_model("initial-exec")));

struct omp__thread *omp__thread_enter(void);
/* A thread struct for a worker that is about to start; NULL without memory. */
struct omp__thread *omp__thread_make(void);
/* First thing in the worker. */
void omp__thread_adopt(struct omp__thread *thread);
void omp__thread_free(struct omp__thread *thread);

/*
 * An initial region inside the caller's, as for a target region that runs on the host: level 0 again, one thread. The
 * hot team of the outer region is left alone.
 */
struct omp__inner_root {
	struct omp__region region;
	struct omp__region *outer_region;
	struct omp__task *outer_task;
	struct omp__team **outer_hot;
	struct omp__team *hot_first;
	unsigned league_num;
	unsigned league_count;
};

void omp__inner_root_begin(struct omp__thread *thread, struct omp__inner_root *root);
void omp__inner_root_end(struct omp__thread *thread, struct omp__inner_root *root);

/* The calling thread. */
static inline struct omp__thread *omp__self(void)
{
	struct omp__thread *thread = omp__tls;

	return __builtin_expect(thread != NULL, 1) ? thread : omp__thread_enter();
}

#endif
