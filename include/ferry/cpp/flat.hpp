/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wire format `c` in C++ (spec/interface.md, rules W4 to W6): Flat<T> encodes and decodes a value of type T.
 *
 * Every value has a part of fixed size, in its object or at the start of the block. Strings, bytes, sequences and maps
 * refer to further parts, which follow in the order of rule W5. So writer and reader have one cursor each, and the
 * reader knows where each part has to be. A part is filled with zeros before it is written, so padding and absent
 * values are 0.
 *
 * long: one codec, which the compiler has to see as a whole.
 */
#ifndef FERRY_CPP_FLAT_HPP
#define FERRY_CPP_FLAT_HPP

#include <ferry/cpp/wire.hpp>

#include <utility>
#include <variant>

namespace ferry::ingress
{

constexpr std::size_t flat_align(std::size_t offset, std::size_t align)
{
	return (offset + align - 1) & ~(align - 1);
}

inline constexpr std::size_t flat_part_align = 8; /**< alignment of the part to which a sequence or a map refers */

/** `{u32 offset; u32 count}` */
struct FlatReference {
	std::uint32_t offset = 0;
	std::uint32_t count = 0;
};

/** Appends parts, in memory that has as many bytes as Flat<T>::bound said. */
class FlatWriter
{
public:
	explicit FlatWriter(std::byte *block) noexcept : block_(block)
	{
	}
	[[nodiscard]] std::size_t bytes() const noexcept
	{
		return bytes_;
	}
	/** Append a part of zeros. */
	[[gnu::always_inline]] std::byte *zeros(std::size_t align, std::size_t bytes)
	{
		const std::size_t offset = flat_align(bytes_, align);

		std::memset(block_ + bytes_, 0, offset + bytes - bytes_);
		bytes_ = offset + bytes;
		return block_ + offset;
	}
	/** Append a part that is copied from `data`, and write the reference to it at `at`. */
	[[gnu::always_inline]] void copy(std::byte *at, std::size_t align, const void *data, std::size_t count,
					 std::size_t each)
	{
		if (count == 0)
			return;
		if (align > 1)
			zeros(align, 0);
		refer(at, bytes_, count);
		copy_bytes(block_ + bytes_, data, count * each);
		bytes_ += count * each;
	}
	/** Append a string with a zero byte behind it, and write the reference to it at `at`. */
	[[gnu::always_inline]] void text(std::byte *at, std::string_view text)
	{
		if (text.empty())
			return;
		refer(at, bytes_, text.size());
		copy_bytes(block_ + bytes_, text.data(), text.size());
		bytes_ += text.size();
		block_[bytes_++] = std::byte{ 0 };
	}
	[[gnu::always_inline]] static void refer(std::byte *at, std::size_t offset, std::size_t count)
	{
		const FlatReference reference{ static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(count) };

		std::memcpy(at, &reference, sizeof(reference));
	}
	[[nodiscard]] std::size_t offset_of(const std::byte *part) const noexcept
	{
		return static_cast<std::size_t>(part - block_);
	}

private:
	std::byte *block_;
	std::size_t bytes_ = 0;
};

/** Reads parts in their order; every byte of the block belongs to one part, or is padding and zero. */
class FlatReader
{
public:
	FlatReader(const void *block, std::size_t bytes, Fault &fault) noexcept
	    : block_(static_cast<const std::byte *>(block)), bytes_(bytes), fault_(&fault)
	{
	}
	[[nodiscard]] bool at_end() const noexcept
	{
		return used_ == bytes_;
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

	/** The message's own part. */
	bool begin(std::size_t size, const std::byte *&part)
	{
		if (bytes_ < size)
			return bad("ends early");
		part = block_;
		used_ = size;
		return true;
	}
	/** The part to which the reference at `at` refers: `count` elements of `each` bytes. */
	[[gnu::always_inline]] bool refer(const std::byte *at, std::size_t align, std::size_t each,
					  const std::byte *&part, std::size_t &count)
	{
		const auto reference = load<FlatReference>(at);
		const std::size_t offset = flat_align(used_, align);

		count = reference.count;
		part = block_ + offset;
		if (count == 0)
			return reference.offset == 0 || bad("wrong offset");
		if (__builtin_expect(reference.offset != offset || offset > bytes_ || count > (bytes_ - offset) / each,
				     false))
			return bad(reference.offset != offset ? "wrong offset" : "ends early");
		if (align > 1 && !is_zero(block_ + used_, offset - used_))
			return bad("padding not zero");
		used_ = offset + count * each;
		return true;
	}
	/** The string to which the reference at `at` refers; it is not checked for UTF-8. */
	[[gnu::always_inline]] bool text(const std::byte *at, const std::byte *&part, std::size_t &count)
	{
		const auto reference = load<FlatReference>(at);

		count = reference.count;
		part = block_ + used_;
		if (count == 0)
			return reference.offset == 0 || bad("wrong offset");
		if (__builtin_expect(reference.offset != used_, false))
			return bad("wrong offset");
		if (__builtin_expect(count >= bytes_ - used_, false))
			return bad("ends early");
		if (__builtin_expect(part[count] != std::byte{ 0 }, false))
			return bad("padding not zero");
		used_ += count + 1;
		return true;
	}
	/** How many bytes there are from a part on. */
	[[nodiscard]] std::size_t readable(const std::byte *part) const noexcept
	{
		return bytes_ - static_cast<std::size_t>(part - block_);
	}
	/** Enter an object, a sequence or a map. Inside one that has only leaves the depth need not be counted. */
	template <bool OfLeaves = false> [[gnu::always_inline]] bool enter()
	{
		if (__builtin_expect(depth_ >= wire_depth_max, false))
			return bad("nested too deep");
		depth_ += OfLeaves ? 0 : 1;
		return true;
	}
	template <bool OfLeaves = false> void leave()
	{
		depth_ -= OfLeaves ? 0 : 1;
	}

	[[gnu::always_inline]] static bool is_zero(const std::byte *at, std::size_t count)
	{
		unsigned seen = 0;

		for (std::size_t i = 0; i < count; i++)
			seen |= static_cast<unsigned>(at[i]);
		return seen == 0;
	}

private:
	const std::byte *block_;
	std::size_t bytes_;
	Fault *fault_;
	std::size_t used_ = 0;
	unsigned depth_ = 0;
};

/** A value's part; specialised for every type of rule I2: size, align, bound (of what it refers to), write, read. */
template <class T, class = void> struct Flat;

/** Types that are written as the machine has them: any bytes are a value, and a sequence of them is copied at once. */
template <class T>
inline constexpr bool flat_is_plain = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || IsHandle<T>::value;

/* ---- scalars --------------------------------------------------------------------------------------------------- */

template <class T> struct Flat<T, std::enable_if_t<flat_is_plain<T>>> {
	static constexpr std::size_t size = sizeof(T), align = sizeof(T);
	static void bound(Bound &, T, unsigned)
	{
	}
	[[gnu::always_inline]] static void write(FlatWriter &, std::byte *at, T value)
	{
		std::memcpy(at, &value, sizeof(value));
	}
	[[gnu::always_inline]] static bool read(FlatReader &, const std::byte *at, T &value)
	{
		value = load<T>(at);
		return true;
	}
};

template <> struct Flat<bool> {
	static constexpr std::size_t size = 1, align = 1;
	static void bound(Bound &, bool, unsigned)
	{
	}
	static void write(FlatWriter &, std::byte *at, bool value)
	{
		*at = static_cast<std::byte>(value);
	}
	static bool read(FlatReader &in, const std::byte *at, bool &value)
	{
		value = *at == std::byte{ 1 };
		return static_cast<unsigned>(*at) <= 1 || in.bad("neither 0 nor 1");
	}
};

template <class T> struct Flat<T, std::enable_if_t<std::is_enum_v<T>>> {
	using Number = std::underlying_type_t<T>;
	static constexpr std::size_t size = sizeof(Number), align = sizeof(Number);
	static void bound(Bound &, T, unsigned)
	{
	}
	static void write(FlatWriter &, std::byte *at, T value)
	{
		std::memcpy(at, &value, sizeof(value));
	}
	static bool read(FlatReader &in, const std::byte *at, T &value)
	{
		const auto number = load<Number>(at);

		if (!EnumValues<T>::known(number))
			return in.bad("unknown enum value");
		value = static_cast<T>(number);
		return true;
	}
};

/* ---- strings and bytes ----------------------------------------------------------------------------------------- */

template <> struct Flat<std::string_view> {
	static constexpr std::size_t size = sizeof(FlatReference), align = alignof(FlatReference);
	static void bound(Bound &bound, std::string_view value, unsigned)
	{
		bound.bytes += value.size() + 1;
	}
	[[gnu::always_inline]] static void write(FlatWriter &out, std::byte *at, std::string_view value)
	{
		out.text(at, value);
	}
};

template <> struct Flat<std::string> : Flat<std::string_view> {
	[[gnu::always_inline]] static bool read(FlatReader &in, const std::byte *at, std::string &value)
	{
		const std::byte *part = nullptr;
		std::size_t count = 0;

		if (!in.text(at, part, count))
			return false;
		return assign_text(value, part, count, in.readable(part)) || in.bad("invalid UTF-8");
	}
};

template <> struct Flat<BytesView> {
	static constexpr std::size_t size = sizeof(FlatReference), align = alignof(FlatReference);
	static void bound(Bound &bound, BytesView value, unsigned)
	{
		bound.bytes += value.size();
	}
	static void write(FlatWriter &out, std::byte *at, BytesView value)
	{
		out.copy(at, 1, value.data(), value.size(), 1);
	}
};

template <> struct Flat<Bytes> : Flat<BytesView> {
	static bool read(FlatReader &in, const std::byte *at, Bytes &value)
	{
		const std::byte *part = nullptr;
		std::size_t count = 0;

		if (!in.refer(at, 1, 1, part, count))
			return false;
		value.assign(part, part + count);
		return true;
	}
};

/* ---- options, sequences, maps ---------------------------------------------------------------------------------- */

template <class T> struct Flat<std::optional<T>> {
	static constexpr std::size_t align = Flat<T>::align, offset = align,
				     size = flat_align(offset + Flat<T>::size, align);
	static void bound(Bound &bound, const std::optional<T> &value, unsigned depth)
	{
		if (value)
			Flat<T>::bound(bound, *value, depth);
	}
	static void write(FlatWriter &out, std::byte *at, const std::optional<T> &value)
	{
		if (value) {
			*at = std::byte{ 1 };
			Flat<T>::write(out, at + offset, *value);
		}
	}
	static bool read(FlatReader &in, const std::byte *at, std::optional<T> &value)
	{
		bool present = false;

		if (!Flat<bool>::read(in, at, present))
			return false;
		if (!present) {
			value.reset();
			return FlatReader::is_zero(at + 1, size - 1) || in.bad("padding not zero");
		}
		if (!FlatReader::is_zero(at + 1, offset - 1) ||
		    !FlatReader::is_zero(at + offset + Flat<T>::size, size - offset - Flat<T>::size))
			return in.bad("padding not zero");
		if (!value)
			value.emplace();
		return Flat<T>::read(in, at + offset, *value);
	}
};

/** A parameter that is not copied; encoding only. */
template <class T> struct Flat<std::reference_wrapper<const T>> {
	static constexpr std::size_t size = Flat<T>::size, align = Flat<T>::align;
	static void bound(Bound &bound, const T &value, unsigned depth)
	{
		Flat<T>::bound(bound, value, depth);
	}
	static void write(FlatWriter &out, std::byte *at, const T &value)
	{
		Flat<T>::write(out, at, value);
	}
};

template <class T> struct Flat<std::vector<T>> {
	static constexpr std::size_t size = sizeof(FlatReference), align = alignof(FlatReference);
	static void bound(Bound &bound, const std::vector<T> &value, unsigned depth)
	{
		bound.bytes += flat_part_align - 1 + value.size() * Flat<T>::size;
		if (!bound.enter(depth))
			return;
		if constexpr (!flat_is_plain<T> && !std::is_same_v<T, bool>)
			for (const T &element : value)
				Flat<T>::bound(bound, element, depth + 1);
	}
	static void write(FlatWriter &out, std::byte *at, const std::vector<T> &value)
	{
		if constexpr (flat_is_plain<T>) {
			out.copy(at, flat_part_align, value.data(), value.size(), sizeof(T));
		} else if (!value.empty()) {
			std::byte *part = out.zeros(flat_part_align, value.size() * Flat<T>::size);

			FlatWriter::refer(at, out.offset_of(part), value.size());
			for (const auto &element : value) {
				Flat<T>::write(out, part, element);
				part += Flat<T>::size;
			}
		}
	}
	static bool read(FlatReader &in, const std::byte *at, std::vector<T> &value)
	{
		const std::byte *part = nullptr;
		std::size_t count = 0;

		if (!in.refer(at, flat_part_align, Flat<T>::size, part, count) ||
		    !in.template enter<IsLeaf<T>::value>())
			return false;
		if constexpr (flat_is_plain<T>) {
			value.resize(count);
			if (count)
				std::memcpy(static_cast<void *>(value.data()), part, count * sizeof(T));
		} else if (!read_elements(in, part, count, value)) {
			return false;
		}
		in.template leave<IsLeaf<T>::value>();
		return true;
	}

private:
	/**
	 * Read elements. Few bytes of elements are allocated at once; more are allocated one by one, since a message
	 * may claim more than it has.
	 */
	[[gnu::always_inline]] static bool read_elements(FlatReader &in, const std::byte *part, std::size_t count,
							 std::vector<T> &value)
	{
		value.clear();
		if constexpr (!std::is_same_v<T, bool>) {
			if (count == 0)
				return true;
			if (count <= wire_trust_bytes / sizeof(T)) {
				renew(value, count);
				for (std::size_t i = 0; i < count; i++, part += Flat<T>::size)
					if (!Flat<T>::read(in, part, value[i]))
						return in.under_index(i);
				return true;
			}
		}
		return read_one_by_one(in, part, count, value);
	}
	[[gnu::noinline]] static bool read_one_by_one(FlatReader &in, const std::byte *part, std::size_t count,
						      std::vector<T> &value)
	{
		value.reserve(std::min<std::size_t>(count, wire_trust_bytes / sizeof(T)));
		for (std::size_t i = 0; i < count; i++, part += Flat<T>::size) {
			if constexpr (std::is_same_v<T, bool>) {
				bool element = false;

				if (!Flat<bool>::read(in, part, element))
					return in.under_index(i);
				value.push_back(element);
			} else if (!Flat<T>::read(in, part, value.emplace_back())) {
				return in.under_index(i);
			}
		}
		return true;
	}
};

template <class K, class V> struct Flat<std::map<K, V>> {
	using Map = std::map<K, V>;
	static constexpr std::size_t size = sizeof(FlatReference), align = alignof(FlatReference);

	static void bound(Bound &bound, const Map &value, unsigned depth)
	{
		bound.bytes += flat_part_align - 1 + value.size() * pair_size();
		if (!bound.enter(depth))
			return;
		for (const auto &[key, element] : value) {
			Flat<K>::bound(bound, key, depth + 1);
			Flat<V>::bound(bound, element, depth + 1);
		}
	}
	static void write(FlatWriter &out, std::byte *at, const Map &value)
	{
		if (value.empty())
			return;
		std::byte *part = out.zeros(flat_part_align, value.size() * pair_size());

		FlatWriter::refer(at, out.offset_of(part), value.size());
		for (const auto &[key, element] : value) {
			Flat<K>::write(out, part, key);
			Flat<V>::write(out, part + value_offset(), element);
			part += pair_size();
		}
	}
	static bool read(FlatReader &in, const std::byte *at, Map &value)
	{
		const std::byte *part = nullptr;
		std::size_t count = 0;

		if (!in.refer(at, flat_part_align, pair_size(), part, count) || !in.enter())
			return false;
		value.clear();
		for (std::size_t i = 0; i < count; i++, part += pair_size()) {
			K key{};

			if (!Flat<K>::read(in, part, key))
				return in.under("key") || in.under_index(i);
			if (!value.empty() && !(value.rbegin()->first < key))
				return in.bad("keys out of order");
			if (!read_value(in, part, value.try_emplace(value.end(), std::move(key))->second))
				return in.under_index(i);
		}
		in.leave();
		return true;
	}

private:
	/* functions and not constants, since a value may be of the type to which this map belongs */
	static constexpr std::size_t value_offset()
	{
		return flat_align(Flat<K>::size, Flat<V>::align);
	}
	static constexpr std::size_t pair_end()
	{
		return value_offset() + Flat<V>::size;
	}
	static constexpr std::size_t pair_size()
	{
		return flat_align(pair_end(), std::max(Flat<K>::align, Flat<V>::align));
	}
	static bool read_value(FlatReader &in, const std::byte *part, V &value)
	{
		if (!FlatReader::is_zero(part + Flat<K>::size, value_offset() - Flat<K>::size) ||
		    !FlatReader::is_zero(part + pair_end(), pair_size() - pair_end()))
			return in.bad("padding not zero");
		return Flat<V>::read(in, part + value_offset(), value) || in.under("value");
	}
};

/* ---- objects --------------------------------------------------------------------------------------------------- */

/** Where a C compiler puts fields of these types. */
template <class... T> struct FlatLayout {
	static constexpr std::size_t count = sizeof...(T);
	static constexpr std::array<std::size_t, count + 1> sizes = { Flat<T>::size..., 0 },
							    aligns = { Flat<T>::align..., 1 };

	static constexpr std::size_t align()
	{
		std::size_t most = 1;

		for (const std::size_t one : aligns)
			most = one > most ? one : most;
		return most;
	}
	/** The offset of field i; for i = count, the size of the whole. */
	static constexpr std::size_t offset(std::size_t i)
	{
		std::size_t end = 0;

		for (std::size_t k = 0; k < i; k++)
			end = flat_align(end, aligns[k]) + sizes[k];
		return flat_align(end, i < count ? aligns[i] : align());
	}
	/** Where field i ends. */
	static constexpr std::size_t end(std::size_t i)
	{
		return offset(i) + sizes[i];
	}
};

template <class T> struct Flat<T, std::enable_if_t<IsObject<T>::value>> {
private:
	static constexpr std::size_t count = field_count<T>;
	using All = std::make_index_sequence<count>;
	template <std::size_t I> using Type = FieldType<T, I>;
	template <class> struct LayoutOf;
	template <std::size_t... I> struct LayoutOf<std::index_sequence<I...>> {
		using type = FlatLayout<Type<I>...>;
	};
	using Layout = typename LayoutOf<All>::type;
	template <std::size_t I> static constexpr auto member = nth_field<T, I>.member;
	template <std::size_t I> static constexpr std::size_t offset = Layout::offset(I);

public:
	static constexpr std::size_t size = Layout::offset(count), align = Layout::align();

	static void bound(Bound &bound, const T &value, unsigned depth)
	{
		if (bound.enter(depth))
			bound_all(bound, value, depth + 1, All());
	}
	static void write(FlatWriter &out, std::byte *at, const T &value)
	{
		write_all(out, at, value, All());
	}
	static bool read(FlatReader &in, const std::byte *at, T &value)
	{
		if (!in.template enter<of_leaves(All())>() || !read_all(in, at, value, All()))
			return false;
		in.template leave<of_leaves(All())>();
		return true;
	}

private:
	template <std::size_t... I> static constexpr bool of_leaves(std::index_sequence<I...>)
	{
		return (IsLeaf<Type<I>>::value && ...);
	}
	template <std::size_t... I>
	static void bound_all(Bound &bound, const T &value, unsigned depth, std::index_sequence<I...>)
	{
		(Flat<Type<I>>::bound(bound, value.*member<I>, depth), ...);
	}
	template <std::size_t... I>
	static void write_all(FlatWriter &out, std::byte *at, const T &value, std::index_sequence<I...>)
	{
		(Flat<Type<I>>::write(out, at + offset<I>, value.*member<I>), ...);
	}
	/** The padding behind field I. */
	template <std::size_t I> [[gnu::always_inline]] static bool is_padded(FlatReader &in, const std::byte *at)
	{
		constexpr std::size_t end = Layout::end(I), next = Layout::offset(I + 1);

		return end == next || FlatReader::is_zero(at + end, next - end) || in.bad("padding not zero");
	}
	template <std::size_t I>
	[[gnu::always_inline]] static bool read_one(FlatReader &in, const std::byte *at, T &value)
	{
		constexpr auto &name = nth_field<T, I>.name;

		return (Flat<Type<I>>::read(in, at + offset<I>, value.*member<I>) ||
			in.under({ name.data(), name.size() })) &&
		       is_padded<I>(in, at);
	}
	template <std::size_t... I>
	[[gnu::always_inline]] static bool read_all(FlatReader &in, const std::byte *at, T &value,
						    std::index_sequence<I...>)
	{
		return (read_one<I>(in, at, value) && ...);
	}
};

/* ---- variants -------------------------------------------------------------------------------------------------- */

template <class T> struct Flat<T, std::enable_if_t<IsVariant<T>::value>> {
private:
	using Held = HeldOf<T>;
	using All = std::make_index_sequence<case_count<T>>;
	template <std::size_t I> using Type = std::variant_alternative_t<I, Held>;

	template <std::size_t... I> static constexpr std::size_t most_aligned(std::index_sequence<I...>)
	{
		return std::max({ sizeof(std::uint32_t), Flat<Type<I>>::align... });
	}
	template <std::size_t... I> static constexpr std::size_t largest(std::index_sequence<I...>)
	{
		return std::max({ Flat<Type<I>>::size... });
	}

public:
	/** What the case carries lies at `offset`, behind the number of the case. */
	static constexpr std::size_t align = most_aligned(All()), offset = flat_align(sizeof(std::uint32_t), align),
				     size = flat_align(offset + largest(All()), align);

	static void bound(Bound &bound, const T &value, unsigned depth)
	{
		const Held &held = value.*Variant<T>::held;

		if (bound.enter(depth) && !held.valueless_by_exception())
			std::visit(
				[&bound, depth](const auto &carried) {
					Flat<std::decay_t<decltype(carried)>>::bound(bound, carried, depth + 1);
				},
				held);
	}
	/** A variant whose assignment failed halfway has a number of no case. */
	static void write(FlatWriter &out, std::byte *at, const T &value)
	{
		const Held &held = value.*Variant<T>::held;
		const auto number = static_cast<std::uint32_t>(held.index());

		std::memcpy(at, &number, sizeof(number));
		if (!held.valueless_by_exception())
			std::visit(
				[&out, at](const auto &carried) {
					Flat<std::decay_t<decltype(carried)>>::write(out, at + offset, carried);
				},
				held);
	}
	static bool read(FlatReader &in, const std::byte *at, T &value)
	{
		const auto number = load<std::uint32_t>(at);

		if (!in.enter())
			return false;
		if (number >= case_count<T>)
			return in.bad("unknown case");
		if (!FlatReader::is_zero(at + sizeof(number), offset - sizeof(number)))
			return in.bad("padding not zero");
		if (!read_case(in, at, value, number, All()))
			return false;
		in.leave();
		return true;
	}

private:
	template <std::size_t I> static bool read_one(FlatReader &in, const std::byte *at, T &value)
	{
		constexpr std::size_t end = offset + Flat<Type<I>>::size;

		if (!Flat<Type<I>>::read(in, at + offset, (value.*Variant<T>::held).template emplace<I>()))
			return in.under(Variant<T>::cases[I]);
		return FlatReader::is_zero(at + end, size - end) || in.bad("padding not zero");
	}
	template <std::size_t... I>
	static bool read_case(FlatReader &in, const std::byte *at, T &value, std::size_t number,
			      std::index_sequence<I...>)
	{
		bool good = false;

		(void)((number == I && (good = read_one<I>(in, at, value), true)) || ...);
		return good;
	}
};

/** An empty object; encoding only. */
template <> struct Flat<NoParams> {
	static constexpr std::size_t size = 0, align = 1;
	static void bound(Bound &, NoParams, unsigned)
	{
	}
	static void write(FlatWriter &, std::byte *, NoParams)
	{
	}
};

/** A result that is nothing: no bytes. */
template <> struct Flat<std::monostate> {
	static constexpr std::size_t size = 0, align = 1;
	static void bound(Bound &, std::monostate, unsigned)
	{
	}
	static void write(FlatWriter &, std::byte *, std::monostate)
	{
	}
	static bool read(FlatReader &, const std::byte *, std::monostate &)
	{
		return true;
	}
};

} // namespace ferry::ingress

#endif
