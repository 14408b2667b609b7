/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of omp.h as Fortran calls them: their names end in an underscore, and arguments are passed by
 * reference. Functions with _8_ take integers of eight bytes. Fortran's nestable lock is eight bytes, which hold the
 * address of a lock of C's size.
 */
#include "openmp/abi/export.h"
#include "openmp/abi/omp_api.h"
#include "openmp/system/no_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define GET(type, name)                                                                                                \
	OMP__EXPORT type name##_(void)                                                                                 \
	{                                                                                                              \
		return (type)name();                                                                                   \
	}

#define SET(name)                                                                                                      \
	OMP__EXPORT void name##_(const int32_t *value)                                                                 \
	{                                                                                                              \
		name(*value);                                                                                          \
	}                                                                                                              \
	OMP__EXPORT void name##_8_(const int64_t *value)                                                               \
	{                                                                                                              \
		name(clamp(*value));                                                                                   \
	}

#define ASK(name)                                                                                                      \
	OMP__EXPORT int32_t name##_(const int32_t *value)                                                              \
	{                                                                                                              \
		return name(*value);                                                                                   \
	}                                                                                                              \
	OMP__EXPORT int32_t name##_8_(const int64_t *value)                                                            \
	{                                                                                                              \
		return name(clamp(*value));                                                                            \
	}

static int clamp(int64_t value)
{
	return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int)value;
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

#define LOCK(result, name)                                                                                             \
	OMP__EXPORT result name##_(omp_lock_t *lock)                                                                   \
	{                                                                                                              \
		return name(lock);                                                                                     \
	}
#define NEST_LOCK(result, name)                                                                                        \
	OMP__EXPORT result name##_(omp_nest_lock_t **lock)                                                             \
	{                                                                                                              \
		return name(*lock);                                                                                    \
	}

LOCK(void, omp_init_lock)
LOCK(void, omp_destroy_lock)
LOCK(void, omp_set_lock)
LOCK(void, omp_unset_lock)
LOCK(int32_t, omp_test_lock)
NEST_LOCK(void, omp_set_nest_lock)
NEST_LOCK(void, omp_unset_nest_lock)
NEST_LOCK(int32_t, omp_test_nest_lock)

OMP__EXPORT void omp_init_nest_lock_(omp_nest_lock_t **lock)
{
	*lock = malloc(sizeof(**lock));
	if (!*lock)
		omp__no_memory("a lock");
	omp_init_nest_lock(*lock);
}

OMP__EXPORT void omp_destroy_nest_lock_(omp_nest_lock_t **lock)
{
	omp_destroy_nest_lock(*lock);
	free(*lock);
	*lock = NULL;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

GET(int32_t, omp_get_num_threads)
GET(int32_t, omp_get_max_threads)
GET(int32_t, omp_get_thread_num)
GET(int32_t, omp_get_num_procs)
GET(int32_t, omp_in_parallel)
GET(int32_t, omp_get_dynamic)
GET(int32_t, omp_get_nested)
GET(int32_t, omp_get_thread_limit)
GET(int32_t, omp_get_max_active_levels)
GET(int32_t, omp_get_supported_active_levels)
GET(int32_t, omp_get_level)
GET(int32_t, omp_get_active_level)
GET(int32_t, omp_in_final)
GET(int32_t, omp_in_explicit_task)
GET(int32_t, omp_get_cancellation)
GET(int32_t, omp_get_proc_bind)
GET(int32_t, omp_get_num_places)
GET(int32_t, omp_get_place_num)
GET(int32_t, omp_get_partition_num_places)
GET(int32_t, omp_get_default_device)
GET(int32_t, omp_get_num_devices)
GET(int32_t, omp_get_device_num)
GET(int32_t, omp_get_num_teams)
GET(int32_t, omp_get_team_num)
GET(int32_t, omp_is_initial_device)
GET(int32_t, omp_get_initial_device)
GET(int32_t, omp_get_max_task_priority)
GET(int32_t, omp_get_max_teams)
GET(int32_t, omp_get_teams_thread_limit)
GET(double, omp_get_wtime)
GET(double, omp_get_wtick)
GET(intptr_t, omp_get_default_allocator)

SET(omp_set_num_threads)
SET(omp_set_dynamic)
SET(omp_set_nested)
SET(omp_set_max_active_levels)
SET(omp_set_default_device)
SET(omp_set_num_teams)
SET(omp_set_teams_thread_limit)
SET(omp_display_env)

ASK(omp_get_ancestor_thread_num)
ASK(omp_get_team_size)
ASK(omp_get_place_num_procs)

OMP__EXPORT void omp_set_schedule_(const int32_t *kind, const int32_t *chunk)
{
	omp_set_schedule((omp_sched_t)*kind, *chunk);
}

OMP__EXPORT void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk)
{
	omp_set_schedule((omp_sched_t)*kind, clamp(*chunk));
}

