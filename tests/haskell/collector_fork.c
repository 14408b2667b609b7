/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forks before and after each store that haskell/cbits/collector/collector.c makes while it changes how collections are
 * made, as another thread of the program may. Each child must have the number that the program began with. Prints how
 * many children there were, and how many had another number.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Rts.h"

#include "collector/collector.h"
#include "thread/file.h"
#include "thread/neighbours.h"

enum { USUAL = 3, LATER_NS = 2000000000 };

static bool are_others_running, is_child;
static int children, wrong;

static void fork_here(void)
{
	int status;
	pid_t child;

	if (is_child)
		return;
	child = fork();
	if (child == 0) {
		is_child = true;
		ferry_collector_forget();
		_exit(RtsFlags.ParFlags.parGcGen != USUAL);
	}
	children++;
	wrong += waitpid(child, &status, 0) != child || status != 0;
}

/* clang-format off */
#define __atomic_store_n(place, value, order) \
	do { \
		fork_here(); \
		*(place) = (value); \
		fork_here(); \
	} while (0)
/* clang-format on */
#include "collector/collector.c"

bool thread__file_read(long folder, const char *path, char *text, size_t size)
{
	(void)folder;
	(void)path;
	return stpncpy(text, "1 (test) R 1", size) < text + size;
}

bool thread__others_run(unsigned awake, unsigned processors)
{
	(void)awake;
	(void)processors;
	return are_others_running;
}

int main(void)
{
	RtsFlags.ParFlags.parGcEnabled = true;
	RtsFlags.ParFlags.parGcGen = USUAL;
	are_others_running = true;
	ferry_collector_look(1);
	/* the second answer in a row counts */
	ferry_collector_look(2);
	if (RtsFlags.ParFlags.parGcGen == USUAL)
		return 1;
	are_others_running = false;
	ferry_collector_look(LATER_NS);
	if (RtsFlags.ParFlags.parGcGen != USUAL)
		return 2;
	printf("%d %d\n", children, wrong);
	return 0;
}
