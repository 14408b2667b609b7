/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting in and for tasks. */
#ifndef OMP_TASK_WAIT_H
#define OMP_TASK_WAIT_H

#include "openmp/tool/tool.h"

#include <stdbool.h>
#include <stdint.h>

struct omp__family;
struct omp__team;

/*
 * Run tasks, or sleep, until (*word & mask) == 0. The thread that clears the last bit of the mask calls omp__team_wake
 * with the word as the key, if the bit `waited` was set in it.
 */
void omp__task_wait(struct omp__thread *thread, _Atomic uint64_t *word, uint64_t mask, uint64_t waited);

/* Wait for the siblings that a task with these dependences would wait for; `tool` as for omp__depend_await. */
void omp__depend_wait(struct omp__thread *thread, struct omp__family *family, void **depend,
		      struct omp__tool_task *tool);
/* The same for a construct of the program, of which a tool is told. */
void omp__depend_wait_here(struct omp__thread *thread, void **depend, struct omp__tool_call call);
/* Wait for the children of the current task. */
void omp__taskwait(struct omp__thread *thread);
OMP__TOOL_ONLY void omp__taskwait_for_tool(struct omp__thread *thread, struct omp__tool_call call);
/* Run a task that the current one may yield to, if its own deque has one. */
void omp__taskyield(struct omp__thread *thread);

/*
 * Run one task of the caller's team if there is one to run; false when none was found. For waiters: call it while
 * team->tasks_live is the region's generation, between two looks at the condition.
 */
bool omp__tasks_help(struct omp__thread *thread);
/* Whether every task of the team has ended. Every member is at a barrier or past its implicit task's end. */
bool omp__tasks_ended(const struct omp__team *team);
/* Run tasks until the team has none outstanding. Every member is where omp__tasks_ended wants it. */
void omp__tasks_drain(struct omp__thread *thread);

#endif
