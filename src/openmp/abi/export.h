/* SPDX-License-Identifier: BSD-3-Clause */
/* How a function is marked that programs may call. */
#ifndef OMP_EXPORT_H
#define OMP_EXPORT_H

/*
 * In the Haskell package ferry-openmp (FERRYOMP_INSIDE) the runtime is linked into a program, for that program's own
 * code. A shared library goes on calling the runtime that it was linked with: a linker exports from a program what the
 * libraries on its command line name, but not what those libraries' own libraries name, and a library that got a part
 * of its functions here and the rest from libgomp would compute wrong results.
 */
#ifdef FERRYOMP_INSIDE
#define OMP__EXPORT __attribute__((visibility("hidden")))
#else
#define OMP__EXPORT __attribute__((visibility("default")))
#endif

#endif
