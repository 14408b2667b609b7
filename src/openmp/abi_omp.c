/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of omp.h that ask and set control variables. */
#include "export.h"
#include "team.h"

#include <omp.h>

OMP__EXPORT int omp_get_thread_num(void)
{
	return (int)omp__self()->region->thread_num;
}

OMP__EXPORT int omp_get_num_threads(void)
{
	return (int)omp__self()->region->thread_count;
}

OMP__EXPORT int omp_get_max_threads(void)
{
	return (int)omp__self()->task->icv->threads;
}

OMP__EXPORT void omp_set_num_threads(int threads)
{
	omp__icv_write(omp__self())->threads = threads > 0 ? (unsigned)threads : 1;
}
