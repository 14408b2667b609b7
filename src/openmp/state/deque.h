/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The work-stealing deque: its owner pushes and takes at the bottom, anybody steals at the top.
 *
 * After Chase and Lev, "Dynamic circular work-stealing deque" (SPAA 2005), with the memory orders of Le, Pop, Cohen and
 * Zappa Nardelli, "Correct and efficient work-stealing for weak memory models" (PPoPP 2013). Their fences are
 * sequentially consistent operations on bottom and top here, which ThreadSanitizer understands too. The owner of a full
 * deque moves to a larger ring, of at least twice the size. A thief may still read the ring that was left, so that
 * stays until the deque ends: together such rings are smaller than the one in use.
 *
 * Invariants: top never falls; the items are those of index top … bottom - 1; an item leaves once. Indices are 64 bits
 * wide and never wrap, so an index says for ever which push it was: bottom when a task starts is a mark, and what lies
 * at or above the mark was pushed after that.
 */
#ifndef OMP_DEQUE_H
#define OMP_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slots of the ring that a deque starts with, and of the largest; powers of two. */
#define OMP__DEQUE_FIRST 64
#define OMP__DEQUE_LARGEST (INT64_C(1) << 24)

/* Its slots follow it. */
struct omp__ring {
	int64_t slot_count;
	struct omp__ring *before; /* the smaller ring that it took the place of */
};

struct omp__deque {
	_Alignas(64) _Atomic int64_t top;    /* written by thieves */
	_Alignas(64) _Atomic int64_t bottom; /* written by the owner */
	/* The owner's last look at top: never more than top. */
	int64_t top_seen;
	/* The ring in use: written by the owner. */
	_Atomic(struct omp__ring *) ring;
	struct omp__ring first;
	_Atomic(void *) first_slots[OMP__DEQUE_FIRST];
};

void omp__deque_start(struct omp__deque *deque);
/* Nobody uses it any more. */
void omp__deque_end(struct omp__deque *deque);
/* Owner: false when it is full and there is no memory, or OMP__DEQUE_LARGEST is reached. */
bool omp__deque_push(struct omp__deque *deque, void *item);
/* Owner: the item pushed last, if its index is `mark` or more; else NULL. */
void *omp__deque_take(struct omp__deque *deque, int64_t mark);
/* Anybody: the oldest item; NULL when there was none or another thread was quicker. */
void *omp__deque_steal(struct omp__deque *deque);

/* Owner: how many items it holds, or more when thieves were here since its last push. */
static inline int64_t omp__deque_filled(const struct omp__deque *deque)
{
	return atomic_load_explicit(&deque->bottom, memory_order_relaxed) -
	       atomic_load_explicit(&deque->top, memory_order_relaxed);
}

/* Owner: the index that the next push gets. */
static inline int64_t omp__deque_mark(const struct omp__deque *deque)
{
	return atomic_load_explicit(&deque->bottom, memory_order_relaxed);
}

/* Anybody: whether a steal could find something. seq_cst: a thread that goes to sleep relies on it (see wait.h). */
static inline bool omp__deque_has(const struct omp__deque *deque)
{
	int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);

	return top < atomic_load_explicit(&deque->bottom, memory_order_seq_cst);
}

#endif
