/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transcode.c in C++: reads lines `METHOD FORMAT HEX`, a message of spec/wire/types.json, and prints for each what it
 * is in both formats, `ok CBOR C`, or `error TEXT`.
 */
#include <wire.hpp>

#include <iostream>
#include <string>

namespace
{

using ferry::ingress::Fault;
using ferry::ingress::Message;
using ferry::ingress::Status;
using ferry::ingress::Wire;

std::string from_hex(const std::string &text)
{
	std::string bytes;

	for (std::size_t i = 0; text != "-" && i + 1 < text.size(); i += 2)
		bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
	return bytes;
}

template <class T> std::string encoded(Wire wire, const T &value)
{
	static const char digits[] = "0123456789abcdef";
	Message message;
	std::string text;

	if (ferry::ingress::encode(wire, value, message) != Status::ok)
		return "cannot be encoded";
	for (std::size_t i = 0; i < message.size(); i++) {
		const auto byte = static_cast<unsigned>(message.data()[i]);

		text += digits[byte >> 4];
		text += digits[byte & 15];
	}
	return text.empty() ? "-" : text;
}

/* The message is in memory of exactly its size, so that a sanitizer sees a read past its end. */
template <class T> std::string transcode(Wire wire, const std::string &text)
{
	const std::vector<char> bytes(text.begin(), text.end());
	T value{};
	Fault fault;

	if (!ferry::ingress::decode(wire, bytes.data(), bytes.size(), value, fault))
		return "error " + fault.text();
	return "ok " + encoded(Wire::cbor, value) + " " + encoded(Wire::c, value);
}

struct Root {
	const char *name;
	std::string (*transcode)(Wire wire, const std::string &bytes);
};

using namespace wire;
#define ROOT(name, ...) { #name, transcode<__VA_ARGS__> },
const Root roots[] = {
#include "roots_cpp.h"
};
#undef ROOT

const Root *find(const std::string &name)
{
	for (const Root &root : roots)
		if (root.name == name)
			return &root;
	return nullptr;
}

} // namespace

int main()
{
	std::string name, format, hex;

	while (std::cin >> name >> format >> hex) {
		const Root *root = find(name);

		if (!root) {
			std::cerr << "no message " << name << '\n';
			return 2;
		}
		std::cout << root->transcode(format == "c" ? Wire::c : Wire::cbor, from_hex(hex)) << '\n';
	}
	return 0;
}
