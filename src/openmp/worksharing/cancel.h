/* SPDX-License-Identifier: BSD-3-Clause */
/* Cancellation; `which` is GCC's bit for the construct, and `code` is where the program goes on. */
#ifndef OMP_CANCEL_H
#define OMP_CANCEL_H

#include <stdbool.h>

/* All return whether the construct is cancelled; the last tells no tool. */
bool omp__cancel(int which, bool do_cancel, const void *code);
bool omp__cancellation_point(int which, const void *code);
bool omp__is_cancelled(int which);

#endif
