/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again. */
#ifndef ECHO_HPP
#define ECHO_HPP

#include <ferry/ingress.hpp>

#include <cstdint>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/* Exported by libecho.so. */
extern "C" const struct ingress_library *ferry_library_echo(void);

/**
 * A library that gives back what it is given, sometimes later. It has something of every kind, so that one
 * conformance program can be written in every language.
 */
namespace echo
{

/** What this binding was generated from; a library of another interface is refused (WrongInterfaceError). */
inline constexpr std::uint64_t interface_hash = 0x78ae369f375ee35f;

/** How payloads travel, unless a context is told otherwise. */
inline constexpr ferry::ingress::Wire default_wire = ferry::ingress::Wire::c;

/** The longest delay an echo may ask for, in milliseconds. */
inline constexpr std::uint32_t max_delay_ms = 60000U;

/** What a polite host sends first. */
inline constexpr std::string_view greeting{ "hello, \"wörld\"", 15 };

/** One half. */
inline constexpr double half = 0.5;

/** Whether the library was built for debugging. */
inline constexpr bool debug = false;

/** The lowest number there is. */
inline constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

/** A colour. */
enum class Color : std::int32_t {
	/** No colour at all. */
	none = -1,
	/** Red. */
	red = 0,
	/** Green. */
	green = 1,
	/** Blue, out of line. */
	blue = 7,
};

/**
 * Reads a text in pieces.
 * A number without an owner; Reader is one.
 */
using ReaderId = ferry::ingress::HandleId<struct ReaderTag>;

struct EchoRequest;
struct EchoResponse;
struct ComplexRequest;
struct ComplexResponse;
struct Tree;
struct AllTypes;

/** What to echo, and when. */
struct EchoRequest {
	/** What to say. */
	std::string message;
	/** How long to wait before answering, in milliseconds; 0 answers at once. */
	std::int64_t delay_ms = 0;

	friend bool operator==(const EchoRequest &a_, const EchoRequest &b_);
	friend bool operator!=(const EchoRequest &a_, const EchoRequest &b_);
};

/** What was echoed. */
struct EchoResponse {
	/** The message, after the context's prefix. */
	std::string echoed;
	/** How long it was waited, for people. */
	std::string timer;

	friend bool operator==(const EchoResponse &a_, const EchoResponse &b_);
	friend bool operator!=(const EchoResponse &a_, const EchoResponse &b_);
};

/** Many things at once. */
struct ComplexRequest {
	/** Several messages. */
	std::vector<EchoRequest> messages;
	/** Words about them. */
	std::vector<std::string> tags;
	/** A remark. */
	std::optional<std::string> note;
	/** How often to try again. */
	std::optional<std::int64_t> retries;

	friend bool operator==(const ComplexRequest &a_, const ComplexRequest &b_);
	friend bool operator!=(const ComplexRequest &a_, const ComplexRequest &b_);
};

/** What became of many things. */
struct ComplexResponse {
	/** The messages and the tags, each joined by commas, and a semicolon between the two. */
	std::string summary;
	/** How many messages and tags there were. */
	std::uint32_t item_count = 0;
	/** Whether there was a note. */
	bool has_note = false;
	/** The retries asked for; -1 when none were. */
	std::int64_t retries = 0;

	friend bool operator==(const ComplexResponse &a_, const ComplexResponse &b_);
	friend bool operator!=(const ComplexResponse &a_, const ComplexResponse &b_);
};

/** A tree, which contains itself. */
struct Tree {
	/** What it is called. */
	std::string name;
	/** What is below it. */
	std::vector<Tree> children;

	friend bool operator==(const Tree &a_, const Tree &b_);
	friend bool operator!=(const Tree &a_, const Tree &b_);
};

/** A field of every type. */
struct AllTypes {
	bool a_bool = false;
	std::int8_t an_i8 = 0;
	std::int16_t an_i16 = 0;
	std::int32_t an_i32 = 0;
	std::int64_t an_i64 = 0;
	std::uint8_t a_u8 = 0;
	std::uint16_t a_u16 = 0;
	std::uint32_t a_u32 = 0;
	std::uint64_t a_u64 = 0;
	float an_f32 = 0;
	double an_f64 = 0;
	std::string a_string;
	ferry::ingress::Bytes some_bytes;
	Color a_color = Color::none;
	EchoRequest an_object;
	std::optional<std::int32_t> maybe_number;
	std::optional<std::string> maybe_text;
	std::optional<EchoRequest> maybe_object;
	std::optional<Color> maybe_color;
	std::vector<double> numbers;
	std::vector<bool> flags;
	std::vector<Color> colors;
	std::vector<std::vector<std::int32_t>> rows;
	std::vector<std::optional<std::string>> maybe_words;
	std::vector<ferry::ingress::Bytes> blobs;
	std::map<std::int32_t, std::string> text_by_number;
	std::map<std::string, std::int64_t> number_by_text;
	std::map<std::string, EchoRequest> objects_by_text;

