/* SPDX-License-Identifier: BSD-3-Clause */
/* The team's queue: a binary heap, see queue.h. */
#include "openmp/scheduler/queue.h"
#include "openmp/scheduler/deferred.h"

#include "thread/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_BYTES = 4096 };

struct entry {
	struct omp__deferred *deferred;
	uint64_t number; /* in the order they came */
};

struct omp__task_queue {
	size_t count;
	size_t capacity;
	size_t heap_bytes; /* 0: behind this struct */
	struct entry *heap;
};

/* Held for some dozens of instructions. It sleeps when that takes long, because its holder may be off its processor. */
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

static bool before(const struct entry *one, const struct entry *other)
{
	if (one->deferred->priority != other->deferred->priority)
		return one->deferred->priority > other->deferred->priority;
	return one->number < other->number;
}

static void rise(struct omp__task_queue *queue, size_t at, struct entry entry)
{
	while (at > 0 && before(&entry, &queue->heap[(at - 1) / 2])) {
		queue->heap[at] = queue->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	queue->heap[at] = entry;
}

static void sink(struct omp__task_queue *queue, size_t at, struct entry entry)
{
	for (size_t child; (child = 2 * at + 1) < queue->count; at = child) {
		if (child + 1 < queue->count && before(&queue->heap[child + 1], &queue->heap[child]))
			child++;
		if (!before(&queue->heap[child], &entry))
			break;
		queue->heap[at] = queue->heap[child];
	}
	queue->heap[at] = entry;
}

static struct omp__deferred *remove_at(struct omp__task_queue *queue, size_t at)
{
	struct omp__deferred *deferred = queue->heap[at].deferred;
	struct entry last = queue->heap[--queue->count];

	if (at == queue->count)
		return deferred;
	if (at > 0 && before(&last, &queue->heap[(at - 1) / 2]))
		rise(queue, at, last);
	else
		sink(queue, at, last);
	return deferred;
}

/* Not by malloc, whose first call in a worker reserves 64 MiB of address space for it (glibc's arenas). */
static void *get_pages(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

/* The first entries lie behind the queue itself. */
static struct omp__task_queue *make_queue(void)
{
	struct omp__task_queue *queue = get_pages(FIRST_BYTES);

	if (!queue)
		return NULL;
	queue->heap = (struct entry *)(queue + 1);
	queue->capacity = (FIRST_BYTES - sizeof(*queue)) / sizeof(struct entry);
	return queue;
}

static void free_heap(struct omp__task_queue *queue)
{
	if (queue->heap_bytes)
		munmap(queue->heap, queue->heap_bytes);
}

static bool grow(struct omp__task_team *tasks)
{
	struct omp__task_queue *queue = tasks->queue;
	struct entry *heap;
	size_t bytes;

	if (!queue)
		queue = tasks->queue = make_queue();
	if (!queue)
		return false;
	if (queue->count < queue->capacity)
		return true;
	bytes = queue->heap_bytes ? queue->heap_bytes * 2 : (size_t)FIRST_BYTES * 2;
	heap = get_pages(bytes);
	if (!heap)
		return false;
	memcpy(heap, queue->heap, queue->count * sizeof(*heap));
	free_heap(queue);
	queue->heap = heap;
	queue->heap_bytes = bytes;
	queue->capacity = bytes / sizeof(*heap);
	return true;
}

void omp__task_queue_put(struct omp__team *team, struct omp__deferred *deferred)
{
	struct omp__task_team *tasks = &team->tasks;

	lock(tasks);
	if (!grow(tasks)) {
		fputs("libferryomp: no memory for the queue of tasks\n", stderr);
		abort();
	}
	/* relaxed: changed under the lock; a search that misses it had the lock before */
	rise(tasks->queue, tasks->queue->count++,
	     (struct entry){ deferred, atomic_fetch_add_explicit(&tasks->queue_puts, 1, memory_order_relaxed) });
	unlock(tasks);
	/* seq_cst: before the look at who sleeps, see wait.h */
	atomic_fetch_add_explicit(&tasks->queued, 1, memory_order_seq_cst);
}

bool omp__task_descends(const struct omp__deferred *deferred, const struct omp__task *task)
{
	const struct omp__family *family = deferred->of;

	if (!task->family)
		return false;
	if (task->kind == OMP__TASK_IMPLICIT)
		return family->root == task->family;
	while (family->depth > task->family->depth)
		family = family->parent;
	return family == task->family;
}

static struct omp__deferred *take_first(struct omp__task_queue *queue, const struct omp__task *task)
{
	size_t best = SIZE_MAX;

	if (queue->count == 0)
		return NULL;
	if (!task)
		return remove_at(queue, 0);
	for (size_t i = 0; i < queue->count; i++)
		if (omp__task_descends(queue->heap[i].deferred, task) &&
		    (best == SIZE_MAX || before(&queue->heap[i], &queue->heap[best])))
			best = i;
	return best == SIZE_MAX ? NULL : remove_at(queue, best);
}

/*
 * A search in vain is not made again before something was put: what is there does not come to descend from the task. A
 * later task whose memory is at the same address has no descendant that is older than that search either.
 */
struct omp__deferred *omp__task_queue_take(struct omp__crew *crew, const struct omp__task *task)
{
	struct omp__task_team *tasks = &crew->team->tasks;
	struct omp__deferred *deferred = NULL;

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

void omp__task_team_end(struct omp__team *team)
{
	struct omp__task_queue *queue = team->tasks.queue;

	if (!queue)
		return;
	free_heap(queue);
	munmap(queue, FIRST_BYTES);
}
