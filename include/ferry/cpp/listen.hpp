/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Listeners: a Subscription listens for as long as it lives, and may end in its own callback.
 *
 * The callback's object has one owner. That is the subscription, until it ends inside the callback, where the object
 * must not go yet: then the callback itself deletes it when it returns.
 *
 *     event thread, in the callback         any other thread
 *     ------------------------------        -------------------------------------------
 *     ~Subscription: unlisten returns       ~Subscription: unlisten returns when the
 *       at once; orphan the object            callback does not run; delete the object
 *     callback returns: delete it
 *
 * Only the event thread runs the callback, so the flag that orphans is read and written by one thread.
 */
#ifndef FERRY_CPP_LISTEN_HPP
#define FERRY_CPP_LISTEN_HPP

#include <ferry/cpp/call.hpp>

#include <functional>
#include <memory>

namespace ferry::ingress
{

/** What happens to an event for which a listener has no room; the next event's `lost` counts them. */
enum class Overflow : std::uint32_t {
	as_declared = INGRESS_OVERFLOW_DEFAULT,
	drop_oldest = INGRESS_DROP_OLDEST,
	drop_newest = INGRESS_DROP_NEWEST,
	coalesce = INGRESS_COALESCE, /**< only the newest is kept */
};

/** How to listen. */
struct ListenOptions {
	Overflow overflow = Overflow::as_declared;
	std::uint32_t depth = 0; /**< events that may wait, at most; 0: the context's event_depth */
	/** Takes what is wrong with an event that cannot be decoded; such an event counts as lost in any case. */
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

/** Ends listening when it ends. Move-only; every member is for one thread at a time. */
class [[nodiscard]] Subscription
{
public:
	/** Whether it listens. */
	explicit operator bool() const noexcept
	{
		return listener_ != nullptr;
	}
	/** Stop listening. Afterwards the callback does not run and will not, unless this is called inside of it. */
	void reset() noexcept
	{
		listener_.reset();
	}

	/** Listen: function(value), or function(value, lost); an event without a value has none. */
	template <class T, class F>
	static Result<Subscription> listen(const Link &link, std::uint32_t event, F &&function,
					   const ListenOptions &options) noexcept;

private:
	/** What the core's `user` points at. */
	struct Listener {
		virtual ~Listener() = default;
		/** End it: now, or when the callback that this is called in returns. */
		void end() noexcept
		{
			if (current() == this)
				is_orphan = true;
			else
				delete this;
		}
		/** The listener whose callback this thread is in. */
		static Listener *&current() noexcept
		{
			static thread_local Listener *listener = nullptr;

			return listener;
		}
		bool is_orphan = false;
	};
	template <class T, class F> struct Typed;

	struct End {
		ingress_token token;
		std::uint64_t id; /* 0: the core does not know it */

		void operator()(Listener *listener) const noexcept
		{
			if (id != 0)
				ingress_unlisten(token, id);
			listener->end();
		}
	};
	std::unique_ptr<Listener, End> listener_;
};

template <class T, class F> struct Subscription::Typed final : Listener {
	template <class G>
	Typed(G &&f, std::function<void(const Failure &)> e) : events(std::forward<G>(f), std::move(e))
	{
	}

	/** What the core calls. An exception that leaves the function ends the program. */
	static void notify(void *user, const struct ingress_event *event) noexcept // NOLINT(bugprone-exception-escape)
	{
		auto *self = static_cast<Typed *>(user);
		Listener *const outer = std::exchange(current(), self);

		self->events.take(*event);
		current() = outer;
		if (self->is_orphan)
			delete self;
	}

	EventTaker<T, F> events;
};

template <class T, class F>
Result<Subscription> Subscription::listen(const Link &link, std::uint32_t event, F &&function,
					  const ListenOptions &options) noexcept
{
	using Taker = Typed<T, std::decay_t<F>>;
	Subscription subscription;
	struct ingress_listener listener = {};

	try {
		subscription.listener_ = { new Taker(std::forward<F>(function), options.on_error),
					   { link.token(), 0 } };
	} catch (const std::bad_alloc &) {
		return Failure{ Status::no_memory, {} };
	}
	listener.event = event;
	listener.wire = static_cast<std::uint32_t>(link.wire());
	listener.overflow = static_cast<std::uint32_t>(options.overflow);
	listener.depth = options.depth;
	listener.notify = Taker::notify;
	listener.user = static_cast<Taker *>(subscription.listener_.get());
	const auto status =
		static_cast<Status>(ingress_listen(link.token(), &listener, &subscription.listener_.get_deleter().id));

	if (status != Status::ok)
		return Failure{ status, {} };
	return subscription;
}

} // namespace ferry::ingress

#endif
