/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that run one after another, of which later ones take results of earlier ones (C1 to C9 of spec/interface.md):
 * one crossing, or one round trip, for all. Generated classes have a Chain with a function for each method, which
 * returns a promise; a promise, or a field of it, is an argument of later calls.
 *
 * What a chain takes is encoded at once, in format `cbor` (draft.hpp), and no promise is resolved here.
 */
#ifndef FERRY_CPP_CHAIN_HPP
#define FERRY_CPP_CHAIN_HPP

#include <ferry/cpp/draft.hpp>

#include <tuple>

namespace ferry::ingress
{

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

/**
 * The arguments of a call, in the order of their keys. P is the struct of its parameters, which has their names; As are
 * Arguments in the order of its fields.
 */
template <class P, class... As> class Arguments
{
public:
	explicit Arguments(const As &...arguments) noexcept : arguments_(arguments...)
	{
	}
	/** Encode them as a message; `taken` is told which parts of it are promised, in the order of their places. */
	Status encode(Message &message, std::vector<Taken> &taken) const
	{
		Bound bound;

		bound_all(bound, All());
		std::byte *memory = nullptr;

		if (const Status status = make_room(bound, message, memory); status != Status::ok)
			return status;
		CborWriter out(memory);

		write_all(out, taken, All());
		message.resize(static_cast<std::size_t>(out.at() - memory));
		return Status::ok;
	}

private:
	using All = std::index_sequence_for<As...>;

	template <std::size_t... I> void bound_all(Bound &bound, std::index_sequence<I...>) const
	{
		bound.bytes += cbor_head_bytes + (cbor_key<P, I>.size() + ... + 0);
		(std::get<I>(arguments_).bound(bound, 1), ...);
	}
	template <std::size_t... I>
	void write_all(CborWriter &out, std::vector<Taken> &taken, std::index_sequence<I...>) const
	{
		out.head(CborMajor::map, sizeof...(I));
		(write_one<cbor_order<P>[I]>(out, taken), ...);
	}
	template <std::size_t I> void write_one(CborWriter &out, std::vector<Taken> &taken) const
	{
		out.raw(cbor_key<P, I>.data(), cbor_key<P, I>.size());
		std::get<I>(arguments_).write(out, taken);
	}

	std::tuple<const As &...> arguments_;
};
template <> class Arguments<NoParams>
{
public:
	static Status encode(Message &message, std::vector<Taken> &)
	{
		return encode_cbor(NoParams(), message);
	}
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
		for (std::size_t i = 0, at = 0; i < links_.size(); at += links_[i++].path_bytes)
			links_[i].path = paths_.data() + at;
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

	/**
	 * Append a call, of which P is the struct of parameters; its arguments are encoded before this returns.
	 * @throws Error when they cannot be
	 */
	template <class P, class R, class E = void, class... As>
	Promise<R, E> add(std::uint32_t method, const As &...arguments)
	{
		const auto number = static_cast<std::uint32_t>(calls_.size());
		auto slot = std::make_shared<Slot<R, E>>();
		Message message;
		std::vector<Taken> taken;
		const Status status = Arguments<P, As...>(arguments...).encode(message, taken);

		if (status != Status::ok)
			raise(Failure{ status, {} });
		for (const Taken &one : taken)
			link(number, static_cast<std::uint32_t>(one.place - message.data()), one);
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

	void link(std::uint32_t number, std::uint32_t place, const Taken &taken)
	{
		if (taken.chain != this)
			raise(Failure{ Status::bad_argument, "the promise is of another chain" });
		paths_ += taken.path;
		links_.push_back(
			{ number, taken.number,
			  static_cast<std::uint32_t>(taken.is_option ? INGRESS_LINK_OPTION : INGRESS_LINK_FIELD), place,
			  nullptr, static_cast<std::uint32_t>(taken.path.size()) });
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
	std::string paths_; /* those of the links, one behind the other; submitting makes their pointers */
	std::vector<std::shared_ptr<AnySlot>> slots_;
};

} // namespace ferry::ingress

#endif
