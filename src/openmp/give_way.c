/* SPDX-License-Identifier: BSD-3-Clause */
/* Beside a guest: giving way to its threads. None of it runs in a program without one. */
#include "openmp/guest.h"

#include "thread/clock.h"

/*
 * A thread of the guest that wakes up where one of ours runs is not always let in by the kernel: it may have to wait
 * for the next timer interrupt (3 to 4 ms of 3 in a hundred wakeups, measured on 6.18), though all it has to do takes
 * microseconds. So between regions ours give way now and then, which costs 0.3 us where nobody waits. Where somebody
 * computes it costs a slice of the scheduler; then they do so no more for a while, which is longer each time it is so
 * again.
 */
enum {
	GIVE_WAY_TICKS = 1 << 19,	/* 130 to 520 us at 1 to 4 GHz */
	OTHERS_COMPUTE_TICKS = 1 << 20, /* longer than what a thread does that only wakes another */
	/* How long nobody gives way then, times what was lost. */
	LEFT_ALONE_LEAST = 16,
	LEFT_ALONE_MOST = 1024,
	/* After so many short ones in a row nobody computes; the kernel often lets who yields go on at once. */
	SHORT_WAYS = 64,
};

static void give_way(struct omp__seat *seat, uint64_t now)
{
	uint64_t lost;

	sched_yield();
	lost = thread__ticks() - now;
	if (lost < OTHERS_COMPUTE_TICKS) {
		seat->gives_way_at = now + lost + GIVE_WAY_TICKS;
		if (++seat->short_ways >= SHORT_WAYS)
			seat->left_alone = 0;
		return;
	}
	seat->short_ways = 0;
	seat->left_alone = seat->left_alone ? seat->left_alone * 4 : LEFT_ALONE_LEAST;
	if (seat->left_alone > LEFT_ALONE_MOST)
		seat->left_alone = LEFT_ALONE_MOST;
	seat->gives_way_at = now + seat->left_alone * lost;
}

void omp__guest_give_way(struct omp__seat *seat)
{
	uint64_t now = thread__ticks();

	if (now >= seat->gives_way_at)
		give_way(seat, now);
}

void omp__guest_woken(struct omp__seat *seat)
{
	uint64_t now = thread__ticks();

	/* not where others compute */
	if (now + OTHERS_COMPUTE_TICKS + GIVE_WAY_TICKS >= seat->gives_way_at)
		give_way(seat, now);
}
