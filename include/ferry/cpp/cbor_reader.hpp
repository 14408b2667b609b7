/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading CBOR items (RFC 8949): heads, strings in pieces, floats of three widths, tags, and items that are skipped.
 * The code for the deterministic encoding is inline; any other well-formed encoding is read out of line.
 *
 * long: one reader, which the compiler has to see as a whole.
 *
 * Invariants: at_ <= end_; no byte at end_ or after is read; a failure leaves a reason, and then every function that
 * called returns false.
 */
#ifndef FERRY_CPP_CBOR_READER_HPP
#define FERRY_CPP_CBOR_READER_HPP

#include <ferry/cpp/wire.hpp>

#include <utility>
#include <variant>

namespace ferry::ingress
{

enum class CborMajor : unsigned {
	positive = 0,
	negative = 1,
	bytes = 2,
	text = 3,
	array = 4,
	map = 5,
	tag = 6,
	simple = 7
};

inline constexpr unsigned cbor_null = 0xf6;
inline constexpr std::uint64_t cbor_indefinite = UINT64_MAX;

/** What is left of an array or a map: elements or pairs. */
struct CborItems {
	std::uint64_t left = 0; /**< cbor_indefinite: until a break */
};

/** Which fields of an object the message had. */
template <std::size_t N> class CborSeen
{
public:
	void add(std::size_t i)
	{
		words_[i / 64] |= std::uint64_t{ 1 } << (i % 64);
	}
	[[nodiscard]] bool has(std::size_t i) const
	{
		return (words_[i / 64] >> (i % 64)) & 1;
	}

private:
	std::array<std::uint64_t, (N + 63) / 64 + (N == 0)> words_{};
};

/** The value in half precision; false when that does not keep it. The caller deals with NaN. */
inline bool half_from_float(float value, std::uint16_t &half)
{
	std::uint32_t bits;

	std::memcpy(&bits, &value, sizeof(bits));
	const std::uint32_t sign = (bits >> 16) & 0x8000, fraction = bits & 0x7fffff;
	const int exponent = static_cast<int>((bits >> 23) & 0xff) - 127;

	if ((bits & 0x7fffffff) == 0 || exponent == 128) { /* zero, infinity */
		half = static_cast<std::uint16_t>(sign | (exponent == 128 ? 0x7c00u : 0));
		return exponent != 128 || fraction == 0;
	}
	if (exponent >= -14 && exponent <= 15) {
		half = static_cast<std::uint16_t>(sign | (static_cast<std::uint32_t>(exponent + 15) << 10) |
						  (fraction >> 13));
		return (fraction & 0x1fff) == 0;
	}
	if (exponent >= -24 && exponent < -14) { /* subnormal: a multiple of 2^-24 */
		const std::uint32_t whole = fraction | 0x800000;
		const int shift = -1 - exponent;

		half = static_cast<std::uint16_t>(sign | (whole >> shift));
		return (whole & ((std::uint32_t{ 1 } << shift) - 1)) == 0;
	}
	return false;
}

/** The double with the value of a half; every NaN gives the same quiet one. */
inline double half_to_double(std::uint16_t half)
{
	const unsigned exponent = (half >> 10) & 0x1f, fraction = half & 0x3ff;
	const double sign = half & 0x8000 ? -1 : 1;

	if (exponent == 0)
		return sign * fraction * 0x1p-24;
	if (exponent == 0x1f)
		return fraction ? __builtin_nan("") : sign * __builtin_inf();
	return sign * (0x400 + fraction) * __builtin_ldexp(1, static_cast<int>(exponent) - 25);
}

class CborReader
{
public:
	CborReader(const void *data, std::size_t count, Fault &fault) noexcept
	    : at_(static_cast<const std::byte *>(data)), end_(at_ + count), fault_(&fault)
	{
	}

