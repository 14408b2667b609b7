/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs may call. */
#ifndef OMP_EXPORT_H
#define OMP_EXPORT_H

#define OMP__EXPORT __attribute__((visibility("default")))

#endif
