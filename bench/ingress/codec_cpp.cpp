/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does it cost in C++ to send a value through each wire format? One of the n calls is a round trip: encode into a
 * buffer that is used again, decode into a value that owns its memory, destroy that. The values are those of codec.c.
 * `cpp-copy` only copies and destroys the value, which is the cost of its strings and vectors in every format.
 */
#include <echo.hpp>

extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* C has structs and functions of one name */
#include "bench.h"
#pragma GCC diagnostic pop
}

namespace
{

using ferry::ingress::Fault;
using ferry::ingress::Message;
using ferry::ingress::Status;
using ferry::ingress::Wire;

/* As a request holds it, and as it is decoded. */
struct Payload {
	ferry::ingress::Bytes payload;
};

Message message;

template <class T, Wire W> long round_trip(void *context, long n)
{
	const T &value = *static_cast<const T *>(context);
	Fault fault;

	for (long i = 0; i < n; i++) {
		T back;

		if (ferry::ingress::encode(W, value, message) != Status::ok ||
		    !ferry::ingress::decode(W, message.data(), message.size(), back, fault))
			return -EBADMSG;
		__asm__ volatile("" : : "r"(&back) : "memory");
	}
	return 0;
}

/* The cost of a value that owns its memory, without any message: copy it, and destroy the copy. */
template <class T> long copy(void *context, long n)
{
	const T &value = *static_cast<const T *>(context);

	for (long i = 0; i < n; i++) {
		const T back(value); // NOLINT(performance-unnecessary-copy-initialization)

		__asm__ volatile("" : : "r"(&back) : "memory");
	}
	return 0;
}

echo::EchoRequest echo_request{ "hello world", 100 };
echo::EchoResponse echo_response{ "hello world", "bench-timer" };
echo::ComplexRequest complex_request{ { { "alpha", 1 }, { "beta", 2 }, { "gamma", 3 }, { "delta", 4 } },
				      { "fast", "async", "bench" },
				      "a slightly longer note that survives the round-trip",
				      7 };
/* As in codec.c: a variant, and four of them, each beside objects whose message in cbor is as long. */
echo::Shape shape = echo::Shape::label({ "hello world" });
echo::ShapeLabel shape_object{ "hello, wider world" };
echo::ShapeGroup shapes{ { echo::Shape::label({ "alpha to beta" }), echo::Shape::caption({ "to gamma" }),
			   echo::Shape::label({ "delta, epsilon" }), echo::Shape::caption({ "zeta or theta" }) } };
echo::ComplexRequest shape_objects{ complex_request.messages, {}, std::nullopt, std::nullopt };

} // namespace

template <> struct ferry::ingress::Object<Payload> {
	template <class T> static constexpr auto list = field_list(field("payload", &T::payload));
};

int main(int argc, char **argv)
{
	static const long n[] = { 1, 10, 100 };
	static Payload blobs[] = { { ferry::ingress::Bytes(100) },	 { ferry::ingress::Bytes(1024) },
				   { ferry::ingress::Bytes(10 << 10) },	 { ferry::ingress::Bytes(64 << 10) },
				   { ferry::ingress::Bytes(150 << 10) }, { ferry::ingress::Bytes(1 << 20) } };
	static const char *const names[] = {
		"bytes_100", "bytes_1k", "bytes_10k", "bytes_64k", "bytes_150k", "bytes_1m"
	};
	static std::vector<std::string> texts;
	std::vector<bench_variant> variants;
	const auto add = [&](const char *way, const char *call, long (*run)(void *, long), void *context) {
		texts.push_back(std::string(way) + ":" + call);
		variants.push_back({ texts.back().c_str(), nullptr, run, context, false });
	};
	const auto add_both = [&](const char *call, auto &value) {
		using T = std::decay_t<decltype(value)>;

		add("cpp-cbor", call, round_trip<T, Wire::cbor>, &value);
		add("cpp-c", call, round_trip<T, Wire::c>, &value);
		add("cpp-copy", call, copy<T>, &value);
	};

	texts.reserve(BENCH_VARIANTS_MAX); /* the names stay where they are */
	add_both("echo_request", echo_request);
	add_both("echo_response", echo_response);
	add_both("complex_request", complex_request);
	add_both("variant", shape);
	add_both("variant_as_object", shape_object);
	add_both("variants", shapes);
	add_both("variants_as_objects", shape_objects);
	for (std::size_t i = 0; i < std::size(blobs); i++)
		add_both(names[i], blobs[i]);
	const struct bench_suite suite = {
		"codec",
		"What does it cost in C++ to send a value through each wire format?",
		variants.data(),
		variants.size(),
		n,
		std::size(n),
		60,
		20,
		nullptr,
	};

	return bench_main(argc, argv, &suite);
}
