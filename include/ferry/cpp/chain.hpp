/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that run one after another, of which later ones take results of earlier ones (C1 to C9 of spec/interface.md):
 * one crossing, or one round trip, for all. Generated classes have a Chain with a function for each method, which
 * returns a promise; a promise, or a field of it, is an argument of later calls.
 *
 * What a chain takes is encoded at once, in format `cbor`, with null where a promise stands; the null's offset and the
 * promise's path are a link of the core's.
 */
#ifndef FERRY_CPP_CHAIN_HPP
#define FERRY_CPP_CHAIN_HPP

#include <ferry/cpp/call.hpp>

namespace ferry::ingress
{

class Chain;

/** A value that a call of a chain will have: its place among the calls, and where in the result it is. */
template <class V> class Promised
{
public:
	/** A field of an object, or of one that is an option: promised.field(&Note::title). */
	template <class T, class F,
		  std::enable_if_t<std::is_same_v<V, T> || std::is_same_v<V, std::optional<T>>, int> = 0>
	[[nodiscard]] Promised<F> field(F T::*member) const
	{
		std::string path = path_;

		append_field(path, member, std::make_index_sequence<field_count<T>>());
		return { chain_, number_, std::move(path) };
	}
	/** An element of a sequence. */
	template <class S = V> [[nodiscard]] Promised<typename S::value_type> operator[](std::size_t index) const
	{
		static_assert(std::is_same_v<S, std::vector<typename S::value_type>>, "only a sequence has elements");
		return { chain_, number_, path_ + "[" + std::to_string(index) + "]" };
	}

	Promised(const Chain *chain, std::uint32_t number, std::string path)
	    : chain_(chain), number_(number), path_(std::move(path))
	{
	}
	/** The chain that it is of, and the number of its call. */
	[[nodiscard]] const Chain *made_by() const noexcept
	{
		return chain_;
	}
	[[nodiscard]] std::uint32_t number() const noexcept
	{
		return number_;
	}

private:
	friend Chain;
	/** Append the name of the field of T that `member` is. */
	template <class T, class F, std::size_t... I>
	static void append_field(std::string &path, F T::*member, std::index_sequence<I...>)
	{
		(append_if<I>(path, member) || ...);
	}
	template <std::size_t I, class T, class F> static bool append_if(std::string &path, F T::*member)
	{
		if constexpr (std::is_same_v<FieldType<T, I>, F>) {
			if (nth_field<T, I>.member == member) {
				path += path.empty() ? "" : ".";
				path.append(nth_field<T, I>.name.data(), nth_field<T, I>.name.size());
				return true;
			}
		}
		return false;
	}

	const Chain *chain_;
	std::uint32_t number_;
	std::string path_;
};

/** How an argument of type V is held until it is encoded: not copied, where that would cost something. */
template <class V, class = void> struct Holding {
	using type = std::reference_wrapper<const V>;
};
template <class V>
struct Holding<V, std::enable_if_t<std::is_arithmetic_v<V> || std::is_enum_v<V> || IsHandle<V>::value>> {
	using type = V;
};
template <> struct Holding<std::string> {
	using type = std::string_view;
};
template <> struct Holding<Bytes> {
	using type = BytesView;
};

/** An argument of a call of a chain: a value, or one that is promised. Of a value that is an option, also the value. */
template <class V> class Argument
{
public:
	using Held = typename Holding<V>::type;

	template <class A, std::enable_if_t<std::is_convertible_v<const A &, Held>, int> = 0>
	Argument(const A &value) : held_(static_cast<Held>(value)) // NOLINT: converts on purpose
	{
	}
	Argument(const Promised<V> &promised) : promised_(promised) // NOLINT: converts on purpose
	{
	}
	template <class U, std::enable_if_t<std::is_same_v<std::optional<U>, V>, int> = 0>
	Argument(const Promised<U> &promised) : option_(promised) // NOLINT: converts on purpose
	{
	}

private:
	friend Chain;
	friend Cbor<Argument>;
	template <class T, class = void> struct Inner {
		using type = std::monostate;
	};
	template <class T> struct Inner<std::optional<T>> {
		using type = Promised<T>;
	};

	std::optional<Held> held_;
	std::optional<Promised<V>> promised_;
	std::optional<typename Inner<V>::type> option_;
	mutable const std::byte *place_ = nullptr; /* of the null, once it is encoded */
};

template <class V> struct Cbor<Argument<V>> {
	static void bound(Bound &bound, const Argument<V> &argument, unsigned depth)
	{
		if (argument.held_)
			Cbor<typename Argument<V>::Held>::bound(bound, *argument.held_, depth);
		else
			bound.bytes++;
	}
	static void write(CborWriter &out, const Argument<V> &argument)
	{
		argument.place_ = out.at();
		if (argument.held_)
			Cbor<typename Argument<V>::Held>::write(out, *argument.held_);
		else
			out.byte(cbor_null);
	}
};

/** The result of a call of a chain, which is there when the chain was submitted. */
template <class R, class E = void> class Promise : public Promised<R>
{
public:
	/** @throws Error what the call failed with */
	[[nodiscard]] R result() const
	{
		return try_result().value();
	}
	/** The result; before the chain was submitted, Status::bad_argument. */
	[[nodiscard]] const Result<R, E> &try_result() const noexcept
	{
		return *result_;
	}

private:
	friend Chain;
	Promise(const Chain *chain, std::uint32_t number, std::shared_ptr<const Result<R, E>> result)
	    : Promised<R>(chain, number, {}), result_(std::move(result))
	{
	}

	std::shared_ptr<const Result<R, E>> result_;
};

/** A call without a result: later calls can only be made to need it. */
template <class E> class Promise<void, E>
{
public:
	/** @throws Error what the call failed with */
	void result() const
	{
		try_result().value();
	}
	[[nodiscard]] const Result<void, E> &try_result() const noexcept
	{
		return *result_;
	}
	/** As those of Promised. */
	[[nodiscard]] const Chain *made_by() const noexcept
	{
		return chain_;
	}
	[[nodiscard]] std::uint32_t number() const noexcept
	{
		return number_;
	}

private:
	friend Chain;
	Promise(const Chain *chain, std::uint32_t number, std::shared_ptr<const Result<void, E>> result)
	    : chain_(chain), number_(number), result_(std::move(result))
	{
	}

	const Chain *chain_;
	std::uint32_t number_;
	std::shared_ptr<const Result<void, E>> result_;
};

/** Calls of one context that run one after another. One thread at a time may use it; it is submitted once. */
class Chain
{
public:
	explicit Chain(ingress_token token) noexcept : token_(token)
	{
	}
	Chain(const Chain &) = delete;
	Chain &operator=(const Chain &) = delete;
	~Chain() = default;

