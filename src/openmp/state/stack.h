/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How deep a thread may nest tasks on its stack.
 *
 * Most tasks are run at once, inside the task that creates them, so a long chain of tasks would need a long stack. A
 * thread nests them in half of the stack that is left where its implicit task meets its first task; below that it is
 * deep, and defers tasks. Then the chain goes on where the stack is shallow again, unless a task waits for its
 * children: then they need stack there in any case.
 */
#ifndef OMP_STACK_H
#define OMP_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a stack without a limit, or a huge one, no more than this is nested in. */
#define OMP__STACK_NESTED_MAX ((size_t)64 << 20)
/* Of a stack whose bounds nobody knows (a coroutine's), this. */
#define OMP__STACK_UNKNOWN ((size_t)64 << 10)

/* A thread that has used less than one in so many parts of its stack is shallow in it. */
#define OMP__STACK_SHALLOW 16

enum {
	/*
	 * Deep in its stack a thread defers tasks, because a chain of tasks may be longer than a stack: while its
	 * deque holds fewer than this, and in the last part of the stack all of them.
	 */
	OMP__ROOM_DEEP = 4096,
};
/* Never reached: all children are deferred. This and OMP__ROOM_DEEP hold for tasks that start deep in a stack. */
#define OMP__ROOM_ENDLESS INT64_MAX

/* A worker says how large the stack is that it has just started on. */
void omp__stack_start(size_t bytes);
/* The address below which the caller is deep in its stack, seen from here. */
uintptr_t omp__stack_deep(void);
/* Whether the caller has used so little of its stack that what a task needs is left, whichever task that is. */
bool omp__stack_is_shallow(void);
/* How many tasks the deque of a thread may hold before its tasks are run at once: the caller is below `deep`. */
int64_t omp__stack_room(uintptr_t deep);

#endif
