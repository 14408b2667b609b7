/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The work-stealing deque: its owner pushes and takes at the bottom, any other thread, a thief, steals at the top.
 *
 * It is the deque of Chase and Lev, "Dynamic circular work-stealing deque" (SPAA 2005), with the memory orders of Le,
 * Pop, Cohen and Zappa Nardelli, "Correct and efficient work-stealing for weak memory models" (PPoPP 2013). Where they
 * have fences, bottom and top are accessed by sequentially consistent operations, which ThreadSanitizer understands
 * too. The owner of a full deque moves to a larger ring, with at least twice the slots. A thief may still be reading
 * the old ring, so old rings stay until the deque ends; together they are smaller than the ring in use.
 *
 * Invariants: top never falls; the items are those of index top … bottom - 1; an item leaves once. Indices are 64 bits
 * wide and never wrap, so an index names one push for ever. The value of bottom when a task starts can therefore serve
 * as a mark: items at or above the mark were pushed after that.
 */
#ifndef OMP_DEQUE_H
#define OMP_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slots of the first ring of a deque, and of the largest; powers of two. */
#define OMP__DEQUE_FIRST 64
#define OMP__DEQUE_LARGEST (INT64_C(1) << 24)

/* A ring; its slots follow the struct. */
struct omp__ring {
	int64_t slot_count;
	struct omp__ring *before; /* the smaller ring that this one replaced */
};

struct omp__deque {
	_Alignas(64) _Atomic int64_t top;    /* thieves write it, and the owner when it takes the last item */
	_Alignas(64) _Atomic int64_t bottom; /* written by the owner */
	/* What the owner read from top last; never more than top. */
	int64_t top_seen;
	/* The ring in use: written by the owner. */
	_Atomic(struct omp__ring *) ring;
	struct omp__ring first;
	_Atomic(void *) first_slots[OMP__DEQUE_FIRST];
};

void omp__deque_start(struct omp__deque *deque);
/* End a deque that no thread uses any more. */
void omp__deque_end(struct omp__deque *deque);
/* Owner: push an item. False: the ring is full, and there is no memory or it is OMP__DEQUE_LARGEST already. */
bool omp__deque_push(struct omp__deque *deque, void *item);
/* Owner: take the item that was pushed last, if its index is `mark` or more; else NULL. */
void *omp__deque_take(struct omp__deque *deque, int64_t mark);
/* Any thread: take the oldest item. NULL: there was none, or another thread was quicker. */
void *omp__deque_steal(struct omp__deque *deque);

/* Owner: how many items it holds; too many by those that thieves took since its last push. */
static inline int64_t omp__deque_filled(const struct omp__deque *deque)
{
	return atomic_load_explicit(&deque->bottom, memory_order_relaxed) -
	       atomic_load_explicit(&deque->top, memory_order_relaxed);
}

/* Owner: the index of the next push. */
static inline int64_t omp__deque_mark(const struct omp__deque *deque)
{
	return atomic_load_explicit(&deque->bottom, memory_order_relaxed);
}

/* Any thread: whether there is something to steal. seq_cst: a thread that goes to sleep relies on it (wait.h). */
static inline bool omp__deque_has(const struct omp__deque *deque)
{
	int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);

	return top < atomic_load_explicit(&deque->bottom, memory_order_seq_cst);
}

#endif
