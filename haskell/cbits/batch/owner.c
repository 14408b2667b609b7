/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose a prepared program is: the Haskell thread's that used it first, until it is handed over. A program that two
 * threads set, run and read at once would give each the other's results.
 *
 * The owner is a thread's number, which the runtime system gives to no other thread. Ferry.Internal.Owner compares it,
 * which costs two loads and no atomic operation; only a thread that does not find its own number comes here.
 *
 * Memory order. A thread takes a program by a compare-and-swap that acquires, and gives it away by a store that
 * releases: what the last owner wrote to arguments, results and cells is seen by the next one. A thread's own number is
 * written by that thread alone, so a plain load that finds it is right:
 *
 *	thread 7					thread 9
 *	owner: 0 -> 7
 *	sets, runs, reads				owner is 7: refused
 *	finds its own 7, sets, runs, reads
 *	hands over: owner = 0				owner: 0 -> 9, sees all that 7 wrote
 *	owner is 9: refused
 *
 * What may go wrong: handing over does not ask whose the program is, because its owner may have ended. A thread that
 * hands over what another one uses makes two users. tests/haskell/model/owner.pml is a model of all this, with that and
 * the other mistakes that it must notice.
 */
#include <stddef.h>

#include "Rts.h"

#include "batch/layout.h"
#include "batch/program.h"

_Static_assert(offsetof(struct ferry_program, owner) == FERRY_PROGRAM_OWNER, "Ferry.Internal.Owner reads the owner");
_Static_assert(sizeof(((StgTSO *)NULL)->id) == sizeof(StgWord),
	       "Ferry.Internal.Owner reads a thread's number as a word");

/* No thread's number: any thread may use the program, because the caller has made sure that only one at a time does. */
#define ANY_THREAD (~0UL)

/* Make the thread the owner. Returns 0, or the number of the thread whose it is. */
unsigned long ferry_program_own(struct ferry_program *program, unsigned long thread)
{
	unsigned long owner = 0;

	if (__atomic_compare_exchange_n(&program->owner, &owner, thread, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) ||
	    owner == thread || owner == ANY_THREAD)
		return 0;
	return owner;
}

/* The program is nobody's: the next thread that uses it owns it. */
void ferry_program_hand_over(struct ferry_program *program)
{
	unsigned long owner = __atomic_load_n(&program->owner, __ATOMIC_RELAXED);

	if (owner != ANY_THREAD)
		__atomic_store_n(&program->owner, 0, __ATOMIC_RELEASE);
}

void ferry_program_for_any_thread(struct ferry_program *program)
{
	__atomic_store_n(&program->owner, ANY_THREAD, __ATOMIC_RELEASE);
}
