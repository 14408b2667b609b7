/* SPDX-License-Identifier: BSD-3-Clause */
/* Cache lines: what different threads write lies in different ones. */
#ifndef OMP_LINE_H
#define OMP_LINE_H

#define OMP__LINE_BYTES 64
/* Two lines that processors fetch together. */
#define OMP__PAIR_BYTES 128

#endif
