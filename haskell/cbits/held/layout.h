/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The offsets, in bytes, of the fields of struct ferry_held_owner that cmm/foreign.cmm reads. Cmm cannot include
 * retake.h; held.c asserts that the offsets are right.
 */
#ifndef FERRY_HASKELL_HELD_LAYOUT_H
#define FERRY_HASKELL_HELD_LAYOUT_H

#define FERRY_OWNER_TOKEN 40
#define FERRY_OWNER_RESULT 48

#endif /* FERRY_HASKELL_HELD_LAYOUT_H */
