/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again. */
#ifndef NOTES_HPP
#define NOTES_HPP

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
#include <utility>
#include <vector>

/* Exported by libnotes.so. */
extern "C" const struct ingress_library *ferry_library_notes(void);

/** Full-text search over a folder of notes, with changes as they happen. */
namespace notes
{

/** What this binding was generated from; a library of another interface is refused (WrongInterfaceError). */
inline constexpr std::uint64_t interface_hash = 0xbd49e7c7bd8010b6;

/** How payloads travel, unless a context is told otherwise. */
inline constexpr ferry::ingress::Wire default_wire = ferry::ingress::Wire::c;

/** Matches in one answer, at most. */
inline constexpr std::uint32_t max_results = 1000U;

/** How matches are sorted. */
enum class Order : std::int32_t {
	/** Best first. */
	relevance = 0,
	/** Last changed first. */
	newest = 1,
};

/** What happened to a note. */
enum class ChangeKind : std::int32_t {
	added = 0,
	changed = 1,
	removed = 2,
};

/**
 * A search whose matches are fetched piece by piece.
 * A number without an owner; Cursor is one.
 */
using CursorId = ferry::ingress::HandleId<struct CursorTag>;

struct Note;
struct Totals;
struct Change;
struct Progress;
struct Found;

/** A note, without its text. */
struct Note {
	/** Below the folder, with `/`. */
	std::string path;
	/** Its first line that is not empty. */
	std::string title;
	/** When it was last changed: nanoseconds since 1970. */
	std::int64_t modified_ns = 0;
	/** Of its file. */
	std::int64_t bytes = 0;
};

/** What the index holds. */
struct Totals {
	std::int64_t notes = 0;
	/** Of all notes. */
	std::int64_t bytes = 0;
	/** Files that were left out at the last scan: too long, unreadable, or not UTF-8. */
	std::int64_t skipped = 0;
};

/** One note has changed. */
struct Change {
	ChangeKind kind = ChangeKind::added;
	std::string path;
};

/** How far a scan has come. */
struct Progress {
	std::int64_t done = 0;
	std::int64_t total = 0;
};

/** A note that matches. */
struct Found {
	Note note;
	/** A few words of it; those that were found stand between « and ». */
	std::string snippet;
	/** How well it matches; greater is better. */
	double score = 0;
};

/* Templates, so that only comparisons that a program makes are compiled; an operand may still be converted. */
template <class T_ = Note> bool operator==(const Note &a_, const Note &b_)
{
	return ferry::ingress::is_equal<T_>(a_, b_);
}
template <class T_ = Note> bool operator!=(const Note &a_, const Note &b_)
{
	return !ferry::ingress::is_equal<T_>(a_, b_);
}

template <class T_ = Totals> bool operator==(const Totals &a_, const Totals &b_)
{
	return ferry::ingress::is_equal<T_>(a_, b_);
}
template <class T_ = Totals> bool operator!=(const Totals &a_, const Totals &b_)
{
	return !ferry::ingress::is_equal<T_>(a_, b_);
}

template <class T_ = Change> bool operator==(const Change &a_, const Change &b_)
{
	return ferry::ingress::is_equal<T_>(a_, b_);
}
template <class T_ = Change> bool operator!=(const Change &a_, const Change &b_)
{
	return !ferry::ingress::is_equal<T_>(a_, b_);
}

template <class T_ = Progress> bool operator==(const Progress &a_, const Progress &b_)
{
	return ferry::ingress::is_equal<T_>(a_, b_);
}
template <class T_ = Progress> bool operator!=(const Progress &a_, const Progress &b_)
{
	return !ferry::ingress::is_equal<T_>(a_, b_);
}

template <class T_ = Found> bool operator==(const Found &a_, const Found &b_)
{
	return ferry::ingress::is_equal<T_>(a_, b_);
}
template <class T_ = Found> bool operator!=(const Found &a_, const Found &b_)
{
	return !ferry::ingress::is_equal<T_>(a_, b_);
}

/* What travels as a request: the parameters, held by reference. */
namespace detail
{
struct OpenParams {
	std::string_view path;
	std::reference_wrapper<const std::optional<std::string>> database;
	bool watch;
};
struct FindParams {
	std::string_view text;
	Order order;
	std::uint32_t limit;
};
struct SearchParams {
	std::string_view text;
	Order order;
};
struct FetchParams {
	CursorId cursor;
	std::uint32_t count;
};
struct EndSearchParams {
	CursorId cursor;
};
struct ReadParams {
	std::string_view path;
};
struct WriteParams {
	std::string_view path;
	std::string_view text;
};
struct RemoveParams {
	std::string_view path;
};
struct ParseParams {
	std::string_view text;
};
} // namespace detail

} // namespace notes

