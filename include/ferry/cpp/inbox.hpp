/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replies and events for an event loop: callbacks that run on the thread that calls run(), and a descriptor that tells
 * the loop when to call it. Generated classes have a form METHOD_post for each method, and post_EVENT for each event.
 *
 *     any thread, METHOD_post             the loop's thread
 *     -------------------------------     ---------------------------------------------
 *     under the lock: keep the callback   the descriptor is readable
 *       by its tag                        run(): take items; under the lock find the
 *     submit with that tag                  callback of each; call it without the lock
 *
 * A callback is kept before its reply can come, so a tag that is not found belongs to a listener that has ended.
 *
 * The State outlives the Inbox while run() is under way, and subscriptions do not own it: so an Inbox may be destroyed
 * in one of its own callbacks, and before the subscriptions into it.
 */
#ifndef FERRY_CPP_INBOX_HPP
#define FERRY_CPP_INBOX_HPP

#include <ferry/cpp/listen.hpp>

#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace ferry::ingress
{

class InboxSubscription;

/**
 * Takes replies and events of any number of contexts. Any thread may post; one thread at a time may call run(). The
 * thread that calls run() may destroy it, or another one when that thread does not call run() any more. Replies and
 * events that are still to come are dropped then: their callbacks are not called.
 */
class Inbox
{
public:
	/** @throws Error NoMemoryError when memory or a descriptor could not be had */
	Inbox() : state_(std::make_shared<State>())
	{
		const auto status = static_cast<Status>(ingress_inbox_create(&state_->inbox));

		if (status != Status::ok)
			Result<void>(Failure{ status, {} }).value();
	}
	Inbox(const Inbox &) = delete;
	Inbox &operator=(const Inbox &) = delete;
	~Inbox()
	{
		state_->end();
	}

	/** Readable while run() may have something to do; for poll, epoll, or a loop's own watcher. Never read it. */
	[[nodiscard]] int descriptor() const noexcept
	{
		return ingress_inbox_descriptor(state_->inbox);
	}
	/**
	 * Call the callbacks of what has come, on this thread, and wait up to `timeout` for the first. An exception
	 * that leaves a callback ends the program. Returns how many replies and events were taken.
	 */
	std::size_t run(Timeout timeout = Timeout{ 0 }) noexcept
	{
		const std::shared_ptr<State> state = state_; /* a callback may end this */
		std::array<struct ingress_item, items_max> items{};
		std::size_t all = 0, count;

		do {
			count = ingress_inbox_take(state->inbox, items.data(), items.size(), timeout.count());
			for (std::size_t i = 0; i < count; i++)
				state->hand_over(items[i]);
			ingress_items_release(items.data(), count);
			all += count;
			timeout = Timeout{ 0 };
		} while (count == items.size() && !state->has_ended);
		return all;
	}

	/** Submit; run() gives `function` a Result<R, E> once, unless this returns another status than Status::ok. */
	template <class R, class E = void, class P, class F>
	Status post(const Link &link, std::uint32_t method, const P &params, F &&function,
		    const Ticket &ticket = {}) noexcept
	try {
		static_assert(std::is_invocable_v<std::decay_t<F> &, Result<R, E>>,
			      "the callback has to take a Result");
		struct ingress_call call = {};
		Message message;
		Status status = encode(link.wire(), params, message);

		if (status != Status::ok)
			return status;
		call.tag =
			state_->keep(std::make_shared<Reply<R, E, std::decay_t<F>>>(link, std::forward<F>(function)));
		call.method = method;
		call.inbox = state_->inbox;
		call.ticket = ticket.number();
		status = link.send(message, call);
		if (status != Status::ok)
			state_->forget(call.tag);
		return status;
	} catch (const std::bad_alloc &) {
		return Status::no_memory;
	}

	/**
	 * Listen: run() calls function(value) or function(value, lost); for an event without a value, without `value`.
	 */
	template <class T, class F>
	Result<InboxSubscription> listen(const Link &link, std::uint32_t event, F &&function,
					 const ListenOptions &options) noexcept;

private:
	friend InboxSubscription;

	/** A call or a listener that waits for items. */
	struct Waiting {
		virtual ~Waiting() = default;
		/** Take an item; true: it was the last. */
		virtual bool take(const struct ingress_item &item) = 0;
	};
	template <class R, class E, class F> struct Reply final : Waiting {
		template <class G> Reply(const Link &from, G &&f) : link(from), function(std::forward<G>(f))
		{
		}
		bool take(const struct ingress_item &item) override
		{
			if (item.status == INGRESS_STALE) {
				if constexpr (std::is_invocable_v<F &, StillRunning> && !std::is_invocable_v<F &, int>)
					function(StillRunning{});
				return false;
			}
			const auto status = static_cast<enum ingress_status>(item.status);

			if constexpr (IsOwned<R>::value)
				function(Link::own<R, E>(link, decode_reply<typename R::Id, E>(status, item.wire,
											       item.data, item.bytes)));
			else
				function(decode_reply<R, E>(status, item.wire, item.data, item.bytes));
			return true;
		}
		Link link;
		F function;
	};
	template <class T, class F> struct Events final : Waiting {
		template <class G>
		Events(G &&f, std::function<void(const Failure &)> e) : events(std::forward<G>(f), std::move(e))
		{
		}
		bool take(const struct ingress_item &item) override
		{
			events.take({ item.number, item.wire, item.data, item.bytes, item.lost });
			return false;
		}
		EventTaker<T, F> events;
	};

	struct State {
		State() = default;
		State(const State &) = delete;
		State &operator=(const State &) = delete;
		~State()
		{
			ingress_inbox_close(inbox);
		}

		std::uint64_t keep(std::shared_ptr<Waiting> callback)
		{
			const std::lock_guard lock(mutex);

			waiting.emplace(++last_tag, std::move(callback));
			return last_tag;
		}
		void forget(std::uint64_t tag) noexcept
		{
			std::shared_ptr<Waiting> gone; /* destroying it may take long: after the lock is released */
			const std::lock_guard lock(mutex);
			const auto found = waiting.find(tag);

			if (found != waiting.end()) {
				gone = std::move(found->second);
				waiting.erase(found);
			}
		}
		void hand_over(const struct ingress_item &item) noexcept // NOLINT(bugprone-exception-escape)
		{
			std::shared_ptr<Waiting> callback;
			{
				const std::lock_guard lock(mutex);
				const auto found = waiting.find(item.tag);

				if (found == waiting.end())
					return;
				callback = found->second;
			}
			if (callback->take(item))
				forget(item.tag);
		}
		/** No callback is called any more. */
		void end() noexcept
		{
			std::unordered_map<std::uint64_t, std::shared_ptr<Waiting>> gone; /* as in forget() */
			const std::lock_guard lock(mutex);

			has_ended = true;
			gone.swap(waiting);
		}

		struct ingress_inbox *inbox = nullptr;
		std::mutex mutex;
		std::unordered_map<std::uint64_t, std::shared_ptr<Waiting>> waiting;
		std::uint64_t last_tag = 0;
		bool has_ended = false; /* only for the thread that calls run() */
	};

	static constexpr std::size_t items_max = 64; /* how many items run() takes from the core's inbox at once */

	std::shared_ptr<State> state_;
};

/**
 * Listens into an inbox until it is destroyed. Move-only; one thread at a time may call its members. When the thread
 * that calls run() ends the listening, the callback is not called afterwards. A callback may end its own subscription.
 */
class [[nodiscard]] InboxSubscription
{
public:
	InboxSubscription() noexcept = default;
	InboxSubscription(InboxSubscription &&) noexcept = default;
	InboxSubscription &operator=(InboxSubscription &&other) noexcept
	{
		if (this != &other) {
			reset();
			listening_ = std::move(other.listening_);
			inbox_ = std::move(other.inbox_);
			tag_ = other.tag_;
		}
		return *this;
	}
	InboxSubscription(const InboxSubscription &) = delete;
	InboxSubscription &operator=(const InboxSubscription &) = delete;
	~InboxSubscription()
	{
		reset();
	}

	/** Whether it listens. */
	explicit operator bool() const noexcept
	{
		return static_cast<bool>(listening_);
	}
	/** Stop listening; events that wait in the inbox are dropped. */
	void reset() noexcept
	{
		const std::shared_ptr<Inbox::State> inbox = std::exchange(inbox_, {}).lock();

		listening_.reset();
		if (inbox)
			inbox->forget(tag_);
	}

private:
	friend Inbox;

	Listening listening_;
	std::weak_ptr<Inbox::State> inbox_;
	std::uint64_t tag_ = 0;
};

template <class T, class F>
Result<InboxSubscription> Inbox::listen(const Link &link, std::uint32_t event, F &&function,
					const ListenOptions &options) noexcept
try {
	InboxSubscription subscription;
	struct ingress_listener listener = {};
	std::uint64_t id = 0;

	listener.event = event;
	listener.wire = static_cast<std::uint32_t>(link.wire());
	listener.overflow = static_cast<std::uint32_t>(options.overflow);
	listener.depth = options.depth;
	listener.inbox = state_->inbox;
	listener.tag =
		state_->keep(std::make_shared<Events<T, std::decay_t<F>>>(std::forward<F>(function), options.on_error));
	subscription.inbox_ = state_;
	subscription.tag_ = listener.tag;
	const auto status = static_cast<Status>(ingress_listen(link.token(), &listener, &id));

	if (status != Status::ok)
		return Failure{ status, {} };
	subscription.listening_ = Listening(link.token(), id);
	return subscription;
} catch (const std::bad_alloc &) {
	return Failure{ Status::no_memory, {} };
}

} // namespace ferry::ingress

#endif
