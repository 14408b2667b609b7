/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs: tasks. */
#include "random_program.h"

enum { CELLS = 6 };

/* Each step changes one cell by another; whether as a task or at once is the same to who reads the cells after it. */
static void step(const struct node *node, unsigned i, uint64_t *to, const uint64_t *from)
{
	*to = *to * 31 + *from + value_of(node, i);
}

static unsigned cell(const struct node *node, unsigned i, unsigned which)
{
	return (unsigned)(value_of(node, i * 2 + which + 1000) % CELLS);
}

static uint64_t fold(const uint64_t *cells)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < CELLS; i++)
		value = value * 31 + cells[i];
	return value;
}

static void create_step(const struct node *node, unsigned i, uint64_t *cells)
{
	uint64_t *to = &cells[cell(node, i, 0)];
	uint64_t *from = &cells[cell(node, i, 1)];

	if (to == from)
		return;
	switch (value_of(node, i) % 5) {
	case 0:
#pragma omp task depend(inout : to[0]) depend(in : from[0]) if (0)
		step(node, i, to, from);
		break;
	case 1:
#pragma omp task depend(inout : to[0]) depend(in : from[0]) priority(3) untied
		step(node, i, to, from);
		break;
	case 2:
#pragma omp task depend(inout : to[0]) depend(in : from[0])
	{
		uint64_t copy = *to;
#pragma omp task depend(out : copy) shared(copy)
		step(node, i, &copy, from);
#pragma omp taskwait
		*to = copy;
	} break;
	default:
#pragma omp task depend(inout : to[0]) depend(in : from[0])
		step(node, i, to, from);
	}
}

static void run_depend(struct node *node)
{
	uint64_t cells[CELLS] = { 0 };

#pragma omp taskgroup
	for (unsigned i = 0; i < node->count; i++)
		create_step(node, i, cells);
	add(node, fold(cells));
}

uint64_t depend_of(const struct node *node)
{
	uint64_t cells[CELLS] = { 0 };

	for (unsigned i = 0; i < node->count; i++)
		if (cell(node, i, 0) != cell(node, i, 1))
			step(node, i, &cells[cell(node, i, 0)], &cells[cell(node, i, 1)]);
	return fold(cells);
}

uint64_t tree_of(uint64_t seed, unsigned depth)
{
	uint64_t sum = hash(seed);

	for (unsigned i = 0; depth > 0 && i < hash(seed) % 4; i++)
		sum += tree_of(seed * 5 + i, depth - 1);
	return sum;
}

/* Waits for its children, or leaves them to the barrier. */
void run_tree(struct node *node, uint64_t seed, unsigned depth)
{
	for (unsigned i = 0; depth > 0 && i < hash(seed) % 4; i++) {
#pragma omp task final(depth == 2 && seed % 3 == 0) priority((int)(seed % 3))
		run_tree(node, seed * 5 + i, depth - 1);
	}
	add(node, hash(seed));
	if (seed % 2) {
#pragma omp taskwait
	}
}

static void run_taskloop(struct node *node)
{
	uint64_t sum = 0;

	if (node->way % 2) {
#pragma omp taskloop grainsize(node->chunk) reduction(+ : sum)
		for (unsigned i = 0; i < node->count; i++)
			sum += value_of(node, i);
	} else {
#pragma omp taskloop num_tasks(node->chunk) reduction(+ : sum)
		for (unsigned i = 0; i < node->count; i++)
			sum += value_of(node, i);
	}
	add(node, sum);
}

static void run_task_reduction(struct node *node)
{
	uint64_t sum = 0;

#pragma omp taskgroup task_reduction(+ : sum)
	for (unsigned i = 0; i < node->count; i++) {
#pragma omp task in_reduction(+ : sum)
		sum += value_of(node, i);
	}
	add(node, sum);
}

static void run_cancelled_tasks(struct node *node)
{
	_Atomic unsigned running = 0;
	_Atomic unsigned cancelled = 0;
	unsigned at = node->way % node->count;

#pragma omp taskgroup
	for (unsigned i = 0; i < node->count; i++) {
#pragma omp task shared(running, cancelled)
		{
			running++;
			if (i == at) {
				cancelled++;
				running--;
#pragma omp cancel taskgroup
			}
			running--;
		}
	}
	require(running == 0 && cancelled == 1, "a cancelled taskgroup ended before its tasks", node);
	add(node, 1);
}

void run_tasks(struct node *node)
{
	switch (node->kind) {
	case TASKS_DEPEND:
		run_depend(node);
		break;
	case TASK_LOOP:
		run_taskloop(node);
		break;
	case TASK_REDUCTION:
		run_task_reduction(node);
		break;
	default:
		run_cancelled_tasks(node);
	}
}