	friend bool operator==(const AllTypes &a_, const AllTypes &b_);
	friend bool operator!=(const AllTypes &a_, const AllTypes &b_);
};

inline bool operator==(const EchoRequest &a_, const EchoRequest &b_)
{
	return a_.message == b_.message && a_.delay_ms == b_.delay_ms;
}
inline bool operator!=(const EchoRequest &a_, const EchoRequest &b_)
{
	return !(a_ == b_);
}

inline bool operator==(const EchoResponse &a_, const EchoResponse &b_)
{
	return a_.echoed == b_.echoed && a_.timer == b_.timer;
}
inline bool operator!=(const EchoResponse &a_, const EchoResponse &b_)
{
	return !(a_ == b_);
}

inline bool operator==(const ComplexRequest &a_, const ComplexRequest &b_)
{
	return a_.messages == b_.messages && a_.tags == b_.tags && a_.note == b_.note && a_.retries == b_.retries;
}
inline bool operator!=(const ComplexRequest &a_, const ComplexRequest &b_)
{
	return !(a_ == b_);
}

inline bool operator==(const ComplexResponse &a_, const ComplexResponse &b_)
{
	return a_.summary == b_.summary && a_.item_count == b_.item_count && a_.has_note == b_.has_note &&
	       a_.retries == b_.retries;
}
inline bool operator!=(const ComplexResponse &a_, const ComplexResponse &b_)
{
	return !(a_ == b_);
}

inline bool operator==(const Tree &a_, const Tree &b_)
{
	return a_.name == b_.name && a_.children == b_.children;
}
inline bool operator!=(const Tree &a_, const Tree &b_)
{
	return !(a_ == b_);
}

inline bool operator==(const AllTypes &a_, const AllTypes &b_)
{
	return a_.a_bool == b_.a_bool && a_.an_i8 == b_.an_i8 && a_.an_i16 == b_.an_i16 && a_.an_i32 == b_.an_i32 &&
	       a_.an_i64 == b_.an_i64 && a_.a_u8 == b_.a_u8 && a_.a_u16 == b_.a_u16 && a_.a_u32 == b_.a_u32 &&
	       a_.a_u64 == b_.a_u64 && a_.an_f32 == b_.an_f32 && a_.an_f64 == b_.an_f64 && a_.a_string == b_.a_string &&
	       a_.some_bytes == b_.some_bytes && a_.a_color == b_.a_color && a_.an_object == b_.an_object &&
	       a_.maybe_number == b_.maybe_number && a_.maybe_text == b_.maybe_text &&
	       a_.maybe_object == b_.maybe_object && a_.maybe_color == b_.maybe_color && a_.numbers == b_.numbers &&
	       a_.flags == b_.flags && a_.colors == b_.colors && a_.rows == b_.rows &&
	       a_.maybe_words == b_.maybe_words && a_.blobs == b_.blobs && a_.text_by_number == b_.text_by_number &&
	       a_.number_by_text == b_.number_by_text && a_.objects_by_text == b_.objects_by_text;
}
inline bool operator!=(const AllTypes &a_, const AllTypes &b_)
{
	return !(a_ == b_);
}

/* What travels as a request: the parameters, held by reference. */
namespace detail
{
struct CreateParams {
	std::string_view prefix;
};
struct EchoParams {
	std::reference_wrapper<const EchoRequest> request;
};
struct ComplexParams {
	std::reference_wrapper<const ComplexRequest> request;
};
struct BytesParams {
	ferry::ingress::BytesView payload;
};
struct FailParams {
	std::string_view message;
};
struct AllParams {
	std::reference_wrapper<const AllTypes> value;
};
struct TreeParams {
	std::reference_wrapper<const Tree> root;
};
struct MaybeParams {
	std::reference_wrapper<const std::optional<std::string>> value;
};
struct TicksParams {
	std::uint32_t count;
};
struct OpenParams {
	std::string_view text;
};
struct ReadParams {
	ReaderId reader;
	std::uint32_t bytes_max;
};
struct CloseParams {
	ReaderId reader;
};
struct SumParams {
	std::int64_t left;
	std::int64_t right;
};
} // namespace detail

} // namespace echo

