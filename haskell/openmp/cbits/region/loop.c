/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel loops for Ferry.OpenMP: a region is opened by what GCC compiles `#pragma omp parallel for` to, and each
 * thread of the team works on its share of the iterations.
 *
 * A Haskell body is entered once for each thread of the team: the thread takes a Capability, and Haskell itself asks
 * for one chunk after the other (ferry_openmp_next, an unsafe call of a few nanoseconds) until there is none. A thread
 * without any chunk takes no Capability. A C kernel is called for each chunk, without a Capability.
 *
 * A loop is stopped between two chunks: by a Haskell body that threw, or because an asynchronous exception waits for
 * the thread that opened the loop. Haskell bodies look for such an exception themselves. Where the body is a C kernel,
 * the primary thread of the team asks Haskell every POLL_NS.
 */
#include <stddef.h>
#include <time.h>

#include "Rts.h"
#include "region/loop.h"

/* libgomp's interface, which no header declares */
void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel_loop_nonmonotonic_dynamic(void (*fn)(void *), void *data, unsigned threads, long begin, long end,
					     long step, long chunk, unsigned flags);
void GOMP_parallel_loop_nonmonotonic_guided(void (*fn)(void *), void *data, unsigned threads, long begin, long end,
					    long step, long chunk, unsigned flags);
void GOMP_parallel_loop_maybe_nonmonotonic_runtime(void (*fn)(void *), void *data, unsigned threads, long begin,
						   long end, long step, unsigned flags);
bool GOMP_loop_nonmonotonic_dynamic_next(long *first, long *past);
bool GOMP_loop_nonmonotonic_guided_next(long *first, long *past);
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long *first, long *past);
void GOMP_loop_end_nowait(void);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);

/* How often a loop of C kernels asks whether an exception waits for its caller; each question takes a Capability. */
#define POLL_NS 10000000L

const char *ferry_openmp_refusal(void)
{
	return rtsSupportsBoundThreads() ? NULL
					 : "the program is linked without -threaded, and so has one OS thread for all "
					   "of Haskell; add -threaded to its ghc-options";
}

/* As many threads as there are Capabilities: more would wait for each other. */
unsigned ferry_openmp_haskell_threads(unsigned threads)
{
	unsigned usual;

	if (threads)
		return threads;
	usual = (unsigned)omp_get_max_threads();
	return usual < enabled_capabilities ? usual : enabled_capabilities;
}

static bool is_stopped(const struct ferry_loop *loop)
{
	return __atomic_load_n(&loop->stopped, __ATOMIC_RELAXED);
}

static void stop(struct ferry_loop *loop)
{
	__atomic_store_n(&loop->stopped, 1, __ATOMIC_RELAXED);
}

void ferry_openmp_stop(struct ferry_share *share)
{
	stop(share->loop);
}

static bool is_haskell(const struct ferry_loop *loop)
{
	return !loop->kernel && !loop->kernel_to;
}

/* Whether the OpenMP runtime hands out the loop's ranges. */
static bool is_shared(const struct ferry_loop *loop)
{
	return loop->schedule == FERRY_DYNAMIC || loop->schedule == FERRY_GUIDED || loop->schedule == FERRY_RUNTIME;
}

/* Counts are unsigned, because the difference of two longs may not fit into a long. */
static bool first_static(struct ferry_share *share)
{
	const struct ferry_loop *loop = share->loop;
	unsigned long count = (unsigned long)loop->end - (unsigned long)loop->begin;
	unsigned long threads = (unsigned long)share->threads, thread = (unsigned long)share->thread;
	unsigned long each = count / threads, more = count % threads;
	unsigned long offset = thread * each + (thread < more ? thread : more);

	share->first = (long)((unsigned long)loop->begin + offset);
	share->past = (long)((unsigned long)share->first + each + (thread < more));
	return share->first < share->past;
}

/* Move the share on by that many chunks, and take the chunk there. False: it lies behind the end. */
static bool take_cyclic(struct ferry_share *share, unsigned long chunks)
{
	const struct ferry_loop *loop = share->loop;
	unsigned long left = (unsigned long)loop->end - (unsigned long)share->first, by;

	if (__builtin_mul_overflow(chunks, (unsigned long)loop->chunk, &by) || by >= left)
		return false;
	share->first = (long)((unsigned long)share->first + by);
	left -= by;
	share->past = (long)((unsigned long)share->first +
			     ((unsigned long)loop->chunk < left ? (unsigned long)loop->chunk : left));
	return true;
}

