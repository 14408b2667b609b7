/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The co-scheduler (system/coscheduler.h): how it registers, and what this runtime does for the co-scheduler around
 * regions and batches. A program without a co-scheduler runs none of this code. What may go wrong: a thread that
 * region_enter() counts and region_leave() does not, because every later team is then smaller than it could be. What
 * may not change: only the OS thread that has an initial thread writes `between` of that thread's hot team.
 */
#include "openmp/abi/export.h"
#include "openmp/coscheduling/census.h"
#include "openmp/coscheduling/known_code.h"
#include "openmp/coscheduling/lending.h"
#include "openmp/coscheduling/yield.h"
#include "openmp/system/coscheduler.h"
#include "openmp/process/environment.h"
#include "openmp/process/initial_variables.h"
#include "openmp/state/team_state.h"
#include "openmp/team/affinity.h"

#include <errno.h>
#include <omp.h>
#include <string.h>

/*
 * A value that omp_set_… changes outside every region holds for the OS thread that made the call, until any thread sets
 * the values that all threads start with (ferryomp_initial_set). A thread of the co-scheduler does not know which OS
 * thread it runs on, so the latest setting wins.
 */
static __thread struct omp__icv own_icv;
static __thread bool has_own_icv;
static __thread uint32_t own_since; /* omp__initial_version() when own_icv was kept */

/*
 * Whether the OS thread keeps its initial thread after a region: a bound thread has to stay at its place, and tasks
 * that the initial region has not run yet wait for their own thread.
 */
