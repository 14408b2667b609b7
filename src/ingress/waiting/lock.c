/* SPDX-License-Identifier: BSD-3-Clause */
/* See lock.h. */
#include "ingress/waiting/lock.h"
#include "ingress/self/self.h"

#include <signal.h>

/* The signals that this thread had blocked before it took the first of the locks that it holds, and how many locks. */
static __thread sigset_t before;
static __thread uint32_t held;

static void block_signals(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_BLOCK, &all, &before);
}

void ingress__lock(pthread_mutex_t *lock)
{
	if (!ingress__self_is_core() && held++ == 0)
		block_signals();
	pthread_mutex_lock(lock);
}

void ingress__unlock(pthread_mutex_t *lock)
{
	pthread_mutex_unlock(lock);
	if (!ingress__self_is_core() && --held == 0)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
}
