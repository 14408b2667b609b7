/* SPDX-License-Identifier: BSD-3-Clause */
/* What test_ingress_fork.c does in children, and how their parent hears of it. */
#ifndef INGRESS_FORK_TESTS_H
#define INGRESS_FORK_TESTS_H

#include "ingress_anywhere.h"

#include <sys/mman.h>

/* ThreadSanitizer does not follow new threads of a forked child. */
#if defined(__SANITIZE_THREAD__)
#define NEEDS_THREADS_IN_CHILDREN() skip()
#else
#define NEEDS_THREADS_IN_CHILDREN()
#endif

enum { HANG_S = 120, LARGE = 5000, LENT = 70000 };

#include "../../helpers/fork.h"

/* In a child: cmocka's asserts would go on with the parent's tests. */
#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fail_child(__LINE__);                                                                          \
	} while (0)

_Noreturn static void fail_child(int line)
{
	dprintf(2, "# test_ingress_fork.c:%d failed in a child\n", line);
	_exit(1);
}

/* What children write and their parent reads. */
static struct shared {
	_Atomic uint32_t opened, exited, failed;
} * shared;

static void take_event(void *user, const struct ingress_event *event)
{
	(void)event;
	atomic_fetch_add((_Atomic uint32_t *)user, 1);
}

static void use_inbox(ingress_token context)
{
	const struct ingress_call call = { .method = ANYWHERE_LARGE, .tag = 7 };
	struct ingress_call posted = call;
	struct ingress_item item;
	struct ingress_inbox *inbox;

	CHECK(ingress_inbox_create(&inbox) == INGRESS_OK);
	CHECK(ingress_inbox_descriptor(inbox) >= 0);
	posted.inbox = inbox;
	CHECK(ingress_submit(context, &posted) == INGRESS_OK);
	CHECK(ingress_inbox_take(inbox, &item, 1, LONG_NS) == 1);
	CHECK(item.tag == 7 && item.status == INGRESS_OK);
	ingress_items_release(&item, 1);
	ingress_inbox_close(inbox);
}

/* All that a host does with a context, in a child. */
static void use_own_context(void)
{
	const uint64_t bytes[2] = { LARGE, 0 }, lent[2] = { LENT, 1 };
	_Atomic uint32_t events = 0;
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = take_event, .user = &events };
	ingress_token context, fixed;
	struct heard heard = { 0 };
	struct ingress_answer answer;
	uint64_t id;

	CHECK(open_of(&anywhere_library, NULL, NULL, &context) == INGRESS_OK);
	CHECK(ingress_ask(context, ANYWHERE_LARGE, 0, bytes, sizeof(bytes), LONG_NS, &answer) == INGRESS_OK);
	CHECK(answer.bytes == LARGE);
	ingress_answer_release(&answer);
	CHECK(ingress_ask(context, ANYWHERE_LARGE, 0, lent, sizeof(lent), LONG_NS, &answer) == INGRESS_OK);
	CHECK(answer.bytes == LENT);
	ingress_answer_release(&answer);
	CHECK(submit(context, ANYWHERE_RUN, NULL, 0, &heard) == INGRESS_OK);
	CHECK(ingress_listen(context, &listener, &id) == INGRESS_OK);
	CHECK(ask(context, ANYWHERE_EMIT, NULL, 0) == INGRESS_OK);
	while (!atomic_load(&events) || !atomic_load(&heard.terminal))
		nap(MS_NS / 10);
	CHECK(ingress_unlisten(context, id) == INGRESS_OK);
	use_inbox(context);
	CHECK(ingress_static_context(&anywhere_library, &fixed) == INGRESS_OK);
	CHECK(ask(fixed, ANYWHERE_VERSION, NULL, 0) == INGRESS_OK);
	CHECK(ingress_context_destroy(context, LONG_NS) == INGRESS_OK);
	CHECK(ask(context, ANYWHERE_RUN, NULL, 0) == INGRESS_CLOSED);
	atomic_fetch_add(&shared->opened, 1);
}

static int set_up(void **state)
{
	(void)state;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED;
}

static int clear(void **state)
{
	(void)state;
	memset(shared, 0, sizeof(*shared));
	return 0;
}

#endif
