/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_control_tool(): what a program has to say to a tool. */
#ifndef OMP_CONTROL_TOOL_H
#define OMP_CONTROL_TOOL_H

#include "openmp/tool/tool.h"

/* What the tool returns; -2 where none is at work, -1 if it does not want to hear. */
int omp__control_tool(int command, int modifier, void *argument, struct omp__tool_call call);

#endif
