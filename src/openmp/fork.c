/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * After a fork the child has one thread, the one that forked. The workers of its teams did not come along, so the teams
 * are forgotten, and their memory with them: nobody can say in which state it was. A child that forked inside a region
 * can only leave it by exec or exit, as POSIX says of any program with threads.
 */
#include "fork.h"
#include "crowd.h"
#include "guest.h"
#include "host.h"
#include "thread.h"

void omp__forked(void)
{
	struct omp__thread *thread = omp__tls;

	atomic_store_explicit(&omp__crowd_excess, (thread && !omp__guest ? 1 : 0) - (int)omp__host_processors(), memory_order_relaxed);
	omp__guest_forked(thread);
	if (!thread)
		return;
	thread->hot_first = NULL;
	*thread->hot = NULL;
	atomic_store_explicit(&thread->group->busy, 1, memory_order_relaxed);
	atomic_store_explicit(&thread->seat.cpu, omp__host_cpu_word(), memory_order_relaxed);
}
