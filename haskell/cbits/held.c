/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Held calls: a C function that may take long is called with the Capability held, and another thread, the monitor,
 * retakes the Capability when the runtime system asks for it, or when the call has gone on from one look to the next;
 * as Go's sysmon retakes a processor from a long system call.
 *
 * A `safe` call gives the Capability up and takes it back, which costs as much as some calls take, and more where
 * others wait for it. An `unsafe` one makes everybody wait who wants the Capability, or a garbage collection. A held
 * call costs an exchange and a compare-and-exchange. Whoever wants the Capability waits for the end of a short call,
 * and for the monitor's next look at a long one.
 *
 *	owner (cmm/held.cmm saved the	slot of the	monitor
 *	thread's state before)		Capability
 *	exchange				-> record
 *	function				load: record; rHpLim == 0
 *							CAS record -> NULL
 *	...					NULL	record->token = suspendThread(base)
 *	CAS record -> NULL fails
 *	CAS state HELD -> AWAITED; sleeps
 *							exchange(state, GIVEN) was AWAITED: wakes the owner
 *	resumeThread(token)
 *
 * The thread that makes the CAS of the slot has the Capability and the record: the owner when it returns or calls
 * back into Haskell, the monitor, or a worker of the owner's parallel region that calls back
 * (ferryomp_coscheduler_held). The owner does not leave before it knows which thread that was, so a record whose CAS
 * succeeded is there until its state is GIVEN. A record that was only loaded may be gone, and is not looked into.
 * When a later call has a record at the same place, the CAS takes that one: it is held, and of the same
 * Capability.
 *
 * The owner waits for its token a moment without a pause, then it sleeps. Giving up takes a microsecond unless the
 * monitor has lost its processor to another program. Then a yield would give the owner's processor to another such
 * program for a time slice, and the owner would not come back with the token (docs/decisions/0012-waiting.md).
 *
 * suspendThread looks at the Capability, not at the thread that calls it, to find the Task that is suspended
 * (rts/Schedule.c, GHC 9.0.2 and 9.10.3). The debug runtime system asserts that they are the same, so there each call
 * gives its Capability up at the beginning. The runtime system without threads has no monitor either.
 *
 * fork: the child has no monitor until its next held call. hs_exit: it collects, so it waits for the monitor, and what
 * is still held afterwards is nothing.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "Rts.h"

#include <ferry/openmp_coscheduler.h>

#include "capability.h"
#include "collector.h"
#include "held.h"

#include "thread/clock.h"
#include "thread/futex.h"
#include "thread/spin.h"

enum {
	/*
	 * Between two looks of the monitor. A look takes a processor from somebody for about 10 us: at one a
	 * millisecond the 99th percentile of short regions beside a busy collector was 25 us, without them 4 us.
	 */
	LOOK_NS = 4000000,
	/* the same where somebody waits for a Capability, and it is for the looks to end time slices */
	LOOK_CROWDED_NS = 2000000,
	/* it sleeps when it has seen nothing held for so long */
	REST_NS = 50000000,
	/* how long the owner looks for its token before it sleeps: what a sleep and a wake-up cost */
	GIVING_NS = 40000,
};

/* HELD: the Capability has not been given up. AWAITED: nor yet, and the owner sleeps until it is. */
enum held_state { HELD, AWAITED, GIVEN };

struct held {
	struct held *outer; /* of the call that this one is called back from, if any */
	StgRegTable *base;
	unsigned number; /* the Capability's */
	/* What resumeThread wants, once the Capability has been given up. */
	void *token;
	/* An enum held_state. GIVEN with release: the thread that gave the Capability up has written the token and does
	 * not touch the record again; acquire: by the owner. */
	_Atomic uint32_t state;
};

/* One for each Capability. `held` is NULL, or the record of the call that holds it. */
static struct slot {
	_Alignas(64) _Atomic(struct held *) held;
	/* Written before `held` is for the first time, and always with the same value. */
	_Atomic(StgRegTable *) base;
	/* Calls so far; one writer at a time. relaxed: a monitor that reads an old one looks again. */
	_Atomic uint32_t calls;
} slots[FERRY_CAPABILITIES_MAX];

/* One more than the highest number that has held a call. */
static _Atomic unsigned slot_count;

enum monitor { ABSENT, AWAKE, ASLEEP };
static _Atomic uint32_t monitor = ABSENT;

/* Whether a region was opened since the monitor's last look. relaxed: a hint */
static _Atomic bool has_regions;

/* Calls that have given up their Capability and still run, on processors that no Capability stands for. */
static _Atomic unsigned loose;

static __thread struct held *here;

/* What a thread has that holds its Capability fast, as in a batch: as a record it says that nothing is left to take. */
static struct held fast = { .state = GIVEN };
static __thread bool is_fast;

static char *capability_of(StgRegTable *base)
{
	return (char *)base - OFFSET_Capability_r;
}

/* ---- giving up -----------------------------------------------------------------------------------------------------
 */

/*
 * Retake the Capability from a call that holds it. True when this did: the caller then gives it up.
 * acquire: the owner's state, saved before it was published. release: pairs with the owner's failing CAS.
 */
static bool retake(struct slot *slot, struct held *record)
{
	return atomic_compare_exchange_strong_explicit(&slot->held, &record, NULL, memory_order_acq_rel,
						       memory_order_acquire);
}

static void give_up(struct held *record)
{
	record->token = suspendThread(record->base, false);
	atomic_fetch_add_explicit(&loose, 1, memory_order_relaxed);

	/*
	 * The owner may be gone from here on. The wake-up only names an address: if another futex is there by then, its
	 * sleepers wake up for no reason.
	 */
	if (atomic_exchange_explicit(&record->state, GIVEN, memory_order_release) == AWAITED)
		thread__futex_wake(&record->state, 1);
}

static bool is_given(struct held *record)
{
	return atomic_load_explicit(&record->state, memory_order_acquire) == GIVEN;
}

static void give_up_if_held(struct held *record)
{
	if (!is_given(record) && retake(&slots[record->number], record))
		give_up(record);
}

/* By the owner: another thread has retaken the Capability, and is in suspendThread. */
static void *wait_for_token(struct held *record)
{
	struct thread__spin spin = thread__spin_begin(NULL, NULL, GIVING_NS, GIVING_NS);
	uint32_t held = HELD;

	while (!is_given(record)) {
		if (thread__spin(&spin, 0, 0))
			continue;
		/* relaxed: the owner looks at the state again. One that is GIVEN already stays, and then no sleep. */
		atomic_compare_exchange_strong_explicit(&record->state, &held, AWAITED, memory_order_relaxed,
							memory_order_relaxed);
		thread__futex_wait(&record->state, AWAITED, THREAD__NEVER);
		held = HELD;
	}
	return record->token;
}

/* relaxed: the record of the caller's own region was there before the region was opened */
static bool is_any_held(void)
{
	unsigned count = atomic_load_explicit(&slot_count, memory_order_relaxed);

	for (unsigned i = 0; i < count; i++)
		if (atomic_load_explicit(&slots[i].held, memory_order_relaxed))
			return true;
	return false;
}

void ferry_held_yield(void)
{
	struct held *record;

	if (here) {
		give_up_if_held(here);
		/* Before the own thread can have another Capability, the one it had must be gone. */
		wait_for_token(here);
	} else if (is_any_held() && (record = ferryomp_coscheduler_held())) {
		give_up_if_held(record);
	}
}

unsigned ferry_held_loose(void)
{
	return atomic_load_explicit(&loose, memory_order_relaxed);
}

void *ferry_held_here(void)
{
	return is_fast ? &fast : here;
}

void ferry_held_fast(bool is_held)
{
	is_fast = is_held;
}

const char *ferry_held_capability(unsigned number)
{
	StgRegTable *base = atomic_load_explicit(&slots[number].base, memory_order_relaxed);

	return base ? capability_of(base) : NULL;
}

/* ---- the monitor ---------------------------------------------------------------------------------------------------
 */

/* Opening the nursery overwrites rHpLim, so the flags, which stay, are looked at too; see KEEP_REQUEST in ferry.cmm. */
static bool is_wanted(StgRegTable *base)
{
	const char *capability = capability_of(base);

	return !__atomic_load_n((void **)&base->rHpLim, __ATOMIC_RELAXED) ||
	       __atomic_load_n((const int *)(capability + OFFSET_Capability_context_switch), __ATOMIC_RELAXED) ||
	       __atomic_load_n((const int *)(capability + OFFSET_Capability_interrupt), __ATOMIC_RELAXED);
}

/* What the monitor saw of each slot when it last looked; its own. */
static uint32_t seen[FERRY_CAPABILITIES_MAX];

/*
 * True when there were held calls since the last look. *is_crowded: whether a thread waits for a Capability, which is
 * asked where the monitor `shares` time slices out.
 */
static bool look(bool *is_crowded, bool shares)
{
	unsigned count = atomic_load_explicit(&slot_count, memory_order_acquire);
	bool any = false, holds[FERRY_CAPABILITIES_MAX] = { 0 };

	for (unsigned i = 0; i < count; i++) {
		struct held *record = atomic_load_explicit(&slots[i].held, memory_order_acquire);
		uint32_t calls = atomic_load_explicit(&slots[i].calls, memory_order_relaxed);
		uint32_t more = calls - seen[i];

		seen[i] = calls;
		holds[i] = record;
		any |= record || more;
		/* acquire of `held` came first, so the count is that of this record's call or of a later one */
		if (record && (more == 0 || is_wanted(atomic_load_explicit(&slots[i].base, memory_order_relaxed))) &&
		    retake(&slots[i], record))
			give_up(record);
	}
	/* Also when nothing was held just now: who opens regions may be one of those that wait. */
	count = shares ? ferry_capability_count() : 0;
	*is_crowded = false;
	for (unsigned i = 0; i < count; i++)
		*is_crowded |= ferry_turn_share(i, holds[i]);
	return any;
}

/*
 *	monitor					owner
 *	exchange(monitor, ASLEEP)		exchange(slot, record)
 *	load(slots)				load(monitor)
 *
 * All seq_cst: one sees the other's store, so a record is not left alone with a monitor that sleeps.
 */
static void rest(void)
{
	ferry_collector_forget();
	atomic_exchange_explicit(&monitor, ASLEEP, memory_order_seq_cst);
	for (unsigned i = 0; i < atomic_load_explicit(&slot_count, memory_order_seq_cst); i++)
		if (atomic_load_explicit(&slots[i].held, memory_order_seq_cst))
			atomic_store_explicit(&monitor, AWAKE, memory_order_relaxed);
	while (atomic_load_explicit(&monitor, memory_order_relaxed) == ASLEEP)
		thread__futex_wait(&monitor, ASLEEP, THREAD__NEVER);
}

/*
 * Regions that are opened by plain safe calls hold no Capability: there is nothing to retake, and no time slice to end.
 * They keep the monitor awake for what neighbours do to collections only.
 */
static void *monitor_calls(void *unused)
{
	bool is_crowded = false;
	long no_calls_ns = 0, no_regions_ns = 0;

	(void)unused;
	for (;;) {
		long pause_ns = is_crowded ? LOOK_CROWDED_NS : LOOK_NS;

		nanosleep(&(struct timespec){ .tv_nsec = pause_ns }, NULL);
		no_calls_ns = look(&is_crowded, no_calls_ns < REST_NS) ? 0 : no_calls_ns + pause_ns;
		no_regions_ns = atomic_exchange_explicit(&has_regions, false, memory_order_relaxed)
					? 0
					: no_regions_ns + pause_ns;
		ferry_collector_look(thread__now_ns());
		if (no_calls_ns < REST_NS || no_regions_ns < REST_NS)
			continue;
		rest();
		no_calls_ns = no_regions_ns = 0;
	}
	return NULL;
}

static void forget_monitor(void)
{
	atomic_store_explicit(&monitor, ABSENT, memory_order_relaxed);
}

static void start_child(void)
{
	forget_monitor();
	ferry_collector_forget();
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, start_child);
}

