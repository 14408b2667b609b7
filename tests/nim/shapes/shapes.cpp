/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the shapes of a stream, and how many another has (test_shapes_hosts.py), in its argument's format. */
#include <shapes.hpp>

#include <cstdio>

int main(int, char **argv)
{
	ferry::ingress::Options options;
	int counted = 0;

	options.wire = std::string_view(argv[1]) == "C" ? ferry::ingress::Wire::c : ferry::ingress::Wire::cbor;
	const auto context = shapes::Context::create(options);

	for (const shapes::Shape &shape : context.draw(4)) {
		switch (shape.which()) {
		case shapes::ShapeCase::nothing:
			std::printf("nothing\n");
			break;
		case shapes::ShapeCase::circle:
			std::printf("circle %.1f\n", shape.as_circle()->radius);
			break;
		case shapes::ShapeCase::label:
			std::printf("label %s\n", shape.as_label()->text.c_str());
			break;
		}
	}
	for ([[maybe_unused]] const shapes::Shape &shape : context.draw(1000, 1))
		counted++;
	std::printf("%d\n", counted);
	return 0;
}
