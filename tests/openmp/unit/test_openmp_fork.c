/* SPDX-License-Identifier: BSD-3-Clause */
/* fork outside and inside parallel regions: the child goes on alone, and opens regions of its own. */
#include "openmp_tests.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * ThreadSanitizer does not follow new threads of a forked child. AddressSanitizer of GCC 12 does not hold its
 * allocator's locks around fork, so that a child may find one taken by a thread that did not come along.
 */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define NEEDS_THREADS_IN_CHILDREN() skip()
#else
#define NEEDS_THREADS_IN_CHILDREN()
#endif

enum { FORKING = 3, HANG_S = 60 };

#include "../../helpers/fork.h"

/* What children write and their parent reads. */
static _Atomic int *shared;

static int make_shared(void **state)
{
	(void)state;
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED;
}

static int status_of(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		abort();
	return status;
}

static int count_threads(int threads)
{
	int count = 0;

#pragma omp parallel num_threads(threads) reduction(+ : count)
	count++;
	return count;
}

/* The thread `who` forks inside a region of `threads`; the child leaves the region and says what it saw. */
static void fork_inside(int threads, int who)
{
	pid_t parent = getpid();
	pid_t child = -1;

#pragma omp parallel num_threads(threads)
	{
		pid_t mine = -1;

#pragma omp barrier
		if (omp_get_thread_num() == who)
			mine = fork_child();
		if (mine == 0) {
			int sum = 0, share = 0;

			/* what a compiler may take for constants stays */
			if (omp_get_num_threads() != threads || omp_get_thread_num() != who || omp_in_parallel())
				_exit(2);
#pragma omp for schedule(static)
			for (int i = 0; i < 100 * threads; i++)
				share += i / 100 == who;
#pragma omp barrier
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 100; i++)
				sum += i;
#pragma omp single
			sum++;
#pragma omp task shared(sum)
			sum++;
#pragma omp taskwait
			if (sum != 4952 || share != 100 || count_threads(FORKING) != FORKING)
				_exit(3);
			if (omp_get_ancestor_thread_num(omp_get_level()) != who)
				_exit(4);
			atomic_fetch_add(shared, 1);
		} else {
#pragma omp barrier
			if (mine > 0)
				child = mine;
		}
	}
	if (getpid() != parent) {
		/* only the primary comes back here */
		if (who != 0 || omp_in_parallel() || count_threads(FORKING) != FORKING)
			_exit(5);
		atomic_fetch_add(shared, 10);
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
}

static void a_primary_leaves_its_region(void **state)
{
	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	for (int round = 0; round < 20; round++) {
		atomic_store(shared, 0);
		fork_inside(2 + round % 4, 0);
		assert_int_equal(atomic_load(shared), 11);
		assert_int_equal(count_threads(4), 4);
	}
}

/* Its thread ends with the region, and as the last of its process takes that with it. */
static void a_worker_ends_with_its_region(void **state)
{
	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	for (int round = 0; round < 20; round++) {
		atomic_store(shared, 0);
		fork_inside(2 + round % 4, 1 + round % 2 % (1 + round % 4));
		assert_int_equal(atomic_load(shared), 1);
		assert_int_equal(count_threads(4), 4);
	}
}

