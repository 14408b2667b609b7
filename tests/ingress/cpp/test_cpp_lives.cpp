/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Subscriptions, inboxes and contexts that end where that is hard: on the library's threads, in their own callbacks, at
 * once with each other. Run with AddressSanitizer and ThreadSanitizer, these found what was used after its end.
 */
#include "check.hpp"

#include <atomic>
#include <chrono>
#include <echo.hpp>
#include <memory>
#include <optional>
#include <thread>

namespace
{

using ferry::ingress::Result;
using ferry::ingress::Status;
using ferry::ingress::Subscription;
using namespace std::chrono_literals;

constexpr auto patience = 60s;

template <class F> bool until(F &&done)
{
	const auto deadline = std::chrono::steady_clock::now() + patience;

	while (!done() && std::chrono::steady_clock::now() < deadline)
		std::this_thread::sleep_for(100us);
	return done();
}

/* What a callback that takes its time shares with its test. */
struct Slow {
	std::atomic<bool> inside{ false };
	/* It stays inside for as long as this is set. */
	std::atomic<bool> is_held{ false };
	std::atomic<unsigned> count{ 0 };
};

/* Listens with a callback that holds memory of its own, which it reads after a while; `slow` is counted by it. */
Subscription listen_slowly(const echo::Context &context, const std::shared_ptr<Slow> &slow)
{
	return context.on_tick([slow, own = std::string(100, 'x')] {
		slow->inside = true;
		until([&] { return !slow->is_held.load(); });
		std::this_thread::sleep_for(20ms);
		slow->count += static_cast<unsigned>(own.find_last_of('x') + 1);
		slow->inside = false;
	});
}

} // namespace

TEST(a_reply_ends_a_subscription_whose_callback_runs)
{
	for (int round = 0; round < 10; round++) {
		const echo::Context context = echo::Context::create("");
		const auto slow = std::make_shared<Slow>();
		Subscription subscription = listen_slowly(context, slow);
		std::atomic<bool> ended{ false };

		/* more are waiting when it ends */
		slow->is_held = true;
		context.ticks(5);
		CHECK(until([&] { return slow->inside.load(); }));
		CHECK(context.echo_async({ "k", 0 }, [&](const Result<echo::EchoResponse> &) {
			subscription.reset();
			slow->is_held = false;
			ended = true;
		}) == Status::ok);
		CHECK(until([&] { return ended.load(); }));
		/* the callback runs on, and goes when it returns */
		CHECK(until([&] { return slow.use_count() == 1; }));
		CHECK_EQUAL(slow->count.load(), 100U);
		CHECK(!subscription);
	}
}

TEST(a_reply_ends_a_subscription_that_is_idle)
{
	const echo::Context context = echo::Context::create("");
	const auto slow = std::make_shared<Slow>();
	Subscription subscription = listen_slowly(context, slow);
	std::atomic<long> uses{ 0 };

	CHECK(context.echo_async({ "k", 0 }, [&](const Result<echo::EchoResponse> &) {
		subscription.reset();
		uses = slow.use_count();
	}) == Status::ok);
	CHECK(until([&] { return uses != 0; }));
	CHECK_EQUAL(uses.load(), 1);
	context.ticks(3);
	CHECK_EQUAL(context.echo({ "", 0 }).echoed, "");
	CHECK_EQUAL(slow->count.load(), 0U);
}

TEST(a_subscription_ends_while_its_context_does)
{
	for (int round = 0; round < 10; round++) {
		std::optional<echo::Context> context = echo::Context::create("");
		const auto slow = std::make_shared<Slow>();
		Subscription subscription = listen_slowly(*context, slow);

		context->ticks(5);
		CHECK(until([&] { return slow->inside.load(); }));
		std::thread destroyer([&] { context.reset(); });

		std::this_thread::sleep_for(5ms);
		subscription.reset();
		const bool inside = slow->inside;

		destroyer.join();
		CHECK(!inside);
		CHECK_EQUAL(slow.use_count(), 1);
	}
}

TEST(a_callback_may_own_its_context_and_its_subscription)
{
	struct Owned {
		std::optional<echo::Context> context;
		Subscription subscription;
	};

	for (int round = 0; round < 10; round++) {
		auto owned = std::make_shared<Owned>();
		const std::weak_ptr<Owned> seen = owned;

		owned->context = echo::Context::create("");
		/* the callback is the last owner of all, itself included, and lets go when it is told */
		owned->subscription = owned->context->on_tick([mine = owned, big = std::string(100, 'x')]() mutable {
			const std::shared_ptr<Owned> last = std::exchange(mine, nullptr);

			CHECK_EQUAL(big.size(), 100U);
		});
		CHECK(owned->context->ticks_async(3, [](const Result<void> &) {}) == Status::ok);
		owned.reset();
		CHECK(until([&] { return seen.expired(); }));
	}
}

TEST(two_callbacks_of_two_contexts_end_each_other)
{
	const echo::Context one = echo::Context::create(""), two = echo::Context::create("");
	std::atomic<unsigned> inside{ 0 }, ended{ 0 };
	Subscription first, second;
	const auto end = [&](Subscription &other) {
		inside++;
		/* both run now */
		until([&] { return inside >= 2; });
		other.reset();
		ended++;
	};

	first = one.on_tick([&] { end(second); });
	second = two.on_tick([&] { end(first); });
	one.ticks(1);
	two.ticks(1);
	CHECK(until([&] { return ended == 2; }));
	CHECK(!first);
	CHECK(!second);
}

TEST(an_inbox_may_end_in_its_own_callback)
{
	const echo::Context context = echo::Context::create("");
	const auto kept = std::make_shared<int>(0);
	auto inbox = std::make_unique<ferry::ingress::Inbox>();
	ferry::ingress::Inbox *const loop = inbox.get();
	unsigned heard = 0;
	ferry::ingress::InboxSubscription ticking =
		context.post_tick(*inbox, [&, kept] { heard += inbox == nullptr; }).value();

	for (unsigned i = 0; i < 20; i++)
		CHECK(context.echo_post(*inbox, { "k", 0 }, [&, kept](const Result<echo::EchoResponse> &) {
			heard++;
			inbox.reset();
		}) == Status::ok);
	context.ticks(20);
	CHECK(loop->run(patience) >= 1);
	CHECK(!inbox);
	CHECK_EQUAL(heard, 1U);
	/* a subscription may outlive its inbox */
	CHECK(ticking);
	ticking.reset();
	CHECK_EQUAL(kept.use_count(), 1);
}
