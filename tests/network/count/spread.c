/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count-spread CALLERS CALLS SLEEP_US: so many threads make so many static calls each, one after the other, whose
 * handlers take SLEEP_US. Prints how many milliseconds that took.
 */
#include "count.h"

#include <ferry/network.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLERS_MAX = 256 };

static const struct ingress_event_kind no_events[1];
static const struct ferry_network_interface interface = {
	.name = "count",
	.hash = COUNT_HASH,
	.method_count = COUNT_METHODS,
	.methods = count_methods,
	.events = no_events,
};

static ingress_token context;
static uint64_t calls, sleep_us;

static void *call(void *first)
{
	for (uint64_t i = 0; i < calls; i++) {
		const struct count_request asked = { (uint64_t)(uintptr_t)first * calls + i, sleep_us };
		struct ingress_answer answer;

		if (ingress_ask(context, COUNT_MARK_STATIC, INGRESS_WIRE_C, &asked, sizeof(asked), INGRESS_FOREVER,
				&answer) != INGRESS_OK) {
			fprintf(stderr, "%.*s\n", (int)answer.bytes, (const char *)answer.data);
			exit(1);
		}
		ingress_answer_release(&answer);
	}
	return NULL;
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	pthread_t threads[CALLERS_MAX];
	unsigned long callers = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
	double begin;

	if (!callers || callers > CALLERS_MAX)
		return 2;
	calls = strtoull(argv[2], NULL, 10);
	sleep_us = strtoull(argv[3], NULL, 10);
	if (ingress_static_context(ferry_network_library(&interface, NULL), &context) != INGRESS_OK)
		return 1;
	begin = now_ms();
	for (unsigned long i = 0; i < callers; i++)
		if (pthread_create(&threads[i], NULL, call, (void *)(uintptr_t)i))
			return 1;
	for (unsigned long i = 0; i < callers; i++)
		pthread_join(threads[i], NULL);
	printf("%.0f\n", now_ms() - begin);
	return 0;
}
