/* SPDX-License-Identifier: BSD-3-Clause */
/* What serve.nim sees of core.c. */
#ifndef FERRY_NIM_TESTS_CORE_H
#define FERRY_NIM_TESTS_CORE_H

#include <ferry/ingress_provider.h>

struct test_answer {
	uint32_t status; /* for an event, its number instead */
	uint32_t wire;
	void *data;
	size_t bytes;
	const void *request;
	int was_lent;
};

extern struct ingress_provider test_provider;
extern struct test_answer test_last; /* the last answer */
extern size_t test_answers;
extern struct test_answer test_events[];
extern size_t test_event_count;
extern unsigned int test_wires; /* what ingress_event_wires says */
extern int test_has_room;	/* whether ingress_answer_room gives any */
void test_forget(void);

#endif /* FERRY_NIM_TESTS_CORE_H */
