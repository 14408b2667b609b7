/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that run one after another, of which later ones take results of earlier ones (spec/interface.md, C1 to C9):
 * one crossing, or one round trip, for all. The header that `ferry bindgen --lang c` writes for a library has a
 * function NAME_METHOD_chain for each method, which appends a call, and NAME_METHOD_result, which takes its reply.
 * Programs include that header, not this one.
 *
 * A chain is used by one thread at a time, and asked once; then nothing more can be appended. What goes wrong while it
 * is made is kept: ferry_chain_ask returns it and nothing runs, so what appends needs no check of its own.
 */
#ifndef FERRY_CHAIN_H
#define FERRY_CHAIN_H

#include <ferry/binding.h>
#include <ferry/wire_cbor.h>

#define FERRY_CHAIN_TEXT_BYTES (FERRY_WIRE_PATH_BYTES + 96)

struct ferry_chain {
	enum ingress_status status;	      /* of the chain: why it cannot be asked, or what asking it returned */
	char message[FERRY_CHAIN_TEXT_BYTES]; /* why, unless status is INGRESS_OK */
	ingress_token private_context;
	bool private_asked;
	uint32_t private_count, private_link_count;
	struct ingress_call private_calls[INGRESS_CHAIN_MAX]; /* whose payloads are the chain's, from malloc */
	struct ingress_answer private_answers[INGRESS_CHAIN_MAX];
	struct ingress_link private_links[INGRESS_LINKS_MAX];
	char *private_paths[INGRESS_LINKS_MAX]; /* what the links' paths point to, from malloc */
};

/* Make an empty chain of calls of a context. NULL: there is no memory. It ends with ferry_chain_free. */
static inline struct ferry_chain *ferry_chain_create(ingress_token context)
{
	struct ferry_chain *chain = (struct ferry_chain *)calloc(1, sizeof(*chain));

	if (chain)
		chain->private_context = context;
	return chain;
}

/* End a chain; replies that were taken stay. NULL is allowed. */
static inline void ferry_chain_free(struct ferry_chain *chain)
{
	if (!chain)
		return;
	for (uint32_t i = 0; i < chain->private_count; i++) {
		free((void *)(uintptr_t)chain->private_calls[i].data);
		ingress_answer_release(&chain->private_answers[i]);
	}
	for (uint32_t i = 0; i < chain->private_link_count; i++)
		free(chain->private_paths[i]);
	free(chain);
}

/* Keep the first thing that goes wrong until the chain was asked; what comes later spoils no result. Returns -1. */
static inline int ferry_chain__fail(struct ferry_chain *chain, enum ingress_status status, int call, const char *text)
{
	if (chain->status != INGRESS_OK || chain->private_asked)
		return -1;
	chain->status = status;
	if (call < 0)
		snprintf(chain->message, sizeof(chain->message), "%s", text);
	else
		snprintf(chain->message, sizeof(chain->message), "request %d: %s", call, text);
	return -1;
}

/* Append a call, whose payload is in format cbor and now the chain's. Returns its number, or -1. */
static inline int ferry_chain__add(struct ferry_chain *chain, uint32_t method, struct ferry_buffer *payload)
{
	const uint32_t number = chain->private_count;
	struct ingress_call *call = &chain->private_calls[number];

	if (number == INGRESS_CHAIN_MAX)
		ferry_chain__fail(chain, INGRESS_BAD_ARGUMENT, (int)number, "a chain has at most 64 calls");
	if (chain->status != INGRESS_OK || chain->private_asked) {
		ferry_buffer_free(payload);
		return -1;
	}
	call->method = method;
	call->wire = INGRESS_WIRE_CBOR;
	call->data = payload->data;
	call->bytes = payload->bytes;
	chain->private_count++;
	return (int)number;
}

/* The same, for a call without parameters. */
static inline int ferry_chain__add_plain(struct ferry_chain *chain, uint32_t method)
{
	struct ferry_buffer payload = { NULL, 0, 0, false };

	if (ferry_buffer_reserve(&payload, 1))
		return ferry_chain__fail(chain, INGRESS_NO_MEMORY, (int)chain->private_count, "no memory");
	payload.data[0] = 0xa0; /* the empty map (I6) */
	payload.bytes = 1;
	return ferry_chain__add(chain, method, &payload);
}

/* Why a call could not be appended: its arguments cannot be encoded. Returns -1. */
static inline int ferry_chain__not_encoded(struct ferry_chain *chain, const struct ferry_wire_error *error)
{
	char text[FERRY_WIRE_PATH_BYTES + 64];

	ferry_wire_error_format(error, text, sizeof(text));
	return ferry_chain__fail(chain, ferry_binding_not_encoded(error), (int)chain->private_count, text);
}

