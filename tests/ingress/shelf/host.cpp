/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles in containers from C++, as host.c has them: in both formats. */
#include <cstdio>
#include <cstdlib>
#include <string>

#include <shelf.hpp>

namespace
{

void check(bool condition, int line)
{
	if (condition)
		return;
	std::fprintf(stderr, "host.cpp:%d\n", line);
	std::exit(1);
}
#define CHECK(...) check((__VA_ARGS__), __LINE__)

void in_containers(ferry::ingress::Wire wire)
{
	ferry::ingress::Options options;
	options.wire = wire;
	const auto context = shelf::Context::create(options);
	auto a = context.make("a"), b = context.make("b");
	const std::vector<shelf::ThingId> things{ a.id(), b.id(), a.id() };
	const std::map<std::string, shelf::ThingId> named{ { "one", a.id() }, { "two", b.id() } };
	const shelf::Holder holder{ a.id(), { b.id() }, b.id() };
	const std::map<std::string, std::vector<shelf::ThingId>> lists{ { "", {} }, { "all", things } };

	CHECK(context.handle_list(things) == things);
	CHECK(context.names({ a.id(), std::nullopt, b.id() }) == std::vector<std::string>{ "a", "-", "b" });
	CHECK(context.handle_option(a.id()) == a.id());
	CHECK(!context.handle_option(std::nullopt));
	CHECK(context.handle_by_name(named) == named);
	CHECK(context.handle_by_name_list(lists) == lists);
	CHECK(context.holder_alone(holder) == holder);
	CHECK(context.try_hollow(things).error().status == ferry::ingress::Status::failed);
	b.close();
	const auto refused = context.try_handle_list(things);
	CHECK(!refused && refused.error().status == ferry::ingress::Status::bad_handle);
	CHECK(refused.error().message == "value[1]: no open Thing has this handle");
}

} // namespace

int main()
{
	in_containers(ferry::ingress::Wire::c);
	in_containers(ferry::ingress::Wire::cbor);
	return 0;
}
