/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sharing a processor: what a thread knows of who else runs on its own processor, threads of its process (companions)
 * or neighbours. Where 16 threads of a team and one busy loop want 16 processors, some processor has two of them, and
 * the kernel does not mind which two:
 *
 *	two threads of the team		A yields to B and B to A whenever one waits: a switch costs about 1 us, and the
 *					team is as fast as 15 processors allow; without a yield A spins for a time
 *					slice, for what B would do
 *	a thread and the loop		a yield would give the loop a time slice, so the thread does not yield
 *
 * So a thread yields where a companion has run since it last looked, and goes on as long as its yields let somebody run
 * and come back soon.
 */
#ifndef THREAD_SHARE_H
#define THREAD_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/* Only the thread itself reads and writes it. All zero at first. */
struct thread__share {
	/* Whether the last yield let another thread run, and that one was back soon. */
	bool has_companion;
	/* Until when the thread does not yield: a neighbour has had its processor for a time slice. */
	uint64_t keeps_until_ns;
	/* Until when neighbours are taken to want its processor. */
	uint64_t wanted_until_ns;
	/*
	 * How often the kernel had taken the processor away (ru_nivcsw) when the thread last asked, and how many of its
	 * yields let another thread run, which the kernel counts too.
	 */
	long taken, yielded;
};

/*
 * The caller says that it runs on this processor. True: a companion has said so since the caller last did, or the
 * caller was on another processor then.
 */
bool thread__share_visit(const struct thread__share *self, uint32_t processor);
/* Yield to a companion. Returns the time afterwards. */
uint64_t thread__share_yield(struct thread__share *self, uint64_t now_ns);
/* A neighbour has had the caller's processor. */
void thread__share_lost(struct thread__share *self, uint64_t now_ns);
/* Whether neighbours want the caller's processor. Asks the kernel, which takes 0.3 us. */
bool thread__share_is_wanted(struct thread__share *self, uint64_t now_ns);

#endif
