/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that says where a thread is bound. */
#ifndef OMP_AFFINITY_FORMAT_H
#define OMP_AFFINITY_FORMAT_H

#include <stddef.h>

struct omp__thread;

/*
 * Write the text for the calling thread into buffer[bytes], as much of it as fits. A format that is NULL or "" stands
 * for affinity-format-var. Returns the length of the whole text.
 */
size_t omp__affinity_capture(const struct omp__thread *thread, char *buffer, size_t bytes, const char *format);

/* Print a line about the calling thread on stderr; a format that is NULL stands for affinity-format-var. */
void omp__affinity_display(struct omp__thread *thread, const char *format);

#endif
