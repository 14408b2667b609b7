/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Free lists for tasks; see task_memory.h. The race: another thread gives a block back while the owner takes the list
 * of returned blocks.
 *
 *	owner					another thread
 *	own list empty				next(block) = returned
 *	list = exchange(returned, NULL)		compare-and-swap returned to block
 *
 * There is no ABA problem: the owner takes the whole list at once, so a block cannot come back to the list while
 * another thread's compare-and-swap is under way.
 */
#include "openmp/state/task_memory.h"
#include "openmp/state/thread_state.h"
#include "openmp/system/no_memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

enum {
	CLASSES = 7, /* 64, 128 … 4096 bytes with the header */
	SMALLEST_SHIFT = 6,
	CHUNK_BYTES = 64 * 1024, /* of address space; the kernel gives a page only when something is written to it */
	LARGE = CLASSES,
};

/* It stands in front of each block; `next` is used while the block is free. */
struct header {
	struct omp__pool *pool;
	size_t class;
};

struct free_block {
	struct header header;
	struct free_block *next;
};

struct omp__pool {
	struct free_block *free[CLASSES];
	char *fresh;
	size_t fresh_bytes;
	struct omp__pool *next; /* in the list of pools whose threads have ended */
	_Alignas(OMP__LINE_BYTES) _Atomic(struct free_block *) returned;
};

static _Atomic(struct omp__pool *) orphans;

static void put_orphan(struct omp__pool *pool)
{
	pool->next = atomic_load_explicit(&orphans, memory_order_relaxed);
	/* release: the next thread finds the pool as this one left it */
	while (!atomic_compare_exchange_weak_explicit(&orphans, &pool->next, pool, memory_order_release,
						      memory_order_relaxed))
		;
}

/*
 * Take over a pool whose thread has ended; NULL: there is none. The thread takes the whole list and puts it back
 * without the first pool, so there is no ABA problem here either. While a thread is suspended in between, other new
 * threads find the list empty and make pools of their own; none waits.
 */
static struct omp__pool *adopt_orphan(void)
{
	/* acquire: with put_orphan() */
	struct omp__pool *adopted = atomic_exchange_explicit(&orphans, NULL, memory_order_acquire);
	struct omp__pool *rest = adopted ? adopted->next : NULL;

	while (rest) {
		struct omp__pool *pool = rest;

		rest = pool->next;
		put_orphan(pool);
	}
	return adopted;
}

/*
 * Get memory that is never given back. It does not come from malloc, whose first call in a thread reserves 64 MiB of
 * address space for that thread (glibc's arenas).
 */
static void *get_chunk(void)
{
	void *chunk = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (chunk == MAP_FAILED)
		omp__no_memory("a task");
#ifdef __SANITIZE_ADDRESS__
	/* Memory that only these chunks point to has not leaked; a table of dependences is such memory. */
	__lsan_register_root_region(chunk, CHUNK_BYTES);
#endif
	return chunk;
}

/* Make a pool, which lies at the start of its first chunk. */
static struct omp__pool *make_pool(void)
{
	struct omp__pool *pool = adopt_orphan();

	if (pool)
		return pool;
	pool = get_chunk();
	pool->fresh = (char *)(pool + 1);
	pool->fresh_bytes = CHUNK_BYTES - sizeof(*pool);
	return pool;
}

void omp__memory_leave(struct omp__thread *thread)
{
	struct omp__pool *pool = thread->pool;

	if (!pool)
		return;
	thread->pool = NULL;
	put_orphan(pool);
}

static struct free_block *carve(struct omp__pool *pool, size_t class)
{
	size_t bytes = (size_t)1 << (class + SMALLEST_SHIFT);
	struct free_block *block;

	if (pool->fresh_bytes < bytes) {
		pool->fresh = get_chunk();
		pool->fresh_bytes = CHUNK_BYTES;
	}
	block = (struct free_block *)pool->fresh;
	pool->fresh += bytes;
	pool->fresh_bytes -= bytes;
	block->header = (struct header){ pool, class };
	return block;
}

/* Sort the blocks that other threads have returned into the pool's lists. */
static void collect(struct omp__pool *pool)
{
	/* acquire: the other threads are done with each block */
	struct free_block *block = atomic_exchange_explicit(&pool->returned, NULL, memory_order_acquire);

	while (block) {
		struct free_block *next = block->next;
		struct free_block **list = &pool->free[block->header.class];

		block->next = *list;
		*list = block;
		block = next;
	}
}

static __attribute__((noinline)) struct free_block *refill(struct omp__thread *thread, size_t class)
{
	struct omp__pool *pool = thread->pool;
	struct free_block *block;

	if (!pool)
		pool = thread->pool = make_pool();
	/* relaxed: this only asks whether there is something; collect() acquires */
	if (atomic_load_explicit(&pool->returned, memory_order_relaxed))
		collect(pool);
	block = pool->free[class];
	if (!block)
		return carve(pool, class);
	pool->free[class] = block->next;
	return block;
}

static void *get_large(size_t bytes)
{
	struct header *header = malloc(bytes + sizeof(*header));

	if (!header)
		omp__no_memory("a task");
	*header = (struct header){ NULL, LARGE };
	return header + 1;
}

void *omp__memory_get(struct omp__thread *thread, size_t bytes)
{
	struct omp__pool *pool = thread->pool;
	size_t need = bytes + sizeof(struct header);
	size_t class = 0;
	struct free_block *block;

	if (need > (size_t)1 << (CLASSES - 1 + SMALLEST_SHIFT))
		return get_large(bytes);
	if (need > (size_t)1 << SMALLEST_SHIFT)
		class = (size_t)(64 - SMALLEST_SHIFT - __builtin_clzl(need - 1));
	if (__builtin_expect(!pool || !pool->free[class], 0))
		return &refill(thread, class)->header + 1;
	block = pool->free[class];
	pool->free[class] = block->next;
	return &block->header + 1;
}

void omp__memory_put(struct omp__thread *thread, void *memory)
{
	struct free_block *block = (struct free_block *)((struct header *)memory - 1);
	struct omp__pool *home = block->header.pool;

	if (__builtin_expect(home && thread && home == thread->pool, 1)) {
		block->next = home->free[block->header.class];
		home->free[block->header.class] = block;
		return;
	}
	if (!home) {
		free(block);
		return;
	}
	block->next = atomic_load_explicit(&home->returned, memory_order_relaxed);
	/* release: this thread is done with the block */
	while (!atomic_compare_exchange_weak_explicit(&home->returned, &block->next, block, memory_order_release,
						      memory_order_relaxed))
		;
}
