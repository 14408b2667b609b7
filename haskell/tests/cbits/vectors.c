/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the vectors need of C: names of the system's headers, the functions and system calls of the `call` executor,
 * pages with a protection, and a batch that is prepared as the vector says, in the memory of a program of the package.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/functions.c"
#include "conformance/names.c"
#include "batch/program.h"

enum vectors_executor { VECTORS_NULL, VECTORS_LOOP, VECTORS_SYSTEM_CALLS, VECTORS_FUNCTIONS };

static const struct batch_executor *open_call(struct batch_call_executor *call, const struct batch_function *table,
					      size_t count)
{
	return batch_call_executor_init(call, table, count) ? NULL : &call->executor;
}

/*
 * Prepare a batch for that executor; table[FUNCTIONS_SYSTEM_CALLS] and argc[] are for system calls as functions.
 * Returns as batch_prepare does; error[] is the code, the reason and the slot.
 */
int vectors_prepare(struct ferry_program *program, enum vectors_executor which, struct batch_function *table,
		    const unsigned char *argc, long *rets, struct batch_slot *slots, size_t count, unsigned long flags,
		    long error[3])
{
	const struct batch_executor *executor = NULL;
	struct batch_error found = { 0 };
	int code;

	switch (which) {
	case VECTORS_NULL:
		executor = &batch_executor_null;
		break;
	case VECTORS_LOOP:
		executor = &batch_executor_loop;
		break;
	case VECTORS_SYSTEM_CALLS:
		functions_of_system_calls(table, argc);
		executor = open_call(&program->call, table, FUNCTIONS_SYSTEM_CALLS);
		break;
	case VECTORS_FUNCTIONS:
		executor = open_call(&program->call, functions, functions_count);
		break;
	}
	code = batch_prepare(&program->prepared, executor, rets, slots, count, flags, &found);
	error[0] = found.code;
	error[1] = (long)found.reason;
	error[2] = found.slot;
	return code;
}

/* Bytes for vectors_prepare's table. */
size_t vectors_table_bytes(void)
{
	return FUNCTIONS_SYSTEM_CALLS * sizeof(struct batch_function);
}

size_t vectors_page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* A page with that protection (none, read, write); the page behind it is never mapped. NULL: no memory. */
char *vectors_page_map(int kind)
{
	static const int protections[] = { PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE };
	size_t bytes = vectors_page_bytes();
	char *pages = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return NULL;
	return mprotect(pages, bytes, protections[kind]) ? NULL : pages;
}

void vectors_page_unmap(char *pages)
{
	munmap(pages, 2 * vectors_page_bytes());
}