static bool stays(const struct omp__thread *initial)
{
	return !initial->is_lent || omp__affinity_binds || initial->initial.team;
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

/*
 * When a batch ends, the workers of the team that it used last are to park. By then another OS thread may have taken
 * that team's initial thread:
 *
 *	OS thread A			`between`	OS thread B		(it: the initial thread)
 *	batch_begin
 *	takes it; region; gives it back	STAYS_AWAKE
 *					USUAL		takes it; region; gives it back
 *	batch_end: takes it		PARKS
 *	gives it back
 *					USUAL		takes it, then tells its workers of a region
 *
 * Only the OS thread that has the initial thread writes `between`. While B is in its region, A finds the initial thread
 * taken and leaves the team alone. relaxed: a worker that waits for a region reads `between` again and again, and an
 * old value only makes it park later or sooner.
 */
static __thread unsigned batch_depth;
/* The initial thread that the batch's last region used; initial threads are never freed. */
static __thread struct omp__thread *batch_initial;

static void set_between(struct omp__thread *initial, enum omp__between between)
{
	struct omp__team *team = initial->hot_first;

	/* Load first: a store of the same value would take the line from the workers that read it. */
	if (team && atomic_load_explicit(&team->between, memory_order_relaxed) != between)
		atomic_store_explicit(&team->between, between, memory_order_relaxed);
}

OMP__EXPORT void ferryomp_batch_begin(void)
{
	batch_depth++;
}

OMP__EXPORT void ferryomp_batch_end(bool is_over)
{
	struct omp__thread *initial = batch_initial;

	if (--batch_depth > 0 || !is_over || !initial)
		return;
	batch_initial = NULL;
	if (omp__tls == initial) {
		set_between(initial, OMP__BETWEEN_PARKS);
	} else if (!omp__tls && omp__lent_try_take(initial)) {
		set_between(initial, OMP__BETWEEN_PARKS);
		omp__lent_give_back(initial);
	}
}

/*
 * The primary calls this before it tells its workers of a region: workers that wait for the region must not park
 * because an earlier batch ended.
 */
static void begin_region(struct omp__thread *initial)
{
	uint32_t *opened = omp__registered->opened;

	if (initial->hot_first &&
	    atomic_load_explicit(&initial->hot_first->between, memory_order_relaxed) == OMP__BETWEEN_PARKS)
		set_between(initial, OMP__BETWEEN_USUAL);
	if (opened && !__atomic_load_n(opened, __ATOMIC_RELAXED))
		__atomic_store_n(opened, 1, __ATOMIC_RELAXED);
}

static void end_region(struct omp__thread *initial)
{
	set_between(initial, batch_depth ? OMP__BETWEEN_STAYS_AWAKE : OMP__BETWEEN_USUAL);
	if (batch_depth)
		batch_initial = initial;
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

static void region_enter(struct omp__thread *thread, unsigned size)
{
	if (!thread->is_initial || thread->region != &thread->initial)
		return;
	omp__yield_to_others(&thread->parker);
	begin_region(thread);
	/*
	 * A primary that holds something of the co-scheduler is one of those that its `busy` counts. Any other primary
	 * counts as engaged and as awake until region_leave().
	 */
	thread->held = omp__registered->holding();
	thread->engaged = thread->held ? size - 1 : size;
	if (thread->engaged)
		atomic_fetch_add_explicit(&omp__engaged, thread->engaged, memory_order_relaxed);
	if (!thread->held)
		atomic_fetch_add_explicit(&omp__awake_excess, 1, memory_order_relaxed);
}

static void region_leave(struct omp__thread *thread)
{
	if (!thread->is_initial || thread->region != &thread->initial)
		return;
	if (thread->engaged)
		atomic_fetch_sub_explicit(&omp__engaged, thread->engaged, memory_order_relaxed);
	if (!thread->held)
		atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	thread->held = NULL;
	end_region(thread);
	if (stays(thread))
		return;
	if (thread->icv_changed) {
		own_icv = thread->initial.icv;
		has_own_icv = true;
		own_since = omp__initial_version();
		thread->icv_changed = false;
	}
	omp__lent_give_back(thread);
}

OMP__EXPORT void *ferryomp_coscheduler_held(void)
{
	const struct omp__thread *initial = omp__tls;

	if (!initial)
		return NULL;
	/* The primary of the outermost team is the initial thread; without any team the caller is. */
	for (const struct omp__region *region = initial->region; region; region = region->outer)
		if (region->team)
			initial = region->team->primary;
	return initial->is_initial ? initial->held : NULL;
}

static void forked(struct omp__thread *survivor)
{
	omp__lent_forked(survivor);
	atomic_store_explicit(&omp__engaged, 0, memory_order_relaxed);
	if (!survivor || !survivor->is_initial)
		return;
	survivor->engaged = 0;
	if (survivor->region != &survivor->initial && !survivor->held)
		atomic_fetch_add_explicit(&omp__awake_excess, 1, memory_order_relaxed);
}

/* ---- what threads start with ------------------------------------------------------------------------------------- */

static void initial_variables(struct omp__icv *icv)
{
	if (has_own_icv && own_since == omp__initial_version())
		*icv = own_icv;
	else
		omp__initial_copy(icv);
}

static void worker_ends(void)
{
	if (omp__registered->worker_ends)
		omp__registered->worker_ends();
}

static const struct omp__coscheduler forwarding = {
	.processors = omp__shared_processors,
	.free_processors = omp__shared_free,
	.knows = omp__code_is_known,
	.advise = omp__wait_advise,
	.yield = omp__yield_to_others,
	.woken = omp__yield_after_sleep,
	.region_enter = region_enter,
	.region_leave = region_leave,
	.worker_ends = worker_ends,
	.initial_take = omp__lent_take,
	.initial_add = omp__lent_add,
	.initial_give_back = omp__lent_give_back,
	.initial_variables = initial_variables,
	.forked = forked,
};

/* The caller may have an initial thread from before the registration: a library's constructor may have used OpenMP. */
static void adapt_early_initial(struct omp__thread *thread)
{
	thread->initial.icv = omp__globals.initial;
	atomic_fetch_sub_explicit(&omp__awake_excess, 1, memory_order_relaxed);
	omp__lent_add(thread);
}

OMP__EXPORT int ferryomp_coscheduler_register(const struct ferryomp_coscheduler *coscheduler)
{
	struct omp__icv icv;
	int status = 0;

	omp__environment_read();
	if (coscheduler->version != FERRYOMP_COSCHEDULER_VERSION)
		return -EINVAL;
	omp__initial_lock();
	if (omp__registered) {
		status = omp__registered == coscheduler ? 0 : -EBUSY;
		omp__initial_unlock();
		return status;
	}
	icv = omp__globals.initial;
	if (!omp__globals.dynamic_given)
		icv.dynamic = OMP__DYNAMIC_PROGRAM;
	if (omp__globals.threads_count == 0)
		icv.threads = 0;
	omp__code_find(coscheduler);
	omp__initial_set(&icv);
	omp__registered = coscheduler;
	omp__coscheduler = &forwarding;
	omp__initial_unlock();
	if (omp__tls && omp__tls->is_initial)
		adapt_early_initial(omp__tls);
	return 0;
}
