/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does a request to a library that runs on a thread of its own cost?
 *
 * The provider is the echo of the tests, in C, so the figures show the core. `submit` is the time until the last of n
 * requests is submitted, and `complete` the time until the last callback has run. `work` is the time of as much work
 * beside a busy thread without any requests. @ is the number of threads. Before each sample, the program counts every
 * callback of the sample before; a lost or doubled callback ends the program. With --latency the program prints
 * percentiles of single calls instead.
 */
#include "../bench.h"
#include "../../tests/ingress/echo.h"
#include "ingress.h"

#include <pthread.h>
#include <stdatomic.h>

static int one = 1, two = 2, four = 4, eight = 8;

static const struct bench_variant variants[] = {
	{ "submit:requests@1", ingress_bench_ready, ingress_bench_submit, &one, true },
	{ "submit:requests@2", ingress_bench_ready, ingress_bench_submit, &two, true },
	{ "submit:requests@4", ingress_bench_ready, ingress_bench_submit, &four, true },
	{ "submit:requests@8", ingress_bench_ready, ingress_bench_submit, &eight, true },
	{ "complete:requests@1", ingress_bench_ready, ingress_bench_complete, &one, true },
	{ "complete:requests@2", ingress_bench_ready, ingress_bench_complete, &two, true },
	{ "complete:requests@4", ingress_bench_ready, ingress_bench_complete, &four, true },
	{ "complete:requests@8", ingress_bench_ready, ingress_bench_complete, &eight, true },
	{ "work:requests@1", ingress_bench_idle, ingress_bench_work, &one, true },
	{ "work:requests@2", ingress_bench_idle, ingress_bench_work, &two, true },
	{ "work:requests@4", ingress_bench_idle, ingress_bench_work, &four, true },
	{ "work:requests@8", ingress_bench_idle, ingress_bench_work, &eight, true },
	{ "line:call", ingress_bench_settle, ingress_bench_line, &one, true },
	{ "futex:call", ingress_bench_settle, ingress_bench_futex, &one, true },
	{ "ask:call", ingress_bench_settle, ingress_bench_ask, &one, true },
	{ "async:call", ingress_bench_settle, ingress_bench_async, &one, true },
	{ "inbox:call", ingress_bench_settle, ingress_bench_inbox, &one, true },
	{ "ask:call@2", ingress_bench_settle, ingress_bench_ask, &two, true },
	{ "ask:call@8", ingress_bench_settle, ingress_bench_ask, &eight, true },
	{ "ask:large", ingress_bench_settle, ingress_bench_ask_large, &one, true },
	{ "listen:event", ingress_bench_listen, ingress_bench_events, &one, true },
};
static const long sizes[] = { 1000, 3000, 10000, 30000 };
static const struct bench_suite suite = {
	.boundary = "ingress",
	.question = "What does a request to a library that runs on a thread of its own cost?",
	.variants = variants,
	.variant_count = sizeof(variants) / sizeof(variants[0]),
	.n = sizes,
	.n_count = sizeof(sizes) / sizeof(sizes[0]),
	.repetitions = 10,
	.quick_repetitions = 3,
};

ingress_token ingress_bench_context(void)
{
	static ingress_token context;
	/* so that unanswered requests never hold up a submit phase of the largest n */
	const struct ingress_options options = { .queue_depth = INGRESS_BENCH_DEPTH, .event_depth = 1 << 17 };
	struct ingress_answer answer;

	if (!context && ingress_context_create(&echo_library, &options, ECHO_OPEN, INGRESS_WIRE_C, NULL, 0,
					       INGRESS_FOREVER, &context, &answer) != INGRESS_OK) {
		fprintf(stderr, "%s: no context: %s\n", program_invocation_short_name,
			ingress_status_text(answer.status));
		exit(1);
	}
	return context;
}

/* ---- threads that wait for their part ---------------------------------------------------------------------------- */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t begin, end;
	pthread_t threads[INGRESS_BENCH_THREADS_MAX];
	int made;
	long round; /* under the lock, as the rest */
	int wanted, ready, left;
	long n, least;
	long (*work)(int thread, long n);
	_Atomic int go;
} crew = { .lock = PTHREAD_MUTEX_INITIALIZER, .begin = PTHREAD_COND_INITIALIZER, .end = PTHREAD_COND_INITIALIZER };

static void *run_crew(void *number)
{
	int thread = (int)(intptr_t)number;
	long round = 0, result;

	pthread_mutex_lock(&crew.lock);
	for (;;) {
		while (crew.round == round || thread >= crew.wanted) {
			round = crew.round;
			pthread_cond_wait(&crew.begin, &crew.lock);
		}
		round = crew.round;
		pthread_mutex_unlock(&crew.lock);
		result = crew.work(thread, crew.n / crew.wanted + (thread < crew.n % crew.wanted));
		pthread_mutex_lock(&crew.lock);
		crew.least = result < crew.least ? result : crew.least;
		if (--crew.left == 0)
			pthread_cond_signal(&crew.end);
	}
	return NULL;
}

long ingress_bench_together(int threads, long n, long (*work)(int thread, long n))
{
	long least;

	if (threads == 1)
		return work(0, n);
	pthread_mutex_lock(&crew.lock);
	for (; crew.made < threads; crew.made++)
		if (pthread_create(&crew.threads[crew.made], NULL, run_crew, (void *)(intptr_t)crew.made))
			abort();
	crew.work = work;
	crew.n = n;
	crew.wanted = crew.left = threads;
	crew.least = 0;
	crew.round++;
	pthread_cond_broadcast(&crew.begin);
	while (crew.left)
		pthread_cond_wait(&crew.end, &crew.lock);
	least = crew.least;
	pthread_mutex_unlock(&crew.lock);
	return least;
}

int main(int argc, char **argv)
{
	if (argc >= 2 && strcmp(argv[1], "--latency") == 0)
		return ingress_bench_latency(argc > 2 && strcmp(argv[2], "--quick") == 0);
	return bench_main(argc, argv, &suite);
}
