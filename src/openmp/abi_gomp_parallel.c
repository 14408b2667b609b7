/* SPDX-License-Identifier: BSD-3-Clause */
/* What GCC compiles `parallel` to. */
#include "abi_gomp.h"
#include "team.h"

OMP__EXPORT void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	omp__team_run(fn, data, threads, flags);
}

OMP__EXPORT void GOMP_barrier(void)
{
	omp__barrier(omp__self(), false);
}
