/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding a tool, starting it and finalizing it. */
#ifndef OMP_TOOL_START_H
#define OMP_TOOL_START_H

#include <stdbool.h>

/* Whether the process may have a tool: one is defined in it, or OMP_TOOL_LIBRARIES names one. Nothing is loaded. */
bool omp__tool_is_wanted(void);
/* Whether OMP_TOOL_VERBOSE_INIT asks for the search to be shown. */
bool omp__tool_is_shown(void);
/* Look for a tool, and start the first that wants to. Called once, with the environment read. */
void omp__tool_start(void);
/* Tell the tool that it is over; no callback is called afterwards. Returns false where no tool was at work. */
bool omp__tool_finalize(void);

#endif
