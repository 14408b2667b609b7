/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory spaces and allocators of devices, OpenMP 6.0, as LLVM 22's omp.h has them. Only the host device has spaces:
 * the predefined ones, each with one resource. For any other device the handle is 0, which stands for no space.
 */
#include "openmp/kmp/abi.h"

#include <omp.h>
#include <stdbool.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* The numbers since version 22; before it the default space was 0. */
enum { SPACE_NONE = 0, SPACE_LARGE_CAP = 1, SPACE_LOW_LAT = 4, SPACE_DEFAULT = 99 };
enum { ALLOCATOR_NONE = 0, ALLOCATOR_DEFAULT = 1 };
/* omp_initial_device, which GCC 12's omp.h lacks; omp_get_initial_device() is the host device's other number */
#define INITIAL_DEVICE (-1)

static bool is_predefined(uintptr_t space)
{
	return space == SPACE_DEFAULT || (space >= SPACE_LARGE_CAP && space <= SPACE_LOW_LAT);
}

static bool is_host_device(int count, const int *devices)
{
	for (int i = 0; i < count; i++)
		if (devices[i] != INITIAL_DEVICE && devices[i] != omp_get_initial_device())
			return false;
	return count > 0;
}

static uintptr_t space_of(bool is_host, uintptr_t space)
{
	return is_host && is_predefined(space) ? space : SPACE_NONE;
}

/* The predefined allocators are in the order of their spaces, the default one first. */
static uintptr_t allocator_of(bool is_host, uintptr_t space)
{
	if (space_of(is_host, space) == SPACE_NONE)
		return ALLOCATOR_NONE;
	return space == SPACE_DEFAULT ? ALLOCATOR_DEFAULT : ALLOCATOR_DEFAULT + space;
}

/*
 * Define the functions, for C and for Fortran, that take one device; a list of devices; either of these and also the
 * host device; or all devices.
 */
#define DEFINE(kind, of)                                                                                               \
	OMP__EXPORT uintptr_t omp_get_device_##kind(int device, uintptr_t space)                                       \
	{                                                                                                              \
		return of(is_host_device(1, &device), space);                                                          \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_devices_##kind(int count, const int *devices, uintptr_t space)                   \
	{                                                                                                              \
		return of(is_host_device(count, devices), space);                                                      \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_device_and_host_##kind(int device, uintptr_t space)                              \
	{                                                                                                              \
		return of(is_host_device(1, &device), space);                                                          \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_devices_and_host_##kind(int count, const int *devices, uintptr_t space)          \
	{                                                                                                              \
		return of(count == 0 || is_host_device(count, devices), space);                                        \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_devices_all_##kind(uintptr_t space)                                              \
	{                                                                                                              \
		return of(true, space);                                                                                \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_device_##kind##_(const int *device, const uintptr_t *space)                      \
	{                                                                                                              \
		return omp_get_device_##kind(*device, *space);                                                         \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_devices_##kind##_(const int *count, const int *devices, const uintptr_t *space)  \
	{                                                                                                              \
		return omp_get_devices_##kind(*count, devices, *space);                                                \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_device_and_host_##kind##_(const int *device, const uintptr_t *space)             \
	{                                                                                                              \
		return omp_get_device_and_host_##kind(*device, *space);                                                \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_devices_and_host_##kind##_(const int *count, const int *devices,                 \
								 const uintptr_t *space)                               \
	{                                                                                                              \
		return omp_get_devices_and_host_##kind(*count, devices, *space);                                       \
	}                                                                                                              \
	OMP__EXPORT uintptr_t omp_get_devices_all_##kind##_(const uintptr_t *space)                                    \
	{                                                                                                              \
		return omp_get_devices_all_##kind(*space);                                                             \
	}

DEFINE(memspace, space_of)
DEFINE(allocator, allocator_of)

OMP__EXPORT int omp_get_memspace_num_resources(uintptr_t space)
{
	return is_predefined(space);
}

OMP__EXPORT int omp_get_memspace_num_resources_(const uintptr_t *space)
{
	return omp_get_memspace_num_resources(*space);
}

/* The part of a space that has these resources. A space has only one resource, which has number 0. */
OMP__EXPORT uintptr_t omp_get_submemspace(uintptr_t space, int count, const int *resources)
{
	return is_predefined(space) && count == 1 && resources[0] == 0 ? space : SPACE_NONE;
}

OMP__EXPORT uintptr_t omp_get_submemspace_(const uintptr_t *space, const int *count, const int *resources)
{
	return omp_get_submemspace(*space, *count, resources);
}
