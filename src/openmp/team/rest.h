/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions after a rest, for which the primary has to wake its workers. If the kernel puts a worker on the primary's
 * processor, the region takes as long as on one thread, or longer, since the primary waits there for a worker that
 * cannot run meanwhile. Keeping the worker off (thread/apart.h) costs two or three system calls. So the primary does
 * that only where it has seen a worker on its own processor in one of its last REST_WAKES regions after a rest (rest.c).
 * Beside neighbours it does not do it for a while: a worker that wakes up on the processor of a busy loop may have to
 * wait for the end of the loop's time slice, and the primary's processor is as good as any other. That there are
 * neighbours the primary notices by a worker that begins late, and then asks the system.
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
	/* When it woke the first of them, and its processor then. */
	uint64_t begun_ns;
	uint32_t cpu;
	/* Until when it wakes no worker apart, how often that time has doubled, and in how many regions since it has. */
	uint64_t as_usual_until_ns;
	unsigned doublings, apart_count;
};

/* Wake a worker that sleeps before the region, which has begun. */
void omp__rest_wake(struct omp__team *team, struct omp__member *member);
/* A region for which a worker was woken has ended. */
void omp__rest_joined(struct omp__team *team);

#endif
