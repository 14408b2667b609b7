/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs: worksharing, and what threads do one at a time. */
#include "random_program.h"

static omp_nest_lock_t nest_lock;
static omp_lock_t simple_lock;

static __attribute__((constructor)) void make_locks(void)
{
	omp_init_lock(&simple_lock);
	omp_init_nest_lock(&nest_lock);
}

uint64_t sum_of(const struct node *node)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < node->count; i++)
		sum += value_of(node, i);
	return sum;
}

uint64_t chain_of(const struct node *node)
{
	uint64_t value = 1;

	for (unsigned i = 0; i < node->count; i++)
		value = value * 31 + value_of(node, i);
	return value;
}

#define LOOP_BODY                                                                                                      \
	for (unsigned i = 0; i < node->count; i++)                                                                     \
		add(node, value_of(node, i));                                                                          \
	break

static void run_loop(struct node *node)
{
	int chunk = (int)node->chunk;

	switch (node->way % 8) {
	case 0:
#pragma omp for
		LOOP_BODY;
	case 1:
#pragma omp for schedule(static, chunk)
		LOOP_BODY;
	case 2:
#pragma omp for schedule(dynamic, chunk)
		LOOP_BODY;
	case 3:
#pragma omp for schedule(monotonic : dynamic, chunk)
		LOOP_BODY;
	case 4:
#pragma omp for schedule(guided, chunk)
		LOOP_BODY;
	case 5:
		omp_set_schedule((omp_sched_t)(1 + node->seed % 4), chunk);
#pragma omp for schedule(runtime)
		LOOP_BODY;
	case 6:
#pragma omp for schedule(dynamic, chunk)
		for (unsigned long long i = node->count; i > 0; i--)
			add(node, value_of(node, (unsigned)i - 1));
		break;
	default:
#pragma omp for schedule(guided) collapse(2)
		for (unsigned i = 0; i < node->count; i++)
			for (unsigned k = 0; k < 2; k++)
				add(node, k ? value_of(node, i) : 0);
	}
}

/* More constructs than the ring of work shares has slots, so that the quick lap the slow. */
static void run_loops_nowait(struct node *node)
{
	for (unsigned i = 0; i < node->count; i++) {
#pragma omp for schedule(dynamic, 1) nowait
		for (unsigned k = 0; k < 3; k++)
			add(node, k == 2 ? value_of(node, i) : 0);
#pragma omp single nowait
		add(node, 1);
	}
#pragma omp barrier
}

static void run_ordered(struct node *node, struct shared *shared)
{
#pragma omp single
	shared->value = 1;
	if (node->way % 2) {
#pragma omp for ordered schedule(dynamic, 1)
		for (unsigned i = 0; i < node->count; i++) {
#pragma omp ordered
			shared->value = shared->value * 31 + value_of(node, i);
		}
	} else {
		int chunk = (int)node->chunk;
#pragma omp for ordered schedule(static, chunk)
		for (unsigned i = 0; i < node->count; i++) {
#pragma omp ordered
			shared->value = shared->value * 31 + value_of(node, i);
		}
	}
#pragma omp single
	add(node, shared->value);
}

static void run_doacross(struct node *node, struct shared *shared)
{
	uint64_t *cells = shared->cells;

#pragma omp single
	cells[0] = 1;
#pragma omp for ordered(1) schedule(dynamic, 1)
	for (int i = 1; i <= (int)node->count; i++) {
#pragma omp ordered depend(sink : i - 1)
		cells[i] = cells[i - 1] * 31 + value_of(node, (unsigned)i - 1);
#pragma omp ordered depend(source)
	}
#pragma omp single
	add(node, cells[node->count]);
}

static void run_reduction(struct node *node, struct shared *shared)
{
	uint64_t *sum = &shared->value;

#pragma omp single
	*sum = 7;
#pragma omp for reduction(+ : sum[:1]) schedule(dynamic, 2)
	for (unsigned i = 0; i < node->count; i++)
		sum[0] += value_of(node, i);
#pragma omp single
	add(node, *sum);
}

static void run_cancelled_loop(struct node *node, struct shared *shared)
{
	unsigned at = node->way % node->count;

#pragma omp for
	for (unsigned i = 0; i < node->count; i++)
		shared->seen[i] = 0;
#pragma omp for schedule(dynamic, 1)
	for (unsigned i = 0; i < node->count; i++) {
#pragma omp cancellation point for
		require(shared->seen[i]++ == 0, "an iteration ran twice", node);
		if (i == at) {
#pragma omp cancel for
		}
	}
#pragma omp single
	require(shared->seen[at] == 1, "the iteration that cancels did not run", node);
	add(node, 1);
}

static void run_sections(struct node *node)
{
#pragma omp sections
	{
		add(node, 1);
#pragma omp section
		add(node, 10);
#pragma omp section
		add(node, 100);
	}
}

static void run_single_copy(struct node *node)
{
	uint64_t value = 0;

#pragma omp single copyprivate(value)
	value = node->seed;
	add(node, value);
}

static void run_barrier(struct node *node, struct shared *shared)
{
	for (unsigned round = 0; round < node->chunk; round++) {
		unsigned before;

#pragma omp barrier
		before = shared->phase;
#pragma omp barrier
		shared->phase++;
#pragma omp barrier
		require(shared->phase == before + shared->size, "left a barrier early", node);
		add(node, 1);
	}
}

static void run_locked(struct node *node)
{
	if (node->kind == CRITICAL) {
#pragma omp critical(random_program)
		node->guarded++;
	} else if (node->way % 2) {
		omp_set_lock(&simple_lock);
		node->guarded++;
		omp_unset_lock(&simple_lock);
	} else {
		omp_set_nest_lock(&nest_lock);
		omp_set_nest_lock(&nest_lock);
		node->guarded++;
		omp_unset_nest_lock(&nest_lock);
		omp_unset_nest_lock(&nest_lock);
	}
}

void run_work(struct node *node, struct shared *shared)
{
	switch (node->kind) {
	case LOOP:
		run_loop(node);
		break;
	case LOOPS_NOWAIT:
		run_loops_nowait(node);
		break;
	case LOOP_ORDERED:
		run_ordered(node, shared);
		break;
	case LOOP_DOACROSS:
		run_doacross(node, shared);
		break;
	case LOOP_REDUCTION:
		run_reduction(node, shared);
		break;
	case LOOP_CANCELLED:
		run_cancelled_loop(node, shared);
		break;
	case SECTIONS:
		run_sections(node);
		break;
	case SINGLE_COPY:
		run_single_copy(node);
		break;
	case MASKED:
#pragma omp masked
		add(node, 1);
		break;
	case CRITICAL:
	case LOCK:
		run_locked(node);
		break;
	default:
		run_barrier(node, shared);
	}
}
