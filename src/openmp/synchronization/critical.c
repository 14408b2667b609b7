/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Critical and atomic regions. The name of a critical region is a word that the compiler makes, so nothing has to be
 * looked up.
 */
#include "openmp/abi/gomp.h"
#include "openmp/synchronization/lock.h"
#include "openmp/waiting/line.h"

static _Alignas(OMP__LINE_BYTES) _Atomic uint32_t unnamed;
static _Alignas(OMP__LINE_BYTES) _Atomic uint32_t atomic;

OMP__EXPORT void GOMP_critical_start(void)
{
	omp__lock(&unnamed);
}

OMP__EXPORT void GOMP_critical_end(void)
{
	omp__unlock(&unnamed);
}

OMP__EXPORT void GOMP_critical_name_start(void **name)
{
	omp__lock((_Atomic uint32_t *)name);
}

OMP__EXPORT void GOMP_critical_name_end(void **name)
{
	omp__unlock((_Atomic uint32_t *)name);
}

/* The lock of atomic operations for which the machine has no instruction. */
OMP__EXPORT void GOMP_atomic_start(void)
{
	omp__lock(&atomic);
}

OMP__EXPORT void GOMP_atomic_end(void)
{
	omp__unlock(&atomic);
}
