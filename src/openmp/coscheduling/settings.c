/* SPDX-License-Identifier: BSD-3-Clause */
/* ferryomp_initial_set and ferryomp_initial_get. */
#include "openmp/abi/export.h"
#include "openmp/environment/icv.h"
#include "openmp/process/environment.h"
#include "openmp/process/initial_variables.h"
#include "openmp/waiting/oversubscribed.h"

#include <ferry/openmp_coscheduler.h>
#include <errno.h>

static bool set_variable(struct omp__icv *icv, enum ferryomp_variable variable, int value)
{
	if (value < 0 && variable != FERRYOMP_SCHEDULE)
		return false;
	switch (variable) {
	case FERRYOMP_THREADS:
		icv->threads = (unsigned)value;
		return true;
	case FERRYOMP_DYNAMIC:
		icv->dynamic = value != 0;
		return value <= 1;
	case FERRYOMP_SCHEDULE:
		icv->schedule = (uint32_t)value;
		return (value & OMP__SCHEDULE_MASK) >= OMP__STATIC && (value & OMP__SCHEDULE_MASK) <= OMP__AUTO &&
		       ((uint32_t)value & ~OMP__MONOTONIC) <= OMP__AUTO;
	case FERRYOMP_CHUNK:
		icv->chunk = value;
		return true;
	case FERRYOMP_MAX_LEVELS:
		icv->levels_max = value < OMP__LEVELS_MAX ? (uint8_t)value : OMP__LEVELS_MAX;
		return true;
	}
	return false;
}

OMP__EXPORT int ferryomp_initial_set(enum ferryomp_variable variable, int value)
{
	struct omp__icv icv;
	bool good;

	omp__environment_read();
	omp__initial_lock();
	icv = omp__globals.initial;
	good = set_variable(&icv, variable, value);
	if (good)
		omp__initial_set(&icv);
	omp__initial_unlock();
	return good ? 0 : -EINVAL;
}

OMP__EXPORT int ferryomp_initial_get(enum ferryomp_variable variable)
{
	const struct omp__icv *icv = &omp__globals.initial;
	int value = -EINVAL;

	omp__environment_read();
	omp__initial_lock();
	switch (variable) {
	case FERRYOMP_THREADS:
		value = (int)(icv->threads ? icv->threads : omp__default_threads());
		break;
	case FERRYOMP_DYNAMIC:
		value = icv->dynamic != 0;
		break;
	case FERRYOMP_SCHEDULE:
		value = (int)icv->schedule;
		break;
	case FERRYOMP_CHUNK:
		value = icv->chunk;
		break;
	case FERRYOMP_MAX_LEVELS:
		value = icv->levels_max;
		break;
	}
	omp__initial_unlock();
	return value;
}
