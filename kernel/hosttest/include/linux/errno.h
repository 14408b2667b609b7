/* SPDX-License-Identifier: GPL-2.0-only */
/* User space has the codes; kernel.h adds those that only a kernel has. */
#include_next <linux/errno.h>
