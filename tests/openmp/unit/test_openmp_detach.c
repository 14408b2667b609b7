/* SPDX-License-Identifier: BSD-3-Clause */
/* Detached tasks end when their events are fulfilled, by whichever thread. */
#include "openmp_tests.h"

#include <pthread.h>

enum { EVENTS = 64 };

static omp_event_handle_t events[EVENTS];

static void *fulfil_all(void *first)
{
	for (int i = (int)(intptr_t)first; i < EVENTS; i += 2) {
		delay((unsigned)i);
		omp_fulfill_event(events[i]);
	}
	return NULL;
}

static void detach_all(_Atomic int *ran)
{
	for (int i = 0; i < EVENTS; i++) {
		omp_event_handle_t event;

#pragma omp task detach(event)
		{
			delay((unsigned)i);
			++*ran;
		}
		events[i] = event;
	}
}

static void a_foreign_thread_fulfils(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		for (int round = 0; round < 20; round++) {
			_Atomic int ran = 0;
			pthread_t fulfillers[2];

#pragma omp parallel num_threads(threads)
#pragma omp single
			{
				detach_all(&ran);
				for (intptr_t i = 0; i < 2; i++)
					pthread_create(&fulfillers[i], NULL, fulfil_all, (void *)i);
				if (round % 2) {
#pragma omp taskwait
					if (ran != EVENTS)
						abort();
				}
			}
			assert_int_equal(ran, EVENTS);
			for (int i = 0; i < 2; i++)
				pthread_join(fulfillers[i], NULL);
		}
	}
}

static void *fulfil_late(void *event)
{
	/* Waiters of a team of any size sleep by then. */
	usleep(5000);
	omp_fulfill_event(*(omp_event_handle_t *)event);
	return NULL;
}

static void a_barrier_sleeps_until_an_event(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		for (int round = 0; round < 5; round++) {
			_Atomic int ran = 0;
			pthread_t fulfiller;
			omp_event_handle_t event;

#pragma omp parallel num_threads(threads)
			{
#pragma omp masked
				{
#pragma omp task detach(event)
					++ran;
					pthread_create(&fulfiller, NULL, fulfil_late, &event);
				}
#pragma omp barrier
				if (ran != 1)
					abort();
			}
			pthread_join(fulfiller, NULL);
		}
	}
}

static void what_depends_on_a_detached_task_waits_for_its_event(void **state)
{
	(void)state;
	FOR_SIZES(threads)
	{
		_Atomic int order = 0;
		int seen = -1;
		int x = 0;

#pragma omp parallel num_threads(threads)
#pragma omp single
		{
			omp_event_handle_t event;

#pragma omp task detach(event) depend(out : x)
			x = 1;
#pragma omp task depend(in : x) shared(seen)
			seen = order;
			order = 1;
			omp_fulfill_event(event);
		}
		assert_int_equal(seen, 1);
	}
}

static void events_work_outside_of_regions(void **state)
{
	omp_event_handle_t event;
	int seen = 0;
	int x = 0;

	(void)state;
#pragma omp task detach(event) depend(out : x) shared(x)
	x = 1;
#pragma omp task depend(in : x) shared(seen, x)
	seen = x;
	assert_int_equal(seen, 0);
	omp_fulfill_event(event);
#pragma omp taskwait
	assert_int_equal(seen, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_foreign_thread_fulfils),
		cmocka_unit_test(a_barrier_sleeps_until_an_event),
		cmocka_unit_test(what_depends_on_a_detached_task_waits_for_its_event),
		cmocka_unit_test(events_work_outside_of_regions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
