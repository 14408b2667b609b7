/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does a typed call from C++ to a library on a thread of its own cost?
 *
 * Every lane goes through the generated binding of examples/echo/echo.json: typed values are encoded, cross, are
 * decoded by the library, answered and decoded again. Which library that is, the loader decides: libecho.so in C++
 * where this was built, the one in Nim with its folder in LD_LIBRARY_PATH. @ is the number of threads. With --latency
 * the program prints percentiles of single calls instead.
 */
#include <echo.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* C has structs and functions of one name */
#include "bench.h"
#pragma GCC diagnostic pop
}

namespace
{

using ferry::ingress::Bytes;
using ferry::ingress::Options;
using ferry::ingress::Result;
using ferry::ingress::Status;
using ferry::ingress::Wire;

constexpr long window = 64;	     /* requests under way in the lanes that do not wait */
constexpr std::size_t large = 65536; /* bytes of a large payload */
constexpr long latency_calls = 20000;

/* What a variant's functions are given. */
struct Lane {
	Wire wire;
	unsigned threads;
};

echo::Context open_context(Wire wire)
{
	Options options;

	options.wire = wire;
	options.queue_depth = 1 << 12;
	options.event_depth = 1 << 17; /* no event of a run is lost */
	return echo::Context::create("", options);
}

/* One context for each wire format, as long as the program runs. */
const echo::Context &context_of(Wire wire)
{
	static const echo::Context contexts[] = { open_context(Wire::cbor), open_context(Wire::c) };

	return contexts[static_cast<std::size_t>(wire)];
}

const echo::EchoRequest request{ "hello world", 0 };
const Bytes payload(large, std::byte{ 0x5a });

/* Run work(n's share) on that many threads: the least result. */
template <class Work> long together(unsigned threads, long n, Work work)
{
	std::vector<std::thread> others;
	std::atomic<long> least{ 0 };
	const auto part = [&] {
		if (const long result = work(n / threads); result < 0)
			least = result;
	};

	for (unsigned i = 1; i < threads; i++)
		others.emplace_back(part);
	part();
	for (std::thread &other : others)
		other.join();
	return least;
}

long ask(void *context, long n)
{
	const Lane &lane = *static_cast<const Lane *>(context);
	const echo::Context &library = context_of(lane.wire);

	return together(lane.threads, n, [&](long part) -> long {
		for (long i = 0; i < part; i++)
			if (!library.try_echo(request))
				return -EIO;
		return 0;
	});
}

/* Open, read and close, of which each needs the handle. */
long handle(void *context, long n)
{
	const echo::Context &library = context_of(static_cast<Lane *>(context)->wire);

	for (long i = 0; i < n; i++) {
		auto reader = library.try_open("hello world");

		if (!reader || !reader->try_read(64) || !reader->try_close())
			return -EIO;
	}
	return 0;
}

/* The same as one chain. */
long chain(void *context, long n)
{
	const echo::Context &library = context_of(static_cast<Lane *>(context)->wire);

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

long ask_large(void *context, long n)
{
	const echo::Context &library = context_of(static_cast<const Lane *>(context)->wire);

	for (long i = 0; i < n; i++) {
		const auto result = library.try_bytes(payload);

		if (!result || result->size() != large)
			return -EIO;
	}
	return 0;
}

long async(void *context, long n)
{
	const echo::Context &library = context_of(static_cast<const Lane *>(context)->wire);
	std::atomic<long> answered{ 0 };
	/* relaxed load: only the library's thread stores */
	const auto hear = [&answered](const Result<echo::EchoResponse> &result) {
		answered.store(answered.load(std::memory_order_relaxed) + (result.ok() ? 1 : 2L << 40),
			       std::memory_order_release);
	};
	long idle = 0;

	for (long sent = 0, seen; (seen = answered.load(std::memory_order_acquire)) < n;) {
		if (sent < n && sent - seen < window) {
			if (library.echo_async(request, hear) != Status::ok)
				return -EIO;
			sent++;
			idle = 0;
		} else if (++idle > 1000) {
			std::this_thread::yield();
		}
	}
	return answered.load() == n ? 0 : -EIO;
}

long future(void *context, long n)
{
	const echo::Context &library = context_of(static_cast<const Lane *>(context)->wire);
	std::vector<std::future<echo::EchoResponse>> futures(window);

	for (long i = 0; i < n + window; i++) {
		auto &slot = futures[static_cast<std::size_t>(i % window)];

		if (i >= window && i - window < n)
			slot.get();
		if (i < n)
			slot = library.echo_future(request);
	}
	return 0;
}

long events(void *context, long n)
{
	const echo::Context &library = context_of(static_cast<const Lane *>(context)->wire);
	std::atomic<long> noticed{ 0 };
	const auto listener = library.on_tick([&noticed](std::uint64_t lost) {
		noticed.store(noticed.load(std::memory_order_relaxed) + 1 + static_cast<long>(lost << 40),
			      std::memory_order_release);
	});

	library.ticks(static_cast<std::uint32_t>(n));
	while (noticed.load(std::memory_order_acquire) < n)
		std::this_thread::yield();
	return noticed.load() == n ? 0 : -EIO;
}

/* The values of one stream. */
long values(void *context, long n)
{
	const echo::Context &library = context_of(static_cast<const Lane *>(context)->wire);
	echo::CountRequest count;
	long taken = 0;

	count.up_to = static_cast<std::uint32_t>(n);
	auto stream = library.count(count);

	for (;;) {
		const auto value = stream.try_next();

		if (!value)
			return -EIO;
		if (!*value)
			return taken == n ? 0 : -EIO;
		taken++;
	}
}

/* ---- percentiles ----------------------------------------------------------------------------------------------- */

void latency(const char *lane, Wire wire, unsigned threads, long (*call)(const echo::Context &library))
{
	const echo::Context &library = context_of(wire);
	std::vector<std::vector<double>> samples(threads);
	std::vector<std::thread> all;
	std::vector<double> together;
	const double began = bench_now_ns();

	all.reserve(threads);
	for (auto &mine : samples) {
		all.emplace_back([&mine, &library, call] {
			for (long i = 0; i < latency_calls; i++) {
				const double start = bench_now_ns();

				if (call(library) < 0)
					std::abort();
				mine.push_back(bench_now_ns() - start);
			}
		});
	}
	for (std::thread &thread : all)
		thread.join();
	const double took = bench_now_ns() - began;

	for (const auto &mine : samples)
		together.insert(together.end(), mine.begin(), mine.end());
	std::sort(together.begin(), together.end());
	std::printf("{\"type\":\"latency\",\"lane\":\"%s:%s\",\"threads\":%u,\"calls\":%zu,\"p50_ns\":%.0f,"
		    "\"p99_ns\":%.0f,\"calls_per_s\":%.0f}\n",
		    lane, wire == Wire::c ? "c" : "cbor", threads, together.size(), together[together.size() / 2],
		    together[together.size() * 99 / 100], static_cast<double>(together.size()) / took * 1e9);
}

int latencies()
{
	for (const Wire wire : { Wire::cbor, Wire::c }) {
		for (const unsigned threads : { 1U, 2U, 4U, 8U })
			latency("ask", wire, threads, [](const echo::Context &library) -> long {
				return library.try_echo(request) ? 0 : -1;
			});
		latency("ask_large", wire, 1,
			[](const echo::Context &library) -> long { return library.try_bytes(payload) ? 0 : -1; });
		latency("future", wire, 1, [](const echo::Context &library) -> long {
			return library.echo_future(request).get().echoed.empty() ? -1 : 0;
		});
	}
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	static const long n[] = { 1000, 3000, 10000, 30000 };
	static Lane lanes[] = { { Wire::cbor, 1 }, { Wire::c, 1 },    { Wire::cbor, 2 },
				{ Wire::c, 2 },	   { Wire::cbor, 8 }, { Wire::c, 8 } };
	static const struct bench_variant variants[] = {
		{ "cpp-cbor:call", nullptr, ask, &lanes[0], true },
		{ "cpp-c:call", nullptr, ask, &lanes[1], true },
		{ "cpp-cbor:call@2", nullptr, ask, &lanes[2], true },
		{ "cpp-c:call@2", nullptr, ask, &lanes[3], true },
		{ "cpp-cbor:call@8", nullptr, ask, &lanes[4], true },
		{ "cpp-c:call@8", nullptr, ask, &lanes[5], true },
		{ "cpp-async-cbor:call", nullptr, async, &lanes[0], true },
		{ "cpp-async-c:call", nullptr, async, &lanes[1], true },
		{ "cpp-future-cbor:call", nullptr, future, &lanes[0], true },
		{ "cpp-future-c:call", nullptr, future, &lanes[1], true },
		{ "cpp-cbor:large", nullptr, ask_large, &lanes[0], true },
		{ "cpp-c:large", nullptr, ask_large, &lanes[1], true },
		{ "cpp-c:handle", nullptr, handle, &lanes[1], true },
		{ "cpp-chain:handle", nullptr, chain, &lanes[1], true },
		{ "cpp-cbor:value", nullptr, values, &lanes[0], true },
		{ "cpp-c:value", nullptr, values, &lanes[1], true },
		{ "cpp-cbor:tick", nullptr, events, &lanes[0], true },
		{ "cpp-c:tick", nullptr, events, &lanes[1], true },
	};
	const struct bench_suite suite = {
		"ingress", "What does a typed call from C++ to a library on a thread of its own cost?",
		variants,  std::size(variants),
		n,	   std::size(n),
		20,	   3,
		nullptr,
	};

	if (argc >= 2 && std::strcmp(argv[1], "--latency") == 0)
		return latencies();
	return bench_main(argc, argv, &suite);
}
