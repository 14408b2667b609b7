/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of executors.h. */
#include <stdlib.h>

#include "executors.h"

static void open_null(struct opened *opened, const struct vector *vector)
{
	(void)vector;
	opened->executor = &batch_executor_null;
}

static void open_loop(struct opened *opened, const struct vector *vector)
{
	(void)vector;
	opened->executor = &batch_executor_loop;
}

/*
 * On `call`, system call nr is entry nr of a table of functions that make it. An entry takes as many arguments as the
 * first slot with its number says, so that R19's check of argc passes unless two slots disagree.
 */
static void open_call(struct opened *opened, const struct vector *vector)
{
	unsigned char argc[FUNCTIONS_SYSTEM_CALLS] = { 0 };
	const struct batch_function *table = opened->functions;
	size_t count = FUNCTIONS_SYSTEM_CALLS;

	if (vector->functions) {
		table = functions;
		count = functions_count;
	} else {
		for (unsigned int i = vector->line_count; i-- > 0;) {
			const struct vector_slot *slot = &vector->slots[i];

			if (slot->nr >= 0 && slot->nr < FUNCTIONS_SYSTEM_CALLS && slot->argc <= BATCH_ARGS_MAX)
				argc[slot->nr] = slot->argc;
		}
		functions_of_system_calls(opened->functions, argc);
	}
	if (batch_call_executor_init(&opened->call, table, count) == 0)
		opened->executor = &opened->call.executor;
	else
		opened->why = "batch_call_executor_init refused the table";
}

/*
 * `uring`. Where the kernel offers no io_uring it refuses every batch by that reason, which says nothing about its
 * meaning of a batch; so the vectors are skipped there, and the skip says so.
 */
static void open_uring(struct opened *opened, const struct vector *vector)
{
	struct batch_uring_executor *uring = calloc(1, sizeof(*uring));
	struct batch_error error;

	(void)vector;
	opened->state = uring;
	if (!uring)
		opened->why = "no memory";
	else if (batch_uring_open(uring, 0, &error))
		opened->why = batch_reason_text(error.reason);
	else
		opened->executor = &uring->executor;
}

static void close_uring(struct opened *opened)
{
	if (opened->state)
		batch_uring_close(opened->state);
	free(opened->state);
}

static void open_auto(struct opened *opened, const struct vector *vector)
{
	struct batch_auto_executor *automatic = calloc(1, sizeof(*automatic));

	(void)vector;
	opened->state = automatic;
	if (!automatic || batch_auto_open(automatic))
		opened->why = "no memory";
	else
		opened->executor = &automatic->executor;
}

static void close_auto(struct opened *opened)
{
	if (opened->executor)
		batch_auto_close(opened->state);
	free(opened->state);
}

/* `kernel`. Where this kernel does not run batches the vectors are skipped, and the skip says so. */
static void open_kernel(struct opened *opened, const struct vector *vector)
{
	struct batch_kernel_executor *kernel = calloc(1, sizeof(*kernel));
	struct batch_error error;

	(void)vector;
	opened->state = kernel;
	if (!kernel)
		opened->why = "no memory";
	else if (batch_kernel_open(kernel, &error))
		opened->why = batch_reason_text(error.reason);
	else
		opened->executor = &kernel->executor;
}

static void close_kernel(struct opened *opened)
{
	if (opened->state)
		batch_kernel_close(opened->state);
	free(opened->state);
}

const struct conformance_executor conformance_executors[] = {
	{ "null", false, true, open_null, NULL },	{ "loop", false, true, open_loop, NULL },
	{ "call", true, true, open_call, NULL },	{ "uring", false, true, open_uring, close_uring },
	{ "auto", false, true, open_auto, close_auto }, { "kernel", false, true, open_kernel, close_kernel },
};
const size_t conformance_executor_count = sizeof(conformance_executors) / sizeof(conformance_executors[0]);
