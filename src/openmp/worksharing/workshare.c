/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entering and leaving the ring of work shares; state/workshares.h says how the ring works.
 *
 * A thread holds `claim` from the moment at which it finds that it is the first until the work share is ready. So no
 * other thread sees a work share that is half set up, or sets it up a second time. That takes some tens of nanoseconds.
 * A thread that has to wait for it spins, and yields when it takes long, because the first thread may have lost its
 * processor.
 */
#include "openmp/worksharing/workshare.h"
#include "openmp/state/team_state.h"
#include "openmp/system/no_memory.h"
#include "openmp/team/team_life.h"

#include "thread/clock.h"

#include <stdlib.h>
#include <string.h>

static bool is_past(uint32_t count, uint32_t construct)
{
	return (int32_t)(count - construct) >= 0;
}

/*
 * Whether every member has passed the construct. What a scan of the members found is kept in `floor`, so that most
 * constructs need no scan. Acquire and release pass on the members' last reads of a work share to the thread that uses
 * it again.
 */
static bool all_past(struct omp__team *team, uint32_t construct)
{
	uint32_t floor = atomic_load_explicit(&team->workshares.floor, memory_order_acquire);

	if (is_past(floor, construct))
		return true;
	floor = atomic_load_explicit(&team->members[0]->passed, memory_order_acquire);
	for (unsigned i = 1; i < team->size; i++) {
		uint32_t passed = atomic_load_explicit(&team->members[i]->passed, memory_order_acquire);

		if (is_past(floor, passed))
			floor = passed;
	}
	atomic_store_explicit(&team->workshares.floor, floor, memory_order_release);
	return is_past(floor, construct);
}

static struct omp__workshare *lapping(struct omp__team *team, struct omp__workshare *slot, uint32_t construct)
{
	struct omp__workshare *share = aligned_alloc(OMP__LINE_BYTES, sizeof(*share));

	if (!share)
		omp__no_memory("a work-sharing construct");
	memset(share, 0, sizeof(*share));
	share->construct = construct;
	share->overflow = slot->overflow;
	slot->overflow = share;
	atomic_store_explicit(&team->workshares.lapped, true, memory_order_relaxed);
	return share;
}

/* The caller holds the claim: find the work share of this construct, or make one; *first: it was made here. */
static struct omp__workshare *find(struct omp__team *team, struct omp__workshare *slot, uint32_t construct, bool *first)
{
	*first = false;
	for (struct omp__workshare *share = slot; share; share = share->overflow)
		if (share->construct == construct)
			return share;
	*first = true;
	if (!all_past(team, slot->construct))
		return lapping(team, slot, construct);
	slot->construct = construct;
	return slot;
}

static struct omp__workshare *claim(struct omp__team *team, struct omp__workshare *slot, uint32_t construct,
				    bool *first)
{
	struct omp__workshare *share;
	unsigned looks = 0;

	while (atomic_exchange_explicit(&slot->claim, 1, memory_order_acquire)) {
		do {
			if (atomic_load_explicit(&slot->serves, memory_order_acquire) == construct) {
				*first = false;
				return slot;
			}
			thread__spin_briefly(&looks);
		} while (atomic_load_explicit(&slot->claim, memory_order_relaxed));
	}
	share = find(team, slot, construct, first);
	if (!*first || share != slot)
		atomic_store_explicit(&slot->claim, 0, memory_order_release);
	while (!*first && atomic_load_explicit(&share->serves, memory_order_acquire) != construct)
		thread__spin_briefly(&looks);
	return share;
}

struct omp__workshare *omp__workshare_enter(struct omp__thread *thread, bool *first)
{
	struct omp__region *region = thread->region;
	struct omp__team *team = region->team ? region->team : omp__team_of(thread);
	uint32_t construct = ++region->workshare_count;
	struct omp__workshare *slot;

	if (!team)
		omp__no_memory("a team");
	slot = &team->workshares.ring[construct % OMP__WORKSHARES];
	*first = false;
	/* acquire: what the first thread has set up */
	if (atomic_load_explicit(&slot->serves, memory_order_acquire) == construct)
		return slot;
	return claim(team, slot, construct, first);
}

void omp__workshare_ready(struct omp__workshare *share)
{
	atomic_store_explicit(&share->serves, share->construct, memory_order_release);
	/* A work share from the heap has no claim, and no thread looks at the field. */
	atomic_store_explicit(&share->claim, 0, memory_order_release);
}

void omp__workshare_leave(struct omp__thread *thread)
{
	/* release: this thread's last reads of the work share come before its next use */
	atomic_store_explicit(&thread->region->member->passed, thread->region->workshare_count, memory_order_release);
}

void omp__workshare_memory(struct omp__workshare *share, size_t bytes)
{
	bytes = (bytes + OMP__LINE_BYTES - 1) / OMP__LINE_BYTES * OMP__LINE_BYTES;
	if (bytes > share->memory_bytes) {
		free(share->memory);
		share->memory = aligned_alloc(OMP__LINE_BYTES, bytes);
		share->memory_bytes = share->memory ? bytes : 0;
	}
	if (bytes && !share->memory)
		omp__no_memory("what the threads of a loop share");
	if (bytes)
		memset(share->memory, 0, bytes);
}

bool omp__workshare_ranges(struct omp__workshare *share, unsigned count)
{
	if (count <= share->range_count)
		return true;
	free(share->ranges);
	share->ranges = aligned_alloc(OMP__LINE_BYTES, count * sizeof(*share->ranges));
	share->range_count = share->ranges ? count : 0;
	return share->ranges != NULL;
}
