/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork. The child has one thread, a copy of the one that forked, and no thread of the core. So the parent's contexts
 * and inboxes are dead in it: their tokens give INGRESS_CLOSED. The child may open contexts and inboxes of its own,
 * with threads and descriptors of their own. A token tells which it is, since an entry of the context table that is
 * used again in the child has a higher generation.
 *
 * The danger: a change that another thread was making at the moment of the fork stays half done in the child for good.
 * Hence these rules:
 *	- The locks of all that the child goes on using are held during the fork (pthread_atfork), so that no other
 *	  thread is in the middle of a change. They are taken in this order:
 *
 *		the context table, the buffers of each size (buffer.c), the inbox pool
 *
 *	  A thread that holds one of them waits for nothing but memory.
 *	- The locks of a context are not held: the child never touches the parent's contexts, whose memory stays as it
 *	  is, since the forking thread may be in a handler of one of them. Nor does it use the parent's library records'
 *	  static contexts: starting one waits for the library. The child starts its own.
 *	- The heaps of the parent's other threads stay as they are, and blocks that come home to them are lost. The
 *	  forking thread keeps its heap, without the blocks that a thread of the parent's was trimming (heap_trim.h).
 *	- Lists without a lock need nothing: they change in single steps, and the child's memory is the parent's at one
 *	  moment.
 *
 *	another thread				the forking thread		its child
 *	takes the lock of a size
 *						waits for that lock
 *	gives it back
 *						holds all locks; forks		holds all locks
 *	waits for a lock			gives them back			gives them back: the lists are whole
 *
 * The child shares the descriptors with the parent: if it read or wrote one, it would take or make a wake-up of the
 * parent's. It closes those that only the core knows, and leaves those of inboxes alone until they are closed.
 *
 * A signal handler that forks while its thread is inside (reentrancy.h) may hold any of these locks: no lock is taken
 * then, and the child can open nothing. vfork, posix_spawn, _Fork and a bare clone do not run these handlers: their
 * children may only exec or _exit.
 *
 * To add a lock that a child goes on using, take it in before_fork(), after those that are taken before it elsewhere.
 * To add a descriptor, close it in in_child() unless a host knows it.
 */
#include "ingress/process/fork.h"
#include "ingress/context/context_table.h"
#include "ingress/memory/buffer.h"
#include "ingress/process/event_thread_watch.h"
#include "ingress/process/heap_trim.h"
#include "ingress/queues/inbox_pool.h"
#include "ingress/self/process.h"
#include "ingress/self/reentrancy.h"
#include "ingress/waiting/wait.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_ready;
static bool forked_inside; /* written while there is one thread */

/*
 * Whether this thread holds the locks for its fork. It is inside (reentrancy.h) until then, so that calls of the
 * program's own fork handlers are refused.
 */
static __thread bool holds_locks __attribute__((tls_model("initial-exec")));

static void before_fork(void)
{
	holds_locks = ingress__enter();
	if (!holds_locks)
		return;
	ingress__contexts_lock();
	ingress__buffers_lock();
	ingress__inbox_pool_lock();
}

static void release_locks(void)
{
	ingress__inbox_pool_unlock();
	ingress__buffers_unlock();
	ingress__contexts_unlock();
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
	/* closing is a cancellation point, and the parent's thread may have been cancelled */
	int cancel = ingress__hold_cancel();

	/* relaxed: there is one thread */
	atomic_store_explicit(&ingress__forks, ingress__process() + 1, memory_order_relaxed);
	ingress__contexts_forget();
	ingress__spinning_forget();
	ingress__trim_forget();
	ingress__event_thread_watch_forget();
	/* the thread may have forked in a handler or a callback, whose context is the parent's */
	ingress__self.library_of = ingress__self.events_of = NULL;
	ingress__self.callbacks = 0;
	if (holds_locks) {
		ingress__inbox_pool_forget();
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
