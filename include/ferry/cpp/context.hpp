/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context that ends with its owner, and the context of a library's static methods. Generated classes own one
 * Instance.
 */
#ifndef FERRY_CPP_CONTEXT_HPP
#define FERRY_CPP_CONTEXT_HPP

#include <ferry/cpp/handle.hpp>
#include <ferry/cpp/listen.hpp>

#include <thread>

namespace ferry::ingress
{

/** Limits and times of a context; a zero stands for the library's default. */
struct Options {
	std::uint32_t queue_depth = 0;	 /**< requests without a reply, at most; rounded up to a power of two */
	std::uint32_t event_depth = 0;	 /**< events that wait for one listener, at most; rounded likewise */
	std::uint64_t payload_bytes = 0; /**< how large one request may be */
	Timeout stale{ 0 };		 /**< how often the host is told that a request still runs */
	Timeout stuck{ 0 };		 /**< how long a listener may take before it counts as stuck */
	Timeout spin{ 0 };		 /**< how long a waiting thread spins before it sleeps; negative: not at all */
	std::optional<Wire> wire;	 /**< how payloads travel; unless given, as the binding was generated */
	/** How long the end of the owner waits for handlers that run; those are then left alone. */
	Timeout end{ std::chrono::seconds(10) };
};

/** A library as its binding knows it. */
struct Library {
	const struct ingress_library *library = nullptr;
	std::uint64_t interface_hash = 0;

	/** Whether the library was built from the interface of the binding. */
	[[nodiscard]] Status check() const noexcept
	{
		return static_cast<Status>(ingress_library_check(library, interface_hash));
	}
	/** statics() without a Result, which every program would have to compile. */
	Status find_statics(Wire wire, Link &link) const noexcept
	{
		Status status = check();
		ingress_token token = 0;

		if (status == Status::ok)
			status = static_cast<Status>(ingress_static_context(library, &token));
		if (status == Status::ok)
			link = Link(token, wire);
		return status;
	}
	/** The context in which static methods run. */
	template <class L = Link> [[nodiscard]] Result<L> statics(Wire wire) const noexcept
	{
		L link;
		const Status status = find_statics(wire, link);

		if (status != Status::ok)
			return Failure{ status, {} };
		return link;
	}
	/** Call a static method. */
	template <class R, class E = void, class P>
	Result<R, E> ask(Wire wire, std::uint32_t method, const P &params, Timeout timeout) const noexcept
	{
		Link link;
		const Status status = find_statics(wire, link);

		if (status != Status::ok)
			return Failure{ status, {} };
		return link.ask<R, E>(method, params, timeout);
	}
	/** Submit a call of a static method. */
	template <class R, class E = void, class P, class F>
	Status submit(Wire wire, std::uint32_t method, const P &params, F &&function,
		      const Ticket &ticket = {}) const noexcept
	{
		Link link;
		const Status status = find_statics(wire, link);

		if (status != Status::ok)
			return status;
		return link.submit<R, E>(method, params, std::forward<F>(function), ticket);
	}
	/** Call a static method by future. */
	template <class R, class E = void, class P>
	std::future<R> future(Wire wire, std::uint32_t method, const P &params) const
	{
		Link link;
		const Status status = find_statics(wire, link);

		if (status != Status::ok)
			raise(Failure{ status, {} });
		return link.future<R, E>(method, params);
	}
};

/** Owns a context; move-only. Any thread may call it; one thread moves or destroys it, while no other uses it. */
class Instance
{
public:
	/** Start a context and wait for its constructor. */
	template <class E = void, class P>
	static Result<Instance, E> create(const Library &library, Wire wire, const Options &options,
					  std::uint32_t method, const P &params, Timeout timeout) noexcept
	{
		Message message;
		Status status = library.check();

		if (status == Status::ok)
			status = encode(wire, params, message);
		if (status != Status::ok)
			return Failure{ status, {} };
		const struct ingress_options limits = to_core(options);
		struct ingress_answer answer = {};
		ingress_token token = 0;

		status = static_cast<Status>(ingress_context_create(library.library, &limits, method,
								    static_cast<std::uint32_t>(wire), message.data(),
								    message.size(), timeout.count(), &token, &answer));
		Result<void, E> made = decode_reply<void, E>(static_cast<enum ingress_status>(status), answer.wire,
							     answer.data, answer.bytes);

		ingress_answer_release(&answer);
		if (!made)
			return std::move(made).error();
		return Instance(Link(token, wire), options.end);
	}

