/* SPDX-License-Identifier: GPL-2.0-only */
/* How the module reaches the kernel's system calls. */
#ifndef _BATCH_DISPATCH_H
#define _BATCH_DISPATCH_H

/**
 * batch_dispatch_init() - find the kernel's dispatcher and have arch_batch_call() call it
 *
 * Return: 0, or -ENOENT when this kernel has neither dispatcher where the module may find it.
 */
int batch_dispatch_init(void);

#endif /* _BATCH_DISPATCH_H */
