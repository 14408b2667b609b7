/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The team's queue of tasks, by itself: random trees of families, and puts, takes and ends in any order, against a
 * model that looks at every task it has; and that what a take costs does not grow with what the taker may not run.
 */
#include "openmp_tests.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "openmp/scheduler/family.h"
#include "openmp/scheduler/queue.h"
#include "openmp/state/team_state.h"

#include "thread/clock.h"

enum {
	ROOTS = 3,
	FAMILIES = 200,
	TASKS = 300,
	STEPS = SLOW ? 20000 : 200000,
	SEEDS = 8,
};

/* What the queue takes from the system; a sanitizer has the function itself. */
static long mappings;

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
	mappings++;
	return (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
}
#endif

static struct omp__team team;
static struct omp__crew crews[ROOTS];
static uint64_t random_state;

static unsigned below(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((random_state >> 33) % limit);
}

static int start(void **state)
{
	(void)state;
	memset(&team, 0, sizeof(team));
	memset(crews, 0, sizeof(crews));
	for (int i = 0; i < ROOTS; i++) {
		crews[i].team = &team;
		crews[i].root.root = &crews[i].root;
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	omp__task_team_end(&team);
	return 0;
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

struct model_family {
	struct omp__family family;
	struct omp__task task; /* its task, as the queue is asked about it */
	int above;	       /* its parent's number */
	int references;	       /* families below, and tasks that are queued */
	bool live;
};

struct model_task {
	struct omp__deferred deferred;
	int of;
	uint64_t number;
	bool queued;
};

static struct model_family families[FAMILIES];
static struct model_task tasks[TASKS];
static uint64_t puts_so_far;

static void make_roots(void)
{
	memset(families, 0, sizeof(families));
	memset(tasks, 0, sizeof(tasks));
	puts_so_far = 0;
	for (int i = 0; i < ROOTS; i++) {
		families[i].above = -1;
		families[i].live = true;
		families[i].task.family = &crews[i].root;
		families[i].task.kind = OMP__TASK_IMPLICIT;
	}
}

static struct omp__family *family_at(int i)
{
	return i < ROOTS ? &crews[i].root : &families[i].family;
}

static int any_live(void)
{
	int i;

	do
		i = (int)below(FAMILIES);
	while (!families[i].live);
	return i;
}

static void make_family(void)
{
	/* The newest one half of the time: so trees become deep. */
	static int newest;
	int above = families[newest].live && below(2) ? newest : any_live();
	int i = ROOTS + (int)below(FAMILIES - ROOTS);
	struct omp__family *family = &families[i].family;

	if (families[i].live || i == above)
		return;
	memset(&families[i], 0, sizeof(families[i]));
	families[i].above = above;
	families[i].live = true;
	families[i].task.family = family;
	families[i].task.kind = OMP__TASK_DEFERRED;
	families[above].references++;
	atomic_init(&family->parent, family_at(above));
	family->root = family_at(above)->root;
	family->depth = family_at(above)->depth + 1;
	newest = i;
}

/* A family ends; or it is taken out, if a single one below it is all that keeps it. */
static void end_family(void)
{
	int i = any_live();
	int only = -1;

	if (i < ROOTS || families[i].references > 1)
		return;
	for (int k = ROOTS; k < FAMILIES; k++)
		if (families[k].live && families[k].above == i)
			only = k;
	if (families[i].references == 1 && only < 0)
		return;
	if (only >= 0) {
		families[only].above = families[i].above;
		atomic_store(&families[only].family.parent, family_at(families[i].above));
	} else {
		families[families[i].above].references--;
	}
	omp__task_queue_forget(&families[i].family);
	assert_null(families[i].family.bracket);
	families[i].live = false;
	memset(&families[i].family, 0x5a, sizeof(families[i].family));
}

static void put(void)
{
	struct model_task *task = &tasks[below(TASKS)];

	if (task->queued)
		return;
	task->of = any_live();
	task->number = puts_so_far++;
	task->queued = true;
	task->deferred.of = family_at(task->of);
	task->deferred.team = &team;
	task->deferred.priority = below(2) ? 0 : (int)below(4);
	families[task->of].references++;
	omp__task_queue_put(&team, &task->deferred);
}

static bool descends(const struct model_task *task, int from)
{
	int at = task->of;

	while (at >= 0 && at != from)
		at = families[at].above;
	return at == from;
}

/* `from`: the family's number, or -1 for any. */
static struct model_task *expected(int from)
{
	struct model_task *first = NULL;

	for (struct model_task *task = tasks; task < tasks + TASKS; task++) {
		if (!task->queued || (from >= 0 && !descends(task, from)))
			continue;
		if (!first || task->deferred.priority > first->deferred.priority ||
		    (task->deferred.priority == first->deferred.priority && task->number < first->number))
			first = task;
	}
	return first;
}

static void take(void)
{
	int from = below(3) ? any_live() : -1;
	struct model_task *first = expected(from);
	struct omp__deferred *got = omp__task_queue_take(&crews[below(ROOTS)], from < 0 ? NULL : &families[from].task);

	assert_ptr_equal(got, first ? &first->deferred : NULL);
	if (!first)
		return;
	first->queued = false;
	families[first->of].references--;
}

static void check_descends(void)
{
	const struct model_task *task = &tasks[below(TASKS)];
	int from = any_live();

	if (task->queued)
		assert_int_equal(omp__family_descends(task->deferred.of, &families[from].task), descends(task, from));
}

static void gives_what_a_search_of_all_would(void **state)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		random_state = seed;
		start(state);
		make_roots();
		for (int step = 0; step < STEPS / SEEDS; step++) {
			/* Sometimes it fills, sometimes it runs empty. */
			unsigned what = below(step / 1000 % 2 ? 8 : 10);

			if (what < 2)
				take();
			else if (what < 4)
				make_family();
			else if (what < 5)
				end_family();
			else if (what < 6)
				check_descends();
			else if (what < 7 && step / 1000 % 2)
				take();
			else
				put();
		}
		for (struct model_task *first; (first = expected(-1)); first->queued = false)
			assert_ptr_equal(omp__task_queue_take(&crews[0], NULL), &first->deferred);
		assert_null(omp__task_queue_take(&crews[0], NULL));
		assert_false(omp__task_queue_has(&team));
		end(state);
	}
	start(state);
}

