/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that a tool finds by name (OpenMP 5.2, 19.6): callbacks, states, mutexes, numbers. */
#include "openmp/tool/lookup.h"
#include "openmp/tool/inquiry.h"
#include "openmp/tool/tool.h"

#include <string.h>

#define EVENTS ((ompt_callbacks_t)(ompt_callback_error + 1))

/*
 * A tool may change its callbacks at any time. relaxed: the function that an address names was there before it was
 * registered.
 */
static _Atomic(ompt_callback_t) callbacks[EVENTS];
void (*omp__tool_end)(void);

/* How often each event is told; those of other devices never are. */
static ompt_set_result_t how_often(ompt_callbacks_t event)
{
	switch (event) {
	case ompt_callback_thread_begin:
	case ompt_callback_thread_end:
	case ompt_callback_parallel_begin:
	case ompt_callback_parallel_end:
	case ompt_callback_task_create:
	case ompt_callback_task_schedule:
	case ompt_callback_implicit_task:
	case ompt_callback_control_tool:
	case ompt_callback_sync_region:
	case ompt_callback_sync_region_wait:
	case ompt_callback_dependences:
	case ompt_callback_cancel:
	case ompt_callback_error:
	case ompt_callback_lock_init:
	case ompt_callback_lock_destroy:
	case ompt_callback_mutex_acquire:
	case ompt_callback_mutex_acquired:
	case ompt_callback_mutex_released:
	case ompt_callback_nest_lock:
		return ompt_set_always;
	/* gcc compiles a static loop, masked and flush to no call; a task may end before another asks */
	case ompt_callback_work:
	case ompt_callback_dispatch:
	case ompt_callback_masked:
	case ompt_callback_reduction:
	case ompt_callback_flush:
	case ompt_callback_task_dependence:
		return ompt_set_sometimes_paired;
	default:
		return ompt_set_never;
	}
}

static bool is_event(ompt_callbacks_t event)
{
	return event >= ompt_callback_thread_begin && event < EVENTS;
}

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	if (!is_event(event))
		return ompt_set_error;
	if (how_often(event) != ompt_set_never)
		atomic_store_explicit(&callbacks[event], callback, memory_order_relaxed);
	return how_often(event);
}

static int get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
	*callback = is_event(event) ? omp__tool_callback(event) : NULL;
	return *callback != NULL;
}

ompt_callback_t omp__tool_callback(ompt_callbacks_t event)
{
	if (atomic_load_explicit(&omp__globals.tool, memory_order_relaxed) != OMP__TOOL_ON)
		return NULL;
	return atomic_load_explicit(&callbacks[event], memory_order_relaxed);
}

/* ---- names of numbers ----------------------------------------------------------------------------------------------
 */

struct entry {
	int number;
	const char *name;
};

#define NAMED(number)                                                                                                  \
	{                                                                                                              \
		number, #number                                                                                        \
	}

static int next_name(const struct entry *names, size_t count, int current, int *next, const char **name)
{
	for (size_t i = 0; i + 1 < count; i++)
		if (names[i].number == current) {
			*next = names[i + 1].number;
			*name = names[i + 1].name;
			return 1;
		}
	return 0;
}

static int enumerate_states(int current, int *next, const char **name)
{
	/* the first is the one that a tool asks with first */
	static const struct entry states[] = {
		NAMED(ompt_state_undefined),
		NAMED(ompt_state_work_serial),
		NAMED(ompt_state_work_parallel),
		NAMED(ompt_state_work_reduction),
		NAMED(ompt_state_wait_barrier_implicit_parallel),
		NAMED(ompt_state_wait_barrier_implicit_workshare),
		NAMED(ompt_state_wait_barrier_explicit),
		NAMED(ompt_state_wait_barrier_implementation),
		NAMED(ompt_state_wait_taskwait),
		NAMED(ompt_state_wait_taskgroup),
		NAMED(ompt_state_wait_lock),
		NAMED(ompt_state_wait_critical),
		NAMED(ompt_state_wait_atomic),
		NAMED(ompt_state_wait_ordered),
		NAMED(ompt_state_idle),
		NAMED(ompt_state_overhead),
	};

	return next_name(states, sizeof(states) / sizeof(states[0]), current, next, name);
}

static int enumerate_mutex_impls(int current, int *next, const char **name)
{
	static const struct entry impls[] = {
		NAMED(ompt_mutex_impl_none),
		{ OMP__TOOL_MUTEX_FUTEX, "ferry_mutex_impl_futex" },
		{ OMP__TOOL_MUTEX_TICKET, "ferry_mutex_impl_ticket" },
	};

	return next_name(impls, sizeof(impls) / sizeof(impls[0]), current, next, name);
}

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

static uint64_t get_unique_id(void)
{
	static _Atomic uint64_t last;

	/* relaxed: a count */
	return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

static void finalize_tool(void)
{
	if (omp__tool_end)
		omp__tool_end();
}

static int get_num_devices(void)
{
	return 1;
}

static int get_target_info(uint64_t *device_num, ompt_id_t *target_id, ompt_id_t *operation)
{
	(void)device_num;
	(void)target_id;
	(void)operation;
	return 0;
}

#define FUNCTION(name)                                                                                                 \
	{                                                                                                              \
		"ompt_" #name, (ompt_interface_fn_t)name                                                               \
	}
#define INQUIRY(name)                                                                                                  \
	{                                                                                                              \
		"ompt_" #name, (ompt_interface_fn_t)omp__tool_##name                                                   \
	}

ompt_interface_fn_t omp__tool_lookup(const char *name)
{
	static const struct {
		const char *name;
		ompt_interface_fn_t function;
	} functions[] = {
		FUNCTION(set_callback),	    FUNCTION(get_callback),
		FUNCTION(enumerate_states), FUNCTION(enumerate_mutex_impls),
		FUNCTION(get_unique_id),    FUNCTION(finalize_tool),
		FUNCTION(get_num_devices),  FUNCTION(get_target_info),
		INQUIRY(get_thread_data),   INQUIRY(get_state),
		INQUIRY(get_parallel_info), INQUIRY(get_task_info),
		INQUIRY(get_task_memory),   INQUIRY(get_num_procs),
		INQUIRY(get_num_places),    INQUIRY(get_place_proc_ids),
		INQUIRY(get_place_num),	    INQUIRY(get_partition_place_nums),
		INQUIRY(get_proc_id),
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strcmp(name, functions[i].name) == 0)
			return functions[i].function;
	return NULL;
}
