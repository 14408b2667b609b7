/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does a request to a library in another process cost, with a NATS server between the two?
 *
 * `nats` is one bare request and its reply by libnats, of as many bytes; `single` a typed call by the generated binding
 * of examples/echo/echo.json, to the library in C++ that a ferry-serve has; `batch` n calls submitted as one. `handle`
 * is open, read and close, of which each needs the handle: three calls in `single`, one after another, and one chain of
 * them in `chain`. @ is the delay of the line between host and server, in each direction. The program starts the server
 * and the others itself.
 */
#include "line.hpp"

#include <echo.hpp>
#include <nats/nats.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* C has structs and functions of one name */
#include "bench.h"
#pragma GCC diagnostic pop
}

namespace
{

using ferry::ingress::Result;
using ferry::ingress::Status;

constexpr char bare_subject[] = "bare";
/* What the echo's request and reply are as messages, headers included. */
constexpr std::size_t bare_bytes = 84;
constexpr long patience_ms = 10000;

/* How a host reaches the server, one for each of line::delays_us. */
struct Way {
	std::string url;
	natsConnection *bare = nullptr;
	std::optional<echo::Context> library;
};
Way ways[line::delay_count];

[[noreturn]] void give_up(const char *what, int status)
{
	std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
	std::exit(status);
}

const echo::EchoRequest request{ "hello world", 0 };

/* ---- the other processes ---------------------------------------------------------------------------------------- */

/* Connect so that each message goes at once; libnats would otherwise collect them for up to 1 ms. */
natsConnection *connect_bare(const std::string &url)
{
	natsOptions *options = nullptr;
	natsConnection *made = nullptr;

	if (natsOptions_Create(&options) != NATS_OK || natsOptions_SetURL(options, url.c_str()) != NATS_OK ||
	    natsOptions_SetSendAsap(options, true) != NATS_OK || natsConnection_Connect(&made, options) != NATS_OK)
		made = nullptr;
	natsOptions_Destroy(options);
	return made;
}

void answer(natsConnection *connection, natsSubscription *, natsMsg *message, void *)
{
	natsConnection_Publish(connection, natsMsg_GetReply(message), natsMsg_GetData(message),
			       natsMsg_GetDataLength(message));
	natsMsg_Destroy(message);
}

/* Answer bare requests, as the first program that one writes with libnats does. */
void serve_bare(const std::string &url)
{
	natsConnection *const connection = connect_bare(url);
	natsSubscription *subscription = nullptr;

	if (connection && natsConnection_Subscribe(&subscription, connection, bare_subject, answer, nullptr) == NATS_OK)
		for (;;)
			pause();
}

/* The folder that this program's folder lies in. */
std::string folder()
{
	char path[4096];
	const ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[bytes > 0 ? bytes : 0] = 0;
	for (int i = 0; i < 2; i++)
		*(std::strrchr(path, '/') ? std::strrchr(path, '/') : path) = 0;
	return path;
}

void connect(Way &way)
{
	natsMsg *reply = nullptr;
	int tries = 0;

	way.bare = connect_bare(way.url);
	if (!way.bare)
		give_up("the NATS server does not answer", 1);
	/* the other processes may still be starting */
	while (natsConnection_Request(&reply, way.bare, bare_subject, "", 0, patience_ms) != NATS_OK && ++tries < 500)
		nats_Sleep(10);
	natsMsg_Destroy(reply);
	/* the library that stands for the echo reads it when it is asked for */
	setenv("FERRY_NATS_URL", way.url.c_str(), 1);
	for (auto made = echo::Context::try_create(""); !way.library; made = echo::Context::try_create("")) {
		if (made)
			way.library.emplace(std::move(*made));
		else if (++tries > 1000)
			give_up("ferry-serve does not answer", 1);
		else
			nats_Sleep(10);
	}
}

void set_up()
{
	const unsigned port = line::free_port();
	const std::string number = std::to_string(port), url = "nats://127.0.0.1:" + number;
	const std::string build = folder();

	/* Debian's lies where a user's PATH does not lead */
	if (!line::start({ "nats-server", "-a", "127.0.0.1", "-p", number }) &&
	    !line::start({ "/usr/sbin/nats-server", "-a", "127.0.0.1", "-p", number }))
		give_up("nats-server is not installed (scripts/install/deps.sh network)", BENCH_UNAVAILABLE);
	if (!line::listens(port))
		give_up("nats-server does not listen", 1);
	line::in_child([&] { serve_bare(url); });
	if (!line::start({ build + "/bin/ferry-serve", build + "/lib/echo-cpp/libecho.so", url }))
		give_up("ferry-serve is not built; run `make network` in Ferry's folder", BENCH_UNAVAILABLE);
	for (std::size_t i = 0; i < line::delay_count; i++)
		ways[i].url = "nats://127.0.0.1:" + std::to_string(line::slow(port, line::delays_us[i]));
	for (Way &way : ways)
		connect(way);
}

/* ---- what is measured ------------------------------------------------------------------------------------------- */

long bare(void *context, long n)
{
	const char payload[bare_bytes] = {};

	for (long i = 0; i < n; i++) {
		natsMsg *reply = nullptr;

		if (natsConnection_Request(&reply, static_cast<Way *>(context)->bare, bare_subject, payload,
					   sizeof(payload), patience_ms) != NATS_OK)
			return -EIO;
		natsMsg_Destroy(reply);
	}
	return 0;
}

long single(void *context, long n)
{
	const echo::Context &library = *static_cast<Way *>(context)->library;

	for (long i = 0; i < n; i++)
		if (!library.try_echo(request))
			return -EIO;
	return 0;
}

long batch(void *context, long n)
{
	const echo::Context &library = *static_cast<Way *>(context)->library;
	/* a futex, as std::atomic waits only from C++20 on */
	std::promise<long> last;
	std::atomic<long> left{ n }, failed{ 0 };
	ferry::ingress::Batch calls;

	for (long i = 0; i < n; i++)
		if (library.echo_add(calls, request, [&](const Result<echo::EchoResponse> &result) {
			    failed += !result.ok();
			    if (--left == 0)
				    last.set_value(failed);
		    }) != Status::ok)
			return -ENOMEM;
	if (calls.submit().status != Status::ok)
		return -EIO;
	return last.get_future().get() ? -EIO : 0;
}

long handle(void *context, long n)
{
	const echo::Context &library = *static_cast<Way *>(context)->library;

	for (long i = 0; i < n; i++) {
		auto reader = library.try_open("hello world");

		if (!reader || !reader->try_read(64) || !reader->try_close())
			return -EIO;
	}
	return 0;
}

long chain(void *context, long n)
{
	const echo::Context &library = *static_cast<Way *>(context)->library;

	for (long i = 0; i < n; i++) {
		echo::Chain calls = library.chain();
		const auto reader = calls.open("hello world");
		const auto read = calls.read(reader, 64);
		const auto closed = calls.close(reader);

		if (!calls.try_submit() || !read.try_result() || !closed.try_result())
			return -EIO;
	}
	return 0;
}

/* `once`: a run at 10 ms takes seconds, so none is made to warm up */
const bench_variant variants[] = {
	{ "nats:call", nullptr, bare, &ways[0], true },
	{ "single:call", nullptr, single, &ways[0], true },
	{ "batch:call", nullptr, batch, &ways[0], true },
	{ "nats:call@1ms", nullptr, bare, &ways[1], true },
	{ "single:call@1ms", nullptr, single, &ways[1], true },
	{ "batch:call@1ms", nullptr, batch, &ways[1], true },
	{ "nats:call@10ms", nullptr, bare, &ways[2], true },
	{ "single:call@10ms", nullptr, single, &ways[2], true },
	{ "batch:call@10ms", nullptr, batch, &ways[2], true },
	{ "single:handle", nullptr, handle, &ways[0], true },
	{ "chain:handle", nullptr, chain, &ways[0], true },
	{ "single:handle@1ms", nullptr, handle, &ways[1], true },
	{ "chain:handle@1ms", nullptr, chain, &ways[1], true },
	{ "single:handle@10ms", nullptr, handle, &ways[2], true },
	{ "chain:handle@10ms", nullptr, chain, &ways[2], true },
};
const long sizes[] = { 1, 10, 100 };
const bench_suite suite = {
	"network", "What does a request to a library in another process cost, with a NATS server between the two?",
	variants,  sizeof(variants) / sizeof(variants[0]),
	sizes,	   sizeof(sizes) / sizeof(sizes[0]),
	5,	   2,
	set_up,
};

} // namespace

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &suite);
}
