/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork. The child has one thread, a copy of the one that forked, and none of the ingress's. So the parent's contexts
 * and inboxes are dead in it: their tokens are answered INGRESS_CLOSED. It may open contexts and inboxes of its own,
 * with threads and descriptors of their own; a token says which it is, since a place that is used again has a higher
 * generation.
 *
 * What a thread that did not come along had half done stays half done in the child. Hence
 *	- the locks of what the child goes on with are held over the fork, so that nobody is at it. Their order:
 *
 *		places (context.c), heaps, buffers by size (block.c), idle inboxes (inbox.c)
 *
 *	  No thread waits for anything but memory while it holds one of them;
 *	- a context's own locks are not: the child never touches the parent's contexts, whose memory stays as it is,
 *	  also since the forking thread may be in a handler of one. Nor is the one that a library's static context is
 *	  started under, because that waits for the library; the child makes it anew;
 *	- heaps of threads that are gone stay as they are, and blocks that come home to them are lost: what the parent
 *	  had in use. The forking thread keeps its heap;
 *	- lists without a lock change by single steps, and the memory of a child is that of its parent at one moment:
 *	  whatever a thread saw before, the child has too.
 *
 *	another thread				the forking thread		its child
 *	takes the lock of a size
 *						waits for that lock
 *	gives it back
 *						holds all locks; forks		holds all locks
 *	waits for a lock			gives them back			gives them back: the lists are whole
 *
 * Descriptors are shared with the parent: reading or writing one would take or make a wake-up of the parent's. The
 * child closes those that nobody else knows, and leaves those of inboxes alone until they are closed.
 *
 * A signal handler that forks while its thread is inside (inside.h) may hold any of these locks: no lock is taken then,
 * and the child can open nothing. vfork, posix_spawn, _Fork and a bare clone run no handler: their children may exec or
 * _exit.
 */
#include "fork.h"
#include "inside.h"

#include <pthread.h>
#include <unistd.h>

_Atomic uint32_t ingress__forks;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_ready;
static bool forked_inside; /* written while there is one thread */

/* Whether this thread holds the locks for its fork. It is inside meanwhile, for the program's own fork handlers. */
static __thread bool holds_locks __attribute__((tls_model("initial-exec")));

static void before_fork(void)
{
	holds_locks = ingress__enter();
	if (!holds_locks)
		return;
	ingress__places_lock();
	ingress__blocks_lock();
	ingress__inboxes_lock();
}

static void release_locks(void)
{
	ingress__inboxes_unlock();
	ingress__blocks_unlock();
	ingress__places_unlock();
	holds_locks = false;
	ingress__leave();
}

static void in_parent(void)
{
	if (holds_locks)
		release_locks();
}

static void in_child(void)
{
	/* the parent's thread was being cancelled perhaps, and closing is a cancellation point */
	int cancel = ingress__hold_cancel();

	/* relaxed: there is one thread */
	atomic_store_explicit(&ingress__forks, ingress__process() + 1, memory_order_relaxed);
	ingress__places_forget();
	ingress__spinning_forget();
	/* it may have forked in a handler or a callback, whose context is the parent's */
	ingress__self.library_of = ingress__self.events_of = NULL;
	ingress__self.callbacks = 0;
	if (holds_locks) {
		ingress__inboxes_forget();
		release_locks();
	} else {
		forked_inside = true;
	}
	ingress__resume_cancel(cancel);
}

static void get_ready(void)
{
	is_ready = pthread_atfork(before_fork, in_parent, in_child) == 0;
}

bool ingress__fork_ready(void)
{
	pthread_once(&once, get_ready);
	return is_ready;
}

bool ingress__forked_inside(void)
{
	return forked_inside;
}

void ingress__child_ends(void)
{
	/* not exit(): the parent's buffers and exit handlers are the parent's */
	_exit(0);
}
