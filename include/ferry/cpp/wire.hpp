/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What both wire formats share (spec/interface.md): limits, errors with their path, UTF-8, and the lists of objects'
 * fields. Decoding throws only when there is no memory, and reads nothing outside of the message.
 */
#ifndef FERRY_CPP_WIRE_HPP
#define FERRY_CPP_WIRE_HPP

#include <ferry/cpp/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::ingress
{

inline constexpr unsigned wire_depth_max = 32;		  /**< rule W7: how deep values may nest */
inline constexpr std::size_t wire_bytes_max = UINT32_MAX; /**< rule W7: how many bytes a message may have */
/** How many bytes of memory a sequence may take before any of its elements was read. */
inline constexpr std::size_t wire_trust_bytes = 65536;

/** Why a message could not be encoded or decoded, and the path to the bad field (rule W8). */
struct Fault {
	const char *reason = nullptr;
	std::string path;

	/** Put a step in front of the path: a field's name, or an index in brackets. Returns false. */
	[[gnu::cold, gnu::noinline]] bool under(std::string_view step)
	{
		std::string whole(step);

		if (!path.empty() && path.front() != '[')
			whole += '.';
		path = whole + path;
		return false;
	}
	[[gnu::cold, gnu::noinline]] bool under_index(std::size_t index)
	{
		return under("[" + std::to_string(index) + "]");
	}
	/** Note what is wrong. Returns false. */
	[[gnu::cold, gnu::noinline]] bool because(const char *why)
	{
		reason = why;
		return false;
	}
	/** `notes[3].title: invalid UTF-8` */
	[[nodiscard]] std::string text() const
	{
		const std::string why = reason ? reason : "no reason";

		return path.empty() ? why : path + ": " + why;
	}
};

/** How many bytes a message takes at most. */
struct Bound {
	std::size_t bytes = 0;
	bool too_deep = false;

	/** Count a container at this depth; false when it is too deep, and then nothing inside is looked at. */
	bool enter(unsigned depth)
	{
		too_deep = too_deep || depth >= wire_depth_max;
		return !too_deep;
	}
};

/* ---- what an object consists of -------------------------------------------------------------------------------- */

/** A field: its name in the description and where it is in its object. */
template <class T, class Member, std::size_t N> struct Field {
	using type = Member;
	std::array<char, N> name;
	Member T::*member;
};

/** field("title", &Note::title) */
template <class T, class Member, std::size_t N> constexpr auto field(const char (&name)[N], Member T::*member)
{
	Field<T, Member, N - 1> result{ {}, member };

	for (std::size_t i = 0; i + 1 < N; i++)
		result.name[i] = name[i];
	return result;
}

/** One of a list of fields, found by its place. */
template <std::size_t I, class AField> struct FieldAt {
	AField field;
};

/**
 * The fields of an object, in order: a base for each. A std::tuple would do, but takes a compiler time and memory that
 * grow with the square of their number.
 */
template <class Places, class... Fields> struct FieldList;
template <std::size_t... I, class... Fields>
struct FieldList<std::index_sequence<I...>, Fields...> : FieldAt<I, Fields>... {
	static constexpr std::size_t count = sizeof...(Fields);
};

/** field_list(field("title", &Note::title), …) */
template <class... Fields>
constexpr FieldList<std::index_sequence_for<Fields...>, Fields...> field_list(Fields... fields)
{
	return { { fields }... };
}

template <std::size_t I, class AField> constexpr AField field_at(const FieldAt<I, AField> &found)
{
	return found.field;
}

/**
 * Specialised for each object by generated code: `template <class T> static constexpr auto list = field_list(
 * field("title", &T::title), …)`, where T is the object. It is a template so that a compiler makes the list only for
 * objects that a program encodes, decodes or compares.
 */
template <class T> struct Object;

template <class T, class = void> struct IsObject : std::false_type {
};
template <class T> struct IsObject<T, std::void_t<decltype(sizeof(Object<T>))>> : std::true_type {
};

/** The number of fields of an object. */
template <class T>
inline constexpr std::size_t field_count = std::decay_t<decltype(Object<T>::template list<T>)>::count;

/** Field I of an object, and the type of its values. */
template <class T, std::size_t I> inline constexpr auto nth_field = field_at<I>(Object<T>::template list<T>);
template <class T, std::size_t I> using FieldType = typename decltype(nth_field<T, I>)::type;

template <class T> struct IsOption : std::false_type {
};
template <class T> struct IsOption<std::optional<T>> : std::true_type {
};
template <class T> struct IsOption<std::reference_wrapper<const T>> : IsOption<T> {
};

template <class T> struct IsHandle : std::false_type {
};
template <class Tag> struct IsHandle<HandleId<Tag>> : std::true_type {
};

/**
 * Specialised for each variant by generated code: `static constexpr auto held = &Shape::value`, the member that is a
 * std::variant, and `static constexpr std::array<std::string_view, N> cases`, the names of its cases.
 */
template <class T> struct Variant;

template <class T, class = void> struct IsVariant : std::false_type {
};
template <class T> struct IsVariant<T, std::void_t<decltype(Variant<T>::cases)>> : std::true_type {
};

/** What a variant holds, and how many cases it has. */
template <class T> using HeldOf = std::decay_t<decltype(std::declval<T &>().*Variant<T>::held)>;
template <class T> inline constexpr std::size_t case_count = Variant<T>::cases.size();

/** Whether two objects have equal fields. */
template <class T, std::size_t... I> bool are_equal(const T &a, const T &b, std::index_sequence<I...>)
{
	return (... && (a.*nth_field<T, I>.member == b.*nth_field<T, I>.member));
}
/** Whether two objects, or two variants, are equal: their operator==. */
template <class T> bool is_equal(const T &a, const T &b)
{
	if constexpr (IsVariant<T>::value)
		return a.*Variant<T>::held == b.*Variant<T>::held;
	else
		return are_equal(a, b, std::make_index_sequence<field_count<T>>());
}

/** Whether the type is a leaf: its values have no objects, sequences or maps inside, so they do not nest. */
template <class T>
struct IsLeaf : std::bool_constant<std::is_arithmetic_v<T> || std::is_enum_v<T> || IsHandle<T>::value ||
				   std::is_same_v<T, std::string> || std::is_same_v<T, Bytes>> {
};
template <class T> struct IsLeaf<std::optional<T>> : IsLeaf<T> {
};

/** Whether an option has a value. */
template <class T> bool is_present(const T &value)
{
	return static_cast<bool>(value);
}
template <class T> bool is_present(const std::reference_wrapper<const T> &value)
{
	return is_present(value.get());
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/** Copy bytes; a few are copied faster than by a call of memcpy. `from` may be null when count is 0. */
[[gnu::always_inline]] inline void copy_bytes(std::byte *to, const void *from, std::size_t count)
{
	const auto *source = static_cast<const std::byte *>(from);

	if (count > 16) {
		std::memcpy(to, source, count);
	} else if (count >= 8) {
		std::uint64_t head, tail;

		std::memcpy(&head, source, 8);
		std::memcpy(&tail, source + count - 8, 8);
		std::memcpy(to, &head, 8);
		std::memcpy(to + count - 8, &tail, 8);
	} else if (count >= 4) {
		std::uint32_t head, tail;

		std::memcpy(&head, source, 4);
		std::memcpy(&tail, source + count - 4, 4);
		std::memcpy(to, &head, 4);
		std::memcpy(to + count - 4, &tail, 4);
	} else if (count) {
		to[0] = source[0];
		to[count / 2] = source[count / 2];
		to[count - 1] = source[count - 1];
	}
}

template <class Word> [[gnu::always_inline]] inline Word load(const std::byte *at)
{
	Word word;

	std::memcpy(&word, at, sizeof(word));
	return word;
}

/**
 * Construct a value again in its place. To move a new value there would read that in wider pieces than it was just
 * written in, for which the processor stalls.
 */
template <class T, class... Arguments> [[gnu::always_inline]] inline void renew(T &value, const Arguments &...arguments)
{
	value.~T();
	try {
		new (static_cast<void *>(&value)) T(arguments...);
	} catch (...) {
		new (static_cast<void *>(&value)) T();
		throw;
	}
}

/** Whether the bytes are equal to a constant, whose length and words the compiler knows. */
template <std::size_t N>
[[gnu::always_inline]] inline bool equal_bytes(const std::byte *at, const std::array<std::byte, N> &what)
{
	if constexpr (N >= 8) {
		for (std::size_t i = 0; i + 8 <= N; i += 8)
			if (load<std::uint64_t>(at + i) != load<std::uint64_t>(what.data() + i))
				return false;
		return N % 8 == 0 || load<std::uint64_t>(at + N - 8) == load<std::uint64_t>(what.data() + N - 8);
	} else if constexpr (N >= 4) {
		return load<std::uint32_t>(at) == load<std::uint32_t>(what.data()) &&
		       load<std::uint32_t>(at + N - 4) == load<std::uint32_t>(what.data() + N - 4);
	} else if constexpr (N >= 2) {
		return load<std::uint16_t>(at) == load<std::uint16_t>(what.data()) &&
		       load<std::uint16_t>(at + N - 2) == load<std::uint16_t>(what.data() + N - 2);
	} else {
		return N == 0 || at[0] == what[0];
	}
}

/* ---- UTF-8 ----------------------------------------------------------------------------------------------------- */

/** The length of the well-formed sequence at `at`, of which `left` bytes are there; 0 when it is not one. */
inline std::size_t utf8_sequence(const unsigned char *at, std::size_t left)
{
	const unsigned first = at[0];
	const auto follows = [&](std::size_t i, unsigned least, unsigned most) {
		return at[i] >= least && at[i] <= most;
	};

	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return left >= 2 && follows(1, 0x80, 0xbf) ? 2 : 0;
	if (first >= 0xe0 && first <= 0xef) { /* neither overlong nor a surrogate */
		const unsigned least = first == 0xe0 ? 0xa0 : 0x80, most = first == 0xed ? 0x9f : 0xbf;

		return left >= 3 && follows(1, least, most) && follows(2, 0x80, 0xbf) ? 3 : 0;
	}
	if (first >= 0xf0 && first <= 0xf4) { /* neither overlong nor over U+10FFFF */
		const unsigned least = first == 0xf0 ? 0x90 : 0x80, most = first == 0xf4 ? 0x8f : 0xbf;

		return left >= 4 && follows(1, least, most) && follows(2, 0x80, 0xbf) && follows(3, 0x80, 0xbf) ? 4 : 0;
	}
	return 0;
}

/** Whether bytes are UTF-8, from the first one that is not ASCII. */
[[gnu::noinline]] inline bool utf8_is_valid_slow(const unsigned char *at, std::size_t count)
{
	while (count) {
		const std::size_t taken = utf8_sequence(at, count);

		if (taken == 0)
			return false;
		at += taken;
		count -= taken;
	}
	return true;
}

/** Whether bytes are UTF-8. The quick path is for ASCII, 64 bytes at a time. */
[[gnu::always_inline]] inline bool utf8_is_valid(const std::byte *at, std::size_t count)
{
	constexpr std::uint64_t high = 0x8080808080808080;
	const auto word = [&](std::size_t i) { return load<std::uint64_t>(at + 8 * i); };
	std::uint64_t seen = 0;

	while (count >= 64) {
		seen = word(0) | word(1) | word(2) | word(3) | word(4) | word(5) | word(6) | word(7);
		if (seen & high)
			return utf8_is_valid_slow(reinterpret_cast<const unsigned char *>(at), count);
		at += 64;
		count -= 64;
	}
	const std::byte *rest = at;
	std::size_t left = count;

	for (seen = 0; left >= 8; left -= 8, rest += 8)
		seen |= load<std::uint64_t>(rest);
	if (left >= 4) {
		seen |= load<std::uint32_t>(rest) | load<std::uint32_t>(rest + left - 4);
	} else if (left) {
		seen |= static_cast<std::uint64_t>(rest[0] | rest[left / 2] | rest[left - 1]);
	}
	return (seen & high) == 0 || utf8_is_valid_slow(reinterpret_cast<const unsigned char *>(at), count);
}

/**
 * Assign a text of `count` bytes, behind which more may be read, up to `readable` in all; false: it is not UTF-8. A
 * short text is checked and copied as two words, a size that the compiler knows, and then cut to its length:
 * std::string::assign takes a call or two, which is as long as all the rest.
 */
[[gnu::always_inline]] inline bool assign_text(std::string &value, const std::byte *part, std::size_t count,
					       std::size_t readable)
{
	constexpr std::size_t at_once = 15; /* what libstdc++ keeps inside of the object */
	constexpr std::uint64_t high = 0x8080808080808080;
	const char *text = reinterpret_cast<const char *>(part);

	if (__builtin_expect(count <= at_once && readable > at_once, true)) {
		const std::uint64_t first = count >= 8 ? high : high & ((std::uint64_t{ 1 } << 8 * count) - 1);
		const std::uint64_t second = count >= 8 ? high & ((std::uint64_t{ 1 } << 8 * (count - 8)) - 1) : 0;

		if (__builtin_expect(((load<std::uint64_t>(part) & first) | (load<std::uint64_t>(part + 8) & second)) !=
					     0,
				     0) &&
		    !utf8_is_valid_slow(reinterpret_cast<const unsigned char *>(part), count))
			return false;
		renew(value, text, at_once);
		value.erase(count);
		return true;
	}
	if (!utf8_is_valid(part, count))
		return false;
	if (count <= value.capacity())
		value.assign(text, count);
	else
		renew(value, text, count);
	return true;
}

} // namespace ferry::ingress

#endif
