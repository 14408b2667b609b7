/* SPDX-License-Identifier: BSD-3-Clause */
/* What OpenMP 5.1 to 6.0 added to omp.h after GCC 12, whose header is the oldest that this is compiled with. */
#ifndef OMP_API_H
#define OMP_API_H

#include <omp.h>
#include <stddef.h>

int omp_in_explicit_task(void);
void *omp_get_mapped_ptr(const void *pointer, int device);
int omp_target_is_accessible(const void *pointer, size_t bytes, int device);
int omp_target_memcpy_async(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
			    int to_device, int from_device, int depend_count, omp_depend_t *depend);
int omp_target_memcpy_rect_async(void *to, const void *from, size_t element_bytes, int dimensions, const size_t *volume,
				 const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
				 const size_t *from_dimensions, int to_device, int from_device, int depend_count,
				 omp_depend_t *depend);
void *omp_target_memset(void *pointer, int value, size_t bytes, int device);
void *omp_target_memset_async(void *pointer, int value, size_t bytes, int device, int depend_count,
			      omp_depend_t *depend);

#endif
