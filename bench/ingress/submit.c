/* SPDX-License-Identifier: BSD-3-Clause */
/* Submitting, alone and to completion, and the count of what came back. */
#include "../../tests/ingress/echo.h"
#include "ingress.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

/* Callbacks run on the library thread alone; the others look at the count when they wait. */
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

/* What all parts of a run add to the sum. */
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
	while (atomic_load_explicit(&heard.count, memory_order_acquire) < submitted)
		sched_yield();
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
	/* one more than was counted would have come before this */
	ingress_ask(ingress_bench_context(), ECHO_SAME, INGRESS_WIRE_C, NULL, 0, INGRESS_FOREVER, &answer);
	ingress_answer_release(&answer);
	return result < 0 || wait_for_all() < 0 ? -EIO : 0;
}

long ingress_bench_submit(void *threads, long n)
{
	submitted += (uint64_t)n;
	submitted_sum += sum_of(*(int *)threads, n);
	return ingress_bench_together(*(int *)threads, n, submit_part);
}

long ingress_bench_complete(void *threads, long n)
{
	long result = ingress_bench_submit(threads, n);

	return result < 0 ? result : wait_for_all();
}
