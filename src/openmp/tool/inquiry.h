/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tool may ask of the calling thread (OpenMP 5.2, 19.6.1). Each function may be called by any thread, also from
 * a signal handler; a thread that is none of the runtime's gets 0, -1 or NULL.
 */
#ifndef OMP_TOOL_INQUIRY_H
#define OMP_TOOL_INQUIRY_H

#include "compat/omp-tools.h"

/* How the runtime's mutexes are made; 0 stands for "not told". */
enum { OMP__TOOL_MUTEX_FUTEX = 1, OMP__TOOL_MUTEX_TICKET = 2 };

ompt_data_t *omp__tool_get_thread_data(void);
int omp__tool_get_state(ompt_wait_id_t *wait);
int omp__tool_get_parallel_info(int level, ompt_data_t **parallel, int *size);
int omp__tool_get_task_info(int level, int *flags, ompt_data_t **data, ompt_frame_t **frame, ompt_data_t **parallel,
			    int *num);
int omp__tool_get_task_memory(void **memory, size_t *bytes, int block);
int omp__tool_get_num_procs(void);
int omp__tool_get_num_places(void);
int omp__tool_get_place_proc_ids(int place, int size, int *ids);
int omp__tool_get_place_num(void);
int omp__tool_get_partition_place_nums(int size, int *places);
int omp__tool_get_proc_id(void);

#endif
