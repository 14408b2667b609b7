/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The team's queue of tasks that are in no member's deque: a priority queue, behind a lock, that can also give the
 * first task among the descendants of a given one, because a waiting thread may often run only those. For this it is an
 * Euler tour of the families whose tasks it holds (tour.h): a family, which is what a task and its children share, has
 * an opening and a closing *bracket* in the tour, and all that descends from the task lies between these.
 *
 * A family comes into the tour with the first task that is queued below it, and stays until it is freed; so each is
 * looked at once, and a put and a take cost O(log n) for n tasks and families, however deep the tasks are nested and
 * however many of them the taker may not run. This file also has the memory of the tour's nodes.
 *
 * What may go wrong: a thread sleeps while there is a task that it may run. omp__task_queue_put counts the task
 * (seq_cst) before its caller looks for sleepers, and a thread counts itself as a sleeper before it looks at the count
 * (wait.h).
 */
#include "openmp/scheduler/queue.h"
#include "openmp/scheduler/climb.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/tour.h"
#include "openmp/system/no_memory.h"

#include "thread/clock.h"

#include <sys/mman.h>

/* The first nodes lie behind the queue itself; further ones are allocated in larger pieces. */
enum { FIRST_BYTES = 4096, CHUNK_BYTES = 64 * 1024 };

/* Stands in front of nodes that were mapped together. */
struct chunk {
	struct chunk *next;
};

struct omp__task_queue {
	struct omp__tour tour;
	struct omp__tour_node *free; /* linked by `right` */
	struct omp__tour_node *fresh;
	struct omp__tour_node *fresh_end;
	struct chunk *chunks;
};

/*
 * Take the queue's lock, which is held for some hundreds of instructions. If that takes long the thread sleeps, because
 * the holder may have lost its processor.
 */
static void lock(struct omp__task_team *tasks)
{
	unsigned looks = 0;

	while (atomic_exchange_explicit(&tasks->queue_lock, 1, memory_order_acquire))
		thread__spin_briefly(&looks);
}

