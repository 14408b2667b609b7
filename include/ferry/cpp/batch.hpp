/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that are submitted together: up to 64 of them in one step, which wakes the library at most once. Generated
 * classes have a form METHOD_add for each method.
 *
 * A batch keeps all small messages in one block of bytes, from which the core copies; it gives large ones to the core.
 */
#ifndef FERRY_CPP_BATCH_HPP
#define FERRY_CPP_BATCH_HPP

#include <ferry/cpp/call.hpp>

namespace ferry::ingress
{

/** Calls of one context, in order. One thread at a time may use it; the context has to outlive submit(). */
class Batch
{
public:
	/** What became of a batch. */
	struct Submitted {
		std::size_t count = 0;	    /**< how many calls were accepted, from the first on */
		Status status = Status::ok; /**< why the next one was refused */
	};

	Batch() noexcept = default;
	Batch(const Batch &) = delete;
	Batch &operator=(const Batch &) = delete;
	~Batch()
	{
		clear();
	}

	[[nodiscard]] std::size_t size() const noexcept
	{
		return calls_.size();
	}
	/** Forget every call: no callback is called. */
	void clear() noexcept
	{
		drop_from(0, true);
		reset();
	}

	/**
	 * Append a call; `function` is called once with a Result<R, E>, if the call is accepted. A status other than
	 * Status::ok says why nothing was appended.
	 */
	template <class R, class E = void, class P, class F>
	Status add(const Link &link, std::uint32_t method, const P &params, F &&function,
		   const Ticket &ticket = {}) noexcept
	try {
		static_assert(std::is_invocable_v<std::decay_t<F> &, Result<R, E>>,
			      "the callback has to take a Result");
		if constexpr (IsOwned<R>::value) {
			using Id = typename R::Id;

			return add<Id, E>(
				link, method, params,
				[link, f = std::forward<F>(function)](Result<Id, E> id) mutable {
					f(Link::own<R, E>(link, std::move(id)));
				},
				ticket);
		} else {
			return add_plain<R, E>(link, method, params, std::forward<F>(function), ticket);
		}
	} catch (const std::bad_alloc &) {
		return Status::no_memory;
	}

	/**
	 * Submit what was added, in its order. Afterwards the batch is empty. The callbacks of calls that were not
	 * accepted are not called.
	 */
	Submitted submit() noexcept
	{
		enum ingress_status status = INGRESS_OK;
		Submitted done;

		for (struct ingress_call &call : calls_)
			if (!call.release)
				call.data = bytes_.data() + reinterpret_cast<std::uintptr_t>(call.data);
		if (!calls_.empty())
			done.count = ingress_submit_many(token_, calls_.data(), calls_.size(), &status);
		done.status = static_cast<Status>(status);
		/* the core has ended the loan of the one that it refused, and touched none after it */
		drop_from(done.count, false);
		reset();
		return done;
	}

private:
	template <class R, class E, class P, class F>
	Status add_plain(const Link &link, std::uint32_t method, const P &params, F &&function, const Ticket &ticket)
	{
		using Held = Callback<R, E, std::decay_t<F>>;
		Message message;
		const Status status = encode(link.wire(), params, message);
		struct ingress_call call = {};
		bool made = false;

		if (status != Status::ok)
			return status;
		if (!calls_.empty() && link.token() != token_)
			return Status::bad_argument;
		/* this may throw, so it comes before anything is owned */
		calls_.reserve(next(calls_.size(), calls_.capacity()));
		drops_.reserve(calls_.capacity());
		call.data = reinterpret_cast<const void *>(bytes_.size()); // NOLINT(performance-no-int-to-ptr)
		call.bytes = message.size();
		if (message.on_heap()) {
			call.release = Link::free_message;
		} else {
			bytes_.reserve(bytes_.size() + message.size() + message_align);
			bytes_.insert(bytes_.end(), message.data(), message.data() + message.size());
			bytes_.resize((bytes_.size() + message_align - 1) & ~(message_align - 1));
		}
		call.user = Held::make(std::forward<F>(function), made);
		if (!made)
			return Status::no_memory;
		call.method = method;
		call.ticket = ticket.number();
		call.wire = static_cast<std::uint32_t>(link.wire());
		call.reply = Held::reply;
		if (call.release)
			call.data = message.release();
		token_ = link.token();
		calls_.push_back(call);
		drops_.push_back(Held::drop);
		return Status::ok;
	}
	static constexpr std::size_t message_align = 8; /* rule W4 */
	static std::size_t next(std::size_t size, std::size_t capacity) noexcept
	{
		return size < capacity ? capacity : size * 2 + 16;
	}
	/** End calls that will not be answered. `with_first` says whether the first of them still owns its message. */
	void drop_from(std::size_t first, bool with_first) noexcept
	{
		for (std::size_t i = first; i < calls_.size(); i++) {
			drops_[i](calls_[i].user);
			if (calls_[i].release && (i > first || with_first))
				std::free(const_cast<void *>(calls_[i].data));
		}
	}
	void reset() noexcept
	{
		calls_.clear();
		drops_.clear();
		bytes_.clear();
	}

	std::vector<struct ingress_call> calls_; /* for a small message, `data` is its offset in bytes_ */
	std::vector<void (*)(void *) noexcept> drops_;
	std::vector<std::byte> bytes_;
	ingress_token token_ = 0;
};

} // namespace ferry::ingress

#endif
