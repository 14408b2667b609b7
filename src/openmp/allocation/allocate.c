/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory from allocators (OpenMP 5.2, section 6): omp_alloc and its kin, and allocate clauses. The machine has one kind
 * of memory, so all memory spaces are that, and an allocator is its traits alone. Each block has a header in front of
 * it, which says where the block really begins and which allocator it came from. Pinned memory has pages of its own
 * that are locked in memory: if it shared a page with another block, the end of that block would unlock it.
 */
#include "openmp/memory/allocator.h"
#include "openmp/abi/gomp.h"
#include "openmp/state/task_icv.h"
#include "openmp/process/initial_thread.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct header {
	void *block;
	size_t bytes;
	uintptr_t allocator;
	size_t payload_bytes;
};

struct request {
	size_t alignment;
	size_t bytes;
	bool zeroed;
};

static const struct omp__allocator *traits_of(uintptr_t allocator)
{
	return omp__allocator_predefined(allocator) ? NULL : (const struct omp__allocator *)allocator;
}

static bool is_pinned(uintptr_t allocator)
{
	const struct omp__allocator *traits = traits_of(allocator);

	return traits ? traits->pinned : allocator == OMP__PINNED_MEM_ALLOC;
}

static uintptr_t or_default(uintptr_t allocator)
{
	return allocator == omp_null_allocator ? omp__self()->task->icv->allocator : allocator;
}

static bool is_limited(const struct omp__allocator *traits)
{
	return traits && traits->pool_bytes != SIZE_MAX;
}

/* relaxed: this is a count; malloc synchronises the memory itself */
static bool take_from_pool(struct omp__allocator *traits, size_t bytes)
{
	size_t used = atomic_load_explicit(&traits->used_bytes, memory_order_relaxed);

	do {
		if (bytes > traits->pool_bytes || used > traits->pool_bytes - bytes)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&traits->used_bytes, &used, used + bytes, memory_order_relaxed,
							memory_order_relaxed));
	return true;
}

static void give_to_pool(struct omp__allocator *traits, size_t bytes)
{
	if (is_limited(traits))
		atomic_fetch_sub_explicit(&traits->used_bytes, bytes, memory_order_relaxed);
}

/* Pages locked in memory; NULL when they would exceed RLIMIT_MEMLOCK. */
static void *get_pinned(size_t bytes)
{
	void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (block == MAP_FAILED)
		return NULL;
	if (mlock(block, bytes)) {
		munmap(block, bytes);
		return NULL;
	}
	return block;
}

static void *get_block(uintptr_t allocator, size_t bytes, bool zeroed)
{
	if (is_pinned(allocator))
		return get_pinned(bytes);
	return zeroed ? calloc(1, bytes) : malloc(bytes);
}

static void *try_one(uintptr_t allocator, const struct request *request)
{
	struct omp__allocator *traits =
		omp__allocator_predefined(allocator) ? NULL : (struct omp__allocator *)allocator;
	size_t alignment = request->alignment < sizeof(void *) ? sizeof(void *) : request->alignment;
	size_t bytes;
	struct header *header;
	char *block;

	if (traits && traits->alignment > alignment)
		alignment = traits->alignment;
	if (__builtin_add_overflow(request->bytes, sizeof(*header) + alignment - sizeof(void *), &bytes))
		return NULL;
	if (is_limited(traits) && !take_from_pool(traits, bytes))
		return NULL;
	block = get_block(allocator, bytes, request->zeroed);
	if (!block) {
		give_to_pool(traits, bytes);
		return NULL;
	}
	header =
		(struct header *)(((uintptr_t)block + sizeof(*header) + alignment - sizeof(void *)) & ~(alignment - 1));
	header[-1] = (struct header){ block, bytes, allocator, request->bytes };
	return header;
}

/*
 * Allocate; where the allocator has no memory left, do what its fallback trait says: take memory of the default
 * allocator or of another one, return NULL, or end the program.
 */
static void *allocate(uintptr_t allocator, const struct request *request)
{
	if (request->bytes == 0)
		return NULL;
	allocator = or_default(allocator);
	for (;;) {
		void *memory = try_one(allocator, request);
		const struct omp__allocator *traits;

		if (memory || omp__allocator_predefined(allocator))
			return memory;
		traits = (const struct omp__allocator *)allocator;
		if (traits->fallback == omp_atv_null_fb)
			return NULL;
		if (traits->fallback == omp_atv_abort_fb) {
			fprintf(stderr,
				"ferryomp: out of memory allocating %zu bytes; the allocator's fallback is abort\n",
				request->bytes);
			abort();
		}
		allocator =
			traits->fallback == omp_atv_allocator_fb ? traits->fallback_allocator : omp_default_mem_alloc;
		if (allocator == omp_null_allocator)
			return NULL;
	}
}

static struct header *header_of(void *memory)
{
	return (struct header *)memory - 1;
}

