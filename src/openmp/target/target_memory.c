/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device memory routines of omp.h. The host device is the only one; its number is omp_get_num_devices(), which is
 * 0.
 */
#include "openmp/abi/gomp_tasking.h"
#include "openmp/abi/omp_api.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* How many dimensions a caller is told when it asks with null pointers: memcpy_rect takes any number. */
#define DIMENSIONS_MAX INT_MAX

/* omp_initial_device is -1 in OpenMP 5.2; omp_default_device is -5 in 6.1, which GCC 16 has. */
static bool is_host(int device)
{
	if (device == -5)
		device = omp_get_default_device();
	return device == omp_get_initial_device() || device == -1;
}

OMP__EXPORT void *omp_target_alloc(size_t bytes, int device)
{
	return is_host(device) ? malloc(bytes) : NULL;
}

OMP__EXPORT void omp_target_free(void *pointer, int device)
{
	if (is_host(device))
		free(pointer);
}

OMP__EXPORT int omp_target_is_present(const void *pointer, int device)
{
	return pointer && is_host(device);
}

OMP__EXPORT int omp_target_is_accessible(const void *pointer, size_t bytes, int device)
{
	return pointer && bytes && is_host(device);
}

OMP__EXPORT void *omp_get_mapped_ptr(const void *pointer, int device)
{
	return is_host(device) ? (void *)pointer : NULL;
}

OMP__EXPORT int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
				  int to_device, int from_device)
{
	if (!is_host(to_device) || !is_host(from_device))
		return EINVAL;
	memcpy((char *)to + to_offset, (const char *)from + from_offset, bytes);
	return 0;
}

/* Copy one dimension of a rectangle; the innermost one is a run of bytes. */
static int copy_rect(char *to, const char *from, size_t element, int dimensions, const size_t *volume,
		     const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
		     const size_t *from_dimensions)
{
	size_t to_slice = element;
	size_t from_slice = element;
	size_t bytes;

	for (int i = 1; i < dimensions; i++)
		if (__builtin_mul_overflow(to_slice, to_dimensions[i], &to_slice) ||
		    __builtin_mul_overflow(from_slice, from_dimensions[i], &from_slice))
			return EINVAL;
	if (__builtin_mul_overflow(to_slice, to_offsets[0], &bytes))
		return EINVAL;
	to += bytes;
	if (__builtin_mul_overflow(from_slice, from_offsets[0], &bytes))
		return EINVAL;
	from += bytes;
	if (__builtin_mul_overflow(element, volume[0], &bytes))
		return EINVAL;
	if (dimensions == 1) {
		memcpy(to, from, bytes);
		return 0;
	}
	for (size_t i = 0; i < volume[0]; i++) {
		int status = copy_rect(to + i * to_slice, from + i * from_slice, element, dimensions - 1, volume + 1,
				       to_offsets + 1, from_offsets + 1, to_dimensions + 1, from_dimensions + 1);

		if (status)
			return status;
	}
	return 0;
}

OMP__EXPORT int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dimensions, const size_t *volume,
				       const size_t *to_offsets, const size_t *from_offsets,
				       const size_t *to_dimensions, const size_t *from_dimensions, int to_device,
				       int from_device)
{
	if (!to && !from)
		return DIMENSIONS_MAX;
	if (!is_host(to_device) || !is_host(from_device) || dimensions < 1)
		return EINVAL;
	return copy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions,
			 from_dimensions);
}

/* Wait for what the copy depends on. A copy within one memory gains nothing from being deferred. */
static void wait_for_all(int count, omp_depend_t *depend)
{
	enum { INOUT_DEPOBJ_HEADER = 5 };
	void *list[INOUT_DEPOBJ_HEADER + (count > 0 ? count : 1)];

	if (count <= 0 || !depend)
		return;
	/*
	 * the list as GOMP_taskwait_depend takes it: 0, how many in all, how many out, mutexinoutset, in; the others
	 * are depend objects
	 */
	memset(list, 0, sizeof(list));
	list[1] = (void *)(uintptr_t)count;
	for (int i = 0; i < count; i++)
		list[INOUT_DEPOBJ_HEADER + i] = &depend[i];
	GOMP_taskwait_depend(list);
}

OMP__EXPORT int omp_target_memcpy_async(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
					int to_device, int from_device, int depend_count, omp_depend_t *depend)
{
	wait_for_all(depend_count, depend);
	return omp_target_memcpy(to, from, bytes, to_offset, from_offset, to_device, from_device);
}

OMP__EXPORT int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dimensions,
					     const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
					     const size_t *to_dimensions, const size_t *from_dimensions, int to_device,
					     int from_device, int depend_count, omp_depend_t *depend)
{
	wait_for_all(depend_count, depend);
	return omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions,
				      from_dimensions, to_device, from_device);
}

/* New in OpenMP 6.0. */
OMP__EXPORT void *omp_target_memset(void *pointer, int value, size_t bytes, int device)
{
	return is_host(device) && pointer ? memset(pointer, value, bytes) : pointer;
}

OMP__EXPORT void *omp_target_memset_async(void *pointer, int value, size_t bytes, int device, int depend_count,
					  omp_depend_t *depend)
{
	wait_for_all(depend_count, depend);
	return omp_target_memset(pointer, value, bytes, device);
}

OMP__EXPORT int omp_target_associate_ptr(const void *host, const void *device_pointer, size_t bytes, size_t offset,
					 int device)
{
	(void)host;
	(void)device_pointer;
	(void)bytes;
	(void)offset;
	(void)device;
	return EINVAL;
}

OMP__EXPORT int omp_target_disassociate_ptr(const void *host, int device)
{
	(void)host;
	(void)device;
	return EINVAL;
}
