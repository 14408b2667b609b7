/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a thread finds out who else runs on its processor (share.h), by three signs:
 *
 *	a word for each processor	each thread that waits writes its address there (thread__share_visit). If it
 *					finds another address, a companion has run here since.
 *	how long a yield took		more than SWITCH_NS: another thread ran; more than THREAD__LOST_NS: that was a
 *					neighbour, which kept the processor for a time slice (thread__share_yield).
 *	the kernel's count		how often it took the processor away (ru_nivcsw). A yield that let another
 *					thread run is in that count too, so these are subtracted
 *					(thread__share_is_wanted).
 *
 * What may go wrong: every sign may be wrong for a moment, which costs a yield or a wake-up, nothing else. What may
 * change: the numbers below; `ferry measure --check bench/targets.toml openmp-beside` shows the effect.
 */
#include "share.h"
#include "clock.h"
#include "neighbours.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>

enum {
	/*
	 * How many words there are. Processors whose numbers differ by a multiple of it share a word, so that a thread
	 * takes one on the other processor for a companion, and yields once for nothing.
	 */
	VISITORS = 512,
	/*
	 * A yield that took longer let another thread run. Without one it takes 0.3 to 0.5 us, with one at least two
	 * switches.
	 */
	SWITCH_NS = 1500,
	/* How long a thread keeps its processor for itself after a neighbour has had it for a time slice. */
	KEEP_NS = 25000000,
	/* For how long a thread assumes that a neighbour wants its processor, after the kernel has taken it away. */
	WANTED_NS = 20000000,
};

/*
 * The thread that said last that it runs on a processor. The address only tells threads apart and is never followed, so
 * it may be that of a thread that has ended. relaxed everywhere: these are hints, and no data is published through
 * them. Threads of other processors do not touch the line.
 */
static struct {
	_Alignas(64) _Atomic(const void *) thread;
} visitors[VISITORS];

bool thread__share_visit(const struct thread__share *self, uint32_t processor)
{
	_Atomic(const void *) *visitor = &visitors[processor % VISITORS].thread;

	if (atomic_load_explicit(visitor, memory_order_relaxed) == self)
		return false;
	atomic_store_explicit(visitor, self, memory_order_relaxed);
	return true;
}

void thread__share_lost(struct thread__share *self, uint64_t now_ns)
{
	self->wanted_until_ns = now_ns + WANTED_NS;
	thread__neighbours_seen(now_ns);
}

uint64_t thread__share_yield(struct thread__share *self, uint64_t now_ns)
{
	uint64_t after_ns, elapsed_ns;

	sched_yield();
	after_ns = thread__now_ns();
	elapsed_ns = after_ns - now_ns;
	self->has_companion = elapsed_ns > SWITCH_NS;
	if (self->has_companion)
		self->yielded++;
	/* that was a neighbour: a companion that waits would have yielded sooner */
	if (elapsed_ns > THREAD__LOST_NS) {
		self->has_companion = false;
		self->keeps_until_ns = after_ns + KEEP_NS;
		thread__share_lost(self, after_ns);
	}
	return after_ns;
}

bool thread__share_is_wanted(struct thread__share *self, uint64_t now_ns)
{
	struct rusage usage;
	long taken;

	if (getrusage(RUSAGE_THREAD, &usage))
		return true;
	/* how often the kernel took the processor away by itself, which it does for a neighbour */
	taken = usage.ru_nivcsw - self->yielded;
	if (taken > self->taken) {
		self->wanted_until_ns = now_ns + WANTED_NS;
		thread__neighbours_seen(now_ns);
	}
	self->taken = taken;
	return now_ns < self->wanted_until_ns;
}
