/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which variables of the environment have forms for devices (OpenMP 5.2, 21.1.1): _ALL, _DEV, _DEV_n behind the name.
 * environment_device.c says how each is read.
 */
#include "openmp/environment/device_names.h"

#include <string.h>

static const char *const names[] = {
	"OMP_DYNAMIC",	 "OMP_NUM_THREADS",	   "OMP_SCHEDULE",	 "OMP_PROC_BIND",
	"OMP_STACKSIZE", "OMP_WAIT_POLICY",	   "OMP_THREAD_LIMIT",	 "OMP_MAX_ACTIVE_LEVELS",
	"OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_DEFAULT_DEVICE",
};

bool omp__devices_have(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}
