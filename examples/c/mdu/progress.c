/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line on the terminal for walks that take long: it appears after a second, is renewed ten times a second, and goes
 * at the end.
 *
 * Each thread that enters a directory looks at the clock. No thread is made for that, so a walk of one thread stays a
 * program of one thread.
 */
#include <stdio.h>
#include <time.h>

#include "mdu.h"

#define FIRST_NS 1000000000LL
#define AGAIN_NS 100000000LL

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void mdu_progress(struct mdu *mdu)
{
	long long now, next;
	size_t entries = 0;

	if (!mdu->options->progress)
		return;
	now = now_ns();
	/* relaxed: at worst a line more or less; the exchange lets one thread print it */
	next = atomic_load_explicit(&mdu->progress_next_ns, memory_order_relaxed);
	if (now < next ||
	    !atomic_compare_exchange_strong_explicit(&mdu->progress_next_ns, &next,
						     next ? now + AGAIN_NS : now + FIRST_NS, memory_order_relaxed,
						     memory_order_relaxed) ||
	    next == 0)
		return;
	for (unsigned int i = 0; i < mdu->thread_count; i++)
		entries += atomic_load_explicit(&mdu->threads[i].entries, memory_order_relaxed);
	atomic_store_explicit(&mdu->progress_shown, true, memory_order_relaxed);
	fprintf(stderr, "\rmdu: %zu files\033[K", entries);
}

void mdu_progress_erase(struct mdu *mdu)
{
	if (atomic_exchange_explicit(&mdu->progress_shown, false, memory_order_relaxed))
		fputs("\r\033[K", stderr);
}