namespace ferry::ingress
{
template <> struct EnumValues<::notes::Order> {
	static constexpr bool known(std::int32_t number)
	{
		switch (number) {
		case 0:
		case 1:
			return true;
		default:
			return false;
		}
	}
};
template <> struct EnumValues<::notes::ChangeKind> {
	static constexpr bool known(std::int32_t number)
	{
		switch (number) {
		case 0:
		case 1:
		case 2:
			return true;
		default:
			return false;
		}
	}
};
template <> struct Object<::notes::Note> {
	template <class T>
	static constexpr auto list = field_list(field("path", &T::path), field("title", &T::title),
						field("modified_ns", &T::modified_ns), field("bytes", &T::bytes));
};
template <> struct Object<::notes::Totals> {
	template <class T>
	static constexpr auto list = field_list(field("notes", &T::notes), field("bytes", &T::bytes),
						field("skipped", &T::skipped));
};
template <> struct Object<::notes::Change> {
	template <class T> static constexpr auto list = field_list(field("kind", &T::kind), field("path", &T::path));
};
template <> struct Object<::notes::Progress> {
	template <class T> static constexpr auto list = field_list(field("done", &T::done), field("total", &T::total));
};
template <> struct Object<::notes::Found> {
	template <class T>
	static constexpr auto list = field_list(field("note", &T::note), field("snippet", &T::snippet),
						field("score", &T::score));
};
template <> struct Object<::notes::detail::OpenParams> {
	template <class T>
	static constexpr auto list = field_list(field("path", &T::path), field("database", &T::database),
						field("watch", &T::watch));
};
template <> struct Object<::notes::detail::FindParams> {
	template <class T>
	static constexpr auto list = field_list(field("text", &T::text), field("order", &T::order),
						field("limit", &T::limit));
};
template <> struct Object<::notes::detail::SearchParams> {
	template <class T> static constexpr auto list = field_list(field("text", &T::text), field("order", &T::order));
};
template <> struct Object<::notes::detail::FetchParams> {
	template <class T>
	static constexpr auto list = field_list(field("cursor", &T::cursor), field("count", &T::count));
};
template <> struct Object<::notes::detail::EndSearchParams> {
	template <class T> static constexpr auto list = field_list(field("cursor", &T::cursor));
};
template <> struct Object<::notes::detail::ReadParams> {
	template <class T> static constexpr auto list = field_list(field("path", &T::path));
};
template <> struct Object<::notes::detail::WriteParams> {
	template <class T> static constexpr auto list = field_list(field("path", &T::path), field("text", &T::text));
};
template <> struct Object<::notes::detail::RemoveParams> {
	template <class T> static constexpr auto list = field_list(field("path", &T::path));
};
template <> struct Object<::notes::detail::ParseParams> {
	template <class T> static constexpr auto list = field_list(field("text", &T::text));
};
} // namespace ferry::ingress

