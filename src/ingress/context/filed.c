/* SPDX-License-Identifier: BSD-3-Clause */
/* See filed.h. */
#include "ingress/context/filed.h"
#include "ingress/limits.h"

#include <stdlib.h>

#define GROUP_BITS 6
#define GROUPS (1u << GROUP_BITS)
/* In a cell, beside the ticket: it is taken. */
#define TAKEN ((uint64_t)1 << 63)
_Static_assert(INGRESS__TICKET_BITS < 63, "a ticket leaves a bit for the mark");

static uint32_t mask_of(const struct ingress__filed_table *table)
{
	return (1u << table->bits) - 1;
}

/* The mixing steps of SplitMix64 (Steele, Lea, Flood 2014): homes do not cluster, however far apart the tickets are. */
static uint32_t home_of(const struct ingress__filed_table *table, uint64_t ticket)
{
	ticket = (ticket ^ ticket >> 30) * 0xbf58476d1ce4e5b9u;
	ticket = (ticket ^ ticket >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)(ticket >> (64 - table->bits));
}

static uint64_t group_bit(const struct ingress__filed_table *table, uint32_t index)
{
	return (uint64_t)1 << (index >> (table->bits - GROUP_BITS));
}

bool ingress__filed_grow(struct ingress__filed *filed, uint32_t depth)
{
	/* relaxed: a starter made it, and one starter comes after another under the lock of the context table */
	struct ingress__filed_table *older = atomic_load_explicit(&filed->table, memory_order_relaxed), *table;
	uint32_t bits = GROUP_BITS;

	while (1u << bits < depth * INGRESS__FILED_FACTOR)
		bits++;
	if (older && older->bits >= bits)
		return true;
	table = calloc(1, sizeof(*table) + ((size_t)1 << bits) * sizeof(table->cell[0]));
	if (!table)
		return false;
	table->older = older;
	table->bits = bits;
	/* release: a thread that cancels finds the table made. All requests of the older one are over. */
	atomic_store_explicit(&filed->table, table, memory_order_release);
	return true;
}

/* ---- any thread -------------------------------------------------------------------------------------------------- */

bool ingress__filed_put(struct ingress__filed *filed, uint64_t ticket)
{
	struct ingress__filed_table *table = atomic_load_explicit(&filed->table, memory_order_acquire);
	uint32_t home = home_of(table, ticket);

	for (uint32_t distance = 0; distance < INGRESS__FILED_PROBES; distance++) {
		uint32_t index = (home + distance) & mask_of(table);
		uint64_t cell = atomic_load_explicit(&table->cell[index], memory_order_relaxed);

		while (!cell || (cell & ~TAKEN) == ticket) {
			/* release: the requests that this thread has submitted come before */
			if (!atomic_compare_exchange_weak_explicit(&table->cell[index], &cell, ticket,
								   memory_order_release, memory_order_relaxed))
				continue;
			/* seq_cst: before the look at the parker */
			atomic_fetch_or_explicit(&filed->groups, group_bit(table, index), memory_order_seq_cst);
			return true;
		}
	}
	return false;
}

/* ---- library thread ---------------------------------------------------------------------------------------------- */

/* Take the tickets of one group. Returns how many. */
static uint32_t take_group(struct ingress__filed *filed, struct ingress__filed_table *table, uint32_t group)
{
	uint32_t cells = 1u << (table->bits - GROUP_BITS), count = 0;

	for (uint32_t index = group * cells; index < (group + 1) * cells; index++) {
		uint64_t cell = atomic_load_explicit(&table->cell[index], memory_order_relaxed);
		uint32_t distance;

		if (!cell || cell & TAKEN)
			continue;
		/* acquire: the requests of this ticket are in the lanes, or have been there */
		while (!atomic_compare_exchange_weak_explicit(&table->cell[index], &cell, cell | TAKEN,
							      memory_order_acquire, memory_order_relaxed))
			;
		distance = (index - home_of(table, cell)) & mask_of(table);
		if (filed->farthest < distance)
			filed->farthest = distance;
		count++;
	}
	return count;
}

bool ingress__filed_take(struct ingress__filed *filed)
{
	struct ingress__filed_table *table = atomic_load_explicit(&filed->table, memory_order_relaxed);
	uint64_t groups = 0;

	/* relaxed: a handler may look often, and an exchange would move the line; acquire: the groups' cells */
	if (atomic_load_explicit(&filed->groups, memory_order_relaxed))
		groups = atomic_exchange_explicit(&filed->groups, 0, memory_order_acquire);
	for (; groups; groups &= groups - 1)
		if (take_group(filed, table, (uint32_t)__builtin_ctzll(groups)))
			filed->taken |= groups & -groups;
	return filed->taken;
}

bool ingress__filed_has(const struct ingress__filed *filed, uint64_t ticket)
{
	const struct ingress__filed_table *table = atomic_load_explicit(&filed->table, memory_order_relaxed);
	uint32_t home = home_of(table, ticket);

	/*
	 * One that was filed again counts as taken: else a host that files a ticket again and again would keep it from
	 * being found. acquire: so its thread has set the bits of what it filed before.
	 */
	for (uint32_t distance = 0; distance <= filed->farthest; distance++)
		if ((atomic_load_explicit(&table->cell[(home + distance) & mask_of(table)], memory_order_acquire) &
		     ~TAKEN) == ticket)
			return ticket;
	return false;
}

void ingress__filed_drop(struct ingress__filed *filed)
{
	struct ingress__filed_table *table = atomic_load_explicit(&filed->table, memory_order_relaxed);
	uint32_t cells = 1u << (table->bits - GROUP_BITS);

	for (uint64_t groups = filed->taken; groups; groups &= groups - 1) {
		uint32_t first = (uint32_t)__builtin_ctzll(groups) * cells;

		for (uint32_t index = first; index < first + cells; index++) {
			uint64_t cell = atomic_load_explicit(&table->cell[index], memory_order_relaxed);

			/* relaxed: a thread that finds the cell free reads nothing else. */
			if (cell & TAKEN)
				atomic_compare_exchange_strong_explicit(&table->cell[index], &cell, 0,
									memory_order_relaxed, memory_order_relaxed);
		}
	}
	filed->taken = 0;
	filed->farthest = 0;
}
