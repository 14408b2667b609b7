/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life cycle in C++: a forked child opens contexts of its own, while the parent's threads are busy, and what was
 * the parent's can be dropped there; and the cells of docs/ingress-life-cycle.md that its types let a program write.
 */
#include "../../helpers/fork_moment.h"
#include "check.hpp"

#include <echo.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/*
 * ThreadSanitizer does not follow new threads of a forked child. AddressSanitizer of GCC 12 does not hold its
 * allocator's locks around fork: there no thread of the parent's allocates meanwhile.
 */
#if defined(__SANITIZE_THREAD__)
#define CHILDREN_HAVE_THREADS false
#define BUSY false
#elif defined(__SANITIZE_ADDRESS__)
#define CHILDREN_HAVE_THREADS true
#define BUSY false
#else
#define CHILDREN_HAVE_THREADS true
#define BUSY true
#endif

using namespace std::chrono_literals;
using ferry::ingress::Inbox;
using ferry::ingress::Status;
using Echoed = ferry::ingress::Result<echo::EchoResponse>;

namespace
{

constexpr auto patience = 60s;
constexpr int forks = 40;
constexpr unsigned hang_s = 120;

/* All that a program does with a context. Throws where it is not as it should be. */
void use_own()
{
	const echo::Context context = echo::Context::create("e ");
	std::atomic<unsigned> heard = 0, taken = 0;
	Inbox inbox;

	{
		const auto subscription = context.on_echoed([&](const echo::EchoResponse &) { heard++; });

		CHECK_EQUAL(context.echo({ "own", 0 }, patience).echoed, "e own");
		CHECK_EQUAL(context.echo_future({ "later", 5 }).get().echoed, "e later");
		while (heard < 2)
			std::this_thread::yield();
	}
	auto posted = context.post_echoed(inbox, [&](const echo::EchoResponse &) { taken++; });

	CHECK(posted.ok());
	context.echo({ "posted", 0 }, patience);
	while (taken == 0)
		inbox.run(patience);
	posted->reset();
	CHECK_EQUAL(echo::Context::version(patience), "0.1.0");
}

/* Run it in a child, which has to end well. */
template <class F> void in_child(F &&run)
{
	wait_for_other_threads();
	const pid_t child = fork();
	int status = -1;

	if (child == 0) {
		alarm(hang_s);
		try {
			run();
		} catch (const std::exception &error) {
			std::fprintf(stderr, "# in a child: %s\n", error.what());
			_exit(1);
		}
		_exit(0);
	}
	CHECK(child > 0);
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK_EQUAL(status, 0);
}

/* Threads that call, and make and end contexts, as long as it lives. */
class Busy
{
public:
	explicit Busy(const echo::Context &context)
	{
		if (!BUSY)
			return;
		for (auto &thread : threads_)
			thread = std::thread([this, &context, first = &thread == &threads_[0]] {
				while (!over_) {
					context.echo({ std::string(3000, 'x'), 0 }, patience);
					if (first)
						echo::Context::create("b ").echo({ "own", 0 }, patience);
				}
			});
	}
	Busy(const Busy &) = delete;
	Busy &operator=(const Busy &) = delete;
	~Busy()
	{
		over_ = true;
		for (auto &thread : threads_)
			if (thread.joinable())
				thread.join();
	}

private:
	std::atomic<bool> over_ = false;
	std::thread threads_[2];
};

} // namespace

TEST(a_forked_child_uses_contexts_of_its_own)
{
	if (!CHILDREN_HAVE_THREADS)
		return;
	const echo::Context context = echo::Context::create("p ");
	const Busy busy(context);

	for (int i = 0; i < forks; i++) {
		in_child([&] {
			CHECK(context.try_echo({ "parent's", 0 }, patience).status() == Status::closed);
			CHECK_THROWS(ferry::ingress::ClosedError, context.echo({ "parent's", 0 }, patience));
			use_own();
		});
		CHECK_EQUAL(context.echo({ "on", 0 }, patience).echoed, "p on");
	}
}

TEST(what_was_the_parents_can_be_dropped_in_a_child)
{
	auto context = std::make_unique<echo::Context>(echo::Context::create("p "));
	auto inbox = std::make_unique<Inbox>();
	std::atomic<unsigned> heard = 0;
	auto subscription = context->on_echoed([&](const echo::EchoResponse &) { heard++; });
	auto posted = context->post_echoed(*inbox, [](const echo::EchoResponse &) {});

	CHECK(posted.ok());
	in_child([&] {
		CHECK_EQUAL(inbox->run(), 0U);
		CHECK_EQUAL(inbox->descriptor(), -1);
		CHECK(context->try_on_echoed([](const echo::EchoResponse &) {}).status() == Status::closed);
		posted->reset();
		subscription.reset();
		inbox.reset();
		context.reset();
		if (CHILDREN_HAVE_THREADS)
			use_own();
	});
	CHECK_EQUAL(context->echo({ "on", 0 }, patience).echoed, "p on");
	while (heard == 0 || inbox->run(patience) == 0)
		;
	posted->reset();
}

/* In a reply's callback, on the library thread: it may submit and open nothing that it would wait for. */
TEST(a_callback_may_submit_and_may_not_wait)
{
	const echo::Context context = echo::Context::create("c ");
	std::promise<void> done;
	Status waited = Status::ok, created = Status::ok;
	const auto status = context.echo_async({ "first", 0 }, [&](const Echoed &) {
		waited = context.try_echo({ "waits", 0 }, patience).status();
		created = echo::Context::try_create("waits").status();
		const auto submitted = context.echo_async({ "second", 0 }, [&](const Echoed &reply) {
			if (reply.ok() && reply->echoed == "c second")
				done.set_value();
		});
		(void)submitted;
	});

	CHECK(status == Status::ok);
	CHECK(done.get_future().wait_for(patience) == std::future_status::ready);
	CHECK(waited == Status::reentrant);
	CHECK(created == Status::reentrant);
}

