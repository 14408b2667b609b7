/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting in and for tasks. */
#ifndef OMP_TASK_WAIT_H
#define OMP_TASK_WAIT_H

#include <stdbool.h>
#include <stdint.h>

struct omp__family;
struct omp__thread;

/*
 * Run tasks, or sleep, until (*word & mask) == 0. The thread that clears the last bit of the mask calls omp__team_wake
 * with the word as the key, if the bit `waited` was set in it.
 */
void omp__task_wait(struct omp__thread *thread, _Atomic uint64_t *word, uint64_t mask, uint64_t waited);

/* Wait for the siblings that a task with these dependences would wait for. */
void omp__depend_wait(struct omp__thread *thread, struct omp__family *family, void **depend);

/*
 * Run one task of the caller's team if there is one to run; false when none was found. For waiters: call it while
 * team->tasks_live is the region's generation, between two looks at the condition.
 */
bool omp__tasks_help(struct omp__thread *thread);
/* Run tasks until the team has none outstanding. Every member is at a barrier or past its implicit task's end. */
void omp__tasks_drain(struct omp__thread *thread);

#endif
