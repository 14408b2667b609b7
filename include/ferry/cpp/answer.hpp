/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers to questions that a library asks: a function of the program's runs on the event thread, and what it returns
 * or throws goes back as a request, which nobody waits for. An answer that does not fit is followed by a text that says
 * so.
 */
#ifndef FERRY_CPP_ANSWER_HPP
#define FERRY_CPP_ANSWER_HPP

#include <ferry/cpp/listen.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace ferry::ingress
{

/** Answers the questions of one kind. `Kind` has their types, and the numbers of the methods that bring answers. */
template <class Kind, class F> class Answerer
{
public:
	template <class G> Answerer(const Link &link, G &&function) : link_(link), function_(std::forward<G>(function))
	{
	}

	void operator()(const typename Kind::Asked &asked)
	{
		const auto id = Kind::question(asked);

		try {
			answer(id, asked);
		} catch (const Raised &error) {
			if constexpr (!std::is_void_v<typename Kind::Raised>)
				send(id, Kind::by_raise, typename Kind::Raise{ id, error.raised() });
		} catch (const std::exception &error) {
			fail(link_, id, error.what());
		} catch (...) {
			fail(link_, id, "the host's function has thrown something that is no std::exception");
		}
	}

private:
	using Id = typename Kind::Id;
	/* a class that nobody throws, where the question declares no error */
	struct Never {
	};
	using Raised =
		std::conditional_t<std::is_void_v<typename Kind::Raised>, Never, RaisedError<typename Kind::Raised>>;

	/* How often an answer is tried again for which the queue of requests has no room, after a millisecond each. */
	static constexpr int tries_max = 1000;

	void answer(Id id, const typename Kind::Asked &asked)
	{
		if constexpr (std::is_void_v<typename Kind::Value>) {
			function_(asked);
			send(id, Kind::by_return, typename Kind::Return{ id });
		} else {
			const typename Kind::Value value = function_(asked);

			send(id, Kind::by_return, typename Kind::Return{ id, value });
		}
	}

	/* Whether the library has refused an answer for what is in it, and not because the question is over. */
	static bool is_unfit(Status status) noexcept
	{
		return status == Status::too_large || status == Status::bad_payload || status == Status::bad_argument;
	}

	template <class P> void send(Id id, std::uint32_t method, const P &params) noexcept
	{
		const Link link = link_;
		const Status status = submitted(link, method, params, [link, id](const Result<void> &result) {
			if (!result && is_unfit(result.error().status))
				fail(link, id, "the answer cannot be sent: " + result.error().what());
		});

		if (is_unfit(status))
			fail(link_, id, std::string("the answer cannot be sent: ") + text(status));
	}

	static void fail(const Link &link, Id id, std::string_view message) noexcept
	{
		submitted(link, Kind::by_fail, typename Kind::Fail{ id, message },
			  [link, id](const Result<void> &result) {
				  /* what an exception says may be in any encoding, and be long */
				  if (!result && is_unfit(result.error().status))
					  submitted(link, Kind::by_fail,
						    typename Kind::Fail{ id, "the host's function has failed" },
						    [](const Result<void> &) {});
			  });
	}

	template <class P, class G>
	static Status submitted(const Link &link, std::uint32_t method, const P &params, G &&done) noexcept
	{
		Status status = Status::queue_full;

		for (int i = 0; i < tries_max; i++) {
			status = link.template submit<void>(method, params, done);
			if (status != Status::queue_full)
				break;
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
		}
		return status;
	}

	Link link_;
	F function_;
};

/** Answer the questions of one kind for as long as the Subscription lives. */
template <class Kind, class F>
Result<Subscription> answering(const Link &link, F &&function, const ListenOptions &options) noexcept
{
	return Subscription::listen<typename Kind::Asked>(
		link, Kind::event, Answerer<Kind, std::decay_t<F>>(link, std::forward<F>(function)), options);
}

} // namespace ferry::ingress

#endif
