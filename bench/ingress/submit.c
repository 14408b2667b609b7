/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Submitting, alone and to completion, with a count of the replies. The floor is the processor time that the scheduler
 * leaves to so many threads beside a busy one, as the library thread is during a submit phase.
 */
#include "../../tests/ingress/echo.h"
#include "../relax.h"
#include "ingress.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

/* Callbacks run on the library thread alone; other threads read the count while they wait. */
static struct {
	_Atomic uint64_t count, sum;
} heard;
static uint64_t submitted, submitted_sum;

static void hear(void *user, const struct ingress_reply *reply)
{
	uint64_t wrong = reply->status == INGRESS_OK && reply->bytes == INGRESS_BENCH_SCALAR_BYTES ? 0 : UINT32_MAX;

	atomic_store_explicit(&heard.sum,
			      atomic_load_explicit(&heard.sum, memory_order_relaxed) + (uintptr_t)user + wrong,
			      memory_order_relaxed);
	atomic_store_explicit(&heard.count, atomic_load_explicit(&heard.count, memory_order_relaxed) + 1,
			      memory_order_release);
}

static long submit_part(int thread, long n)
{
	static const char payload[INGRESS_BENCH_SCALAR_BYTES];
	struct ingress_call call = {
		.method = ECHO_SAME, .wire = INGRESS_WIRE_C, .data = payload, .bytes = sizeof(payload), .reply = hear
	};
	ingress_token context = ingress_bench_context();

	for (long i = 0; i < n; i++) {
		enum ingress_status status;

		call.user = (void *)(uintptr_t)((uint64_t)i * INGRESS_BENCH_THREADS_MAX + (uint64_t)thread);
		while ((status = ingress_submit(context, &call)) == INGRESS_QUEUE_FULL)
			sched_yield();
		if (status != INGRESS_OK)
			return -EIO;
	}
	return 0;
}

/* The sum that all parts of a run together add. */
static uint64_t sum_of(int threads, long n)
{
	uint64_t sum = 0;

	for (int t = 0; t < threads; t++) {
		uint64_t count = (uint64_t)(n / threads + (t < n % threads));

		sum += count * (uint64_t)t + INGRESS_BENCH_THREADS_MAX * (count * (count - (count > 0)) / 2);
	}
	return sum;
}

static long wait_for_all(void)
{
	unsigned looks = 0;

	while (atomic_load_explicit(&heard.count, memory_order_acquire) < submitted)
		bench_wait(&looks);
	return atomic_load_explicit(&heard.sum, memory_order_relaxed) == submitted_sum &&
			       atomic_load_explicit(&heard.count, memory_order_relaxed) == submitted
		       ? 0
		       : -EIO;
}

int ingress_bench_settle(void *threads, long n)
{
	struct ingress_answer answer;
	long result = wait_for_all();

	(void)threads;
	(void)n;
	/* a callback too many would have come before this one */
	ingress_ask(ingress_bench_context(), ECHO_SAME, INGRESS_WIRE_C, NULL, 0, INGRESS_FOREVER, &answer);
	ingress_answer_release(&answer);
	return result < 0 || wait_for_all() < 0 ? -EIO : 0;
}

static long submit_all(int threads, long n)
{
	submitted += (uint64_t)n;
	submitted_sum += sum_of(threads, n);
	return ingress_bench_together(threads, n, submit_part);
}

static _Atomic bool is_held, let_go;

/* Runs on the library thread. */
static void hold(void *user, const struct ingress_reply *reply)
{
	const struct timespec moment = { 0, 50000 };

	(void)user;
	(void)reply;
	atomic_store(&is_held, true);
	while (!atomic_load(&let_go))
		nanosleep(&moment, NULL);
}

/*
 * Let each thread's heap grow until it holds n requests of which none has been answered. Otherwise a phase would take
 * new memory whenever the library thread is further behind than ever before, and would measure page faults.
 */
static long warm_up(int threads, long n)
{
	const struct ingress_call call = { .method = ECHO_SAME, .wire = INGRESS_WIRE_C, .reply = hold };
	long result;

	atomic_store(&is_held, false);
	atomic_store(&let_go, false);
	if (ingress_submit(ingress_bench_context(), &call) != INGRESS_OK)
		return -EIO;
	while (!atomic_load(&is_held))
		sched_yield();
	result = submit_all(threads, n);
	atomic_store(&let_go, true);
	return result;
}

int ingress_bench_ready(void *threads, long n)
{
	static long warm[INGRESS_BENCH_THREADS_MAX + 1];
	long *known = &warm[*(int *)threads];

	if (ingress_bench_settle(threads, n) < 0)
		return -EIO;
	if (n > INGRESS_BENCH_DEPTH / 4 * 3)
		n = INGRESS_BENCH_DEPTH / 4 * 3;
	if (n <= *known)
		return 0;
	*known = n;
	return warm_up(*(int *)threads, n) < 0 ? -EIO : ingress_bench_settle(threads, n);
}

long ingress_bench_submit(void *threads, long n)
{
	return submit_all(*(int *)threads, n);
}

long ingress_bench_complete(void *threads, long n)
{
	long result = ingress_bench_submit(threads, n);

	return result < 0 ? result : wait_for_all();
}

/* ---- the floor --------------------------------------------------------------------------------------------------- */

static _Atomic bool is_busy;
static pthread_t busy_one;
static bool has_busy_one;

/* Work that takes about as long as submitting one request. */
static long work_part(int thread, long n)
{
	volatile uint64_t result;
	uint64_t draw = (uint64_t)thread;

	for (long i = 0; i < n; i++)
		for (int step = 0; step < 16; step++)
			draw = draw * 6364136223846793005u + 1442695040888963407u;
	result = draw;
	(void)result;
	return 0;
}

static void *be_busy(void *unused)
{
	while (atomic_load_explicit(&is_busy, memory_order_relaxed))
		work_part(0, 100);
	return unused;
}

int ingress_bench_idle(void *threads, long n)
{
	(void)threads;
	(void)n;
	if (has_busy_one)
		pthread_join(busy_one, NULL);
	has_busy_one = false;
	return 0;
}

long ingress_bench_work(void *threads, long n)
{
	long result;

	atomic_store(&is_busy, true);
	if (pthread_create(&busy_one, NULL, be_busy, NULL))
		return -EAGAIN;
	has_busy_one = true;
	result = ingress_bench_together(*(int *)threads, n, work_part);
	atomic_store(&is_busy, false);
	return result;
}
