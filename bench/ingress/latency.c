/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Percentiles of single calls: dense, where one follows the other at once, at several numbers of threads, with spinning
 * and without; and sparse, 2 ms apart, beside one futex handed to another thread and back with the same pauses.
 */
#include "../bench.h"
#include "../../tests/ingress/echo.h"
#include "ingress.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#define DENSE_CALLS 20000L
#define SPARSE_CALLS 400L
#define SPARSE_NS 2000000L

static double *samples[INGRESS_BENCH_THREADS_MAX];
static ingress_token context;

static long ask_part(int thread, long n)
{
	static const char payload[INGRESS_BENCH_SCALAR_BYTES];

	for (long i = 0; i < n; i++) {
		struct ingress_answer answer;
		double began = bench_now_ns();

		if (ingress_ask(context, ECHO_SAME, INGRESS_WIRE_C, payload, sizeof(payload), INGRESS_FOREVER, &answer))
			return -EIO;
		samples[thread][i] = bench_now_ns() - began;
		ingress_answer_release(&answer);
	}
	return 0;
}

static int compare(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

static void print(const char *lane, int threads, double *all, long count, double took_ns)
{
	qsort(all, (size_t)count, sizeof(*all), compare);
	printf("{\"type\":\"latency\",\"lane\":\"%s\",\"threads\":%d,\"calls\":%ld,\"p50_ns\":%.0f,\"p99_ns\":%.0f,"
	       "\"calls_per_s\":%.0f}\n",
	       lane, threads, count, all[count / 2], all[count * 99 / 100], (double)count / took_ns * 1e9);
}

static ingress_token open_context(int64_t spin_ns)
{
	const struct ingress_options options = { .spin_ns = spin_ns };
	struct ingress_answer answer;
	ingress_token made;

	if (ingress_context_create(&echo_library, &options, ECHO_OPEN, INGRESS_WIRE_C, NULL, 0, INGRESS_FOREVER, &made,
				   &answer) != INGRESS_OK)
		exit(1);
	return made;
}

static void measure_dense(const char *lane, int threads, long calls)
{
	double *all = malloc((size_t)threads * (size_t)calls * sizeof(*all)), began;

	for (int t = 0; t < threads; t++)
		samples[t] = all + t * calls;
	began = bench_now_ns();
	if (ingress_bench_together(threads, calls * threads, ask_part) < 0)
		exit(1);
	print(lane, threads, all, calls * threads, bench_now_ns() - began);
	free(all);
}

static void pause_ns(long ns)
{
	const struct timespec time = { 0, ns };

	nanosleep(&time, NULL);
}

static _Atomic uint32_t turn;

static void hand(void)
{
	atomic_fetch_add(&turn, 1);
	syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await(uint32_t parity)
{
	for (uint32_t now; ((now = atomic_load(&turn)) & 1) != parity;)
		syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
}

static void *hand_back(void *calls)
{
	for (long left = *(long *)calls; left; left--) {
		await(1);
		hand();
	}
	return NULL;
}

/* Interleaved: one call, one futex round trip, each after the same pause. */
static void measure_sparse(long calls)
{
	double *asked = malloc((size_t)calls * sizeof(*asked)), *handed = malloc((size_t)calls * sizeof(*handed));
	double ask_ns = 0, hand_ns = 0;
	pthread_t thread;

	if (pthread_create(&thread, NULL, hand_back, &calls))
		exit(1);
	for (long i = 0; i < calls; i++) {
		double began;

		pause_ns(SPARSE_NS);
		samples[0] = &asked[i];
		if (ask_part(0, 1) < 0)
			exit(1);
		ask_ns += asked[i];
		pause_ns(SPARSE_NS);
		began = bench_now_ns();
		hand();
		await(0);
		handed[i] = bench_now_ns() - began;
		hand_ns += handed[i];
	}
	pthread_join(thread, NULL);
	print("ask-sparse", 1, asked, calls, ask_ns);
	print("futex-sparse", 1, handed, calls, hand_ns);
	free(asked);
	free(handed);
}

int ingress_bench_latency(int quick)
{
	static const int threads[] = { 1, 2, 4, 8 };
	ingress_token spinning = open_context(0), sleeping = open_context(-1);
	long share = quick ? 10 : 1;

	bench_print_machine();
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		context = spinning;
		/* so that it has learnt what to expect */
		measure_dense("ask-warm", threads[i], DENSE_CALLS / share / 4);
		measure_dense("ask", threads[i], DENSE_CALLS / share);
		context = sleeping;
		measure_dense("ask-sleeping", threads[i], DENSE_CALLS / share / 4);
	}
	context = spinning;
	measure_sparse(SPARSE_CALLS / share);
	return fflush(stdout) || ferror(stdout);
}
