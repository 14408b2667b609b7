/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which directory a thread scans next.
 *
 * Each thread has a queue of its own: it pushes the subdirectories it finds at the top and takes the first of them
 * next, so that it goes depth first, in the order of the listing, with few directories open. A thread whose queue is
 * empty takes the bottom directory of another's: the shallowest one, which has the most work below it. A queue is an
 * intrusive list under its thread's lock; the lock is taken twice for each directory, which a walk of one thread saves.
 *
 * A thread that finds all queues empty sleeps. No wake-up is lost:
 *
 *	thread going to sleep			thread pushing
 *	lock idle_lock
 *	sleepers += 1
 *	lock each queue, look, unlock		lock its queue, push, unlock
 *	wait (unlocks idle_lock)		read sleepers; if > 0: lock idle_lock, signal
 *
 * Either the sleeper locks that queue after the push and sees the directory, or before it, and then `sleepers += 1`
 * happens before the pusher's read through that same lock; the signal cannot come before the wait because of idle_lock.
 */
#include "internal.h"

static bool is_shared(const struct walk *walk)
{
	return walk->options.threads > 1;
}

static void lock_queue(struct walk__thread *thread)
{
	if (is_shared(thread->walk))
		pthread_mutex_lock(&thread->lock);
}

static void unlock_queue(struct walk__thread *thread)
{
	if (is_shared(thread->walk))
		pthread_mutex_unlock(&thread->lock);
}

void walk__list_append(struct walk__list *list, struct walk_directory *directory)
{
	directory->above = list->bottom;
	directory->below = NULL;
	if (list->bottom)
		list->bottom->below = directory;
	else
		list->top = directory;
	list->bottom = directory;
}

static void list_put_on_top(struct walk__list *list, const struct walk__list *added)
{
	added->bottom->below = list->top;
	if (list->top)
		list->top->above = added->bottom;
	else
		list->bottom = added->bottom;
	list->top = added->top;
}

static struct walk_directory *list_take_top(struct walk__list *list)
{
	struct walk_directory *directory = list->top;

	if (!directory)
		return NULL;
	list->top = directory->below;
	if (list->top)
		list->top->above = NULL;
	else
		list->bottom = NULL;
	return directory;
}

static struct walk_directory *list_take_bottom(struct walk__list *list)
{
	struct walk_directory *directory = list->bottom;

	if (!directory)
		return NULL;
	list->bottom = directory->above;
	if (list->bottom)
		list->bottom->below = NULL;
	else
		list->top = NULL;
	return directory;
}

void walk__queue_push(struct walk__thread *thread, struct walk__list *list)
{
	struct walk *walk = thread->walk;
	bool shareable;

	lock_queue(thread);
	/* this thread takes the first itself */
	shareable = list->top != list->bottom || thread->queue.top;
	list_put_on_top(&thread->queue, list);
	unlock_queue(thread);
	/* relaxed: ordered by the queue's lock, see above */
	if (!is_shared(walk) || !shareable || atomic_load_explicit(&walk->sleepers, memory_order_relaxed) == 0)
		return;
	pthread_mutex_lock(&walk->idle_lock);
	pthread_cond_signal(&walk->idle_wake);
	pthread_mutex_unlock(&walk->idle_lock);
}

static struct walk_directory *take_own(struct walk__thread *thread)
{
	struct walk_directory *directory;

	lock_queue(thread);
	directory = list_take_top(&thread->queue);
	unlock_queue(thread);
	return directory;
}

static struct walk_directory *steal(struct walk__thread *thread)
{
	struct walk *walk = thread->walk;

	for (unsigned int i = 1; i < walk->options.threads; i++) {
		struct walk__thread *victim = &walk->threads[(thread->index + i) % walk->options.threads];
		struct walk_directory *directory;

		lock_queue(victim);
		directory = list_take_bottom(&victim->queue);
		unlock_queue(victim);
		if (directory)
			return directory;
	}
	return NULL;
}

static struct walk_directory *sleep_until_stolen(struct walk__thread *thread)
{
	struct walk *walk = thread->walk;
	struct walk_directory *directory = NULL;

	pthread_mutex_lock(&walk->idle_lock);
	/* relaxed: ordered by the queues' locks, see above */
	atomic_fetch_add_explicit(&walk->sleepers, 1, memory_order_relaxed);
	while (!walk->finished && !(directory = steal(thread)))
		pthread_cond_wait(&walk->idle_wake, &walk->idle_lock);
	atomic_fetch_sub_explicit(&walk->sleepers, 1, memory_order_relaxed);
	pthread_mutex_unlock(&walk->idle_lock);
	return directory;
}

struct walk_directory *walk__queue_next(struct walk__thread *thread)
{
	struct walk_directory *directory = take_own(thread);

	/* alone, an empty queue is the end: nothing below the root is left to be scanned */
	if (directory || !is_shared(thread->walk))
		return directory;
	directory = steal(thread);
	return directory ? directory : sleep_until_stolen(thread);
}

void walk__queue_finish(struct walk *walk)
{
	pthread_mutex_lock(&walk->idle_lock);
	walk->finished = true;
	pthread_cond_broadcast(&walk->idle_wake);
	pthread_mutex_unlock(&walk->idle_lock);
}