	[[nodiscard]] bool at_end() const noexcept
	{
		return at_ == end_;
	}
	/** How many bytes there are from here on. */
	[[nodiscard]] std::size_t left() const noexcept
	{
		return static_cast<std::size_t>(end_ - at_);
	}
	bool bad(const char *reason)
	{
		return fault_->because(reason);
	}
	bool under(std::string_view step)
	{
		return fault_->under(step);
	}
	bool under_index(std::size_t index)
	{
		return fault_->under_index(index);
	}
	bool missing(std::string_view name)
	{
		return bad("missing") || under(name);
	}

	/** Take `count` bytes that chunk() said are there. */
	[[gnu::always_inline]] const std::byte *take(std::size_t count)
	{
		const std::byte *data = at_;

		at_ += count;
		return data;
	}

	/** Take the head of a short definite string; false: nothing was taken, and the caller takes the slow path. */
	[[gnu::always_inline]] bool chunk(CborMajor major, std::size_t &count)
	{
		const std::size_t there = left();

		if (there == 0)
			return false;
		const unsigned first = static_cast<unsigned>(*at_) ^ (static_cast<unsigned>(major) << 5);
		std::size_t heads = 1;

		if (first < 24) {
			count = first;
		} else if (first == 24 && there >= 2) {
			count = static_cast<std::size_t>(at_[1]);
			heads = 2;
		} else if (first == 25 && there >= 3) {
			count = static_cast<std::size_t>(at_[1]) << 8 | static_cast<std::size_t>(at_[2]);
			heads = 3;
		} else if (first == 26 && there >= 5) {
			count = __builtin_bswap32(load<std::uint32_t>(at_ + 1));
			heads = 5;
		} else {
			return false;
		}
		if (count > there - heads)
			return false;
		at_ += heads;
		return true;
	}

	/** Take an integer. Its value is `magnitude`, or -1 - magnitude when it is negative. */
	[[gnu::always_inline]] bool integer(std::uint64_t &magnitude, bool &negative)
	{
		if (at_ != end_ && static_cast<unsigned>(*at_) < 24) {
			magnitude = static_cast<unsigned>(*at_++);
			negative = false;
			return true;
		}
		return integer_slow(magnitude, negative);
	}

	[[gnu::always_inline]] bool boolean(bool &value)
	{
		if (at_ != end_ && (static_cast<unsigned>(*at_) & 0xfe) == 0xf4) {
			value = static_cast<unsigned>(*at_++) == 0xf5;
			return true;
		}
		return boolean_slow(value);
	}

	/** Take the next item, with its tags, if it is a null. */
	[[gnu::always_inline]] bool null()
	{
		if (at_ == end_ || static_cast<unsigned>(*at_) < 0xc0 ||
		    (static_cast<unsigned>(*at_) > 0xdf && static_cast<unsigned>(*at_) != cbor_null))
			return false;
		return null_slow();
	}
	/** Begin an array or a map, whose elements or pairs take `least` bytes or more each. */
	[[gnu::always_inline]] bool enter(CborMajor major, std::size_t least, CborItems &items)
	{
		const unsigned first =
			at_ == end_ ? 0xff : static_cast<unsigned>(*at_) ^ (static_cast<unsigned>(major) << 5);

		if (first >= 24 || first * least > left() - 1 || depth_ == wire_depth_max)
			return enter_slow(major, least, items);
		at_++;
		depth_++;
		items.left = first;
		return true;
	}
	/** Whether another element or pair comes; false also after a failure, which leave() reports. */
	[[gnu::always_inline]] bool more(CborItems &items)
	{
		if (items.left == cbor_indefinite)
			return more_slow(items);
		return items.left != 0 && items.left-- != 0;
	}
	[[gnu::always_inline]] bool leave()
	{
		depth_--;
		return fault_->reason == nullptr;
	}

	/** Take this key, if it comes next. */
	template <std::size_t N>
	[[gnu::always_inline]] bool key(CborItems &items, const std::array<std::byte, N> &bytes)
	{
		if (items.left == 0 || items.left == cbor_indefinite || left() < N || !equal_bytes(at_, bytes))
			return false;
		items.left--;
		at_ += N;
		return true;
	}

