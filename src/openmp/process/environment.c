/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading the environment, once: when the library is loaded, or by a call that comes even before that (of another
 * library's constructor).
 */
#include "openmp/process/environment.h"
#include "openmp/environment/environment_device.h"
#include "openmp/environment/environment_parse.h"
#include "openmp/environment/icv.h"
#include "openmp/system/system.h"
#include "openmp/memory/allocator.h"
#include "openmp/memory/environment_allocator.h"
#include "openmp/places/places.h"
#include "openmp/process/environment_display.h"
#include "openmp/process/fork.h"
#include "openmp/team/affinity.h"
#include "openmp/waiting/wait.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* An active waiter gives up after five minutes, as libgomp's does. */
#define ACTIVE_SPIN_NS (UINT64_C(300) * 1000000000)

static void read_int(const char *name, int minimum, int *value)
{
	unsigned long number;

	if (omp__env_number(name, (unsigned long)minimum, INT_MAX, &number))
		*value = (int)number;
}

static void read_threads(struct omp__icv *icv)
{
	unsigned long limit;
	bool obeys_quota;

	if (omp__env_bool("FERRYOMP_CPU_QUOTA", &obeys_quota) && !obeys_quota) {
		omp__globals.quota_ignored = true;
		omp__system_quota_off();
	}
	if (omp__env_numbers("OMP_NUM_THREADS", &omp__globals.threads_list, &omp__globals.threads_count))
		icv->threads = omp__globals.threads_list[0];
	if (omp__env_number("OMP_THREAD_LIMIT", 1, ULONG_MAX, &limit))
		icv->thread_limit = limit > INT_MAX ? UINT_MAX : (unsigned)limit;
	read_int("OMP_NUM_TEAMS", 1, &omp__globals.teams);
	read_int("OMP_TEAMS_THREAD_LIMIT", 1, &omp__globals.teams_thread_limit);
	omp__globals.initial_teams = omp__globals.teams;
	omp__globals.initial_teams_thread_limit = omp__globals.teams_thread_limit;
}

/* Lists with a value for each level ask for nesting. */
static void read_levels(struct omp__icv *icv)
{
	unsigned long levels;
	bool nested;

	if (omp__env_number("OMP_MAX_ACTIVE_LEVELS", 0, ULONG_MAX, &levels))
		icv->levels_max = levels > OMP__LEVELS_MAX ? OMP__LEVELS_MAX : (uint8_t)levels;
	else if (omp__env_bool("OMP_NESTED", &nested))
		icv->levels_max = nested ? OMP__LEVELS_MAX : 1;
	else if (omp__globals.threads_count > 1 || omp__globals.bind_count > 1)
		icv->levels_max = OMP__LEVELS_MAX;
}

/* A list of places asks for binding, and binding asks for places. OMP_PROC_BIND=false overrules both. */
static void read_binding(struct omp__icv *icv)
{
	bool refused;

	if (omp__env_binds("OMP_PROC_BIND", &omp__globals.bind_list, &omp__globals.bind_count))
		icv->bind = omp__globals.bind_list[0];
	refused = omp__globals.bind_count && icv->bind == OMP__BIND_FALSE;
	if (omp__places_read(refused) && icv->bind == OMP__BIND_FALSE)
		icv->bind = OMP__BIND_TRUE;
	if (icv->bind != OMP__BIND_FALSE)
		omp__affinity_binds = omp__places.count || omp__places_default();
}

static void read_allocator(struct omp__icv *icv)
{
	icv->allocator = omp_default_mem_alloc;
	if (!omp__env_allocator("OMP_ALLOCATOR", &icv->allocator) || omp__allocator_predefined(icv->allocator))
		return;
	/* the text that the allocator was made from, to be shown */
	omp__globals.allocator_text = strdup(omp__env_get("OMP_ALLOCATOR"));
}

static void read_waiting(void)
{
	static const char *const policies[] = { "passive", "active", NULL };
	unsigned policy;

	if (omp__env_word("OMP_WAIT_POLICY", policies, &policy))
		omp__globals.wait_policy = (int)policy;
	if (omp__globals.wait_policy >= 0)
		omp__wait_spin_ns = omp__globals.wait_policy ? ACTIVE_SPIN_NS : 0;
	omp__globals.spin_count_given = omp__env_count("GOMP_SPINCOUNT", &omp__globals.spin_count);
	if (omp__globals.spin_count_given)
		omp__wait_spin_ns = omp__globals.spin_count < ACTIVE_SPIN_NS / OMP__SPIN_NS
					    ? omp__globals.spin_count * OMP__SPIN_NS
					    : ACTIVE_SPIN_NS;
	if (omp__globals.wait_policy >= 0 || omp__globals.spin_count_given)
		omp__wait_any_ns = omp__wait_oversubscribed_ns = omp__wait_between_oversubscribed_ns =
			omp__wait_between_quota_ns = omp__wait_spin_ns;
}

static void read_stack(void)
{
	size_t bytes;

	if (!omp__env_size("OMP_STACKSIZE", &bytes) && !omp__env_size("GOMP_STACKSIZE", &bytes))
		return;
	omp__globals.stack_bytes = bytes;
	if (omp__system_check_stack(bytes)) {
		omp__env_complain(omp__env_get("OMP_STACKSIZE") ? "OMP_STACKSIZE" : "GOMP_STACKSIZE",
				  "the system gives no such stack");
		omp__globals.stack_bytes = 0;
	}
}

/*
 * A program that insists on a device and names none gets no device (OpenMP 5.2, 21.2): 0 is the host device's number.
 */
static void read_devices(struct omp__icv *icv)
{
	static const char *const offload[] = { "default", "mandatory", "disabled", NULL };
	unsigned index;

	if (omp__env_word("OMP_TARGET_OFFLOAD", offload, &index))
		omp__globals.target_offload = (int)index;
	if (omp__globals.target_offload == OMP__OFFLOAD_MANDATORY)
		icv->device = OMP__INVALID_DEVICE;
	read_int("OMP_DEFAULT_DEVICE", 0, &icv->device);
}

static void read_others(struct omp__icv *icv)
{
	static const char *const tool[] = { "enabled", "disabled", NULL };
	const char *format = omp__env_get("OMP_AFFINITY_FORMAT");
	unsigned index;
	int priority = 0;
	bool dynamic;

	if (omp__env_bool("OMP_DYNAMIC", &dynamic))
		icv->dynamic = dynamic;
	omp__globals.dynamic_given = omp__env_get("OMP_DYNAMIC") != NULL;
	omp__env_bool("OMP_CANCELLATION", &omp__globals.cancellation);
	omp__globals.slow_tasks = omp__globals.cancellation;
	omp__env_bool("OMP_DISPLAY_AFFINITY", &omp__globals.display_affinity);
	read_int("OMP_MAX_TASK_PRIORITY", 0, &priority);
	omp__globals.max_task_priority = (unsigned)priority;
	/* for its message: tool/start.c reads the value */
	omp__env_word("OMP_TOOL", tool, &index);
	if (format)
		omp__globals.affinity_format = format;
}

static void display_if_asked(void)
{
	static const char *const answers[] = { "true", "false", "verbose", "1", "0", NULL };
	unsigned answer;

	if (omp__env_word("OMP_DISPLAY_ENV", answers, &answer) && answer != 1 && answer != 4)
		omp__environment_display(stderr, answer == 2);
}

static void read_environment(void)
{
	struct omp__icv *icv = &omp__globals.initial;

	omp__system_start();
	icv->thread_limit = UINT_MAX;
	icv->schedule = OMP__DYNAMIC;
	icv->chunk = 1;
	icv->levels_max = 1;
	omp__env_schedule("OMP_SCHEDULE", &icv->schedule, &icv->chunk);
	read_threads(icv);
	atomic_store_explicit(&omp__awake_excess, -(int)omp__system_full_time(), memory_order_relaxed);
	read_binding(icv);
	read_levels(icv);
	read_allocator(icv);
	read_waiting();
	read_stack();
	read_devices(icv);
	read_others(icv);
	omp__devices_read();
	display_if_asked();
	omp__system_around_fork(omp__before_fork, omp__after_fork, omp__forked);
}

void omp__environment_read(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_environment);
}

static __attribute__((constructor)) void at_load(void)
{
	omp__environment_read();
}
