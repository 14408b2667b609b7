/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the ingress benchmark share: its context, and threads that do their part of a run. */
#ifndef FERRY_BENCH_INGRESS_H
#define FERRY_BENCH_INGRESS_H

#include <ferry/ingress.h>

#include <stddef.h>
#include <stdint.h>

#define INGRESS_BENCH_THREADS_MAX 8
#define INGRESS_BENCH_SCALAR_BYTES 24 /* of a small request: about what an EchoRequest takes */
#define INGRESS_BENCH_LARGE_BYTES 65536
#define INGRESS_BENCH_EVENT_BYTES 512
#define INGRESS_BENCH_WINDOW 64	       /* requests under way in the async lane */
#define INGRESS_BENCH_DEPTH (1L << 19) /* of the context's queue */

/* The context of the echo provider that every lane uses. */
ingress_token ingress_bench_context(void);

/* Run work(part, n's share) on `threads` threads at once. Returns the least result when all threads have ended. */
long ingress_bench_together(int threads, long n, long (*work)(int thread, long n));

/* submit.c: n requests by so many threads, timed until the last is submitted, or answered. Context: the number. */
int ingress_bench_settle(void *threads, long n);
int ingress_bench_ready(void *threads, long n); /* and allocates all memory that they may need */
long ingress_bench_submit(void *threads, long n);
long ingress_bench_complete(void *threads, long n);
/* As much work without any requests, beside a busy thread. */
int ingress_bench_idle(void *threads, long n);
long ingress_bench_work(void *threads, long n);

/* lanes.c: n round trips, or events. */
long ingress_bench_ask(void *threads, long n);
long ingress_bench_ask_large(void *threads, long n);
long ingress_bench_async(void *threads, long n);
long ingress_bench_inbox(void *threads, long n);
int ingress_bench_listen(void *threads, long n);
long ingress_bench_events(void *threads, long n);
long ingress_bench_line(void *threads, long n);
long ingress_bench_futex(void *threads, long n);

/* latency.c: a line for each lane with its percentiles. */
int ingress_bench_latency(int quick);

#endif