/* Go to the value of a key in the map that is next. Returns 0, or -1 when there is none. */
static inline int ferry_chain__go_to_key(struct ferry_cbor_reader *reader, const char *name, size_t bytes)
{
	struct ferry_cbor_count members;
	struct ferry_string key;

	if (ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &members))
		return -1;
	for (;;) {
		if (ferry_cbor_more(reader, &members) <= 0 || ferry_cbor_read_string(reader, &key))
			return -1;
		if (key.bytes == bytes && !memcmp(key.data, name, bytes))
			return 0;
		if (ferry_cbor_skip(reader))
			return -1;
	}
}

/* Go to an element of the array that is next, likewise. */
static inline int ferry_chain__go_to_element(struct ferry_cbor_reader *reader, unsigned long index)
{
	struct ferry_cbor_count elements;

	if (ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &elements))
		return -1;
	for (;; index--) {
		if (ferry_cbor_more(reader, &elements) <= 0)
			return -1;
		if (!index)
			return 0;
		if (ferry_cbor_skip(reader))
			return -1;
	}
}

/* Find an argument, or a part of one, in a request: where its value begins and ends. Returns 0, or -1 if it is not. */
static inline int ferry_chain__find(const struct ingress_call *call, const char *argument, size_t *begin, size_t *end)
{
	struct ferry_cbor_reader reader;
	struct ferry_wire_error error;
	struct ferry_memory memory;
	const char *at = argument;
	char *behind;

	if (ferry_cbor_begin(&reader, call->data, call->bytes, false, 0, &memory, &error))
		return -1;
	for (;; at += *at == '.') {
		if (*at == '[') {
			if (at[1] < '0' || at[1] > '9' ||
			    ferry_chain__go_to_element(&reader, strtoul(at + 1, &behind, 10)) || *behind != ']')
				return -1;
			at = behind + 1;
		} else {
			const size_t bytes = strcspn(at, ".[");

			if (ferry_chain__go_to_key(&reader, at, bytes))
				return -1;
			at += bytes;
		}
		if (!*at)
			break;
		if (*at != '.' && *at != '[')
			return -1;
	}
	*begin = (size_t)(reader.at - reader.data);
	if (ferry_cbor_skip(&reader))
		return -1;
	*end = (size_t)(reader.at - reader.data);
	return 0;
}

/* Replace bytes [begin, end) of a request by null, and move the places behind them. */
static inline void ferry_chain__put_null(struct ferry_chain *chain, int number, size_t begin, size_t end)
{
	struct ingress_call *call = &chain->private_calls[number];
	uint8_t *data = (uint8_t *)(uintptr_t)call->data;
	const size_t shorter = end - begin - 1;

	ferry_cbor_put_null(data + begin);
	memmove(data + begin + 1, data + end, call->bytes - end);
	call->bytes -= shorter;
	for (uint32_t i = 0; i < chain->private_link_count; i++)
		if (chain->private_links[i].request == (uint32_t)number && chain->private_links[i].place > begin)
			chain->private_links[i].place -= (uint32_t)shorter;
}

/* Add a link, with a copy of its path. Returns 0, or -1 when there are too many, or no memory. */
static inline int ferry_chain__link(struct ferry_chain *chain, int number, int source, enum ingress_link_kind kind,
				    size_t place, const char *path)
{
	const uint32_t index = chain->private_link_count;
	const size_t bytes = strlen(path);
	char *copy;

	if (index == INGRESS_LINKS_MAX)
		return ferry_chain__fail(chain, INGRESS_BAD_ARGUMENT, number, "a chain has at most 256 links");
	copy = (char *)malloc(bytes + 1);
	if (!copy)
		return ferry_chain__fail(chain, INGRESS_NO_MEMORY, number, "no memory");
	memcpy(copy, path, bytes + 1);
	chain->private_paths[index] = copy;
	chain->private_links[index] = (struct ingress_link){
		(uint32_t)number, (uint32_t)source, (uint32_t)kind, (uint32_t)place, copy, (uint32_t)bytes,
	};
	chain->private_link_count++;
	return 0;
}

/* Whether `number` is a call of the chain, and `source` one before it. */
static inline bool ferry_chain__is_pair(struct ferry_chain *chain, int number, int source)
{
	if (chain->status != INGRESS_OK || chain->private_asked)
		return false;
	if (number < 0 || number >= (int)chain->private_count || source < 0 || source >= number) {
		ferry_chain__fail(chain, INGRESS_BAD_ARGUMENT, number, "it can only need an earlier call of the chain");
		return false;
	}
	return true;
}

