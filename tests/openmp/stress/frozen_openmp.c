/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OpenMP runtime while one thread is suspended at any point of it: freeze.h. Its own team waits for it. Another
 * initial thread's teams do not, whatever the victim is at, and a lock that it does not hold is to be had; that stands
 * in man/libferryomp.7.
 */
#include "../../stress/freeze.h"

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void GOMP_add_alloc(void *memory);
bool GOMP_is_alloc(void *memory);

static void nap_ms(long ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

/* ---- what others do ---------------------------------------------------------------------------------------------- */

static void open_regions(int size)
{
	int sum = 0, ran = 0;

#pragma omp parallel num_threads(size) reduction(+ : sum)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 20; i++)
			sum += i;
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < 10; i++)
#pragma omp task
		{
#pragma omp atomic
			ran++;
		}
	}
	freeze_check(sum == 190);
	freeze_check(ran == 10);
}

static void depend_on_each_other(void)
{
	int value = 0, ran = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < 4; i++)
#pragma omp task depend(inout : value)
			value++;
#pragma omp taskloop grainsize(2)
		for (int i = 0; i < 8; i++) {
#pragma omp atomic
			ran++;
		}
	}
	freeze_check(value == 4);
	freeze_check(ran == 8);
}

static void nest(void)
{
	int ran = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp atomic
	ran++;
	freeze_check(ran == 4);
}

static void take_locks(void)
{
	omp_nest_lock_t nested;
	omp_lock_t lock;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(3)
	for (int i = 0; i < 10; i++) {
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nested);
		omp_unset_nest_lock(&nested);
#pragma omp critical
		(void)i;
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nested);
}

/* A thread that comes, has a team, and goes. */
static void *visit(void *unused)
{
	(void)unused;
	open_regions(2);
	depend_on_each_other();
	return NULL;
}

static void be_visited(void)
{
	pthread_t thread;

	freeze_check(pthread_create(&thread, NULL, visit, NULL) == 0);
	pthread_join(thread, NULL);
}

static void fork_a_child(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		open_regions(2);
		_exit(0);
	}
	freeze_check(child > 0);
	freeze_check(waitpid(child, &status, 0) == child && status == 0);
}

static void allocate(void)
{
	void *memory = omp_alloc(100, omp_default_mem_alloc);

	/* as GCC notes Fortran's allocatable variables */
	GOMP_add_alloc(memory);
	freeze_check(GOMP_is_alloc(memory));
	omp_free(memory, omp_default_mem_alloc);
}

static void do_everything(void)
{
	open_regions(2);
	open_regions(3);
	open_regions(2);
	depend_on_each_other();
	nest();
	take_locks();
	allocate();
	be_visited();
	fork_a_child();
}

/* A process ends though a worker of its is suspended between two regions. */
static void end_a_process(void)
{
	pid_t child = fork();
	pthread_t worker = pthread_self();
	int status;

	if (child == 0) {
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 1)
			worker = pthread_self();
		if (!pthread_equal(worker, pthread_self()))
			pthread_kill(worker, FREEZE_SIGNAL);
		exit(0);
	}
	freeze_check(child > 0);
	freeze_check(waitpid(child, &status, 0) == child && status == 0);
}

static void do_everything_and_end(void)
{
	do_everything();
	end_a_process();
}

/* ---- a primary thread -------------------------------------------------------------------------------------------- */

static void be_a_primary(void)
{
	open_regions(2);
	open_regions(3);
	/* a member is idle, and then unparked */
	open_regions(2);
	open_regions(3);
}

static void be_a_primary_of_tasks(void)
{
	depend_on_each_other();
}

static void be_a_primary_of_nested_teams(void)
{
	nest();
}

/* ---- a worker ---------------------------------------------------------------------------------------------------- */

static __thread bool is_chosen;

static bool is_chosen_worker(void)
{
	return is_chosen;
}

static void choose_a_worker(void)
{
#pragma omp parallel num_threads(3)
	if (omp_get_thread_num() == 1)
		is_chosen = true;
	be_a_primary();
	depend_on_each_other();
	/* long enough for it to sleep; and then the thread ends, and its team with it */
	nap_ms(2);
}

