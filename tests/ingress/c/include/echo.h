/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again. */
/*
 * A library that gives back what it is given, sometimes later. It has something of every kind, so that one
 * conformance program can be written in every language.
 *
 * Every method m can be called in three ways, by any thread. echo_m waits for its reply, at most timeout_ns
 * (INGRESS_FOREVER: without limit), and returns the status, which *reply has too; echo_m_reply_free ends that, whatever
 * the status. echo_m_submit has call->done called with the reply, on the library's thread, exactly once after it
 * returned INGRESS_OK (besides any number of INGRESS_STALE), and never otherwise; *call has to stay until then, the
 * reply goes when `done` returns. echo_m_post has the reply put into an inbox under a tag, for echo_m_take.
 *
 * Arguments are copied before a function returns. Where the status is not INGRESS_OK, reply->message says why.
 */
#ifndef ECHO_H
#define ECHO_H

#include <ferry/binding.h>

#include "echo_c.h"
#include "echo_cbor.h"

/* The wire format that requests are sent in. */
#ifndef ECHO_WIRE
#define ECHO_WIRE INGRESS_WIRE_C
#endif

/* The library, in libecho.so. */
const struct ingress_library *ferry_library_echo(void);

/* Check that the library was built from the interface of these bindings; contexts and static calls do so too. */
static inline enum ingress_status echo_check(void)
{
	return ingress_library_check(ferry_library_echo(), ECHO_INTERFACE_HASH);
}

static inline int echo_create_params__encode(uint32_t wire, const struct echo_create_params *value,
					     struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_create_params_encode_c(value, out, error)
				      : echo_create_params_encode_cbor(value, out, error);
}

static inline int echo_echo_params__encode(uint32_t wire, const struct echo_echo_params *value,
					   struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_echo_params_encode_c(value, out, error)
				      : echo_echo_params_encode_cbor(value, out, error);
}

static inline int echo_complex_params__encode(uint32_t wire, const struct echo_complex_params *value,
					      struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_complex_params_encode_c(value, out, error)
				      : echo_complex_params_encode_cbor(value, out, error);
}

static inline int echo_bytes_params__encode(uint32_t wire, const struct echo_bytes_params *value,
					    struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_bytes_params_encode_c(value, out, error)
				      : echo_bytes_params_encode_cbor(value, out, error);
}

static inline int echo_fail_params__encode(uint32_t wire, const struct echo_fail_params *value,
					   struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_fail_params_encode_c(value, out, error)
				      : echo_fail_params_encode_cbor(value, out, error);
}

static inline int echo_all_params__encode(uint32_t wire, const struct echo_all_params *value, struct ferry_buffer *out,
					  struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_all_params_encode_c(value, out, error)
				      : echo_all_params_encode_cbor(value, out, error);
}

static inline int echo_tree_params__encode(uint32_t wire, const struct echo_tree_params *value,
					   struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_tree_params_encode_c(value, out, error)
				      : echo_tree_params_encode_cbor(value, out, error);
}

static inline int echo_maybe_params__encode(uint32_t wire, const struct echo_maybe_params *value,
					    struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_maybe_params_encode_c(value, out, error)
				      : echo_maybe_params_encode_cbor(value, out, error);
}

static inline int echo_ticks_params__encode(uint32_t wire, const struct echo_ticks_params *value,
					    struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_ticks_params_encode_c(value, out, error)
				      : echo_ticks_params_encode_cbor(value, out, error);
}

static inline int echo_open_params__encode(uint32_t wire, const struct echo_open_params *value,
					   struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_open_params_encode_c(value, out, error)
				      : echo_open_params_encode_cbor(value, out, error);
}

static inline int echo_read_params__encode(uint32_t wire, const struct echo_read_params *value,
					   struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_read_params_encode_c(value, out, error)
				      : echo_read_params_encode_cbor(value, out, error);
}

static inline int echo_close_params__encode(uint32_t wire, const struct echo_close_params *value,
					    struct ferry_buffer *out, struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_close_params_encode_c(value, out, error)
				      : echo_close_params_encode_cbor(value, out, error);
}

static inline int echo_sum_params__encode(uint32_t wire, const struct echo_sum_params *value, struct ferry_buffer *out,
					  struct ferry_wire_error *error)
{
	return wire == INGRESS_WIRE_C ? echo_sum_params_encode_c(value, out, error)
				      : echo_sum_params_encode_cbor(value, out, error);
}

/* ---- create ---------------------------------------------------------------- */

