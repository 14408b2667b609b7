/* SPDX-License-Identifier: BSD-3-Clause */
/* The control variables in the format of OMP_DISPLAY_ENV, as they were when the program started. */
#include "environment.h"
#include "icv.h"
#include "places.h"

#include <inttypes.h>
#include <omp.h>

static void show(FILE *to, const char *name, const char *value)
{
	fprintf(to, "  %s = '%s'\n", name, value);
}

static void show_bool(FILE *to, const char *name, bool value)
{
	show(to, name, value ? "TRUE" : "FALSE");
}

static void show_number(FILE *to, const char *name, unsigned long value)
{
	fprintf(to, "  %s = '%lu'\n", name, value);
}

static void show_schedule(FILE *to, const struct omp__icv *icv)
{
	static const char *const kinds[] = { "STATIC", "DYNAMIC", "GUIDED", "AUTO" };
	uint32_t kind = icv->schedule & OMP__SCHEDULE_MASK;
	bool monotonic = icv->schedule & OMP__MONOTONIC;
	int usual_chunk = kind == OMP__STATIC ? 0 : 1;

	fputs("  OMP_SCHEDULE = '", to);
	if (monotonic != (kind == OMP__STATIC))
		fputs(monotonic ? "MONOTONIC:" : "NONMONOTONIC:", to);
	fputs(kinds[kind - OMP__STATIC], to);
	if (kind != OMP__AUTO && icv->chunk != usual_chunk)
		fprintf(to, ",%d", icv->chunk);
	fputs("'\n", to);
}

static void show_binding(FILE *to, const struct omp__icv *icv)
{
	static const char *const names[] = { "FALSE", "TRUE", "MASTER", "CLOSE", "SPREAD" };

	fprintf(to, "  OMP_PROC_BIND = '%s", names[icv->bind]);
	for (unsigned i = 1; i < omp__globals.bind_count; i++)
		fprintf(to, ",%s", names[omp__globals.bind_list[i]]);
	fputs("'\n  OMP_PLACES = '", to);
	for (unsigned i = 0; i < omp__places.count; i++) {
		fputs(i ? ",{" : "{", to);
		omp__places_print(to, omp__places.sets[i], omp__places.bytes);
		fputc('}', to);
	}
	fputs("'\n", to);
}

static void show_threads(FILE *to, const struct omp__icv *icv)
{
	fprintf(to, "  OMP_NUM_THREADS = '%u", icv->threads);
	for (unsigned i = 1; i < omp__globals.threads_count; i++)
		fprintf(to, ",%u", omp__globals.threads_list[i]);
	fputs("'\n", to);
}

static const char *allocator_name(uintptr_t allocator)
{
	static const char *const names[] = { "",
					     "omp_default_mem_alloc",
					     "omp_large_cap_mem_alloc",
					     "omp_const_mem_alloc",
					     "omp_high_bw_mem_alloc",
					     "omp_low_lat_mem_alloc",
					     "omp_cgroup_mem_alloc",
					     "omp_pteam_mem_alloc",
					     "omp_thread_mem_alloc" };

	return allocator <= omp_thread_mem_alloc ? names[allocator] : "";
}

void omp__environment_display(FILE *to, bool verbose)
{
	static const char *const offload[] = { "DEFAULT", "MANDATORY", "DISABLED" };
	const struct omp__icv *icv = &omp__globals.initial;

	fputs("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n", to);
	show(to, "_OPENMP", "201511");
	show_bool(to, "OMP_DYNAMIC", icv->dynamic);
	show_bool(to, "OMP_NESTED", icv->levels_max > 1);
	show_threads(to, icv);
	show_schedule(to, icv);
	show_binding(to, icv);
	show_number(to, "OMP_STACKSIZE", omp__globals.stack_bytes);
	show(to, "OMP_WAIT_POLICY", omp__globals.wait_policy > 0 ? "ACTIVE" : "PASSIVE");
	show_number(to, "OMP_THREAD_LIMIT", icv->thread_limit);
	show_number(to, "OMP_MAX_ACTIVE_LEVELS", icv->levels_max);
	show_number(to, "OMP_NUM_TEAMS", (unsigned long)omp__globals.teams);
	show_number(to, "OMP_TEAMS_THREAD_LIMIT", (unsigned long)omp__globals.teams_thread_limit);
	show_bool(to, "OMP_CANCELLATION", omp__globals.cancellation);
	show_number(to, "OMP_DEFAULT_DEVICE", (unsigned long)icv->device);
	show_number(to, "OMP_MAX_TASK_PRIORITY", omp__globals.max_task_priority);
	show_bool(to, "OMP_DISPLAY_AFFINITY", omp__globals.display_affinity);
	show(to, "OMP_AFFINITY_FORMAT", omp__globals.affinity_format);
	show(to, "OMP_ALLOCATOR", allocator_name(icv->allocator));
	show(to, "OMP_TARGET_OFFLOAD", offload[omp__globals.target_offload]);
	if (verbose) {
		show(to, "GOMP_CPU_AFFINITY", "");
		show_number(to, "GOMP_STACKSIZE", omp__globals.stack_bytes);
		fprintf(to, "  GOMP_SPINCOUNT = '%" PRIu64 "'\n", omp__globals.spin_count);
	}
	fputs("OPENMP DISPLAY ENVIRONMENT END\n", to);
}