namespace ferry::ingress
{
template <> struct EnumValues<::echo::Color> {
	static constexpr bool known(std::int32_t number)
	{
		switch (number) {
		case -1:
		case 0:
		case 1:
		case 7:
			return true;
		default:
			return false;
		}
	}
};
template <> struct Object<::echo::EchoRequest> {
	static constexpr auto fields = std::make_tuple(field("message", &::echo::EchoRequest::message),
						       field("delay_ms", &::echo::EchoRequest::delay_ms));
};
template <> struct Object<::echo::EchoResponse> {
	static constexpr auto fields = std::make_tuple(field("echoed", &::echo::EchoResponse::echoed),
						       field("timer", &::echo::EchoResponse::timer));
};
template <> struct Object<::echo::ComplexRequest> {
	static constexpr auto fields = std::make_tuple(field("messages", &::echo::ComplexRequest::messages),
						       field("tags", &::echo::ComplexRequest::tags),
						       field("note", &::echo::ComplexRequest::note),
						       field("retries", &::echo::ComplexRequest::retries));
};
template <> struct Object<::echo::ComplexResponse> {
	static constexpr auto fields = std::make_tuple(field("summary", &::echo::ComplexResponse::summary),
						       field("item_count", &::echo::ComplexResponse::item_count),
						       field("has_note", &::echo::ComplexResponse::has_note),
						       field("retries", &::echo::ComplexResponse::retries));
};
template <> struct Object<::echo::Tree> {
	static constexpr auto fields =
		std::make_tuple(field("name", &::echo::Tree::name), field("children", &::echo::Tree::children));
};
template <> struct Object<::echo::AllTypes> {
	static constexpr auto fields = std::make_tuple(
		field("a_bool", &::echo::AllTypes::a_bool), field("an_i8", &::echo::AllTypes::an_i8),
		field("an_i16", &::echo::AllTypes::an_i16), field("an_i32", &::echo::AllTypes::an_i32),
		field("an_i64", &::echo::AllTypes::an_i64), field("a_u8", &::echo::AllTypes::a_u8),
		field("a_u16", &::echo::AllTypes::a_u16), field("a_u32", &::echo::AllTypes::a_u32),
		field("a_u64", &::echo::AllTypes::a_u64), field("an_f32", &::echo::AllTypes::an_f32),
		field("an_f64", &::echo::AllTypes::an_f64), field("a_string", &::echo::AllTypes::a_string),
		field("some_bytes", &::echo::AllTypes::some_bytes), field("a_color", &::echo::AllTypes::a_color),
		field("an_object", &::echo::AllTypes::an_object),
		field("maybe_number", &::echo::AllTypes::maybe_number),
		field("maybe_text", &::echo::AllTypes::maybe_text),
		field("maybe_object", &::echo::AllTypes::maybe_object),
		field("maybe_color", &::echo::AllTypes::maybe_color), field("numbers", &::echo::AllTypes::numbers),
		field("flags", &::echo::AllTypes::flags), field("colors", &::echo::AllTypes::colors),
		field("rows", &::echo::AllTypes::rows), field("maybe_words", &::echo::AllTypes::maybe_words),
		field("blobs", &::echo::AllTypes::blobs), field("text_by_number", &::echo::AllTypes::text_by_number),
		field("number_by_text", &::echo::AllTypes::number_by_text),
		field("objects_by_text", &::echo::AllTypes::objects_by_text));
};
template <> struct Object<::echo::detail::CreateParams> {
	static constexpr auto fields = std::make_tuple(field("prefix", &::echo::detail::CreateParams::prefix));
};
template <> struct Object<::echo::detail::EchoParams> {
	static constexpr auto fields = std::make_tuple(field("request", &::echo::detail::EchoParams::request));
};
template <> struct Object<::echo::detail::ComplexParams> {
	static constexpr auto fields = std::make_tuple(field("request", &::echo::detail::ComplexParams::request));
};
template <> struct Object<::echo::detail::BytesParams> {
	static constexpr auto fields = std::make_tuple(field("payload", &::echo::detail::BytesParams::payload));
};
template <> struct Object<::echo::detail::FailParams> {
	static constexpr auto fields = std::make_tuple(field("message", &::echo::detail::FailParams::message));
};
template <> struct Object<::echo::detail::AllParams> {
	static constexpr auto fields = std::make_tuple(field("value", &::echo::detail::AllParams::value));
};
template <> struct Object<::echo::detail::TreeParams> {
	static constexpr auto fields = std::make_tuple(field("root", &::echo::detail::TreeParams::root));
};
template <> struct Object<::echo::detail::MaybeParams> {
	static constexpr auto fields = std::make_tuple(field("value", &::echo::detail::MaybeParams::value));
};
template <> struct Object<::echo::detail::TicksParams> {
	static constexpr auto fields = std::make_tuple(field("count", &::echo::detail::TicksParams::count));
};
template <> struct Object<::echo::detail::OpenParams> {
	static constexpr auto fields = std::make_tuple(field("text", &::echo::detail::OpenParams::text));
};
template <> struct Object<::echo::detail::ReadParams> {
	static constexpr auto fields = std::make_tuple(field("reader", &::echo::detail::ReadParams::reader),
						       field("bytes_max", &::echo::detail::ReadParams::bytes_max));
};
template <> struct Object<::echo::detail::CloseParams> {
	static constexpr auto fields = std::make_tuple(field("reader", &::echo::detail::CloseParams::reader));
};
template <> struct Object<::echo::detail::SumParams> {
	static constexpr auto fields = std::make_tuple(field("left", &::echo::detail::SumParams::left),
						       field("right", &::echo::detail::SumParams::right));
};
} // namespace ferry::ingress

namespace echo
{

/** The library itself. */
inline ferry::ingress::Library library() noexcept
{
	return { ferry_library_echo(), interface_hash };
}

namespace detail
{
struct ReaderCloser {
	static ferry::ingress::Status close(const ferry::ingress::Link &link, ReaderId id) noexcept
	{
		return link.submit<void>(12, CloseParams{ id }, [](const ferry::ingress::Result<void> &) {});
	}
};
} // namespace detail

/**
 * Reads a text in pieces.
 * Owns one, and closes it when it ends. Its methods may be called by any thread, while it is not moved or ended.
 */
class Reader : public ferry::ingress::OwnedHandle<ReaderId, detail::ReaderCloser>
{
public:
	using OwnedHandle::OwnedHandle;