static void unlock(struct omp__task_team *tasks)
{
	atomic_store_explicit(&tasks->queue_lock, 0, memory_order_release);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Map memory. Not by malloc, whose first call in a worker reserves 64 MiB of address space (glibc's arenas). */
static void *get_pages(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		omp__no_memory("the queue of tasks");
	return pages;
}

static struct omp__task_queue *make_queue(void)
{
	struct omp__task_queue *queue = get_pages(FIRST_BYTES);

	queue->fresh = (struct omp__tour_node *)(queue + 1);
	queue->fresh_end = queue->fresh + (FIRST_BYTES - sizeof(*queue)) / sizeof(*queue->fresh);
	return queue;
}

static struct omp__tour_node *get_node(struct omp__task_queue *queue)
{
	struct omp__tour_node *node = queue->free;

	if (node) {
		queue->free = node->right;
		return node;
	}
	if (queue->fresh == queue->fresh_end) {
		struct chunk *chunk = get_pages(CHUNK_BYTES);

		chunk->next = queue->chunks;
		queue->chunks = chunk;
		queue->fresh = (struct omp__tour_node *)(chunk + 1);
		queue->fresh_end = queue->fresh + (CHUNK_BYTES - sizeof(*chunk)) / sizeof(*queue->fresh);
	}
	return queue->fresh++;
}

static void put_node(struct omp__task_queue *queue, struct omp__tour_node *node)
{
	node->right = queue->free;
	queue->free = node;
}

void omp__task_team_end(struct omp__team *team)
{
	struct omp__task_queue *queue = team->tasks.queue;

	if (!queue)
		return;
	for (struct chunk *chunk = queue->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		munmap(chunk, CHUNK_BYTES);
	}
	munmap(queue, FIRST_BYTES);
}

/* ---- families in the tour ---------------------------------------------------------------------------------------- */

/* In the child of a fork a family may still have a bracket in the queue that its parent process had. */
static struct omp__tour_node *bracket_of(const struct omp__task_queue *queue, const struct omp__family *family)
{
	return family->bracket && family->bracket->queue == queue ? family->bracket : NULL;
}

static struct omp__tour_node *make_brackets(struct omp__task_queue *queue)
{
	struct omp__tour_node *opening = get_node(queue);

	opening->is_task = false;
	opening->queue = queue;
	opening->closing = get_node(queue);
	opening->closing->is_task = false;
	return opening;
}

/*
 * Get the family's opening bracket. Families above it that have none come into the tour first, from the outermost one
 * on; on the way up they are linked by `right`.
 */
static struct omp__tour_node *enter(struct omp__task_team *tasks, struct omp__family *family)
{
	struct omp__tour_node *at = bracket_of(tasks->queue, family);
	struct omp__tour_node *way = NULL;

	if (at)
		return at;
	omp__family_climb_begin(tasks);
	for (; family && !(at = bracket_of(tasks->queue, family)); family = omp__family_parent(family)) {
		family->bracket = make_brackets(tasks->queue);
		family->bracket->right = way;
		way = family->bracket;
	}
	omp__family_climb_end(tasks);
	while (way) {
		struct omp__tour_node *next = way->right;

		omp__tour_add(&tasks->queue->tour, at, way->closing);
		omp__tour_add(&tasks->queue->tour, at, way);
		at = way;
		way = next;
	}
	return at;
}

void omp__task_queue_forget(struct omp__family *family)
{
	struct omp__task_team *tasks = omp__family_team(family);
	struct omp__tour_node *opening;

	lock(tasks);
	opening = bracket_of(tasks->queue, family);
	if (opening) {
		struct omp__tour_node *closing = opening->closing;

		omp__tour_remove(&tasks->queue->tour, opening);
		omp__tour_remove(&tasks->queue->tour, closing);
		put_node(tasks->queue, opening);
		put_node(tasks->queue, closing);
	}
	family->bracket = NULL;
	unlock(tasks);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

void omp__task_queue_put(struct omp__team *team, struct omp__deferred *deferred)
{
	struct omp__task_team *tasks = &team->tasks;
	struct omp__tour_node *node;

	lock(tasks);
	if (!tasks->queue)
		tasks->queue = make_queue();
	node = get_node(tasks->queue);
	node->is_task = true;
	node->deferred = deferred;
	node->priority = deferred->priority;
	/* relaxed: changed under the lock; a search that misses it had the lock before */
	node->number = atomic_fetch_add_explicit(&tasks->queue_puts, 1, memory_order_relaxed);
	omp__tour_add(&tasks->queue->tour, enter(tasks, deferred->of), node);
	unlock(tasks);
	/* seq_cst: before the look at the sleepers, see wait.h */
	atomic_fetch_add_explicit(&tasks->queued, 1, memory_order_seq_cst);
}

static struct omp__deferred *take_first(struct omp__task_queue *queue, const struct omp__task *task)
{
	struct omp__tour_node *opening = task ? bracket_of(queue, task->family) : NULL;
	struct omp__tour_node *node = NULL;

	if (!task)
		node = omp__tour_first(&queue->tour);
	else if (opening)
		node = omp__tour_first_between(opening, opening->closing);
	if (!node)
		return NULL;
	omp__tour_remove(&queue->tour, node);
	put_node(queue, node);
	return node->deferred;
}

/*
 * After a search in vain, a thread does not search for the same task again before a new task was put into the queue,
 * because tasks that are queued never become descendants of it later. The same holds if a later task lies at the same
 * address: none of its descendants can be older than that search.
 */
struct omp__deferred *omp__task_queue_take(struct omp__crew *crew, const struct omp__task *task)
{
	struct omp__task_team *tasks = &crew->team->tasks;
	struct omp__deferred *deferred = NULL;

	/* A task without a family has deferred no child. */
	if (task && !task->family)
		return NULL;
	/* seq_cst, with the count in omp__task_queue_has: a put that is counted there is seen here */
	if (task && crew->searched_for == task &&
	    crew->searched_at == atomic_load_explicit(&tasks->queue_puts, memory_order_seq_cst))
		return NULL;
	lock(tasks);
	if (tasks->queue)
		deferred = take_first(tasks->queue, task);
	if (!deferred) {
		crew->searched_for = task;
		crew->searched_at = atomic_load_explicit(&tasks->queue_puts, memory_order_relaxed);
	}
	unlock(tasks);
	if (deferred)
		atomic_fetch_sub_explicit(&tasks->queued, 1, memory_order_relaxed);
	return deferred;
}