OMP__EXPORT void omp_get_schedule_(int32_t *kind, int32_t *chunk)
{
	omp_sched_t schedule;

	omp_get_schedule(&schedule, chunk);
	*kind = (int32_t)schedule;
}

OMP__EXPORT void omp_get_schedule_8_(int32_t *kind, int64_t *chunk)
{
	omp_sched_t schedule;
	int narrow;

	omp_get_schedule(&schedule, &narrow);
	*kind = (int32_t)schedule;
	*chunk = narrow;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static void widen(int64_t *to, const int *from, int count)
{
	for (int i = 0; i < count; i++)
		to[i] = from[i];
}

OMP__EXPORT void omp_get_place_proc_ids_(const int32_t *place, int32_t *ids)
{
	omp_get_place_proc_ids(*place, ids);
}

OMP__EXPORT void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids)
{
	int count = omp_get_place_num_procs(clamp(*place));
	int *narrow = malloc((size_t)(count + 1) * sizeof(*narrow));

	if (!narrow)
		return;
	omp_get_place_proc_ids(clamp(*place), narrow);
	widen(ids, narrow, count);
	free(narrow);
}

OMP__EXPORT void omp_get_partition_place_nums_(int32_t *places)
{
	omp_get_partition_place_nums(places);
}

OMP__EXPORT void omp_get_partition_place_nums_8_(int64_t *places)
{
	int count = omp_get_partition_num_places();
	int *narrow = malloc((size_t)(count + 1) * sizeof(*narrow));

	if (!narrow)
		return;
	omp_get_partition_place_nums(narrow);
	widen(places, narrow, count);
	free(narrow);
}

/* ---- text: addresses with a length, filled up with blanks -------------------------------------------------------- */

/* A Fortran string as a C string. Blanks at its end are part of a format, as with libgomp. */
static char *text_of(const char *from, size_t length)
{
	return strndup(from, length);
}

static void blank(char *text, size_t bytes, size_t length)
{
	if (length < bytes)
		memset(text + length, ' ', bytes - length);
}

OMP__EXPORT void omp_set_affinity_format_(const char *format, size_t length)
{
	char *text = text_of(format, length);

	omp_set_affinity_format(text);
	free(text);
}

/*
 * Copy a text into the caller's string and fill that up with blanks. C ends the text with a null byte, so it is written
 * into memory that is one byte larger.
 */
static int32_t into_blanks(char *buffer, size_t bytes, char *text, size_t length)
{
	memcpy(buffer, text, length < bytes ? length : bytes);
	blank(buffer, bytes, length);
	free(text);
	return (int32_t)length;
}

OMP__EXPORT int32_t omp_get_affinity_format_(char *buffer, size_t bytes)
{
	size_t length = omp_get_affinity_format(NULL, 0);
	char *text = malloc(length + 1);

	if (!text)
		return 0;
	omp_get_affinity_format(text, length + 1);
	return into_blanks(buffer, bytes, text, length);
}

OMP__EXPORT void omp_display_affinity_(const char *format, size_t length)
{
	char *text = text_of(format, length);

	omp_display_affinity(text);
	free(text);
}

OMP__EXPORT int32_t omp_capture_affinity_(char *buffer, const char *format, size_t bytes, size_t format_length)
{
	char *wanted = text_of(format, format_length);
	size_t length = omp_capture_affinity(NULL, 0, wanted);
	char *text = malloc(length + 1);

	if (!text) {
		free(wanted);
		return 0;
	}
	omp_capture_affinity(text, length + 1, wanted);
	free(wanted);
	return into_blanks(buffer, bytes, text, length);
}

/* ---- resources, allocators, events ------------------------------------------------------------------------------- */

OMP__EXPORT int32_t omp_pause_resource_(const int32_t *kind, const int32_t *device)
{
	return omp_pause_resource((omp_pause_resource_t)*kind, *device);
}

OMP__EXPORT int32_t omp_pause_resource_all_(const int32_t *kind)
{
	return omp_pause_resource_all((omp_pause_resource_t)*kind);
}

OMP__EXPORT intptr_t omp_init_allocator_(const intptr_t *space, const int32_t *count, const omp_alloctrait_t *traits)
{
	return (intptr_t)omp_init_allocator((omp_memspace_handle_t)*space, *count, traits);
}

OMP__EXPORT intptr_t omp_init_allocator_8_(const intptr_t *space, const int64_t *count, const omp_alloctrait_t *traits)
{
	return (intptr_t)omp_init_allocator((omp_memspace_handle_t)*space, clamp(*count), traits);
}

OMP__EXPORT void omp_destroy_allocator_(const intptr_t *allocator)
{
	omp_destroy_allocator((omp_allocator_handle_t)*allocator);
}

OMP__EXPORT void omp_set_default_allocator_(const intptr_t *allocator)
{
	omp_set_default_allocator((omp_allocator_handle_t)*allocator);
}

/* omp_lib passes this argument by value, unlike all others. */
OMP__EXPORT void omp_fulfill_event_(intptr_t event)
{
	omp_fulfill_event((omp_event_handle_t)event);
}
