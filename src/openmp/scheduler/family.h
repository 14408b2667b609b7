/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Families: which task descends from which. family.c says how they are kept and freed.
 */
#ifndef OMP_FAMILY_H
#define OMP_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

struct omp__crew;
struct omp__family;
struct omp__task;
struct omp__thread;

/* The task's family; it is made when the task defers its first child. */
struct omp__family *omp__family_of(struct omp__thread *thread, struct omp__task *task);
/* Free what nothing keeps any more; `left` is the family's count after a decrement. The thread may be NULL. */
void omp__family_left(struct omp__thread *thread, struct omp__family *family, uint64_t left);
/* The task of the family does not keep it any more. The thread may be NULL. */
void omp__family_drop(struct omp__thread *thread, struct omp__family *family);
/* The same for a task that has ended and has left its parent's family. `crew` is the crew of the calling thread. */
void omp__family_end(struct omp__thread *thread, struct omp__crew *crew, struct omp__family *family);
/*
 * Whether a task whose parent has the family `of` descends from `task`. The caller has taken the former, so no other
 * thread can run it at the same time.
 */
bool omp__family_descends(const struct omp__family *of, const struct omp__task *task);
/* The crew's thread has ended or takes no part in regions any more: free what it has taken out of the tree. */
void omp__family_crew_end(struct omp__crew *crew);

#endif
