/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count-host REQUESTS PER_SECOND FILE [again | chains]: so many requests to the library of count.h, of which at most
 * WINDOW are unanswered, whatever becomes of the network. The FILE gets a byte for each request: how it was answered,
 * or 255 for one that was answered twice. Whenever the context has ended the program opens another one.
 *
 * With `again` the requests are to the method that is declared idempotent. With `chains` they are submitted eight at a
 * time, and each of these needs the one before it.
 *
 * What it prints at the end: `answered N of N`, and how many got each status.
 */
#include "count.h"

#include <ferry/network.h>

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 1024, UNANSWERED = 254, TWICE = 255, PATIENCE_S = 30, CHAIN = 8 };

static const struct ingress_event_kind no_events[1];
static const struct ferry_network_interface interface = {
	.name = "count",
	.hash = COUNT_HASH,
	.method_count = COUNT_METHODS,
	.methods = count_methods,
	.events = no_events,
	.idempotent = count_idempotent,
};

static _Atomic uint8_t *became;
static _Atomic uint64_t answered;
static uint32_t method = COUNT_MARK;
static _Atomic int has_ended; /* the context */
/* The number of the first request to the context. */
static _Atomic uint64_t first;

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void pause_us(long us)
{
	nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
}

static void on_reply(void *user, const struct ingress_reply *reply)
{
	uint64_t number = (uintptr_t)user;
	uint8_t expected = UNANSWERED;

	if (reply->status == INGRESS_STALE)
		return;
	if (!atomic_compare_exchange_strong(&became[number], &expected, (uint8_t)reply->status))
		atomic_store(&became[number], TWICE);
	/* destroying the context before this one closed what was queued there: that says nothing of this one */
	if (number >= atomic_load(&first) && (reply->status == INGRESS_CLOSED || reply->status == INGRESS_LOST))
		atomic_store(&has_ended, 1);
	atomic_fetch_add(&answered, 1);
}

/* A new context, however long the network is away. */
static ingress_token open_context(void)
{
	const struct ingress_library *library = ferry_network_library(&interface, NULL);
	uint64_t until = now_us() + PATIENCE_S * 1000000ULL;
	enum ingress_status status;

	do {
		struct ingress_answer answer;
		ingress_token token;

		status = ingress_context_create(library, NULL, COUNT_OPEN, INGRESS_WIRE_C, NULL, 0, INGRESS_FOREVER,
						&token, &answer);
		ingress_answer_release(&answer);
		if (status == INGRESS_OK)
			return token;
		pause_us(20000);
	} while (now_us() < until);
	fprintf(stderr, "no context for %d s: %s\n", PATIENCE_S, ingress_status_text(status));
	exit(1);
}

/* Submit the requests from `number` on: one, or a chain of them. */
static void submit(ingress_token token, uint64_t number, uint32_t count)
{
	struct count_request asked[CHAIN] = { { 0 } };
	struct ingress_call calls[CHAIN];
	struct ingress_link links[CHAIN];
	enum ingress_status status;

	for (uint32_t i = 0; i < count; i++) {
		asked[i].number = number + i;
		calls[i] = (struct ingress_call){ .method = method,
						  .wire = INGRESS_WIRE_C,
						  .data = &asked[i],
						  .bytes = sizeof(asked[i]),
						  .reply = on_reply,
						  .user = (void *)(uintptr_t)(number + i) };
		links[i] = (struct ingress_link){ .request = i + 1, .source = i, .kind = INGRESS_LINK_AFTER };
	}
	do
		status = count == 1
				 ? ingress_submit(token, calls)
				 : ingress_submit_chain(token, calls, count, links, count - 1, INGRESS_FOREVER, NULL);
	while (status == INGRESS_QUEUE_FULL && (pause_us(1000), 1));
	for (uint32_t i = 0; i < count && status != INGRESS_OK; i++)
		on_reply(calls[i].user, &(struct ingress_reply){ .status = status });
}

static void print_result(uint64_t count)
{
	uint64_t of[256] = { 0 };

	for (uint64_t i = 0; i < count; i++)
		of[became[i]]++;
	printf("answered %llu of %llu", (unsigned long long)(count - of[UNANSWERED]), (unsigned long long)count);
	for (int status = 0; status < 256; status++)
		if (of[status])
			printf(", %d: %llu", status, (unsigned long long)of[status]);
	printf("\n");
}

int main(int argc, char **argv)
{
	uint64_t count = argc >= 4 ? strtoull(argv[1], NULL, 10) : 0, rate = count ? strtoull(argv[2], NULL, 10) : 0;
	int file = rate ? open(argv[3], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	ingress_token token;
	uint32_t together = argc > 4 && !strcmp(argv[4], "chains") ? CHAIN : 1;
	uint64_t begin, until;
	void *place;

	if (argc > 4 && together == 1)
		method = COUNT_MARK_AGAIN;
	if (file < 0 || ftruncate(file, (off_t)count))
		return 2;
	place = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (place == MAP_FAILED)
		return 2;
	became = place;
	for (uint64_t i = 0; i < count; i++)
		became[i] = UNANSWERED;
	token = open_context();
	begin = now_us();
	for (uint64_t i = 0; i < count; i += together) {
		while (i - atomic_load(&answered) >= WINDOW || i > (now_us() - begin) * rate / 1000000)
			pause_us(500);
		/* LOST may leave the context as it was: a request that is CLOSED says that it has ended */
		if (atomic_load(&has_ended)) {
			atomic_store(&first, i);
			ingress_context_destroy(token, INGRESS_FOREVER);
			atomic_store(&has_ended, 0);
			token = open_context();
		}
		submit(token, i, count - i < together ? (uint32_t)(count - i) : together);
	}
	until = now_us() + PATIENCE_S * 1000000ULL;
	while (atomic_load(&answered) < count && now_us() < until)
		pause_us(1000);
	print_result(count);
	return 0;
}
