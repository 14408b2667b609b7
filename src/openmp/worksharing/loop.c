/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handing out the iterations of a loop, by schedule:
 *
 * - static: from the thread's number alone.
 * - monotonic dynamic: a shared count of chunks.
 * - guided: the shared next iteration; each chunk is a share of what is left (Polychronopoulos, Kuck 1987).
 * - nonmonotonic dynamic: work stealing (after Blumofe, Leiserson 1999). Each member starts with an equal range of
 *   chunks, in a cache line of its own. It takes chunks from the front of its range by a locked add, for which no other
 *   thread contends; when its range is empty it takes the back half of another member's. A locked add is 5 ns, so a
 *   range with many chunks gives OMP__LOOP_TAKEN at a time; near its end, where balance matters, one.
 *
 * A range is one word, next | end << 32. Each chunk is handed out once, so a word never comes back to a value that it
 * had while it had chunks.
 *
 *	owner: fetch_add(k): has the k chunks from `next` on that are before `end`; an empty range stays empty
 *	thief: compare_exchange(next | end, next | middle): has [middle, end)
 *
 * The very last chunk is in no range. It goes to the first thread that finds nothing else, and that thread gets no
 * more. The reason is GCC's code for lastprivate: it takes the values of the last chunk that a thread was given, so no
 * thread may be given an earlier chunk after the last.
 */
#include "openmp/worksharing/loop.h"
#include "openmp/state/thread_state.h"
#include "openmp/state/workshares.h"
#include "openmp/task/reduction.h"
#include "openmp/team/tool_region.h"
#include "openmp/tool/event.h"
#include "openmp/worksharing/doacross.h"
#include "openmp/worksharing/ordered.h"
#include "openmp/worksharing/workshare.h"

#define RANGE_CHUNKS_MAX (UINT32_C(1) << 30)

uint64_t omp__loop_count(uint64_t start, uint64_t end, uint64_t step, bool is_unsigned, bool up)
{
	uint64_t distance = up ? end - start : start - end;
	uint64_t stride = up ? step : 0 - step;
	bool none = is_unsigned ? (up ? start >= end : start <= end)
				: (up ? (int64_t)start >= (int64_t)end : (int64_t)start <= (int64_t)end);

	if (none)
		return 0;
	return stride == 1 ? distance : (distance - 1) / stride + 1;
}

static uint64_t chunk_count(const struct omp__loop *loop)
{
	return loop->chunk == 1 || loop->count == 0 ? loop->count : (loop->count - 1) / loop->chunk + 1;
}

/* ---- entering ---------------------------------------------------------------------------------------------------- */

static enum omp__hand_out choose(const struct omp__loop_spec *spec, unsigned threads)
{
	if (threads == 1)
		return OMP__HAND_OUT_WHOLE;
	switch (spec->schedule & OMP__SCHEDULE_MASK) {
	case OMP__DYNAMIC:
		return spec->ordered || spec->dimensions || spec->schedule & OMP__MONOTONIC ? OMP__HAND_OUT_COUNTER
											    : OMP__HAND_OUT_RANGES;
	case OMP__GUIDED:
		return OMP__HAND_OUT_GUIDED;
	default: /* static; and auto, which is the same here */
		return spec->chunk ? OMP__HAND_OUT_CHUNKS : OMP__HAND_OUT_BLOCKS;
	}
}

static void set_ranges(struct omp__workshare *share, uint64_t chunks, unsigned threads)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < threads; i++) {
		uint64_t end = chunks * (i + 1) / threads;

		atomic_store_explicit(&share->ranges[i].span, end << 32 | next, memory_order_relaxed);
		next = end;
	}
}

/* The first thread sets up what all threads share; omp__workshare_ready() releases it to them. */
static void set_up(struct omp__loop *loop, struct omp__workshare *share, const struct omp__loop_spec *spec,
		   unsigned threads)
{
	atomic_store_explicit(&share->next, 0, memory_order_relaxed);
	atomic_store_explicit(&share->ordered_next, 0, memory_order_relaxed);
	share->hand_out = loop->hand_out;
	if (loop->hand_out == OMP__HAND_OUT_RANGES) {
		uint64_t chunks = loop->next;

		if (chunks <= RANGE_CHUNKS_MAX && omp__workshare_ranges(share, threads))
			set_ranges(share, chunks ? chunks - 1 : 0, threads);
		else
			share->hand_out = OMP__HAND_OUT_COUNTER;
	}
	share->reductions = spec->reductions;
	if (spec->memory)
		omp__workshare_memory(share, (size_t)*spec->memory);
	if (spec->dimensions)
		omp__doacross_set_up(loop, share, spec, threads);
}

