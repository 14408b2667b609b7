/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * src/network/serve/memory.c: an idempotent request comes again, with another session, at the moment at which it is
 * answered. The session that it came with first is freed then.
 */
#include "network/serve/serve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 3000 };

static struct serve serve;
static _Atomic uint32_t answers;

/* ---- what stands behind it --------------------------------------------------------------------------------------- */

void serve__session_unref(struct session *session)
{
	if (atomic_fetch_sub(&session->refs, 1) == 1)
		free(session);
}

void serve__answer(struct session *session, uint64_t id, uint32_t wire, enum ingress_status status, const void *data,
		   size_t bytes)
{
	(void)id;
	(void)wire;
	(void)status;
	(void)data;
	(void)bytes;
	atomic_fetch_sub(&session->unanswered, 1);
	atomic_fetch_add(&answers, 1);
}

/* The table has the one reference, the request under way another. */
static struct session *make_session(void)
{
	struct session *session = calloc(1, sizeof(*session));

	assert_non_null(session);
	session->serve = &serve;
	session->id = 1;
	atomic_store(&session->refs, 1);
	return session;
}

/* ---- the race ---------------------------------------------------------------------------------------------------- */

/* What replies.c does on the thread of the library's context. */
static void *answer(void *given)
{
	const struct ingress_reply reply = { INGRESS_OK, INGRESS_WIRE_C, "12345678", 8 };
	struct under_way *request = given;

	serve__memory_answer(request, &reply);
	serve__answer(request->session, request->id, reply.wire, reply.status, reply.data, reply.bytes);
	serve__session_unref(request->session);
	free(request);
	return NULL;
}

static void a_request_comes_again_while_it_is_answered(void **state)
{
	(void)state;
	for (uint64_t id = 1; id <= ROUNDS; id++) {
		struct session *first = make_session(), *again = make_session();
		struct under_way *request = calloc(1, sizeof(*request));
		pthread_t thread;

		assert_non_null(request);
		*request = (struct under_way){ .session = first, .id = id, .memory = serve.memory };
		atomic_fetch_add(&first->refs, 1);
		atomic_fetch_add(&first->unanswered, 1);
		serve__memory_add(request);
		pthread_create(&thread, NULL, answer, request);
		assert_true(serve__memory_has(again, id));
		/* the network thread forgets a static session that has nothing to answer */
		serve__session_unref(first);
		pthread_join(thread, NULL);
		serve__session_unref(again);
	}
	/* to the session that asked first, to the one that asked last, or to both */
	assert_true(answers >= ROUNDS && answers <= 2 * ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_comes_again_while_it_is_answered),
	};

	serve.memory = serve__memory_make();
	return serve.memory ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
