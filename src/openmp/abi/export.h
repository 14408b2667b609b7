/* SPDX-License-Identifier: BSD-3-Clause */
/* How a function is marked that programs may call. */
#ifndef OMP_EXPORT_H
#define OMP_EXPORT_H

#define OMP__EXPORT __attribute__((visibility("default")))

#endif