static void share_loop(struct omp__thread *thread, struct omp__loop *loop, const struct omp__loop_spec *spec)
{
	bool first;
	struct omp__workshare *share = omp__workshare_enter(thread, &first);

	if (first) {
		set_up(loop, share, spec, thread->region->thread_count);
		if (spec->reductions)
			omp__reductions_workshare(thread, spec->reductions, NULL);
		omp__workshare_ready(share);
	} else if (spec->reductions) {
		omp__reductions_workshare(thread, spec->reductions, share->reductions);
	}
	loop->share = share;
	loop->hand_out = share->hand_out;
	if (loop->hand_out == OMP__HAND_OUT_RANGES) {
		loop->range = &share->ranges[thread->region->thread_num];
		loop->untold = omp__tool_is_on() ? NULL : loop->range;
		loop->chunk_step = loop->chunk * loop->step;
	}
	if (spec->memory)
		*spec->memory = share->memory;
}

void omp__loop_enter(struct omp__thread *thread, const struct omp__loop_spec *spec)
{
	struct omp__region *region = thread->region;
	struct omp__loop *loop = &region->loop;

	loop->share = NULL;
	loop->range = NULL;
	loop->untold = NULL;
	loop->held = 0;
	loop->held_end = 0;
	loop->start = spec->start;
	loop->end = spec->end;
	loop->step = spec->step;
	loop->count = spec->count;
	/* no larger than the loop, so that products of it fit: a program may ask for chunks as large as a long */
	loop->chunk = spec->chunk < spec->count ? spec->chunk : spec->count;
	loop->first = 0;
	loop->past = 0;
	loop->hand_out = (uint8_t)choose(spec, region->thread_count);
	loop->ordered = spec->ordered && region->thread_count > 1;
	loop->ordered_passed = true;
	/*
	 * Only a static loop distinguishes chunks from no chunk size; the others hand out single iterations without
	 * one.
	 */
	if (loop->chunk == 0)
		loop->chunk = 1;
	if (loop->hand_out == OMP__HAND_OUT_CHUNKS)
		loop->next = region->thread_num * loop->chunk;
	else if (loop->hand_out == OMP__HAND_OUT_RANGES)
		loop->next = chunk_count(loop);
	else
		loop->next = 0;
	if (region->thread_count == 1 && spec->reductions && !spec->memory) {
		/* No thread shares this construct, so no team is made for it. */
		omp__reductions_workshare(thread, spec->reductions, NULL);
		return;
	}
	if (loop->hand_out >= OMP__HAND_OUT_COUNTER || loop->ordered || spec->reductions || spec->memory ||
	    (spec->dimensions && region->thread_count > 1))
		share_loop(thread, loop, spec);
}

/* ---- handing out ------------------------------------------------------------------------------------------------- */

static bool give(struct omp__loop *loop, uint64_t first, uint64_t length)
{
	uint64_t left = loop->count - first;

	loop->first = first;
	loop->past = length < left ? first + length : loop->count;
	return true;
}

/* The block that GCC computes for schedule(static) itself: the first threads get one iteration more. */
static bool next_block(struct omp__loop *loop, const struct omp__region *region)
{
	uint64_t size = loop->count / region->thread_count;
	uint64_t rest = loop->count % region->thread_count;
	uint64_t before = region->thread_num;

	if (loop->next)
		return false;
	loop->next = 1;
	if (before < rest) {
		size++;
		rest = 0;
	}
	return size && give(loop, before * size + rest, size);
}

static bool next_chunk(struct omp__loop *loop, const struct omp__region *region)
{
	uint64_t first = loop->next;
	uint64_t stride = loop->chunk * region->thread_count;

	if (first >= loop->count)
		return false;
	/* This saturates, since the sum may not fit. */
	loop->next = loop->count - first > stride ? first + stride : loop->count;
	return give(loop, first, loop->chunk);
}

static bool next_counter(struct omp__loop *loop)
{
	/* relaxed: the threads share only the count; nothing but `ordered` orders iterations */
	uint64_t chunk = atomic_fetch_add_explicit(&loop->share->next, 1, memory_order_relaxed);

	return chunk < chunk_count(loop) && give(loop, chunk * loop->chunk, loop->chunk);
}

