/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Capabilities of GHC's runtime system, found by their numbers.
 *
 * The runtime system has no function for that. Its array of Capabilities is private to it, but a program that is linked
 * statically can refer to it. In a program that was linked with -dynamic the two references below are NULL, and only
 * those Capabilities are known that a held call has noted here.
 *
 * GHC 9.0.2 and 9.10.3 keep a pointer to that array, and make a new array when the number of Capabilities grows; GHC
 * 9.6.6 has the array itself. The version does not say which of the two a GHC has, so this file looks: the first word
 * of a Capability is the address of a closure's entry that the runtime system exports.
 *
 *	layout		`capabilities` is	`*capabilities` is
 *	ARRAY		Capability 0		the first word of Capability 0: the entry's address
 *	POINTER		the array		Capability 0, whose first word is the entry's address
 *
 * No GHC moves a Capability, or frees one before it ends itself. So what was found in the array is kept, and is good
 * while the runtime system is up.
 *
 * What may go wrong: a GHC of neither layout. The program then ends with a message that names its GHC. A -dynamic
 * program cannot see that hs_exit has begun, so in the 50 ms until the monitor sleeps it may read Capabilities that
 * hs_exit has freed. GHC's runtime system cannot be started again after hs_exit.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "Rts.h"

#include "capability/fields.h"
#include "capability/list.h"

/* Declared with a type of neither layout, because the code first has to find out which layout it is. */
extern char capabilities[] __attribute__((weak));
extern volatile StgWord sched_state __attribute__((weak));
/* of sched_state, from rts/Schedule.h: the runtime system is to end; it has stopped all Haskell threads */
#define INTERRUPTING 1
#define SHUTTING_DOWN 2

enum layout { UNKNOWN, ARRAY, POINTER };

/* relaxed: every thread finds the same */
static _Atomic enum layout found_layout;

/* relaxed: all threads write the same value, and what a Capability's fields say is old the next moment anyway */
static _Atomic(const char *) known[FERRY_CAPABILITIES_MAX];

bool ferry_runtime_is_up(void)
{
	return n_capabilities > 0 && (!&sched_state || sched_state < SHUTTING_DOWN);
}

bool ferry_runtime_is_ending(void)
{
	return !&sched_state || sched_state >= INTERRUPTING;
}

unsigned ferry_capability_count(void)
{
	unsigned count = ferry_runtime_is_up() ? enabled_capabilities : 0;

	return count < FERRY_CAPABILITIES_MAX ? count : FERRY_CAPABILITIES_MAX;
}

void ferry_capability_is_strange(const char *what)
{
	errorBelch("ferry: in the runtime system of GHC %s %s. Ferry reads the Capabilities of the versions that its "
		   "ferry.cabal names in tested-with: build the program with one of these",
		   __GLASGOW_HASKELL_FULL_VERSION__, what);
	exit(EXIT_FAILURE);
}

/* Whether a Capability lies at `address`, which can be read: its first word says so. */
static bool is_capability(const char *address)
{
	const char *word = address + OFFSET_Capability_r + OFFSET_stgEagerBlackholeInfo;

	return *(const void *const *)word == (const void *)&__stg_EAGER_BLACKHOLE_info;
}

/* What `capabilities` points to, or its first element. */
static const char *first_word(void)
{
	return __atomic_load_n((const char *const *)capabilities, __ATOMIC_ACQUIRE);
}

static enum layout find_layout(void)
{
	enum layout layout = atomic_load_explicit(&found_layout, memory_order_relaxed);
	const char *first, *element;

	while (layout == UNKNOWN) {
		first = first_word();
		element = *(const char *const *)first;
		if (is_capability(first))
			layout = ARRAY;
		else if (element && is_capability(element))
			layout = POINTER;
		else if (first == first_word())
			ferry_capability_is_strange("`capabilities` is neither an array nor a pointer to one");
	}
	atomic_store_explicit(&found_layout, layout, memory_order_relaxed);
	return layout;
}

/*
 * acquire, in both cases: the element is read between the two loads of the array's address. If these differ, the array
 * may have been freed meanwhile, and the element is not used; the next call finds the new array.
 */
static const char *find(unsigned number)
{
	bool is_pointer = find_layout() == POINTER;
	const char *const *array = is_pointer ? (const char *const *)first_word() : (const char *const *)capabilities;
	const char *found = __atomic_load_n(&array[number], __ATOMIC_ACQUIRE);

	if (is_pointer && array != (const char *const *)first_word())
		return NULL;
	if (ferry_capability_head(found)->no != number)
		ferry_capability_is_strange("a Capability does not have the number of its place");
	ferry_capability_note(number, found);
	return found;
}

const char *ferry_capability(unsigned number)
{
	const char *found;

	if (number >= FERRY_CAPABILITIES_MAX)
		return NULL;
	found = atomic_load_explicit(&known[number], memory_order_relaxed);
	/* a weak name that nothing defines is at NULL */
	if (found || !(uintptr_t)capabilities)
		return found;
	return find(number);
}

void ferry_capability_check(const char *capability)
{
	const struct ferry_capability_head *head = ferry_capability_head(capability);
	const StgTSO *thread = ferry_capability_thread(capability);

	if (!head->running_task || !head->in_haskell)
		ferry_capability_is_strange("a Capability that runs Haskell does not say so");
	if (!thread || (const char *)thread->cap != capability)
		ferry_capability_is_strange("the thread that a Capability runs is not its own");
	if (((StgTSO *)head->run_queue_hd == END_TSO_QUEUE) != (head->n_run_queue == 0))
		ferry_capability_is_strange("the length of a Capability's run queue is not where it is looked for");
	if ((head->suspended_ccalls == NULL) != (head->n_suspended_ccalls == 0))
		ferry_capability_is_strange("the number of a Capability's foreign calls is not where it is looked for");
}

void ferry_capability_note(unsigned number, const char *capability)
{
	atomic_store_explicit(&known[number], capability, memory_order_relaxed);
}
