/* SPDX-License-Identifier: BSD-3-Clause */
/* What clauses and directives make of tasks: priorities, taskloops, reductions, cancellation. */
#include "openmp_tests.h"

/* ---- priorities -------------------------------------------------------------------------------------------------- */

static void higher_priorities_run_first(void **state)
{
	int order[10];
	int at = 0;

	(void)state;
	assert_int_equal(omp_get_max_task_priority(), 20);
#pragma omp parallel num_threads(2)
	{
		/* The other thread is kept at work, so that all tasks are there before the first can run. */
		static _Atomic int created;
		static _Atomic int held;

		if (omp_get_thread_num() == 1) {
			held = 1;
			while (!created)
				;
		} else {
			while (!held)
				;
			for (int i = 0; i < 10; i++)
#pragma omp task priority(i * 7 % 10 + 1) firstprivate(i) shared(order, at)
			{
				int mine;

#pragma omp atomic capture
				mine = at++;
				order[mine] = i * 7 % 10;
			}
#pragma omp taskwait
			created = 1;
		}
	}
	for (int i = 0; i < 10; i++)
		assert_int_equal(order[i], 9 - i);
}

/* ---- loops and reductions ---------------------------------------------------------------------------------------- */

static void taskloops_cover_each_iteration_once(void **state)
{
	static _Atomic unsigned char seen[1000];

	(void)state;
	FOR_SIZES(threads)
	{
		for (int n = 0; n < 1000; n += n < 20 ? 1 : 173) {
			memset((void *)seen, 0, sizeof(seen));
#pragma omp parallel num_threads(threads)
#pragma omp single
			{
#pragma omp taskloop grainsize(3)
				for (int i = 0; i < n; i++)
					seen[i]++;
#pragma omp taskloop grainsize(strict : 7)
				for (int i = n - 1; i >= 0; i--)
					seen[i]++;
#pragma omp taskloop num_tasks(5)
				for (unsigned long long i = 0; i < (unsigned long long)n * 3; i += 3)
					seen[i / 3]++;
#pragma omp taskloop num_tasks(strict : 4) nogroup
				for (unsigned long long i = (unsigned long long)n; i > 0; i--)
					seen[i - 1]++;
#pragma omp taskloop if (0)
				for (int i = 0; i < n; i++)
					seen[i]++;
			}
			for (int i = 0; i < 1000; i++)
				assert_int_equal(seen[i], i < n ? 5 : 0);
		}
	}
}

static void taskloops_take_the_largest_numbers(void **state)
{
	_Atomic int ran = 0;

	(void)state;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskloop grainsize(1)
		for (long i = LONG_MAX - 14; i < LONG_MAX - 4; i += 4)
			ran++;
#pragma omp taskloop num_tasks(2)
		for (unsigned long long i = ULLONG_MAX - 14; i < ULLONG_MAX - 4; i += 4)
			ran++;
#pragma omp taskloop num_tasks(2)
		for (long i = LONG_MIN + 14; i > LONG_MIN + 4; i -= 4)
			ran++;
#pragma omp taskloop num_tasks(4)
		for (long i = LONG_MIN; i < LONG_MAX / 2 * 2 - 2; i += LONG_MAX / 2)
			ran++;
	}
	assert_int_equal(ran, 13);
}

/* What C++ makes of a firstprivate object: a copy function, and a body that destroys the copy. */
struct object {
	long bounds[2];
	const struct object *self;
	_Atomic int *live;
	_Atomic int *wrong;
	_Atomic int *ran;
};

enum { GROUP_FLAGS = 1 << 10 | 1 << 8 | 1 << 9, NO_GROUP = 1 << 11 }; /* if, up, grainsize; nogroup */

void GOMP_taskloop(void (*fn)(void *), void *data, void (*copy)(void *, void *), long bytes, long align, unsigned flags,
		   unsigned long tasks, int priority, long start, long end, long step);

static void copy_object(void *to, void *from)
{
	struct object *object = to;

	*object = *(struct object *)from;
	object->self = object;
	++*object->live;
}

static void end_object(void *data)
{
	struct object *object = data;

	delay((unsigned)object->bounds[0]);
	*object->wrong += object->self != object;
	object->self = NULL;
	*object->ran += (int)(object->bounds[1] - object->bounds[0]);
	--*object->live;
}

static void a_taskloop_copies_objects_once_and_leaves_them_there(void **state)
{
	_Atomic int live = 0;
	_Atomic int wrong = 0;
	_Atomic int ran = 0;
	struct object object = { { 0, 0 }, NULL, &live, &wrong, &ran };

	(void)state;
	FOR_SIZES(threads)
	{
		ran = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
		for (int n = 1; n < 200; n++) {
			GOMP_taskloop(end_object, &object, copy_object, sizeof(object), _Alignof(struct object),
				      GROUP_FLAGS | (n & 1 ? NO_GROUP : 0), 1, n % 3, 0, n, 1);
		}
		assert_int_equal(ran, 199 * 200 / 2);
		assert_int_equal(wrong, 0);
		assert_int_equal(live, 0);
	}
}

