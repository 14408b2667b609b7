/* SPDX-License-Identifier: BSD-3-Clause */
/* Places, and binding threads to them. */
#include "affinity.h"

bool omp__affinity_binds;

void omp__affinity_root(struct omp__thread *thread)
{
	(void)thread;
}

void omp__affinity_worker(const struct omp__thread *primary, struct omp__thread *worker,
			  struct omp__worker_start *start)
{
	(void)primary;
	(void)worker;
	(void)start;
}

void omp__affinity_team(struct omp__thread *thread, struct omp__team *team, unsigned flags)
{
	(void)thread;
	(void)team;
	(void)flags;
}
