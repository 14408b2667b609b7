/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Capabilities of GHC's runtime system, found by their numbers.
 *
 * The runtime system has no function for that. Its array of Capabilities is private to it, but a program that is linked
 * statically can refer to it. In a program that was linked with -dynamic the two references below are NULL, and only
 * those Capabilities are known that a held call has noted here.
 *
 * The runtime system makes a new array when the number of Capabilities grows, and frees the old one. It never moves a
 * Capability, and frees it only when it ends itself. So what was found in the array is kept, and is good while the
 * runtime system is up.
 *
 * What may go wrong: both names are declared by hand, as GHC 9.0.2 and 9.10.3 have them; a newer GHC is treated as
 * -dynamic. Such a program cannot see that hs_exit has begun, so in the 50 ms until the monitor sleeps it may read
 * Capabilities that hs_exit has freed. GHC's runtime system cannot be started again after hs_exit.
 */
#include <stdatomic.h>

#include "Rts.h"

#include "capability/list.h"

#if __GLASGOW_HASKELL__ <= 910
extern Capability **capabilities __attribute__((weak));
#define CAPABILITIES (&capabilities)
#else
#define CAPABILITIES ((Capability ***)NULL)
#endif
extern volatile StgWord sched_state __attribute__((weak));
/* of sched_state, from rts/Schedule.h: hs_exit has begun */
#define SHUTTING_DOWN 2

/* relaxed: all threads write the same value, and what a Capability's fields say is old the next moment anyway */
static _Atomic(const char *) known[FERRY_CAPABILITIES_MAX];

bool ferry_runtime_is_up(void)
{
	return n_capabilities > 0 && (!&sched_state || sched_state < SHUTTING_DOWN);
}

unsigned ferry_capability_count(void)
{
	unsigned count = ferry_runtime_is_up() ? enabled_capabilities : 0;

	return count < FERRY_CAPABILITIES_MAX ? count : FERRY_CAPABILITIES_MAX;
}

/*
 * acquire, both: the element is read between the two loads of the array's address. If these differ, the array may have
 * been freed while it was read, and what was read is not used; the next call finds the new one.
 */
static const char *find(unsigned number)
{
	Capability **array = __atomic_load_n(CAPABILITIES, __ATOMIC_ACQUIRE);
	const char *found = __atomic_load_n((const char **)&array[number], __ATOMIC_ACQUIRE);

	if (array != __atomic_load_n(CAPABILITIES, __ATOMIC_ACQUIRE))
		return NULL;
	ferry_capability_note(number, found);
	return found;
}

const char *ferry_capability(unsigned number)
{
	const char *found;

	if (number >= FERRY_CAPABILITIES_MAX)
		return NULL;
	found = atomic_load_explicit(&known[number], memory_order_relaxed);
	if (found || !CAPABILITIES)
		return found;
	return find(number);
}

void ferry_capability_note(unsigned number, const char *capability)
{
	atomic_store_explicit(&known[number], capability, memory_order_relaxed);
}