/* Whichever thread runs a part, and however ranges were split: the part is a task, with children of its own. */
static void the_parts_of_a_taskloop_are_tasks(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		_Atomic int unfinished = 0;
		_Atomic int ended = 0;

#pragma omp parallel num_threads(threads)
#pragma omp single
		for (int n = 1; n < 600; n += 37) {
#pragma omp taskloop grainsize(1) shared(ended, unfinished)
			for (int i = 0; i < n; i++) {
				_Atomic int own = 0;
				static _Atomic int nobodys;
				/* A child that is not waited for may outlive the part. */
				_Atomic int *children = i % 3 == 0 ? &nobodys : &own;

				for (int k = 0; k < i % 4; k++) {
#pragma omp task firstprivate(children) shared(ended)
					{
						delay((unsigned)(n + i + k));
						++*children;
						ended++;
					}
				}
				if (i % 3 == 0)
					continue;
#pragma omp taskwait
				unfinished += own != i % 4;
			}
			/* The group holds the children that no part waited for. */
			for (int i = 0; i < n; i++)
				ended -= i % 4;
			unfinished += ended != 0;
		}
		assert_int_equal(unfinished, 0);
	}
}

static void a_taskwait_waits_for_a_taskloop_without_a_group(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		_Atomic int ran = 0;
		int early = 0;

#pragma omp parallel num_threads(threads)
#pragma omp single
		for (int n = 1; n < 100; n++) {
			ran = 0;
#pragma omp taskloop grainsize(1) nogroup shared(ran)
			for (int i = 0; i < n; i++) {
				delay((unsigned)(n * i));
				ran++;
			}
#pragma omp taskwait
			early += ran != n;
		}
		assert_int_equal(early, 0);
	}
}

static void a_cancelled_taskloop_ends_early(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		_Atomic int ran = 0;

#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop grainsize(1)
		for (int i = 0; i < 1000000; i++) {
			ran++;
#pragma omp cancel taskgroup
		}
		assert_in_range(ran, 1, threads);
	}
}

static long sum_tree(int n)
{
	long sum = 0;

#pragma omp taskgroup task_reduction(+ : sum)
	{
#pragma omp task in_reduction(+ : sum)
		sum += n;
		if (n > 1) {
			long left;
			long right;

#pragma omp task shared(left)
			left = sum_tree(n / 2);
#pragma omp task shared(right)
			right = sum_tree(n / 3);
#pragma omp taskwait
#pragma omp task in_reduction(+ : sum)
			sum += left + right;
		}
	}
	return sum;
}

static long sum_sequential(int n)
{
	return n > 1 ? n + sum_sequential(n / 2) + sum_sequential(n / 3) : n;
}

static void reductions_add_up(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		long tree = 0;
		long loop = 0;
		long all = 0;

#pragma omp parallel num_threads(threads) reduction(task, + : all)
		{
#pragma omp single
			{
				tree = sum_tree(300);
#pragma omp taskloop reduction(+ : loop) grainsize(2)
				for (int i = 0; i < 1000; i++)
					loop += i;
			}
#pragma omp task in_reduction(+ : all)
			all += 10;
			all += 1;
		}
		assert_int_equal(tree, sum_sequential(300));
		assert_int_equal(loop, 499500);
		assert_int_equal(all, 11 * threads);
	}
}

/* Two tasks that wait for each other run on two threads, so they have two copies. */
static void each_thread_has_its_copy(void **state)
{
	_Atomic int here = 0;
	const int *copies[2];
	int sum = 1;

	(void)state;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 2; i++)
#pragma omp task in_reduction(+ : sum) shared(here, copies)
	{
		copies[i] = &sum;
		sum += 10;
		here++;
		while (here < 2)
			;
	}
	assert_int_equal(sum, 21);
	assert_ptr_not_equal(copies[0], copies[1]);
}

static void a_cancelled_group_ends_early(void **state)
{
	_Atomic int ran = 0;
	_Atomic int after = 0;

	(void)state;
	assert_true(omp_get_cancellation());
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task shared(ran)
			{
				ran++;
#pragma omp cancel taskgroup
				abort();
			}
#pragma omp taskwait
			for (int i = 0; i < 100; i++)
#pragma omp task shared(after)
				after++;
		}
#pragma omp task shared(ran)
		ran++;
	}
	assert_int_equal(ran, 2);
	assert_int_equal(after, 0);
}

int main(int argc, char **argv)
{
	static const char *const variables[] = { "OMP_MAX_TASK_PRIORITY", "20", "OMP_CANCELLATION", "true", NULL };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(higher_priorities_run_first),
		cmocka_unit_test(taskloops_cover_each_iteration_once),
		cmocka_unit_test(taskloops_take_the_largest_numbers),
		cmocka_unit_test(a_taskloop_copies_objects_once_and_leaves_them_there),
		cmocka_unit_test(the_parts_of_a_taskloop_are_tasks),
		cmocka_unit_test(a_taskwait_waits_for_a_taskloop_without_a_group),
		cmocka_unit_test(a_cancelled_taskloop_ends_early),
		cmocka_unit_test(reductions_add_up),
		cmocka_unit_test(each_thread_has_its_copy),
		cmocka_unit_test(a_cancelled_group_ends_early),
	};

	if (again(argc, argv, variables))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
