/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a tool (OMPT, OpenMP 5.2, chapter 19) is at work, and how an entry point tells where it was called.
 *
 * Without a tool, a construct costs one look at `omp__globals.tool`, which is written a few times in the life of a
 * process. Each entry point that has something to tell looks once and then takes another way, which is compiled out of
 * line; so no other part of the runtime has to look.
 */
#ifndef OMP_TOOL_H
#define OMP_TOOL_H

#include "openmp/environment/icv.h"
#include "openmp/state/thread_state.h"

#include <stdatomic.h>

/*
 * relaxed: it changes before the first thread has become an initial thread, which happens under a pthread_once that
 * every other thread passes too, and when the tool is finalized. A thread that reads ON later than that looks again
 * before each callback (lookup.c).
 */
static inline bool omp__tool_is_on(void)
{
	return __builtin_expect(atomic_load_explicit(&omp__globals.tool, memory_order_relaxed) != OMP__TOOL_OFF, 0);
}

/*
 * Whether the program was compiled with -fsanitize=thread: then the memory of a task comes from malloc and goes back
 * there. ThreadSanitizer knows malloc, but it does not know this runtime's lists of free blocks, and would see a race
 * of the task that had a block before with the thread that fills it for the next one.
 */
extern bool omp__tool_is_sanitizer;

/* Marks a function that is called only where a tool is at work: the compiler lays it, and its calls, out of the way. */
#define OMP__TOOL_ONLY __attribute__((cold, noinline))

/* Where the program called the runtime: what comes after the call, and the frame of the function that was called. */
struct omp__tool_call {
	const void *code;
	void *frame;
};

/* In a function that programs call, or in one that is always inlined into it. */
#define OMP__TOOL_CALL() ((struct omp__tool_call){ __builtin_return_address(0), __builtin_dwarf_cfa() })

/*
 * The calling thread, for code that need not have become an initial thread; NULL: no tool is at work. Called where
 * omp__tool_is_on() said yes.
 */
struct omp__thread *omp__tool_thread(void);
/* What makes the caller an initial thread: process/ sets it before it sets WANTED. */
extern struct omp__thread *(*omp__tool_enter)(void);

/*
 * The task enters the runtime at a call, and leaves it again. Between the two a tool sees the frame of the call.
 */
static inline void omp__tool_task_enter(struct omp__task *task, const struct omp__tool_call *call)
{
	if (!task->tool)
		return;
	task->tool->frame.enter_frame.ptr = call->frame;
	task->tool->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
}

static inline void omp__tool_task_leave(struct omp__task *task)
{
	if (task->tool)
		task->tool->frame.enter_frame.ptr = NULL;
}

/* The runtime calls the task's code from this frame; NULL: the code has returned. */
static inline void omp__tool_task_exit(struct omp__task *task, void *frame)
{
	if (!task->tool)
		return;
	task->tool->frame.exit_frame.ptr = frame;
	task->tool->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
}

#endif