	/**
	 * Close a reader. Whoever uses it afterwards is refused.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	void close(ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_close(timeout).value();
	}
	/** close() without exceptions. */
	ferry::ingress::Result<void> try_close(ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<void>(12, detail::CloseParams{ this->id() }, timeout);
	}
	/** close() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<void> close_future() const
	{
		return this->link().future<void>(12, detail::CloseParams{ this->id() });
	}
	/**
	 * close() that does not wait; callback(ferry::ingress::Result<void>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F> [[nodiscard]] ferry::ingress::Status close_async(F &&callback) const noexcept
	{
		return this->link().submit<void>(12, detail::CloseParams{ this->id() }, std::forward<F>(callback));
	}
	/**
	 * close() as one of several calls that batch.submit() sends; otherwise as close_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status close_add(ferry::ingress::Batch &batch, F &&callback) const noexcept
	{
		return batch.add<void>(this->link(), 12, detail::CloseParams{ this->id() }, std::forward<F>(callback));
	}
	/** As close_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status close_post(ferry::ingress::Inbox &inbox, F &&callback) const noexcept
	{
		return inbox.post<void>(this->link(), 12, detail::CloseParams{ this->id() }, std::forward<F>(callback));
	}

	/**
	 * Read on. Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.
	 * @param bytes_max How many bytes to read at most; 1 or more.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::optional<std::string> read(std::uint32_t bytes_max,
					ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_read(bytes_max, timeout).value();
	}
	/** read() without exceptions. */
	ferry::ingress::Result<std::optional<std::string>>
	try_read(std::uint32_t bytes_max, ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<std::optional<std::string>>(11, detail::ReadParams{ this->id(), bytes_max },
								    timeout);
	}
	/** read() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<std::optional<std::string>> read_future(std::uint32_t bytes_max) const
	{
		return this->link().future<std::optional<std::string>>(11, detail::ReadParams{ this->id(), bytes_max });
	}
	/**
	 * read() that does not wait; callback(ferry::ingress::Result<std::optional<std::string>>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_async(std::uint32_t bytes_max, F &&callback) const noexcept
	{
		return this->link().submit<std::optional<std::string>>(11, detail::ReadParams{ this->id(), bytes_max },
								       std::forward<F>(callback));
	}
	/**
	 * read() as one of several calls that batch.submit() sends; otherwise as read_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_add(ferry::ingress::Batch &batch, std::uint32_t bytes_max,
						      F &&callback) const noexcept
	{
		return batch.add<std::optional<std::string>>(this->link(), 11,
							     detail::ReadParams{ this->id(), bytes_max },
							     std::forward<F>(callback));
	}
	/** As read_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_post(ferry::ingress::Inbox &inbox, std::uint32_t bytes_max,
						       F &&callback) const noexcept
	{
		return inbox.post<std::optional<std::string>>(this->link(), 11,
							      detail::ReadParams{ this->id(), bytes_max },
							      std::forward<F>(callback));
	}
};

/**
 * A library that gives back what it is given, sometimes later. It has something of every kind, so that one
 * conformance program can be written in every language.
 * A context: one running instance of the library. Methods may be called by any number of threads at any time, while it
 * is not moved or ended. Callbacks run on the library's thread, listeners on its event thread; neither may throw.
 */
class Context
{
public:
	/**
	 * Start an echo.
	 * @param prefix What every echo begins with. `fail` makes the constructor fail.
	 * @param options limits and times
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	static Context create(std::string_view prefix, const ferry::ingress::Options &options = {},
			      ferry::ingress::Timeout timeout = ferry::ingress::forever)
	{
		return try_create(prefix, options, timeout).value();
	}
	/** create() without exceptions. */
	static ferry::ingress::Result<Context>
	try_create(std::string_view prefix, const ferry::ingress::Options &options = {},
		   ferry::ingress::Timeout timeout = ferry::ingress::forever) noexcept
	{
		auto made = ferry::ingress::Instance::create(library(), options.wire.value_or(default_wire), options, 0,
							     detail::CreateParams{ prefix }, timeout);

		if (!made)
			return std::move(made).error();
		return Context(std::move(made).value());
	}

	/** create() that does not wait; the future has the context or its exception. */
	[[nodiscard]] static std::future<Context> create_future(std::string_view prefix,
								const ferry::ingress::Options &options = {})
	{
		const auto promise = std::make_shared<std::promise<Context>>();
		std::future<Context> future = promise->get_future();
		const auto status = create_async(
			prefix,
			[promise](ferry::ingress::Result<Context> made) {
				ferry::ingress::Link::settle(*promise, std::move(made));
			},
			options);

		if (status != ferry::ingress::Status::ok)
			ferry::ingress::Link::settle<Context>(*promise, ferry::ingress::Failure{ status, {} });
		return future;
	}
	/**
	 * create() that does not wait; callback(ferry::ingress::Result<Context>) is called once, on the library's
	 * thread. A context that it lets go ends.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] static ferry::ingress::Status create_async(std::string_view prefix, F &&callback,
								 const ferry::ingress::Options &options = {}) noexcept
	{
		return ferry::ingress::Instance::start(
			library(), options.wire.value_or(default_wire), options, 0, detail::CreateParams{ prefix },
			[callback = std::forward<F>(callback)](
				ferry::ingress::Result<ferry::ingress::Instance> made) mutable {
				if (made)
					callback(ferry::ingress::Result<Context>(Context(std::move(made).value())));
				else
					callback(ferry::ingress::Result<Context>(std::move(made).error()));
			});
	}

	/** What requests go through: for handles that arrive as numbers. */
	[[nodiscard]] const ferry::ingress::Link &link() const noexcept
	{
		return instance_.link();
	}

