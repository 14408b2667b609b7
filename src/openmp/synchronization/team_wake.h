/* SPDX-License-Identifier: BSD-3-Clause */
/* Waking the members of a team. */
#ifndef OMP_TEAM_WAKE_H
#define OMP_TEAM_WAKE_H

#include <stdbool.h>

struct omp__team;

/* Wake the members that sleep waiting for `key`; all members when it is NULL. Call it after omp__wait_fence(). */
void omp__team_wake(struct omp__team *team, const void *key);
/* Wake one member that would run a task; false: none sleeps. Call it after omp__wait_fence(). */
bool omp__team_wake_helper(struct omp__team *team);

#endif