	/**
	 * Submit the calls, and wait until each has its result or its failure: Promise::result(). A call to which the
	 * library comes after the timeout does not run; one that runs then is left alone, and is TimeoutError here.
	 * @throws Error why the chain was refused
	 */
	void submit(Timeout timeout = forever)
	{
		try_submit(timeout).value();
	}
	/** submit() without exceptions. */
	Result<void> try_submit(Timeout timeout = forever) noexcept
	try {
		std::vector<struct ingress_answer> answers(calls_.size());
		struct ingress_refusal refusal = {};

		if (is_submitted_ || calls_.empty())
			return Failure{ Status::bad_argument, "the chain is empty, or was submitted: make another" };
		is_submitted_ = true;
		for (std::size_t i = 0; i < calls_.size(); i++)
			calls_[i].data = bytes_[i].data();
		const auto status = static_cast<Status>(ingress_ask_chain(token_, calls_.data(), calls_.size(),
									  links_.data(), links_.size(), timeout.count(),
									  answers.data(), &refusal));

		if (status != Status::ok)
			return Failure{ status, refused(refusal) };
		for (std::size_t i = 0; i < answers.size(); i++) {
			slots_[i]->take(answers[i]);
			ingress_answer_release(&answers[i]);
		}
		return {};
	} catch (const std::bad_alloc &) {
		return Failure{ Status::no_memory, {} };
	}

