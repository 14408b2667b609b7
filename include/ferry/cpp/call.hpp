/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests to a context: blocking, by callback, or by std::future. Generated methods are one line on these.
 *
 * A function object that is trivially copied and no larger than a pointer, such as a lambda that captures one
 * reference, is itself passed as the core's `user`, without an allocation. Any other is moved to the heap, and deleted
 * after the terminal reply. A std::future takes three allocations, of which the standard library makes two.
 */
#ifndef FERRY_CPP_CALL_HPP
#define FERRY_CPP_CALL_HPP

#include <ferry/cpp/codec.hpp>

#include <chrono>
#include <exception>
#include <future>
#include <memory>

namespace ferry::ingress
{

/** How long to wait. */
using Timeout = std::chrono::nanoseconds;

/** Wait without limit. */
inline constexpr Timeout forever{ INGRESS_FOREVER };

/**
 * `value`, as an expression that depends on Of, a parameter of a template: what the template does with it is compiled
 * when the template is instantiated.
 */
template <class Of, class T> const T &lazily(const T &value) noexcept
{
	return value;
}

template <class Of, class T> struct LazyType {
	using type = T;
};
/** T, as a type that depends on Of: one that a function of a template returns is compiled when that is called. */
template <class Of, class T> using Lazy = typename LazyType<Of, T>::type;

/** Tells a callback that its request still runs, if the callback has `void operator()(StillRunning)`. */
struct StillRunning {
};

/** The type in which a result is sent: std::monostate for void. */
template <class R> using Travelling = std::conditional_t<std::is_void_v<R>, std::monostate, R>;

/** Whether R owns a handle, which travels as its number: OwnedHandle. */
template <class R, class = void> struct IsOwned : std::false_type {
};
template <class R> struct IsOwned<R, std::void_t<typename R::Id>> : std::true_type {
};

/** Why a reply has no value: with status INGRESS_RAISED it has an E, encoded. */
template <class E>
FailureFor<E> decode_failure(enum ingress_status status, std::uint32_t wire, const void *data, std::size_t bytes)
{
	if constexpr (!std::is_void_v<E>) {
		if (status == INGRESS_RAISED) {
			E raised{};
			Fault fault;

			if (decode(static_cast<Wire>(wire), data, bytes, raised, fault))
				return FailureOf<E>(std::move(raised));
			return Failure{ Status::bad_payload, "error: " + fault.text() };
		}
	}
	if (status == INGRESS_RAISED)
		return Failure{ Status::raised, {} };
	return Failure{ static_cast<Status>(status), std::string(static_cast<const char *>(data), data ? bytes : 0) };
}

/**
 * Decode the result in a reply to a method that declares E as its error. Never throws: if there is no memory, this
 * gives Status::no_memory.
 */
template <class R, class E = void>
Result<R, E> decode_reply(enum ingress_status status, std::uint32_t wire, const void *data, std::size_t bytes) noexcept
{
	try {
		if (__builtin_expect(status != INGRESS_OK, false))
			return decode_failure<E>(status, wire, data, bytes);
		Travelling<R> value{};
		Fault fault;

		if (__builtin_expect(!decode(static_cast<Wire>(wire), data, bytes, value, fault), false))
			return Failure{ Status::bad_payload, "reply: " + fault.text() };
		if constexpr (std::is_void_v<R>)
			return {};
		else
			return value;
	} catch (const std::bad_alloc &) {
		return Failure{ Status::no_memory, {} };
	}
}

/** A callback on its way: how a function object becomes the core's `user`, and back. */
template <class R, class E, class F> class Callback
{
public:
	/* an alignment is never greater than a size */
	static constexpr bool is_inline =
		sizeof(F) <= sizeof(void *) && std::is_trivially_copyable_v<F> && std::is_trivially_destructible_v<F>;

	/** Make the core's `user`. nullptr with `made` false: there is no memory. */
	template <class G> static void *make(G &&function, bool &made) noexcept
	{
		made = true;
		if constexpr (is_inline) {
			void *user = nullptr;
			const F copy(std::forward<G>(function));

			std::memcpy(static_cast<void *>(&user), static_cast<const void *>(&copy), sizeof(F));
			return user;
		} else {
			void *user = new (std::nothrow) F(std::forward<G>(function));

			made = user != nullptr;
			return user;
		}
	}
	/** End a callback that will not be called. */
	static void drop(void *user) noexcept
	{
		if constexpr (!is_inline)
			delete static_cast<F *>(user);
	}
	/** What the core calls. An exception that leaves the function ends the program. */
	static void reply(void *user, const struct ingress_reply *reply) noexcept // NOLINT(bugprone-exception-escape)
	{
		if constexpr (is_inline) {
			alignas(F) std::byte place[sizeof(F)];

			std::memcpy(place, static_cast<const void *>(&user), sizeof(F));
			call(*std::launder(reinterpret_cast<F *>(place)), *reply);
		} else if (reply->status == INGRESS_STALE) {
			call(*static_cast<F *>(user), *reply);
		} else {
			const std::unique_ptr<F> function(static_cast<F *>(user));

			call(*function, *reply);
		}
	}

private:
	static void call(F &function, const struct ingress_reply &reply) noexcept // NOLINT(bugprone-exception-escape)
	{
		if (__builtin_expect(reply.status == INGRESS_STALE, false)) {
			if constexpr (std::is_invocable_v<F &, StillRunning> && !std::is_invocable_v<F &, int>)
				function(StillRunning{});
			return;
		}
		function(decode_reply<R, E>(reply.status, reply.wire, reply.data, reply.bytes));
	}
};

/** By which a request can be cancelled: Link::cancel(). One that is not taken stands for none. */
class Ticket
{
public:
	Ticket() noexcept = default;
	/** A new one, for one request. */
	[[nodiscard]] static Ticket take() noexcept
	{
		Ticket ticket;

		ticket.number_ = ingress_tickets(1);
		return ticket;
	}
	[[nodiscard]] std::uint64_t number() const noexcept
	{
		return number_;
	}

private:
	std::uint64_t number_ = 0;
};

/** A context as a request needs it: its token and how payloads travel. A value, freely copied; owns nothing. */
class Link
{
public:
	Link() noexcept = default;
	Link(ingress_token token, Wire wire) noexcept : token_(token), wire_(wire)
	{
	}
	[[nodiscard]] ingress_token token() const noexcept
	{
		return token_;
	}
	[[nodiscard]] Wire wire() const noexcept
	{
		return wire_;
	}

