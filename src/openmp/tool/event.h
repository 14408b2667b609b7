/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Telling the tool what happens. The caller has found a tool at work (omp__tool_is_on); a callback that the tool did
 * not register costs one look more. `thread` is always the calling thread.
 */
#ifndef OMP_TOOL_EVENT_H
#define OMP_TOOL_EVENT_H

#include "openmp/tool/tool.h"

/*
 * Whether the tool knows the current task and its region. It does not know what began before the tool was at work, and
 * what tasks of a cancelled region do after the implicit tasks have ended. Nothing is told then.
 */
OMP__TOOL_ONLY bool omp__tool_knows(const struct omp__thread *thread);

/* ---- threads -------------------------------------------------------------------------------------------------------
 */

/* The thread begins; an initial thread's task begins with it. */
OMP__TOOL_ONLY void omp__tool_thread_begin(struct omp__thread *thread, ompt_thread_t kind);
/* The thread ends, if the tool was told that it began. */
OMP__TOOL_ONLY void omp__tool_thread_end(struct omp__thread *thread);

/* ---- regions -------------------------------------------------------------------------------------------------------
 */

/* The region's own word and where the program opened it; on the primary's stack while the region lasts. */
struct omp__tool_parallel {
	ompt_data_t data;
	struct omp__tool_call call;
	int flags; /* enum ompt_parallel_flag_t */
	ompt_state_t before;
};

/* The current task opens a region that asks for so many threads. */
OMP__TOOL_ONLY void omp__tool_parallel_begin(struct omp__thread *thread, struct omp__tool_parallel *parallel,
					     unsigned threads);
OMP__TOOL_ONLY void omp__tool_parallel_end(struct omp__thread *thread, struct omp__tool_parallel *parallel);
/* The thread's implicit task, which has begun; `in` lasts as long as that. `flags` is the kind of task. */
OMP__TOOL_ONLY void omp__tool_implicit_begin(struct omp__thread *thread, struct omp__tool_region *in,
					     ompt_data_t *parallel, int flags);
OMP__TOOL_ONLY void omp__tool_implicit_end(struct omp__thread *thread, int flags);

/* A team of a league of so many teams: an initial task of its own, on the thread that has the league. */
OMP__TOOL_ONLY void omp__tool_team_begin(struct omp__thread *thread, struct omp__tool_region *in,
					 struct omp__tool_parallel *league, unsigned teams);
OMP__TOOL_ONLY void omp__tool_team_end(struct omp__thread *thread, struct omp__tool_region *in);

/* ---- synchronization -----------------------------------------------------------------------------------------------
 */

/* What omp__tool_sync_end() is given of what omp__tool_sync_begin() found. */
struct omp__tool_wait {
	struct omp__tool_call call;
	ompt_sync_region_t kind;
	ompt_state_t before;
};

/*
 * The current task enters a barrier, a taskwait or the end of a taskgroup, and waits there. A region that ends in the
 * barrier is not named at its end.
 */
OMP__TOOL_ONLY void omp__tool_sync_begin(struct omp__thread *thread, struct omp__tool_wait *sync);
OMP__TOOL_ONLY void omp__tool_sync_end(struct omp__thread *thread, const struct omp__tool_wait *sync);
/* A taskgroup begins; its end is one of the above, without the beginning. */
OMP__TOOL_ONLY void omp__tool_taskgroup_begin(struct omp__thread *thread, const void *code);
OMP__TOOL_ONLY void omp__tool_wait_begin(struct omp__thread *thread, struct omp__tool_wait *sync);
OMP__TOOL_ONLY void omp__tool_reduction(struct omp__thread *thread, ompt_scope_endpoint_t endpoint, const void *code);
OMP__TOOL_ONLY void omp__tool_masked(struct omp__thread *thread, ompt_scope_endpoint_t endpoint, const void *code);

/* ---- worksharing ---------------------------------------------------------------------------------------------------
 */

