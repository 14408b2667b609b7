/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See apart.h. The kernel chooses a processor when it wakes a thread (select_task_rq), among those of its mask, so a
 * mask that is narrowed while the thread sleeps moves nothing and interrupts nobody.
 */
#include "apart.h"

#include <errno.h>

/* Take the waker's processor out of the sleeper's mask. False: the mask stays as it is. */
static bool narrow(struct thread__runner *sleeper, uint32_t cpu)
{
	struct thread__cpus cpus;
	int tid = atomic_load_explicit(&sleeper->tid, memory_order_relaxed);

	if (tid == 0 || !thread__cpus_of(tid, &cpus) || !thread__cpus_remove(&cpus, cpu))
		return false;
	sleeper->apart_cpu = cpu;
	return thread__cpus_set(tid, &cpus);
}

/* Put the processor into the mask of the thread (0: the caller) again. */
static void widen(int tid, uint32_t cpu)
{
	struct thread__cpus cpus;

	if (thread__cpus_of(tid, &cpus)) {
		thread__cpus_add(&cpus, cpu);
		thread__cpus_set(tid, &cpus);
	}
}

void thread__apart_narrow(struct thread__runner *sleeper, const struct thread__runner *waker)
{
	uint32_t state = THREAD__APART_BEGUN;
	int saved = errno;
	bool is_narrow = narrow(sleeper, thread__runner_cpu(waker));

	/* release: the sleeper that reads NARROW reads apart_cpu next */
	if (!atomic_compare_exchange_strong_explicit(&sleeper->apart, &state,
						     is_narrow ? THREAD__APART_NARROW : THREAD__APART_NO,
						     memory_order_release, memory_order_relaxed)) {
		if (is_narrow)
			widen(atomic_load_explicit(&sleeper->tid, memory_order_relaxed), sleeper->apart_cpu);
		/* relaxed: the sleeper reads it only to know whether it may move */
		atomic_store_explicit(&sleeper->apart, THREAD__APART_NO, memory_order_relaxed);
	}
	errno = saved;
}

void thread__apart_return(struct thread__runner *self)
{
	uint32_t state = THREAD__APART_BEGUN;
	int saved = errno;

	/* acquire: apart_cpu is read next */
	if (!atomic_compare_exchange_strong_explicit(&self->apart, &state, THREAD__APART_AWAKE, memory_order_acquire,
						     memory_order_acquire) &&
	    state == THREAD__APART_NARROW) {
		widen(0, self->apart_cpu);
		atomic_store_explicit(&self->apart, THREAD__APART_NO, memory_order_relaxed);
	}
	errno = saved;
}
