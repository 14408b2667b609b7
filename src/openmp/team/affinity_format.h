/* SPDX-License-Identifier: BSD-3-Clause */
/* Text about where a thread is bound. */
#ifndef OMP_AFFINITY_FORMAT_H
#define OMP_AFFINITY_FORMAT_H

struct omp__thread;

/* A line on stderr for the calling thread; format NULL: affinity-format-var. */
void omp__affinity_display(struct omp__thread *thread, const char *format);

#endif