/* What ferry_chain_take does, with a link of either kind. */
static inline int ferry_chain__take(struct ferry_chain *chain, int number, const char *argument, int source,
				    const char *path, enum ingress_link_kind kind)
{
	char text[FERRY_WIRE_PATH_BYTES];
	size_t begin, end;

	if (!ferry_chain__is_pair(chain, number, source))
		return -1;
	if (ferry_chain__find(&chain->private_calls[number], argument, &begin, &end)) {
		snprintf(text, sizeof(text), "'%.64s' is no argument of it, or is an option without a value", argument);
		return ferry_chain__fail(chain, INGRESS_BAD_ARGUMENT, number, text);
	}
	ferry_chain__put_null(chain, number, begin, end);
	return ferry_chain__link(chain, number, source, kind, begin, path);
}

/*
 * Have call `number` take an argument from the result of call `source`, in place of the one that it was appended with.
 * `argument` is its name in the description of the library, or the path of a part of it: "reader", "request.message",
 * "notes[0].place.shelf", where a case of a variant is a field, and so is a key of a map whose keys are texts. What is
 * replaced has to be there, so an option needs some value, a variant that case, and a map that key. `path` is where in
 * the result it is: "" for the whole, "note.title", "notes[3].id"; if it is not there, or a variant has another case,
 * the call fails (INGRESS_BAD_PAYLOAD). Returns 0 or -1.
 */
static inline int ferry_chain_take(struct ferry_chain *chain, int number, const char *argument, int source,
				   const char *path)
{
	return ferry_chain__take(chain, number, argument, source, path, INGRESS_LINK_FIELD);
}

/* As ferry_chain_take, where argument and field are options: an absent field makes the argument absent. */
static inline int ferry_chain_take_option(struct ferry_chain *chain, int number, const char *argument, int source,
					  const char *path)
{
	return ferry_chain__take(chain, number, argument, source, path, INGRESS_LINK_OPTION);
}

/* Have call `number` run only if call `source` has succeeded, though it takes nothing from it. Returns 0 or -1. */
static inline int ferry_chain_after(struct ferry_chain *chain, int number, int source)
{
	if (!ferry_chain__is_pair(chain, number, source))
		return -1;
	return ferry_chain__link(chain, number, source, INGRESS_LINK_AFTER, 0, "");
}

/* The order that C3 asks for. */
static inline int ferry_chain__compare(const void *left, const void *right)
{
	const struct ingress_link *a = (const struct ingress_link *)left, *b = (const struct ingress_link *)right;
	const bool a_last = a->kind == INGRESS_LINK_AFTER, b_last = b->kind == INGRESS_LINK_AFTER;

	if (a->request != b->request)
		return a->request < b->request ? -1 : 1;
	if (a_last != b_last)
		return a_last ? 1 : -1;
	return (a->place > b->place) - (a->place < b->place);
}

/*
 * Submit the calls, and wait until each has its reply, at most timeout_ns (INGRESS_FOREVER: without limit). A call to
 * which the library comes later does not run. Returns INGRESS_OK, and each call has a status of its own, which
 * NAME_METHOD_result returns; or why nothing ran, which chain->message says. INGRESS_BAD_ARGUMENT: it was asked before.
 */
static inline enum ingress_status ferry_chain_ask(struct ferry_chain *chain, int64_t timeout_ns)
{
	struct ingress_refusal refusal = { UINT32_MAX, UINT32_MAX, "" };
	enum ingress_status status;

	if (chain->private_asked)
		return INGRESS_BAD_ARGUMENT;
	if (!chain->private_count)
		ferry_chain__fail(chain, INGRESS_BAD_ARGUMENT, -1, "the chain has no calls");
	if (chain->status != INGRESS_OK)
		return chain->status;
	qsort(chain->private_links, chain->private_link_count, sizeof(chain->private_links[0]), ferry_chain__compare);
	status = ingress_ask_chain(chain->private_context, chain->private_calls, chain->private_count,
				   chain->private_links, chain->private_link_count, timeout_ns, chain->private_answers,
				   &refusal);
	if (status != INGRESS_OK)
		ferry_chain__fail(chain, status, refusal.request == UINT32_MAX ? -1 : (int)refusal.request,
				  *refusal.text ? refusal.text : ingress_status_text(status));
	chain->private_asked = true;
	return status;
}

/* Hand the answer to a call over, once. Returns the status that the call has without one: INGRESS_BAD_ARGUMENT. */
static inline enum ingress_status ferry_chain__answer(struct ferry_chain *chain, int number, uint32_t method,
						      struct ingress_answer *answer)
{
	if (!chain->private_asked || chain->status != INGRESS_OK || number < 0 || number >= (int)chain->private_count ||
	    chain->private_calls[number].method != method)
		return chain->status != INGRESS_OK ? chain->status : INGRESS_BAD_ARGUMENT;
	*answer = chain->private_answers[number];
	memset(&chain->private_answers[number], 0, sizeof(chain->private_answers[number]));
	chain->private_answers[number].status = INGRESS_BAD_ARGUMENT;
	return answer->status;
}

#endif /* FERRY_CHAIN_H */
