/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running OpenBLAS's jobs on a team of the OpenMP runtime, so that a process has one pool of threads and not two.
 * `ferry_openmp` passes ferryblas_run() to openblas_set_threads_callback_function().
 *
 * OpenBLAS expects of its callback that all jobs are done when it returns. Further things it needs, but does not say:
 *
 * 1. All jobs of a call have to run at the same time. A job of a matrix product spins until the others have packed
 *   their parts, so jobs that run one after the other on one thread never end. A team with fewer members than there are
 *   jobs (in a region of the caller's, or under a thread limit) therefore runs none of them; each job then gets a
 *   thread of its own. OMP_DYNAMIC=true would make such a team of every one beside busy neighbours, so it does not hold
 *   for a call.
 * 2. Only one call at a time may run in each loaded OpenBLAS. Job i works in the static buffer i, whichever thread has
 *   called: without the mutex the products of two callers were mixed.
 *
 *	caller A			caller B
 *	job 1 packs into buffer 1	-
 *	-				job 1 packs into buffer 1
 *	job 0 reads buffer 1: B's	-
 *
 * 3. Job i is passed on as number FIRST_NUMBER + i. OpenBLAS marks the thread of its own pool that has the job's number
 *   as done, and its LU decomposition gives jobs to that pool although there is a callback. So with equal numbers, one
 *   caller's job was lost when another caller's call ended, and the decomposition waited for ever. Numbers of the upper
 *   half belong to no thread of the pool while that has fewer threads; ferry_openmp/blas.py adopts no other OpenBLAS.
 *
 * 4. Two jobs on one processor take turns of whole time slices, since the one that spins is never asleep. The runtime's
 *   own waits notice that; OpenBLAS's do not, and the kernel balances after several milliseconds. So the members look
 *   where they are before their jobs, and one that is not alone moves:
 *
 *	member 0			member 1
 *	takes processor 0		-
 *	-				is on processor 0, which is taken: moves to one that is not
 *	packs its part			packs its part
 *
 * 5. A job that waits for another one never sleeps. Beside a busy neighbour, member 1 may have to wait for its
 * processor for a whole time slice, which member 0 spends spinning. So where the caller has lost its own processor
 * lately, the members meet at a barrier of the runtime's before their jobs, where member 0 sleeps:
 *
 *	neighbour	member 1			member 0, without the barrier	with it
 *	computes	waits for its processor		packs its part, spins		sleeps
 *	-		packs its part			has lost its processor		packs its part
 *
 * Elsewhere they do not meet, because member 0 can pack its part while member 1 wakes up.
 *
 * Non-goals: an OpenBLAS that was built with OpenMP; its regions run on the runtime by themselves.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

enum {
	/* copies of OpenBLAS in a process; any further copy shares the mutex of the last one */
	LIBRARIES_MAX = 16,
	/* half of the numbers that the OpenBLAS of numpy's and scipy's wheels has (MAX_THREADS=64) */
	FIRST_NUMBER = 32,
	/* between two attempts to make a thread */
	AGAIN_NS = 10 * 1000 * 1000,
	/* a caller that did not run for so long, and did not sleep, has a neighbour */
	LOST_NS = 500 * 1000,
	/* which is then taken to be there for so long: some time slices of each */
	LATELY_NS = 50 * 1000 * 1000,
};

typedef void job_function(int number, void *job, int extra);

/* The functions of the OpenMP runtime that this file calls. */
struct ferryblas_runtime {
	void (*parallel)(void (*body)(void *), void *data, unsigned threads, unsigned flags);
	int (*team_size)(void);
	int (*member)(void);
	int (*is_dynamic)(void);
	void (*set_dynamic)(int is_dynamic);
	void (*barrier)(void);
};

/* The functions that ferry_openmp/blas.py calls; without a header, since C programs have no use for them. */
EXPORT void ferryblas_start(const struct ferryblas_runtime *given);
EXPORT void ferryblas_run(int sync, job_function *run, int count, size_t job_bytes, void *jobs, int extra);
EXPORT uint64_t ferryblas_calls(int on_teams);

enum { PROCESSORS_PER_WORD = 64, TAKEN_WORDS = CPU_SETSIZE / PROCESSORS_PER_WORD };

/* One call of OpenBLAS. */
struct call {
	const struct ferryblas_runtime *runtime;
	job_function *run;
	char *jobs;
	size_t job_bytes;
	int count;
	int extra;
	/* Whether the members meet before their jobs. */
	bool meets;
	/* Whether the team had a member for each job. Written by member 0; the end of the region publishes it. */
	bool is_done;
	/*
	 * The processors on which a member has begun its job; a bit is set once. Only a hint, so all accesses are
	 * relaxed.
	 */
	_Atomic(uint64_t) taken[TAKEN_WORDS];
};

/* A job on a thread of its own. */
struct job_thread {
	const struct call *call;
	pthread_t thread;
	int number;
};

/* A loaded OpenBLAS, identified by the function that runs its jobs. */
static struct library {
	_Atomic(job_function *) run;
	pthread_mutex_t one_call;
} libraries[LIBRARIES_MAX];

static struct ferryblas_runtime runtime;
static atomic_ullong calls_on_teams, calls_on_threads;
static pthread_once_t made = PTHREAD_ONCE_INIT;

/*
 * A fork waits until no call runs, because the child has no thread that would unlock a mutex; OpenBLAS's own fork
 * handlers wait for its jobs as well.
 */
static void lock_all(void)
{
	for (int k = 0; k < LIBRARIES_MAX; k++)
		pthread_mutex_lock(&libraries[k].one_call);
}

static void unlock_all(void)
{
	for (int k = LIBRARIES_MAX - 1; k >= 0; k--)
		pthread_mutex_unlock(&libraries[k].one_call);
}

static void make(void)
{
	for (int k = 0; k < LIBRARIES_MAX; k++)
		pthread_mutex_init(&libraries[k].one_call, NULL);
	pthread_atfork(lock_all, unlock_all, unlock_all);
}

static struct library *library_of(job_function *run)
{
	for (int k = 0; k < LIBRARIES_MAX; k++) {
		job_function *found = NULL;

		/* relaxed: the mutexes were made before the first call, by pthread_once */
		if (atomic_compare_exchange_strong_explicit(&libraries[k].run, &found, run, memory_order_relaxed,
							    memory_order_relaxed) ||
		    found == run)
			return &libraries[k];
	}
	return &libraries[LIBRARIES_MAX - 1];
}

static void run_job(const struct call *call, int number)
{
	call->run(FIRST_NUMBER + number, call->jobs + (size_t)number * call->job_bytes, call->extra);
}

/* Whether no member had that processor yet. One that cannot be named counts as free. */
static bool take_processor(struct call *call, int processor)
{
	uint64_t bit = UINT64_C(1) << ((unsigned)processor % PROCESSORS_PER_WORD);

	if (processor < 0 || processor >= CPU_SETSIZE)
		return true;
	return !(atomic_fetch_or_explicit(&call->taken[processor / PROCESSORS_PER_WORD], bit, memory_order_relaxed) &
		 bit);
}

/* Move to a processor that no member has, if there is one, and may go anywhere again afterwards. */
static void move_apart(struct call *call)
{
	cpu_set_t allowed, free;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	free = allowed;
	for (int k = 0; k < CPU_SETSIZE; k++)
		if (atomic_load_explicit(&call->taken[k / PROCESSORS_PER_WORD], memory_order_relaxed) >>
			    (k % PROCESSORS_PER_WORD) &
		    1)
			CPU_CLR(k, &free);
	if (CPU_COUNT(&free) == 0 || sched_setaffinity(0, sizeof(free), &free))
		return;
	take_processor(call, sched_getcpu());
	sched_setaffinity(0, sizeof(allowed), &allowed);
}

/* All members see the same team size, so either all of them run a job or none does. */
static void member_runs(void *data)
{
	struct call *call = data;
	int member = call->runtime->member();

	if (call->runtime->team_size() != call->count)
		return;
	if (member == 0)
		call->is_done = true;
	if (!take_processor(call, sched_getcpu()))
		move_apart(call);
	if (call->meets)
		call->runtime->barrier();
	run_job(call, member);
}

static void *job_thread_runs(void *data)
{
	const struct job_thread *job_thread = data;

	run_job(job_thread->call, job_thread->number);
	return NULL;
}

/*
 * Jobs that have begun wait for this one, so giving up is not possible: try until the system gives a thread, and print
 * a message once.
 */
static void start_job_thread(struct job_thread *job_thread)
{
	static atomic_bool said;
	int failed;

	while ((failed = pthread_create(&job_thread->thread, NULL, job_thread_runs, job_thread))) {
		const struct timespec pause = { .tv_nsec = AGAIN_NS };

		/* relaxed: the flag only says whether the message was printed */
		if (!atomic_exchange_explicit(&said, true, memory_order_relaxed))
			fprintf(stderr,
				"ferry_openmp: the system gives no thread for a job of OpenBLAS (error %d); it waits "
				"for one. "
				"Raise ulimit -u or pids.max, or set OPENBLAS_NUM_THREADS=1\n",
				failed);
		nanosleep(&pause, NULL);
	}
}

static void run_on_threads(const struct call *call)
{
	struct job_thread job_threads[call->count];

	for (int k = 1; k < call->count; k++) {
		job_threads[k] = (struct job_thread){ .call = call, .number = k };
		start_job_thread(&job_threads[k]);
	}
	run_job(call, 0);
	for (int k = 1; k < call->count; k++)
		pthread_join(job_threads[k].thread, NULL);
}

/* Set the functions of the OpenMP runtime. Call this before any OpenBLAS gets ferryblas_run(). */
void ferryblas_start(const struct ferryblas_runtime *given)
{
	runtime = *given;
	pthread_once(&made, make);
}

/* A region with a member for each job, if the runtime can have one. */
static void run_on_team(struct call *call)
{
	bool is_dynamic = runtime.is_dynamic();

	if (is_dynamic)
		runtime.set_dynamic(false);
	runtime.parallel(member_runs, call, (unsigned)call->count, 0);
	if (is_dynamic)
		runtime.set_dynamic(true);
}

/* What a thread knew of itself at its last call. */
static _Thread_local struct {
	int64_t now_ns, ran_ns, lost_ns;
	long slept, preempted;
} last;

static int64_t ns_of(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

/* Whether a neighbour has had the caller's processor lately. */
static bool lost_processor(void)
{
	struct timespec time;
	struct rusage usage;
	int64_t now_ns, ran_ns;

	if (getrusage(RUSAGE_THREAD, &usage) || clock_gettime(CLOCK_MONOTONIC, &time))
		return false;
	now_ns = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
	ran_ns = ns_of(usage.ru_utime) + ns_of(usage.ru_stime);
	if (last.now_ns && usage.ru_nvcsw == last.slept && usage.ru_nivcsw != last.preempted &&
	    now_ns - last.now_ns - (ran_ns - last.ran_ns) > LOST_NS)
		last.lost_ns = now_ns;
	last.now_ns = now_ns;
	last.ran_ns = ran_ns;
	last.slept = usage.ru_nvcsw;
	last.preempted = usage.ru_nivcsw;
	return last.lost_ns && now_ns - last.lost_ns < LATELY_NS;
}

/* OpenBLAS's threads callback; it always passes sync == 1. */
void ferryblas_run(int sync, job_function *run, int count, size_t job_bytes, void *jobs, int extra)
{
	struct call call = {
		.runtime = &runtime, .run = run, .jobs = jobs, .job_bytes = job_bytes, .count = count, .extra = extra
	};
	struct library *library = library_of(run);

	(void)sync;
	pthread_mutex_lock(&library->one_call);
	call.meets = count > 1 && lost_processor();
	if (count <= 1)
		run_job(&call, 0);
	else
		run_on_team(&call);
	if (count > 1 && !call.is_done)
		run_on_threads(&call);
	pthread_mutex_unlock(&library->one_call);
	/* relaxed: these are counts, for tests and for the doctor */
	atomic_fetch_add_explicit(count > 1 && !call.is_done ? &calls_on_threads : &calls_on_teams, 1,
				  memory_order_relaxed);
}

/* How many calls have run on teams, or else on threads of their own. */
uint64_t ferryblas_calls(int on_teams)
{
	return atomic_load_explicit(on_teams ? &calls_on_teams : &calls_on_threads, memory_order_relaxed);
}