/* ---- what it costs ----------------------------------------------------------------------------------------------- */

enum {
	FEW = 200,
	MANY = FEW * 64,
	DEEP = 64,
	TAKES = 2000,
	/* Of the same takes among 64 times as many tasks: a search of all of them takes that many times as long. */
	DEARER_AT_MOST = 16,
	TRIES = 5,
};

static struct omp__deferred *others;
static struct omp__family *chain;

/* The quickest of some rounds of takes and puts by a task at the chain's end, beside so many tasks that are not its. */
static uint64_t quickest_ns(int count)
{
	struct omp__task task = { .family = &chain[DEEP - 1], .kind = OMP__TASK_DEFERRED };
	struct omp__deferred own = { .of = &chain[DEEP - 1], .team = &team };
	uint64_t quickest = UINT64_MAX;

	start(NULL);
	memset(chain, 0, DEEP * sizeof(*chain));
	for (int i = 0; i < DEEP; i++) {
		atomic_init(&chain[i].parent, i ? &chain[i - 1] : &crews[0].root);
		chain[i].root = &crews[0].root;
		chain[i].depth = (unsigned)i + 1;
	}
	for (int i = 0; i < count; i++) {
		/* Deep ones too, which are near: as siblings of the task, or children of the one around it. */
		others[i] = (struct omp__deferred){ .of = i % 2 ? &crews[1].root : &chain[DEEP - 2], .team = &team };
		omp__task_queue_put(&team, &others[i]);
	}
	for (int try = 0; try < TRIES; try++) {
		uint64_t began = thread__now_ns();

		for (int i = 0; i < TAKES; i++) {
			omp__task_queue_put(&team, &own);
			assert_ptr_equal(omp__task_queue_take(&crews[0], &task), &own);
			assert_null(omp__task_queue_take(&crews[0], &task));
		}
		if (thread__now_ns() - began < quickest)
			quickest = thread__now_ns() - began;
	}
	end(NULL);
	return quickest;
}

static void a_take_costs_the_same_beside_many_that_the_taker_may_not_run(void **state)
{
	uint64_t few, many;

	(void)state;
	others = calloc(MANY, sizeof(*others));
	chain = calloc(DEEP, sizeof(*chain));
	assert_non_null(others);
	assert_non_null(chain);
	few = quickest_ns(FEW);
	many = quickest_ns(MANY);
	free(others);
	free(chain);
	if (many > few * DEARER_AT_MOST)
		fail_msg("%d takes: %.3f ms beside %d tasks, %.3f ms beside %d", TAKES, (double)few / 1e6, FEW,
			 (double)many / 1e6, MANY);
}

/* Families come and go, and each is in the queue for a while: what is kept of them is what is live. */
static void a_family_that_ends_leaves_nothing(void **state)
{
	long before = 0;

	(void)state;
	for (int round = 0; round < 10000; round++) {
		struct omp__family family = { .root = &crews[0].root, .depth = 1 };
		struct omp__deferred own = { .of = &family, .team = &team };

		atomic_init(&family.parent, &crews[0].root);
		omp__task_queue_put(&team, &own);
		assert_ptr_equal(omp__task_queue_take(&crews[0], NULL), &own);
		omp__task_queue_forget(&family);
		if (round == 10)
			before = mappings;
	}
	assert_int_equal(mappings, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(gives_what_a_search_of_all_would, start, end),
		cmocka_unit_test_setup_teardown(a_family_that_ends_leaves_nothing, start, end),
		cmocka_unit_test(a_take_costs_the_same_beside_many_that_the_taker_may_not_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
