/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles in containers from C: in a sequence, an option, a map and an object they come back as they went, and one that
 * was closed is refused with its place. In the format that SHELF_WIRE says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shelf.h"

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

static ingress_token context;

static struct shelf_thing made(const char *name)
{
	struct shelf_make_reply reply;
	struct shelf_thing thing;

	CHECK(!shelf_make(context, ferry_string(name), INGRESS_FOREVER, &reply));
	thing = reply.value;
	shelf_make_reply_free(&reply);
	return thing;
}

static void in_a_sequence(struct shelf_thing a, struct shelf_thing b)
{
	const struct shelf_thing things[] = { a, b, a };
	struct shelf_handle_list_reply reply;

	CHECK(!shelf_handle_list(context, (struct shelf_seq_thing){ things, 3 }, INGRESS_FOREVER, &reply));
	CHECK(reply.value.count == 3 && !memcmp(reply.value.items, things, sizeof(things)));
	shelf_handle_list_reply_free(&reply);
}

static void in_options(struct shelf_thing a, struct shelf_thing b)
{
	const struct shelf_option_thing things[] = { { true, a }, { false, { 0 } }, { true, b } };
	struct shelf_names_reply names;
	struct shelf_handle_option_reply reply;

	CHECK(!shelf_names(context, (struct shelf_seq_option_thing){ things, 3 }, INGRESS_FOREVER, &names));
	CHECK(names.value.count == 3 && !strcmp(names.value.items[0].data, "a"));
	CHECK(!strcmp(names.value.items[1].data, "-") && !strcmp(names.value.items[2].data, "b"));
	shelf_names_reply_free(&names);
	for (size_t i = 0; i < 2; i++) {
		CHECK(!shelf_handle_option(context, things[i], INGRESS_FOREVER, &reply));
		CHECK(reply.value.present == things[i].present && (i || reply.value.value.id == a.id));
		shelf_handle_option_reply_free(&reply);
	}
}

static void in_a_map_and_an_object(struct shelf_thing a, struct shelf_thing b)
{
	const struct shelf_map_string_thing_pair pairs[] = { { ferry_string("one"), a }, { ferry_string("two"), b } };
	const struct shelf_holder holder = { a, { &b, 1 }, { true, b } };
	struct shelf_handle_by_name_reply named;
	struct shelf_holder_alone_reply held;

	CHECK(!shelf_handle_by_name(context, (struct shelf_map_string_thing){ pairs, 2 }, INGRESS_FOREVER, &named));
	CHECK(named.value.count == 2 && named.value.items[0].value.id == a.id && named.value.items[1].value.id == b.id);
	shelf_handle_by_name_reply_free(&named);
	CHECK(!shelf_holder_alone(context, &holder, INGRESS_FOREVER, &held));
	CHECK(held.value.thing.id == a.id && held.value.others.items[0].id == b.id &&
	      held.value.maybe.value.id == b.id);
	shelf_holder_alone_reply_free(&held);
}

static void closed_and_hollow(struct shelf_thing a, struct shelf_thing b)
{
	const struct shelf_thing things[] = { a, b };
	const struct shelf_seq_thing both = { things, 2 };
	struct shelf_handle_list_reply reply;
	struct shelf_hollow_reply hollow;
	struct shelf_close_reply closed;

	CHECK(shelf_hollow(context, both, INGRESS_FOREVER, &hollow) == INGRESS_FAILED);
	shelf_hollow_reply_free(&hollow);
	CHECK(!shelf_close(context, b, INGRESS_FOREVER, &closed));
	shelf_close_reply_free(&closed);
	CHECK(shelf_handle_list(context, both, INGRESS_FOREVER, &reply) == INGRESS_BAD_HANDLE);
	CHECK(!strcmp(reply.message.data, "value[1]: no open Thing has this handle"));
	shelf_handle_list_reply_free(&reply);
}

int main(void)
{
	struct shelf_create_reply created;
	struct shelf_thing a, b;

	CHECK(!shelf_create(NULL, INGRESS_FOREVER, &context, &created));
	shelf_create_reply_free(&created);
	a = made("a");
	b = made("b");
	in_a_sequence(a, b);
	in_options(a, b);
	in_a_map_and_an_object(a, b);
	closed_and_hollow(a, b);
	CHECK(!shelf_destroy(context, INGRESS_FOREVER));
	return 0;
}
