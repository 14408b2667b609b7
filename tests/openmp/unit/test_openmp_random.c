/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs against a sequential oracle. A program is a tree of constructs drawn from a seed: a block is a list
 * of constructs that every member of a team meets, a region holds a block. Each construct adds what it computed to a
 * sum of its own; the oracle knows what that sum must be from the tree alone.
 *
 * FERRY_SEED is the seed of the first program (the next ones count up), FERRY_STRESS_SECONDS how long to go on. What
 * fails says its seed; FERRY_SEED=that runs it first.
 */
#include "../stress/random_program.h"
#include "openmp_tests.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

enum {
	LEVELS_MAX = 3,
	BLOCK_MAX = 6,
	TEAM_MAX = 5,
	THREADS_MAX = 24, /* of all teams together */
	HANG_S = 240,
};

uint64_t random_seed;

void require(bool holds, const char *what, const struct node *node)
{
	if (holds)
		return;
	fprintf(stderr, "FERRY_SEED=%llu: construct %d: %s\n", (unsigned long long)random_seed, (int)node->kind, what);
	abort();
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void run_cancelled_region(struct node *node)
{
	_Atomic unsigned past = 0;
	unsigned at = node->way % 4;

#pragma omp parallel num_threads(node->threads)
	{
		for (unsigned round = 0; round < at; round++) {
#pragma omp barrier
		}
		if (node->seed % 2) {
#pragma omp task
			add(node, 0);
		}
		if ((unsigned)omp_get_thread_num() == node->chunk % node->threads) {
#pragma omp cancel parallel
		}
		if (node->seed % 3 == 0) {
#pragma omp cancellation point parallel
		}
#pragma omp barrier
		past++;
	}
	require(past == 0, "a cancelled region went on after its barrier", node);
	add(node, 1);
}

void run_region(struct node *node)
{
	struct shared shared = { .size = node->threads };

#pragma omp parallel num_threads(node->threads)
	{
		require((unsigned)omp_get_num_threads() == node->threads, "the team has another size", node);
		run_block(node->block, &shared);
	}
}

static void run_by_one(struct node *node)
{
	if (node->kind == REGION_OF_ONE)
		run_region(node);
	else if (node->kind == REGION_CANCELLED)
		run_cancelled_region(node);
	else
		run_tasks(node);
}

/* Whether each member runs it for itself, or one for all. */
static bool by_all(const struct node *node)
{
	return node->kind == TASK_TREE || node->kind == REGION || node->way % 3 == 0;
}

static void run_node(struct node *node, struct shared *shared)
{
	if (node->kind < TASKS_DEPEND) {
		run_work(node, shared);
	} else if (node->kind == TASK_TREE) {
		run_tree(node, node->seed, RANDOM_DEPTH);
	} else if (node->kind == REGION) {
		run_region(node);
	} else if (by_all(node)) {
		run_by_one(node);
	} else if (node->way % 3 == 1) {
#pragma omp single
		run_by_one(node);
	} else {
#pragma omp single nowait
		run_by_one(node);
	}
}

void run_block(struct node *block, struct shared *shared)
{
	for (struct node *node = block; node; node = node->next)
		run_node(node, shared);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *state, uint64_t below)
{
	return hash(++*state * UINT64_C(0x9e3779b97f4a7c15)) % below;
}

static struct node *draw_block(uint64_t *state, unsigned level, unsigned threads);

static struct node *draw_node(uint64_t *state, unsigned level, unsigned threads)
{
	struct node *node = calloc(1, sizeof(*node));
	unsigned most = THREADS_MAX / threads < TEAM_MAX ? THREADS_MAX / threads : TEAM_MAX;

	assert_non_null(node);
	do
		node->kind = (enum kind)draw(state, KINDS);
	while ((node->kind == REGION || node->kind == REGION_OF_ONE) && (level == LEVELS_MAX || most == 0));
	node->count = 1 + (unsigned)draw(state, RANDOM_COUNT_MAX);
	node->chunk = 1 + (unsigned)draw(state, 5);
	node->way = (unsigned)draw(state, 1000);
	node->threads = 1 + (unsigned)draw(state, most ? most : 1);
	node->seed = hash(*state);
	if (node->kind == REGION || node->kind == REGION_OF_ONE)
		node->block = draw_block(state, level + 1, threads * node->threads);
	return node;
}

static struct node *draw_block(uint64_t *state, unsigned level, unsigned threads)
{
	struct node *block = NULL;

	for (unsigned left = 1 + (unsigned)draw(state, BLOCK_MAX); left > 0; left--) {
		struct node *node = draw_node(state, level, threads);

		node->next = block;
		block = node;
	}
	return block;
}

static void free_block(struct node *block)
{
	while (block) {
		struct node *next = block->next;

		free_block(block->block);
		free(block);
		block = next;
	}
}

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

/* The sum of one time, and in *times how often the node is run when so many teams of this size run its block. */
static uint64_t value_once(const struct node *node, uint64_t teams, uint64_t size, uint64_t *times)
{
	*times = teams;
	switch (node->kind) {
	case LOOP:
		return sum_of(node);
	case LOOPS_NOWAIT:
		return sum_of(node) + node->count;
	case LOOP_ORDERED:
	case LOOP_DOACROSS:
		return chain_of(node);
	case LOOP_REDUCTION:
		return 7 + sum_of(node);
	case SECTIONS:
		return 111;
	case MASKED:
		return 1;
	default:
		break;
	}
	*times = node->kind < TASKS_DEPEND || by_all(node) ? teams * size : teams;
	switch (node->kind) {
	case SINGLE_COPY:
		return node->seed;
	case BARRIER:
		return node->chunk;
	case TASKS_DEPEND:
		return depend_of(node);
	case TASK_TREE:
		return tree_of(node->seed, RANDOM_DEPTH);
	case TASK_LOOP:
	case TASK_REDUCTION:
		return sum_of(node);
	case LOOP_CANCELLED:
	case TASKS_CANCELLED:
	case REGION_CANCELLED:
		return 1;
	default:
		return 0;
	}
}

static void expect(struct node *block, uint64_t teams, uint64_t size)
{
	for (struct node *node = block; node; node = node->next) {
		uint64_t times;

		node->expected = value_once(node, teams, size, &times);
		node->expected *= times;
		if (node->kind == CRITICAL || node->kind == LOCK)
			node->expected = teams * size;
		if (node->block)
			expect(node->block, times, node->threads);
	}
}

static void check(const struct node *block)
{
	for (const struct node *node = block; node; node = node->next) {
		require(node->got + node->guarded == node->expected, "another sum than one thread computes", node);
		check(node->block);
	}
}

static void run_program(uint64_t seed)
{
	struct node root = { .kind = REGION };
	uint64_t state = seed;

	random_seed = seed;
	alarm(HANG_S);
	root.threads = 1 + (unsigned)draw(&state, TEAM_MAX);
	root.block = draw_block(&state, 1, root.threads);
	expect(&root, 1, 1);
	run_region(&root);
	check(&root);
	free_block(root.block);
}

static void say_what_hangs(int signal)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "FERRY_SEED=%llu: hangs\n", (unsigned long long)random_seed);

	(void)signal;
	if (write(STDERR_FILENO, text, (size_t)length) < 0)
		_exit(3);
	_exit(2);
}

static void random_programs_compute_what_one_thread_does(void **state)
{
	const char *given = getenv("FERRY_SEED");
	const char *seconds = getenv("FERRY_STRESS_SECONDS");
	time_t until = time(NULL) + (seconds ? atoi(seconds) : 2);
	uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 1000;
	unsigned count = 0;

	(void)state;
	signal(SIGALRM, say_what_hangs);
	omp_set_max_active_levels(LEVELS_MAX + 1);
	do
		run_program(seed + count++);
	while (time(NULL) < until);
	alarm(0);
	print_message("# %u programs from FERRY_SEED=%llu\n", count, (unsigned long long)seed);
}

int main(int argc, char **argv)
{
	static const char *const variables[] = { "OMP_CANCELLATION", "true", "OMP_MAX_TASK_PRIORITY", "9", NULL };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs_compute_what_one_thread_does),
	};

	if (again(argc, argv, variables))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
