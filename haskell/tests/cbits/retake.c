/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A monitor that is suspended while it gives up the Capability that it has retaken from a held call
 * (cbits/held/retake.c), as by another program that has its processor. The suite is linked with --wrap=suspendThread,
 * so that the monitor arrives here. And what the runtime system is told of its collector, for Ferry.CollectorSpec.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "Rts.h"

#include "held/retake.h"

/* A held call that waits until another thread has retaken its Capability. Ferry.HeldSpec has the same places. */
struct retake_job {
	long delay_ns; /* so long that thread is suspended */
	long spent_ns; /* processor time of the call's thread when the call ended */
};

static _Atomic long delay_ns;
static _Atomic bool is_retaken;
static _Atomic(const pthread_t *) owner;
/* The thread that has retaken it; the call's own as long as none has. Written before is_retaken is. */
static pthread_t retaker;
/* Its Capability. Other threads make safe calls on others, the I/O manager's for one. */
static _Atomic(char *) owned;

static bool is_owned(const StgRegTable *base)
{
	/* the register table lies in the Capability, behind a few pointers */
	return (size_t)((const char *)base - atomic_load(&owned)) < sizeof(StgRegTable);
}

/* How often a Capability was given up. */
static _Atomic long suspensions;

void *__real_suspendThread(StgRegTable *base, bool is_interruptible);
void *__wrap_suspendThread(StgRegTable *base, bool is_interruptible);
void *__wrap_suspendThread(StgRegTable *base, bool is_interruptible)
{
	const pthread_t *calls = atomic_load(&owner);

	atomic_fetch_add_explicit(&suspensions, 1, memory_order_relaxed);
	if (calls && !pthread_equal(*calls, pthread_self()) && is_owned(base)) {
		struct timespec delay = { .tv_nsec = atomic_load(&delay_ns) };

		atomic_store(&owner, NULL);
		retaker = pthread_self();
		atomic_store(&is_retaken, true);
		nanosleep(&delay, NULL);
	}
	return __real_suspendThread(base, is_interruptible);
}

long retake_suspensions(void)
{
	return atomic_load_explicit(&suspensions, memory_order_relaxed);
}

/* Processor time of the calling thread. */
long retake_spent_ns(void)
{
	struct timespec spent;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	return spent.tv_sec * 1000000000L + spent.tv_nsec;
}

void retake_await(struct retake_job *job)
{
	static pthread_t self;

	retaker = self = pthread_self();
	atomic_store(&delay_ns, job->delay_ns);
	atomic_store(&is_retaken, false);
	atomic_store(&owned, (char *)rts_unsafeGetMyCapability());
	atomic_store(&owner, &self);
	/*
	 * The Capability may be gone already: this thread may lose its processor after the call has begun and before it
	 * is here. Nobody retakes it again then.
	 */
	while (!atomic_load(&is_retaken) && atomic_load(&ferry_held_innermost(ferry_held_own)->state) != FERRY_GIVEN_UP)
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	atomic_store(&owner, NULL);
	atomic_store(&is_retaken, true);
	job->spent_ns = retake_spent_ns();
}

/* The next such call is the first one that retake_wait_for_await sees. */
void retake_forget(void)
{
	atomic_store(&is_retaken, false);
}

/* Wait until a thread is in such a call, or has been. */
void retake_wait_for_await(void)
{
	while (!atomic_load(&owner) && !atomic_load(&is_retaken))
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

/* How many calls the monitor's early looks have retaken. */
unsigned long retake_early_count(void)
{
	return atomic_load(&ferry_held_early_count);
}

/* Whether a thread is in such a call, and has its Capability. */
long retake_is_awaited(void)
{
	return atomic_load(&owner) != NULL;
}

/* Whether the last such call's Capability was retaken by the calling thread. */
long retake_was_by_self(void)
{
	return pthread_equal(retaker, pthread_self());
}

/*
 * The same, and then fork: 0 if the child finds its call neither held by nobody nor half given up, for nobody is there
 * to do the other half. Otherwise how waitpid says that it ended.
 */
void retake_fork(struct retake_job *job)
{
	int status = -1;
	pid_t child;

	retake_await(job);
	child = fork();
	if (child == 0) {
		uint32_t state = atomic_load(&ferry_held_innermost(ferry_held_own)->state);

		_exit((state != FERRY_HELD && state != FERRY_GIVEN_UP) ||
		      atomic_load(&ferry_held_own->claim) != FERRY_UNCLAIMED);
	}
	if (child > 0)
		waitpid(child, &status, 0);
	job->spent_ns = status;
}

/* From which generation on collections are made by several threads; -1: none is. */
long retake_parallel_from(void)
{
	return RtsFlags.ParFlags.parGcEnabled ? (long)RtsFlags.ParFlags.parGcGen : -1;
}
