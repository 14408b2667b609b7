/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Filed tickets: the numbers of the requests that hosts want to cancel (cancel.h), a set in a table of fixed size. Any
 * thread files a ticket, without a lock and without memory of its own; the library thread takes what was filed, looks
 * for the requests, and drops the tickets. So filing a ticket again costs no memory, and no submit fails since many are
 * filed.
 *
 * It is a hash table with linear probing. A cell holds nothing (0), a ticket that is filed, or one that is taken:
 *
 *	0 -> filed		a thread that cancels
 *	filed -> filed		likewise, again: the swap of the number for itself is a release of its own
 *	filed -> taken		the library thread
 *	taken -> filed		a thread that cancels while the library thread may have looked already
 *	taken -> 0		the library thread, after it has looked
 *
 * Cells are in 64 groups, with a bit for each group in one word. A thread that filed sets the bit of its group, also
 * when another one filed the same ticket, as that one may be suspended before it does:
 *
 *	canceller A			canceller B			library thread
 *	cell: 0 -> filed
 *	suspended
 *					cell: filed -> filed
 *					sets the bit, wakes
 *									takes the bit; cell: filed -> taken
 *
 * No ticket is lost. What a canceller has submitted before is in the lanes when its swap is done (release), and the
 * library thread takes the cell (acquire) before it takes the lanes. It drops a ticket only if the cell is still
 * taken, that is if nobody has filed the ticket again since:
 *
 *	library thread				canceller
 *	cell: filed -> taken
 *	takes the lanes
 *						submits the request, and files the ticket: cell: taken -> filed
 *	does not find the request
 *	cell: taken -> 0 fails
 *						sets the bit, wakes: the library thread looks again
 *
 * The order. Cells are not in the order of filing, so what the library thread takes, or finds, may hold a thread's last
 * ticket and not its first:
 *
 *	library thread				canceller
 *						cell of group 1: 0 -> filed, its bit
 *	takes the bit of group 1
 *						cell of group 2: 0 -> filed, its bit
 *						cell of group 1: 0 -> filed
 *	takes the cells of group 1
 *
 * It finds the first one too if it looks for more bits afterwards: that of group 2 was set before the cell that it has
 * found (acquire).
 *
 * The size. A context has at most `depth` unanswered requests, so hosts that cancel such requests alone never fill a
 * table of INGRESS__FILED_FACTOR times as many cells. A thread that finds no free cell among INGRESS__FILED_PROBES
 * reports a full queue. What may change: these two, and the hash function. What may not change is the order of the
 * steps, which tests/ingress/model/cancel.pml enumerates.
 */
#ifndef INGRESS_FILED_H
#define INGRESS_FILED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Tickets have fewer bits than their words, whose other bits are for marks. */
#define INGRESS__TICKET_BITS 61

struct ingress__filed_table {
	struct ingress__filed_table *older; /* kept, since a thread that cancels may still be using it */
	uint32_t bits;			    /* it has 2^bits cells */
	_Atomic uint64_t cell[];
};

struct ingress__filed {
	_Atomic uint64_t groups; /* that have tickets to take, as bits */
	_Atomic(struct ingress__filed_table *) table;
	/* the library thread's */
	uint64_t taken;	   /* groups that have tickets which are taken */
	uint32_t farthest; /* of those tickets: so many cells from its home */
};

/* Starter: make the table large enough for requests of a queue so deep. False: no memory. */
bool ingress__filed_grow(struct ingress__filed *filed, uint32_t depth);
/* Any thread: file a ticket. False: too many are filed. */
bool ingress__filed_put(struct ingress__filed *filed, uint64_t ticket);

/* Library thread: whether tickets are filed, or taken and not dropped. */
static inline bool ingress__filed_any(const struct ingress__filed *filed)
{
	/* seq_cst: this thread stores its parker before this load, and a thread that files sets a bit first */
	return atomic_load_explicit(&filed->groups, memory_order_seq_cst) || filed->taken;
}

/* Library thread: take what is filed. False: no ticket is taken. */
bool ingress__filed_take(struct ingress__filed *filed);
/* Library thread: whether a ticket is taken. It may also be one that was filed again, or is just being filed. */
bool ingress__filed_has(const struct ingress__filed *filed, uint64_t ticket);
/* Library thread: drop the tickets that are taken. */
void ingress__filed_drop(struct ingress__filed *filed);

#endif
