/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How deep a thread may nest tasks on its stack.
 *
 * Most tasks are undeferred: they run inside the task that creates them, so a long chain of tasks would need a long
 * stack. A thread nests tasks in half of the stack that is left where its implicit task meets its first task. Below
 * that it is *deep*, and defers tasks. The chain then goes on where a thread's stack is *shallow* again. Only a task
 * that waits for its children needs stack for them where it is.
 */
#ifndef OMP_STACK_H
#define OMP_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* However large a stack is, no more than this is nested in. */
#define OMP__STACK_NESTED_MAX ((size_t)64 << 20)
/* Of a stack whose bounds are not known (a coroutine's), this much is nested in. */
#define OMP__STACK_UNKNOWN ((size_t)64 << 10)

/* A thread that has used less than one part of its stack in this many is shallow in it. */
#define OMP__STACK_SHALLOW 16

enum {
	/*
	 * A thread that is deep in its stack defers tasks while its deque holds fewer than this. In the last part of
	 * its stack it defers all of them, since a chain of tasks may be longer than a stack.
	 */
	OMP__ROOM_DEEP = 4096,
};
/*
 * Never reached, so all children are deferred. This and OMP__ROOM_DEEP are the `room` of tasks that start deep in a
 * stack.
 */
#define OMP__ROOM_ENDLESS INT64_MAX

/* A worker, first of all: the size of the stack that it has just started on. */
void omp__stack_start(size_t bytes);
/* The address below which a thread is deep in its stack, if it meets its first task where the caller is. */
uintptr_t omp__stack_deep(void);
/* Whether the caller has used so little of its stack that it may run any task on the rest. */
bool omp__stack_is_shallow(void);
/*
 * The `room` of a task that starts here, below the address `deep`: how many tasks the deque of its thread may hold for
 * its children to be deferred.
 */
int64_t omp__stack_room(uintptr_t deep);

#endif
