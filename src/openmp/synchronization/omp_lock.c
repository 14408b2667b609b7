/* SPDX-License-Identifier: BSD-3-Clause */
/* The locks of omp.h. */
#include "openmp/abi/export.h"
#include "openmp/synchronization/mutex.h"
#include "openmp/synchronization/nest_lock.h"

#include <omp.h>

#define HERE __builtin_return_address(0)

/* ---- simple locks --------------------------------------------------------------------------------------------------
 */

_Static_assert(sizeof(omp_lock_t) == sizeof(_Atomic uint32_t), "omp.h of GCC has four bytes for a lock");

static _Atomic uint32_t *word_of(omp_lock_t *lock)
{
	return (_Atomic uint32_t *)lock;
}

static void init(omp_lock_t *lock, unsigned hint, const void *code)
{
	atomic_store_explicit(word_of(lock), 0, memory_order_relaxed);
	if (omp__tool_is_on())
		omp__tool_lock_init(ompt_mutex_lock, hint, lock, code);
}

OMP__EXPORT void omp_init_lock(omp_lock_t *lock)
{
	init(lock, 0, HERE);
}

OMP__EXPORT void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)
{
	init(lock, (unsigned)hint, HERE);
}

OMP__EXPORT void omp_destroy_lock(omp_lock_t *lock)
{
	if (omp__tool_is_on())
		omp__tool_lock_destroy(ompt_mutex_lock, lock, HERE);
}

OMP__EXPORT void omp_set_lock(omp_lock_t *lock)
{
	omp__mutex_lock(word_of(lock), ompt_mutex_lock, 0, HERE);
}

OMP__EXPORT void omp_unset_lock(omp_lock_t *lock)
{
	omp__mutex_unlock(word_of(lock), ompt_mutex_lock, HERE);
}

/* Try to take the lock, as a tool is told. */
static OMP__TOOL_ONLY bool try_for_tool(_Atomic uint32_t *word, ompt_mutex_t kind, const void *mutex, const void *code)
{
	bool taken;

	omp__tool_acquire(kind, 0, mutex, code);
	taken = omp__lock_try(word, omp__lock_mark());
	if (taken)
		omp__tool_acquired(kind, mutex, code);
	else
		omp__tool_refused();
	return taken;
}

OMP__EXPORT int omp_test_lock(omp_lock_t *lock)
{
	if (omp__tool_is_on())
		return try_for_tool(word_of(lock), ompt_mutex_test_lock, lock, HERE);
	return omp__lock_try(word_of(lock), omp__lock_mark());
}

/* ---- nestable locks, owned by tasks --------------------------------------------------------------------------------
 */

struct nest_lock {
	_Atomic uint32_t word;
	int count;
	_Atomic(void *) owner;
};

_Static_assert(sizeof(struct nest_lock) <= sizeof(omp_nest_lock_t), "omp.h of GCC has 16 bytes for a nestable lock");

static struct nest_lock *nest_of(omp_nest_lock_t *lock)
{
	return (struct nest_lock *)lock;
}

void omp__nest_lock_init(omp_nest_lock_t *lock, unsigned hint, const void *mutex, const void *code)
{
	struct nest_lock *nest = nest_of(lock);

	atomic_store_explicit(&nest->word, 0, memory_order_relaxed);
	nest->count = 0;
	atomic_store_explicit(&nest->owner, NULL, memory_order_relaxed);
	if (omp__tool_is_on())
		omp__tool_lock_init(ompt_mutex_nest_lock, hint, mutex, code);
}

void omp__nest_lock_destroy(const void *mutex, const void *code)
{
	if (omp__tool_is_on())
		omp__tool_lock_destroy(ompt_mutex_nest_lock, mutex, code);
}

/*
 * The owner of a nestable lock is a task. Outside every region it is the OS thread instead, by an address that no other
 * thread has: with a co-scheduler the initial thread, and so its task, is lent to one OS thread after the other.
 */
static void *owner_now(void)
{
	struct omp__thread *thread = omp__tls;

	return !thread || thread->region == &thread->initial ? (void *)&omp__tls : (void *)thread->task;
}

/* relaxed: the own task is found here only if this thread has stored it */
static bool is_owner(const struct nest_lock *nest, const void *task)
{
	return atomic_load_explicit(&nest->owner, memory_order_relaxed) == task;
}

/* The owner takes the lock once more. */
static OMP__TOOL_ONLY void again_for_tool(ompt_mutex_t kind, const void *mutex, const void *code)
{
	omp__tool_acquire(kind, 0, mutex, code);
	omp__tool_nest_lock(ompt_scope_begin, mutex, code);
}

void omp__nest_lock_set(omp_nest_lock_t *lock, const void *mutex, const void *code)
{
	struct nest_lock *nest = nest_of(lock);
	void *task = owner_now();

	if (!is_owner(nest, task)) {
		if (omp__tool_is_on())
			omp__tool_acquire(ompt_mutex_nest_lock, 0, mutex, code);
		omp__lock(&nest->word);
		atomic_store_explicit(&nest->owner, task, memory_order_relaxed);
		if (omp__tool_is_on())
			omp__tool_acquired(ompt_mutex_nest_lock, mutex, code);
	} else if (omp__tool_is_on()) {
		again_for_tool(ompt_mutex_nest_lock, mutex, code);
	}
	nest->count++;
}

int omp__nest_lock_test(omp_nest_lock_t *lock, const void *mutex, const void *code)
{
	struct nest_lock *nest = nest_of(lock);
	void *task = owner_now();

	if (!is_owner(nest, task)) {
		if (omp__tool_is_on() ? !try_for_tool(&nest->word, ompt_mutex_test_nest_lock, mutex, code)
				      : !omp__lock_try(&nest->word, omp__lock_mark()))
			return 0;
		atomic_store_explicit(&nest->owner, task, memory_order_relaxed);
	} else if (omp__tool_is_on()) {
		again_for_tool(ompt_mutex_test_nest_lock, mutex, code);
	}
	return ++nest->count;
}

void omp__nest_lock_unset(omp_nest_lock_t *lock, const void *mutex, const void *code)
{
	struct nest_lock *nest = nest_of(lock);

	if (--nest->count > 0) {
		if (omp__tool_is_on())
			omp__tool_nest_lock(ompt_scope_end, mutex, code);
		return;
	}
	atomic_store_explicit(&nest->owner, NULL, memory_order_relaxed);
	omp__unlock(&nest->word);
	if (omp__tool_is_on())
		omp__tool_released(ompt_mutex_nest_lock, mutex, code);
}

OMP__EXPORT void omp_init_nest_lock(omp_nest_lock_t *lock)
{
	omp__nest_lock_init(lock, 0, lock, HERE);
}

OMP__EXPORT void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)
{
	omp__nest_lock_init(lock, (unsigned)hint, lock, HERE);
}

OMP__EXPORT void omp_destroy_nest_lock(omp_nest_lock_t *lock)
{
	omp__nest_lock_destroy(lock, HERE);
}

OMP__EXPORT void omp_set_nest_lock(omp_nest_lock_t *lock)
{
	omp__nest_lock_set(lock, lock, HERE);
}

OMP__EXPORT int omp_test_nest_lock(omp_nest_lock_t *lock)
{
	return omp__nest_lock_test(lock, lock, HERE);
}

OMP__EXPORT void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
	omp__nest_lock_unset(lock, lock, HERE);
}
