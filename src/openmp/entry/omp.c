/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of omp.h that read and set control variables, and that say where the caller is. */
#include "openmp/abi/export.h"
#include "openmp/abi/omp_api.h"
#include "openmp/process/initial_thread.h"
#include "openmp/system/coscheduler.h"
#include "openmp/process/environment.h"
#include "openmp/process/environment_display.h"
#include "openmp/process/fork.h"
#include "openmp/state/task_icv.h"
#include "openmp/state/team_state.h"
#include "openmp/team/team_life.h"
#include "openmp/waiting/oversubscribed.h"

#include "thread/clock.h"

#include <omp.h>
#include <time.h>

static const struct omp__icv *icv(void)
{
	return omp__self()->task->icv;
}

static struct omp__icv *own_icv(void)
{
	return omp__icv_write(omp__self());
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static int num_in(const struct omp__region *region)
{
	return (int)(__builtin_expect(omp__forked_inside, 0) ? omp__told_num(region) : region->thread_num);
}

static int count_in(const struct omp__region *region)
{
	return (int)(__builtin_expect(omp__forked_inside, 0) ? omp__told_count(region) : region->thread_count);
}

OMP__EXPORT int omp_get_thread_num(void)
{
	return num_in(omp__self()->region);
}

OMP__EXPORT int omp_get_num_threads(void)
{
	return count_in(omp__self()->region);
}

OMP__EXPORT int omp_get_max_threads(void)
{
	const struct omp__icv *now = icv();
	unsigned threads;

	if (now->threads && !now->is_told)
		return (int)now->threads;
	threads = omp__default_threads();
	/*
	 * A program makes room for that many, or cuts its work into so many parts, and opens a region: the quota must
	 * not change what this thread was told.
	 */
	if (threads != now->threads && omp__self()->region->level == 0 && !omp__coscheduler) {
		own_icv()->threads = threads;
		own_icv()->is_told = true;
	}
	return (int)threads;
}

OMP__EXPORT void omp_set_num_threads(int threads)
{
	own_icv()->threads = threads > 0 ? (unsigned)threads : 1;
	own_icv()->is_told = false;
}

OMP__EXPORT int omp_get_thread_limit(void)
{
	return icv()->thread_limit > INT_MAX ? INT_MAX : (int)icv()->thread_limit;
}

OMP__EXPORT void omp_set_dynamic(int dynamic)
{
	own_icv()->dynamic = dynamic != 0;
}

OMP__EXPORT int omp_get_dynamic(void)
{
	return icv()->dynamic != 0;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

/* The caller's place in the region of that level; NULL when there is none. */
static const struct omp__region *region_at(int level)
{
	const struct omp__region *region = omp__self()->region;

	if (level < 0 || (unsigned)level > region->level)
		return NULL;
	while (region->level > (unsigned)level)
		region = region->outer;
	return region;
}

OMP__EXPORT int omp_in_parallel(void)
{
	return omp__self()->region->active_level > 0;
}

OMP__EXPORT int omp_get_level(void)
{
	return (int)omp__self()->region->level;
}

OMP__EXPORT int omp_get_active_level(void)
{
	return (int)omp__self()->region->active_level;
}

OMP__EXPORT int omp_get_ancestor_thread_num(int level)
{
	const struct omp__region *region = region_at(level);

	return region ? num_in(region) : -1;
}

OMP__EXPORT int omp_get_team_size(int level)
{
	const struct omp__region *region = region_at(level);

	return region ? count_in(region) : -1;
}

OMP__EXPORT int omp_get_supported_active_levels(void)
{
	return OMP__LEVELS_MAX;
}

OMP__EXPORT void omp_set_max_active_levels(int levels)
{
	if (levels >= 0)
		own_icv()->levels_max = (uint8_t)(levels < OMP__LEVELS_MAX ? levels : OMP__LEVELS_MAX);
}

OMP__EXPORT int omp_get_max_active_levels(void)
{
	return icv()->levels_max;
}

/* Deprecated: this sets max-active-levels-var to its largest value, or to 1. */
OMP__EXPORT void omp_set_nested(int nested)
{
	struct omp__icv *own = own_icv();

	if (nested && own->levels_max == 1)
		own->levels_max = OMP__LEVELS_MAX;
	else if (!nested && own->levels_max > 1)
		own->levels_max = 1;
}

OMP__EXPORT int omp_get_nested(void)
{
	unsigned levels = icv()->levels_max;

	return levels > 1 && levels > omp__self()->region->active_level;
}

/* ---- schedules --------------------------------------------------------------------------------------------------- */

OMP__EXPORT void omp_set_schedule(omp_sched_t kind, int chunk)
{
	struct omp__icv *own;
	uint32_t schedule = (uint32_t)kind & ~OMP__MONOTONIC;

	if (schedule < OMP__STATIC || schedule > OMP__AUTO)
		return;
	own = own_icv();
	if (schedule == OMP__STATIC)
		own->chunk = chunk < 1 ? 0 : chunk;
	else if (schedule != OMP__AUTO)
		own->chunk = chunk < 1 ? 1 : chunk;
	own->schedule = (uint32_t)kind;
}

OMP__EXPORT void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
	*kind = (omp_sched_t)icv()->schedule;
	*chunk = icv()->chunk;
}

/* ---- tasks, cancellation, time ----------------------------------------------------------------------------------- */

OMP__EXPORT int omp_in_final(void)
{
	return omp__self()->task->final;
}

OMP__EXPORT int omp_in_explicit_task(void)
{
	return omp__self()->task->kind != OMP__TASK_IMPLICIT;
}

OMP__EXPORT int omp_get_max_task_priority(void)
{
	omp__environment_read();
	return (int)omp__globals.max_task_priority;
}

OMP__EXPORT int omp_get_cancellation(void)
{
	omp__environment_read();
	return omp__globals.cancellation;
}

OMP__EXPORT double omp_get_wtime(void)
{
	return (double)thread__now_ns() * 1e-9;
}

OMP__EXPORT double omp_get_wtick(void)
{
	struct timespec tick;

	clock_getres(CLOCK_MONOTONIC, &tick);
	return (double)tick.tv_sec + (double)tick.tv_nsec * 1e-9;
}

/* ---- leagues ----------------------------------------------------------------------------------------------------- */

OMP__EXPORT int omp_get_num_teams(void)
{
	unsigned count = omp__self()->league_count;

	return count ? (int)count : 1;
}

OMP__EXPORT int omp_get_team_num(void)
{
	return (int)omp__self()->league_num;
}

OMP__EXPORT void omp_set_num_teams(int teams)
{
	omp__environment_read();
	if (teams >= 0)
		omp__globals.teams = teams;
}

OMP__EXPORT int omp_get_max_teams(void)
{
	omp__environment_read();
	return omp__globals.teams;
}

OMP__EXPORT void omp_set_teams_thread_limit(int limit)
{
	omp__environment_read();
	if (limit >= 0)
		omp__globals.teams_thread_limit = limit;
}

OMP__EXPORT int omp_get_teams_thread_limit(void)
{
	omp__environment_read();
	return omp__globals.teams_thread_limit;
}

/* ---- devices: there is only the host device ---------------------------------------------------------------------- */

/*
 * -5 is omp_default_device (OpenMP 6.1, in GCC 16): the variable keeps its value. A number that is no device is refused
 * when a construct uses it.
 */
OMP__EXPORT void omp_set_default_device(int device)
{
	if (device != -5)
		own_icv()->device = device;
}

OMP__EXPORT int omp_get_default_device(void)
{
	return icv()->device;
}

OMP__EXPORT int omp_get_num_devices(void)
{
	return 0;
}

OMP__EXPORT int omp_get_device_num(void)
{
	return 0;
}

OMP__EXPORT int omp_get_initial_device(void)
{
	return 0;
}

OMP__EXPORT int omp_is_initial_device(void)
{
	return 1;
}

/* Give back what can be made again. Here that is the caller's workers. */
OMP__EXPORT int omp_pause_resource_all(omp_pause_resource_t kind)
{
	struct omp__thread *thread = omp__self();
	struct omp__team *team = thread->hot_first;

	if ((kind != omp_pause_soft && kind != omp_pause_hard) || thread->region != &thread->initial)
		return -1;
	thread->hot_first = NULL;
	if (team)
		omp__team_dismiss(team);
	return 0;
}

OMP__EXPORT int omp_pause_resource(omp_pause_resource_t kind, int device)
{
	if (device != omp_get_initial_device())
		return -1;
	return omp_pause_resource_all(kind);
}

OMP__EXPORT void omp_display_env(int verbose)
{
	omp__environment_read();
	omp__environment_display(stderr, verbose != 0);
}
