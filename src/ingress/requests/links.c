/* SPDX-License-Identifier: BSD-3-Clause */
/* See links.h. */
#include "ingress/requests/links.h"

#include <ferry/wire_cbor_items.h>

#include <string.h>

/* ---- checking ---------------------------------------------------------------------------------------------------- */

/* Take one segment of a path, a name or [index], as the place after it; NULL: it is none. A name has no index. */
static const char *take_segment(const char *at, const char *end, bool is_first, const char **name, uint64_t *index)
{
	const char *from;

	*name = NULL;
	*index = 0;
	if (*at == '[') {
		for (from = ++at; at < end && *at >= '0' && *at <= '9' && at - from < 10; at++)
			*index = *index * 10 + (uint64_t)(*at - '0');
		return at > from && at < end && *at == ']' ? at + 1 : NULL;
	}
	if (!is_first && *at++ != '.')
		return NULL;
	for (from = at; at < end && *at != '.' && *at != '['; at++)
		if (*at == ']' || !*at)
			return NULL;
	*name = from;
	return at > from ? at : NULL;
}

static bool is_path(const char *path, size_t bytes)
{
	const char *at = path, *end = at + bytes, *name;
	uint64_t index;

	if (!bytes)
		return true;
	while (at && at < end)
		at = take_segment(at, end, at == path, &name, &index);
	return at;
}

static const char *wrong_link(const struct ingress_call *calls, size_t count, const struct ingress_link *link,
			      const struct ingress_link *before)
{
	const struct ingress_call *call;

	if (link->request >= count)
		return "there is no request with that number in the chain";
	if (link->source >= link->request)
		return "the source of a link is not an earlier request of the chain";
	if (before && before->request > link->request)
		return "the links are not sorted by their requests";
	before = before && before->request == link->request ? before : NULL;
	if (link->kind == INGRESS_LINK_AFTER)
		return link->place || link->path_bytes ? "a link that takes nothing has a place or a path" : NULL;
	if (link->kind > INGRESS_LINK_AFTER)
		return "there is no such kind of link";
	if (before && (before->kind == INGRESS_LINK_AFTER || before->place >= link->place))
		return "the links of a request are not sorted by their places";
	if (link->path_bytes > INGRESS_PATH_MAX || (link->path_bytes && !link->path) ||
	    !is_path(link->path, link->path_bytes))
		return "the path is none, or too long";
	call = &calls[link->request];
	if (call->wire != INGRESS_WIRE_CBOR || calls[link->source].wire != INGRESS_WIRE_CBOR)
		return "a request that takes a field, or that it is taken from, is not in format cbor";
	if (link->place >= call->bytes || ((const uint8_t *)call->data)[link->place] != FERRY_CBOR_NULL)
		return "there is no null where the field belongs";
	return NULL;
}

bool ingress__links_check(const struct ingress_call *calls, size_t count, const struct ingress_link *links,
			  size_t link_count, struct ingress_refusal *error)
{
	for (size_t i = 0; i < link_count; i++) {
		const char *text = wrong_link(calls, count, &links[i], i ? &links[i - 1] : NULL);

		if (!text)
			continue;
		*error = (struct ingress_refusal){ links[i].request, (uint32_t)i, text };
		return false;
	}
	return true;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* Go to the value of a key in the map that is next: 1, 0 (there is none) or -1. */
static int find_key(struct ferry_cbor_reader *reader, const char *name, size_t bytes)
{
	struct ferry_cbor_count pairs;
	int more;

	if (ferry_cbor_open(reader, FERRY_CBOR_MAP, 2, &pairs))
		return -1;
	while ((more = ferry_cbor_more(reader, &pairs)) > 0) {
		const uint8_t *key = reader->at;
		struct ferry_cbor_head head;

		if (ferry_cbor_take_head(reader, &head))
			return -1;
		if (head.major == FERRY_CBOR_TEXT && head.info != FERRY_CBOR_INDEFINITE && head.value == bytes &&
		    bytes <= (size_t)(reader->end - reader->at) && !memcmp(reader->at, name, bytes)) {
			reader->at += bytes;
			return 1;
		}
		reader->at = key;
		/* the key, and then its value */
		if (ferry_cbor_skip(reader))
			return -1;
		if (ferry_cbor_skip(reader))
			return -1;
	}
	return more;
}

/* Go to an element of the array that is next, likewise. */
static int find_element(struct ferry_cbor_reader *reader, uint64_t index)
{
	struct ferry_cbor_count elements;
	int more;

	if (ferry_cbor_open(reader, FERRY_CBOR_ARRAY, 1, &elements))
		return -1;
	while ((more = ferry_cbor_more(reader, &elements)) > 0 && index--)
		if (ferry_cbor_skip(reader))
			return -1;
	return more;
}

struct ingress__field ingress__link_find(const struct ingress_link *link, const void *result, size_t bytes)
{
	static const uint8_t null = FERRY_CBOR_NULL;
	struct ferry_memory memory;
	struct ferry_wire_error error = { 0 };
	struct ferry_cbor_reader reader;
	const char *at = link->path, *end = at + link->path_bytes, *name;
	int found = 1;

	if (ferry_cbor_begin(&reader, result, bytes, false, 0, &memory, &error))
		return (struct ingress__field){ NULL, 0, ferry_wire_reason_text(error.reason) };
	while (found > 0 && at < end) {
		uint64_t index;

		at = take_segment(at, end, at == link->path, &name, &index);
		found = name ? find_key(&reader, name, (size_t)(at - name)) : find_element(&reader, index);
	}
	if (found > 0) {
		const uint8_t *from = reader.at;
		bool is_null = ferry_cbor_take_null(&reader);

		if (!is_null && !ferry_cbor_skip(&reader))
			return (struct ingress__field){ from, (size_t)(reader.at - from), NULL };
		found = is_null ? 0 : -1;
	}
	/* an absent field and one that is null mean the same (W3) */
	if (!found && at == end && link->kind == INGRESS_LINK_OPTION)
		return (struct ingress__field){ &null, 1, NULL };
	return (struct ingress__field){ NULL, 0, ferry_wire_reason_text(found ? error.reason : FERRY_WIRE_MISSING) };
}

/* ---- filling in -------------------------------------------------------------------------------------------------- */

size_t ingress__links_size(const struct ingress__field *fields, size_t count, size_t bytes, size_t most)
{
	for (size_t i = 0; i < count && bytes <= most; i++)
		bytes += fields[i].bytes - 1; /* a field has a byte at least, and so has the null */
	return bytes <= most ? bytes : 0;
}

void ingress__links_fill(const struct ingress_link *links, const struct ingress__field *fields, size_t count,
			 const unsigned char *data, size_t bytes, unsigned char *to)
{
	size_t from = 0;

	for (size_t i = 0; i < count; i++) {
		memcpy(to, data + from, links[i].place - from);
		to += links[i].place - from;
		memcpy(to, fields[i].data, fields[i].bytes);
		to += fields[i].bytes;
		from = links[i].place + 1;
	}
	memcpy(to, data + from, bytes - from);
}
