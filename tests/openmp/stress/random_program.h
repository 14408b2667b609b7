/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs: their trees, and what runs one construct of them. See tests/openmp/unit/test_openmp_random.c. */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { RANDOM_COUNT_MAX = 60, RANDOM_DEPTH = 5 };

enum kind {
	LOOP,
	LOOPS_NOWAIT,
	LOOP_ORDERED,
	LOOP_DOACROSS,
	LOOP_REDUCTION,
	LOOP_CANCELLED,
	SECTIONS,
	SINGLE_COPY,
	MASKED,
	CRITICAL,
	LOCK,
	BARRIER,
	TASKS_DEPEND,
	TASK_TREE,
	TASK_LOOP,
	TASK_REDUCTION,
	TASKS_CANCELLED,
	REGION_CANCELLED,
	REGION,
	REGION_OF_ONE,
	KINDS,
};

struct node {
	enum kind kind;
	unsigned count;
	unsigned chunk;
	unsigned way;
	unsigned threads;
	uint64_t seed;
	struct node *block;
	struct node *next;
	uint64_t expected;
	_Atomic uint64_t got;
	uint64_t guarded; /* by a lock */
};

/* What a team shares. */
struct shared {
	unsigned size;
	uint64_t value;
	uint64_t cells[RANDOM_COUNT_MAX + 1];
	_Atomic unsigned phase;
	_Atomic unsigned char seen[RANDOM_COUNT_MAX];
};

extern uint64_t random_seed; /* of the program that runs */

static inline uint64_t hash(uint64_t of)
{
	of = (of ^ (of >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	of = (of ^ (of >> 27)) * UINT64_C(0x94d049bb133111eb);
	return of ^ (of >> 31);
}

/* Unless it holds, say the seed and the construct on stderr and abort. */
void require(bool holds, const char *what, const struct node *node);

static inline void add(struct node *node, uint64_t value)
{
	atomic_fetch_add_explicit(&node->got, value, memory_order_relaxed);
}

static inline uint64_t value_of(const struct node *node, unsigned i)
{
	return hash(node->seed + i);
}

/* What the oracle knows: all values added, all values chained, and what the tasks of random_tasks.c compute. */
uint64_t sum_of(const struct node *node);
uint64_t chain_of(const struct node *node);
uint64_t depend_of(const struct node *node);
uint64_t tree_of(uint64_t seed, unsigned depth);

/* Every member of a team calls these. */
void run_work(struct node *node, struct shared *shared);
void run_block(struct node *block, struct shared *shared);
void run_tree(struct node *node, uint64_t seed, unsigned depth);
/* One thread, or each for itself. */
void run_tasks(struct node *node);
void run_region(struct node *node);

#endif
