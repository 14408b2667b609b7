/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mutexes: locks, critical regions, atomic operations under a lock, ordered regions. Each has the address of the
 * program's own variable for its identifier.
 */
#include "openmp/tool/event.h"
#include "openmp/tool/inquiry.h"
#include "openmp/tool/lookup.h"

struct omp__thread *omp__tool_thread(void)
{
	if (!omp__tls)
		omp__tool_enter();
	return omp__tls && omp__tls->tool.is_known ? omp__tls : NULL;
}

static ompt_wait_id_t id_of(const void *mutex)
{
	return (ompt_wait_id_t)(uintptr_t)mutex;
}

static unsigned made_as(ompt_mutex_t kind)
{
	return kind == ompt_mutex_ordered ? OMP__TOOL_MUTEX_TICKET : OMP__TOOL_MUTEX_FUTEX;
}

static ompt_state_t state_of(ompt_mutex_t kind)
{
	switch (kind) {
	case ompt_mutex_critical:
		return ompt_state_wait_critical;
	case ompt_mutex_atomic:
		return ompt_state_wait_atomic;
	case ompt_mutex_ordered:
		return ompt_state_wait_ordered;
	default:
		return ompt_state_wait_lock;
	}
}

void omp__tool_acquire(ompt_mutex_t kind, unsigned hint, const void *mutex, const void *code)
{
	struct omp__thread *thread = omp__tool_thread();
	ompt_callback_mutex_acquire_t callback;

	if (!thread)
		return;
	callback = (ompt_callback_mutex_acquire_t)omp__tool_callback(ompt_callback_mutex_acquire);
	if (callback)
		callback(kind, hint, made_as(kind), id_of(mutex), code);
	thread->tool.state_before = thread->tool.state;
	thread->tool.state = state_of(kind);
	thread->tool.wait = id_of(mutex);
}

/* The thread waits no more. */
static void stop_waiting(struct omp__thread *thread)
{
	thread->tool.state = thread->tool.state_before;
	thread->tool.wait = ompt_wait_id_none;
}

static void tell(ompt_callbacks_t event, ompt_mutex_t kind, const void *mutex, const void *code)
{
	ompt_callback_mutex_t callback = (ompt_callback_mutex_t)omp__tool_callback(event);

	if (callback)
		callback(kind, id_of(mutex), code);
}

void omp__tool_acquired(ompt_mutex_t kind, const void *mutex, const void *code)
{
	struct omp__thread *thread = omp__tool_thread();

	if (!thread)
		return;
	stop_waiting(thread);
	tell(ompt_callback_mutex_acquired, kind, mutex, code);
}

void omp__tool_refused(void)
{
	struct omp__thread *thread = omp__tool_thread();

	if (thread)
		stop_waiting(thread);
}

void omp__tool_released(ompt_mutex_t kind, const void *mutex, const void *code)
{
	if (omp__tool_thread())
		tell(ompt_callback_mutex_released, kind, mutex, code);
}

void omp__tool_nest_lock(ompt_scope_endpoint_t endpoint, const void *mutex, const void *code)
{
	struct omp__thread *thread = omp__tool_thread();
	ompt_callback_nest_lock_t callback;

	if (!thread)
		return;
	if (endpoint == ompt_scope_begin)
		stop_waiting(thread);
	callback = (ompt_callback_nest_lock_t)omp__tool_callback(ompt_callback_nest_lock);
	if (callback)
		callback(endpoint, id_of(mutex), code);
}

void omp__tool_lock_init(ompt_mutex_t kind, unsigned hint, const void *mutex, const void *code)
{
	ompt_callback_mutex_acquire_t callback;

	if (!omp__tool_thread())
		return;
	callback = (ompt_callback_mutex_acquire_t)omp__tool_callback(ompt_callback_lock_init);
	if (callback)
		callback(kind, hint, made_as(kind), id_of(mutex), code);
}

void omp__tool_lock_destroy(ompt_mutex_t kind, const void *mutex, const void *code)
{
	if (omp__tool_thread())
		tell(ompt_callback_lock_destroy, kind, mutex, code);
}
