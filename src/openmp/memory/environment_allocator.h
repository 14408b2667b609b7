/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocators as the environment names them. */
#ifndef OMP_ENVIRONMENT_ALLOCATOR_H
#define OMP_ENVIRONMENT_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

/* The name of a predefined allocator or memory space, or a memory space with traits; an allocator is then made. */
bool omp__env_allocator(const char *name, uintptr_t *allocator);
/* The name of a predefined allocator; NULL for any other. */
const char *omp__allocator_name(uintptr_t allocator);

#endif
