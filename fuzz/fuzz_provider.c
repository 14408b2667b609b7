/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a request to the library in C (examples/echo/c), in either format: what `ferry bindgen --provider c`
 * writes decodes them, and each request is answered once, with a result or with an error whose text is UTF-8. This file
 * stands for the core; the clock leaps, so that an echo which is to come later comes soon. The first byte of an input
 * chooses the method, the lowest bit of the second the format.
 */
#include <time.h>

/* Each look at the clock is a minute later, which is as long as an echo may take. */
static int leap(clockid_t clock, struct timespec *now)
{
	static time_t minutes;

	(void)clock;
	*now = (struct timespec){ ++minutes * 60, 0 };
	return 0;
}

#define clock_gettime leap
#include "../examples/echo/c/echo.c" /* NOLINT(bugprone-suspicious-include) */

#define HEADER_BYTES 2
#define HANDLES 4
/* May ask for 2^32 events, which takes too long. */
#define TICKS 9u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
const struct ingress_library *ferry_library_echo(void);

static size_t answers;
static enum ingress_status last;
static void *objects[HANDLES];
static void (*tell_cancelled)(void *user, struct ingress_request *request);

static void require(int holds)
{
	if (!holds)
		abort();
}

/* ---- the core, as the library sees it ---------------------------------------------------------------------------- */

void ingress_answer_post(struct ingress_request *request, enum ingress_status status, const void *data, size_t bytes,
			 ingress_release_fn *release, void *owner)
{
	(void)request;
	answers++;
	last = status;
	require(status == INGRESS_OK || status == INGRESS_RAISED || status == INGRESS_FAILED ||
		status == INGRESS_CANCELLED || status == INGRESS_BAD_PAYLOAD || status == INGRESS_BAD_HANDLE);
	require(status == INGRESS_OK || status == INGRESS_RAISED || ferry_utf8_valid(data, bytes));
	if (release)
		release(owner, data, bytes);
}

/* Every request is cancelled: those that ask see it at once, the others are told when they are not answered. */
int ingress_request_cancelled(struct ingress_request *request)
{
	(void)request;
	return 1;
}

void ingress_cancel_watch(struct ingress_provider *provider,
			  void (*cancelled)(void *user, struct ingress_request *request), void *user)
{
	(void)provider;
	(void)user;
	tell_cancelled = cancelled;
}

void ingress_provider_wake(struct ingress_provider *provider)
{
	(void)provider;
}

unsigned int ingress_event_wires(struct ingress_provider *provider, uint32_t event)
{
	(void)provider;
	require(event < 2);
	return 3;
}

void ingress_event_emit(struct ingress_provider *provider, uint32_t event, uint32_t wire, const void *data,
			size_t bytes)
{
	(void)provider;
	require(event == 1 && wire <= 1 && data && bytes);
}

uint64_t ingress_handle_open(struct ingress_provider *provider, uint32_t kind, void *object)
{
	(void)provider;
	require(kind == 0);
	for (uint64_t i = 0; i < HANDLES; i++)
		if (!objects[i]) {
			objects[i] = object;
			return i + 1;
		}
	return 0;
}

void *ingress_handle_object(struct ingress_provider *provider, uint32_t kind, uint64_t id)
{
	(void)provider;
	require(kind == 0);
	return id && id <= HANDLES ? objects[id - 1] : NULL;
}

void *ingress_handle_close(struct ingress_provider *provider, uint32_t kind, uint64_t id)
{
	void *object = ingress_handle_object(provider, kind, id);

	if (object)
		objects[id - 1] = NULL;
	return object;
}

void *ingress_handle_close_any(struct ingress_provider *provider, uint32_t *kind)
{
	*kind = 0;
	for (uint64_t i = 0; i < HANDLES; i++)
		if (objects[i])
			return ingress_handle_close(provider, 0, i + 1);
	return NULL;
}

/* ---- a context --------------------------------------------------------------------------------------------------- */

/* Serve a request until it is answered, and once. */
static void serve(const struct ingress_library *library, void *state, struct ingress_request *request)
{
	answers = 0;
	library->requests(state, &request, 1);
	for (int turns = 0; turns < 4 && !answers; turns++)
		library->turn(state);
	if (!answers)
		tell_cancelled(state, request);
	require(answers == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const uint8_t prefix[] = { 8, 0, 0, 0, 3, 0, 0, 0, 'h', 'i', ' ', 0 };
	const struct ingress_library *library = ferry_library_echo();
	struct ingress_request create = { 0, INGRESS_WIRE_C, prefix, sizeof(prefix) };
	struct ingress_request open = { 10, INGRESS_WIRE_C, prefix, sizeof(prefix) };
	struct ingress_request destroy = { 1, INGRESS_WIRE_C, prefix, 0 };
	struct ingress_request request;
	uint64_t *message;
	void *state;

	if (bytes < HEADER_BYTES || 2 + data[0] % (library->method_count - 2) == TICKS)
		return 0;
	bytes -= HEADER_BYTES;
	/* exactly as long as the message, so that a sanitizer sees what is read beyond it */
	message = malloc(bytes ? bytes : 1);
	require(message != NULL);
	memcpy(message, data + HEADER_BYTES, bytes);
	request = (struct ingress_request){ 2 + data[0] % (library->method_count - 2), data[1] & 1, message, bytes };
	require(library->thread_begin(NULL, &state) == 0);
	serve(library, state, &create);
	require(last == INGRESS_OK);
	serve(library, state, &open);
	require(last == INGRESS_OK);
	serve(library, state, &request);
	serve(library, state, &destroy);
	library->context_end(state);
	library->thread_end(state);
	free(message);
	return 0;
}
