/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of devices that stay the same from run to run (OpenMP 6.0, section 24). The host device is the only one. */
#include "openmp/abi/export.h"
#include "openmp/abi/omp_api.h"
#include "openmp/environment/icv.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum {
	INITIAL_DEVICE = -1, /* omp_initial_device */
	DEFAULT_DEVICE = -5, /* omp_default_device */
};

/* libgomp gives the host device the same name; a program may have stored it. */
static const char host_uid[] = "OMP_INITIAL_DEVICE";

static int device_of(const char *uid, size_t length)
{
	bool is_host = uid && length == sizeof(host_uid) - 1 && !memcmp(uid, host_uid, length);

	return is_host ? omp_get_initial_device() : OMP__INVALID_DEVICE;
}

OMP__EXPORT const char *omp_get_uid_from_device(int device)
{
	if (device == DEFAULT_DEVICE)
		device = omp_get_default_device();
	return device == INITIAL_DEVICE || device == omp_get_initial_device() ? host_uid : NULL;
}

OMP__EXPORT int omp_get_device_from_uid(const char *uid)
{
	return device_of(uid, uid ? strlen(uid) : 0);
}

/* ---- the same for Fortran ---------------------------------------------------------------------------------------- */

OMP__EXPORT void omp_get_uid_from_device_(const char **result, size_t *length, int device)
{
	*result = omp_get_uid_from_device(device);
	*length = *result ? sizeof(host_uid) - 1 : 0;
}

OMP__EXPORT void omp_get_uid_from_device_8_(const char **result, size_t *length, int64_t device)
{
	omp_get_uid_from_device_(result, length, device == (int)device ? (int)device : OMP__INVALID_DEVICE);
}

OMP__EXPORT int omp_get_device_from_uid_(const char *uid, size_t length)
{
	return device_of(uid, length);
}
