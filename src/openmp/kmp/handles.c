/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined allocators and memory spaces as variables. LLVM's omp.h declared them so at first, and still does for
 * some compilers; for the others it defines constants of the same values.
 */
#include "openmp/abi/export.h"

#include <stdint.h>

OMP__EXPORT const uintptr_t omp_null_allocator = 0;
OMP__EXPORT const uintptr_t omp_default_mem_alloc = 1;
OMP__EXPORT const uintptr_t omp_large_cap_mem_alloc = 2;
OMP__EXPORT const uintptr_t omp_const_mem_alloc = 3;
OMP__EXPORT const uintptr_t omp_high_bw_mem_alloc = 4;
OMP__EXPORT const uintptr_t omp_low_lat_mem_alloc = 5;
OMP__EXPORT const uintptr_t omp_cgroup_mem_alloc = 6;
OMP__EXPORT const uintptr_t omp_pteam_mem_alloc = 7;
OMP__EXPORT const uintptr_t omp_thread_mem_alloc = 8;

OMP__EXPORT const uintptr_t omp_null_mem_space = 0;
OMP__EXPORT const uintptr_t omp_default_mem_space = 0;
OMP__EXPORT const uintptr_t omp_large_cap_mem_space = 1;
OMP__EXPORT const uintptr_t omp_const_mem_space = 2;
OMP__EXPORT const uintptr_t omp_high_bw_mem_space = 3;
OMP__EXPORT const uintptr_t omp_low_lat_mem_space = 4;
