/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executors that the vectors run on. To add one, write its `open` (and `close`) in executors.c and add a line to
 * the table there; then run the vectors, read what it refuses, and pin that with `; error(NAME): …` lines.
 */
#ifndef FERRY_TESTS_CONFORMANCE_EXECUTORS_H
#define FERRY_TESTS_CONFORMANCE_EXECUTORS_H

#include "bind.h"
#include "functions.h"

/* An executor that is open for one vector. */
struct opened {
	const struct batch_executor *executor; /* what to run on; NULL: not available, `why` says why */
	const char *why;
	void *state; /* the executor's own, freed by its close */
	struct batch_call_executor call;
	struct batch_function functions[FUNCTIONS_SYSTEM_CALLS];
};

struct conformance_executor {
	const char *name;
	bool runs_functions;	/* takes vectors with `table: functions` */
	bool runs_system_calls; /* takes all others */
	void (*open)(struct opened *opened, const struct vector *vector);
	void (*close)(struct opened *opened); /* may be NULL */
};

extern const struct conformance_executor conformance_executors[];
extern const size_t conformance_executor_count;

#endif /* FERRY_TESTS_CONFORMANCE_EXECUTORS_H */