/* A construct begins, and with it ends one that told no end. */
OMP__TOOL_ONLY void omp__tool_work_begin(struct omp__thread *thread, ompt_work_t work, uint64_t count,
					 const void *code);
/* The construct that has begun ends; nothing happens if there is none. */
OMP__TOOL_ONLY void omp__tool_work_end(struct omp__thread *thread, const void *code);
/*
 * What the schedule of a loop makes it for a tool. `auto` is what this runtime makes of it, static; so is, as in LLVM's
 * runtime, a guided loop of one thread.
 */
OMP__TOOL_ONLY ompt_work_t omp__tool_loop_kind(const struct omp__thread *thread, uint32_t schedule);
/* The thread is about to run iterations, or a section, of the construct that has begun. */
OMP__TOOL_ONLY void omp__tool_chunk(struct omp__thread *thread, uint64_t start, uint64_t iterations);
/* The current task is a part of a taskloop, and about to run. */
OMP__TOOL_ONLY void omp__tool_taskloop_chunk(struct omp__thread *thread, uint64_t start, uint64_t iterations);
/* Whether such a construct has begun. */
OMP__TOOL_ONLY bool omp__tool_is_in_work(const struct omp__thread *thread);
/* The same for a construct in which others may be: taskloop; and for one that this thread does not take part in. */
OMP__TOOL_ONLY void omp__tool_work(struct omp__thread *thread, ompt_work_t work, ompt_scope_endpoint_t endpoint,
				   uint64_t count, const void *code);

/* ---- tasks ---------------------------------------------------------------------------------------------------------
 */

/* The current task creates one; `depend` is its list of dependences in GCC's form, or NULL. */
OMP__TOOL_ONLY void omp__tool_task_create(struct omp__thread *thread, struct omp__tool_task *created, int flags,
					  bool depends, const void *code);
OMP__TOOL_ONLY void omp__tool_dependences(struct omp__tool_task *task, const ompt_dependence_t *dependences, int count);
/* `after` waits for `before`. */
OMP__TOOL_ONLY void omp__tool_dependence(struct omp__tool_task *before, struct omp__tool_task *after);
/* The thread goes from one task to another; `to` may be NULL. A task that the tool does not know is not told. */
OMP__TOOL_ONLY void omp__tool_schedule(const struct omp__tool_task *from, ompt_task_status_t status,
				       const struct omp__tool_task *to);
OMP__TOOL_ONLY void omp__tool_cancel(struct omp__thread *thread, int flags, const void *code);

/* ---- mutexes, and the rest -----------------------------------------------------------------------------------------
 */

/* The thread wants a mutex (and may have to wait), has got it, has released it. */
OMP__TOOL_ONLY void omp__tool_acquire(ompt_mutex_t kind, unsigned hint, const void *mutex, const void *code);
OMP__TOOL_ONLY void omp__tool_acquired(ompt_mutex_t kind, const void *mutex, const void *code);
/* A test_lock that found the lock taken. */
OMP__TOOL_ONLY void omp__tool_refused(void);
OMP__TOOL_ONLY void omp__tool_released(ompt_mutex_t kind, const void *mutex, const void *code);
OMP__TOOL_ONLY void omp__tool_nest_lock(ompt_scope_endpoint_t endpoint, const void *mutex, const void *code);
OMP__TOOL_ONLY void omp__tool_lock_init(ompt_mutex_t kind, unsigned hint, const void *mutex, const void *code);
OMP__TOOL_ONLY void omp__tool_lock_destroy(ompt_mutex_t kind, const void *mutex, const void *code);
OMP__TOOL_ONLY void omp__tool_flush(const void *code);
OMP__TOOL_ONLY void omp__tool_error(ompt_severity_t severity, const char *message, size_t length, const void *code);
OMP__TOOL_ONLY int omp__tool_control(uint64_t command, uint64_t modifier, void *argument, const void *code);

#endif
