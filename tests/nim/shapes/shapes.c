/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the shapes of a stream, and how many another has (test_shapes_hosts.py), in the format that SHAPES_WIRE is. */
#include "shapes.h"

#include <stdio.h>

static void print(const struct shapes_draw_part *part)
{
	for (size_t i = 0; i < part->values.count; i++) {
		const struct shapes_shape *shape = &part->values.items[i];

		switch (shape->which) {
		case SHAPES_SHAPE_NOTHING:
			printf("nothing\n");
			break;
		case SHAPES_SHAPE_CIRCLE:
			printf("circle %.1f\n", shape->as.circle.radius);
			break;
		case SHAPES_SHAPE_LABEL:
			printf("label %s\n", shape->as.label.text.data);
			break;
		}
	}
}

/* Take all of a stream; returns how many values it has, or -1. */
static int draw(ingress_token context, uint32_t count, uint32_t credits, bool is_printed)
{
	const int64_t patience = 60 * (int64_t)1000000000;
	struct shapes_draw_reply first;
	struct shapes_draw_next_reply next;
	struct shapes_option_draw_stream stream;
	int values;

	if (shapes_draw(context, count, credits, patience, &first) != INGRESS_OK)
		return -1;
	if (is_printed)
		print(&first.value);
	stream = first.value.stream;
	values = (int)first.value.values.count;
	shapes_draw_reply_free(&first);
	while (stream.present) {
		if (shapes_draw_next(context, stream.value, credits, patience, &next) != INGRESS_OK)
			return -1;
		if (is_printed)
			print(&next.value);
		stream = next.value.stream;
		values += (int)next.value.values.count;
		shapes_draw_next_reply_free(&next);
	}
	return values;
}

int main(void)
{
	struct shapes_create_reply created;
	ingress_token context;
	int drawn, counted;

	if (shapes_create(NULL, INGRESS_FOREVER, &context, &created) != INGRESS_OK)
		return 1;
	shapes_create_reply_free(&created);
	drawn = draw(context, 4, 0, true);
	counted = draw(context, 1000, 1, false);
	printf("%d\n", counted);
	shapes_destroy(context, INGRESS_FOREVER);
	return drawn != 4;
}