	/** Take a null; fail if another item comes. */
	bool nothing()
	{
		Head head{};

		return head_untagged(head) &&
		       ((head.major == CborMajor::simple && head.info == 22) || bad("wrong type"));
	}
	/** Whether the next item, behind its tags, is text: a key that may be a field's name. */
	bool is_text();
	bool number(double &value);
	bool skip();
	bool text_slow(std::string &value);
	bool bytes_slow(Bytes &value);

private:
	struct Head {
		CborMajor major;
		unsigned info;	     /**< 31: indefinite, or a break */
		std::uint64_t value; /**< the argument */
	};

	/** Fail, since another kind of value was expected; a null counts as missing. */
	bool wrong(const Head &head)
	{
		return bad(head.major == CborMajor::simple && head.info == 22 ? "missing" : "wrong type");
	}
	bool head(Head &head);
	bool head_untagged(Head &head);
	bool integer_slow(std::uint64_t &magnitude, bool &negative);
	bool boolean_slow(bool &value);
	bool null_slow();
	bool enter_slow(CborMajor major, std::size_t least, CborItems &items);
	bool enter_head(const Head &head, std::size_t least, CborItems &items);
	bool more_slow(CborItems &items);
	bool skip_item(const Head &head);
	template <class Take> bool string_slow(CborMajor major, Take take);

