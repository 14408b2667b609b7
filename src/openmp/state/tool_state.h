/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the runtime keeps for a tool (OMPT) with each thread, region and task. Without a tool nothing here is read or
 * written.
 */
#ifndef OMP_TOOL_STATE_H
#define OMP_TOOL_STATE_H

#include "compat/omp-tools.h"

#include <stdbool.h>

struct omp__tool_task {
	ompt_data_t data;
	ompt_frame_t frame;
	int flags; /* enum ompt_task_flag_t */
	/* The memory that the program's code has of a deferred task; NULL: none. */
	void *memory;
	size_t memory_bytes;
};

/*
 * An implicit task, and where its thread is in its region. It lies on the stack of the function that calls the region's
 * code, so it ends with the implicit task.
 */
struct omp__tool_region {
	struct omp__tool_task task; /* the first field: the implicit task's `tool` points to it */
	ompt_data_t *parallel;	    /* the region's own word, which the primary has */
	/* The worksharing construct whose beginning the tool was told and whose end it was not; 0: none. */
	ompt_work_t work;
	uint64_t work_count;
	const void *work_code;
};

struct omp__tool_thread {
	ompt_data_t data;
	bool is_known; /* the tool was told that the thread has begun */
	bool yields;   /* the thread is at a taskyield */
	ompt_state_t state;
	ompt_state_t state_before; /* while it waits for a mutex: what it did before */
	ompt_wait_id_t wait;	   /* and for which one */
	ompt_data_t parallel;
	struct omp__tool_region initial;
};

#endif
