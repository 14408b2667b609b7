/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks that threads of the host take: those of the context table, of a context's listeners, and of the inbox pool.
 *
 * Garbage collectors and debuggers suspend a host's threads by a signal, at any point and for any time. A thread that
 * is suspended while it holds one of these locks would stop all others, the library's threads included. Therefore a
 * thread blocks all signals while it holds such a lock, and is suspended before it takes the lock or after it gives the
 * lock back. Blocking costs two system calls; no request takes one of these locks. Signals of faults (SIGSEGV and the
 * like) stay unblocked, since a fault cannot wait.
 *
 * Threads of the core block all signals at all times. ptrace(2), stopping the process, and a thread of a higher
 * priority can still suspend a thread that holds a lock; docs/ingress-rules.md says what waits then.
 *
 * Invariant: a thread that holds one of these locks waits for nothing but another one of them. To wait for anything
 * else it gives the lock back and sleeps on an eventcount (eventcount.h).
 */
#ifndef INGRESS_LOCK_H
#define INGRESS_LOCK_H

#include <pthread.h>

void ingress__lock(pthread_mutex_t *lock);
void ingress__unlock(pthread_mutex_t *lock);

#endif