	/**
	 * Cancel the request with this ticket, without waiting. If it waits for its handler, its callback gets
	 * Status::cancelled. If it runs, the library can see that it was cancelled; the callback gets what it answers.
	 * @return Status::ok, also when the request was answered before
	 */
	Status cancel(const Ticket &ticket) const noexcept
	{
		return static_cast<Status>(ingress_cancel(token_, ticket.number()));
	}

	/** Submit and wait. */
	template <class R, class E = void, class P>
	Result<R, E> ask(std::uint32_t method, const P &params, Timeout timeout) const noexcept
	{
		if constexpr (IsOwned<R>::value) {
			return own<R, E>(*this, ask<typename R::Id, E>(method, params, timeout));
		} else {
			return ask_plain<R, E>(method, params, timeout);
		}
	}

	/** Submit; `function` gets a Result<R, E> once, unless this returns another status than Status::ok. */
	template <class R, class E = void, class P, class F>
	Status submit(std::uint32_t method, const P &params, F &&function, const Ticket &ticket = {}) const noexcept
	{
		static_assert(std::is_invocable_v<std::decay_t<F> &, Result<R, E>>,
			      "the callback has to take a Result");
		if constexpr (IsOwned<R>::value) {
			using Id = typename R::Id;

			return submit_plain<Id, E>(
				method, params,
				[link = *this, f = std::forward<F>(function)](Result<Id, E> id) mutable {
					f(own<R, E>(link, std::move(id)));
				},
				ticket);
		} else {
			return submit_plain<R, E>(method, params, std::forward<F>(function), ticket);
		}
	}

