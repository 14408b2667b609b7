/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types that a description has and the C++ standard library lacks, or has under several names.
 *
 * string is std::string, and std::string_view as a parameter; seq is std::vector, option std::optional, map std::map,
 * bytes std::vector<std::byte>, which a seq of u8 is not.
 */
#ifndef FERRY_CPP_TYPES_HPP
#define FERRY_CPP_TYPES_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry::ingress
{

/** A `bytes` value that owns its memory. */
using Bytes = std::vector<std::byte>;

/** A `bytes` parameter: memory that the caller owns, and keeps for as long as the call lasts. */
class BytesView
{
public:
	constexpr BytesView() noexcept = default;
	constexpr BytesView(const std::byte *data, std::size_t size) noexcept : data_(data), size_(size)
	{
	}
	BytesView(const void *data, std::size_t size) noexcept
	    : data_(static_cast<const std::byte *>(data)), size_(size)
	{
	}
	BytesView(const Bytes &bytes) noexcept : data_(bytes.data()), size_(bytes.size()) // NOLINT: converts on purpose
	{
	}
	BytesView(const std::vector<std::uint8_t> &bytes) noexcept // NOLINT: converts on purpose
	    : BytesView(static_cast<const void *>(bytes.data()), bytes.size())
	{
	}
	explicit BytesView(std::string_view text) noexcept
	    : BytesView(static_cast<const void *>(text.data()), text.size())
	{
	}

	[[nodiscard]] constexpr const std::byte *data() const noexcept
	{
		return data_;
	}
	[[nodiscard]] constexpr std::size_t size() const noexcept
	{
		return size_;
	}
	[[nodiscard]] constexpr const std::byte *begin() const noexcept
	{
		return data_;
	}
	[[nodiscard]] constexpr const std::byte *end() const noexcept
	{
		return data_ + size_;
	}

private:
	const std::byte *data_ = nullptr;
	std::size_t size_ = 0;
};

/**
 * The number of an object inside the library, as it stands in messages: a value without an owner, freely copied. Using
 * one after it was closed is an error (BadHandleError), never another object. Tag is its handle type.
 */
template <class Tag> struct HandleId {
	std::uint64_t value = 0; /**< 0 stands for no object */

	explicit operator bool() const noexcept
	{
		return value != 0;
	}
	friend bool operator==(HandleId a, HandleId b) noexcept
	{
		return a.value == b.value;
	}
	friend bool operator!=(HandleId a, HandleId b) noexcept
	{
		return a.value != b.value;
	}
	friend bool operator<(HandleId a, HandleId b) noexcept
	{
		return a.value < b.value;
	}
};

/** A request without parameters. */
struct NoParams {
};

/** Specialised by generated code for each enum: whether a number is one of its values. */
template <class E> struct EnumValues;

} // namespace ferry::ingress

#endif