/*
 * Take one chunk of the range that the OpenMP runtime gave. The range may have several chunks, for instance in a team
 * of one, and the loop may have to stop between two of them.
 */
static bool take_chunk(struct ferry_share *share)
{
	share->past = (unsigned long)share->left - (unsigned long)share->first > (unsigned long)share->loop->chunk
			      ? share->first + share->loop->chunk
			      : share->left;
	return true;
}

static bool first_dynamic(struct ferry_share *share)
{
	return GOMP_loop_nonmonotonic_dynamic_next(&share->first, &share->left) && take_chunk(share);
}

static bool first_range(struct ferry_share *share)
{
	switch (share->loop->schedule) {
	case FERRY_STATIC:
		return first_static(share);
	case FERRY_CYCLIC:
		share->first = share->loop->begin;
		return take_cyclic(share, (unsigned long)share->thread);
	case FERRY_DYNAMIC:
		return first_dynamic(share);
	case FERRY_GUIDED:
		return GOMP_loop_nonmonotonic_guided_next(&share->first, &share->past);
	case FERRY_EACH:
		return true;
	case FERRY_RUNTIME:
		break;
	}
	return GOMP_loop_maybe_nonmonotonic_runtime_next(&share->first, &share->past);
}

bool ferry_openmp_next(struct ferry_share *share)
{
	if (share->loop->schedule == FERRY_STATIC || share->loop->schedule == FERRY_EACH || is_stopped(share->loop))
		return false;
	if (share->loop->schedule == FERRY_CYCLIC)
		return take_cyclic(share, (unsigned long)share->threads);
	if (share->loop->schedule == FERRY_DYNAMIC && share->past < share->left) {
		share->first = share->past;
		return take_chunk(share);
	}
	return first_range(share);
}

/* Run blocks [block, past) of a reduction, whose elements are divided as equally as can be. */
static void run_blocks(const struct ferry_loop *loop, long block, long past)
{
	/* Quotient and remainder apart: elements * block might overflow, and each * block does not. */
	long each = loop->elements / loop->blocks, more = loop->elements % loop->blocks;
	long first = block * each + (block < more ? block : more);
	char *result = (char *)loop->to + (size_t)block * (size_t)loop->result_bytes;

	for (; block < past && !is_stopped(loop); block++) {
		long next = first + each + (block < more);

		loop->kernel_to(first, next, loop->from, result);
		first = next;
		result += loop->result_bytes;
	}
}

static void run_kernel(const struct ferry_loop *loop, long first, long past)
{
	if (loop->kernel)
		loop->kernel(first, past, loop->to);
	else if (!loop->blocks)
		loop->kernel_to(first, past, loop->from, loop->to);
	else
		run_blocks(loop, first, past);
}

/* The clock of the last tick, which is a few milliseconds old and costs next to nothing. */
static long coarse_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void run_kernels(struct ferry_share *share)
{
	struct ferry_loop *loop = share->loop;
	bool asks = loop->job && share->thread == 0;
	long poll_ns = asks ? coarse_ns() + POLL_NS : 0;

	run_kernel(loop, share->first, share->past);
	while (ferry_openmp_next(share)) {
		if (asks && coarse_ns() >= poll_ns) {
			if (ferryOpenmpWanted(loop->job)) {
				stop(loop);
				return;
			}
			poll_ns = coarse_ns() + POLL_NS;
		}
		run_kernel(loop, share->first, share->past);
	}
}

static void work(void *data)
{
	struct ferry_share share = {
		.thread = omp_get_thread_num(),
		.threads = omp_get_num_threads(),
		.loop = data,
	};
	struct ferry_loop *loop = data;

	if (!is_stopped(loop) && first_range(&share)) {
		if (is_haskell(loop))
			ferryOpenmpShare(loop->job, &share);
		else
			run_kernels(&share);
	}
	if (is_shared(loop))
		GOMP_loop_end_nowait();
}

