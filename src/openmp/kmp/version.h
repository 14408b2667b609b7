/* SPDX-License-Identifier: BSD-3-Clause */
/* Export a function under one more symbol version: VERSION, that of LLVM's runtime. */
#ifndef OMP_KMP_VERSION_H
#define OMP_KMP_VERSION_H

#if defined(__x86_64__) || defined(__i386__)
#define JUMP "jmp "
#else
#define JUMP "b "
#endif

/* A function of another object file cannot get an alias, so the second name is a jump to it. */
#define SAME(name)                                                                                                     \
	__asm__(".text\n\t.globl omp__version_" #name "\n\t.type omp__version_" #name ", %function\n"                  \
		"omp__version_" #name ":\n\t" JUMP #name "\n\t.size omp__version_" #name ", .-omp__version_" #name     \
		"\n\t.symver omp__version_" #name ", " #name "@VERSION, remove");

#endif