	/**
	 * Start a context; `function` is called once with a Result<Instance, E> when its constructor has run, on its
	 * library thread, unless this returns another status than Status::ok.
	 */
	template <class E = void, class P, class F>
	static Status start(const Library &library, Wire wire, const Options &options, std::uint32_t method,
			    const P &params, F &&function) noexcept
	{
		using Waiting = Starting<E, std::decay_t<F>>;
		Message message;
		Status status = library.check();

		if (status == Status::ok)
			status = encode(wire, params, message);
		if (status != Status::ok)
			return status;
		const struct ingress_options limits = to_core(options);
		struct ingress_call call = {};
		auto *waiting = new (std::nothrow) Waiting{ std::forward<F>(function), wire, options.end };

		if (!waiting)
			return Status::no_memory;
		call.method = method;
		call.wire = static_cast<std::uint32_t>(wire);
		call.data = message.data(); /* copied before this returns */
		call.bytes = message.size();
		call.reply = Waiting::reply;
		call.user = waiting;
		/* the reply, which deletes `waiting`, finds the token in it: the core writes that before */
		status = static_cast<Status>(ingress_context_start(library.library, &limits, &call, &waiting->token));
		if (status != Status::ok)
			delete waiting;
		return status;
	}

	Instance() noexcept = default;
	Instance(Instance &&other) noexcept : link_(std::exchange(other.link_, Link())), end_(other.end_)
	{
	}
	Instance &operator=(Instance &&other) noexcept
	{
		if (this != &other) {
			end();
			link_ = std::exchange(other.link_, Link());
			end_ = other.end_;
		}
		return *this;
	}
	Instance(const Instance &) = delete;
	Instance &operator=(const Instance &) = delete;
	~Instance()
	{
		end();
	}

	[[nodiscard]] const Link &link() const noexcept
	{
		return link_;
	}
	/**
	 * End the context: requests that wait for their handler are answered ClosedError, and handlers that run are
	 * waited for. Status::timeout: a handler still runs, and is left alone. In any case no callback runs
	 * afterwards.
	 */
	Result<void> destroy(Timeout timeout) noexcept
	{
		const auto status = static_cast<Status>(ingress_context_destroy(link_.token(), timeout.count()));

		if (status == Status::reentrant)
			return Failure{ status, {} };
		link_ = Link();
		if (status != Status::ok)
			return Failure{ status, {} };
		return {};
	}

private:
	/** A constructor that has not been answered. */
	template <class E, class F> struct Starting {
		F function;
		Wire wire;
		Timeout end;
		ingress_token token = 0;

		/** What the core calls. An exception that leaves the function ends the program. */
		static void reply(void *user, const struct ingress_reply *reply) noexcept // NOLINT(*-exception-escape)
		{
			auto *self = static_cast<Starting *>(user);

			if (reply->status == INGRESS_STALE)
				return;
			const std::unique_ptr<Starting> mine(self);
			Result<void, E> made =
				decode_reply<void, E>(reply->status, reply->wire, reply->data, reply->bytes);

			if (made)
				mine->function(Result<Instance, E>(Instance(Link(mine->token, mine->wire), mine->end)));
			else
				mine->function(Result<Instance, E>(std::move(made).error()));
		}
	};

	Instance(const Link &link, Timeout end) noexcept : link_(link), end_(end)
	{
	}
	static struct ingress_options to_core(const Options &options) noexcept
	{
		struct ingress_options limits = {};

		limits.queue_depth = options.queue_depth;
		limits.event_depth = options.event_depth;
		limits.payload_bytes = options.payload_bytes;
		limits.stale_ns = options.stale.count();
		limits.stuck_ns = options.stuck.count();
		limits.spin_ns = options.spin.count();
		return limits;
	}
	/**
	 * Within a callback no code may wait for the end of a context: close it, and let another thread wait for the
	 * handlers. If no thread can be had, the context still ends, when its handlers have returned.
	 */
	void end() noexcept
	{
		const ingress_token token = link_.token();

		if (token == 0 || destroy(end_).status() != Status::reentrant)
			return;
		ingress_context_close(token);
		try {
			std::thread([token, timeout = end_.count()] {
				ingress_context_destroy(token, timeout);
			}).detach();
		} catch (const std::exception &) { // NOLINT(bugprone-empty-catch)
		}
		link_ = Link();
	}

	Link link_;
	Timeout end_{ 0 };
};

} // namespace ferry::ingress

#endif