	/**
	 * End an echo.
	 * What waits is answered ClosedError; what runs is waited for. No callback runs afterwards.
	 * @param timeout how long to wait for handlers that run, at most; they are then left alone (TimeoutError)
	 * @throws ferry::ingress::Error ReentrantError in a callback of this context, which is then as it was
	 */
	void destroy(ferry::ingress::Timeout timeout = ferry::ingress::forever)
	{
		try_destroy(timeout).value();
	}
	/** destroy() without exceptions. */
	ferry::ingress::Result<void> try_destroy(ferry::ingress::Timeout timeout = ferry::ingress::forever) noexcept
	{
		return instance_.destroy(timeout);
	}

	/**
	 * Give back a message, after the prefix, when the delay is over. Emits `echoed`.
	 * @param request What to echo, and when.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	EchoResponse echo(const EchoRequest &request, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_echo(request, timeout).value();
	}
	/** echo() without exceptions. */
	ferry::ingress::Result<EchoResponse>
	try_echo(const EchoRequest &request, ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<EchoResponse>(2, detail::EchoParams{ request }, timeout);
	}
	/** echo() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<EchoResponse> echo_future(const EchoRequest &request) const
	{
		return this->link().future<EchoResponse>(2, detail::EchoParams{ request });
	}
	/**
	 * echo() that does not wait; callback(ferry::ingress::Result<EchoResponse>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status echo_async(const EchoRequest &request, F &&callback) const noexcept
	{
		return this->link().submit<EchoResponse>(2, detail::EchoParams{ request }, std::forward<F>(callback));
	}
	/**
	 * echo() as one of several calls that batch.submit() sends; otherwise as echo_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status echo_add(ferry::ingress::Batch &batch, const EchoRequest &request,
						      F &&callback) const noexcept
	{
		return batch.add<EchoResponse>(this->link(), 2, detail::EchoParams{ request },
					       std::forward<F>(callback));
	}
	/** As echo_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status echo_post(ferry::ingress::Inbox &inbox, const EchoRequest &request,
						       F &&callback) const noexcept
	{
		return inbox.post<EchoResponse>(this->link(), 2, detail::EchoParams{ request },
						std::forward<F>(callback));
	}

	/**
	 * Take many things and sum them up.
	 * @param request Many things.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	ComplexResponse complex(const ComplexRequest &request,
				ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_complex(request, timeout).value();
	}
	/** complex() without exceptions. */
	ferry::ingress::Result<ComplexResponse>
	try_complex(const ComplexRequest &request,
		    ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<ComplexResponse>(3, detail::ComplexParams{ request }, timeout);
	}
	/** complex() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<ComplexResponse> complex_future(const ComplexRequest &request) const
	{
		return this->link().future<ComplexResponse>(3, detail::ComplexParams{ request });
	}
	/**
	 * complex() that does not wait; callback(ferry::ingress::Result<ComplexResponse>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status complex_async(const ComplexRequest &request, F &&callback) const noexcept
	{
		return this->link().submit<ComplexResponse>(3, detail::ComplexParams{ request },
							    std::forward<F>(callback));
	}
	/**
	 * complex() as one of several calls that batch.submit() sends; otherwise as complex_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status complex_add(ferry::ingress::Batch &batch, const ComplexRequest &request,
							 F &&callback) const noexcept
	{
		return batch.add<ComplexResponse>(this->link(), 3, detail::ComplexParams{ request },
						  std::forward<F>(callback));
	}
	/** As complex_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status complex_post(ferry::ingress::Inbox &inbox, const ComplexRequest &request,
							  F &&callback) const noexcept
	{
		return inbox.post<ComplexResponse>(this->link(), 3, detail::ComplexParams{ request },
						   std::forward<F>(callback));
	}

	/**
	 * Give back the same bytes.
	 * @param payload Any bytes.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	ferry::ingress::Bytes bytes(ferry::ingress::BytesView payload,
				    ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_bytes(payload, timeout).value();
	}
	/** bytes() without exceptions. */
	ferry::ingress::Result<ferry::ingress::Bytes>
	try_bytes(ferry::ingress::BytesView payload,
		  ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<ferry::ingress::Bytes>(4, detail::BytesParams{ payload }, timeout);
	}
	/** bytes() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<ferry::ingress::Bytes> bytes_future(ferry::ingress::BytesView payload) const
	{
		return this->link().future<ferry::ingress::Bytes>(4, detail::BytesParams{ payload });
	}
	/**
	 * bytes() that does not wait; callback(ferry::ingress::Result<ferry::ingress::Bytes>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status bytes_async(ferry::ingress::BytesView payload, F &&callback) const noexcept
	{
		return this->link().submit<ferry::ingress::Bytes>(4, detail::BytesParams{ payload },
								  std::forward<F>(callback));
	}
	/**
	 * bytes() as one of several calls that batch.submit() sends; otherwise as bytes_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status bytes_add(ferry::ingress::Batch &batch, ferry::ingress::BytesView payload,
						       F &&callback) const noexcept
	{
		return batch.add<ferry::ingress::Bytes>(this->link(), 4, detail::BytesParams{ payload },
							std::forward<F>(callback));
	}
	/** As bytes_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status bytes_post(ferry::ingress::Inbox &inbox, ferry::ingress::BytesView payload,
							F &&callback) const noexcept
	{
		return inbox.post<ferry::ingress::Bytes>(this->link(), 4, detail::BytesParams{ payload },
							 std::forward<F>(callback));
	}

	/**
	 * Fail with a message.
	 * @param message What the error says.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	void fail(std::string_view message, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_fail(message, timeout).value();
	}
	/** fail() without exceptions. */
	ferry::ingress::Result<void> try_fail(std::string_view message,
					      ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<void>(5, detail::FailParams{ message }, timeout);
	}
	/** fail() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<void> fail_future(std::string_view message) const
	{
		return this->link().future<void>(5, detail::FailParams{ message });
	}
	/**
	 * fail() that does not wait; callback(ferry::ingress::Result<void>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fail_async(std::string_view message, F &&callback) const noexcept
	{
		return this->link().submit<void>(5, detail::FailParams{ message }, std::forward<F>(callback));
	}
	/**
	 * fail() as one of several calls that batch.submit() sends; otherwise as fail_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fail_add(ferry::ingress::Batch &batch, std::string_view message,
						      F &&callback) const noexcept
	{
		return batch.add<void>(this->link(), 5, detail::FailParams{ message }, std::forward<F>(callback));
	}
	/** As fail_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fail_post(ferry::ingress::Inbox &inbox, std::string_view message,
						       F &&callback) const noexcept
	{
		return inbox.post<void>(this->link(), 5, detail::FailParams{ message }, std::forward<F>(callback));
	}

	/**
	 * Give back the same value.
	 * @param value Any value.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	AllTypes all(const AllTypes &value, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_all(value, timeout).value();
	}
	/** all() without exceptions. */
	ferry::ingress::Result<AllTypes>
	try_all(const AllTypes &value, ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<AllTypes>(6, detail::AllParams{ value }, timeout);
	}
	/** all() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<AllTypes> all_future(const AllTypes &value) const
	{
		return this->link().future<AllTypes>(6, detail::AllParams{ value });
	}
	/**
	 * all() that does not wait; callback(ferry::ingress::Result<AllTypes>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status all_async(const AllTypes &value, F &&callback) const noexcept
	{
		return this->link().submit<AllTypes>(6, detail::AllParams{ value }, std::forward<F>(callback));
	}
	/**
	 * all() as one of several calls that batch.submit() sends; otherwise as all_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status all_add(ferry::ingress::Batch &batch, const AllTypes &value,
						     F &&callback) const noexcept
	{
		return batch.add<AllTypes>(this->link(), 6, detail::AllParams{ value }, std::forward<F>(callback));
	}
	/** As all_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status all_post(ferry::ingress::Inbox &inbox, const AllTypes &value,
						      F &&callback) const noexcept
	{
		return inbox.post<AllTypes>(this->link(), 6, detail::AllParams{ value }, std::forward<F>(callback));
	}

	/**
	 * Give back the same tree.
	 * @param root Any tree.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	Tree tree(const Tree &root, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_tree(root, timeout).value();
	}
	/** tree() without exceptions. */
	ferry::ingress::Result<Tree> try_tree(const Tree &root,
					      ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<Tree>(7, detail::TreeParams{ root }, timeout);
	}
	/** tree() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<Tree> tree_future(const Tree &root) const
	{
		return this->link().future<Tree>(7, detail::TreeParams{ root });
	}
	/**
	 * tree() that does not wait; callback(ferry::ingress::Result<Tree>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status tree_async(const Tree &root, F &&callback) const noexcept
	{
		return this->link().submit<Tree>(7, detail::TreeParams{ root }, std::forward<F>(callback));
	}
	/**
	 * tree() as one of several calls that batch.submit() sends; otherwise as tree_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status tree_add(ferry::ingress::Batch &batch, const Tree &root,
						      F &&callback) const noexcept
	{
		return batch.add<Tree>(this->link(), 7, detail::TreeParams{ root }, std::forward<F>(callback));
	}
	/** As tree_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status tree_post(ferry::ingress::Inbox &inbox, const Tree &root,
						       F &&callback) const noexcept
	{
		return inbox.post<Tree>(this->link(), 7, detail::TreeParams{ root }, std::forward<F>(callback));
	}

	/**
	 * Give back the text or nothing.
	 * @param value A text or nothing.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::optional<std::string> maybe(const std::optional<std::string> &value,
					 ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_maybe(value, timeout).value();
	}
	/** maybe() without exceptions. */
	ferry::ingress::Result<std::optional<std::string>>
	try_maybe(const std::optional<std::string> &value,
		  ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<std::optional<std::string>>(8, detail::MaybeParams{ value }, timeout);
	}
	/** maybe() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<std::optional<std::string>>
	maybe_future(const std::optional<std::string> &value) const
	{
		return this->link().future<std::optional<std::string>>(8, detail::MaybeParams{ value });
	}
	/**
	 * maybe() that does not wait; callback(ferry::ingress::Result<std::optional<std::string>>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status maybe_async(const std::optional<std::string> &value,
							 F &&callback) const noexcept
	{
		return this->link().submit<std::optional<std::string>>(8, detail::MaybeParams{ value },
								       std::forward<F>(callback));
	}
	/**
	 * maybe() as one of several calls that batch.submit() sends; otherwise as maybe_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status
	maybe_add(ferry::ingress::Batch &batch, const std::optional<std::string> &value, F &&callback) const noexcept
	{
		return batch.add<std::optional<std::string>>(this->link(), 8, detail::MaybeParams{ value },
							     std::forward<F>(callback));
	}
	/** As maybe_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status
	maybe_post(ferry::ingress::Inbox &inbox, const std::optional<std::string> &value, F &&callback) const noexcept
	{
		return inbox.post<std::optional<std::string>>(this->link(), 8, detail::MaybeParams{ value },
							      std::forward<F>(callback));
	}

	/**
	 * Emit `tick` that many times.
	 * @param count How many.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	void ticks(std::uint32_t count, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_ticks(count, timeout).value();
	}
	/** ticks() without exceptions. */
	ferry::ingress::Result<void> try_ticks(std::uint32_t count,
					       ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<void>(9, detail::TicksParams{ count }, timeout);
	}
	/** ticks() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<void> ticks_future(std::uint32_t count) const
	{
		return this->link().future<void>(9, detail::TicksParams{ count });
	}
	/**
	 * ticks() that does not wait; callback(ferry::ingress::Result<void>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status ticks_async(std::uint32_t count, F &&callback) const noexcept
	{
		return this->link().submit<void>(9, detail::TicksParams{ count }, std::forward<F>(callback));
	}
	/**
	 * ticks() as one of several calls that batch.submit() sends; otherwise as ticks_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status ticks_add(ferry::ingress::Batch &batch, std::uint32_t count,
						       F &&callback) const noexcept
	{
		return batch.add<void>(this->link(), 9, detail::TicksParams{ count }, std::forward<F>(callback));
	}
	/** As ticks_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status ticks_post(ferry::ingress::Inbox &inbox, std::uint32_t count,
							F &&callback) const noexcept
	{
		return inbox.post<void>(this->link(), 9, detail::TicksParams{ count }, std::forward<F>(callback));
	}

	/**
	 * Open a reader of a text.
	 * @param text What is to be read.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	Reader open(std::string_view text, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_open(text, timeout).value();
	}
	/** open() without exceptions. */
	ferry::ingress::Result<Reader>
	try_open(std::string_view text, ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<Reader>(10, detail::OpenParams{ text }, timeout);
	}
	/** open() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<Reader> open_future(std::string_view text) const
	{
		return this->link().future<Reader>(10, detail::OpenParams{ text });
	}
	/**
	 * open() that does not wait; callback(ferry::ingress::Result<Reader>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status open_async(std::string_view text, F &&callback) const noexcept
	{
		return this->link().submit<Reader>(10, detail::OpenParams{ text }, std::forward<F>(callback));
	}
	/**
	 * open() as one of several calls that batch.submit() sends; otherwise as open_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status open_add(ferry::ingress::Batch &batch, std::string_view text,
						      F &&callback) const noexcept
	{
		return batch.add<Reader>(this->link(), 10, detail::OpenParams{ text }, std::forward<F>(callback));
	}
	/** As open_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status open_post(ferry::ingress::Inbox &inbox, std::string_view text,
						       F &&callback) const noexcept
	{
		return inbox.post<Reader>(this->link(), 10, detail::OpenParams{ text }, std::forward<F>(callback));
	}

	/**
	 * Read on. Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.
	 * @param reader An open reader.
	 * @param bytes_max How many bytes to read at most; 1 or more.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::optional<std::string> read(ReaderId reader, std::uint32_t bytes_max,
					ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_read(reader, bytes_max, timeout).value();
	}
	/** read() without exceptions. */
	ferry::ingress::Result<std::optional<std::string>>
	try_read(ReaderId reader, std::uint32_t bytes_max,
		 ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<std::optional<std::string>>(11, detail::ReadParams{ reader, bytes_max },
								    timeout);
	}
	/** read() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<std::optional<std::string>> read_future(ReaderId reader,
									  std::uint32_t bytes_max) const
	{
		return this->link().future<std::optional<std::string>>(11, detail::ReadParams{ reader, bytes_max });
	}
	/**
	 * read() that does not wait; callback(ferry::ingress::Result<std::optional<std::string>>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_async(ReaderId reader, std::uint32_t bytes_max,
							F &&callback) const noexcept
	{
		return this->link().submit<std::optional<std::string>>(11, detail::ReadParams{ reader, bytes_max },
								       std::forward<F>(callback));
	}
	/**
	 * read() as one of several calls that batch.submit() sends; otherwise as read_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_add(ferry::ingress::Batch &batch, ReaderId reader,
						      std::uint32_t bytes_max, F &&callback) const noexcept
	{
		return batch.add<std::optional<std::string>>(this->link(), 11, detail::ReadParams{ reader, bytes_max },
							     std::forward<F>(callback));
	}
	/** As read_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_post(ferry::ingress::Inbox &inbox, ReaderId reader,
						       std::uint32_t bytes_max, F &&callback) const noexcept
	{
		return inbox.post<std::optional<std::string>>(this->link(), 11, detail::ReadParams{ reader, bytes_max },
							      std::forward<F>(callback));
	}

	/**
	 * Close a reader. Whoever uses it afterwards is refused.
	 * @param reader An open reader.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	void close(ReaderId reader, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return try_close(reader, timeout).value();
	}
	/** close() without exceptions. */
	ferry::ingress::Result<void> try_close(ReaderId reader,
					       ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return this->link().ask<void>(12, detail::CloseParams{ reader }, timeout);
	}
	/** close() that does not wait; the future has its value or its exception. */
	[[nodiscard]] std::future<void> close_future(ReaderId reader) const
	{
		return this->link().future<void>(12, detail::CloseParams{ reader });
	}
	/**
	 * close() that does not wait; callback(ferry::ingress::Result<void>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status close_async(ReaderId reader, F &&callback) const noexcept
	{
		return this->link().submit<void>(12, detail::CloseParams{ reader }, std::forward<F>(callback));
	}
	/**
	 * close() as one of several calls that batch.submit() sends; otherwise as close_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status close_add(ferry::ingress::Batch &batch, ReaderId reader,
						       F &&callback) const noexcept
	{
		return batch.add<void>(this->link(), 12, detail::CloseParams{ reader }, std::forward<F>(callback));
	}
	/** As close_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status close_post(ferry::ingress::Inbox &inbox, ReaderId reader,
							F &&callback) const noexcept
	{
		return inbox.post<void>(this->link(), 12, detail::CloseParams{ reader }, std::forward<F>(callback));
	}

	/**
	 * The version of the library.
	 * It needs no context.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	static std::string version(ferry::ingress::Timeout timeout = ferry::ingress::forever)
	{
		return try_version(timeout).value();
	}
	/** version() without exceptions. */
	static ferry::ingress::Result<std::string>
	try_version(ferry::ingress::Timeout timeout = ferry::ingress::forever) noexcept
	{
		return library().ask<std::string>(default_wire, 13, ferry::ingress::NoParams{}, timeout);
	}
	/** version() that does not wait; the future has its value or its exception. */
	[[nodiscard]] static std::future<std::string> version_future()
	{
		return library().future<std::string>(default_wire, 13, ferry::ingress::NoParams{});
	}
	/**
	 * version() that does not wait; callback(ferry::ingress::Result<std::string>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F> [[nodiscard]] static ferry::ingress::Status version_async(F &&callback) noexcept
	{
		return library().submit<std::string>(default_wire, 13, ferry::ingress::NoParams{},
						     std::forward<F>(callback));
	}

	/**
	 * Add two numbers, wrapping around.
	 * It needs no context.
	 * @param left A number.
	 * @param right Another.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	static std::int64_t sum(std::int64_t left, std::int64_t right,
				ferry::ingress::Timeout timeout = ferry::ingress::forever)
	{
		return try_sum(left, right, timeout).value();
	}
	/** sum() without exceptions. */
	static ferry::ingress::Result<std::int64_t>
	try_sum(std::int64_t left, std::int64_t right,
		ferry::ingress::Timeout timeout = ferry::ingress::forever) noexcept
	{
		return library().ask<std::int64_t>(default_wire, 14, detail::SumParams{ left, right }, timeout);
	}
	/** sum() that does not wait; the future has its value or its exception. */
	[[nodiscard]] static std::future<std::int64_t> sum_future(std::int64_t left, std::int64_t right)
	{
		return library().future<std::int64_t>(default_wire, 14, detail::SumParams{ left, right });
	}
	/**
	 * sum() that does not wait; callback(ferry::ingress::Result<std::int64_t>) is called once.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] static ferry::ingress::Status sum_async(std::int64_t left, std::int64_t right,
							      F &&callback) noexcept
	{
		return library().submit<std::int64_t>(default_wire, 14, detail::SumParams{ left, right },
						      std::forward<F>(callback));
	}

	/**
	 * Something happened.
	 * @param callback takes nothing, and a std::uint64_t after it if it can: how many were lost before
	 * @return listens for as long as it lives
	 */
	template <class F>
	ferry::ingress::Subscription on_tick(F &&callback, const ferry::ingress::ListenOptions &options = {}) const
	{
		return try_on_tick(std::forward<F>(callback), options).value();
	}
	/** on_tick() without exceptions. */
	template <class F>
	ferry::ingress::Result<ferry::ingress::Subscription>
	try_on_tick(F &&callback, const ferry::ingress::ListenOptions &options = {}) const noexcept
	{
		return ferry::ingress::Subscription::listen<void>(this->link(), 0, std::forward<F>(callback), options);
	}
	/** As try_on_tick(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	ferry::ingress::Result<ferry::ingress::InboxSubscription>
	post_tick(ferry::ingress::Inbox &inbox, F &&callback,
		  const ferry::ingress::ListenOptions &options = {}) const noexcept
	{
		return inbox.listen<void>(this->link(), 0, std::forward<F>(callback), options);
	}

	/**
	 * An echo was given.
	 * @param callback takes const EchoResponse &, and a std::uint64_t after it if it can: how many were lost before
	 * @return listens for as long as it lives
	 */
	template <class F>
	ferry::ingress::Subscription on_echoed(F &&callback, const ferry::ingress::ListenOptions &options = {}) const
	{
		return try_on_echoed(std::forward<F>(callback), options).value();
	}
	/** on_echoed() without exceptions. */
	template <class F>
	ferry::ingress::Result<ferry::ingress::Subscription>
	try_on_echoed(F &&callback, const ferry::ingress::ListenOptions &options = {}) const noexcept
	{
		return ferry::ingress::Subscription::listen<EchoResponse>(this->link(), 1, std::forward<F>(callback),
									  options);
	}
	/** As try_on_echoed(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	ferry::ingress::Result<ferry::ingress::InboxSubscription>
	post_echoed(ferry::ingress::Inbox &inbox, F &&callback,
		    const ferry::ingress::ListenOptions &options = {}) const noexcept
	{
		return inbox.listen<EchoResponse>(this->link(), 1, std::forward<F>(callback), options);
	}

private:
	explicit Context(ferry::ingress::Instance &&instance) noexcept : instance_(std::move(instance))
	{
	}

	ferry::ingress::Instance instance_;
};

} // namespace echo

#endif