/* What echo_create is answered with. */
struct echo_create_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_create_submit. */
struct echo_create_call {
	void (*done)(void *user, const struct echo_create_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_create_reply_free(struct echo_create_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_create__receive(struct echo_create_reply *reply, enum ingress_status status,
						       uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	result = ferry_binding_nothing(wire, data, bytes, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_create_take(const struct ingress_item *item, struct echo_create_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_create__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_create__done(void *user, const struct ingress_reply *got)
{
	const struct echo_create_call *call = (const struct echo_create_call *)user;
	struct echo_create_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_create__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Start an echo.
 *
 * Waits for it. *context is 0 unless INGRESS_OK is returned. options may be NULL.
 */
static inline enum ingress_status echo_create(const struct ingress_options *options, struct ferry_string prefix,
					      int64_t timeout_ns, ingress_token *context,
					      struct echo_create_reply *reply)
{
	struct echo_create_params whole = { .prefix = prefix };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	*context = 0;
	status = echo_check();
	if (status != INGRESS_OK)
		return echo_create__receive(reply, status, ECHO_WIRE, NULL, 0);
	if (echo_create_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_context_create(ferry_library_echo(), options, 0, ECHO_WIRE, buffer.data, buffer.bytes,
					timeout_ns, context, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_create__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				    reply->private_answer.bytes);
}

/*
 * Start an echo.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_create_submit(const struct ingress_options *options, struct ferry_string prefix,
						     struct echo_create_call *call, ingress_token *context)
{
	struct echo_create_params whole = { .prefix = prefix };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 0, .wire = ECHO_WIRE, .reply = echo_create__done, .user = call };
	enum ingress_status status;

	*context = 0;
	status = echo_check();
	if (status != INGRESS_OK)
		return status;
	if (echo_create_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_context_start(ferry_library_echo(), options, &submitted, context);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Start an echo.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_create_post(const struct ingress_options *options, struct ferry_string prefix,
						   struct ingress_inbox *inbox, uint64_t tag, ingress_token *context)
{
	struct echo_create_params whole = { .prefix = prefix };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 0, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	*context = 0;
	status = echo_check();
	if (status != INGRESS_OK)
		return status;
	if (echo_create_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_context_start(ferry_library_echo(), options, &submitted, context);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- echo ------------------------------------------------------------------ */

/* What echo_echo is answered with. */
struct echo_echo_reply {
	enum ingress_status status;
	struct ferry_string message;	 /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct echo_echo_response value; /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_echo_submit. */
struct echo_echo_call {
	void (*done)(void *user, const struct echo_echo_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_echo_reply_free(struct echo_echo_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_echo__receive(struct echo_echo_reply *reply, enum ingress_status status,
						     uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_echo_response_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_echo_response_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_echo_take(const struct ingress_item *item, struct echo_echo_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_echo__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_echo__done(void *user, const struct ingress_reply *got)
{
	const struct echo_echo_call *call = (const struct echo_echo_call *)user;
	struct echo_echo_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_echo__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Give back a message, after the prefix, when the delay is over. Emits `echoed`.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_echo(ingress_token context, const struct echo_echo_request *request,
					    int64_t timeout_ns, struct echo_echo_reply *reply)
{
	struct echo_echo_params whole = { .request = *request };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_echo_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 2, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_echo__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				  reply->private_answer.bytes);
}

/*
 * Give back a message, after the prefix, when the delay is over. Emits `echoed`.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_echo_submit(ingress_token context, const struct echo_echo_request *request,
						   struct echo_echo_call *call)
{
	struct echo_echo_params whole = { .request = *request };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 2, .wire = ECHO_WIRE, .reply = echo_echo__done, .user = call };
	enum ingress_status status;

	if (echo_echo_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Give back a message, after the prefix, when the delay is over. Emits `echoed`.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_echo_post(ingress_token context, const struct echo_echo_request *request,
						 struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_echo_params whole = { .request = *request };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 2, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_echo_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- complex --------------------------------------------------------------- */

/* What echo_complex is answered with. */
struct echo_complex_reply {
	enum ingress_status status;
	struct ferry_string message;	    /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct echo_complex_response value; /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_complex_submit. */
struct echo_complex_call {
	void (*done)(void *user, const struct echo_complex_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_complex_reply_free(struct echo_complex_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_complex__receive(struct echo_complex_reply *reply, enum ingress_status status,
							uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_complex_response_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_complex_response_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_complex_take(const struct ingress_item *item, struct echo_complex_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_complex__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_complex__done(void *user, const struct ingress_reply *got)
{
	const struct echo_complex_call *call = (const struct echo_complex_call *)user;
	struct echo_complex_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_complex__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Take many things and sum them up.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_complex(ingress_token context, const struct echo_complex_request *request,
					       int64_t timeout_ns, struct echo_complex_reply *reply)
{
	struct echo_complex_params whole = { .request = *request };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_complex_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 3, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_complex__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				     reply->private_answer.bytes);
}

/*
 * Take many things and sum them up.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_complex_submit(ingress_token context, const struct echo_complex_request *request,
						      struct echo_complex_call *call)
{
	struct echo_complex_params whole = { .request = *request };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 3, .wire = ECHO_WIRE, .reply = echo_complex__done, .user = call };
	enum ingress_status status;

	if (echo_complex_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Take many things and sum them up.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_complex_post(ingress_token context, const struct echo_complex_request *request,
						    struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_complex_params whole = { .request = *request };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 3, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_complex_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- bytes ----------------------------------------------------------------- */

/* What echo_bytes is answered with. */
struct echo_bytes_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct ferry_bytes value;    /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_bytes_submit. */
struct echo_bytes_call {
	void (*done)(void *user, const struct echo_bytes_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_bytes_reply_free(struct echo_bytes_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_bytes__receive(struct echo_bytes_reply *reply, enum ingress_status status,
						      uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_bytes_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_bytes_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_bytes_take(const struct ingress_item *item, struct echo_bytes_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_bytes__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_bytes__done(void *user, const struct ingress_reply *got)
{
	const struct echo_bytes_call *call = (const struct echo_bytes_call *)user;
	struct echo_bytes_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_bytes__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Give back the same bytes.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_bytes(ingress_token context, struct ferry_bytes payload, int64_t timeout_ns,
					     struct echo_bytes_reply *reply)
{
	struct echo_bytes_params whole = { .payload = payload };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_bytes_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 4, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_bytes__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				   reply->private_answer.bytes);
}

/*
 * Give back the same bytes.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_bytes_submit(ingress_token context, struct ferry_bytes payload,
						    struct echo_bytes_call *call)
{
	struct echo_bytes_params whole = { .payload = payload };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 4, .wire = ECHO_WIRE, .reply = echo_bytes__done, .user = call };
	enum ingress_status status;

	if (echo_bytes_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Give back the same bytes.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_bytes_post(ingress_token context, struct ferry_bytes payload,
						  struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_bytes_params whole = { .payload = payload };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 4, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_bytes_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- fail ------------------------------------------------------------------ */

/* What echo_fail is answered with. */
struct echo_fail_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_fail_submit. */
struct echo_fail_call {
	void (*done)(void *user, const struct echo_fail_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_fail_reply_free(struct echo_fail_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_fail__receive(struct echo_fail_reply *reply, enum ingress_status status,
						     uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	result = ferry_binding_nothing(wire, data, bytes, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_fail_take(const struct ingress_item *item, struct echo_fail_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_fail__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_fail__done(void *user, const struct ingress_reply *got)
{
	const struct echo_fail_call *call = (const struct echo_fail_call *)user;
	struct echo_fail_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_fail__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Fail with a message.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_fail(ingress_token context, struct ferry_string message, int64_t timeout_ns,
					    struct echo_fail_reply *reply)
{
	struct echo_fail_params whole = { .message = message };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_fail_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 5, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_fail__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				  reply->private_answer.bytes);
}

/*
 * Fail with a message.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_fail_submit(ingress_token context, struct ferry_string message,
						   struct echo_fail_call *call)
{
	struct echo_fail_params whole = { .message = message };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 5, .wire = ECHO_WIRE, .reply = echo_fail__done, .user = call };
	enum ingress_status status;

	if (echo_fail_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Fail with a message.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_fail_post(ingress_token context, struct ferry_string message,
						 struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_fail_params whole = { .message = message };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 5, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_fail_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- all ------------------------------------------------------------------- */

/* What echo_all is answered with. */
struct echo_all_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct echo_all_types value; /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_all_submit. */
struct echo_all_call {
	void (*done)(void *user, const struct echo_all_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_all_reply_free(struct echo_all_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_all__receive(struct echo_all_reply *reply, enum ingress_status status,
						    uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_all_types_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_all_types_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_all_take(const struct ingress_item *item, struct echo_all_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_all__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_all__done(void *user, const struct ingress_reply *got)
{
	const struct echo_all_call *call = (const struct echo_all_call *)user;
	struct echo_all_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_all__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Give back the same value.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_all(ingress_token context, const struct echo_all_types *value_,
					   int64_t timeout_ns, struct echo_all_reply *reply)
{
	struct echo_all_params whole = { .value = *value_ };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_all_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 6, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_all__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				 reply->private_answer.bytes);
}

/*
 * Give back the same value.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_all_submit(ingress_token context, const struct echo_all_types *value_,
						  struct echo_all_call *call)
{
	struct echo_all_params whole = { .value = *value_ };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 6, .wire = ECHO_WIRE, .reply = echo_all__done, .user = call };
	enum ingress_status status;

	if (echo_all_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Give back the same value.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_all_post(ingress_token context, const struct echo_all_types *value_,
						struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_all_params whole = { .value = *value_ };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 6, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_all_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- tree ------------------------------------------------------------------ */

/* What echo_tree is answered with. */
struct echo_tree_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct echo_tree value;	     /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_tree_submit. */
struct echo_tree_call {
	void (*done)(void *user, const struct echo_tree_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_tree_reply_free(struct echo_tree_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_tree__receive(struct echo_tree_reply *reply, enum ingress_status status,
						     uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_tree_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_tree_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_tree_take(const struct ingress_item *item, struct echo_tree_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_tree__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_tree__done(void *user, const struct ingress_reply *got)
{
	const struct echo_tree_call *call = (const struct echo_tree_call *)user;
	struct echo_tree_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_tree__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Give back the same tree.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_tree(ingress_token context, const struct echo_tree *root, int64_t timeout_ns,
					    struct echo_tree_reply *reply)
{
	struct echo_tree_params whole = { .root = *root };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_tree_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 7, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_tree__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				  reply->private_answer.bytes);
}

/*
 * Give back the same tree.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_tree_submit(ingress_token context, const struct echo_tree *root,
						   struct echo_tree_call *call)
{
	struct echo_tree_params whole = { .root = *root };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 7, .wire = ECHO_WIRE, .reply = echo_tree__done, .user = call };
	enum ingress_status status;

	if (echo_tree_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Give back the same tree.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_tree_post(ingress_token context, const struct echo_tree *root,
						 struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_tree_params whole = { .root = *root };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 7, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_tree_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- maybe ----------------------------------------------------------------- */

/* What echo_maybe is answered with. */
struct echo_maybe_reply {
	enum ingress_status status;
	struct ferry_string message;	 /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct echo_option_string value; /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_maybe_submit. */
struct echo_maybe_call {
	void (*done)(void *user, const struct echo_maybe_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_maybe_reply_free(struct echo_maybe_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_maybe__receive(struct echo_maybe_reply *reply, enum ingress_status status,
						      uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_option_string_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_option_string_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_maybe_take(const struct ingress_item *item, struct echo_maybe_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_maybe__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_maybe__done(void *user, const struct ingress_reply *got)
{
	const struct echo_maybe_call *call = (const struct echo_maybe_call *)user;
	struct echo_maybe_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_maybe__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Give back the text or nothing.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_maybe(ingress_token context, struct echo_option_string value_,
					     int64_t timeout_ns, struct echo_maybe_reply *reply)
{
	struct echo_maybe_params whole = { .value = value_ };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_maybe_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 8, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_maybe__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				   reply->private_answer.bytes);
}

/*
 * Give back the text or nothing.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_maybe_submit(ingress_token context, struct echo_option_string value_,
						    struct echo_maybe_call *call)
{
	struct echo_maybe_params whole = { .value = value_ };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 8, .wire = ECHO_WIRE, .reply = echo_maybe__done, .user = call };
	enum ingress_status status;

	if (echo_maybe_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Give back the text or nothing.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_maybe_post(ingress_token context, struct echo_option_string value_,
						  struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_maybe_params whole = { .value = value_ };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 8, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_maybe_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- ticks ----------------------------------------------------------------- */

/* What echo_ticks is answered with. */
struct echo_ticks_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_ticks_submit. */
struct echo_ticks_call {
	void (*done)(void *user, const struct echo_ticks_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_ticks_reply_free(struct echo_ticks_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_ticks__receive(struct echo_ticks_reply *reply, enum ingress_status status,
						      uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	result = ferry_binding_nothing(wire, data, bytes, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_ticks_take(const struct ingress_item *item, struct echo_ticks_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_ticks__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_ticks__done(void *user, const struct ingress_reply *got)
{
	const struct echo_ticks_call *call = (const struct echo_ticks_call *)user;
	struct echo_ticks_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_ticks__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Emit `tick` that many times.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_ticks(ingress_token context, uint32_t count, int64_t timeout_ns,
					     struct echo_ticks_reply *reply)
{
	struct echo_ticks_params whole = { .count = count };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_ticks_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 9, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_ticks__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				   reply->private_answer.bytes);
}

/*
 * Emit `tick` that many times.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_ticks_submit(ingress_token context, uint32_t count, struct echo_ticks_call *call)
{
	struct echo_ticks_params whole = { .count = count };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 9, .wire = ECHO_WIRE, .reply = echo_ticks__done, .user = call };
	enum ingress_status status;

	if (echo_ticks_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Emit `tick` that many times.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_ticks_post(ingress_token context, uint32_t count, struct ingress_inbox *inbox,
						  uint64_t tag)
{
	struct echo_ticks_params whole = { .count = count };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 9, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_ticks_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- open ------------------------------------------------------------------ */

/* What echo_open is answered with. */
struct echo_open_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct echo_reader value;    /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_open_submit. */
struct echo_open_call {
	void (*done)(void *user, const struct echo_open_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_open_reply_free(struct echo_open_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_open__receive(struct echo_open_reply *reply, enum ingress_status status,
						     uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_reader_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_reader_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_open_take(const struct ingress_item *item, struct echo_open_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_open__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_open__done(void *user, const struct ingress_reply *got)
{
	const struct echo_open_call *call = (const struct echo_open_call *)user;
	struct echo_open_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_open__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Open a reader of a text.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_open(ingress_token context, struct ferry_string text, int64_t timeout_ns,
					    struct echo_open_reply *reply)
{
	struct echo_open_params whole = { .text = text };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_open_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 10, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_open__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				  reply->private_answer.bytes);
}

/*
 * Open a reader of a text.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_open_submit(ingress_token context, struct ferry_string text,
						   struct echo_open_call *call)
{
	struct echo_open_params whole = { .text = text };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 10, .wire = ECHO_WIRE, .reply = echo_open__done, .user = call };
	enum ingress_status status;

	if (echo_open_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Open a reader of a text.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_open_post(ingress_token context, struct ferry_string text,
						 struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_open_params whole = { .text = text };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 10, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_open_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- read ------------------------------------------------------------------ */

/* What echo_read is answered with. */
struct echo_read_reply {
	enum ingress_status status;
	struct ferry_string message;	 /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct echo_option_string value; /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_read_submit. */
struct echo_read_call {
	void (*done)(void *user, const struct echo_read_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_read_reply_free(struct echo_read_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_read__receive(struct echo_read_reply *reply, enum ingress_status status,
						     uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_option_string_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_option_string_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_read_take(const struct ingress_item *item, struct echo_read_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_read__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_read__done(void *user, const struct ingress_reply *got)
{
	const struct echo_read_call *call = (const struct echo_read_call *)user;
	struct echo_read_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_read__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Read on. Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_read(ingress_token context, struct echo_reader reader, uint32_t bytes_max,
					    int64_t timeout_ns, struct echo_read_reply *reply)
{
	struct echo_read_params whole = { .reader = reader, .bytes_max = bytes_max };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_read_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 11, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_read__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				  reply->private_answer.bytes);
}

/*
 * Read on. Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_read_submit(ingress_token context, struct echo_reader reader, uint32_t bytes_max,
						   struct echo_read_call *call)
{
	struct echo_read_params whole = { .reader = reader, .bytes_max = bytes_max };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 11, .wire = ECHO_WIRE, .reply = echo_read__done, .user = call };
	enum ingress_status status;

	if (echo_read_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Read on. Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_read_post(ingress_token context, struct echo_reader reader, uint32_t bytes_max,
						 struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_read_params whole = { .reader = reader, .bytes_max = bytes_max };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 11, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_read_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- close ----------------------------------------------------------------- */

/* What echo_close is answered with. */
struct echo_close_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_close_submit. */
struct echo_close_call {
	void (*done)(void *user, const struct echo_close_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_close_reply_free(struct echo_close_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_close__receive(struct echo_close_reply *reply, enum ingress_status status,
						      uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	result = ferry_binding_nothing(wire, data, bytes, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_close_take(const struct ingress_item *item, struct echo_close_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_close__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_close__done(void *user, const struct ingress_reply *got)
{
	const struct echo_close_call *call = (const struct echo_close_call *)user;
	struct echo_close_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_close__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Close a reader. Whoever uses it afterwards is refused.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_close(ingress_token context, struct echo_reader reader, int64_t timeout_ns,
					     struct echo_close_reply *reply)
{
	struct echo_close_params whole = { .reader = reader };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	if (echo_close_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 12, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_close__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				   reply->private_answer.bytes);
}

/*
 * Close a reader. Whoever uses it afterwards is refused.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_close_submit(ingress_token context, struct echo_reader reader,
						    struct echo_close_call *call)
{
	struct echo_close_params whole = { .reader = reader };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 12, .wire = ECHO_WIRE, .reply = echo_close__done, .user = call };
	enum ingress_status status;

	if (echo_close_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Close a reader. Whoever uses it afterwards is refused.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_close_post(ingress_token context, struct echo_reader reader,
						  struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_close_params whole = { .reader = reader };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 12, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	enum ingress_status status;

	if (echo_close_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/* ---- version --------------------------------------------------------------- */

/* What echo_version is answered with. */
struct echo_version_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	struct ferry_string value;   /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_version_submit. */
struct echo_version_call {
	void (*done)(void *user, const struct echo_version_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_version_reply_free(struct echo_version_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_version__receive(struct echo_version_reply *reply, enum ingress_status status,
							uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_string_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_string_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_version_take(const struct ingress_item *item, struct echo_version_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_version__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_version__done(void *user, const struct ingress_reply *got)
{
	const struct echo_version_call *call = (const struct echo_version_call *)user;
	struct echo_version_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_version__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * The version of the library.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_version(int64_t timeout_ns, struct echo_version_reply *reply)
{
	const void *data;
	size_t bytes = ferry_binding_no_parameters(ECHO_WIRE, &data);
	ingress_token context;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	status = echo_check();
	if (status == INGRESS_OK)
		status = ingress_static_context(ferry_library_echo(), &context);
	if (status != INGRESS_OK)
		return echo_version__receive(reply, status, ECHO_WIRE, NULL, 0);
	status = ingress_ask(context, 13, ECHO_WIRE, data, bytes, timeout_ns, &reply->private_answer);
	return echo_version__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				     reply->private_answer.bytes);
}

/*
 * The version of the library.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_version_submit(struct echo_version_call *call)
{
	struct ingress_call submitted = { .method = 13, .wire = ECHO_WIRE, .reply = echo_version__done, .user = call };
	ingress_token context;
	enum ingress_status status;

	status = echo_check();
	if (status == INGRESS_OK)
		status = ingress_static_context(ferry_library_echo(), &context);
	if (status != INGRESS_OK)
		return status;
	submitted.bytes = ferry_binding_no_parameters(ECHO_WIRE, &submitted.data);
	status = ingress_submit(context, &submitted);
	return status;
}

/*
 * The version of the library.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_version_post(struct ingress_inbox *inbox, uint64_t tag)
{
	struct ingress_call submitted = { .method = 13, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	ingress_token context;
	enum ingress_status status;

	status = echo_check();
	if (status == INGRESS_OK)
		status = ingress_static_context(ferry_library_echo(), &context);
	if (status != INGRESS_OK)
		return status;
	submitted.bytes = ferry_binding_no_parameters(ECHO_WIRE, &submitted.data);
	status = ingress_submit(context, &submitted);
	return status;
}

/* ---- sum ------------------------------------------------------------------- */

/* What echo_sum is answered with. */
struct echo_sum_reply {
	enum ingress_status status;
	struct ferry_string message; /* why, unless status is INGRESS_OK; ends with a zero byte */
	int64_t value;		     /* if status is INGRESS_OK */
	struct ferry_memory private_memory;
	struct ingress_answer private_answer;
};

/* Who takes the reply of echo_sum_submit. */
struct echo_sum_call {
	void (*done)(void *user, const struct echo_sum_reply *reply);
	void *user;
};

/* End a reply; allowed on zeros, and twice. */
static inline void echo_sum_reply_free(struct echo_sum_reply *reply)
{
	ferry_memory_free(&reply->private_memory);
	ingress_answer_release(&reply->private_answer);
	memset(reply, 0, sizeof(*reply));
}

static inline enum ingress_status echo_sum__receive(struct echo_sum_reply *reply, enum ingress_status status,
						    uint32_t wire, const void *data, size_t bytes)
{
	struct ferry_wire_error error;
	int result;

	reply->status = status;
	if (status != INGRESS_OK)
		return ferry_binding_message(status, data, bytes, &reply->message, &reply->private_memory);
	if (wire == INGRESS_WIRE_C)
		result = echo_i64_borrow_c(data, bytes, &reply->value, &reply->private_memory, &error);
	else
		result = echo_i64_decode_cbor(data, bytes, &reply->value, &reply->private_memory, &error);
	if (ferry_unlikely(result))
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
	return reply->status;
}

/* Take a reply out of an item of an inbox; strings may point into the item, so release that after the reply. */
static inline enum ingress_status echo_sum_take(const struct ingress_item *item, struct echo_sum_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return echo_sum__receive(reply, (enum ingress_status)item->status, item->wire, item->data, item->bytes);
}

static inline void echo_sum__done(void *user, const struct ingress_reply *got)
{
	const struct echo_sum_call *call = (const struct echo_sum_call *)user;
	struct echo_sum_reply reply;

	memset(&reply, 0, sizeof(reply));
	echo_sum__receive(&reply, got->status, got->wire, got->data, got->bytes);
	call->done(call->user, &reply);
	ferry_memory_free(&reply.private_memory);
}

/*
 * Add two numbers, wrapping around.
 *
 * Waits for the reply.
 */
static inline enum ingress_status echo_sum(int64_t left, int64_t right, int64_t timeout_ns,
					   struct echo_sum_reply *reply)
{
	struct echo_sum_params whole = { .left = left, .right = right };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	ingress_token context;
	enum ingress_status status;

	memset(reply, 0, sizeof(*reply));
	status = echo_check();
	if (status == INGRESS_OK)
		status = ingress_static_context(ferry_library_echo(), &context);
	if (status != INGRESS_OK)
		return echo_sum__receive(reply, status, ECHO_WIRE, NULL, 0);
	if (echo_sum_params__encode(ECHO_WIRE, &whole, &buffer, &error)) {
		reply->status = ferry_binding_wire_error(&error, &reply->message, &reply->private_memory);
		return reply->status;
	}
	status = ingress_ask(context, 14, ECHO_WIRE, buffer.data, buffer.bytes, timeout_ns, &reply->private_answer);
	ferry_buffer_free(&buffer);
	return echo_sum__receive(reply, status, reply->private_answer.wire, reply->private_answer.data,
				 reply->private_answer.bytes);
}

/*
 * Add two numbers, wrapping around.
 *
 * Returns at once; call->done gets the reply.
 */
static inline enum ingress_status echo_sum_submit(int64_t left, int64_t right, struct echo_sum_call *call)
{
	struct echo_sum_params whole = { .left = left, .right = right };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 14, .wire = ECHO_WIRE, .reply = echo_sum__done, .user = call };
	ingress_token context;
	enum ingress_status status;

	status = echo_check();
	if (status == INGRESS_OK)
		status = ingress_static_context(ferry_library_echo(), &context);
	if (status != INGRESS_OK)
		return status;
	if (echo_sum_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * Add two numbers, wrapping around.
 *
 * Returns at once; the inbox gets the reply.
 */
static inline enum ingress_status echo_sum_post(int64_t left, int64_t right, struct ingress_inbox *inbox, uint64_t tag)
{
	struct echo_sum_params whole = { .left = left, .right = right };
	uint64_t room[FERRY_BINDING_WORDS];
	struct ferry_buffer buffer = ferry_buffer_on(room, sizeof(room));
	struct ferry_wire_error error;
	struct ingress_call submitted = { .method = 14, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };
	ingress_token context;
	enum ingress_status status;

	status = echo_check();
	if (status == INGRESS_OK)
		status = ingress_static_context(ferry_library_echo(), &context);
	if (status != INGRESS_OK)
		return status;
	if (echo_sum_params__encode(ECHO_WIRE, &whole, &buffer, &error))
		return ferry_binding_not_encoded(&error);
	ferry_binding_hand_over(&buffer, &submitted);
	status = ingress_submit(context, &submitted);
	ferry_buffer_free(&buffer);
	return status;
}

/*
 * End an echo.
 *
 * Ends a context, as ingress_context_destroy does. When it has returned INGRESS_OK nothing of it runs.
 */
static inline enum ingress_status echo_destroy(ingress_token context, int64_t timeout_ns)
{
	return ingress_context_destroy(context, timeout_ns);
}

/* ---- the event tick -------------------------------------------------------- */

/*
 * Something happened.
 *
 * An event, as a listener gets it.
 */
struct echo_tick_event {
	enum ingress_status status;  /* INGRESS_OK, or why the event could not be decoded */
	struct ferry_string message; /* why, unless status is INGRESS_OK */
	uint64_t lost;		     /* how many were lost since the one before */
	struct ferry_memory private_memory;
};

/*
 * Who takes the events. It has to stay until ingress_unlisten or its context's end has returned; where it has a
 * `release`, until that is called.
 */
struct echo_tick_listener {
	void (*notify)(void *user, const struct echo_tick_event *event); /* on the event thread; may call and wait */
	void *user;
	void (*release)(void *user); /* once, when notify does not run and never will, as ingress_end_fn; or NULL */
};

static inline void echo_tick_event__receive(struct echo_tick_event *event, uint32_t wire, const void *data,
					    size_t bytes, uint64_t lost)
{
	struct ferry_wire_error error;
	int result;

	memset(event, 0, sizeof(*event));
	event->lost = lost;
	result = ferry_binding_nothing(wire, data, bytes, &error);
	if (ferry_unlikely(result))
		event->status = ferry_binding_wire_error(&error, &event->message, &event->private_memory);
}

static inline void echo_tick_event__notify(void *user, const struct ingress_event *got)
{
	const struct echo_tick_listener *listener = (const struct echo_tick_listener *)user;
	struct echo_tick_event event;

	echo_tick_event__receive(&event, got->wire, got->data, got->bytes, got->lost);
	listener->notify(listener->user, &event);
	ferry_memory_free(&event.private_memory);
}

/* The last that is done with a listener: it may lie in what `release` frees. */
static inline void echo_tick_event__release(void *user)
{
	const struct echo_tick_listener *listener = (const struct echo_tick_listener *)user;

	listener->release(listener->user);
}

/* End an event that was taken out of an inbox. */
static inline void echo_tick_event_free(struct echo_tick_event *event)
{
	ferry_memory_free(&event->private_memory);
}

/* Take an event out of an item of an inbox; strings may point into the item, so release that after the event. */
static inline enum ingress_status echo_take_tick(const struct ingress_item *item, struct echo_tick_event *event)
{
	echo_tick_event__receive(event, item->wire, item->data, item->bytes, item->lost);
	return event->status;
}

/*
 * Something happened.
 *
 * Has listener->notify called for each from now on, until ingress_unlisten(context, *id). Its `release` is called
 * whatever becomes of it: before this returns when listening is refused.
 */
static inline enum ingress_status echo_on_tick(ingress_token context, struct echo_tick_listener *listener, uint64_t *id)
{
	const struct ingress_listener asked = { .event = 0,
						.wire = ECHO_WIRE,
						.notify = echo_tick_event__notify,
						.user = listener,
						.release = listener->release ? echo_tick_event__release : NULL };

	return ingress_listen(context, &asked, id);
}

/*
 * Something happened.
 *
 * Has each put into an inbox under this tag from now on, for echo_take_tick.
 */
static inline enum ingress_status echo_post_tick(ingress_token context, struct ingress_inbox *inbox, uint64_t tag,
						 uint64_t *id)
{
	const struct ingress_listener asked = { .event = 0, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };

	return ingress_listen(context, &asked, id);
}

/* ---- the event echoed ------------------------------------------------------ */

/*
 * An echo was given.
 *
 * An event, as a listener gets it.
 */
struct echo_echoed_event {
	enum ingress_status status;  /* INGRESS_OK, or why the event could not be decoded */
	struct ferry_string message; /* why, unless status is INGRESS_OK */
	uint64_t lost;		     /* how many were lost since the one before */
	struct echo_echo_response value;
	struct ferry_memory private_memory;
};

/*
 * Who takes the events. It has to stay until ingress_unlisten or its context's end has returned; where it has a
 * `release`, until that is called.
 */
struct echo_echoed_listener {
	void (*notify)(void *user, const struct echo_echoed_event *event); /* on the event thread; may call and wait */
	void *user;
	void (*release)(void *user); /* once, when notify does not run and never will, as ingress_end_fn; or NULL */
};

static inline void echo_echoed_event__receive(struct echo_echoed_event *event, uint32_t wire, const void *data,
					      size_t bytes, uint64_t lost)
{
	struct ferry_wire_error error;
	int result;

	memset(event, 0, sizeof(*event));
	event->lost = lost;
	if (wire == INGRESS_WIRE_C)
		result = echo_echo_response_borrow_c(data, bytes, &event->value, &event->private_memory, &error);
	else
		result = echo_echo_response_decode_cbor(data, bytes, &event->value, &event->private_memory, &error);
	if (ferry_unlikely(result))
		event->status = ferry_binding_wire_error(&error, &event->message, &event->private_memory);
}

static inline void echo_echoed_event__notify(void *user, const struct ingress_event *got)
{
	const struct echo_echoed_listener *listener = (const struct echo_echoed_listener *)user;
	struct echo_echoed_event event;

	echo_echoed_event__receive(&event, got->wire, got->data, got->bytes, got->lost);
	listener->notify(listener->user, &event);
	ferry_memory_free(&event.private_memory);
}

/* The last that is done with a listener: it may lie in what `release` frees. */
static inline void echo_echoed_event__release(void *user)
{
	const struct echo_echoed_listener *listener = (const struct echo_echoed_listener *)user;

	listener->release(listener->user);
}

/* End an event that was taken out of an inbox. */
static inline void echo_echoed_event_free(struct echo_echoed_event *event)
{
	ferry_memory_free(&event->private_memory);
}

/* Take an event out of an item of an inbox; strings may point into the item, so release that after the event. */
static inline enum ingress_status echo_take_echoed(const struct ingress_item *item, struct echo_echoed_event *event)
{
	echo_echoed_event__receive(event, item->wire, item->data, item->bytes, item->lost);
	return event->status;
}

/*
 * An echo was given.
 *
 * Has listener->notify called for each from now on, until ingress_unlisten(context, *id). Its `release` is called
 * whatever becomes of it: before this returns when listening is refused.
 */
static inline enum ingress_status echo_on_echoed(ingress_token context, struct echo_echoed_listener *listener,
						 uint64_t *id)
{
	const struct ingress_listener asked = { .event = 1,
						.wire = ECHO_WIRE,
						.notify = echo_echoed_event__notify,
						.user = listener,
						.release = listener->release ? echo_echoed_event__release : NULL };

	return ingress_listen(context, &asked, id);
}

/*
 * An echo was given.
 *
 * Has each put into an inbox under this tag from now on, for echo_take_echoed.
 */
static inline enum ingress_status echo_post_echoed(ingress_token context, struct ingress_inbox *inbox, uint64_t tag,
						   uint64_t *id)
{
	const struct ingress_listener asked = { .event = 1, .wire = ECHO_WIRE, .inbox = inbox, .tag = tag };

	return ingress_listen(context, &asked, id);
}

#endif /* ECHO_H */
