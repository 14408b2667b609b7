/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that a tool finds by name, and the callbacks that it registers. */
#ifndef OMP_TOOL_LOOKUP_H
#define OMP_TOOL_LOOKUP_H

#include "compat/omp-tools.h"

ompt_interface_fn_t omp__tool_lookup(const char *name);
/* The callback of an event; NULL: the tool wants none, or is not at work any more. */
ompt_callback_t omp__tool_callback(ompt_callbacks_t event);
/* What ompt_finalize_tool() does: process/ sets it. */
extern void (*omp__tool_end)(void);

#endif
