/* SPDX-License-Identifier: BSD-3-Clause */
/* See control_tool.h. It may be the program's first call of the runtime, which then starts the tool. */
#include "openmp/process/control_tool.h"
#include "openmp/process/initial_thread.h"
#include "openmp/tool/event.h"

int omp__control_tool(int command, int modifier, void *argument, struct omp__tool_call call)
{
	struct omp__task *task = omp__self()->task;
	bool is_on = omp__tool_is_on();
	int result;

	if (is_on)
		omp__tool_task_enter(task, &call);
	result = omp__tool_control((uint64_t)command, (uint64_t)modifier, argument, call.code);
	if (is_on)
		omp__tool_task_leave(task);
	return result;
}
