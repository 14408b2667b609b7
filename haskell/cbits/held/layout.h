/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the fields of struct ferry_held_owner are that cmm/foreign.cmm reads, in bytes. Cmm cannot include retake.h;
 * held.c asserts that these are right.
 */
#ifndef FERRY_HASKELL_HELD_LAYOUT_H
#define FERRY_HASKELL_HELD_LAYOUT_H

#define FERRY_OWNER_TOKEN 32
#define FERRY_OWNER_RESULT 40

#endif /* FERRY_HASKELL_HELD_LAYOUT_H */
