/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What include/ferry/ingress.h lays out: a line for each struct and each of its fields, with its offset and size in
 * bytes, and one for each number that a host has a name for. tests/ingress/test_layouts.py compares what hosts declare.
 */
#include <ferry/ingress.h>

#include <stdio.h>

#define STRUCT(name) printf("%s %zu\n", #name, sizeof(struct ingress_##name))
#define FIELD(name, field)                                                                                             \
	printf("%s.%s %zu %zu\n", #name, #field, offsetof(struct ingress_##name, field),                               \
	       sizeof(((struct ingress_##name *)0)->field))
#define NUMBER(kind, name) printf("%s.%s %d\n", #kind, #name, INGRESS_##name)

static void options(void)
{
	STRUCT(options);
	FIELD(options, queue_depth);
	FIELD(options, event_depth);
	FIELD(options, payload_bytes);
	FIELD(options, stale_ns);
	FIELD(options, stuck_ns);
	FIELD(options, spin_ns);
	FIELD(options, reserved);
}

static void received(void)
{
	STRUCT(answer);
	FIELD(answer, status);
	FIELD(answer, wire);
	FIELD(answer, data);
	FIELD(answer, bytes);
	FIELD(answer, private_block);
	STRUCT(reply);
	FIELD(reply, status);
	FIELD(reply, wire);
	FIELD(reply, data);
	FIELD(reply, bytes);
	STRUCT(event);
	FIELD(event, number);
	FIELD(event, wire);
	FIELD(event, data);
	FIELD(event, bytes);
	FIELD(event, lost);
	STRUCT(item);
	FIELD(item, kind);
	FIELD(item, status);
	FIELD(item, wire);
	FIELD(item, number);
	FIELD(item, tag);
	FIELD(item, lost);
	FIELD(item, data);
	FIELD(item, bytes);
	FIELD(item, private_block);
}

static void submitted(void)
{
	STRUCT(call);
	FIELD(call, method);
	FIELD(call, wire);
	FIELD(call, data);
	FIELD(call, bytes);
	FIELD(call, release);
	FIELD(call, owner);
	FIELD(call, reply);
	FIELD(call, user);
	FIELD(call, inbox);
	FIELD(call, tag);
	FIELD(call, ticket);
	STRUCT(link);
	FIELD(link, request);
	FIELD(link, source);
	FIELD(link, kind);
	FIELD(link, place);
	FIELD(link, path);
	FIELD(link, path_bytes);
	STRUCT(refusal);
	FIELD(refusal, request);
	FIELD(refusal, link);
	FIELD(refusal, text);
	STRUCT(listener);
	FIELD(listener, event);
	FIELD(listener, wire);
	FIELD(listener, overflow);
	FIELD(listener, depth);
	FIELD(listener, notify);
	FIELD(listener, user);
	FIELD(listener, release);
	FIELD(listener, inbox);
	FIELD(listener, tag);
}

static void numbers(void)
{
	NUMBER(status, OK);
	NUMBER(status, FAILED);
	NUMBER(status, STALE);
	NUMBER(status, CLOSED);
	NUMBER(status, TIMEOUT);
	NUMBER(status, QUEUE_FULL);
	NUMBER(status, TOO_LARGE);
	NUMBER(status, BAD_TOKEN);
	NUMBER(status, BAD_METHOD);
	NUMBER(status, BAD_PAYLOAD);
	NUMBER(status, BAD_ARGUMENT);
	NUMBER(status, BAD_HANDLE);
	NUMBER(status, REENTRANT);
	NUMBER(status, EVENTS_STUCK);
	NUMBER(status, NO_CONTEXT);
	NUMBER(status, NO_MEMORY);
	NUMBER(status, WRONG_INTERFACE);
	NUMBER(status, LOST);
	NUMBER(status, RAISED);
	NUMBER(status, CANCELLED);
	NUMBER(status, SKIPPED);
	NUMBER(wire, WIRE_CBOR);
	NUMBER(wire, WIRE_C);
	NUMBER(overflow, DROP_OLDEST);
	NUMBER(overflow, DROP_NEWEST);
	NUMBER(overflow, COALESCE);
}

int main(void)
{
	options();
	received();
	submitted();
	numbers();
	return 0;
}