	/** The call that is appended next also needs this one to have succeeded. */
	template <class R, class E> void after(const Promise<R, E> &promise)
	{
		if (promise.made_by() != this)
			raise(Failure{ Status::bad_argument, "the promise is of another chain" });
		after_ = promise.number();
	}

	/** Append a call; its parameters are encoded before this returns. @throws Error when they cannot be */
	template <class R, class E = void, class P> Promise<R, E> add(std::uint32_t method, const P &params)
	{
		const auto number = static_cast<std::uint32_t>(calls_.size());
		auto slot = std::make_shared<Slot<R, E>>();
		Message message;
		const Status status = encode_cbor(params, message);

		if (status != Status::ok)
			raise(Failure{ status, {} });
		if constexpr (IsObject<P>::value)
			link_all(number, params, message, std::make_index_sequence<field_count<P>>());
		if (after_ != none)
			links_.push_back({ number, std::exchange(after_, none), INGRESS_LINK_AFTER, 0, nullptr, 0 });
		struct ingress_call call = {};

		call.method = method;
		call.wire = INGRESS_WIRE_CBOR;
		call.bytes = message.size();
		bytes_.emplace_back(message.data(), message.data() + message.size());
		calls_.push_back(call);
		slots_.push_back(slot);
		return { this, number, std::shared_ptr<const Result<R, E>>(slot, &slot->result) };
	}

private:
	/** What takes the reply to a call. */
	struct AnySlot {
		virtual ~AnySlot() = default;
		virtual void take(const struct ingress_answer &answer) noexcept = 0;
	};
	template <class R, class E> struct Slot final : AnySlot {
		Result<R, E> result{ Failure{ Status::bad_argument, "the chain was not submitted" } };

		void take(const struct ingress_answer &answer) noexcept override
		{
			result = decode_reply<R, E>(answer.status, answer.wire, answer.data, answer.bytes);
		}
	};

	template <class P, std::size_t... I>
	void link_all(std::uint32_t number, const P &params, const Message &message, std::index_sequence<I...>)
	{
		(link(number, params.*nth_field<P, I>.member, message), ...);
	}
	template <class V> void link(std::uint32_t number, const Argument<V> &argument, const Message &message)
	{
		const auto place = static_cast<std::uint32_t>(argument.place_ - message.data());

		if (argument.promised_)
			link_to(number, place, *argument.promised_, IsOption<V>::value);
		if constexpr (IsOption<V>::value)
			if (argument.option_)
				link_to(number, place, *argument.option_, false);
	}
	template <class V>
	void link_to(std::uint32_t number, std::uint32_t place, const Promised<V> &promised, bool is_option)
	{
		if (promised.chain_ != this)
			raise(Failure{ Status::bad_argument, "the promise is of another chain" });
		paths_.push_back(std::make_unique<std::string>(promised.path_));
		links_.push_back({ number, promised.number_,
				   static_cast<std::uint32_t>(is_option ? INGRESS_LINK_OPTION : INGRESS_LINK_FIELD),
				   place, paths_.back()->data(), static_cast<std::uint32_t>(paths_.back()->size()) });
	}

	/** `request 2, note.title: …`, as far as that is known. */
	[[nodiscard]] std::string refused(const struct ingress_refusal &refusal) const
	{
		std::string text = refusal.request == UINT32_MAX ? "" : "request " + std::to_string(refusal.request);

		if (refusal.link < links_.size() && links_[refusal.link].path_bytes)
			text += ", " + std::string(links_[refusal.link].path, links_[refusal.link].path_bytes);
		return text + (text.empty() ? "" : ": ") + refusal.text;
	}

	static constexpr std::uint32_t none = UINT32_MAX;

	ingress_token token_;
	bool is_submitted_ = false;
	std::uint32_t after_ = none; /* what the next call needs */
	std::vector<struct ingress_call> calls_;
	std::vector<std::vector<std::byte>> bytes_; /* of each call's message */
	std::vector<struct ingress_link> links_;
	std::vector<std::unique_ptr<std::string>> paths_; /* of each link */
	std::vector<std::shared_ptr<AnySlot>> slots_;
};

} // namespace ferry::ingress

#endif
