/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Internal control variables (OpenMP 5.2, chapter 2). Those that each data environment has are one small struct, so
 * that a fork copies them within one cache line. The rest belong to the device, and are set once, from the environment.
 */
#ifndef OMP_ICV_H
#define OMP_ICV_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of omp_sched_t; the monotonic modifier is a bit of its own. */
enum omp__schedule {
	OMP__STATIC = 1,
	OMP__DYNAMIC = 2,
	OMP__GUIDED = 3,
	OMP__AUTO = 4,
	OMP__SCHEDULE_MASK = 0xf,
};
#define OMP__MONOTONIC 0x80000000u

/* The kinds of omp_proc_bind_t. */
enum omp__bind {
	OMP__BIND_FALSE = 0,
	OMP__BIND_TRUE = 1,
	OMP__BIND_PRIMARY = 2,
	OMP__BIND_CLOSE = 3,
	OMP__BIND_SPREAD = 4,
};

/*
 * A value of dyn-var: true for regions of the program's own code and of the co-scheduler's, which can do with smaller
 * teams, and false for other libraries. Processes with a co-scheduler begin with it.
 */
#define OMP__DYNAMIC_PROGRAM 2
#define OMP__LEVELS_MAX 255
#define OMP__THREADS_MAX 32767

/* The control variables of a data environment. */
struct omp__icv {
	uintptr_t allocator; /* def-allocator-var */
	/* nthreads-var of this level; 0: omp__default_threads() */
	unsigned threads;
	unsigned thread_limit;
	uint32_t schedule; /* run-sched-var: enum omp__schedule, with OMP__MONOTONIC */
	int chunk;
	int device;
	uint8_t dynamic; /* 0, 1 or OMP__DYNAMIC_PROGRAM */
	uint8_t bind;
	uint8_t levels_max; /* max-active-levels-var */
	bool is_told;	    /* `threads` was 0 until omp_get_max_threads() replaced it */
};

/* omp_invalid_device; the omp.h of GCC 12 does not define it */
#define OMP__INVALID_DEVICE (-4)

/* OMP_TARGET_OFFLOAD */
enum omp__offload { OMP__OFFLOAD_DEFAULT, OMP__OFFLOAD_MANDATORY, OMP__OFFLOAD_DISABLED };

_Static_assert(sizeof(struct omp__icv) <= 40, "a fork copies the variables with its own cache line");

/* Whether a tool is at work (tool/tool.h). */
enum omp__tool_life {
	OMP__TOOL_OFF,
	OMP__TOOL_ON,
	/* There may be a tool, and no thread has called the runtime: the first one to call starts the tool. */
	OMP__TOOL_WANTED,
};

/*
 * The control variables of the device. Written before the first region; after that only `initial` changes, by
 * omp__initial_set, and `tool`, when the tool is finalized.
 */
struct omp__globals {
	struct omp__icv initial;
	unsigned *threads_list; /* OMP_NUM_THREADS, by level, when it is a list */
	unsigned threads_count;
	uint8_t *bind_list; /* OMP_PROC_BIND likewise */
	unsigned bind_count;
	bool cancellation;
	/* Whether tasks take the slow path, because they may be cancelled or because a tool watches them. */
	bool slow_tasks;
	_Atomic uint32_t tool; /* enum omp__tool_life */
	bool display_affinity;
	unsigned max_task_priority;
	int teams;		/* nteams-var, 0: not set */
	int teams_thread_limit; /* 0: not set */
	int initial_teams;	/* nteams-var and teams-thread-limit-var as they were at the start, to be shown */
	int initial_teams_thread_limit;
	size_t stack_bytes;
	bool dynamic_given;
	bool quota_ignored; /* FERRYOMP_CPU_QUOTA=false */
	int wait_policy;    /* -1: not given, 0 passive, 1 active */
	int target_offload;
	uint64_t spin_count;
	bool spin_count_given;
	const char *affinity_format;
	const char *allocator_text; /* OMP_ALLOCATOR as it was given, if it has traits */
};

extern struct omp__globals omp__globals;

#endif
