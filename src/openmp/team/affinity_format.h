/* SPDX-License-Identifier: BSD-3-Clause */
/* Text about where a thread is bound. */
#ifndef OMP_AFFINITY_FORMAT_H
#define OMP_AFFINITY_FORMAT_H

#include <stddef.h>

struct omp__thread;

/*
 * Write the text of the calling thread into buffer[bytes], as much of it as fits; format NULL or "":
 * affinity-format-var. Returns the length of the whole text.
 */
size_t omp__affinity_capture(const struct omp__thread *thread, char *buffer, size_t bytes, const char *format);

/* A line on stderr for the calling thread; format NULL: affinity-format-var. */
void omp__affinity_display(struct omp__thread *thread, const char *format);

#endif
