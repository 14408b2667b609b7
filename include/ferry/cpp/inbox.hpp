/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replies and events for an event loop: callbacks that run where the loop wants them, and a descriptor that says when.
 * Generated classes have a form METHOD_post for each method, and post_EVENT for each event.
 *
 *     any thread, METHOD_post             the loop's thread
 *     -------------------------------     ---------------------------------------------
 *     under the lock: keep the callback   the descriptor is readable
 *       by its tag                        run(): take items; under the lock find the
 *     submit with that tag                  callback of each; call it without the lock
 *
 * A callback is known before its reply can come, so a tag that is not found belongs to a listener that has ended.
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
 * Takes replies and events of any number of contexts. Any thread may post; one thread at a time may call run(). Its end
 * drops what is still to come: those callbacks are not called. Subscriptions into it have to end before it.
 */
class Inbox
{
public:
	/** @throws Error NoMemoryError when memory or a descriptor could not be had */
	Inbox()
	{
		const auto status = static_cast<Status>(ingress_inbox_create(&inbox_));

		if (status != Status::ok)
			Result<void>(Failure{ status, {} }).value();
	}
	Inbox(const Inbox &) = delete;
	Inbox &operator=(const Inbox &) = delete;
	~Inbox()
	{
		ingress_inbox_close(inbox_);
	}

	/** Readable while run() may have something to do; for poll, epoll, or a loop's own watcher. Never read it. */
	[[nodiscard]] int descriptor() const noexcept
	{
		return ingress_inbox_descriptor(inbox_);
	}
	/**
	 * Call the callbacks of what has come, on this thread, and wait up to `timeout` for the first. An exception
	 * that leaves a callback ends the program. Returns how many replies and events were taken.
	 */
	std::size_t run(Timeout timeout = Timeout{ 0 }) noexcept
	{
		std::array<struct ingress_item, items_max> items{};
		std::size_t all = 0, count;

		do {
			count = ingress_inbox_take(inbox_, items.data(), items.size(), timeout.count());
			for (std::size_t i = 0; i < count; i++)
				hand_over(items[i]);
			ingress_items_release(items.data(), count);
			all += count;
			timeout = Timeout{ 0 };
		} while (count == items.size());
		return all;
	}

	/** Submit; run() calls `function` once with a Result<R>, unless this returns another status than Status::ok. */
	template <class R, class P, class F>
	Status post(const Link &link, std::uint32_t method, const P &params, F &&function) noexcept
	try {
		static_assert(std::is_invocable_v<std::decay_t<F> &, Result<R>>, "the callback has to take a Result");
		struct ingress_call call = {};
		Message message;
		Status status = encode(link.wire(), params, message);

		if (status != Status::ok)
			return status;
		call.tag = keep(std::make_shared<Reply<R, std::decay_t<F>>>(link, std::forward<F>(function)));
		call.method = method;
		call.inbox = inbox_;
		status = link.send(message, call);
		if (status != Status::ok)
			forget(call.tag);
		return status;
	} catch (const std::bad_alloc &) {
		return Status::no_memory;
	}

	/** Listen: run() calls function(value), or function(value, lost); an event without a value has none. */
	template <class T, class F>
	Result<InboxSubscription> listen(const Link &link, std::uint32_t event, F &&function,
					 const ListenOptions &options) noexcept;

private:
	friend InboxSubscription;

	/** What an item is for. */
	struct Waiting {
		virtual ~Waiting() = default;
		/** Take an item; true: it was the last. */
		virtual bool take(const struct ingress_item &item) = 0;
	};
	template <class R, class F> struct Reply final : Waiting {
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
				function(Link::own<R>(link, decode_reply<typename R::Id>(status, item.wire, item.data,
											 item.bytes)));
			else
				function(decode_reply<R>(status, item.wire, item.data, item.bytes));
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

	std::uint64_t keep(std::shared_ptr<Waiting> waiting)
	{
		const std::lock_guard lock(mutex_);

		waiting_.emplace(++last_tag_, std::move(waiting));
		return last_tag_;
	}
	void forget(std::uint64_t tag) noexcept
	{
		std::shared_ptr<Waiting> gone; /* its end may take long: after the lock */
		const std::lock_guard lock(mutex_);
		const auto found = waiting_.find(tag);

		if (found != waiting_.end()) {
			gone = std::move(found->second);
			waiting_.erase(found);
		}
	}
	void hand_over(const struct ingress_item &item) noexcept // NOLINT(bugprone-exception-escape)
	{
		std::shared_ptr<Waiting> waiting;
		{
			const std::lock_guard lock(mutex_);
			const auto found = waiting_.find(item.tag);

			if (found == waiting_.end())
				return;
			waiting = found->second;
		}
		if (waiting->take(item))
			forget(item.tag);
	}

	static constexpr std::size_t items_max = 64; /* that one look at the core's inbox takes */

	struct ingress_inbox *inbox_ = nullptr;
	std::mutex mutex_;
	std::unordered_map<std::uint64_t, std::shared_ptr<Waiting>> waiting_;
	std::uint64_t last_tag_ = 0;
};

/**
 * Ends listening into an inbox when it ends. Move-only; every member is for one thread at a time. Where that is the
 * thread that calls run(), the callback is not called afterwards; it may end its own subscription.
 */
class [[nodiscard]] InboxSubscription
{
public:
	/** Whether it listens. */
	explicit operator bool() const noexcept
	{
		return inbox_ != nullptr;
	}
	/** Stop listening; what waits in the inbox is dropped. */
	void reset() noexcept
	{
		inbox_.reset();
	}

private:
	friend Inbox;

	struct End {
		ingress_token token;
		std::uint64_t id; /* 0: the core does not know it */
		std::uint64_t tag;

		void operator()(Inbox *inbox) const noexcept
		{
			if (id != 0)
				ingress_unlisten(token, id);
			inbox->forget(tag);
		}
	};
	std::unique_ptr<Inbox, End> inbox_; /* not its owner: of a listener in it */
};

template <class T, class F>
Result<InboxSubscription> Inbox::listen(const Link &link, std::uint32_t event, F &&function,
					const ListenOptions &options) noexcept
try {
	InboxSubscription subscription;
	struct ingress_listener listener = {};

	listener.event = event;
	listener.wire = static_cast<std::uint32_t>(link.wire());
	listener.overflow = static_cast<std::uint32_t>(options.overflow);
	listener.depth = options.depth;
	listener.inbox = inbox_;
	listener.tag = keep(std::make_shared<Events<T, std::decay_t<F>>>(std::forward<F>(function), options.on_error));
	subscription.inbox_ = { this, { link.token(), 0, listener.tag } };
	const auto status =
		static_cast<Status>(ingress_listen(link.token(), &listener, &subscription.inbox_.get_deleter().id));

	if (status != Status::ok)
		return Failure{ status, {} };
	return subscription;
} catch (const std::bad_alloc &) {
	return Failure{ Status::no_memory, {} };
}

} // namespace ferry::ingress

#endif