	const std::byte *at_;
	const std::byte *end_;
	Fault *fault_;
	unsigned depth_ = 0;
};

/** Take any head that is well-formed. */
[[gnu::noinline]] inline bool CborReader::head(Head &head)
{
	if (at_ == end_)
		return bad("ends early");
	const unsigned first = static_cast<unsigned>(*at_++);

	head.major = static_cast<CborMajor>(first >> 5);
	head.info = first & 31;
	head.value = head.info;
	if (head.info >= 24 && head.info < 28) {
		const unsigned bytes = 1U << (head.info - 24);

		if (left() < bytes)
			return bad("ends early");
		head.value = 0;
		for (unsigned i = 0; i < bytes; i++)
			head.value = head.value << 8 | static_cast<std::uint64_t>(at_[i]);
		at_ += bytes;
	} else if (head.info >= 28) {
		const bool may_be_indefinite =
			head.info == 31 && head.major >= CborMajor::bytes && head.major != CborMajor::tag;

		if (!may_be_indefinite)
			return bad("malformed");
	}
	if (head.major == CborMajor::simple && head.info == 24 && head.value < 32)
		return bad("malformed");
	return true;
}

/** Take a head, and any number of tags before it. */
inline bool CborReader::head_untagged(Head &head)
{
	do {
		if (!this->head(head))
			return false;
	} while (head.major == CborMajor::tag);
	if (head.major == CborMajor::simple && head.info == 31)
		return bad("malformed");
	return true;
}

[[gnu::noinline]] inline bool CborReader::integer_slow(std::uint64_t &magnitude, bool &negative)
{
	Head head{};

	if (!head_untagged(head))
		return false;
	if (head.major > CborMajor::negative)
		return wrong(head);
	negative = head.major == CborMajor::negative;
	magnitude = head.value;
	return true;
}

[[gnu::noinline]] inline bool CborReader::boolean_slow(bool &value)
{
	Head head{};

	if (!head_untagged(head))
		return false;
	if (head.major != CborMajor::simple || (head.info & ~1U) != 20)
		return wrong(head);
	value = head.info == 21;
	return true;
}

[[gnu::noinline]] inline bool CborReader::null_slow()
{
	const std::byte *begin = at_;
	Fault ignored, *fault = fault_;
	Head head{};

	fault_ = &ignored;
	const bool found = head_untagged(head) && head.major == CborMajor::simple && head.info == 22;

	fault_ = fault;
	if (!found)
		at_ = begin;
	return found;
}

inline bool CborReader::number(double &value)
{
	Head head{};

	if (!head_untagged(head))
		return false;
	if (head.major != CborMajor::simple || head.info < 25 || head.info > 27)
		return wrong(head);
	if (head.info == 25) {
		value = half_to_double(static_cast<std::uint16_t>(head.value));
	} else if (head.info == 26) {
		const auto bits = static_cast<std::uint32_t>(head.value);
		float single;

		std::memcpy(&single, &bits, sizeof(single));
		value = static_cast<double>(single);
	} else {
		std::memcpy(&value, &head.value, sizeof(value));
	}
	if (value != value)
		value = __builtin_nan("");
	return true;
}

[[gnu::noinline]] inline bool CborReader::enter_slow(CborMajor major, std::size_t least, CborItems &items)
{
	Head head{};

	if (!head_untagged(head))
		return false;
	if (head.major != major)
		return wrong(head);
	return enter_head(head, least, items);
}

inline bool CborReader::enter_head(const Head &head, std::size_t least, CborItems &items)
{
	if (depth_ == wire_depth_max)
		return bad("nested too deep");
	if (head.info == 31) {
		items.left = cbor_indefinite;
	} else {
		if (head.value > left() / least)
			return bad("ends early");
		items.left = head.value;
	}
	depth_++;
	return true;
}

[[gnu::noinline]] inline bool CborReader::more_slow(CborItems &items)
{
	if (at_ == end_)
		return bad("ends early");
	if (static_cast<unsigned>(*at_) != 0xff)
		return true;
	at_++;
	items.left = 0;
	return false;
}

/** Take a string, in one piece or in several; take(data, count) is called for each. */
template <class Take> bool CborReader::string_slow(CborMajor major, Take take)
{
	Head head{};

	if (!head_untagged(head))
		return false;
	if (head.major != major)
		return wrong(head);
	if (head.info != 31) {
		if (head.value > left())
			return bad("ends early");
		return take(this->take(head.value), head.value);
	}
	for (;;) {
		if (at_ == end_)
			return bad("ends early");
		if (static_cast<unsigned>(*at_) == 0xff) {
			at_++;
			return true;
		}
		if (!this->head(head))
			return false;
		if (head.major != major || head.info == 31)
			return bad("malformed");
		if (head.value > left())
			return bad("ends early");
		if (!take(this->take(head.value), head.value))
			return false;
	}
}

[[gnu::noinline]] inline bool CborReader::text_slow(std::string &value)
{
	value.clear();
	return string_slow(CborMajor::text, [&](const std::byte *data, std::size_t count) {
		value.append(reinterpret_cast<const char *>(data), count);
		return utf8_is_valid(data, count) || bad("invalid UTF-8");
	});
}

[[gnu::noinline]] inline bool CborReader::bytes_slow(Bytes &value)
{
	value.clear();
	return string_slow(CborMajor::bytes, [&](const std::byte *data, std::size_t count) {
		value.insert(value.end(), data, data + count);
		return true;
	});
}

inline bool CborReader::is_text()
{
	const std::byte *begin = at_;
	Fault ignored, *fault = std::exchange(fault_, &ignored);
	Head head{};
	const bool found = head_untagged(head) && head.major == CborMajor::text;

	fault_ = fault;
	at_ = begin;
	return found;
}

/** Skip one item, whatever it is. */
inline bool CborReader::skip()
{
	const std::byte *begin = at_;
	Head head{};

	if (!head_untagged(head))
		return false;
	if (head.major == CborMajor::array || head.major == CborMajor::map)
		return skip_item(head);
	if (head.major == CborMajor::bytes || head.major == CborMajor::text) {
		at_ = begin;
		return string_slow(head.major, [&](const std::byte *data, std::size_t count) {
			return head.major == CborMajor::bytes || utf8_is_valid(data, count) || bad("invalid UTF-8");
		});
	}
	return true;
}

/** Skip the rest of an array or a map whose head was taken. Recursion is bounded by wire_depth_max. */
inline bool CborReader::skip_item(const Head &head)
{
	CborItems items;

	if (!enter_head(head, head.major == CborMajor::map ? 2 : 1, items))
		return false;
	while (more(items))
		if (!skip() || (head.major == CborMajor::map && !skip()))
			return false;
	return leave();
}

} // namespace ferry::ingress

#endif
