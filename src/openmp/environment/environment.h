/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment: every OMP_ and GOMP_ variable that libgomp reads for a host program. */
#ifndef OMP_ENVIRONMENT_H
#define OMP_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Read it, once; called by every way in. */
void omp__environment_read(void);
/* Print the variables in the format of OMP_DISPLAY_ENV. */
void omp__environment_display(FILE *to, bool verbose);

/*
 * Parsers. Each reads the variable `name`, and says on stderr what is wrong with a value it cannot use. True when the
 * variable was there and good; otherwise the result is left alone.
 */
const char *omp__env_get(const char *name);
void omp__env_complain(const char *name, const char *why);
/* Say something about a value that is used, though not as it was meant. */
void omp__env_warn(const char *name, const char *what);
bool omp__env_bool(const char *name, bool *value);
bool omp__env_number(const char *name, unsigned long minimum, unsigned long maximum, unsigned long *value);
/* Bytes, with a unit B, K, M or G; K without one. */
bool omp__env_size(const char *name, size_t *bytes);
/* A count, with a unit k, M, G, T or none; or "infinity". */
bool omp__env_count(const char *name, uint64_t *value);
/* One of the words, by its index. */
bool omp__env_word(const char *name, const char *const *words, unsigned *index);
bool omp__env_schedule(const char *name, uint32_t *schedule, int *chunk);
/* Numbers ≥ 1 with commas between them; *list is allocated, for the caller to keep. */
bool omp__env_numbers(const char *name, unsigned **list, unsigned *count);
/* false, true, or primary, master, close and spread with commas between them. */
bool omp__env_binds(const char *name, uint8_t **list, unsigned *count);
/* The name of a predefined allocator or memory space, or a memory space with traits; an allocator is then made. */
bool omp__env_allocator(const char *name, uintptr_t *allocator);
/* The name of a predefined allocator; NULL for any other. */
const char *omp__allocator_name(uintptr_t allocator);

/* Variables that may be given for devices: NAME_ALL, NAME_DEV, NAME_DEV_n. */
bool omp__devices_have(const char *name);
/* Check all that are given, once, and keep them to be shown. */
void omp__devices_read(void);
/* Show what was given of a variable, a line for each; nothing for a name that takes no device. */
void omp__devices_show(FILE *to, const char *name);

/* Values as they are shown. Of a list, `first` stands for its first element. */
void omp__show_schedule(FILE *to, uint32_t schedule, int chunk);
void omp__show_binds(FILE *to, uint8_t first, const uint8_t *list, unsigned count);
void omp__show_numbers(FILE *to, unsigned first, const unsigned *list, unsigned count);

/* libgomp reckons with 100,000 spins in a millisecond. */
#define OMP__SPIN_NS 10

/* A cursor's small steps, shared with the parser of places. All skip white space first. */
const char *omp__env_skip(const char *at);
bool omp__env_eat(const char **at, const char *word);
bool omp__env_eat_number(const char **at, unsigned long *value);

#endif
