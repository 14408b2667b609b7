/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The work-stealing deque. See deque.h for what it is and the papers it follows; tests/model/openmp/deque.pml checks it
 * by enumeration.
 *
 * Race 1, the last item (bottom = b + 1, top = b): the owner takes while a thief steals.
 *
 *	owner							thief
 *	bottom = b		(seq_cst)			t = top			(seq_cst)
 *	t = top			(seq_cst)			read bottom		(seq_cst)
 *	t == b: compare-and-swap top b -> b + 1			bottom > t: compare-and-swap top t -> t + 1
 *
 * Both may see the item; the compare-and-swap on top gives it to one.
 *
 * Race 2, the last but one: the owner takes index b without a compare-and-swap because it read top < b. A thief that
 * would get b too must have read top == b, so it read top after the step that made it b, which comes after the owner's
 * read in the one order of the seq_cst operations; so it then reads the owner's bottom = b (or what came later) and
 * sees nothing at index b. With a weaker store of bottom the owner's read of top could pass it, and both would have b.
 *
 * Race 3, a slot used again: a thief has read top = t and ring[t], the owner wraps round and writes ring[t] for index
 * t + CAPACITY. The owner did so because it read top > t; so the thief's compare-and-swap fails and what it read is
 * dropped. Its read of the slot is relaxed and atomic: the value may be stale, never torn.
 */
#include "deque.h"

#define MASK (OMP__DEQUE_CAPACITY - 1)

_Static_assert((OMP__DEQUE_CAPACITY & MASK) == 0, "an index becomes a slot by a mask");

void omp__deque_start(struct omp__deque *deque)
{
	atomic_init(&deque->top, 0);
	atomic_init(&deque->bottom, 0);
	deque->top_seen = 0;
	for (size_t i = 0; i < OMP__DEQUE_CAPACITY; i++)
		atomic_init(&deque->ring[i], NULL);
}

bool omp__deque_push(struct omp__deque *deque, void *item)
{
	int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);

	if (bottom - deque->top_seen >= OMP__DEQUE_CAPACITY) {
		/* acquire: a thief has read the slot before it is written again */
		deque->top_seen = atomic_load_explicit(&deque->top, memory_order_acquire);
		if (bottom - deque->top_seen >= OMP__DEQUE_CAPACITY)
			return false;
	}
	atomic_store_explicit(&deque->ring[bottom & MASK], item, memory_order_relaxed);
	/* release: who sees the index sees the slot and what the item points to */
	atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
	return true;
}

void *omp__deque_take(struct omp__deque *deque, int64_t mark)
{
	int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
	int64_t top;
	void *item;

	/* top only rises, so what looks empty now is empty, and nothing need be written */
	if (bottom <= mark || atomic_load_explicit(&deque->top, memory_order_relaxed) >= bottom)
		return NULL;
	bottom--;
	/* seq_cst, both: race 2 */
	atomic_store_explicit(&deque->bottom, bottom, memory_order_seq_cst);
	top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
	if (top < bottom)
		return atomic_load_explicit(&deque->ring[bottom & MASK], memory_order_relaxed);
	item = NULL;
	if (top == bottom) {
		item = atomic_load_explicit(&deque->ring[bottom & MASK], memory_order_relaxed);
		if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
							     memory_order_relaxed))
			item = NULL;
	}
	/* Nothing is left, and top is bottom + 1: a thief that sees this store finds no item by it. */
	atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
	return item;
}

void *omp__deque_steal(struct omp__deque *deque)
{
	int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
	int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_seq_cst);
	void *item;

	if (top >= bottom)
		return NULL;
	item = atomic_load_explicit(&deque->ring[top & MASK], memory_order_relaxed);
	/* The release half orders the read of the slot before the owner's use of it again: race 3. */
	if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
						     memory_order_relaxed))
		return NULL;
	return item;
}