static bool next_guided(struct omp__loop *loop, const struct omp__region *region)
{
	_Atomic uint64_t *next = &loop->share->next;
	uint64_t first = atomic_load_explicit(next, memory_order_relaxed);
	uint64_t length;

	do {
		uint64_t left = loop->count - first;

		if (left == 0)
			return false;
		length = (left - 1) / region->thread_count + 1;
		/* whole chunks: with simd a chunk is a number of vectors */
		if (loop->chunk > 1 && length % loop->chunk) {
			uint64_t missing = loop->chunk - length % loop->chunk;

			length = missing < left - length ? length + missing : left;
		}
	} while (!atomic_compare_exchange_weak_explicit(next, &first, first + length, memory_order_relaxed,
							memory_order_relaxed));
	return give(loop, first, length);
}

/* Take the back half of what the victim has left. The thread runs the first chunk of it now. */
static bool steal(struct omp__loop *loop, struct omp__range *own, struct omp__range *victim)
{
	uint64_t span = atomic_load_explicit(&victim->span, memory_order_relaxed);
	uint64_t next, end, middle;

	do {
		next = (uint32_t)span;
		end = span >> 32;
		if (next >= end)
			return false;
		middle = next + (end - next) / 2;
	} while (!atomic_compare_exchange_weak_explicit(&victim->span, &span, middle << 32 | next, memory_order_relaxed,
							memory_order_relaxed));
	/* The own range is empty, and thieves leave an empty range alone, so a plain store does. */
	atomic_store_explicit(&own->span, end << 32 | (middle + 1), memory_order_relaxed);
	return give(loop, middle * loop->chunk, loop->chunk);
}

static bool last_chunk(struct omp__loop *loop)
{
	uint64_t last = loop->next - 1;

	if (atomic_load_explicit(&loop->share->next, memory_order_relaxed) ||
	    atomic_exchange_explicit(&loop->share->next, 1, memory_order_relaxed))
		return false;
	loop->next = 0;
	return give(loop, last * loop->chunk, loop->chunk);
}

static bool next_range(struct omp__loop *loop, const struct omp__region *region)
{
	struct omp__range *ranges = loop->share->ranges;
	struct omp__range *own = loop->range;
	uint32_t chunk;

	if (loop->next == 0)
		return false;
	if (omp__loop_take(loop, &chunk))
		return give(loop, chunk * loop->chunk, loop->chunk);
	for (unsigned i = 1; i < region->thread_count; i++) {
		unsigned victim = region->thread_num + i;

		if (victim >= region->thread_count)
			victim -= region->thread_count;
		if (steal(loop, own, &ranges[victim]))
			return true;
	}
	return last_chunk(loop);
}

static bool next_of(struct omp__loop *loop, const struct omp__region *region)
{
	switch (loop->hand_out) {
	case OMP__HAND_OUT_WHOLE:
		if (loop->next || loop->count == 0)
			return false;
		loop->next = 1;
		return give(loop, 0, loop->count);
	case OMP__HAND_OUT_BLOCKS:
		return next_block(loop, region);
	case OMP__HAND_OUT_CHUNKS:
		return next_chunk(loop, region);
	case OMP__HAND_OUT_COUNTER:
		return next_counter(loop);
	case OMP__HAND_OUT_RANGES:
		return next_range(loop, region);
	case OMP__HAND_OUT_GUIDED:
		return next_guided(loop, region);
	default:
		return false;
	}
}

bool omp__loop_next(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	if (loop->ordered && !loop->ordered_passed)
		omp__ordered_pass(thread);
	if (!next_of(loop, thread->region))
		return false;
	loop->ordered_passed = false;
	if (omp__tool_is_on())
		omp__tool_chunk(thread, omp__loop_first(loop), loop->past - loop->first);
	return true;
}

void omp__loop_leave(struct omp__thread *thread)
{
	struct omp__loop *loop = &thread->region->loop;

	loop->hand_out = OMP__HAND_OUT_NONE;
	if (loop->share)
		omp__workshare_leave(thread);
	loop->share = NULL;
	loop->range = NULL;
	loop->untold = NULL;
}

void omp__loop_end_nowait(struct omp__thread *thread, const void *code)
{
	omp__loop_leave(thread);
	if (omp__tool_is_on())
		omp__tool_work_end(thread, code);
}

bool omp__loop_end(struct omp__thread *thread, bool cancellable, struct omp__tool_call call)
{
	omp__loop_leave(thread);
	if (omp__tool_is_on())
		return omp__barrier_for_tool(thread, cancellable, ompt_sync_region_barrier_implicit_workshare, call);
	return omp__barrier(thread, cancellable);
}
