/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The work-stealing deque. deque.h says what it is, and names the papers that it follows; the model
 * tests/openmp/model/deque.pml enumerates it.
 *
 * Race 1, the last item (bottom = b + 1, top = b): the owner takes while a thief steals.
 *
 *	owner							thief
 *	bottom = b		(seq_cst)			t = top			(seq_cst)
 *	t = top			(seq_cst)			read bottom		(seq_cst)
 *	t == b: compare-and-swap top b -> b + 1			bottom > t: compare-and-swap top t -> t + 1
 *
 * Both may see the item; the compare-and-swap of top gives it to one of them.
 *
 * Race 2, the last item but one: the owner takes index b without a compare-and-swap, because it has read top < b. Could
 * a thief get b too? It would have to read top == b. Then it read top after the step that made it b, and that step came
 * after the owner's read of top in the single order of the seq_cst operations. So the thief next reads the owner's
 * bottom = b, or a later value, and sees that nothing is at index b. If the owner's store of bottom were weaker, its
 * read of top could pass that store, and both would have b.
 *
 * Race 3, a slot that is used again: a thief has read top = t and ring[t]; the owner wraps round and writes the same
 * slot for index t + (slots of the ring). The owner does that only after it has read top > t, so the thief's
 * compare-and-swap fails, and the thief drops what it read. The thief reads the slot by a relaxed atomic load: the
 * value may be stale, but never torn.
 *
 * Race 4, a ring that grows while a thief steals:
 *
 *	owner							thief
 *	copies top ... bottom - 1 into a larger ring		t = top, b = bottom > t
 *	ring = the larger one		(release)		r = ring		(acquire)
 *	slot of bottom = item, bottom + 1 (release)		item = slot t of r; compare-and-swap top t -> t + 1
 *
 * The thief reads `ring` after `bottom`. Suppose it got the smaller ring. Then index t was pushed before the growth,
 * because an index that was pushed later is seen only together with the larger ring. So slot t of the smaller ring
 * holds the item; or it holds what replaced the item before the growth, and then top is past t (race 3). No thread
 * writes the smaller ring any more, and it is not freed before the deque ends.
 */
#include "openmp/state/deque.h"

#include <sys/mman.h>

_Static_assert((OMP__DEQUE_FIRST & (OMP__DEQUE_FIRST - 1)) == 0, "an index becomes a slot by a mask");
_Static_assert(offsetof(struct omp__deque, first_slots) ==
		       offsetof(struct omp__deque, first) + sizeof(struct omp__ring),
	       "a ring's slots follow it");

/* Each new ring has this many times the slots of the one before; the second ring is two pages. */
enum { GROWTH_FIRST = 8, GROWTH = 2 };

static inline _Atomic(void *) *slot(struct omp__ring *ring, int64_t index)
{
	return (_Atomic(void *) *)(ring + 1) + (index & (ring->slot_count - 1));
}

void omp__deque_start(struct omp__deque *deque)
{
	atomic_init(&deque->top, 0);
	atomic_init(&deque->bottom, 0);
	deque->top_seen = 0;
	deque->first = (struct omp__ring){ OMP__DEQUE_FIRST, NULL };
	for (size_t i = 0; i < OMP__DEQUE_FIRST; i++)
		atomic_init(&deque->first_slots[i], NULL);
	atomic_init(&deque->ring, &deque->first);
}

static size_t bytes_of(int64_t slot_count)
{
	return sizeof(struct omp__ring) + (size_t)slot_count * sizeof(_Atomic(void *));
}

void omp__deque_end(struct omp__deque *deque)
{
	struct omp__ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);

	while (ring != &deque->first) {
		struct omp__ring *before = ring->before;

		munmap(ring, bytes_of(ring->slot_count));
		ring = before;
	}
	atomic_store_explicit(&deque->ring, ring, memory_order_relaxed);
}

/*
 * Make a larger ring with all that the old one holds; NULL when it would be too large or there is no memory. Race 4. It
 * does not use malloc, whose first call in a thread reserves 64 MiB of address space for that thread (glibc's arenas).
 */
static __attribute__((noinline)) struct omp__ring *grow(struct omp__deque *deque, struct omp__ring *old, int64_t bottom)
{
	int64_t slot_count = old->slot_count * (old->before ? GROWTH : GROWTH_FIRST);
	struct omp__ring *ring;

	if (slot_count > OMP__DEQUE_LARGEST)
		return NULL;
	ring = mmap(NULL, bytes_of(slot_count), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ring == MAP_FAILED)
		return NULL;
	*ring = (struct omp__ring){ slot_count, old };
	for (int64_t i = deque->top_seen; i < bottom; i++)
		atomic_init(slot(ring, i), atomic_load_explicit(slot(old, i), memory_order_relaxed));
	atomic_store_explicit(&deque->ring, ring, memory_order_release);
	return ring;
}

bool omp__deque_push(struct omp__deque *deque, void *item)
{
	int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
	struct omp__ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);

	if (__builtin_expect(bottom - deque->top_seen >= ring->slot_count, 0)) {
		/* acquire: the thief that moved top has read its slot before this thread writes that slot again */
		deque->top_seen = atomic_load_explicit(&deque->top, memory_order_acquire);
		if (bottom - deque->top_seen >= ring->slot_count && !(ring = grow(deque, ring, bottom)))
			return false;
	}
	atomic_store_explicit(slot(ring, bottom), item, memory_order_relaxed);
	/* release: a thread that sees the new index sees the slot, and what the item points to */
	atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
	return true;
}

void *omp__deque_take(struct omp__deque *deque, int64_t mark)
{
	int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
	struct omp__ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);
	int64_t top;
	void *item;

	/* top only rises, so a deque that looks empty here is empty, and nothing needs to be written */
	if (bottom <= mark || atomic_load_explicit(&deque->top, memory_order_relaxed) >= bottom)
		return NULL;
	bottom--;
	/* seq_cst, both: race 2 */
	atomic_store_explicit(&deque->bottom, bottom, memory_order_seq_cst);
	top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
	if (top < bottom)
		return atomic_load_explicit(slot(ring, bottom), memory_order_relaxed);
	item = NULL;
	if (top == bottom) {
		item = atomic_load_explicit(slot(ring, bottom), memory_order_relaxed);
		if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
							     memory_order_relaxed))
			item = NULL;
	}
	/* Nothing is left, and top is bottom + 1. A thief that sees this store finds the deque empty. */
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
	/* acquire, and after bottom: race 4 */
	item = atomic_load_explicit(slot(atomic_load_explicit(&deque->ring, memory_order_acquire), top),
				    memory_order_relaxed);
	/* release: the thief's read of the slot comes before the owner uses the slot again (race 3) */
	if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
						     memory_order_relaxed))
		return NULL;
	return item;
}