static void release(void *memory)
{
	struct header *header;

	if (!memory)
		return;
	header = header_of(memory);
	if (!omp__allocator_predefined(header->allocator))
		give_to_pool((struct omp__allocator *)header->allocator, header->bytes);
	if (is_pinned(header->allocator))
		munmap(header->block, header->bytes);
	else
		free(header->block);
}

/* ---- omp.h ------------------------------------------------------------------------------------------------------- */

static bool is_power_of_two(size_t value)
{
	return value && !(value & (value - 1));
}

OMP__EXPORT void *omp_aligned_alloc(size_t alignment, size_t bytes, omp_allocator_handle_t allocator)
{
	struct request request = { alignment, bytes, false };

	return is_power_of_two(alignment) ? allocate(allocator, &request) : NULL;
}

OMP__EXPORT void *omp_alloc(size_t bytes, omp_allocator_handle_t allocator)
{
	struct request request = { 1, bytes, false };

	return allocate(allocator, &request);
}

OMP__EXPORT void *omp_aligned_calloc(size_t alignment, size_t count, size_t bytes, omp_allocator_handle_t allocator)
{
	struct request request = { alignment, 0, true };

	if (!is_power_of_two(alignment) || __builtin_mul_overflow(count, bytes, &request.bytes))
		return NULL;
	return allocate(allocator, &request);
}

OMP__EXPORT void *omp_calloc(size_t count, size_t bytes, omp_allocator_handle_t allocator)
{
	return omp_aligned_calloc(1, count, bytes, allocator);
}

OMP__EXPORT void omp_free(void *memory, omp_allocator_handle_t allocator)
{
	(void)allocator;
	release(memory);
}

/*
 * Resize a block where it is; NULL when it cannot be. It can if it came from malloc and needs no stricter alignment
 * than malloc's. Only the difference counts against a pool.
 */
static void *resize(void *memory, const struct request *request)
{
	struct header *header = header_of(memory);
	struct omp__allocator *traits =
		omp__allocator_predefined(header->allocator) ? NULL : (struct omp__allocator *)header->allocator;
	size_t before = header->bytes;
	size_t bytes;
	char *block;

	if (is_pinned(header->allocator) || (char *)memory - (char *)header->block != sizeof(*header) ||
	    (traits && traits->alignment > _Alignof(max_align_t)) ||
	    __builtin_add_overflow(before - header->payload_bytes, request->bytes, &bytes))
		return NULL;
	if (is_limited(traits) && bytes > before && !take_from_pool(traits, bytes - before))
		return NULL;
	block = realloc(header->block, bytes);
	if (!block) {
		give_to_pool(traits, bytes > before ? bytes - before : 0);
		return NULL;
	}
	if (bytes < before)
		give_to_pool(traits, before - bytes);
	header = (struct header *)block;
	header->block = block;
	header->bytes = bytes;
	header->payload_bytes = request->bytes;
	return header + 1;
}

OMP__EXPORT void *omp_realloc(void *memory, size_t bytes, omp_allocator_handle_t allocator,
			      omp_allocator_handle_t free_allocator)
{
	struct request request = { 1, bytes, false };
	void *moved;
	uintptr_t from;

	(void)free_allocator;
	if (bytes == 0) {
		release(memory);
		return NULL;
	}
	if (!memory)
		return allocate(allocator, &request);
	from = header_of(memory)->allocator;
	/* omp_null_allocator stands for the allocator that the block came from. */
	if (allocator == omp_null_allocator || allocator == from) {
		moved = resize(memory, &request);
		if (moved)
			return moved;
	}
	moved = allocate(allocator == omp_null_allocator ? from : allocator, &request);
	if (!moved)
		return NULL;
	memcpy(moved, memory, bytes < header_of(memory)->payload_bytes ? bytes : header_of(memory)->payload_bytes);
	release(memory);
	return moved;
}

OMP__EXPORT void omp_set_default_allocator(omp_allocator_handle_t allocator)
{
	omp__icv_write(omp__self())->allocator = allocator == omp_null_allocator ? omp_default_mem_alloc : allocator;
}

OMP__EXPORT omp_allocator_handle_t omp_get_default_allocator(void)
{
	return (omp_allocator_handle_t)omp__self()->task->icv->allocator;
}

/* ---- what the compiler calls for allocate clauses ---------------------------------------------------------------- */

OMP__EXPORT void *GOMP_alloc(size_t alignment, size_t bytes, uintptr_t allocator)
{
	struct request request = { alignment, bytes, false };
	void *memory = allocate(allocator, &request);

	if (!memory && bytes) {
		fprintf(stderr, "ferryomp: out of memory allocating %zu bytes for an allocate clause\n", bytes);
		exit(EXIT_FAILURE);
	}
	return memory;
}

OMP__EXPORT void GOMP_free(void *memory, uintptr_t allocator)
{
	(void)allocator;
	release(memory);
}