/* With every signal blocked: they are for the runtime system's threads. */
static bool start_monitor(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	sigset_t all, before;
	pthread_attr_t attributes;
	pthread_t thread;
	int status;

	pthread_once(&once, watch_forks);
	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(&thread, &attributes, monitor_calls, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return status == 0;
}

/* False when there is none and the system gives no thread for it. */
static __attribute__((noinline)) bool wake_monitor(uint32_t was)
{
	int saved = errno;
	bool good = true;

	/* Whoever makes the change does what it stands for. */
	if (!atomic_compare_exchange_strong_explicit(&monitor, &was, AWAKE, memory_order_acq_rel, memory_order_acquire))
		return true;
	if (was == ASLEEP)
		thread__futex_wake(&monitor, 1);
	else if (!start_monitor()) {
		forget_monitor();
		good = false;
	}
	errno = saved;
	return good;
}

/* ---- the owner -----------------------------------------------------------------------------------------------------
 */

/* 9.0 has no function that says so; this one is in its debug runtime system only. */
#if __GLASGOW_HASKELL__ >= 902
static bool is_debugged(void)
{
	return rts_isDebugged();
}
#else
extern void checkSanity(bool after_gc, bool major_gc) __attribute__((weak));

static bool is_debugged(void)
{
	return checkSanity != NULL;
}
#endif

/* -1 until somebody asks; relaxed: it is found out again with the same answer. */
static _Atomic int can_hold = -1;

static __attribute__((noinline)) bool find_out(void)
{
	int can = rtsSupportsBoundThreads() && !is_debugged();

	atomic_store_explicit(&can_hold, can, memory_order_relaxed);
	return can;
}

static bool holds_at_all(void)
{
	int can = atomic_load_explicit(&can_hold, memory_order_relaxed);

	return __builtin_expect(can < 0 ? find_out() : can, 1);
}

static bool may_hold(const struct held *record)
{
	return holds_at_all() && record->number < FERRY_CAPABILITIES_MAX;
}

/* relaxed: a region too many or too few is a look of the monitor more or less; the load keeps the line shared */
void ferry_held_region_opens(void)
{
	uint32_t watches = atomic_load_explicit(&monitor, memory_order_relaxed);

	if (!atomic_load_explicit(&has_regions, memory_order_relaxed))
		atomic_store_explicit(&has_regions, true, memory_order_relaxed);
	if (__builtin_expect(watches != AWAKE, 0) && holds_at_all())
		wake_monitor(watches);
}

/* Whether the thread is to go to the scheduler first: it is asked to, or its turn is over. */
StgWord ferry_held_must_stop(StgRegTable *base);
StgWord ferry_held_must_stop(StgRegTable *base)
{
	if (!__atomic_load_n((void **)&base->rHpLim, __ATOMIC_RELAXED))
		return 1;
	return holds_at_all() && ferry_turn_is_over(capability_of(base));
}

/* The first call of a Capability. */
static __attribute__((noinline)) void introduce(const struct held *record)
{
	unsigned count = atomic_load_explicit(&slot_count, memory_order_relaxed);

	atomic_store_explicit(&slots[record->number].base, record->base, memory_order_relaxed);
	while (count <= record->number &&
	       !atomic_compare_exchange_weak_explicit(&slot_count, &count, record->number + 1, memory_order_release,
						      memory_order_relaxed))
		;
}

static void hold(struct held *record)
{
	struct slot *slot = &slots[record->number];
	uint32_t watches;

	if (__builtin_expect(!atomic_load_explicit(&slot->base, memory_order_relaxed), 0))
		introduce(record);
	atomic_store_explicit(&slot->calls, atomic_load_explicit(&slot->calls, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	/* seq_cst: see rest(); release: the thread's state */
	atomic_exchange_explicit(&slot->held, record, memory_order_seq_cst);
	watches = atomic_load_explicit(&monitor, memory_order_seq_cst);
	if (__builtin_expect(watches != AWAKE, 0) && !wake_monitor(watches))
		give_up_if_held(record);
}

/*
 * Call function(argument). The caller has saved its Haskell thread's state, and resumes with the token that this
 * returns, if it is not NULL.
 */
void *ferry_held_call(void (*function)(void *), void *argument, StgRegTable *base);
void *ferry_held_call(void (*function)(void *), void *argument, StgRegTable *base)
{
	struct held record = { .outer = here, .base = base };
	void *token;

	record.number = *(uint32_t *)(capability_of(base) + OFFSET_Capability_no);
	if (may_hold(&record))
		hold(&record);
	else
		give_up(&record);
	here = &record;
	function(argument);
	here = record.outer;
	if (!is_given(&record) && retake(&slots[record.number], &record))
		return NULL;
	token = wait_for_token(&record);
	atomic_fetch_sub_explicit(&loose, 1, memory_order_relaxed);
	return token;
}
