/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes of the benchmark. Some calls wait for their reply, small and large; others have many replies under way, by
 * callback or by inbox; one lane hears events. Two floors hand a cache line, or a futex, to another thread and back.
 */
#include "../../tests/ingress/echo.h"
#include "../relax.h"
#include "ingress.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char payload[INGRESS_BENCH_LARGE_BYTES];

static long ask(size_t bytes, long n)
{
	ingress_token context = ingress_bench_context();
	long result = 0;

	for (long i = 0; i < n && result == 0; i++) {
		struct ingress_answer answer;

		if (ingress_ask(context, ECHO_SAME, INGRESS_WIRE_C, payload, bytes, INGRESS_FOREVER, &answer) !=
			    INGRESS_OK ||
		    answer.bytes != bytes)
			result = -EIO;
		ingress_answer_release(&answer);
	}
	return result;
}

static long ask_part(int thread, long n)
{
	(void)thread;
	return ask(INGRESS_BENCH_SCALAR_BYTES, n);
}

long ingress_bench_ask(void *threads, long n)
{
	return ingress_bench_together(*(int *)threads, n, ask_part);
}

long ingress_bench_ask_large(void *threads, long n)
{
	(void)threads;
	return ask(INGRESS_BENCH_LARGE_BYTES, n);
}

/* ---- a window of requests under way ------------------------------------------------------------------------------ */

static _Atomic long answered;

static void hear(void *user, const struct ingress_reply *reply)
{
	(void)user;
	atomic_store_explicit(&answered,
			      atomic_load_explicit(&answered, memory_order_relaxed) + (reply->status == INGRESS_OK),
			      memory_order_release);
}

long ingress_bench_async(void *threads, long n)
{
	const struct ingress_call call = { .method = ECHO_SAME,
					   .wire = INGRESS_WIRE_C,
					   .data = payload,
					   .bytes = INGRESS_BENCH_SCALAR_BYTES,
					   .reply = hear };
	ingress_token context = ingress_bench_context();
	unsigned idle = 0;

	(void)threads;
	atomic_store(&answered, 0);
	for (long sent = 0, seen; (seen = atomic_load_explicit(&answered, memory_order_acquire)) < n;) {
		if (sent < n && sent - seen < INGRESS_BENCH_WINDOW) {
			if (ingress_submit(context, &call) != INGRESS_OK)
				return -EIO;
			sent++;
			idle = 0;
		} else {
			bench_wait(&idle);
		}
	}
	return 0;
}

long ingress_bench_inbox(void *threads, long n)
{
	static struct ingress_inbox *inbox;
	struct ingress_call call = {
		.method = ECHO_SAME, .wire = INGRESS_WIRE_C, .data = payload, .bytes = INGRESS_BENCH_SCALAR_BYTES
	};
	struct ingress_item items[INGRESS_BENCH_WINDOW];
	ingress_token context = ingress_bench_context();
	long sent = 0;

	(void)threads;
	if (!inbox && ingress_inbox_create(&inbox) != INGRESS_OK)
		return -ENOMEM;
	call.inbox = inbox;
	for (long seen = 0; seen < n;) {
		size_t count;

		for (; sent < n && sent - seen < INGRESS_BENCH_WINDOW; sent++)
			if (ingress_submit(context, &call) != INGRESS_OK)
				return -EIO;
		count = ingress_inbox_take(inbox, items, INGRESS_BENCH_WINDOW, INGRESS_FOREVER);
		for (size_t i = 0; i < count; i++)
			if (items[i].status != INGRESS_OK)
				return -EIO;
		ingress_items_release(items, count);
		seen += (long)count;
	}
	return 0;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static _Atomic uint64_t noticed;

static void notice(void *user, const struct ingress_event *event)
{
	(void)user;
	atomic_store_explicit(&noticed, atomic_load_explicit(&noticed, memory_order_relaxed) + 1 + (event->lost << 32),
			      memory_order_release);
}

int ingress_bench_listen(void *threads, long n)
{
	const struct ingress_listener listener = { .event = ECHO_EVENT_OLDEST,
						   .wire = INGRESS_WIRE_C,
						   .notify = notice };
	static uint64_t id;

	(void)threads;
	(void)n;
	if (!id && ingress_listen(ingress_bench_context(), &listener, &id) != INGRESS_OK)
		return -EIO;
	return 0;
}

long ingress_bench_events(void *threads, long n)
{
	const uint64_t words[3] = { (uint64_t)n, ECHO_EVENT_OLDEST, INGRESS_BENCH_EVENT_BYTES };
	struct ingress_answer answer;
	enum ingress_status status;
	unsigned looks = 0;

	(void)threads;
	atomic_store(&noticed, 0);
	status = ingress_ask(ingress_bench_context(), ECHO_EMIT, INGRESS_WIRE_C, words, sizeof(words), INGRESS_FOREVER,
			     &answer);
	ingress_answer_release(&answer);
	while ((atomic_load_explicit(&noticed, memory_order_acquire) & UINT32_MAX) < (uint64_t)n &&
	       !(atomic_load_explicit(&noticed, memory_order_relaxed) >> 32))
		bench_wait(&looks);
	return status == INGRESS_OK && atomic_load(&noticed) == (uint64_t)n ? 0 : -EIO;
}

/* ---- floors ------------------------------------------------------------------------------------------------------ */

/* Whose turn it is: even, the benchmark's; odd, the partner's. */
static struct {
	_Alignas(64) _Atomic uint32_t turn;
	_Atomic bool sleeps;
	char padding[64 - 2 * sizeof(uint32_t)];
} handed;

#define LOOKS_PER_YIELD 1000 /* some 25 us of waiting */

/* A thread that looks for long yields, because it may keep the other one from running, as on a single processor. */
static void wait_for_turn(uint32_t parity, bool sleeps)
{
	unsigned looks = 1;

	for (uint32_t turn; ((turn = atomic_load(&handed.turn)) & 1) != parity; looks++) {
		if (sleeps)
			syscall(SYS_futex, &handed.turn, FUTEX_WAIT_PRIVATE, turn, NULL, NULL, 0);
		else if (looks % LOOKS_PER_YIELD)
			bench_relax();
		else
			sched_yield();
	}
}

static void pass_turn(bool sleeps)
{
	atomic_fetch_add(&handed.turn, 1);
	if (sleeps)
		syscall(SYS_futex, &handed.turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *partner(void *rounds)
{
	bool sleeps = atomic_load(&handed.sleeps);

	for (long left = *(long *)rounds; left; left--) {
		wait_for_turn(1, sleeps);
		pass_turn(sleeps);
	}
	return NULL;
}

static long hand_over(long n, bool sleeps)
{
	pthread_t thread;

	atomic_store(&handed.turn, 0);
	atomic_store(&handed.sleeps, sleeps);
	if (pthread_create(&thread, NULL, partner, &n))
		return -EAGAIN;
	for (long i = 0; i < n; i++) {
		pass_turn(sleeps);
		wait_for_turn(0, sleeps);
	}
	pthread_join(thread, NULL);
	return 0;
}

long ingress_bench_line(void *threads, long n)
{
	(void)threads;
	return hand_over(n, false);
}

long ingress_bench_futex(void *threads, long n)
{
	(void)threads;
	return hand_over(n, true);
}
