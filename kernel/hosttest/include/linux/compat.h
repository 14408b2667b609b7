/* SPDX-License-Identifier: GPL-2.0-only */
/* Everything is in hosttest/kernel.h. */
#include "kernel.h"