/* Open the region of a loop, and wait for its end. */
void ferry_openmp_run(struct ferry_loop *loop);
void ferry_openmp_run(struct ferry_loop *loop)
{
	unsigned threads = is_haskell(loop) ? ferry_openmp_haskell_threads(loop->threads) : loop->threads;

	switch (loop->schedule) {
	case FERRY_STATIC:
	case FERRY_CYCLIC:
	case FERRY_EACH:
		GOMP_parallel(work, loop, threads, 0);
		break;
	case FERRY_DYNAMIC:
		GOMP_parallel_loop_nonmonotonic_dynamic(work, loop, threads, loop->begin, loop->end, 1, loop->chunk, 0);
		break;
	case FERRY_GUIDED:
		GOMP_parallel_loop_nonmonotonic_guided(work, loop, threads, loop->begin, loop->end, 1, loop->chunk, 0);
		break;
	case FERRY_RUNTIME:
		GOMP_parallel_loop_maybe_nonmonotonic_runtime(work, loop, threads, loop->begin, loop->end, 1, 0);
		break;
	}
}

/*
 * ---- functions by which Haskell fills in a loop
 * -----------------------------------------------------------------------------
 */

size_t ferry_openmp_loop_bytes(void);
size_t ferry_openmp_loop_bytes(void)
{
	return sizeof(struct ferry_loop);
}

/* A loop whose body is the job. */
void ferry_openmp_init_body(long begin, long end, int schedule, long chunk, unsigned threads, struct ferry_loop *loop);
void ferry_openmp_init_body(long begin, long end, int schedule, long chunk, unsigned threads, struct ferry_loop *loop)
{
	*loop = (struct ferry_loop){
		.begin = begin,
		.end = end,
		.chunk = chunk,
		.schedule = (enum ferry_schedule)schedule,
		.threads = threads,
	};
}

/* A region: the job once for each thread. */
void ferry_openmp_init_region(unsigned threads, struct ferry_loop *loop);
void ferry_openmp_init_region(unsigned threads, struct ferry_loop *loop)
{
	*loop = (struct ferry_loop){ .schedule = FERRY_EACH, .threads = threads };
}

/* A loop of C kernels over [begin, end) of `data`. */
void ferry_openmp_init_kernel(ferry_kernel *kernel, void *data, long begin, long end, int schedule, long chunk,
			      unsigned threads, struct ferry_loop *loop);
void ferry_openmp_init_kernel(ferry_kernel *kernel, void *data, long begin, long end, int schedule, long chunk,
			      unsigned threads, struct ferry_loop *loop)
{
	ferry_openmp_init_body(begin, end, schedule, chunk, threads, loop);
	loop->kernel = kernel;
	loop->to = data;
}

/* A loop of C kernels that read one array and write another. */
void ferry_openmp_init_kernel_to(ferry_kernel_to *kernel, const void *from, void *to, long end, int schedule,
				 long chunk, unsigned threads, struct ferry_loop *loop);
void ferry_openmp_init_kernel_to(ferry_kernel_to *kernel, const void *from, void *to, long end, int schedule,
				 long chunk, unsigned threads, struct ferry_loop *loop)
{
	ferry_openmp_init_body(0, end, schedule, chunk, threads, loop);
	loop->kernel_to = kernel;
	loop->from = from;
	loop->to = to;
}

/* A reduction by C kernels: [0, elements) in blocks, each of which writes a result of its own into `to`. */
void ferry_openmp_init_blocks(ferry_kernel_to *kernel, const void *from, void *to, long elements, long blocks,
			      long result_bytes, int schedule, unsigned threads, struct ferry_loop *loop);
void ferry_openmp_init_blocks(ferry_kernel_to *kernel, const void *from, void *to, long elements, long blocks,
			      long result_bytes, int schedule, unsigned threads, struct ferry_loop *loop)
{
	ferry_openmp_init_kernel_to(kernel, from, to, blocks, schedule, 1, threads, loop);
	loop->elements = elements;
	loop->blocks = blocks;
	loop->result_bytes = result_bytes;
}

/*
 * Set the loop's job: a StablePtr to what Haskell needs of the loop. Without a job, nothing stops a loop of C kernels.
 */
void ferry_openmp_set_job(struct ferry_loop *loop, void *job);
void ferry_openmp_set_job(struct ferry_loop *loop, void *job)
{
	loop->job = job;
}

/* Whether a loop that has run was stopped. */
bool ferry_openmp_was_stopped(const struct ferry_loop *loop);
bool ferry_openmp_was_stopped(const struct ferry_loop *loop)
{
	return loop->stopped;
}