/* In a listener, on the event thread: it may call, wait, open another context and end itself. */
TEST(a_listener_may_do_all_but_end_its_context)
{
	const echo::Context context = echo::Context::create("l ");
	std::promise<std::string> done;
	ferry::ingress::Subscription subscription;
	std::atomic<bool> listens = false;

	subscription = context.on_echoed([&](const echo::EchoResponse &) {
		while (!listens)
			std::this_thread::yield();
		subscription.reset();
		done.set_value(context.echo({ "inside", 0 }, patience).echoed +
			       echo::Context::create("other ").echo({ "too", 0 }, patience).echoed);
	});
	listens = true;
	context.echo({ "go", 0 }, patience);
	CHECK_EQUAL(done.get_future().get(), "l insideother too");
}

/* A method that any link can be asked for: `close` of the interface, with a reader that there is not. */
constexpr std::uint32_t echo_close = 12;
constexpr echo::ReaderId unknown{ 7 };

/* While another thread destroys the context and waits for what runs: calls are refused, what listens may end. */
TEST(while_a_context_is_destroyed_it_is_closed)
{
	bool was_under_way = false;

	/* a later round has longer, should this thread have been kept waiting */
	for (int delay_ms = 200; !was_under_way && delay_ms <= 20000; delay_ms *= 10) {
		auto context = echo::Context::create("d ");
		const auto link = context.link();
		auto subscription = context.on_echoed([](const echo::EchoResponse &) {});
		const auto running = context.echo_async({ "running", delay_ms }, [](const Echoed &) {});
		std::atomic<bool> over = false;
		Status status = Status::bad_handle;

		CHECK(running == Status::ok);
		context.echo({ "before", 0 }, patience);
		std::thread destroying([&] {
			CHECK(context.try_destroy(patience).ok());
			over = true;
		});
		/* by a copy of its link, since the context itself is being ended */
		while (status == Status::bad_handle)
			status = link.ask<void>(echo_close, echo::detail::CloseParams{ unknown }, patience).status();
		subscription.reset();
		CHECK_EQUAL(echo::Context::version(patience), "0.1.0");
		CHECK_EQUAL(echo::Context::create("o ").echo({ "other", 0 }, patience).echoed, "o other");
		was_under_way = !over;
		destroying.join();
		if (was_under_way)
			CHECK(status == Status::closed);
	}
	CHECK(was_under_way);
}

/* In the reply of a constructor, which is a callback of the context that it gives. */
TEST(a_constructors_callback_may_submit_and_may_not_wait)
{
	const echo::Context other = echo::Context::create("o ");
	std::promise<void> done;
	Status waited = Status::ok, submitted = Status::failed;
	std::promise<echo::Context> made;
	const auto status = echo::Context::create_async("c ", [&](ferry::ingress::Result<echo::Context> context) {
		waited = other.try_echo({ "waits", 0 }, patience).status();
		submitted = other.echo_async({ "later", 0 }, [&](const Echoed &) { done.set_value(); });
		made.set_value(std::move(context).value());
	});

	CHECK(status == Status::ok);
	CHECK_EQUAL(made.get_future().get().echo({ "made", 0 }, patience).echoed, "c made");
	done.get_future().get();
	CHECK(waited == Status::reentrant);
	CHECK(submitted == Status::ok);
}

TEST(after_its_end_a_context_is_closed)
{
	echo::Context context = echo::Context::create("a ");
	auto later = context.echo_future({ "late", 60000 });

	const Status ended = context.try_destroy(50ms).status();

	/* the library may not have begun with it */
	CHECK(ended == Status::timeout || ended == Status::ok);
	CHECK_THROWS(ferry::ingress::ClosedError, later.get());
	CHECK(context.try_echo({ "after", 0 }, patience).status() != Status::ok);
	CHECK(context.try_on_echoed([](const echo::EchoResponse &) {}).status() != Status::ok);
}

namespace
{

const echo::Context *interrupted;
std::atomic<int> in_handler = -1;

extern "C" void call_in_handler(int)
{
	in_handler = static_cast<int>(interrupted->try_echo({ "signal", 0 }, patience).status());
}

} // namespace

/* ThreadSanitizer holds the signal back until the wait is over. */
TEST(a_signal_handler_in_the_middle_of_a_call_is_refused)
{
#if !defined(__SANITIZE_THREAD__)
	const echo::Context context = echo::Context::create("s ");
	std::thread waiting([&] { CHECK(context.try_echo({ "slow", 1000 }, patience).ok()); });

	interrupted = &context;
	std::signal(SIGUSR1, call_in_handler);
	/* it is inside for a second; before that the handler may interrupt its malloc, and after that it is accepted */
	until_other_threads_sleep();
	for (int i = 0; i < 100 && in_handler != static_cast<int>(Status::reentrant); i++) {
		pthread_kill(waiting.native_handle(), SIGUSR1);
		std::this_thread::sleep_for(5ms);
	}
	waiting.join();
	CHECK_EQUAL(in_handler.load(), static_cast<int>(Status::reentrant));
	CHECK_EQUAL(context.echo({ "on", 0 }, patience).echoed, "s on");
#endif
}
