/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of calls of a chain: values, what earlier calls of the chain promise, and drafts, which are values of which
 * parts are promised.
 *
 * They are encoded in format `cbor`, with null where a promise stands. Taken says where that null is and what the
 * promise leads to, of which the chain makes a link of the core's.
 */
#ifndef FERRY_CPP_DRAFT_HPP
#define FERRY_CPP_DRAFT_HPP

#include <ferry/cpp/call.hpp>

#include <algorithm>
#include <map>

namespace ferry::ingress
{

class Chain;

/** What a case of the variant T carries. */
template <auto Case, class T> using CarriedBy = std::variant_alternative_t<static_cast<std::size_t>(Case), HeldOf<T>>;

/** T, or what it is an option of. */
template <class T> struct Inside {
	using type = T;
};
template <class T> struct Inside<std::optional<T>> {
	using type = T;
};

/** A value that a call of a chain will have: its place among the calls, and where in the result it is. */
template <class V> class Promised
{
public:
	/** A field of an object, or of one that is an option: promised.field(&Note::title). */
	template <class T, class F,
		  std::enable_if_t<std::is_same_v<V, T> || std::is_same_v<V, std::optional<T>>, int> = 0>
	[[nodiscard]] Promised<F> field(F T::*member) const
	{
		std::string path;

		append_field(path, member, std::make_index_sequence<field_count<T>>());
		return part<F>(path);
	}
	/**
	 * What a case of a variant carries, or of one that is an option: promised.as<PlaceCase::shelf>(). If the result
	 * has another case, the call that takes it fails: Status::bad_payload.
	 */
	template <auto Case, class S = typename Inside<V>::type> [[nodiscard]] Promised<CarriedBy<Case, S>> as() const
	{
		static_assert(std::is_same_v<decltype(Case), decltype(std::declval<S>().which())>,
			      "only a variant has cases, and only its own");
		static_assert(!std::is_same_v<CarriedBy<Case, S>, std::monostate>, "the case carries nothing");
		return part<CarriedBy<Case, S>>(Variant<S>::cases[static_cast<std::size_t>(Case)]);
	}
	/** An element of a sequence. */
	template <class S = V> [[nodiscard]] Promised<typename S::value_type> operator[](std::size_t index) const
	{
		static_assert(std::is_same_v<S, std::vector<typename S::value_type>>, "only a sequence has elements");
		return { chain_, number_, path_ + "[" + std::to_string(index) + "]" };
	}
	/**
	 * The value of a key in a map of texts, or in one that is an option. If the result has no such key, the call
	 * that takes it fails: Status::bad_payload.
	 * @throws Error for a key that is empty or has one of `.[]` or a zero: no path leads there
	 */
	template <class M = typename Inside<V>::type>
	[[nodiscard]] Promised<typename M::mapped_type> at(std::string_view key) const
	{
		static_assert(std::is_same_v<M, std::map<std::string, typename M::mapped_type>>,
			      "only a map whose keys are texts has values that are promised");
		if (key.empty() || key.find_first_of(std::string_view(".[]\0", 4)) != key.npos)
			raise(Failure{ Status::bad_argument, "a promise leads to no such key" });
		return part<typename M::mapped_type>(key);
	}

	Promised(const Chain *chain, std::uint32_t number, std::string path)
	    : chain_(chain), number_(number), path_(std::move(path))
	{
	}
	/** The chain that it is of, the number of its call, and the place in its result. */
	[[nodiscard]] const Chain *made_by() const noexcept
	{
		return chain_;
	}
	[[nodiscard]] std::uint32_t number() const noexcept
	{
		return number_;
	}
	[[nodiscard]] const std::string &path() const noexcept
	{
		return path_;
	}

private:
	template <class F> [[nodiscard]] Promised<F> part(std::string_view name) const
	{
		return { chain_, number_, path_ + (path_.empty() ? "" : ".") + std::string(name) };
	}
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

/** A promise that stands in a message which was encoded: where its null is, and where it leads. */
struct Taken {
	const std::byte *place;
	const Chain *chain;
	std::uint32_t number;
	std::string path;
	bool is_option; /* an absent value is none, and not an error */
};

/** An argument, or a part of one, that is no plain value. */
class AnyPart
{
public:
	AnyPart() = default;
	AnyPart(const AnyPart &) = default;
	AnyPart &operator=(const AnyPart &) = default;
	virtual ~AnyPart() = default;
	virtual void bound(Bound &bound, unsigned depth) const = 0;
	virtual void write(CborWriter &out, std::vector<Taken> &taken) const = 0;
};

/** A part that is promised. */
template <class V> class PromisedPart final : public AnyPart
{
public:
	PromisedPart(Promised<V> promised, bool is_option) : promised_(std::move(promised)), is_option_(is_option)
	{
	}
	void bound(Bound &bound, unsigned) const override
	{
		bound.bytes++;
	}
	void write(CborWriter &out, std::vector<Taken> &taken) const override
	{
		taken.push_back({ out.at(), promised_.made_by(), promised_.number(), promised_.path(), is_option_ });
		out.byte(cbor_null);
	}

private:
	Promised<V> promised_;
	bool is_option_;
};

/** A value that is kept, since the caller's own is of another type. */
template <class V> class KeptPart final : public AnyPart
{
public:
	explicit KeptPart(V value) : value_(std::move(value))
	{
	}
	void bound(Bound &bound, unsigned depth) const override
	{
		Cbor<V>::bound(bound, value_, depth);
	}
	void write(CborWriter &out, std::vector<Taken> &) const override
	{
		Cbor<V>::write(out, value_);
	}

private:
	V value_;
};

template <class T> class Draft;

/** What stands for a value of type V: a promise or a draft of it, or of what it is an option of. */
template <class V> std::shared_ptr<const AnyPart> part_of(const Promised<V> &promised)
{
	return std::make_shared<PromisedPart<V>>(promised, IsOption<V>::value);
}
template <class V, class U, std::enable_if_t<std::is_same_v<std::optional<U>, V>, int> = 0>
std::shared_ptr<const AnyPart> part_of(const Promised<U> &promised)
{
	return std::make_shared<PromisedPart<U>>(promised, false);
}
template <class V, class U, std::enable_if_t<std::is_same_v<U, V> || std::is_same_v<std::optional<U>, V>, int> = 0>
std::shared_ptr<const AnyPart> part_of(const Draft<U> &draft)
{
	return std::make_shared<Draft<U>>(draft);
}

/**
 * A value of which parts are promised: an argument of calls of a chain, or a part of another draft.
 *
 *	chain.echo(ferry::ingress::Draft(echo::EchoRequest{ "", 5 }).put(&echo::EchoRequest::message, text))
 *
 * The value is one of an object, a sequence, a map or a variant. Its own parts where something is put do not matter.
 */
template <class T> class Draft final : public AnyPart
{
public:
	explicit Draft(T value) : value_(std::move(value))
	{
	}

	/** Put a promise or a draft into a field. */
	template <class F, class P> Draft &put(F T::*member, const P &part)
	{
		put_field(member, part_of<F>(part), std::make_index_sequence<field_count<T>>());
		return *this;
	}
	/** Put a promise or a draft into an element of a sequence. @throws Error there is no such element */
	template <class P, class S = T> Draft &put(std::size_t index, const P &part)
	{
		if (index >= value_.size())
			raise(Failure{ Status::bad_argument, "the sequence has no element " + std::to_string(index) });
		parts_[index] = part_of<typename S::value_type>(part);
		return *this;
	}
	/** Give a variant this case, and a promise or a draft of what that carries: put<PlaceCase::shelf>(shelf). */
	template <auto Case, class P> Draft &put(const P &part)
	{
		static_assert(std::is_same_v<decltype(Case), decltype(std::declval<T>().which())>,
			      "only a variant has cases, and only its own");
		parts_.clear();
		parts_[static_cast<std::size_t>(Case)] = part_of<CarriedBy<Case, T>>(part);
		return *this;
	}

	void bound(Bound &bound, unsigned depth) const override
	{
		Cbor<T>::bound(bound, value_, depth);
		for (const auto &[place, part] : parts_)
			part->bound(bound, depth + 1);
		if constexpr (IsVariant<T>::value)
			for (const auto &[place, part] : parts_)
				bound.bytes += Variant<T>::cases[place].size();
	}
	void write(CborWriter &out, std::vector<Taken> &taken) const override
	{
		if constexpr (IsObject<T>::value)
			write_object(out, taken, std::make_index_sequence<field_count<T>>());
		else if constexpr (IsVariant<T>::value)
			write_variant(out, taken);
		else
			write_sequence(out, taken);
	}

private:
	template <class F, std::size_t... I>
	void put_field(F T::*member, std::shared_ptr<const AnyPart> part, std::index_sequence<I...>)
	{
		(put_if<I>(member, part) || ...);
	}
	template <std::size_t I, class F> bool put_if(F T::*member, std::shared_ptr<const AnyPart> &part)
	{
		if constexpr (std::is_same_v<FieldType<T, I>, F>) {
			if (nth_field<T, I>.member == member) {
				parts_[I] = std::move(part);
				return true;
			}
		}
		return false;
	}
	/** What was put into field, element or case `place`, or nullptr. */
	[[nodiscard]] const AnyPart *part(std::size_t place) const
	{
		const auto found = parts_.find(place);

		return found == parts_.end() ? nullptr : found->second.get();
	}

	template <std::size_t I> [[nodiscard]] bool is_written() const
	{
		if constexpr (IsOption<FieldType<T, I>>::value)
			return part(I) || is_present(value_.*nth_field<T, I>.member);
		return true;
	}
	template <std::size_t... I>
	void write_object(CborWriter &out, std::vector<Taken> &taken, std::index_sequence<I...>) const
	{
		out.head(CborMajor::map, (std::size_t{ is_written<I>() } + ... + 0));
		(write_field<cbor_order<T>[I]>(out, taken), ...);
	}
	template <std::size_t I> void write_field(CborWriter &out, std::vector<Taken> &taken) const
	{
		if (!is_written<I>())
			return;
		out.raw(cbor_key<T, I>.data(), cbor_key<T, I>.size());
		if (const AnyPart *found = part(I))
			found->write(out, taken);
		else
			Cbor<FieldType<T, I>>::write(out, value_.*nth_field<T, I>.member);
	}
	void write_variant(CborWriter &out, std::vector<Taken> &taken) const
	{
		if (parts_.empty()) {
			Cbor<T>::write(out, value_);
			return;
		}
		const auto &[place, found] = *parts_.begin();

		out.head(CborMajor::map, 1);
		Cbor<std::string_view>::write(out, Variant<T>::cases[place]);
		found->write(out, taken);
	}
	void write_sequence(CborWriter &out, std::vector<Taken> &taken) const
	{
		using Element = typename T::value_type;

		out.head(CborMajor::array, value_.size());
		for (std::size_t i = 0; i < value_.size(); i++) {
			if (const AnyPart *found = part(i))
				found->write(out, taken);
			else
				Cbor<Element>::write(out, static_cast<const Element &>(value_[i]));
		}
	}

	T value_;
	std::map<std::size_t, std::shared_ptr<const AnyPart>> parts_;
};

/**
 * A map of which values are promised: Draft(map).put(key, promise). The map need not have the key before, and a value
 * that it has there does not matter.
 */
template <class K, class V> class Draft<std::map<K, V>> final : public AnyPart
{
public:
	explicit Draft(std::map<K, V> value) : value_(std::move(value))
	{
	}

	/** Put a promise or a draft in the place of a value. */
	template <class P> Draft &put(K key, const P &part)
	{
		value_.erase(key);
		parts_[std::move(key)] = part_of<V>(part);
		return *this;
	}

	void bound(Bound &bound, unsigned depth) const override
	{
		Cbor<std::map<K, V>>::bound(bound, value_, depth);
		for (const auto &[key, part] : parts_) {
			Cbor<K>::bound(bound, key, depth + 1);
			part->bound(bound, depth + 1);
		}
	}
	void write(CborWriter &out, std::vector<Taken> &taken) const override
	{
		/* with nullptr for a value that is the map's own */
		std::vector<std::pair<const K *, const AnyPart *>> pairs;

		for (const auto &[key, value] : value_)
			pairs.emplace_back(&key, nullptr);
		for (const auto &[key, part] : parts_)
			pairs.emplace_back(&key, part.get());
		std::sort(pairs.begin(), pairs.end(),
			  [](const auto &a, const auto &b) { return cbor_key_less(*a.first, *b.first); });
		out.head(CborMajor::map, pairs.size());
		for (const auto &[key, part] : pairs) {
			Cbor<K>::write(out, *key);
			if (part)
				part->write(out, taken);
			else
				Cbor<V>::write(out, value_.at(*key));
		}
	}

private:
	std::map<K, V> value_;
	std::map<K, std::shared_ptr<const AnyPart>> parts_; /* none of them has a key of value_ */
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

/**
 * An argument of a call of a chain: a value, or one that is promised, or a draft. Of an option, also none, and a
 * value, a promise or a draft of what is inside.
 */
template <class V> class Argument
{
public:
	using Held = typename Holding<V>::type;

	template <class A, std::enable_if_t<std::is_convertible_v<const A &, Held>, int> = 0>
	Argument(const A &value) : held_(static_cast<Held>(value)) // NOLINT: converts on purpose
	{
	}
	template <class A, std::enable_if_t<IsOption<V>::value && !std::is_convertible_v<const A &, Held> &&
						    std::is_convertible_v<const A &, typename Inside<V>::type>,
					    int> = 0>
	Argument(const A &inside) // NOLINT: converts on purpose
	    : part_(std::make_shared<KeptPart<typename Inside<V>::type>>(inside))
	{
	}
	template <class S = V, std::enable_if_t<IsOption<S>::value, int> = 0>
	Argument(std::nullopt_t) // NOLINT: converts on purpose
	{
	}
	template <class U, std::enable_if_t<std::is_same_v<U, V> || std::is_same_v<std::optional<U>, V>, int> = 0>
	Argument(const Promised<U> &promised) : part_(part_of<V>(promised)) // NOLINT: converts on purpose
	{
	}
	template <class U, std::enable_if_t<std::is_same_v<U, V> || std::is_same_v<std::optional<U>, V>, int> = 0>
	Argument(const Draft<U> &draft) : part_(part_of<V>(draft)) // NOLINT: converts on purpose
	{
	}

	void bound(Bound &bound, unsigned depth) const
	{
		if (part_)
			part_->bound(bound, depth);
		else if (held_)
			Cbor<Held>::bound(bound, *held_, depth);
		else
			bound.bytes++;
	}
	void write(CborWriter &out, std::vector<Taken> &taken) const
	{
		if (part_)
			part_->write(out, taken);
		else if (held_)
			Cbor<Held>::write(out, *held_);
		else
			out.byte(cbor_null);
	}

private:
	/* neither is an option without a value */
	std::optional<Held> held_;
	std::shared_ptr<const AnyPart> part_;
};

} // namespace ferry::ingress

#endif
