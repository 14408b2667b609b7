/* SPDX-License-Identifier: BSD-3-Clause */
/* Parsers for the variables of the environment. */
#ifndef OMP_ENVIRONMENT_PARSE_H
#define OMP_ENVIRONMENT_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Each parser reads the variable `name`, and says on stderr what is wrong with a value that it cannot use. It returns
 * true when the variable was given and its value is good; otherwise it leaves the result alone.
 */
const char *omp__env_get(const char *name);
void omp__env_complain(const char *name, const char *why);
/* Say on stderr that a value is used in another way than the user may expect; `what` says how. */
void omp__env_warn(const char *name, const char *what);
bool omp__env_bool(const char *name, bool *value);
bool omp__env_number(const char *name, unsigned long minimum, unsigned long maximum, unsigned long *value);
/* Bytes: a number with the unit B, K, M or G; without a unit, K. */
bool omp__env_size(const char *name, size_t *bytes);
/* A count: a number with the unit k, M, G, T or none; or "infinity". */
bool omp__env_count(const char *name, uint64_t *value);
/* One of the words; the result is its index. */
bool omp__env_word(const char *name, const char *const *words, unsigned *index);
bool omp__env_schedule(const char *name, uint32_t *schedule, int *chunk);
/* Numbers ≥ 1 with commas between them. *list is allocated and belongs to the caller. */
bool omp__env_numbers(const char *name, unsigned **list, unsigned *count);
/* false, true, or a list of primary, master, close and spread with commas between them; *list as above. */
bool omp__env_binds(const char *name, uint8_t **list, unsigned *count);

/* Small parsers, which the parser of places uses too. Each skips white space first. */
const char *omp__env_skip(const char *at);
bool omp__env_eat(const char **at, const char *word);
bool omp__env_eat_number(const char **at, unsigned long *value);

#endif
