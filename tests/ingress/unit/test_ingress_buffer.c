/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that a library asks for (ingress_answer_room): of any size, and in its destructor too. */
#include "ingress_tests.h"

enum { ROOM_OPEN, ROOM_CLOSE, ROOM_KEEP, ROOM_LET, ROOM_HUGE, ROOM_METHODS };
/* More than are kept, so that an event thread is asked to trim. */
enum { LARGE = 60000, KEPT = 256 };

/* One context has the requests that are kept; another one is being destroyed. */
static struct ingress_request *kept[KEPT];
static _Atomic uint32_t kept_count, is_ending, may_end;

/* It gives its buffer back when so many are free already that some should be trimmed. */
static void destruct(struct ingress_request *request)
{
	void *room = ingress_answer_room(request, LARGE);

	atomic_store(&is_ending, 1);
	while (!atomic_load(&may_end))
		nap(MS_NS / 10);
	ingress_answer_copy(request, INGRESS_OK, room, LARGE);
}

static void let(void)
{
	for (uint32_t i = 0; i < atomic_load(&kept_count); i++)
		ingress_answer_copy(kept[i], INGRESS_OK, NULL, 0);
}

/* How many of the sizes that cannot be had are had. */
static uint64_t ask_for_huge(struct ingress_request *request)
{
	uint64_t had = 0;

	for (size_t less = 0; less < 4096; less++)
		had += ingress_answer_room(request, SIZE_MAX - less) != NULL;
	return had;
}

static void serve(void *state, struct ingress_request *const *requests, size_t count)
{
	(void)state;
	for (size_t i = 0; i < count; i++) {
		struct ingress_request *request = requests[i];
		uint64_t word = 0;

		switch (request->method) {
		case ROOM_CLOSE:
			destruct(request);
			continue;
		case ROOM_KEEP:
			kept[atomic_fetch_add(&kept_count, 1)] = request;
			continue;
		case ROOM_LET:
			let();
			break;
		case ROOM_HUGE:
			word = ask_for_huge(request);
			break;
		default:
			break;
		}
		ingress_answer_copy(request, INGRESS_OK, &word, sizeof(word));
	}
}

static void forget(void *state)
{
	(void)state;
}

static const uint8_t kinds[ROOM_METHODS] = { [ROOM_OPEN] = INGRESS_CONSTRUCTOR, [ROOM_CLOSE] = INGRESS_DESTRUCTOR };
static const struct ingress_library library = {
	.abi = INGRESS_ABI,
	.name = "room",
	.method_count = ROOM_METHODS,
	.methods = kinds,
	.requests = serve,
	.context_end = forget,
};

static ingress_token open_room(void)
{
	struct ingress_answer answer;
	ingress_token context;

	assert_int_equal(ingress_context_create(&library, NULL, ROOM_OPEN, INGRESS_WIRE_C, NULL, 0, LONG_NS, &context,
						&answer),
			 INGRESS_OK);
	ingress_answer_release(&answer);
	return context;
}

static void *destroy(void *token)
{
	return (void *)(uintptr_t)ingress_context_destroy(*(ingress_token *)token, LONG_NS);
}

static void a_destructors_buffer_goes_home_when_many_are_free(void **state)
{
	ingress_token ending = open_room(), busy = open_room();
	static unsigned char payload[LARGE];
	struct heard heard = { 0 };
	pthread_t destroyer;
	void *status;

	(void)state;
	for (int i = 0; i < KEPT; i++)
		assert_int_equal(submit(busy, ROOM_KEEP, payload, sizeof(payload), &heard), INGRESS_OK);
	wait_for(&kept_count, KEPT);
	pthread_create(&destroyer, NULL, destroy, &ending);
	wait_for(&is_ending, 1);
	assert_int_equal(ask(busy, ROOM_LET, NULL, 0), INGRESS_OK);
	wait_for(&heard.terminal, KEPT);
	atomic_store(&may_end, 1);
	pthread_join(destroyer, &status);
	assert_int_equal((uintptr_t)status, INGRESS_OK);
	close_echo(busy);
}

static void room_that_no_memory_has_is_refused(void **state)
{
	ingress_token context = open_room();

	(void)state;
	assert_int_equal(ask_words(context, ROOM_HUGE, 0, 0, 0), 0);
	close_echo(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_destructors_buffer_goes_home_when_many_are_free),
		cmocka_unit_test(room_that_no_memory_has_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
