/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences between tasks: many tasks with random dependences see the versions that a sequential run would give them.
 *
 * The tasks are created by the entry point itself, so that every kind of dependence takes part, also those that GCC 12
 * cannot write: inoutset and omp_all_memory.
 */
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align, bool if_clause,
	       unsigned flags, void **depend, int priority, void *detach);
void GOMP_taskwait_depend(void **depend);
void GOMP_taskwait_depend_nowait(void **depend);

#if defined(DELAYS)
enum { TASKS = 10000 };
#elif defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { TASKS = 30000 };
#else
enum { TASKS = 1000000 };
#endif
enum { CELLS = 24, DEPENDS_MAX = 4, DEPEND_FLAG = 8 };
enum kind { KIND_IN = 1, KIND_OUT = 2, KIND_INOUT = 3, KIND_MUTEX = 4, KIND_SET = 5, KINDS = 6 };

struct cell {
	/* What the tasks do to it: written by one at a time, except by those of an inoutset. */
	_Atomic long value;
	_Atomic int writers;
	_Atomic int readers;
	/* The oracle's: the value before the newest generation of tasks, and after the last one. */
	long before;
	long after;
	bool in_set;
};

struct access {
	struct cell *cell;
	enum kind kind;
	long low;
	/* Filled in when the set is complete, for KIND_SET only a bound that grows. */
	long high;
};

struct job {
	unsigned seed;
	int count;
	struct access accesses[DEPENDS_MAX];
	bool all;
	long all_values[CELLS];
};

static struct cell cells[CELLS];
static _Atomic long ran;
static _Atomic long wrong;

static void delay(unsigned seed)
{
	for (volatile unsigned i = seed & 0x7f; i > 0; i--)
		;
}

static void expect(bool so)
{
	if (!so)
		atomic_fetch_add(&wrong, 1);
}

static void read_cell(struct access *access, unsigned seed)
{
	struct cell *cell = access->cell;

	atomic_fetch_add(&cell->readers, 1);
	expect(atomic_load(&cell->value) == access->low);
	delay(seed);
	expect(atomic_load(&cell->writers) == 0);
	expect(atomic_load(&cell->value) == access->low);
	atomic_fetch_sub(&cell->readers, 1);
}

static void write_cell(struct access *access, unsigned seed)
{
	struct cell *cell = access->cell;
	long value = atomic_load(&cell->value);

	expect(atomic_fetch_add(&cell->writers, 1) == 0);
	expect(atomic_load(&cell->readers) == 0);
	expect(value == access->low);
	delay(seed);
	expect(atomic_load(&cell->value) == value);
	atomic_store(&cell->value, value + 1);
	atomic_fetch_sub(&cell->writers, 1);
}

static void run(void *data)
{
	struct job *job = data;

	for (int i = 0; job->all && i < CELLS; i++) {
		expect(atomic_load(&cells[i].value) == job->all_values[i]);
		expect(atomic_fetch_add(&cells[i].writers, 1) == 0);
		expect(atomic_load(&cells[i].readers) == 0);
	}
	for (int i = 0; i < job->count; i++) {
		struct access *access = &job->accesses[i];

		if (access->kind == KIND_IN)
			read_cell(access, job->seed);
		else if (access->kind == KIND_SET)
			expect(atomic_fetch_add(&access->cell->value, 1) >= access->low);
		else
			write_cell(access, job->seed);
	}
	for (int i = 0; job->all && i < CELLS; i++)
		atomic_fetch_sub(&cells[i].writers, 1);
	atomic_fetch_add(&ran, 1);
}

/* What a sequential run has done to the cell when a task of this kind comes, and does now. */
static void foresee(struct access *access)
{
	struct cell *cell = access->cell;

	if (access->kind == KIND_SET) {
		if (!cell->in_set)
			cell->before = cell->after;
		cell->in_set = true;
		access->low = cell->before;
		cell->after++;
		return;
	}
	cell->in_set = false;
	access->low = cell->after;
	if (access->kind != KIND_IN)
		cell->after++;
}

static void choose(struct job *job, unsigned *seed)
{
	memset(job, 0, sizeof(*job));
	job->seed = (unsigned)rand_r(seed);
	if (rand_r(seed) % 64 == 0) {
		job->all = true;
		for (int i = 0; i < CELLS; i++) {
			job->all_values[i] = cells[i].after;
			cells[i].in_set = false;
		}
		return;
	}
	job->count = rand_r(seed) % (DEPENDS_MAX + 1);
	for (int i = 0; i < job->count; i++) {
		struct access *access = &job->accesses[i];

		/* Few readers break up the sets, and the cells are different ones. */
		access->cell = &cells[(rand_r(seed) % (CELLS / DEPENDS_MAX)) * DEPENDS_MAX + i];
		access->kind = 1 + rand_r(seed) % (KINDS - 1);
		foresee(access);
	}
}

