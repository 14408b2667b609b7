/* SPDX-License-Identifier: BSD-3-Clause */
/* See share.h. */
#include "share.h"
#include "clock.h"
#include "neighbours.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>

enum {
	/* Processors whose numbers differ by this count share an entry; then a thread yields once for nothing. */
	VISITORS = 512,
	/*
	 * A yield that took longer let another thread run. Without one it takes 0.3 to 0.5 us, with one at least two
	 * switches.
	 */
	SWITCH_NS = 1500,
	/* How long a thread keeps its processor for itself after a neighbour has had it for a time slice. */
	KEEP_NS = 25000000,
	/* How long a neighbour is believed to want a processor that the kernel took away. */
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
	uint64_t after_ns, gone_ns;

	sched_yield();
	after_ns = thread__now_ns();
	gone_ns = after_ns - now_ns;
	self->has_companion = gone_ns > SWITCH_NS;
	if (self->has_companion)
		self->yielded++;
	if (gone_ns > THREAD__LOST_NS) {
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
	taken = usage.ru_nivcsw - self->yielded;
	if (taken > self->taken) {
		self->wanted_until_ns = now_ns + WANTED_NS;
		thread__neighbours_seen(now_ns);
	}
	self->taken = taken;
	return now_ns < self->wanted_until_ns;
}