/* ---- who gives a lock back while others sleep on it -------------------------------------------------------------- */

static omp_lock_t shared;
static pthread_t waiters[2];
static _Atomic int waiting, got;

static void *wait_for_it(void *unused)
{
	(void)unused;
	atomic_fetch_add(&waiting, 1);
	omp_set_lock(&shared);
	atomic_fetch_add(&got, 1);
	omp_unset_lock(&shared);
	return NULL;
}

static void begin_waiting(int count)
{
	atomic_store(&waiting, 0);
	atomic_store(&got, 0);
	for (int i = 0; i < count; i++)
		freeze_check(pthread_create(&waiters[i], NULL, wait_for_it, NULL) == 0);
	while (atomic_load(&waiting) < count)
		nap_ms(1);
	/* until they sleep, mostly */
	nap_ms(3);
}

static void take_and_have_it_waited_for(void)
{
	omp_init_lock(&shared);
	/* the lock is a word, and belongs to no thread */
	omp_set_lock(&shared);
	begin_waiting(2);
}

static void give_it_back(void)
{
	omp_unset_lock(&shared);
}

static bool is_free_or_taken(void)
{
	uint32_t word;

	memcpy(&word, &shared, sizeof(word));
	return word == 0 || atomic_load(&got);
}

/* Once the victim has given it back, all that wait get it. */
static void get_it(void)
{
	nap_ms(1);
	if (is_free_or_taken())
		while (atomic_load(&got) < 2)
			nap_ms(1);
	open_regions(2);
}

static void end_waiting(void)
{
	pthread_join(waiters[0], NULL);
	pthread_join(waiters[1], NULL);
	omp_destroy_lock(&shared);
}

/* ---- who waits for a lock beside others -------------------------------------------------------------------------- */

/* Longer than a waiter looks before it sleeps. */
enum { HELD_MS = 30 };

static pthread_t holder;
static _Atomic int holds, given, victim_has_it;

/* Holds the lock until the victim is suspended, or has not been for long. */
static void *hold_it(void *unused)
{
	(void)unused;
	omp_set_lock(&shared);
	atomic_store(&holds, 1);
	for (int ms = 0; !atomic_load(&given) && (ms < HELD_MS || freeze_is_suspended()); ms++)
		nap_ms(1);
	omp_unset_lock(&shared);
	return NULL;
}

static void have_it_held(void)
{
	omp_init_lock(&shared);
	atomic_store(&given, 0);
	atomic_store(&holds, 0);
	atomic_store(&victim_has_it, 0);
	freeze_check(pthread_create(&holder, NULL, hold_it, NULL) == 0);
	while (!atomic_load(&holds))
		nap_ms(1);
	begin_waiting(1);
}

static void want_it(void)
{
	omp_set_lock(&shared);
	atomic_store(&victim_has_it, 1);
	omp_unset_lock(&shared);
	atomic_store(&victim_has_it, 0);
}

static void have_it_given(void)
{
	atomic_store(&given, 1);
	/* in omp_unset_lock it may have it still */
	while (!atomic_load(&got) && !atomic_load(&victim_has_it))
		nap_ms(1);
	open_regions(2);
}

static void end_holding(void)
{
	pthread_join(holder, NULL);
	pthread_join(waiters[0], NULL);
	omp_destroy_lock(&shared);
}

static const struct freeze_scenario scenarios[] = {
	{ "primary", NULL, be_a_primary, NULL, do_everything, NULL },
	{ "tasks", NULL, be_a_primary_of_tasks, NULL, do_everything, NULL },
	{ "nested", NULL, be_a_primary_of_nested_teams, NULL, do_everything, NULL },
	{ "allocate", NULL, allocate, NULL, do_everything, NULL },
	{ "worker", NULL, choose_a_worker, is_chosen_worker, do_everything_and_end, NULL },
	{ "unlock", take_and_have_it_waited_for, give_it_back, NULL, get_it, end_waiting },
	{ "lock", have_it_held, want_it, NULL, have_it_given, end_holding },
};

int main(int count, char **arguments)
{
	return freeze_main(count, arguments, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
