/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole message, in either wire format: encode() into memory of its own, decode() from memory of the caller's.
 */
#ifndef FERRY_CPP_CODEC_HPP
#define FERRY_CPP_CODEC_HPP

#include <ferry/cpp/cbor.hpp>
#include <ferry/cpp/flat.hpp>
#include <ferry/cpp/status.hpp>

#include <cstdlib>
#include <new>

namespace ferry::ingress
{

/** How payloads travel (spec/interface.md). */
enum class Wire : std::uint32_t { cbor = INGRESS_WIRE_CBOR, c = INGRESS_WIRE_C };

/**
 * An encoded message: inside this object when it is small, else on the heap. release() gives that memory away;
 * otherwise the next message is encoded into it.
 */
class Message
{
public:
	static constexpr std::size_t inline_bytes = 512;

	Message() noexcept // NOLINT: the bytes are written before they are read
	{
	}
	Message(const Message &) = delete;
	Message &operator=(const Message &) = delete;
	~Message()
	{
		std::free(heap_);
	}

	[[nodiscard]] const std::byte *data() const noexcept
	{
		return heap_ ? heap_ : inline_;
	}
	[[nodiscard]] std::size_t size() const noexcept
	{
		return size_;
	}
	[[nodiscard]] bool on_heap() const noexcept
	{
		return heap_ != nullptr;
	}
	/** The heap's memory, which is the caller's to free(). */
	[[nodiscard]] std::byte *release() noexcept
	{
		return std::exchange(heap_, nullptr);
	}

	/** Memory for `bytes`; nullptr when there is none. */
	[[gnu::always_inline]] std::byte *reserve(std::size_t bytes) noexcept
	{
		if (__builtin_expect(bytes <= inline_bytes && !heap_, true))
			return inline_;
		return reserve_on_heap(bytes);
	}
	void resize(std::size_t bytes) noexcept
	{
		size_ = bytes;
	}

private:
	[[gnu::noinline]] std::byte *reserve_on_heap(std::size_t bytes) noexcept
	{
		if (heap_ && bytes <= capacity_)
			return heap_;
		std::free(heap_);
		heap_ = static_cast<std::byte *>(std::malloc(bytes));
		capacity_ = bytes;
		return heap_;
	}

	std::byte *heap_ = nullptr;
	std::size_t size_ = 0, capacity_ = 0;
	alignas(8) std::byte inline_[inline_bytes];
};

/** Reserve what a message takes that is bounded so: Status::ok and where it begins, or why there is no message. */
inline Status make_room(const Bound &bound, Message &message, std::byte *&memory) noexcept
{
	if (bound.too_deep)
		return Status::bad_payload;
	if (bound.bytes > wire_bytes_max)
		return Status::too_large;
	memory = message.reserve(bound.bytes);
	return memory ? Status::ok : Status::no_memory;
}

/** Encode a value in format `cbor`: Status::ok, or why there is no message (bad_payload: it nests too deeply). */
template <class T> Status encode_cbor(const T &value, Message &message) noexcept
try {
	Bound bound;

	Cbor<T>::bound(bound, value, 0);
	std::byte *memory = nullptr;

	if (const Status status = make_room(bound, message, memory); status != Status::ok)
		return status;
	CborWriter out(memory);

	Cbor<T>::write(out, value);
	message.resize(static_cast<std::size_t>(out.at() - memory));
	return Status::ok;
} catch (const std::bad_alloc &) {
	return Status::no_memory; /* the keys of a map are sorted */
}

/** Encode a value, likewise. */
template <class T> Status encode(Wire wire, const T &value, Message &message) noexcept
try {
	if (wire == Wire::cbor)
		return encode_cbor(value, message);
	Bound bound;

	bound.bytes = Flat<T>::size;
	Flat<T>::bound(bound, value, 0);
	std::byte *memory = nullptr;

	if (const Status status = make_room(bound, message, memory); status != Status::ok)
		return status;
	FlatWriter out(memory);

	Flat<T>::write(out, out.zeros(1, Flat<T>::size), value);
	message.resize(out.bytes());
	return Status::ok;
} catch (const std::bad_alloc &) {
	return Status::no_memory;
}

/** Decode a whole message into `value`. False: `fault` says why and where, and `value` may have any value. */
template <class T> bool decode(Wire wire, const void *data, std::size_t bytes, T &value, Fault &fault)
{
	if (wire == Wire::cbor) {
		CborReader in(data, bytes, fault);

		return Cbor<T>::read(in, value) && (in.at_end() || in.bad("bytes left over"));
	}
	FlatReader in(data, bytes, fault);
	const std::byte *part = nullptr;

	return in.begin(Flat<T>::size, part) && Flat<T>::read(in, part, value) &&
	       (in.at_end() || in.bad("bytes left over"));
}

} // namespace ferry::ingress

#endif
