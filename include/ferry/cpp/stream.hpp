/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream: the values that a method yields, in order (spec/interface.md, S1 to S6). One request is under way while the
 * program uses the values of the answer before. Each brings credits, so of a program that is slow at most two answers
 * are in memory, and the library waits.
 *
 * The owner and the callback of the request that is under way share a state, since either may end first. What may go
 * wrong: an owner that ends while its first request is under way knows no handle that it could close.
 *
 *	owner				library thread
 *	closed = true
 *	cancel the request		answers, with a handle
 *					the callback sees `closed`, and closes the handle
 *
 * Both hold the mutex for that, so one of them closes it.
 */
#ifndef FERRY_CPP_STREAM_HPP
#define FERRY_CPP_STREAM_HPP

#include <ferry/cpp/call.hpp>

#include <condition_variable>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

#include <unistd.h>

namespace ferry::ingress
{

/** How many values one answer of a stream has at most, unless the program says so: twice as many are in memory. */
inline constexpr std::uint32_t stream_credits = 256;

/**
 * The values that a method yields; move-only, for one thread at a time, and not for a callback, which may not wait. Its
 * end closes it, and the library hears that no more is wanted. Kind is written by `ferry bindgen`.
 */
template <class Kind> class Stream
{
public:
	using value_type = typename Kind::Value;
	using Raised = typename Kind::Raised;
	using Next = Result<std::optional<value_type>, Raised>;

	Stream() noexcept = default;
	/** Open it, by a request with these parameters. Why that fails is told by next(). */
	template <class P> Stream(const Link &link, const P &params, std::uint32_t credits) noexcept
	{
		try {
			state_ = std::make_shared<State>(link, credits);
		} catch (const std::bad_alloc &) {
			return;
		}
		state_->refused = ask(state_, Kind::open, params);
	}
	Stream(Stream &&other) noexcept
	    : state_(std::move(other.state_)), values_(std::move(other.values_)), at_(std::exchange(other.at_, 0)),
	      has_ended_(std::exchange(other.has_ended_, false))
	{
	}
	Stream &operator=(Stream &&other) noexcept
	{
		if (this != &other) {
			close();
			state_ = std::move(other.state_);
			values_ = std::move(other.values_);
			at_ = std::exchange(other.at_, 0);
			has_ended_ = std::exchange(other.has_ended_, false);
		}
		return *this;
	}
	Stream(const Stream &) = delete;
	Stream &operator=(const Stream &) = delete;
	~Stream()
	{
		close();
	}

	/**
	 * The next value, or nothing at the end.
	 * @param timeout how long to wait, at most; the stream goes on when it has passed
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::optional<value_type> next(Timeout timeout = forever)
	{
		return try_next(timeout).value();
	}
	/** next() without exceptions. */
	Next try_next(Timeout timeout = forever) noexcept
	{
		while (at_ == values_.size()) {
			if (has_ended_)
				return std::optional<value_type>();
			if (!state_)
				return Failure{ Status::no_memory, {} };
			if (auto failure = take(timeout); failure)
				return std::move(*failure);
		}
		return std::optional<value_type>(std::move(values_[at_++]));
	}

	/** Want no more values, without waiting for the library. */
	void close() noexcept
	{
		if (!state_)
			return;
		const std::shared_ptr<State> state = std::move(state_);
		const std::lock_guard lock(state->mutex);

		state->closed = true;
		if (state->reply && *state->reply)
			state->id = (*state->reply)->stream.value_or(Id());
		else if (state->reply)
			state->id = Id();
		if (state->id)
			end(state->link, state->id);
		else if (state->is_asked)
			state->link.cancel(state->ticket);
		values_.clear();
		at_ = 0;
		has_ended_ = true;
	}

	/** The values one after another, for a range-for loop; what next() throws they throw. */
	class iterator
	{
	public:
		using iterator_category = std::input_iterator_tag;
		using value_type = typename Kind::Value;
		using difference_type = std::ptrdiff_t;
		using pointer = const value_type *;
		using reference = const value_type &;

		iterator() noexcept = default;
		explicit iterator(Stream *stream) : stream_(stream)
		{
			++*this;
		}
		reference operator*() const noexcept
		{
			return *value_;
		}
		pointer operator->() const noexcept
		{
			return &*value_;
		}
		iterator &operator++()
		{
			value_ = stream_->next();
			return *this;
		}
		void operator++(int)
		{
			++*this;
		}
		/** Equal only where both are at the end. */
		friend bool operator==(const iterator &a, const iterator &b) noexcept
		{
			return !a.value_ && !b.value_;
		}
		friend bool operator!=(const iterator &a, const iterator &b) noexcept
		{
			return !(a == b);
		}

	private:
		Stream *stream_ = nullptr;
		std::optional<value_type> value_;
	};
	iterator begin()
	{
		return iterator(this);
	}
	iterator end() noexcept
	{
		return {};
	}

private:
	using Id = typename Kind::Id;
	using Part = typename Kind::Part;
	using Reply = Result<Part, Raised>;

	struct State {
		State(const Link &given, std::uint32_t some) noexcept : link(given), credits(some)
		{
		}

		const Link link;
		const std::uint32_t credits;
		std::mutex mutex; /* of all below */
		std::condition_variable arrived;
		std::optional<Reply> reply; /* that no thread has taken */
		Id id;			    /* 0 before the first answer */
		Ticket ticket;
		Status refused = Status::ok; /* why the request could not be submitted */
		bool is_asked = false;	     /* a request is under way, or its reply is here */
		bool closed = false;
		pid_t process = getpid(); /* a child of that never gets a reply */
	};

	static void end(const Link &link, Id id) noexcept
	{
		(void)link.submit<void>(Kind::close, Kind::ending(id), [](const Result<void> &) {});
	}
	template <class P>
	static Status ask(const std::shared_ptr<State> &state, std::uint32_t method, const P &params) noexcept
	{
		Status status;

		state->ticket = Ticket::take();
		state->is_asked = true;
		status = state->link.template submit<Part, Raised>(
			method, params, [state](Reply reply) { answered(*state, std::move(reply)); }, state->ticket);
		if (status != Status::ok)
			state->is_asked = false;
		return status;
	}
	/* On the library thread. */
	static void answered(State &state, Reply &&reply) noexcept
	{
		const std::lock_guard lock(state.mutex);

		if (!state.closed) {
			state.reply.emplace(std::move(reply));
			state.arrived.notify_one();
		} else if (reply && reply->stream && !state.id) {
			end(state.link, *reply->stream);
		}
	}
	/* Take an answer. Returns why there is none. */
	std::optional<typename Next::failure_type> take(Timeout timeout) noexcept
	{
		State &state = *state_;
		std::unique_lock lock(state.mutex);

		if (getpid() != state.process)
			return Failure{ Status::closed, {} };
		if (!state.is_asked) {
			if (state.id)
				state.refused = more(lock);
			if (state.refused != Status::ok)
				return Failure{ state.refused, {} };
		}
		const auto is_here = [&state] { return state.reply.has_value(); };

		if (timeout >= forever)
			state.arrived.wait(lock, is_here);
		else if (!state.arrived.wait_for(lock, timeout, is_here))
			return Failure{ Status::timeout, {} };
		Reply reply = std::move(*state.reply);

		state.reply.reset();
		state.is_asked = false;
		if (!reply) {
			state.id = Id();
			has_ended_ = true;
			return std::move(reply).error();
		}
		values_ = std::move(reply->values);
		at_ = 0;
		state.id = reply->stream.value_or(Id());
		has_ended_ = !state.id;
		if (!has_ended_)
			(void)more(lock); /* it is tried again when these values are used up */
		return std::nullopt;
	}
	/* Ask for the next values. Submitting never calls back before it returns, or on this thread. */
	Status more(std::unique_lock<std::mutex> &) noexcept
	{
		return ask(state_, Kind::more_method, Kind::more(state_->id, state_->credits));
	}

	std::shared_ptr<State> state_;
	std::vector<value_type> values_;
	std::size_t at_ = 0;
	bool has_ended_ = false;
};

} // namespace ferry::ingress

#endif
