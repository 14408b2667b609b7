/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a parsed vector to slots with addresses: memory and files are made, sums are added up.
 *
 * rets[] is filled with a pattern that no call returns, and one more result than the batch has guards its end.
 */
#ifndef FERRY_TESTS_CONFORMANCE_BIND_H
#define FERRY_TESTS_CONFORMANCE_BIND_H

#include <limits.h>

#include "vector.h"

struct bound {
	struct batch_slot *slots; /* what to pass: may be NULL or misaligned on purpose */
	long *rets;
	size_t count;
	struct batch_slot *slots_memory;
	long *rets_memory;
	char *memory[VECTOR_MEMORY_MAX];
	char folder[PATH_MAX]; /* where the files are, or "" */
};

/* Make everything the vector needs. Returns 0, or -errno after undoing it. */
int vector_bind(struct bound *bound, const struct vector *vector);

/* Remove files and memory. */
void vector_unbind(struct bound *bound, const struct vector *vector);

/* The sum's value, with this binding's addresses. */
long vector_word_value(const struct bound *bound, const struct vector *vector, const struct vector_word *word);

/* What rets[index] holds until its slot runs. */
long vector_untouched(size_t index);

#endif /* FERRY_TESTS_CONFORMANCE_BIND_H */
