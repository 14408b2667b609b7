/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions after a rest, for which the primary has to wake its workers. If the kernel puts a worker on the primary's
 * processor, the region takes as long as on one thread, or longer, since the primary waits there for a worker that
 * cannot run meanwhile. Keeping the worker off (thread/apart.h) costs two or three system calls. So the primary does
 * that only where it has seen a worker on its own processor in one of its last REST_WAKES regions after a rest (rest.c).
 *
 * What may go wrong: a wrong guess costs time, nothing else.
 */
#ifndef OMP_REST_H
#define OMP_REST_H

#include <stdbool.h>
#include <stdint.h>

struct omp__team;
struct omp__member;

/* Only the team's primary reads and writes it. */
struct omp__rest {
	/* Whether it has woken a worker for the region that runs. */
	bool has_woken;
	/* Whether it wakes the workers of this region apart, and in how many more regions it will. */
	bool is_apart;
	unsigned apart_left;
	/* Its processor when it woke the first of them. */
	uint32_t cpu;
};

/* Wake a worker that sleeps before the region, which has begun. */
void omp__rest_wake(struct omp__team *team, struct omp__member *member);
/* A region for which a worker was woken has ended. */
void omp__rest_joined(struct omp__team *team);

#endif
