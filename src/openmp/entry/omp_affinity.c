/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of omp.h about places and where threads are bound. */
#include "openmp/abi/export.h"
#include "openmp/places/places.h"
#include "openmp/process/initial_thread.h"
#include "openmp/system/system.h"
#include "openmp/team/affinity_format.h"
#include "openmp/waiting/oversubscribed.h"

#include <omp.h>
#include <string.h>

OMP__EXPORT omp_proc_bind_t omp_get_proc_bind(void)
{
	return (omp_proc_bind_t)omp__self()->task->icv->bind;
}

OMP__EXPORT int omp_get_num_places(void)
{
	return omp__self() ? (int)omp__places.count : 0;
}

OMP__EXPORT int omp_get_place_num_procs(int place)
{
	if (place < 0 || place >= omp_get_num_places())
		return 0;
	return CPU_COUNT_S(omp__places.bytes, omp__places.sets[place]);
}

OMP__EXPORT void omp_get_place_proc_ids(int place, int *ids)
{
	if (place < 0 || place >= omp_get_num_places())
		return;
	for (size_t cpu = 0; cpu < omp__places.bytes * 8; cpu++)
		if (CPU_ISSET_S(cpu, omp__places.bytes, omp__places.sets[place]))
			*ids++ = (int)cpu;
}

OMP__EXPORT int omp_get_place_num(void)
{
	return (int)omp__self()->place - 1;
}

OMP__EXPORT int omp_get_partition_num_places(void)
{
	return (int)omp__self()->partition_count;
}

OMP__EXPORT void omp_get_partition_place_nums(int *places)
{
	const struct omp__thread *thread = omp__self();

	for (unsigned i = 0; i < thread->partition_count; i++)
		places[i] = (int)(thread->partition_first + i);
}

OMP__EXPORT int omp_get_num_procs(void)
{
	omp__self();
	return omp__processors_visible();
}

/* ---- affinity-format-var ----------------------------------------------------------------------------------------- */

OMP__EXPORT size_t omp_capture_affinity(char *buffer, size_t bytes, const char *format)
{
	return omp__affinity_capture(omp__self(), buffer, bytes, format);
}

OMP__EXPORT void omp_display_affinity(const char *format)
{
	omp__affinity_display(omp__self(), format);
}

OMP__EXPORT size_t omp_get_affinity_format(char *buffer, size_t bytes)
{
	const char *format = omp__self() ? omp__globals.affinity_format : "";
	size_t length = strlen(format);

	if (bytes) {
		size_t copied = length < bytes ? length : bytes - 1;

		memcpy(buffer, format, copied);
		buffer[copied] = '\0';
	}
	return length;
}

/* The old format is not freed: another thread may be reading it. Programs set the format a few times at most. */
OMP__EXPORT void omp_set_affinity_format(const char *format)
{
	char *copy = omp__self() && format ? strdup(format) : NULL;

	if (copy)
		omp__globals.affinity_format = copy;
}
