/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control variables written as OMP_DISPLAY_ENV shows them. Where a variable is a list, `first` stands in for its first
 * element.
 */
#ifndef OMP_ENVIRONMENT_SHOW_H
#define OMP_ENVIRONMENT_SHOW_H

#include <stdint.h>
#include <stdio.h>

void omp__show_schedule(FILE *to, uint32_t schedule, int chunk);
void omp__show_binds(FILE *to, uint8_t first, const uint8_t *list, unsigned count);
void omp__show_numbers(FILE *to, unsigned first, const unsigned *list, unsigned count);

#endif