	/** Submit; the future also carries a refusal. */
	template <class R, class E = void, class P> std::future<R> future(std::uint32_t method, const P &params) const
	{
		std::promise<R> promise;
		std::future<R> future = promise.get_future();
		auto fulfil = [promise = std::move(promise)](Result<R, E> result) mutable {
			settle(promise, std::move(result));
		};
		auto *fulfiller = new decltype(fulfil)(std::move(fulfil));
		/*
		 * the lambda captures a pointer, which fits into the core's word; if the request is refused, the
		 * promise is still here
		 */
		const Status status = submit<R, E>(method, params, [fulfiller](Result<R, E> result) {
			(*fulfiller)(std::move(result));
			delete fulfiller;
		});

		if (status != Status::ok) {
			(*fulfiller)(Failure{ status, {} });
			delete fulfiller;
		}
		return future;
	}

	/** Make an owner of the handle that has this number. */
	template <class R, class E> static Result<R, E> own(const Link &link, Result<typename R::Id, E> &&id) noexcept
	{
		if (!id)
			return std::move(id).error();
		return R(link, *id);
	}
	/** Hand over a message; of a large one the core becomes the owner. */
	[[nodiscard]] Status send(Message &message, struct ingress_call &call) const noexcept
	{
		call.wire = static_cast<std::uint32_t>(wire_);
		call.data = message.data();
		call.bytes = message.size();
		if (message.on_heap()) {
			call.release = free_message;
			call.data = message.release();
		}
		return static_cast<Status>(ingress_submit(token_, &call));
	}
	static void free_message(void *, const void *data, std::size_t)
	{
		std::free(const_cast<void *>(data));
	}
	/** Fulfil a promise with the value of a result, or with its exception. */
	template <class R, class E> static void settle(std::promise<R> &promise, Result<R, E> &&result)
	{
		try {
			if constexpr (std::is_void_v<R>) {
				result.value();
				promise.set_value();
			} else {
				promise.set_value(std::move(result).value());
			}
		} catch (...) {
			promise.set_exception(std::current_exception());
		}
	}

private:
	template <class R, class E, class P>
	Result<R, E> ask_plain(std::uint32_t method, const P &params, Timeout timeout) const noexcept
	{
		Message message;
		const Status status = encode(wire_, params, message);

		if (__builtin_expect(status != Status::ok, false))
			return Failure{ status, {} };
		struct ingress_answer answer = {};

		ingress_ask(token_, method, static_cast<std::uint32_t>(wire_), message.data(), message.size(),
			    timeout.count(), &answer);
		Result<R, E> result = decode_reply<R, E>(answer.status, answer.wire, answer.data, answer.bytes);

		ingress_answer_release(&answer);
		return result;
	}

	template <class R, class E, class P, class F>
	Status submit_plain(std::uint32_t method, const P &params, F &&function, const Ticket &ticket) const noexcept
	{
		using Held = Callback<R, E, std::decay_t<F>>;
		Message message;
		Status status = encode(wire_, params, message);
		bool made = false;

		if (__builtin_expect(status != Status::ok, false))
			return status;
		void *user = Held::make(std::forward<F>(function), made);

		if (__builtin_expect(!made, false))
			return Status::no_memory;
		struct ingress_call call = {};

		call.method = method;
		call.reply = Held::reply;
		call.user = user;
		call.ticket = ticket.number();
		status = send(message, call);
		if (__builtin_expect(status != Status::ok, false))
			Held::drop(user);
		return status;
	}

	ingress_token token_ = 0;
	Wire wire_ = Wire::c;
};

} // namespace ferry::ingress

#endif
