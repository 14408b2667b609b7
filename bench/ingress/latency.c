/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Percentiles of single calls. Dense calls follow one another at once, from several numbers of threads, with spinning
 * and without. Sparse calls are 2 ms apart. They are compared with a futex that is handed to another thread and back
 * after the same pauses: by itself, and with as many cache lines as a call touches, because after a pause these may be
 * anywhere but in the cache.
 */
#include "../bench.h"
#include "../../tests/ingress/echo.h"
#include "ingress.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
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

/* Code and data that a sparse call touches on both sides, by valgrind's lackey: 195 cache lines in 29 pages. */
#define TOUCHED_PAGES 15
#define TOUCHED_LINES 6 /* of each page, by each of two threads */
#define LINE_BYTES 64
#define PAGE_BYTES 4096

static struct {
	_Alignas(PAGE_BYTES) volatile unsigned char of[2][TOUCHED_PAGES][PAGE_BYTES];
} lines;
/* Two exchanges, each with a thread of its own, so that each is used as rarely as the context. */
static struct exchange {
	_Alignas(LINE_BYTES) _Atomic uint32_t turn;
	bool touches;
	long left;
} exchanges[2];

static void touch(uint32_t side)
{
	for (size_t page = 0; page < TOUCHED_PAGES; page++)
		for (size_t line = 0; line < TOUCHED_LINES; line++)
			/* not one after the other: the processor would fetch the next line ahead */
			lines.of[side][page][(page + line * 9) % (PAGE_BYTES / LINE_BYTES) * LINE_BYTES]++;
}

/* The thread of this parity touches its half of the lines, and then hands over. */
static void hand(struct exchange *exchange, uint32_t parity)
{
	if (exchange->touches)
		touch(parity);
	atomic_fetch_add(&exchange->turn, 1);
	syscall(SYS_futex, &exchange->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await(struct exchange *exchange, uint32_t parity)
{
	for (uint32_t now; ((now = atomic_load(&exchange->turn)) & 1) != parity;)
		syscall(SYS_futex, &exchange->turn, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
}

static void *hand_back(void *given)
{
	struct exchange *exchange = given;

	for (; exchange->left; exchange->left--) {
		await(exchange, 1);
		hand(exchange, 1);
	}
	return NULL;
}

static double time_exchange(struct exchange *exchange)
{
	double began = bench_now_ns();

	hand(exchange, 0);
	await(exchange, 0);
	return bench_now_ns() - began;
}

/* Interleaved: one call, one futex round trip, one with lines, each after the same pause. */
static void measure_sparse(long calls)
{
	static const char *const lanes[] = { "ask-sparse", "futex-sparse", "futex-lines-sparse" };
	double *took[3], sums[3] = { 0 };
	pthread_t threads[2];

	for (int lane = 0; lane < 3; lane++)
		took[lane] = malloc((size_t)calls * sizeof(**took));
	for (int i = 0; i < 2; i++) {
		exchanges[i] = (struct exchange){ .touches = i == 1, .left = calls };
		if (pthread_create(&threads[i], NULL, hand_back, &exchanges[i]))
			exit(1);
	}
	for (long i = 0; i < calls * 3; i++) {
		/* over time, each of the three comes after each other one */
		long lane = (i + i / 3) % 3;
		double *sample = &took[lane][i / 3];

		pause_ns(SPARSE_NS);
		if (lane == 0) {
			samples[0] = sample;
			if (ask_part(0, 1) < 0)
				exit(1);
		} else {
			*sample = time_exchange(&exchanges[lane - 1]);
		}
		sums[lane] += *sample;
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int lane = 0; lane < 3; lane++) {
		print(lanes[lane], 1, took[lane], calls, sums[lane]);
		free(took[lane]);
	}
}

int ingress_bench_latency(int quick)
{
	static const int threads[] = { 1, 2, 4, 8 };
	ingress_token spinning = open_context(0), sleeping = open_context(-1);
	long share = quick ? 10 : 1;

	bench_print_machine();
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		context = spinning;
		/* warm up: spinning adapts to what it has seen */
		measure_dense("ask-warm", threads[i], DENSE_CALLS / share / 4);
		measure_dense("ask", threads[i], DENSE_CALLS / share);
		context = sleeping;
		measure_dense("ask-sleeping", threads[i], DENSE_CALLS / share / 4);
	}
	context = spinning;
	measure_sparse(SPARSE_CALLS / share);
	return fflush(stdout) || ferror(stdout);
}
