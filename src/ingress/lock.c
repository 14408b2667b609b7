/* SPDX-License-Identifier: BSD-3-Clause */
/* See lock.h. */
#include "lock.h"
#include "block.h"

#include <signal.h>

/* What this thread had blocked before it took the first of the locks that it holds, and how many it holds. */
static __thread sigset_t before;
static __thread uint32_t held;

static bool is_ours(void)
{
	return ingress__self.library_of || ingress__self.events_of;
}

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
	if (!is_ours() && held++ == 0)
		block_signals();
	pthread_mutex_lock(lock);
}

void ingress__unlock(pthread_mutex_t *lock)
{
	pthread_mutex_unlock(lock);
	if (!is_ours() && --held == 0)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
}