/* Forks in the inner region; the child leaves it, and then the outer one. */
static void fork_nested(int outer, int inner)
{
	pid_t parent = getpid();
	_Atomic pid_t child = 0;

#pragma omp parallel num_threads(2)
	{
		int who = omp_get_thread_num();

#pragma omp parallel num_threads(3)
		{
			if (who == outer && omp_get_thread_num() == inner) {
				pid_t mine = fork_child();

				if (mine > 0)
					child = mine;
			}
#pragma omp barrier
		}
		if (getpid() != parent) {
			if (omp_get_num_threads() != 2 || count_threads(2) != 2)
				_exit(2);
#pragma omp barrier
			atomic_fetch_add(shared, 1);
		}
	}
	if (getpid() != parent) {
		if (omp_get_level() != 0 || count_threads(2) != 2)
			_exit(3);
		atomic_fetch_add(shared, 10);
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
}

static void nested_regions_are_left_one_by_one(void **state)
{
	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	omp_set_max_active_levels(3);
	for (int outer = 0; outer < 2; outer++) {
		for (int inner = 0; inner < 2; inner++) {
			atomic_store(shared, 0);
			fork_nested(outer, inner);
			assert_int_equal(atomic_load(shared), inner ? 0 : outer ? 1 : 11);
		}
	}
	omp_set_max_active_levels(1);
}

static void spin_until(const _Atomic int *word)
{
	while (!atomic_load(word))
		usleep(100);
}

/* A task that another thread runs while this one forks never ends in the child; nobody there waits for it. */
static void tasks_of_others_are_forgotten(void **state)
{
	pid_t child = -1;
	_Atomic int go = 0, started = 0;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
#pragma omp parallel num_threads(2)
#pragma omp master
	{
#pragma omp taskgroup
		{
#pragma omp task shared(go, started)
			{
				atomic_store(&started, 1);
				spin_until(&go);
			}
			spin_until(&started);
			child = fork_child();
			if (child == 0) {
#pragma omp taskwait
			}
			atomic_store(&go, 1);
		}
		if (child == 0)
			_exit(count_threads(2) == 2 ? 0 : 2);
	}
	assert_int_equal(status_of(child), 0);
}

/* OMP_THREAD_LIMIT counts threads that are no more. */
static void a_limit_counts_the_childs_own_threads(void **state)
{
	pid_t child = -1;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	for (int round = 0; round < 3; round++) {
#pragma omp target thread_limit(3) map(tofrom : child)
		{
#pragma omp parallel num_threads(3)
#pragma omp master
			child = fork_child();
			if (child == 0)
				for (int i = 0; i < 3; i++)
					if (count_threads(3) != 3)
						_exit(2);
		}
		if (child == 0)
			_exit(0);
		assert_int_equal(status_of(child), 0);
	}
}

static void *make_tasks(void *opaque)
{
	int sum = 0;

	(void)opaque;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task shared(sum)
#pragma omp atomic
		sum++;
	}
	return sum == 50 ? NULL : &shared;
}

static _Atomic bool stop;

static void *churn(void *opaque)
{
	while (!atomic_load(&stop)) {
		pthread_t root;

		if (pthread_create(&root, NULL, make_tasks, opaque) == 0)
			pthread_join(root, NULL);
	}
	return NULL;
}

/* Threads that end leave their tasks' memory to others, under a lock that no child may find taken. */
static void memory_that_others_leave_is_whole(void **state)
{
	pthread_t churner;

	(void)state;
	NEEDS_THREADS_IN_CHILDREN();
	atomic_store(&stop, false);
	assert_int_equal(pthread_create(&churner, NULL, churn, NULL), 0);
	for (int i = 0; i < (SLOW ? 20 : 100); i++) {
		pid_t child = fork_child();

		if (child == 0) {
			pthread_t root;
			void *failed;

			pthread_create(&root, NULL, make_tasks, NULL);
			pthread_join(root, &failed);
			_exit(failed ? 1 : 0);
		}
		assert_int_equal(status_of(child), 0);
	}
	atomic_store(&stop, true);
	pthread_join(churner, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_primary_leaves_its_region),
		cmocka_unit_test(a_worker_ends_with_its_region),
		cmocka_unit_test(nested_regions_are_left_one_by_one),
		cmocka_unit_test(tasks_of_others_are_forgotten),
		cmocka_unit_test(a_limit_counts_the_childs_own_threads),
		cmocka_unit_test(memory_that_others_leave_is_whole),
	};

	return cmocka_run_group_tests(tests, make_shared, NULL);
}
