/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C++ codecs of include/ferry/cpp by themselves: random values of every type go round in both wire formats, every
 * truncation and many mutations are a value or a fault, and what rule W3 accepts is accepted.
 */
#include "check.hpp"
#include "random_values.hpp"

#include <echo.hpp>

#include <string>
#include <vector>

using ferry::ingress::Bytes;
using ferry::ingress::decode;
using ferry::ingress::encode;
using ferry::ingress::Fault;
using ferry::ingress::Message;
using ferry::ingress::Status;
using ferry::ingress::Wire;

namespace
{

constexpr unsigned rounds = 300;
constexpr unsigned mutations = 200;

template <class T> std::string encoded(Wire wire, const T &value)
{
	Message message;

	CHECK(encode(wire, value, message) == Status::ok);
	return { reinterpret_cast<const char *>(message.data()), message.size() };
}

/* Into memory of its exact size, so that a sanitizer sees a byte too far. */
template <class T> bool decoded(Wire wire, const std::string &text, T &value, Fault &fault)
{
	const std::vector<char> exact(text.begin(), text.end());

	return decode(wire, exact.data(), exact.size(), value, fault);
}

template <class T> T round(Wire wire, const T &value)
{
	T back;
	Fault fault;

	if (!decoded(wire, encoded(wire, value), back, fault))
		check::fail(__FILE__, __LINE__, fault.text());
	return back;
}

/* What decoding says of these bytes: empty for a value. */
template <class T> std::string fault_of(Wire wire, const std::string &bytes)
{
	T value;
	Fault fault;

	return decoded(wire, bytes, value, fault) ? "" : fault.text();
}

std::string hex(const std::string &bytes)
{
	std::string text;
	char two[3];

	for (const char byte : bytes) {
		std::snprintf(two, sizeof(two), "%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
		text += two;
	}
	return text;
}

std::string from_hex(const std::string &text)
{
	std::string bytes;

	for (std::size_t i = 0; i + 1 < text.size(); i += 2)
		bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
	return bytes;
}

/* Whatever the bytes are: a value or a fault with a reason; a value in format c has but these bytes. */
template <class T> void is_total(Wire wire, const std::string &bytes)
{
	T value;
	Fault fault;

	if (!decoded(wire, bytes, value, fault)) {
		CHECK(fault.reason != nullptr);
	} else if (wire == Wire::c) {
		CHECK_EQUAL(hex(encoded(wire, value)), hex(bytes));
	} else {
		const T again = round(wire, value);

		CHECK_EQUAL(hex(encoded(wire, again)), hex(encoded(wire, value)));
	}
}

template <class T> void mutate(Wire wire, std::string bytes, Random &random)
{
	for (unsigned i = 0; i < mutations; i++) {
		std::string other = bytes;

		if (!other.empty())
			other[random.below(other.size())] ^= static_cast<char>(1 << random.below(8));
		if (random.below(4) == 0)
			other.insert(random.below(other.size() + 1), 1, static_cast<char>(random.below(256)));
		if (random.below(4) == 0 && !other.empty())
			other.erase(random.below(other.size()), 1);
		is_total<T>(wire, other);
	}
}

template <class T> void goes_round(std::uint64_t seed)
{
	Random random(seed);

	for (unsigned i = 0; i < rounds; i++) {
		const T value = random_value<T>(random);

		for (const Wire wire : { Wire::cbor, Wire::c })
			CHECK(round(wire, value) == value);
	}
}

TEST(round_trips)
{
	goes_round<echo::EchoRequest>(1);
	goes_round<echo::ComplexRequest>(2);
	goes_round<echo::AllTypes>(3);
	goes_round<echo::Tree>(4);
}

TEST(decoding_over_an_old_value_leaves_nothing_of_it)
{
	Random random(5);

	for (const Wire wire : { Wire::cbor, Wire::c }) {
		for (unsigned i = 0; i < rounds; i++) {
			auto old = random_value<echo::AllTypes>(random);
			const auto value = random_value<echo::AllTypes>(random);
			Fault fault;

			CHECK(decoded(wire, encoded(wire, value), old, fault));
			CHECK(old == value);
		}
	}
}

TEST(truncations)
{
	Random random(6);

	for (const Wire wire : { Wire::cbor, Wire::c }) {
		for (unsigned i = 0; i < 20; i++) {
			const std::string bytes = encoded(wire, random_value<echo::AllTypes>(random));

			for (std::size_t size = 0; size < bytes.size(); size++) {
				const std::string said = fault_of<echo::AllTypes>(wire, bytes.substr(0, size));

				CHECK(!said.empty());
			}
			CHECK_EQUAL(fault_of<echo::AllTypes>(wire, bytes + '\0'), "bytes left over");
		}
	}
}

TEST(mutations)
{
	Random random(7);

	for (const Wire wire : { Wire::cbor, Wire::c }) {
		for (unsigned i = 0; i < 40; i++) {
			mutate<echo::AllTypes>(wire, encoded(wire, random_value<echo::AllTypes>(random)), random);
			mutate<echo::Tree>(wire, encoded(wire, random_value<echo::Tree>(random)), random);
		}
	}
}

TEST(encodings)
{
	const echo::EchoRequest request{ "hi", 1000 };

	CHECK_EQUAL(hex(encoded(Wire::cbor, request)), "a2676d657373616765626869"
						       "6864656c61795f6d731903e8");
	CHECK_EQUAL(hex(encoded(Wire::c, request)), "1000000002000000e803000000000000686900");
	CHECK_EQUAL(hex(encoded(Wire::cbor, echo::detail::SumParams{ -1, 24 })), "a2646c6566742065726967687418"
										 "18");
	CHECK_EQUAL(hex(encoded(Wire::cbor, ferry::ingress::NoParams{})), "a0");
	CHECK_EQUAL(hex(encoded(Wire::c, ferry::ingress::NoParams{})), "");
	CHECK_EQUAL(hex(encoded(Wire::cbor, std::monostate{})), "f6");
	for (const auto &[number, text] : { std::pair<double, const char *>{ 1.5, "f93e00" },
					    { 0.1, "fb3fb999999999999a" },
					    { 3.4028234663852886e38, "fa7f7fffff" },
					    { 5.960464477539063e-8, "f90001" },
					    { 65504.0, "f97bff" },
					    { 65505.0, "fa477fe100" },
					    { -0.0, "f98000" },
					    { __builtin_inf(), "f97c00" },
					    { __builtin_nan(""), "f97e00" } })
		CHECK_EQUAL(hex(encoded(Wire::cbor, number)), text);
}

TEST(other_encodings_of_a_value)
{
	const echo::EchoRequest request{ "hi", 1000 };

	for (const char *text : {
		     "a26864656c61795f6d731903e8676d657373616765626869",	     /* another order */
		     "bf676d6573736167656268696864656c61795f6d731903e8ff",	     /* indefinite map */
		     "a2676d6573736167657f61686169ff6864656c61795f6d731903e8",	     /* a string in pieces */
		     "a2676d6573736167656268696864656c61795f6d731b00000000000003e8", /* a longer integer */
		     "a37f64786d7373ff0b676d6573736167656268696864656c61795f6d731903e8",
		     "c1a2c2676d657373616765c3626869c46864656c61795f6d73c51903e8", /* tags */
		     "a3676d65737361676562686905a16161f66864656c61795f6d731903e8", /* a key that is no text */
		     "a362"
		     "787883f6fb3fb999999999999a9fff676d6573736167656268696864656c61795f6d731903e8",
	     }) {
		echo::EchoRequest value;
		Fault fault;

		if (!decoded(Wire::cbor, from_hex(text), value, fault))
			check::fail(__FILE__, __LINE__, std::string(text) + ": " + fault.text());
		CHECK(value == request);
	}
	/* a missing key and a null one are alike */
	for (const char *text : { "a264746167738068"
				  "6d6573736167657380",
				  "a46474616773806"
				  "86d657373616765738067726574726965"
				  "73f6646e6f7465f6" }) {
		CHECK_EQUAL(fault_of<echo::ComplexRequest>(Wire::cbor, from_hex(text)), "");
	}
	CHECK_EQUAL(fault_of<double>(Wire::cbor, from_hex("fa3fc00000")), "");
	CHECK_EQUAL(fault_of<float>(Wire::cbor, from_hex("fb3ff8000000000000")), "");
}

TEST(faults_have_a_reason_and_a_path)
{
	const std::pair<const char *, const char *> requests[] = {
		{ "a2676d657373616765626869", "ends early" },
		{ "a1676d657373616765626869", "delay_ms: missing" },
		{ "a2676d657373616765f66864656c61795f6d7301", "message: missing" },
		{ "a2676d65737361676562c3286864656c61795f6d7301", "message: invalid UTF-8" },
		{ "a2676d657373616765626869"
		  "6864656c61795f6d73f90000",
		  "delay_ms: wrong type" },
		{ "a3676d657373616765626869"
		  "676d657373616765626869"
		  "6864656c61795f6d7301",
		  "message: given twice" },
		{ "a2676d6573736167656268696864656c61795f6d731c", "delay_ms: malformed" },
		{ "a2676d6573736167657f6161426161ff6864656c61795f6d7301", "message: malformed" },
		{ "a2676d6573736167656268696864656c61795f6d731bffffffffffffffff", "delay_ms: out of range" },
		{ "80", "wrong type" },
		{ "", "ends early" },
	};

	for (const auto &[bytes, text] : requests)
		CHECK_EQUAL(fault_of<echo::EchoRequest>(Wire::cbor, from_hex(bytes)), text);
	CHECK_EQUAL(fault_of<std::vector<echo::Color>>(Wire::cbor, from_hex("830001"
									    "02")),
		    "[2]: unknown enum value");
	CHECK_EQUAL((fault_of<std::map<std::string, int>>(Wire::cbor, from_hex("a2616101616102"))), "given twice");
	CHECK_EQUAL((fault_of<std::map<std::string, int>>(Wire::cbor, from_hex("a26161016162f5"))),
		    "[1].value: wrong type");
	CHECK_EQUAL(fault_of<float>(Wire::cbor, from_hex("fb3fb999999999999a")), "out of range");
	CHECK_EQUAL(fault_of<std::int8_t>(Wire::cbor, from_hex("3880")), "out of range");
	CHECK_EQUAL(fault_of<std::uint8_t>(Wire::cbor, from_hex("20")), "out of range");
	CHECK_EQUAL(fault_of<std::vector<int>>(Wire::cbor, from_hex("9b00ffffffffffffff00")), "ends early");
	CHECK_EQUAL(fault_of<echo::EchoRequest>(Wire::c, from_hex("1100000002000000e803000000000000686900")),
		    "message: wrong offset");
	CHECK_EQUAL(fault_of<echo::EchoRequest>(Wire::c, from_hex("1000000003000000e803000000000000686900")),
		    "message: ends early");
	CHECK_EQUAL(fault_of<echo::EchoRequest>(Wire::c, from_hex("1000000002000000e803000000000000686901")),
		    "message: padding not zero");
	CHECK_EQUAL(fault_of<bool>(Wire::c, from_hex("02")), "neither 0 nor 1");
}

echo::Tree tree_of(unsigned levels)
{
	echo::Tree tree;

	tree.name = "leaf";
	while (--levels)
		tree = echo::Tree{ "node", { tree } };
	return tree;
}

TEST(depth_is_bounded)
{
	Message message;

	/* each level is an object and a sequence, and the leaf's sequence counts too */
	for (const Wire wire : { Wire::cbor, Wire::c }) {
		CHECK(round(wire, tree_of(16)) == tree_of(16));
		CHECK(encode(wire, tree_of(17), message) == Status::bad_payload);
	}
	CHECK_EQUAL(fault_of<echo::EchoRequest>(Wire::cbor, from_hex("a161") + "x" + std::string(31, '\x81') + "\x80"),
		    "nested too deep");
	CHECK_EQUAL(fault_of<echo::EchoRequest>(Wire::cbor, from_hex("a161") + "x" + std::string(100000, '\x81')),
		    "nested too deep");
	CHECK_EQUAL(fault_of<std::vector<int>>(Wire::cbor, std::string(100000, '\xc1')), "ends early");
}

TEST(large_strings_and_bytes)
{
	for (const std::size_t size : { 255U, 256U, 65535U, 65536U, 1U << 20 }) {
		const std::string ascii(size, 'a'), wide = ascii + "\xc3\xb6";
		const Bytes bytes(size, std::byte{ 0xff });

		for (const Wire wire : { Wire::cbor, Wire::c }) {
			CHECK(round(wire, ascii) == ascii);
			CHECK(round(wire, wide) == wide);
			CHECK(round(wire, bytes) == bytes);
		}
	}
}

} // namespace