namespace notes
{

/** The library itself. */
inline ferry::ingress::Library library() noexcept
{
	return { ferry_library_notes(), interface_hash };
}

namespace detail
{
struct CursorCloser {
	template <class F> static ferry::ingress::Status close(const F &link, CursorId id) noexcept
	{
		return link.template submit<void>(5, EndSearchParams{ id },
						  [](const ferry::ingress::Result<void> &) {});
	}
};
} // namespace detail

/* The methods of a Cursor: a template, as ContextForms is. */
template <class Self_> class CursorForms
{
public:
	/**
	 * Forget a cursor.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	void end_search(ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_end_search(timeout).value();
	}
	/** end_search() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<void>>
	try_end_search(ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<void>(
			5, detail::EndSearchParams{ static_cast<const Self_ *>(this)->id() }, timeout);
	}
	/** end_search() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<void>> end_search_future() const
	{
		return static_cast<const Self_ *>(this)->link().template future<void>(
			5, detail::EndSearchParams{ static_cast<const Self_ *>(this)->id() });
	}
	/**
	 * end_search() that does not wait; callback(ferry::ingress::Result<void>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status end_search_async(F &&callback,
							      const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<void>(
			5, detail::EndSearchParams{ static_cast<const Self_ *>(this)->id() }, std::forward<F>(callback),
			ticket);
	}
	/**
	 * end_search() as one of several calls that batch.submit() sends; otherwise as end_search_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status end_search_add(ferry::ingress::Batch &batch, F &&callback,
							    const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<void>(static_cast<const Self_ *>(this)->link(), 5,
				       detail::EndSearchParams{ static_cast<const Self_ *>(this)->id() },
				       std::forward<F>(callback), ticket);
	}
	/** As end_search_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status end_search_post(ferry::ingress::Inbox &inbox, F &&callback,
							     const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<void>(static_cast<const Self_ *>(this)->link(), 5,
					detail::EndSearchParams{ static_cast<const Self_ *>(this)->id() },
					std::forward<F>(callback), ticket);
	}

	/**
	 * The next `count` matches; none at the end.
	 * @param count
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::vector<Found> fetch(std::uint32_t count, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_fetch(count, timeout).value();
	}
	/** fetch() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<std::vector<Found>>>
	try_fetch(std::uint32_t count, ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<std::vector<Found>>(
			4, detail::FetchParams{ static_cast<const Self_ *>(this)->id(), count }, timeout);
	}
	/** fetch() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<std::vector<Found>>>
	fetch_future(std::uint32_t count) const
	{
		return static_cast<const Self_ *>(this)->link().template future<std::vector<Found>>(
			4, detail::FetchParams{ static_cast<const Self_ *>(this)->id(), count });
	}
	/**
	 * fetch() that does not wait; callback(ferry::ingress::Result<std::vector<Found>>) is called once. A ticket is
	 * for link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fetch_async(std::uint32_t count, F &&callback,
							 const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<std::vector<Found>>(
			4, detail::FetchParams{ static_cast<const Self_ *>(this)->id(), count },
			std::forward<F>(callback), ticket);
	}
	/**
	 * fetch() as one of several calls that batch.submit() sends; otherwise as fetch_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fetch_add(ferry::ingress::Batch &batch, std::uint32_t count, F &&callback,
						       const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<std::vector<Found>>(static_cast<const Self_ *>(this)->link(), 4,
						     detail::FetchParams{ static_cast<const Self_ *>(this)->id(),
									  count },
						     std::forward<F>(callback), ticket);
	}
	/** As fetch_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fetch_post(ferry::ingress::Inbox &inbox, std::uint32_t count, F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<std::vector<Found>>(static_cast<const Self_ *>(this)->link(), 4,
						      detail::FetchParams{ static_cast<const Self_ *>(this)->id(),
									   count },
						      std::forward<F>(callback), ticket);
	}
};

/**
 * A search whose matches are fetched piece by piece.
 * Owns one, and closes it when it ends. Its methods may be called by any thread, while it is not moved or ended.
 */
class Cursor : public ferry::ingress::OwnedHandle<CursorId, detail::CursorCloser>, public CursorForms<Cursor>
{
public:
	using OwnedHandle::OwnedHandle;

private:
	friend CursorForms<Cursor>;
};

/* The methods of a Chain: a template, as ContextForms is. */
template <class Self_> class ChainForms
{
public:
	/** The notes that match. Words must all occur; "a phrase", begin*, -without and #tag are understood. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<std::vector<Found>>>
	find(const ferry::ingress::Argument<std::string> &text, const ferry::ingress::Argument<Order> &order,
	     const ferry::ingress::Argument<std::uint32_t> &limit)
	{
		return static_cast<Self_ *>(this)->chain_.template add<detail::FindParams, std::vector<Found>>(2, text,
													       order,
													       limit);
	}

	/** As find, for many matches: a cursor from which they are fetched. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<CursorId>>
	search(const ferry::ingress::Argument<std::string> &text, const ferry::ingress::Argument<Order> &order)
	{
		return static_cast<Self_ *>(this)->chain_.template add<detail::SearchParams, CursorId>(3, text, order);
	}

	/** The next `count` matches; none at the end. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<std::vector<Found>>>
	fetch(const ferry::ingress::Argument<CursorId> &cursor, const ferry::ingress::Argument<std::uint32_t> &count)
	{
		return static_cast<Self_ *>(this)->chain_.template add<detail::FetchParams, std::vector<Found>>(4,
														cursor,
														count);
	}

	/** Forget a cursor. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<void>>
	end_search(const ferry::ingress::Argument<CursorId> &cursor)
	{
		return static_cast<Self_ *>(this)->chain_.template add<detail::EndSearchParams, void>(5, cursor);
	}

	/** The text of a note. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<std::string>>
	read(const ferry::ingress::Argument<std::string> &path)
	{
		return static_cast<Self_ *>(this)->chain_.template add<detail::ReadParams, std::string>(6, path);
	}

	/** Write a note, and index it. It is replaced as a whole or not at all. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<void>>
	write(const ferry::ingress::Argument<std::string> &path, const ferry::ingress::Argument<std::string> &text)
	{
		return static_cast<Self_ *>(this)->chain_.template add<detail::WriteParams, void>(7, path, text);
	}

	/** Remove a note's file, and forget it. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<void>>
	remove(const ferry::ingress::Argument<std::string> &path)
	{
		return static_cast<Self_ *>(this)->chain_.template add<detail::RemoveParams, void>(8, path);
	}

	/** Look at the whole folder again; other requests go on meanwhile. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<Totals>> refresh()
	{
		return static_cast<Self_ *>(this)->chain_.template add<ferry::ingress::NoParams, Totals>(9);
	}

	/** What the index holds. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<Totals>> totals()
	{
		return static_cast<Self_ *>(this)->chain_.template add<ferry::ingress::NoParams, Totals>(10);
	}

	/** The files that were left out, and why. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<std::map<std::string, std::string>>> skipped()
	{
		return static_cast<Self_ *>(this)
			->chain_.template add<ferry::ingress::NoParams, std::map<std::string, std::string>>(11);
	}

	/** Every tag, and how many notes have it. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<std::map<std::string, std::uint32_t>>> tags()
	{
		return static_cast<Self_ *>(this)
			->chain_.template add<ferry::ingress::NoParams, std::map<std::string, std::uint32_t>>(12);
	}

	/** How a query is understood, in the words of SQLite's FTS5; a query that cannot be asked fails. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Promise<std::string>>
	parse(const ferry::ingress::Argument<std::string> &text)
	{
		return static_cast<Self_ *>(this)->chain_.template add<detail::ParseParams, std::string>(13, text);
	}
};

/** Calls of a context that run one after another: what each returns may be an argument of a later one. */
class Chain : public ChainForms<Chain>
{
public:
	explicit Chain(const ferry::ingress::Link &link) noexcept : chain_(link.token())
	{
	}

	/** Submit the calls, and wait until each has its result or its failure: ferry::ingress::Chain::submit(). */
	void submit(ferry::ingress::Timeout timeout = ferry::ingress::forever)
	{
		chain_.submit(timeout);
	}
	/** submit() without exceptions. */
	ferry::ingress::Result<void> try_submit(ferry::ingress::Timeout timeout = ferry::ingress::forever) noexcept
	{
		return chain_.try_submit(timeout);
	}
	/** The call that is added next also needs the one of this promise to have succeeded. */
	template <class F> void after(const F &promise)
	{
		chain_.after(promise);
	}

private:
	friend ChainForms<Chain>;

	ferry::ingress::Chain chain_;
};

/*
 * The methods of a Context. Of a class template a compiler compiles only those members that a program calls, and
 * a binding has many. So that holds for what they return too, Lazy<Self_, T> stands there, which is T.
 */
template <class Self_> class ContextForms
{
public:
	/**
	 * Open the folder `path` and bring its index up to date. The index is kept in the file `database`, or in
	 * memory; with `watch` it follows the folder's changes.
	 * @param path
	 * @param database
	 * @param watch
	 * @param options limits and times
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	static Self_ open(std::string_view path, const std::optional<std::string> &database, bool watch,
			  const ferry::ingress::Options &options = {},
			  ferry::ingress::Timeout timeout = ferry::ingress::forever)
	{
		return Self_::try_open(path, database, watch, options, timeout).value();
	}
	/** open() without exceptions. */
	static ferry::ingress::Result<Self_>
	try_open(std::string_view path, const std::optional<std::string> &database, bool watch,
		 const ferry::ingress::Options &options = {},
		 ferry::ingress::Timeout timeout = ferry::ingress::forever) noexcept
	{
		auto made = ferry::ingress::Instance::create(ferry::ingress::lazily<Self_>(library()),
							     options.wire.value_or(default_wire), options, 0,
							     detail::OpenParams{ path, database, watch }, timeout);

		if (!made)
			return std::move(made).error();
		return Self_(std::move(made).value());
	}

	/** open() that does not wait; the future has the context or its exception. */
	[[nodiscard]] static std::future<Self_> open_future(std::string_view path,
							    const std::optional<std::string> &database, bool watch,
							    const ferry::ingress::Options &options = {})
	{
		const auto promise = std::make_shared<std::promise<Self_>>();
		std::future<Self_> future = promise->get_future();
		const auto status = Self_::open_async(
			path, database, watch,
			[promise](ferry::ingress::Result<Self_> made) {
				ferry::ingress::Link::settle(*promise, std::move(made));
			},
			options);

		if (status != ferry::ingress::Status::ok)
			ferry::ingress::Link::settle<Self_, void>(*promise, ferry::ingress::Failure{ status, {} });
		return future;
	}
	/**
	 * open() that does not wait; callback(ferry::ingress::Result<Context>) is called once, on the library's thread.
	 * A context that it lets go ends.
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] static ferry::ingress::Status
	open_async(std::string_view path, const std::optional<std::string> &database, bool watch, F &&callback,
		   const ferry::ingress::Options &options = {}) noexcept
	{
		return ferry::ingress::Instance::start(
			ferry::ingress::lazily<Self_>(library()), options.wire.value_or(default_wire), options, 0,
			detail::OpenParams{ path, database, watch },
			[callback = std::forward<F>(callback)](
				ferry::ingress::Result<ferry::ingress::Instance> made) mutable {
				if (made)
					callback(ferry::ingress::Result<Self_>(Self_(std::move(made).value())));
				else
					callback(ferry::ingress::Result<Self_>(std::move(made).error()));
			});
	}

	/**
	 * The notes that match. Words must all occur; "a phrase", begin*, -without and #tag are understood.
	 * @param text
	 * @param order
	 * @param limit
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::vector<Found> find(std::string_view text, Order order, std::uint32_t limit,
				ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_find(text, order, limit, timeout).value();
	}
	/** find() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<std::vector<Found>>>
	try_find(std::string_view text, Order order, std::uint32_t limit,
		 ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<std::vector<Found>>(
			2, detail::FindParams{ text, order, limit }, timeout);
	}
	/** find() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<std::vector<Found>>>
	find_future(std::string_view text, Order order, std::uint32_t limit) const
	{
		return static_cast<const Self_ *>(this)->link().template future<std::vector<Found>>(
			2, detail::FindParams{ text, order, limit });
	}
	/**
	 * find() that does not wait; callback(ferry::ingress::Result<std::vector<Found>>) is called once. A ticket is
	 * for link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status find_async(std::string_view text, Order order, std::uint32_t limit,
							F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<std::vector<Found>>(
			2, detail::FindParams{ text, order, limit }, std::forward<F>(callback), ticket);
	}
	/**
	 * find() as one of several calls that batch.submit() sends; otherwise as find_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status find_add(ferry::ingress::Batch &batch, std::string_view text, Order order,
						      std::uint32_t limit, F &&callback,
						      const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<std::vector<Found>>(static_cast<const Self_ *>(this)->link(), 2,
						     detail::FindParams{ text, order, limit },
						     std::forward<F>(callback), ticket);
	}
	/** As find_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status find_post(ferry::ingress::Inbox &inbox, std::string_view text, Order order,
						       std::uint32_t limit, F &&callback,
						       const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<std::vector<Found>>(static_cast<const Self_ *>(this)->link(), 2,
						      detail::FindParams{ text, order, limit },
						      std::forward<F>(callback), ticket);
	}

	/**
	 * As find, for many matches: a cursor from which they are fetched.
	 * @param text
	 * @param order
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	Cursor search(std::string_view text, Order order,
		      ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_search(text, order, timeout).value();
	}
	/** search() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<Cursor>>
	try_search(std::string_view text, Order order,
		   ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<Cursor>(
			3, detail::SearchParams{ text, order }, timeout);
	}
	/** search() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<Cursor>> search_future(std::string_view text,
										     Order order) const
	{
		return static_cast<const Self_ *>(this)->link().template future<Cursor>(3, detail::SearchParams{
												   text, order });
	}
	/**
	 * search() that does not wait; callback(ferry::ingress::Result<Cursor>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status search_async(std::string_view text, Order order, F &&callback,
							  const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<Cursor>(
			3, detail::SearchParams{ text, order }, std::forward<F>(callback), ticket);
	}
	/**
	 * search() as one of several calls that batch.submit() sends; otherwise as search_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status search_add(ferry::ingress::Batch &batch, std::string_view text,
							Order order, F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<Cursor>(static_cast<const Self_ *>(this)->link(), 3,
					 detail::SearchParams{ text, order }, std::forward<F>(callback), ticket);
	}
	/** As search_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status search_post(ferry::ingress::Inbox &inbox, std::string_view text,
							 Order order, F &&callback,
							 const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<Cursor>(static_cast<const Self_ *>(this)->link(), 3,
					  detail::SearchParams{ text, order }, std::forward<F>(callback), ticket);
	}

	/**
	 * The next `count` matches; none at the end.
	 * @param cursor
	 * @param count
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::vector<Found> fetch(CursorId cursor, std::uint32_t count,
				 ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_fetch(cursor, count, timeout).value();
	}
	/** fetch() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<std::vector<Found>>>
	try_fetch(CursorId cursor, std::uint32_t count,
		  ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<std::vector<Found>>(
			4, detail::FetchParams{ cursor, count }, timeout);
	}
	/** fetch() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<std::vector<Found>>>
	fetch_future(CursorId cursor, std::uint32_t count) const
	{
		return static_cast<const Self_ *>(this)->link().template future<std::vector<Found>>(
			4, detail::FetchParams{ cursor, count });
	}
	/**
	 * fetch() that does not wait; callback(ferry::ingress::Result<std::vector<Found>>) is called once. A ticket is
	 * for link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fetch_async(CursorId cursor, std::uint32_t count, F &&callback,
							 const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<std::vector<Found>>(
			4, detail::FetchParams{ cursor, count }, std::forward<F>(callback), ticket);
	}
	/**
	 * fetch() as one of several calls that batch.submit() sends; otherwise as fetch_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fetch_add(ferry::ingress::Batch &batch, CursorId cursor,
						       std::uint32_t count, F &&callback,
						       const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<std::vector<Found>>(static_cast<const Self_ *>(this)->link(), 4,
						     detail::FetchParams{ cursor, count }, std::forward<F>(callback),
						     ticket);
	}
	/** As fetch_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status fetch_post(ferry::ingress::Inbox &inbox, CursorId cursor,
							std::uint32_t count, F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<std::vector<Found>>(static_cast<const Self_ *>(this)->link(), 4,
						      detail::FetchParams{ cursor, count }, std::forward<F>(callback),
						      ticket);
	}

	/**
	 * Forget a cursor.
	 * @param cursor
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	void end_search(CursorId cursor, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_end_search(cursor, timeout).value();
	}
	/** end_search() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<void>>
	try_end_search(CursorId cursor, ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<void>(5, detail::EndSearchParams{ cursor },
										   timeout);
	}
	/** end_search() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<void>> end_search_future(CursorId cursor) const
	{
		return static_cast<const Self_ *>(this)->link().template future<void>(5, detail::EndSearchParams{
												 cursor });
	}
	/**
	 * end_search() that does not wait; callback(ferry::ingress::Result<void>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status end_search_async(CursorId cursor, F &&callback,
							      const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<void>(5,
										      detail::EndSearchParams{ cursor },
										      std::forward<F>(callback),
										      ticket);
	}
	/**
	 * end_search() as one of several calls that batch.submit() sends; otherwise as end_search_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status end_search_add(ferry::ingress::Batch &batch, CursorId cursor, F &&callback,
							    const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<void>(static_cast<const Self_ *>(this)->link(), 5, detail::EndSearchParams{ cursor },
				       std::forward<F>(callback), ticket);
	}
	/** As end_search_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status end_search_post(ferry::ingress::Inbox &inbox, CursorId cursor,
							     F &&callback,
							     const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<void>(static_cast<const Self_ *>(this)->link(), 5, detail::EndSearchParams{ cursor },
					std::forward<F>(callback), ticket);
	}

	/**
	 * The text of a note.
	 * @param path
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::string read(std::string_view path, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_read(path, timeout).value();
	}
	/** read() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<std::string>>
	try_read(std::string_view path, ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<std::string>(6, detail::ReadParams{ path },
											  timeout);
	}
	/** read() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<std::string>> read_future(std::string_view path) const
	{
		return static_cast<const Self_ *>(this)->link().template future<std::string>(6, detail::ReadParams{
													path });
	}
	/**
	 * read() that does not wait; callback(ferry::ingress::Result<std::string>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_async(std::string_view path, F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<std::string>(6,
											     detail::ReadParams{ path },
											     std::forward<F>(callback),
											     ticket);
	}
	/**
	 * read() as one of several calls that batch.submit() sends; otherwise as read_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_add(ferry::ingress::Batch &batch, std::string_view path, F &&callback,
						      const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<std::string>(static_cast<const Self_ *>(this)->link(), 6, detail::ReadParams{ path },
					      std::forward<F>(callback), ticket);
	}
	/** As read_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status read_post(ferry::ingress::Inbox &inbox, std::string_view path,
						       F &&callback,
						       const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<std::string>(static_cast<const Self_ *>(this)->link(), 6, detail::ReadParams{ path },
					       std::forward<F>(callback), ticket);
	}

	/**
	 * Write a note, and index it. It is replaced as a whole or not at all.
	 * @param path
	 * @param text
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	void write(std::string_view path, std::string_view text,
		   ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_write(path, text, timeout).value();
	}
	/** write() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<void>>
	try_write(std::string_view path, std::string_view text,
		  ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<void>(7, detail::WriteParams{ path, text },
										   timeout);
	}
	/** write() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<void>> write_future(std::string_view path,
										  std::string_view text) const
	{
		return static_cast<const Self_ *>(this)->link().template future<void>(7, detail::WriteParams{ path,
													      text });
	}
	/**
	 * write() that does not wait; callback(ferry::ingress::Result<void>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status write_async(std::string_view path, std::string_view text, F &&callback,
							 const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<void>(7,
										      detail::WriteParams{ path, text },
										      std::forward<F>(callback),
										      ticket);
	}
	/**
	 * write() as one of several calls that batch.submit() sends; otherwise as write_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status write_add(ferry::ingress::Batch &batch, std::string_view path,
						       std::string_view text, F &&callback,
						       const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<void>(static_cast<const Self_ *>(this)->link(), 7, detail::WriteParams{ path, text },
				       std::forward<F>(callback), ticket);
	}
	/** As write_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status write_post(ferry::ingress::Inbox &inbox, std::string_view path,
							std::string_view text, F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<void>(static_cast<const Self_ *>(this)->link(), 7, detail::WriteParams{ path, text },
					std::forward<F>(callback), ticket);
	}

	/**
	 * Remove a note's file, and forget it.
	 * @param path
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	void remove(std::string_view path, ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_remove(path, timeout).value();
	}
	/** remove() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<void>>
	try_remove(std::string_view path, ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<void>(8, detail::RemoveParams{ path },
										   timeout);
	}
	/** remove() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<void>> remove_future(std::string_view path) const
	{
		return static_cast<const Self_ *>(this)->link().template future<void>(8, detail::RemoveParams{ path });
	}
	/**
	 * remove() that does not wait; callback(ferry::ingress::Result<void>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status remove_async(std::string_view path, F &&callback,
							  const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<void>(8, detail::RemoveParams{ path },
										      std::forward<F>(callback),
										      ticket);
	}
	/**
	 * remove() as one of several calls that batch.submit() sends; otherwise as remove_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status remove_add(ferry::ingress::Batch &batch, std::string_view path,
							F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<void>(static_cast<const Self_ *>(this)->link(), 8, detail::RemoveParams{ path },
				       std::forward<F>(callback), ticket);
	}
	/** As remove_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status remove_post(ferry::ingress::Inbox &inbox, std::string_view path,
							 F &&callback,
							 const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<void>(static_cast<const Self_ *>(this)->link(), 8, detail::RemoveParams{ path },
					std::forward<F>(callback), ticket);
	}

	/**
	 * Look at the whole folder again; other requests go on meanwhile.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	Totals refresh(ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_refresh(timeout).value();
	}
	/** refresh() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<Totals>>
	try_refresh(ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<Totals>(9, ferry::ingress::NoParams{},
										     timeout);
	}
	/** refresh() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<Totals>> refresh_future() const
	{
		return static_cast<const Self_ *>(this)->link().template future<Totals>(9, ferry::ingress::NoParams{});
	}
	/**
	 * refresh() that does not wait; callback(ferry::ingress::Result<Totals>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status refresh_async(F &&callback,
							   const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<Totals>(9, ferry::ingress::NoParams{},
											std::forward<F>(callback),
											ticket);
	}
	/**
	 * refresh() as one of several calls that batch.submit() sends; otherwise as refresh_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status refresh_add(ferry::ingress::Batch &batch, F &&callback,
							 const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<Totals>(static_cast<const Self_ *>(this)->link(), 9, ferry::ingress::NoParams{},
					 std::forward<F>(callback), ticket);
	}
	/** As refresh_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status refresh_post(ferry::ingress::Inbox &inbox, F &&callback,
							  const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<Totals>(static_cast<const Self_ *>(this)->link(), 9, ferry::ingress::NoParams{},
					  std::forward<F>(callback), ticket);
	}

	/**
	 * What the index holds.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	Totals totals(ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_totals(timeout).value();
	}
	/** totals() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<Totals>>
	try_totals(ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<Totals>(10, ferry::ingress::NoParams{},
										     timeout);
	}
	/** totals() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<Totals>> totals_future() const
	{
		return static_cast<const Self_ *>(this)->link().template future<Totals>(10, ferry::ingress::NoParams{});
	}
	/**
	 * totals() that does not wait; callback(ferry::ingress::Result<Totals>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status totals_async(F &&callback,
							  const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<Totals>(10, ferry::ingress::NoParams{},
											std::forward<F>(callback),
											ticket);
	}
	/**
	 * totals() as one of several calls that batch.submit() sends; otherwise as totals_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status totals_add(ferry::ingress::Batch &batch, F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<Totals>(static_cast<const Self_ *>(this)->link(), 10, ferry::ingress::NoParams{},
					 std::forward<F>(callback), ticket);
	}
	/** As totals_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status totals_post(ferry::ingress::Inbox &inbox, F &&callback,
							 const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<Totals>(static_cast<const Self_ *>(this)->link(), 10, ferry::ingress::NoParams{},
					  std::forward<F>(callback), ticket);
	}

	/**
	 * The files that were left out, and why.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::map<std::string, std::string> skipped(ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_skipped(timeout).value();
	}
	/** skipped() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<std::map<std::string, std::string>>>
	try_skipped(ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<std::map<std::string, std::string>>(
			11, ferry::ingress::NoParams{}, timeout);
	}
	/** skipped() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<std::map<std::string, std::string>>>
	skipped_future() const
	{
		return static_cast<const Self_ *>(this)->link().template future<std::map<std::string, std::string>>(
			11, ferry::ingress::NoParams{});
	}
	/**
	 * skipped() that does not wait; callback(ferry::ingress::Result<std::map<std::string, std::string>>) is called
	 * once. A ticket is for link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status skipped_async(F &&callback,
							   const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<std::map<std::string, std::string>>(
			11, ferry::ingress::NoParams{}, std::forward<F>(callback), ticket);
	}
	/**
	 * skipped() as one of several calls that batch.submit() sends; otherwise as skipped_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status skipped_add(ferry::ingress::Batch &batch, F &&callback,
							 const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<std::map<std::string, std::string>>(static_cast<const Self_ *>(this)->link(), 11,
								     ferry::ingress::NoParams{},
								     std::forward<F>(callback), ticket);
	}
	/** As skipped_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status skipped_post(ferry::ingress::Inbox &inbox, F &&callback,
							  const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<std::map<std::string, std::string>>(static_cast<const Self_ *>(this)->link(), 11,
								      ferry::ingress::NoParams{},
								      std::forward<F>(callback), ticket);
	}

	/**
	 * Every tag, and how many notes have it.
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	std::map<std::string, std::uint32_t> tags(ferry::ingress::Timeout timeout = ferry::ingress::forever) const
	{
		return static_cast<const Self_ *>(this)->try_tags(timeout).value();
	}
	/** tags() without exceptions. */
	ferry::ingress::Lazy<Self_, ferry::ingress::Result<std::map<std::string, std::uint32_t>>>
	try_tags(ferry::ingress::Timeout timeout = ferry::ingress::forever) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template ask<std::map<std::string, std::uint32_t>>(
			12, ferry::ingress::NoParams{}, timeout);
	}
	/** tags() that does not wait; the future has its value or its exception. */
	[[nodiscard]] ferry::ingress::Lazy<Self_, std::future<std::map<std::string, std::uint32_t>>> tags_future() const
	{
		return static_cast<const Self_ *>(this)->link().template future<std::map<std::string, std::uint32_t>>(
			12, ferry::ingress::NoParams{});
	}
	/**
	 * tags() that does not wait; callback(ferry::ingress::Result<std::map<std::string, std::uint32_t>>) is called
	 * once. A ticket is for link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status tags_async(F &&callback,
							const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return static_cast<const Self_ *>(this)->link().template submit<std::map<std::string, std::uint32_t>>(
			12, ferry::ingress::NoParams{}, std::forward<F>(callback), ticket);
	}
	/**
	 * tags() as one of several calls that batch.submit() sends; otherwise as tags_async().
	 * @return Status::ok, or why nothing was added
	 */
	template <class F>
	[[nodiscard]] ferry::ingress::Status tags_add(ferry::ingress::Batch &batch, F &&callback,
						      const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return batch.add<std::map<std::string, std::uint32_t>>(static_cast<const Self_ *>(this)->link(), 12,
								       ferry::ingress::NoParams{},
								       std::forward<F>(callback), ticket);
	}
	/** As tags_async(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	[[nodiscard]] ferry::ingress::Status tags_post(ferry::ingress::Inbox &inbox, F &&callback,
						       const ferry::ingress::Ticket &ticket = {}) const noexcept
	{
		return inbox.post<std::map<std::string, std::uint32_t>>(static_cast<const Self_ *>(this)->link(), 12,
									ferry::ingress::NoParams{},
									std::forward<F>(callback), ticket);
	}

	/**
	 * How a query is understood, in the words of SQLite's FTS5; a query that cannot be asked fails.
	 * It needs no context.
	 * @param text
	 * @param timeout how long to wait, at most
	 * @throws ferry::ingress::Error the class of what went wrong
	 */
	static std::string parse(std::string_view text, ferry::ingress::Timeout timeout = ferry::ingress::forever)
	{
		return Self_::try_parse(text, timeout).value();
	}
	/** parse() without exceptions. */
	static ferry::ingress::Lazy<Self_, ferry::ingress::Result<std::string>>
	try_parse(std::string_view text, ferry::ingress::Timeout timeout = ferry::ingress::forever) noexcept
	{
		return ferry::ingress::lazily<Self_>(library()).template ask<std::string>(default_wire, 13,
											  detail::ParseParams{ text },
											  timeout);
	}
	/** parse() that does not wait; the future has its value or its exception. */
	[[nodiscard]] static ferry::ingress::Lazy<Self_, std::future<std::string>> parse_future(std::string_view text)
	{
		return ferry::ingress::lazily<Self_>(library()).template future<std::string>(default_wire, 13,
											     detail::ParseParams{
												     text });
	}
	/**
	 * parse() that does not wait; callback(ferry::ingress::Result<std::string>) is called once. A ticket is for
	 * link().cancel().
	 * @return Status::ok, or why it was refused, and then callback is not called
	 */
	template <class F>
	[[nodiscard]] static ferry::ingress::Status parse_async(std::string_view text, F &&callback,
								const ferry::ingress::Ticket &ticket = {}) noexcept
	{
		return ferry::ingress::lazily<Self_>(library()).template submit<std::string>(
			default_wire, 13, detail::ParseParams{ text }, std::forward<F>(callback), ticket);
	}

	/**
	 * A note was added, changed or removed, and the index knows.
	 * @param callback takes const Change &, and a std::uint64_t after it if it can: how many were lost before
	 * @return listens for as long as it lives
	 */
	template <class F>
	ferry::ingress::Subscription on_note_changed(F &&callback,
						     const ferry::ingress::ListenOptions &options = {}) const
	{
		return static_cast<const Self_ *>(this)
			->try_on_note_changed(std::forward<F>(callback), options)
			.value();
	}
	/** on_note_changed() without exceptions. */
	template <class F>
	ferry::ingress::Result<ferry::ingress::Subscription>
	try_on_note_changed(F &&callback, const ferry::ingress::ListenOptions &options = {}) const noexcept
	{
		return ferry::ingress::Subscription::listen<Change>(static_cast<const Self_ *>(this)->link(), 0,
								    std::forward<F>(callback), options);
	}
	/** As try_on_note_changed(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	ferry::ingress::Result<ferry::ingress::InboxSubscription>
	post_note_changed(ferry::ingress::Inbox &inbox, F &&callback,
			  const ferry::ingress::ListenOptions &options = {}) const noexcept
	{
		return inbox.listen<Change>(static_cast<const Self_ *>(this)->link(), 0, std::forward<F>(callback),
					    options);
	}

	/**
	 * A scan has come so far; at its end `done` is `total`.
	 * @param callback takes const Progress &, and a std::uint64_t after it if it can: how many were lost before
	 * @return listens for as long as it lives
	 */
	template <class F>
	ferry::ingress::Subscription on_scanned(F &&callback, const ferry::ingress::ListenOptions &options = {}) const
	{
		return static_cast<const Self_ *>(this)->try_on_scanned(std::forward<F>(callback), options).value();
	}
	/** on_scanned() without exceptions. */
	template <class F>
	ferry::ingress::Result<ferry::ingress::Subscription>
	try_on_scanned(F &&callback, const ferry::ingress::ListenOptions &options = {}) const noexcept
	{
		return ferry::ingress::Subscription::listen<Progress>(static_cast<const Self_ *>(this)->link(), 1,
								      std::forward<F>(callback), options);
	}
	/** As try_on_scanned(), but that inbox.run() calls callback, on its thread. */
	template <class F>
	ferry::ingress::Result<ferry::ingress::InboxSubscription>
	post_scanned(ferry::ingress::Inbox &inbox, F &&callback,
		     const ferry::ingress::ListenOptions &options = {}) const noexcept
	{
		return inbox.listen<Progress>(static_cast<const Self_ *>(this)->link(), 1, std::forward<F>(callback),
					      options);
	}
};

/**
 * Full-text search over a folder of notes, with changes as they happen.
 * A context: one running instance of the library. Methods may be called by any number of threads at any time, while it
 * is not moved or ended. Callbacks run on the library's thread, listeners on its event thread; neither may throw.
 */
class Context : public ContextForms<Context>
{
public:
	/** What requests go through: for handles that arrive as numbers. */
	[[nodiscard]] const ferry::ingress::Link &link() const noexcept
	{
		return instance_.link();
	}

	/** An empty chain of calls, which its submit() makes one after another. */
	[[nodiscard]] Chain chain() const noexcept
	{
		return Chain(instance_.link());
	}

	/**
	 * Close the index.
	 * What waits is answered ClosedError; what runs is waited for. No callback runs afterwards.
	 * @param timeout how long to wait for handlers that run, at most; they are then left alone (TimeoutError)
	 * @throws ferry::ingress::Error ReentrantError in a callback of this context, which is then as it was
	 */
	void close(ferry::ingress::Timeout timeout = ferry::ingress::forever)
	{
		try_close(timeout).value();
	}
	/** close() without exceptions. */
	ferry::ingress::Result<void> try_close(ferry::ingress::Timeout timeout = ferry::ingress::forever) noexcept
	{
		return instance_.destroy(timeout);
	}

private:
	friend ContextForms<Context>;

	explicit Context(ferry::ingress::Instance &&instance) noexcept : instance_(std::move(instance))
	{
	}

	ferry::ingress::Instance instance_;
};

} // namespace notes

#endif
