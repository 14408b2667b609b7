/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An object inside the library that ends with its owner here. Generated classes of handle types derive from this.
 */
#ifndef FERRY_CPP_HANDLE_HPP
#define FERRY_CPP_HANDLE_HPP

#include <ferry/cpp/call.hpp>

#include <thread>

namespace ferry::ingress
{

/** How often a destructor tries to submit the close to a full queue; then the object stays until its context ends. */
inline constexpr unsigned handle_close_tries = 1000;

/**
 * Owns a handle; move-only. Closer has `static Status close(const Link &, Id)`, which submits without waiting. The
 * destructor does not wait either; the generated close() waits, and returns the result.
 */
template <class HandleIdType, class Closer> class OwnedHandle
{
public:
	using Id = HandleIdType;

	OwnedHandle() noexcept = default;
	/** Own a handle that was received as a number. */
	OwnedHandle(const Link &link, Id id) noexcept : link_(link), id_(id)
	{
	}
	OwnedHandle(OwnedHandle &&other) noexcept : link_(other.link_), id_(std::exchange(other.id_, Id()))
	{
	}
	OwnedHandle &operator=(OwnedHandle &&other) noexcept
	{
		if (this != &other) {
			reset();
			link_ = other.link_;
			id_ = std::exchange(other.id_, Id());
		}
		return *this;
	}
	OwnedHandle(const OwnedHandle &) = delete;
	OwnedHandle &operator=(const OwnedHandle &) = delete;
	~OwnedHandle()
	{
		reset();
	}

	/** Its number, for messages; still owned. */
	[[nodiscard]] Id id() const noexcept
	{
		return id_;
	}
	operator Id() const noexcept // NOLINT: a handle is what methods take
	{
		return id_;
	}
	explicit operator bool() const noexcept
	{
		return static_cast<bool>(id_);
	}
	/** Give up ownership: the caller has to close the handle. */
	[[nodiscard]] Id release() noexcept
	{
		return std::exchange(id_, Id());
	}
	/** Close the handle, without waiting for the library. */
	void reset() noexcept
	{
		const Id id = release();

		if (!id)
			return;
		for (unsigned i = 0; i < handle_close_tries && Closer::close(link_, id) == Status::queue_full; i++)
			std::this_thread::yield();
	}

protected:
	[[nodiscard]] const Link &link() const noexcept
	{
		return link_;
	}

private:
	Link link_;
	Id id_;
};

} // namespace ferry::ingress

#endif
