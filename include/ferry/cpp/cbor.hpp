/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wire format `cbor` in C++ (spec/interface.md, rules W1 to W3): Cbor<T> encodes and decodes a value of type T.
 *
 * Encoding has two steps: bound() says how many bytes a value takes at most, write() writes without checking for the
 * end. Decoding expects the deterministic encoding: it compares an object's keys with constants, in their order. Where
 * the message differs, decoding takes the general way, out of line, and looks up only the keys that did not come as
 * expected. A head is read at most twice and every other byte once, so the time is bounded by the size.
 *
 * long: one codec, which the compiler has to see as a whole.
 */
#ifndef FERRY_CPP_CBOR_HPP
#define FERRY_CPP_CBOR_HPP

#include <ferry/cpp/cbor_reader.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace ferry::ingress
{

/** Writes into memory that has as many bytes as bound() said. */
class CborWriter
{
public:
	explicit CborWriter(std::byte *at) noexcept : at_(at)
	{
	}
	[[nodiscard]] std::byte *at() const noexcept
	{
		return at_;
	}

	[[gnu::always_inline]] void byte(unsigned value)
	{
		*at_++ = static_cast<std::byte>(value);
	}
	[[gnu::always_inline]] void raw(const void *data, std::size_t count)
	{
		copy_bytes(at_, data, count);
		at_ += count;
	}
	/** Write the first bytes of an item, as few as can hold `value`. */
	[[gnu::always_inline]] void head(CborMajor major, std::uint64_t value)
	{
		const unsigned first = static_cast<unsigned>(major) << 5;

		if (value < 24)
			byte(first | static_cast<unsigned>(value));
		else
			head_long(first, value);
	}
	void number(double value);

private:
	template <class Word> void big_endian(unsigned first, Word value)
	{
		byte(first);
		if constexpr (sizeof(Word) == 1) {
			byte(value);
		} else {
			for (unsigned shift = 8 * sizeof(Word); shift; shift -= 8)
				byte(static_cast<unsigned>(value >> (shift - 8)) & 0xff);
		}
	}
	void head_long(unsigned first, std::uint64_t value)
	{
		if (value <= UINT8_MAX)
			big_endian(first | 24, static_cast<std::uint8_t>(value));
		else if (value <= UINT16_MAX)
			big_endian(first | 25, static_cast<std::uint16_t>(value));
		else if (value <= UINT32_MAX)
			big_endian(first | 26, static_cast<std::uint32_t>(value));
		else
			big_endian(first | 27, value);
	}

	std::byte *at_;
};

/** Write a float in the shortest form that keeps its value (rule W1). */
inline void CborWriter::number(double value)
{
	const auto single = static_cast<float>(value);
	std::uint16_t half = 0;

	if (value != value) {
		big_endian<std::uint16_t>(0xf9, 0x7e00);
	} else if (static_cast<double>(single) != value) {
		std::uint64_t bits;

		std::memcpy(&bits, &value, sizeof(bits));
		big_endian(0xfb, bits);
	} else if (half_from_float(single, half)) {
		big_endian(0xf9, half);
	} else {
		std::uint32_t bits;

		std::memcpy(&bits, &single, sizeof(bits));
		big_endian(0xfa, bits);
	}
}

inline constexpr std::size_t cbor_head_bytes = 9; /**< how many bytes the head of an item has at most */

/** A value's encoding; specialised for every type of rule I2. */
template <class T, class = void> struct Cbor;

/* ---- scalars --------------------------------------------------------------------------------------------------- */

template <> struct Cbor<bool> {
	static void bound(Bound &bound, bool, unsigned)
	{
		bound.bytes += 1;
	}
	static void write(CborWriter &out, bool value)
	{
		out.byte(value ? 0xf5 : 0xf4);
	}
	static bool read(CborReader &in, bool &value)
	{
		return in.boolean(value);
	}
};

template <class T> struct Cbor<T, std::enable_if_t<std::is_integral_v<T>>> {
	static void bound(Bound &bound, T, unsigned)
	{
		bound.bytes += cbor_head_bytes;
	}
	[[gnu::always_inline]] static void write(CborWriter &out, T value)
	{
		if constexpr (std::is_signed_v<T>)
			if (value < 0)
				return out.head(CborMajor::negative,
						~static_cast<std::uint64_t>(std::int64_t{ value }));
		out.head(CborMajor::positive, static_cast<std::uint64_t>(value));
	}
	[[gnu::always_inline]] static bool read(CborReader &in, T &value)
	{
		std::uint64_t magnitude = 0;
		bool negative = false;

		if (!in.integer(magnitude, negative))
			return false;
		if (negative) {
			/* -1 - magnitude */
			if (!std::is_signed_v<T> ||
			    magnitude > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
				return in.bad("out of range");
			value = static_cast<T>(-1 - static_cast<std::int64_t>(magnitude));
			return true;
		}
		if (magnitude > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
			return in.bad("out of range");
		value = static_cast<T>(magnitude);
		return true;
	}
};

template <class T> struct Cbor<T, std::enable_if_t<std::is_floating_point_v<T>>> {
	static void bound(Bound &bound, T, unsigned)
	{
		bound.bytes += cbor_head_bytes;
	}
	static void write(CborWriter &out, T value)
	{
		out.number(static_cast<double>(value));
	}
	static bool read(CborReader &in, T &value)
	{
		double wide = 0;

		if (!in.number(wide))
			return false;
		value = static_cast<T>(wide);
		return static_cast<double>(value) == wide || wide != wide || in.bad("out of range");
	}
};

template <class T> struct Cbor<T, std::enable_if_t<std::is_enum_v<T>>> {
	using Number = std::underlying_type_t<T>;
	static void bound(Bound &bound, T, unsigned)
	{
		bound.bytes += cbor_head_bytes;
	}
	static void write(CborWriter &out, T value)
	{
		Cbor<Number>::write(out, static_cast<Number>(value));
	}
	static bool read(CborReader &in, T &value)
	{
		Number number = 0;

		if (!Cbor<Number>::read(in, number))
			return false;
		if (!EnumValues<T>::known(number))
			return in.bad("unknown enum value");
		value = static_cast<T>(number);
		return true;
	}
};

template <class Tag> struct Cbor<HandleId<Tag>> {
	static void bound(Bound &bound, HandleId<Tag>, unsigned)
	{
		bound.bytes += cbor_head_bytes;
	}
	static void write(CborWriter &out, HandleId<Tag> value)
	{
		out.head(CborMajor::positive, value.value);
	}
	static bool read(CborReader &in, HandleId<Tag> &value)
	{
		return Cbor<std::uint64_t>::read(in, value.value);
	}
};

/* ---- strings and bytes ----------------------------------------------------------------------------------------- */

template <> struct Cbor<std::string_view> {
	static void bound(Bound &bound, std::string_view value, unsigned)
	{
		bound.bytes += cbor_head_bytes + value.size();
	}
	static void write(CborWriter &out, std::string_view value)
	{
		out.head(CborMajor::text, value.size());
		out.raw(value.data(), value.size());
	}
};

template <> struct Cbor<std::string> : Cbor<std::string_view> {
	[[gnu::always_inline]] static bool read(CborReader &in, std::string &value)
	{
		std::size_t count = 0;

		if (!in.chunk(CborMajor::text, count))
			return in.text_slow(value);
		const std::size_t readable = in.left();

		return assign_text(value, in.take(count), count, readable) || in.bad("invalid UTF-8");
	}
};

template <> struct Cbor<BytesView> {
	static void bound(Bound &bound, BytesView value, unsigned)
	{
		bound.bytes += cbor_head_bytes + value.size();
	}
	static void write(CborWriter &out, BytesView value)
	{
		out.head(CborMajor::bytes, value.size());
		out.raw(value.data(), value.size());
	}
};

template <> struct Cbor<Bytes> : Cbor<BytesView> {
	static bool read(CborReader &in, Bytes &value)
	{
		std::size_t count = 0;

		if (!in.chunk(CborMajor::bytes, count))
			return in.bytes_slow(value);
		const std::byte *data = in.take(count);

		value.assign(data, data + count);
		return true;
	}
};

/** The fewest bytes that a value takes, which bounds what a length can claim (rule W7). */
template <class T> constexpr std::size_t cbor_least();

/* ---- options, sequences, maps ---------------------------------------------------------------------------------- */

template <class T> struct Cbor<T, std::enable_if_t<IsOption<T>::value && std::is_default_constructible_v<T>>> {
	using Value = std::decay_t<decltype(*std::declval<T &>())>;
	static void bound(Bound &bound, const T &value, unsigned depth)
	{
		bound.bytes += 1;
		if (value)
			Cbor<Value>::bound(bound, *value, depth);
	}
	static void write(CborWriter &out, const T &value)
	{
		if (value)
			Cbor<Value>::write(out, *value);
		else
			out.byte(cbor_null);
	}
	static bool read(CborReader &in, T &value)
	{
		if (in.null()) {
			value.reset();
			return true;
		}
		if (!value)
			value.emplace();
		return Cbor<Value>::read(in, *value);
	}
};

/** A parameter that is not copied; encoding only. */
template <class T> struct Cbor<std::reference_wrapper<const T>> {
	static void bound(Bound &bound, const T &value, unsigned depth)
	{
		Cbor<T>::bound(bound, value, depth);
	}
	static void write(CborWriter &out, const T &value)
	{
		Cbor<T>::write(out, value);
	}
};

template <class T> struct Cbor<std::vector<T>> {
	static void bound(Bound &bound, const std::vector<T> &value, unsigned depth)
	{
		bound.bytes += cbor_head_bytes;
		if (!bound.enter(depth))
			return;
		if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || IsHandle<T>::value)
			bound.bytes += value.size() * (std::is_same_v<T, bool> || sizeof(T) == 1 ? 2 : sizeof(T) + 1);
		else
			for (const T &element : value)
				Cbor<T>::bound(bound, element, depth + 1);
	}
	static void write(CborWriter &out, const std::vector<T> &value)
	{
		out.head(CborMajor::array, value.size());
		for (const auto &element : value)
			Cbor<T>::write(out, element);
	}
	static bool read(CborReader &in, std::vector<T> &value)
	{
		CborItems items;

		if (!in.enter(CborMajor::array, cbor_least<T>(), items))
			return false;
		value.clear();
		value.reserve(std::min<std::size_t>(items.left, wire_trust_bytes / sizeof(T)));
		while (in.more(items)) {
			if constexpr (std::is_same_v<T, bool>) {
				bool element = false;

				if (!in.boolean(element))
					return in.under_index(value.size());
				value.push_back(element);
			} else if (!Cbor<T>::read(in, value.emplace_back())) {
				return in.under_index(value.size() - 1);
			}
		}
		return in.leave();
	}
};

/** Whether the deterministic encoding has one key before another: it orders them by their encodings. */
template <class K> bool cbor_key_less(const K &a, const K &b)
{
	if constexpr (std::is_integral_v<K>) {
		if ((a < 0) != (b < 0))
			return b < 0;
		return a < 0 ? a > b : a < b;
	} else {
		return a.size() != b.size() ? a.size() < b.size() : a < b;
	}
}

template <class K, class V> struct Cbor<std::map<K, V>> {
	using Map = std::map<K, V>;
	static void bound(Bound &bound, const Map &value, unsigned depth)
	{
		bound.bytes += cbor_head_bytes;
		if (!bound.enter(depth))
			return;
		for (const auto &[key, element] : value) {
			Cbor<K>::bound(bound, key, depth + 1);
			Cbor<V>::bound(bound, element, depth + 1);
		}
	}
	static void write(CborWriter &out, const Map &value)
	{
		out.head(CborMajor::map, value.size());
		if constexpr (std::is_unsigned_v<K>) {
			for (const auto &pair : value)
				write_pair(out, pair);
		} else {
			std::vector<const typename Map::value_type *> pairs;

			pairs.reserve(value.size());
			for (const auto &pair : value)
				pairs.push_back(&pair);
			std::sort(pairs.begin(), pairs.end(),
				  [](auto a, auto b) { return cbor_key_less(a->first, b->first); });
			for (const auto *pair : pairs)
				write_pair(out, *pair);
		}
	}
	static bool read(CborReader &in, Map &value)
	{
		CborItems items;

		if (!in.enter(CborMajor::map, cbor_least<K>() + cbor_least<V>(), items))
			return false;
		value.clear();
		for (std::size_t i = 0; in.more(items); i++) {
			K key{};

			if (!Cbor<K>::read(in, key))
				return in.under("key") || in.under_index(i);
			const auto [place, is_new] = value.try_emplace(std::move(key));

			if (!is_new)
				return in.bad("given twice");
			if (!Cbor<V>::read(in, place->second))
				return in.under("value") || in.under_index(i);
		}
		return in.leave();
	}

private:
	static void write_pair(CborWriter &out, const typename Map::value_type &pair)
	{
		Cbor<K>::write(out, pair.first);
		Cbor<V>::write(out, pair.second);
	}
};

/* ---- objects --------------------------------------------------------------------------------------------------- */

/** The key of field I of T, as it is encoded. */
template <class T, std::size_t I> constexpr auto cbor_make_key()
{
	constexpr auto name = nth_field<T, I>.name;
	constexpr std::size_t count = name.size(), heads = count < 24 ? 1 : 2;
	std::array<std::byte, heads + count> key{};

	static_assert(count < 256, "a name has at most 255 bytes");
	key[0] = static_cast<std::byte>(0x60 | (heads == 1 ? count : 24));
	key[heads - 1] = heads == 1 ? key[0] : static_cast<std::byte>(count);
	for (std::size_t i = 0; i < count; i++)
		key[heads + i] = static_cast<std::byte>(name[i]);
	return key;
}
template <class T, std::size_t I> inline constexpr auto cbor_key = cbor_make_key<T, I>();

/** The fields of T in the order of their encoded keys. */
template <class T, std::size_t... I> constexpr auto cbor_make_order(std::index_sequence<I...>)
{
	const std::array<std::string_view, sizeof...(I)> names = { std::string_view(nth_field<T, I>.name.data(),
										    nth_field<T, I>.name.size())... };
	std::array<std::size_t, sizeof...(I)> order = { I... };

	for (std::size_t i = 1; i < order.size(); i++) {
		for (std::size_t j = i; j > 0; j--) {
			const std::string_view a = names[order[j - 1]], b = names[order[j]];

			if (a.size() < b.size() || (a.size() == b.size() && a < b))
				break;
			const std::size_t swapped = order[j];

			order[j] = order[j - 1];
			order[j - 1] = swapped;
		}
	}
	return order;
}
template <class T> inline constexpr auto cbor_order = cbor_make_order<T>(std::make_index_sequence<field_count<T>>());

/** Cbor<V>::read out of line, for rare cases: compiled once for each type. */
template <class V> [[gnu::noinline]] bool cbor_read_seldom(CborReader &in, V &value)
{
	return Cbor<V>::read(in, value);
}

template <class T> struct Cbor<T, std::enable_if_t<IsObject<T>::value>> {
	static void bound(Bound &bound, const T &value, unsigned depth)
	{
		bound.bytes += cbor_head_bytes;
		if (bound.enter(depth))
			bound_all(bound, value, depth + 1, All());
	}
	static void write(CborWriter &out, const T &value)
	{
		write_all(out, value, All());
	}
	static bool read(CborReader &in, T &value)
	{
		return read_all(in, value, All());
	}

private:
	static constexpr std::size_t count = field_count<T>;
	using All = std::make_index_sequence<count>;
	using Seen = CborSeen<count>;
	template <std::size_t I> using Type = FieldType<T, I>;
	template <std::size_t I> static constexpr std::size_t nth = cbor_order<T>[I];
	template <std::size_t I> static constexpr auto member = nth_field<T, I>.member;
	template <std::size_t I> static std::string_view name()
	{
		return { nth_field<T, I>.name.data(), nth_field<T, I>.name.size() };
	}

	template <std::size_t... I>
	static void bound_all(Bound &bound, const T &value, unsigned depth, std::index_sequence<I...>)
	{
		bound.bytes += (cbor_key<T, I>.size() + ... + 0);
		(Cbor<Type<I>>::bound(bound, value.*member<I>, depth), ...);
	}

	template <std::size_t I> static bool is_written(const T &value)
	{
		if constexpr (IsOption<Type<I>>::value)
			return is_present(value.*member<I>);
		else
			return true;
	}
	template <std::size_t I> [[gnu::always_inline]] static void write_one(CborWriter &out, const T &value)
	{
		if (is_written<I>(value)) {
			out.raw(cbor_key<T, I>.data(), cbor_key<T, I>.size());
			Cbor<Type<I>>::write(out, value.*member<I>);
		}
	}
	template <std::size_t... I> static void write_all(CborWriter &out, const T &value, std::index_sequence<I...>)
	{
		out.head(CborMajor::map, (std::size_t{ is_written<I>(value) } + ... + 0));
		(write_one<nth<I>>(out, value), ...);
	}

	/** Read field I if its key comes next; otherwise the field counts as absent, and read_rest may find it. */
	template <std::size_t I>
	[[gnu::always_inline]] static bool read_next(CborReader &in, CborItems &items, Seen &seen, T &value)
	{
		if (in.key(items, cbor_key<T, I>)) {
			seen.add(I);
			return Cbor<Type<I>>::read(in, value.*member<I>) || in.under(name<I>());
		}
		if constexpr (IsOption<Type<I>>::value)
			(value.*member<I>).reset();
		return true;
	}
	template <std::size_t... I> static bool read_all(CborReader &in, T &value, std::index_sequence<I...> all)
	{
		CborItems items;
		Seen seen;

		if (!in.enter(CborMajor::map, 2, items))
			return false;
		if (!(read_next<nth<I>>(in, items, seen, value) && ...))
			return false;
		if (items.left == 0 && ((IsOption<Type<I>>::value || seen.has(I)) && ...))
			return in.leave();
		return read_rest(in, items, seen, value, all);
	}

	/**
	 * Read the fields that did not come as expected: in another order, among unknown keys, with another encoding
	 * of the key, or not at all.
	 */
	template <std::size_t... I>
	[[gnu::noinline]] static bool read_rest(CborReader &in, CborItems &items, Seen &seen, T &value,
						std::index_sequence<I...>)
	{
		std::string key;

		while (in.more(items)) {
			bool good = true;

			if (!in.is_text()) {
				if (!in.skip() || !in.skip())
					return false;
				continue;
			}
			if (!Cbor<std::string>::read(in, key))
				return false;
			const bool known = ((key == name<I>() && (good = read_named<I>(in, seen, value), true)) || ...);

			if (!good || (!known && !in.skip()))
				return false;
		}
		return in.leave() && ((IsOption<Type<I>>::value || seen.has(I) || in.missing(name<I>())) && ...);
	}
	template <std::size_t I> static bool read_named(CborReader &in, Seen &seen, T &value)
	{
		if (seen.has(I))
			return in.bad("given twice") || in.under(name<I>());
		seen.add(I);
		return cbor_read_seldom(in, value.*member<I>) || in.under(name<I>());
	}
};

/* ---- variants -------------------------------------------------------------------------------------------------- */

template <class T> struct Cbor<T, std::enable_if_t<IsVariant<T>::value>> {
	static void bound(Bound &bound, const T &value, unsigned depth)
	{
		const Held &held = value.*Variant<T>::held;

		bound.bytes += 1 + cbor_head_bytes;
		if (!bound.enter(depth) || held.valueless_by_exception())
			return;
		bound.bytes += Variant<T>::cases[held.index()].size();
		std::visit(
			[&bound, depth](const auto &carried) {
				Cbor<std::decay_t<decltype(carried)>>::bound(bound, carried, depth + 1);
			},
			held);
	}
	/** A variant whose assignment failed halfway has no case, which the decoder reports. */
	static void write(CborWriter &out, const T &value)
	{
		const Held &held = value.*Variant<T>::held;

		out.head(CborMajor::map, held.valueless_by_exception() ? 0 : 1);
		if (held.valueless_by_exception())
			return;
		const std::string_view name = Variant<T>::cases[held.index()];

		out.head(CborMajor::text, name.size());
		out.raw(name.data(), name.size());
		std::visit([&out](const auto &carried) { Cbor<std::decay_t<decltype(carried)>>::write(out, carried); },
			   held);
	}
	static bool read(CborReader &in, T &value)
	{
		CborItems items;
		std::string name;

		if (!in.enter(CborMajor::map, 2, items))
			return false;
		if (!in.more(items))
			return in.leave() && in.bad("missing");
		if (!Cbor<std::string>::read(in, name) || !read_case(in, value, name, All()))
			return false;
		if (in.more(items))
			return in.bad("given twice");
		return in.leave();
	}

private:
	using Held = HeldOf<T>;
	using All = std::make_index_sequence<case_count<T>>;

	template <std::size_t I> static bool read_one(CborReader &in, T &value)
	{
		return Cbor<std::variant_alternative_t<I, Held>>::read(
			       in, (value.*Variant<T>::held).template emplace<I>()) ||
		       in.under(Variant<T>::cases[I]);
	}
	template <std::size_t... I>
	static bool read_case(CborReader &in, T &value, std::string_view name, std::index_sequence<I...>)
	{
		bool good = false;
		const bool known = ((name == Variant<T>::cases[I] && (good = read_one<I>(in, value), true)) || ...);

		return known ? good : in.bad("unknown case");
	}
};

template <class T, std::size_t... I> constexpr std::size_t cbor_variant_least(std::index_sequence<I...>)
{
	std::size_t least = SIZE_MAX;

	for (const std::size_t one :
	     { Variant<T>::cases[I].size() + cbor_least<std::variant_alternative_t<I, HeldOf<T>>>()... })
		least = one < least ? one : least;
	return 2 + least;
}

template <class T, std::size_t... I> constexpr std::size_t cbor_object_least(std::index_sequence<I...>)
{
	constexpr auto one = [](auto index) -> std::size_t {
		using Type = FieldType<T, decltype(index)::value>;

		if constexpr (IsOption<Type>::value)
			return 0;
		else
			return cbor_key<T, decltype(index)::value>.size() + cbor_least<Type>();
	};

	return (one(std::integral_constant<std::size_t, I>()) + ... + 1);
}

template <class T> constexpr std::size_t cbor_least()
{
	if constexpr (IsObject<T>::value)
		return cbor_object_least<T>(std::make_index_sequence<field_count<T>>());
	else if constexpr (IsVariant<T>::value)
		return cbor_variant_least<T>(std::make_index_sequence<case_count<T>>());
	else
		return 1;
}

/** An empty object; encoding only. */
template <> struct Cbor<NoParams> {
	static void bound(Bound &bound, NoParams, unsigned)
	{
		bound.bytes += 1;
	}
	static void write(CborWriter &out, NoParams)
	{
		out.head(CborMajor::map, 0);
	}
};

/** The result of a method that returns nothing. */
template <> struct Cbor<std::monostate> {
	static void bound(Bound &bound, std::monostate, unsigned)
	{
		bound.bytes += 1;
	}
	static void write(CborWriter &out, std::monostate)
	{
		out.byte(cbor_null);
	}
	static bool read(CborReader &in, std::monostate &)
	{
		return in.nothing();
	}
};

} // namespace ferry::ingress

#endif
