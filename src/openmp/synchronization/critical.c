/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Critical and atomic regions. The name of a critical region is a word that the compiler makes, so nothing has to be
 * looked up.
 */
#include "openmp/abi/gomp.h"
#include "openmp/synchronization/mutex.h"

static struct omp__line_lock unnamed, atomic;

OMP__EXPORT void GOMP_critical_start(void)
{
	omp__mutex_lock(&unnamed.lock, ompt_mutex_critical, 0, __builtin_return_address(0));
}

OMP__EXPORT void GOMP_critical_end(void)
{
	omp__mutex_unlock(&unnamed.lock, ompt_mutex_critical, __builtin_return_address(0));
}

OMP__EXPORT void GOMP_critical_name_start(void **name)
{
	omp__mutex_lock((_Atomic uint32_t *)name, ompt_mutex_critical, 0, __builtin_return_address(0));
}

OMP__EXPORT void GOMP_critical_name_end(void **name)
{
	omp__mutex_unlock((_Atomic uint32_t *)name, ompt_mutex_critical, __builtin_return_address(0));
}

/* The lock of atomic operations for which the machine has no instruction. */
OMP__EXPORT void GOMP_atomic_start(void)
{
	omp__mutex_lock(&atomic.lock, ompt_mutex_atomic, 0, __builtin_return_address(0));
}

OMP__EXPORT void GOMP_atomic_end(void)
{
	omp__mutex_unlock(&atomic.lock, ompt_mutex_atomic, __builtin_return_address(0));
}