/* In the form of GOMP_task: with counts by kind when `long_form`, else writers and readers only. */
static int write_depends(const struct job *job, void **depend, void *objects[][2])
{
	static const enum kind order[] = { KIND_OUT, KIND_INOUT, KIND_MUTEX, KIND_IN, KIND_SET };
	long counts[KINDS] = { 0 };
	int at = 5;

	for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++)
		for (int i = 0; i < job->count; i++) {
			if (job->accesses[i].kind != order[k])
				continue;
			counts[order[k]]++;
			if (order[k] == KIND_SET) {
				objects[i][0] = job->accesses[i].cell;
				objects[i][1] = (char *)NULL + KIND_SET;
				depend[at++] = objects[i];
			} else {
				depend[at++] = job->accesses[i].cell;
			}
		}
	depend[0] = NULL;
	depend[1] = (char *)NULL + job->count;
	depend[2] = (char *)NULL + counts[KIND_OUT] + counts[KIND_INOUT];
	depend[3] = (char *)NULL + counts[KIND_MUTEX];
	depend[4] = (char *)NULL + counts[KIND_IN];
	return at;
}

static void create(struct job *job, bool if_clause)
{
	void *depend[5 + DEPENDS_MAX];
	void *objects[DEPENDS_MAX][2];

	write_depends(job, depend, objects);
	if (job->all) {
		/* omp_all_memory: one output without an address */
		depend[0] = (char *)NULL + 1;
		depend[1] = (char *)NULL + 1;
		depend[2] = NULL;
	}
	GOMP_task(run, job, NULL, sizeof(*job), _Alignof(struct job), if_clause,
		  job->all || job->count ? DEPEND_FLAG : 0, depend, 0, NULL);
}

static void storm(unsigned seed, int tasks)
{
	struct job job;

	memset(cells, 0, sizeof(cells));
	atomic_store(&ran, 0);
	atomic_store(&wrong, 0);
	for (int i = 0; i < tasks; i++) {
		choose(&job, &seed);
		create(&job, rand_r(&seed) % 512 != 0);
		if (rand_r(&seed) % 4096 == 0) {
#pragma omp taskwait
			expect(atomic_load(&ran) == i + 1);
		}
	}
}

static void check_storm(int tasks)
{
	assert_int_equal(ran, tasks);
	assert_int_equal(wrong, 0);
	for (int i = 0; i < CELLS; i++)
		assert_int_equal(cells[i].value, cells[i].after);
}

static void random_dependences_are_kept(void **state)
{
	static const int threads[] = { 1, 2, 3, 4, 8 };

	(void)state;
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		int tasks = threads[i] == 2 ? TASKS : TASKS / 10;

#pragma omp parallel num_threads(threads[i])
#pragma omp single
		storm((unsigned)i + 1, tasks);
		check_storm(tasks);
	}
}

static void dependences_are_kept_inside_a_task_and_outside_of_regions(void **state)
{
	(void)state;
	storm(11, TASKS / 10);
#pragma omp taskwait
	check_storm(TASKS / 10);
#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp task if (0)
		{
#pragma omp task
			{
				storm(12, TASKS / 10);
#pragma omp taskwait
			}
		}
	}
	check_storm(TASKS / 10);
}

static void an_unready_sibling_is_waited_for_by_a_taskwait_with_dependences(void **state)
{
	_Atomic int late = 0;
	int a = 0;
	int b = 0;

	(void)state;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 1000; i++) {
		void *on_a[] = { (char *)NULL + 1, (char *)NULL + 1, &a };

#pragma omp task depend(out : a) shared(a)
		{
			delay((unsigned)i);
			a++;
		}
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
		b = a;
#pragma omp task depend(out : late) shared(late)
		late++;
		GOMP_taskwait_depend_nowait(on_a);
		GOMP_taskwait_depend(on_a);
		if (a != i + 1 || b != i + 1)
			abort();
	}
	assert_int_equal(a, 1000);
	assert_int_equal(late, 1000);
}

static void a_chain_runs_in_order(void **state)
{
	enum { LENGTH = 20000 };
	int last = 0;
	int broken = 0;

	(void)state;
	for (int threads = 2; threads <= 4; threads += 2) {
		last = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
		for (int i = 0; i < LENGTH; i++)
#pragma omp task depend(inout : last) firstprivate(i) shared(last, broken)
		{
			broken += last != i;
			last++;
		}
		assert_int_equal(last, LENGTH);
	}
	assert_int_equal(broken, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_dependences_are_kept),
		cmocka_unit_test(dependences_are_kept_inside_a_task_and_outside_of_regions),
		cmocka_unit_test(an_unready_sibling_is_waited_for_by_a_taskwait_with_dependences),
		cmocka_unit_test(a_chain_runs_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
