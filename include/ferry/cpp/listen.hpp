/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Listeners: a Subscription listens for as long as it lives, and may be destroyed anywhere, even in its own callback.
 *
 * The callback's object belongs to the core from ingress_listen on. The core calls `release` exactly once, when the
 * callback does not run and never will, and that deletes the object. So the end of a Subscription frees nothing; it
 * asks the core to end the listener.
 *
 *     a host's thread                       a thread of the library's
 *     ------------------------------        ------------------------------------------------
 *     ~Subscription: unlisten returns       ~Subscription: unlisten does not wait; if the
 *       when the callback does not run        callback runs, it runs on, and is deleted
 *       and was deleted                       when it returns
 */
#ifndef FERRY_CPP_LISTEN_HPP
#define FERRY_CPP_LISTEN_HPP

#include <ferry/cpp/call.hpp>

#include <functional>
#include <new>
#include <utility>

namespace ferry::ingress
{

/** What happens to a new event when as many as the depth allows wait; the next event's `lost` counts the lost ones. */
enum class Overflow : std::uint32_t {
	as_declared = INGRESS_OVERFLOW_DEFAULT,
	drop_oldest = INGRESS_DROP_OLDEST,
	drop_newest = INGRESS_DROP_NEWEST,
	coalesce = INGRESS_COALESCE, /**< only the newest is kept */
};

/** Options of a listener. */
struct ListenOptions {
	Overflow overflow = Overflow::as_declared;
	std::uint32_t depth = 0; /**< events that may wait, at most; 0: the context's event_depth */
	/** Called with the error of an event that cannot be decoded; such an event counts as lost in any case. */
	std::function<void(const Failure &)> on_error;
};

/** Decodes events, and calls a function with each. */
template <class T, class F> class EventTaker
{
public:
	template <class G>
	EventTaker(G &&f, std::function<void(const Failure &)> e)
	    : function_(std::forward<G>(f)), on_error_(std::move(e))
	{
	}

	void take(const struct ingress_event &event)
	{
		Fault fault;

		lost_ += event.lost;
		if (__builtin_expect(!decode(static_cast<Wire>(event.wire), event.data, event.bytes, value_, fault),
				     false)) {
			lost_++;
			if (on_error_)
				on_error_(Failure{ Status::bad_payload, "event: " + fault.text() });
			return;
		}
		const std::uint64_t count = std::exchange(lost_, 0);

		if constexpr (std::is_void_v<T> && std::is_invocable_v<F &, std::uint64_t>)
			function_(count);
		else if constexpr (std::is_void_v<T>)
			function_();
		else if constexpr (std::is_invocable_v<F &, const Travelling<T> &, std::uint64_t>)
			function_(static_cast<const Travelling<T> &>(value_), count);
		else
			function_(static_cast<const Travelling<T> &>(value_));
	}

private:
	F function_;
	std::function<void(const Failure &)> on_error_;
	Travelling<T> value_{}; /* its memory serves one event after the other */
	std::uint64_t lost_ = 0;
};

/** Owns a listener's number, and removes the listener when this is destroyed. Move-only. */
class Listening
{
public:
	Listening() noexcept = default;
	Listening(ingress_token token, std::uint64_t id) noexcept : token_(token), id_(id)
	{
	}
	Listening(Listening &&other) noexcept : token_(other.token_), id_(std::exchange(other.id_, 0))
	{
	}
	Listening &operator=(Listening &&other) noexcept
	{
		if (this != &other) {
			reset();
			token_ = other.token_;
			id_ = std::exchange(other.id_, 0);
		}
		return *this;
	}
	Listening(const Listening &) = delete;
	Listening &operator=(const Listening &) = delete;
	~Listening()
	{
		reset();
	}
	explicit operator bool() const noexcept
	{
		return id_ != 0;
	}
	void reset() noexcept
	{
		/* destroying the callback's object may run code that calls this again */
		const std::uint64_t id = std::exchange(id_, 0);

		if (id != 0)
			ingress_unlisten(token_, id);
	}

private:
	ingress_token token_ = 0;
	std::uint64_t id_ = 0; /* 0: none */
};

/** Listens until it is destroyed. Move-only; one thread at a time may call its members. */
class [[nodiscard]] Subscription
{
public:
	/** Whether it listens. */
	explicit operator bool() const noexcept
	{
		return static_cast<bool>(listening_);
	}
	/**
	 * Stop listening. Afterwards the callback does not run and never will, and its object was deleted. Within a
	 * callback, on a thread of the library's, this does not wait: if the callback to be ended is running, its
	 * object is deleted when it returns.
	 */
	void reset() noexcept
	{
		listening_.reset();
	}

	/** Listen: calls function(value) or function(value, lost); for an event without a value, without `value`. */
	template <class T, class F>
	static Result<Subscription> listen(const Link &link, std::uint32_t event, F &&function,
					   const ListenOptions &options) noexcept;

private:
	/** What the core calls. An exception that leaves the function ends the program. */
	template <class Taker>
	static void notify(void *user, const struct ingress_event *event) noexcept // NOLINT(bugprone-exception-escape)
	{
		static_cast<Taker *>(user)->take(*event);
	}
	template <class Taker> static void release(void *user) noexcept
	{
		delete static_cast<Taker *>(user);
	}

	Listening listening_;
};

template <class T, class F>
Result<Subscription> Subscription::listen(const Link &link, std::uint32_t event, F &&function,
					  const ListenOptions &options) noexcept
{
	using Taker = EventTaker<T, std::decay_t<F>>;
	struct ingress_listener listener = {};
	Subscription subscription;
	std::uint64_t id = 0;

	try {
		listener.user = new Taker(std::forward<F>(function), options.on_error);
	} catch (const std::bad_alloc &) {
		return Failure{ Status::no_memory, {} };
	}
	listener.event = event;
	listener.wire = static_cast<std::uint32_t>(link.wire());
	listener.overflow = static_cast<std::uint32_t>(options.overflow);
	listener.depth = options.depth;
	listener.notify = notify<Taker>;
	listener.release = release<Taker>; /* the core calls it even when listening is refused */
	const auto status = static_cast<Status>(ingress_listen(link.token(), &listener, &id));

	if (status != Status::ok)
		return Failure{ status, {} };
	subscription.listening_ = Listening(link.token(), id);
	return subscription;
}

} // namespace ferry::ingress

#endif
