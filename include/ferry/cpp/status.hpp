/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What became of a call, in C++: a status, a failure (status and message), a result (value or failure), and the
 * exceptions that throwing forms raise, one class for each status below ferry::ingress::Error.
 */
#ifndef FERRY_CPP_STATUS_HPP
#define FERRY_CPP_STATUS_HPP

#include <ferry/ingress.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace ferry::ingress
{

/** What became of a request, or why it was refused: enum ingress_status with names of C++. */
enum class Status : int {
	ok = INGRESS_OK,
	failed = INGRESS_FAILED,		   /**< the handler failed, and the message is its own */
	stale = INGRESS_STALE,			   /**< not terminal: the handler is still running */
	closed = INGRESS_CLOSED,		   /**< the context was destroyed, or is being destroyed */
	timeout = INGRESS_TIMEOUT,		   /**< the deadline passed; the handler is left alone */
	queue_full = INGRESS_QUEUE_FULL,	   /**< too many requests are unanswered: submit again later */
	too_large = INGRESS_TOO_LARGE,		   /**< the payload is over the limit */
	bad_token = INGRESS_BAD_TOKEN,		   /**< no such context */
	bad_method = INGRESS_BAD_METHOD,	   /**< no method with that number */
	bad_payload = INGRESS_BAD_PAYLOAD,	   /**< cannot be decoded; the message has the path */
	bad_argument = INGRESS_BAD_ARGUMENT,	   /**< an argument that the core refuses */
	bad_handle = INGRESS_BAD_HANDLE,	   /**< the handle was closed, or is of another kind or context */
	reentrant = INGRESS_REENTRANT,		   /**< a handler or callback waited for its own context */
	events_stuck = INGRESS_EVENTS_STUCK,	   /**< a listener's callback has not returned for too long */
	no_context = INGRESS_NO_CONTEXT,	   /**< every context the limit allows is in use */
	no_memory = INGRESS_NO_MEMORY,		   /**< memory, a thread or a descriptor could not be had */
	wrong_interface = INGRESS_WRONG_INTERFACE, /**< the library was built from another interface */
	lost = INGRESS_LOST,	       /**< the connection to the library's process was lost; did the handler run? */
	raised = INGRESS_RAISED,       /**< the handler failed with the error that its method declares */
	cancelled = INGRESS_CANCELLED, /**< the host cancelled the request; the library did not do all of it */
	skipped = INGRESS_SKIPPED,     /**< an earlier request of the chain failed, so this one did not run */
};

/** A sentence for a status: what is wrong and what to do. Static storage. */
inline const char *text(Status status) noexcept
{
	return ingress_status_text(static_cast<enum ingress_status>(status));
}

/** Why a call has no value. */
struct Failure {
	Status status = Status::failed;
	std::string message; /**< for people; may be empty, and then text(status) says it */

	/** The message, or the sentence for the status when there is none. */
	[[nodiscard]] std::string what() const
	{
		return message.empty() ? std::string(text(status)) : message;
	}
};

/** The exception of the throwing forms: catch this, or the class of one status. */
class Error : public std::runtime_error
{
public:
	explicit Error(const Failure &failure) : std::runtime_error(failure.what()), status_(failure.status)
	{
	}
	[[nodiscard]] Status status() const noexcept
	{
		return status_;
	}

private:
	Status status_;
};

/** The error of one status. */
template <Status S> class ErrorOf : public Error
{
public:
	explicit ErrorOf(std::string message) : Error(Failure{ S, std::move(message) })
	{
	}
};

using FailedError = ErrorOf<Status::failed>;
using ClosedError = ErrorOf<Status::closed>;
using TimeoutError = ErrorOf<Status::timeout>;
using QueueFullError = ErrorOf<Status::queue_full>;
using TooLargeError = ErrorOf<Status::too_large>;
using BadTokenError = ErrorOf<Status::bad_token>;
using BadMethodError = ErrorOf<Status::bad_method>;
using BadPayloadError = ErrorOf<Status::bad_payload>;
using BadArgumentError = ErrorOf<Status::bad_argument>;
using BadHandleError = ErrorOf<Status::bad_handle>;
using ReentrantError = ErrorOf<Status::reentrant>;
using EventsStuckError = ErrorOf<Status::events_stuck>;
using NoContextError = ErrorOf<Status::no_context>;
using NoMemoryError = ErrorOf<Status::no_memory>;
using WrongInterfaceError = ErrorOf<Status::wrong_interface>;
using LostError = ErrorOf<Status::lost>;
using CancelledError = ErrorOf<Status::cancelled>;
using SkippedError = ErrorOf<Status::skipped>;

/** The error of a method that declares one, whatever its type. */
using AnyRaisedError = ErrorOf<Status::raised>;

/** The error of a method that declares E as its error. */
template <class E> class RaisedError : public AnyRaisedError
{
public:
	explicit RaisedError(E raised) : AnyRaisedError(text(Status::raised)), raised_(std::move(raised))
	{
	}
	/** What the handler failed with. */
	[[nodiscard]] const E &raised() const noexcept
	{
		return raised_;
	}

private:
	E raised_;
};

/** Why a call of a method that declares E as its error has no value. */
template <class E> struct FailureOf : Failure {
	std::optional<E> raised; /**< what the handler failed with, if status is Status::raised */

	FailureOf(Failure failure) : Failure(std::move(failure)) // NOLINT: converts on purpose
	{
	}
	explicit FailureOf(E error) : Failure{ Status::raised, {} }, raised(std::move(error))
	{
	}
};

/** Why a call has no value, where E is void: the method declares no error. */
template <class E> using FailureFor = std::conditional_t<std::is_void_v<E>, Failure, FailureOf<E>>;

/** Throw the exception of a failure's status. */
[[noreturn]] inline void raise(const Failure &failure)
{
	switch (failure.status) {
	case Status::failed:
		throw FailedError(failure.what());
	case Status::closed:
		throw ClosedError(failure.what());
	case Status::timeout:
		throw TimeoutError(failure.what());
	case Status::queue_full:
		throw QueueFullError(failure.what());
	case Status::too_large:
		throw TooLargeError(failure.what());
	case Status::bad_token:
		throw BadTokenError(failure.what());
	case Status::bad_method:
		throw BadMethodError(failure.what());
	case Status::bad_payload:
		throw BadPayloadError(failure.what());
	case Status::bad_argument:
		throw BadArgumentError(failure.what());
	case Status::bad_handle:
		throw BadHandleError(failure.what());
	case Status::reentrant:
		throw ReentrantError(failure.what());
	case Status::events_stuck:
		throw EventsStuckError(failure.what());
	case Status::no_context:
		throw NoContextError(failure.what());
	case Status::no_memory:
		throw NoMemoryError(failure.what());
	case Status::wrong_interface:
		throw WrongInterfaceError(failure.what());
	case Status::lost:
		throw LostError(failure.what());
	case Status::cancelled:
		throw CancelledError(failure.what());
	case Status::skipped:
		throw SkippedError(failure.what());
	case Status::raised:
		throw AnyRaisedError(failure.what());
	case Status::ok:
	case Status::stale:
		break;
	}
	throw Error(failure);
}

/** Throw the exception of a failure: RaisedError<E>, if the handler failed with an E. */
template <class E> [[noreturn]] void raise(const FailureOf<E> &failure)
{
	if (failure.raised)
		throw RaisedError<E>(*failure.raised);
	raise(static_cast<const Failure &>(failure));
}

/**
 * A value, or the reason why there is none. The forms that do not throw return it. value() throws the exception that
 * the throwing form would have thrown; error() may be called only when there is no value. With T = void it is success
 * or a failure. E is the error that the method declares, and void where it declares none.
 */
template <class T, class E = void> class [[nodiscard]] Result
{
public:
	using value_type = T;
	using failure_type = FailureFor<E>;

	Result(T value) : state_(std::in_place_index<0>, std::move(value)) // NOLINT: converts on purpose
	{
	}
	template <class F, std::enable_if_t<std::is_base_of_v<Failure, std::decay_t<F>>, int> = 0>
	Result(F &&failure) : state_(std::in_place_index<1>, std::forward<F>(failure)) // NOLINT: converts on purpose
	{
	}

	[[nodiscard]] bool ok() const noexcept
	{
		return state_.index() == 0;
	}
	explicit operator bool() const noexcept
	{
		return ok();
	}
	[[nodiscard]] Status status() const noexcept
	{
		return ok() ? Status::ok : std::get_if<1>(&state_)->status;
	}
	[[nodiscard]] const failure_type &error() const &
	{
		return std::get<1>(state_);
	}
	[[nodiscard]] failure_type &&error() &&
	{
		return std::get<1>(std::move(state_));
	}

	[[nodiscard]] const T &value() const &
	{
		require();
		return *std::get_if<0>(&state_);
	}
	[[nodiscard]] T &value() &
	{
		require();
		return *std::get_if<0>(&state_);
	}
	[[nodiscard]] T &&value() &&
	{
		require();
		return std::move(*std::get_if<0>(&state_));
	}
	template <class U> [[nodiscard]] T value_or(U &&other) const &
	{
		return ok() ? *std::get_if<0>(&state_) : static_cast<T>(std::forward<U>(other));
	}
	[[nodiscard]] const T &operator*() const &
	{
		return value();
	}
	[[nodiscard]] T &operator*() &
	{
		return value();
	}
	[[nodiscard]] const T *operator->() const
	{
		return &value();
	}
	[[nodiscard]] T *operator->()
	{
		return &value();
	}

private:
	void require() const
	{
		if (!ok())
			raise(*std::get_if<1>(&state_));
	}

	std::variant<T, failure_type> state_;
};

template <class E> class [[nodiscard]] Result<void, E>
{
public:
	using value_type = void;
	using failure_type = FailureFor<E>;

	Result() = default;
	Result(std::monostate) // NOLINT: converts on purpose
	{
	}
	template <class F, std::enable_if_t<std::is_base_of_v<Failure, std::decay_t<F>>, int> = 0>
	Result(F &&failure) : failure_(std::forward<F>(failure)), ok_(false) // NOLINT: converts on purpose
	{
	}

	[[nodiscard]] bool ok() const noexcept
	{
		return ok_;
	}
	explicit operator bool() const noexcept
	{
		return ok_;
	}
	[[nodiscard]] Status status() const noexcept
	{
		return ok_ ? Status::ok : failure_.status;
	}
	[[nodiscard]] const failure_type &error() const &noexcept
	{
		return failure_;
	}
	[[nodiscard]] failure_type &&error() &&noexcept
	{
		return std::move(failure_);
	}
	void value() const
	{
		if (!ok_)
			raise(failure_);
	}

private:
	failure_type failure_{ Failure() };
	bool ok_ = true;
};

} // namespace ferry::ingress

#endif
