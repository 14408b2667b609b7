/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks that threads of the host take: of the table of contexts, of a context's listeners, of the closed inboxes.
 *
 * A host may suspend its threads by a signal at any point, as garbage collectors and debuggers do, and for as long as
 * it likes. A thread that held one of these locks then would stop all others, the library's included. So a thread takes
 * no signal while it holds one: it is suspended before or after. That costs two system calls, in functions
 * that no request goes through. Faults are let through, since they cannot wait.
 *
 * Threads of the core take no signals at all. What suspends a thread otherwise, as ptrace(2), a stopped process or a
 * higher priority, may still find it in there: docs/ingress.md says what waits then.
 *
 * Nobody waits for anything but another such lock while holding one; who has to wait for more lets it go and sleeps on
 * an eventcount (wait.h).
 */
#ifndef INGRESS_LOCK_H
#define INGRESS_LOCK_H

#include <pthread.h>

void ingress__lock(pthread_mutex_t *lock);
void ingress__unlock(pthread_mutex_t *lock);

#endif
