/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions after a rest, for which the primary has to wake its workers. If the kernel puts a worker on the primary's
 * processor, the region takes as long as on one thread, or longer, since the primary waits there for a worker that
 * cannot run meanwhile. Waking the worker apart (thread/apart.h) costs two to four system calls. So the primary does
 * that only for REST_WAKES regions after it has seen a worker begin on its own processor. Beside neighbours it does not
 * do it for a while: a worker that wakes up on the processor of a busy loop may have to wait for the end of the loop's
 * time slice, and the primary's processor is as good as any other. That there are neighbours the primary notices by a
 * worker that begins late, and then asks the system.
 *
 * What may go wrong: a wrong guess costs time, nothing else.
 */
#ifndef OMP_REST_H
#define OMP_REST_H

struct omp__team;
struct omp__member;

/* Wake a worker that sleeps before the region, which has begun. */
void omp__rest_wake(struct omp__team *team, struct omp__member *member);
/* A region for which a worker was woken has ended. */
void omp__rest_joined(struct omp__team *team);

#endif
