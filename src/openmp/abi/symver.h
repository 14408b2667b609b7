/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a function gets a version that is not its name's default: OMP__SYMVER(own, "name@VERSION") before its definition.
 * clang has no attribute for that; the assembler's directive is the same to the linker.
 */
#ifndef OMP_SYMVER_H
#define OMP_SYMVER_H

#if __has_attribute(symver)
#define OMP__SYMVER(own, versioned) __attribute__((symver(versioned), used))
#else
#define OMP__SYMVER(own, versioned)                                                                                    \
	__asm__(".symver " #own ", " versioned);                                                                       \
	__attribute__((used))
#endif

#endif
