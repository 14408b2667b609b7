/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control variables as OMP_DISPLAY_ENV shows them, with their values from when the program started. As in libgomp
 * since GCC 13, each line begins with the devices that it is for: [host], [all], [device] (all but the host device), or
 * a device's number. The line for the host device shows the value that it uses, which is NAME_ALL's where there is no
 * NAME.
 */
#include "openmp/process/environment_display.h"
#include "openmp/environment/environment_device.h"
#include "openmp/environment/environment_show.h"
#include "openmp/environment/icv.h"
#include "openmp/system/coscheduler.h"
#include "openmp/system/system.h"
#include "openmp/memory/environment_allocator.h"
#include "openmp/places/places.h"
#include "openmp/waiting/oversubscribed.h"
#include "openmp/waiting/wait.h"

#include <inttypes.h>

static void begin(FILE *to, const char *whose, const char *name)
{
	fprintf(to, "  [%s] %s = '", whose, name);
}

static void end(FILE *to)
{
	fputs("'\n", to);
}

/* A value that holds for all devices is one line. */
static void show_for_all(FILE *to, const char *name, const char *value)
{
	begin(to, "all", name);
	fputs(value, to);
	end(to);
}

/* End the line of the host device; the lines of other devices follow it. */
static void end_host(FILE *to, const char *name)
{
	end(to);
	omp__devices_show(to, name);
}

static void show(FILE *to, const char *name, const char *value)
{
	begin(to, "host", name);
	fputs(value, to);
	end_host(to, name);
}

static const char *truth(bool value)
{
	return value ? "TRUE" : "FALSE";
}

static void show_number(FILE *to, const char *name, uint64_t value)
{
	begin(to, "host", name);
	fprintf(to, "%" PRIu64, value);
	end_host(to, name);
}

static void show_number_for_all(FILE *to, const char *name, int64_t value)
{
	begin(to, "all", name);
	fprintf(to, "%" PRIi64, value);
	end(to);
}

static void show_threads(FILE *to, const struct omp__icv *icv)
{
	begin(to, "host", "OMP_NUM_THREADS");
	omp__show_numbers(to, icv->threads ? icv->threads : omp__default_threads(), omp__globals.threads_list,
			  omp__globals.threads_count);
	end_host(to, "OMP_NUM_THREADS");
	begin(to, "host", "OMP_SCHEDULE");
	omp__show_schedule(to, icv->schedule, icv->chunk);
	end_host(to, "OMP_SCHEDULE");
}

static void show_binding(FILE *to, const struct omp__icv *icv)
{
	begin(to, "host", "OMP_PROC_BIND");
	omp__show_binds(to, icv->bind, omp__globals.bind_list, omp__globals.bind_count);
	end_host(to, "OMP_PROC_BIND");
	begin(to, "host", "OMP_PLACES");
	for (unsigned i = 0; i < omp__places.count; i++) {
		fputs(i ? ",{" : "{", to);
		omp__places_print(to, omp__places.sets[i], omp__places.bytes);
		fputc('}', to);
	}
	end_host(to, "OMP_PLACES");
}

/* An allocator with traits is shown by the text that asked for it. */
static const char *allocator_text(const struct omp__icv *icv)
{
	const char *name = omp__allocator_name(icv->allocator);

	if (name)
		return name;
	return omp__globals.allocator_text ? omp__globals.allocator_text : "";
}

static void show_common(FILE *to, const struct omp__icv *icv)
{
	static const char *const offload[] = { "DEFAULT", "MANDATORY", "DISABLED" };

	show_for_all(to, "OMP_CANCELLATION", truth(omp__globals.cancellation));
	show_number_for_all(to, "OMP_DEFAULT_DEVICE", icv->device);
	show_number_for_all(to, "OMP_MAX_TASK_PRIORITY", omp__globals.max_task_priority);
	show_for_all(to, "OMP_DISPLAY_AFFINITY", truth(omp__globals.display_affinity));
	show(to, "OMP_AFFINITY_FORMAT", omp__globals.affinity_format);
	show(to, "OMP_ALLOCATOR", allocator_text(icv));
	show_for_all(to, "OMP_TARGET_OFFLOAD", offload[omp__globals.target_offload]);
}

static uint64_t spin_count(void)
{
	return omp__globals.spin_count_given ? omp__globals.spin_count : omp__wait_spin_ns / OMP__SPIN_NS;
}

/* Where the number of a team's threads comes from. */
static void show_source(FILE *to)
{
	char text[512];

	if (omp__globals.threads_count)
		snprintf(text, sizeof(text), "OMP_NUM_THREADS");
	else if (omp__coscheduler)
		snprintf(text, sizeof(text), "co-scheduler");
	else
		omp__system_processors_source(text, sizeof(text));
	show(to, "FERRYOMP_CPU_QUOTA", truth(!omp__globals.quota_ignored));
	show(to, "FERRYOMP_NUM_THREADS_FROM", text);
}

void omp__environment_display(FILE *to, bool verbose)
{
	const struct omp__icv *icv = &omp__globals.initial;

	fputs("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n", to);
	show(to, "OMP_DYNAMIC", truth(icv->dynamic));
	show(to, "OMP_NESTED", truth(icv->levels_max > 1));
	show_threads(to, icv);
	show_binding(to, icv);
	show_number(to, "OMP_STACKSIZE", omp__globals.stack_bytes);
	show(to, "OMP_WAIT_POLICY", omp__globals.wait_policy > 0 ? "ACTIVE" : "PASSIVE");
	show_number(to, "OMP_THREAD_LIMIT", icv->thread_limit);
	show_number(to, "OMP_MAX_ACTIVE_LEVELS", icv->levels_max);
	show_number(to, "OMP_NUM_TEAMS", (uint64_t)omp__globals.initial_teams);
	show_number(to, "OMP_TEAMS_THREAD_LIMIT", (uint64_t)omp__globals.initial_teams_thread_limit);
	show_common(to, icv);
	if (verbose) {
		show(to, "GOMP_CPU_AFFINITY", "");
		show_number(to, "GOMP_STACKSIZE", omp__globals.stack_bytes);
		show_number(to, "GOMP_SPINCOUNT", spin_count());
		show_source(to);
	}
	fputs("OPENMP DISPLAY ENVIRONMENT END\n", to);
}
