/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nestable locks. `mutex` is the program's variable, by which a tool knows the lock: LLVM's omp.h has a pointer there;
 * `code` is where the program goes on.
 */
#ifndef OMP_NEST_LOCK_H
#define OMP_NEST_LOCK_H

#include <omp.h>

void omp__nest_lock_init(omp_nest_lock_t *lock, unsigned hint, const void *mutex, const void *code);
void omp__nest_lock_destroy(const void *mutex, const void *code);
void omp__nest_lock_set(omp_nest_lock_t *lock, const void *mutex, const void *code);
void omp__nest_lock_unset(omp_nest_lock_t *lock, const void *mutex, const void *code);
/* How many times the caller has the lock now; 0: it does not. */
int omp__nest_lock_test(omp_nest_lock_t *lock, const void *mutex, const void *code);

#endif
