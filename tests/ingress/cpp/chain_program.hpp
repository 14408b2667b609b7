/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chain of calls by chance, in C++, and the same calls in turn: what test_cpp_chains.cpp runs. Arguments are values,
 * promises of whole results and of parts of them, and drafts, in fields, elements, options, cases and maps.
 *
 * The model is plain: beside each promise stands the value that the call in turn has given, or why there is none.
 */
#ifndef FERRY_CHAIN_PROGRAM_HPP
#define FERRY_CHAIN_PROGRAM_HPP

#include "random_values.hpp"

#include <functional>

namespace by_chance
{

using namespace std::chrono_literals;
using echo::Shape, echo::ShapeCase, echo::ShapeGroup, echo::ShapeLabel;
using ferry::ingress::Draft;
using ferry::ingress::Promised;
using ferry::ingress::Result;
using ferry::ingress::Status;
using ferry::ingress::Wire;

constexpr ferry::ingress::Timeout patience = 60s;
/* How long a call takes at which a chain's time is over, and when that is. */
constexpr auto nap = 100ms;
constexpr ferry::ingress::Timeout late = 20ms;
/* How often drawn shapes stand in each other: a message has at most 32 levels. */
constexpr unsigned nested_max = 4;
/* Chains in each wire format, and calls of one. */
constexpr unsigned chains = 100, calls_max = 16;

/* What is promised, and what it is when the calls are made in turn, or what a call that takes it fails with. */
template <class V> struct Known {
	Promised<V> promised;
	std::optional<V> value;
	Status status;
	unsigned nested;

	/* A part of it, as the calls in turn find it; nullopt: it is not there. */
	template <class F> Known<F> part(const Promised<F> &promise, std::optional<F> found) const
	{
		if (status != Status::ok)
			return { promise, std::nullopt, status, nested };
		return { promise, found, found ? Status::ok : Status::bad_payload, nested };
	}
	template <class T, class F> Known<F> field(F T::*member) const
	{
		return part<F>(promised.field(member), value ? std::optional<F>((*value).*member) : std::nullopt);
	}
	template <auto Case, class Get> auto as(Get get) const
	{
		using F = ferry::ingress::CarriedBy<Case, V>;
		const F *found = value ? ((*value).*get)() : nullptr;

		return part<F>(promised.template as<Case>(), found ? std::optional<F>(*found) : std::nullopt);
	}
	template <class S = V> Known<typename S::mapped_type> in(const std::string &key) const
	{
		using Item = typename S::mapped_type;
		const bool is_there = value && value->count(key);

		return part<Item>(promised.at(key), is_there ? std::optional<Item>(value->at(key)) : std::nullopt);
	}
	template <class S = V> Known<typename S::value_type> at(std::size_t index) const
	{
		using Element = typename S::value_type;
		const bool is_there = value && index < value->size();

		return part<Element>(promised[index],
				     is_there ? std::optional<Element>(static_cast<Element>((*value)[index]))
					      : std::nullopt);
	}
};

/* Texts, numbers and handles have no parts. */
template <class V>
constexpr bool has_parts = std::is_class_v<V> && !std::is_same_v<V, std::string> && !std::is_same_v<V, echo::ReaderId>;

/* An argument, or a part of one: a value, a promise, or a draft; beside it is the value that it has. */
template <class V> struct Given {
	V value;
	std::optional<Promised<V>> promised;
	std::optional<std::conditional_t<has_parts<V>, Draft<V>, std::monostate>> draft;

	/* Call with what stands for the value in a chain. */
	template <class F> auto put(F &&function) const
	{
		if (promised)
			return function(*promised);
		if constexpr (has_parts<V>)
			if (draft)
				return function(*draft);
		return function(value);
	}
	/* Put it into a draft, unless it is plain and stands there already. */
	template <class D, class At> void into(D &to, const At &at) const
	{
		if (promised)
			to.put(at, *promised);
		if constexpr (has_parts<V>)
			if (draft)
				to.put(at, *draft);
	}
	[[nodiscard]] bool is_plain() const
	{
		return !promised && !draft;
	}
};

/* A program that is made by chance: a chain, and the same calls in turn. */
class Program
{
public:
	Program(std::uint64_t seed, Wire wire)
	    : random_(seed), context_(echo::Context::create("hi ", with(wire))), chain_(context_.chain())
	{
	}
	/* Make it, submit the chain, and compare what both have given. */
	void run();

	/* How many calls ended so. */
	std::map<Status, unsigned> seen;

private:
	static ferry::ingress::Options with(Wire wire)
	{
		ferry::ingress::Options options;

		options.wire = wire;
		return options;
	}
	bool chance(unsigned one_of)
	{
		return random_.below(one_of) == 0;
	}

	template <class V> std::optional<Known<V>> choose(const std::vector<Known<V>> &all);
	template <class V> V take(const Known<V> &known, V instead);
	template <class V> Given<V> given(const std::vector<Known<V>> &all, V plain);
	std::optional<Known<ShapeLabel>> carried();
	Given<std::string> text();
	Given<echo::EchoRequest> request();
	Given<ShapeLabel> label();
	Given<Shape> shape(unsigned depth);
	Given<std::vector<Shape>> shapes(unsigned depth);

	void begin();
	template <class R, class E, class F>
	Known<R> end(const ferry::ingress::Promise<R, E> &promise, F &&call_in_turn);
	template <class E, class F> void end_void(const ferry::ingress::Promise<void, E> &promise, F &&call_in_turn);
	template <class R, class E> void expect(const ferry::ingress::Promise<R, E> &promise, const Result<R, E> &told);

	void add_echo();
	void add_complex();
	void add_all();
	void add_maybe();
	void add_open();
	void add_read();
	void add_close();
	void add_fail();
	void add_number();
	void add_draw();
	void add_nap();
	Draft<echo::AllTypes> draft_all(echo::AllTypes &value);

	Random random_;
	echo::Context context_;
	echo::Chain chain_;
	std::vector<Known<std::string>> texts_;
	std::vector<Known<std::optional<std::string>>> options_;
	std::vector<Known<std::int64_t>> numbers_;
	std::vector<Known<echo::EchoRequest>> requests_;
	std::vector<Known<echo::ReaderId>> readers_;
	std::vector<Known<Shape>> shapes_;
	/* of each call, what makes the next one need it, and what compares its results */
	std::vector<std::function<void()>> needs_, checks_;
	std::vector<Status> statuses_;

	/* of the call that is made: what it fails with for what it takes, and how often shapes stand in each other */
	Status wrong_ = Status::ok;
	unsigned nested_ = 0;
	bool is_late_ = false; /* the chain's time is over amid a call: what comes later does not run */
};

template <class V> std::optional<Known<V>> Program::choose(const std::vector<Known<V>> &all)
{
	std::vector<const Known<V> *> fit;

	for (const Known<V> &known : all)
		if (known.nested <= nested_max)
			fit.push_back(&known);
	if (fit.empty() || random_.below(10) < 3)
		return std::nullopt;
	/* the newest more often, for long chains of results */
	return *fit[chance(3) ? fit.size() - 1 : random_.below(fit.size())];
}

/* The value of what is taken, or another in its place when the call fails for the lack of it: skipping comes first. */
template <class V> V Program::take(const Known<V> &known, V instead)
{
	nested_ = std::max(nested_, known.nested);
	if (is_late_)
		return instead;
	if (known.status == Status::ok)
		return *known.value;
	if (wrong_ != Status::skipped)
		wrong_ = known.status;
	return instead;
}

template <class V> Given<V> Program::given(const std::vector<Known<V>> &all, V plain)
{
	const auto known = choose(all);

	if (!known)
		return { plain, {}, {} };
	return { take(*known, plain), known->promised, {} };
}

/* What the case of a part of a drawn shape carries, which may not be there. */
inline std::optional<Known<ShapeLabel>> Program::carried()
{
	const auto drawn = choose(shapes_);

	if (!drawn)
		return std::nullopt;
	const Known<Shape> part =
		drawn->as<ShapeCase::group>(&Shape::as_group).field(&ShapeGroup::parts).at(random_.below(3));

	return chance(2) ? part.as<ShapeCase::caption>(&Shape::as_caption)
			 : part.as<ShapeCase::label>(&Shape::as_label);
}

inline Given<std::string> Program::text()
{
	if (chance(4))
		if (const auto from = carried()) {
			const Known<std::string> known = from->field(&ShapeLabel::text);

			return { take(known, std::string()), known.promised, {} };
		}
	if (chance(4) && !requests_.empty()) {
		const Known<std::string> known =
			requests_[random_.below(requests_.size())].field(&echo::EchoRequest::message);

		return { take(known, std::string()), known.promised, {} };
	}
	return given(texts_, std::string(random_.below(40), 't'));
}

inline Given<echo::EchoRequest> Program::request()
{
	if (chance(3))
		return given(requests_, echo::EchoRequest{ "plain", 0 });
	const Given<std::string> message = text();
	echo::EchoRequest value{ message.value, 0 };
	/* what stands in a draft where something is put does not matter */
	Draft draft(echo::EchoRequest{ message.is_plain() ? message.value : "not this", 0 });

	message.into(draft, &echo::EchoRequest::message);
	return { value, {}, draft };
}

inline Given<ShapeLabel> Program::label()
{
	if (chance(3))
		if (const auto known = carried())
			return { take(*known, ShapeLabel{}), known->promised, {} };
	const Given<std::string> of = text();
	Draft draft(ShapeLabel{ of.value });

	of.into(draft, &ShapeLabel::text);
	return { ShapeLabel{ of.value }, {}, draft };
}

inline Given<Shape> Program::shape(unsigned depth)
{
	const auto drawn = choose(shapes_);

	switch (random_.below(5)) {
	case 0:
		if (depth < 2) {
			const Given<std::vector<Shape>> parts = shapes(depth + 1);
			Draft group(ShapeGroup{ parts.value });

			parts.into(group, &ShapeGroup::parts);
			return { Shape::group({ parts.value }), {}, Draft(Shape()).put<ShapeCase::group>(group) };
		}
		[[fallthrough]];
	case 1:
		if (drawn)
			return { take(*drawn, Shape::nothing()), drawn->promised, {} };
		return { Shape::circle({ 1.5 }), {}, {} };
	case 2:
		if (drawn) {
			const Known<Shape> part = drawn->as<ShapeCase::group>(&Shape::as_group)
							  .field(&ShapeGroup::parts)
							  .at(random_.below(4));

			return { take(part, Shape::nothing()), part.promised, {} };
		}
		return { Shape::nothing(), {}, {} };
	default: {
		const Given<ShapeLabel> of = label();
		const bool is_caption = chance(2);
		Draft draft(Shape::square({ 1, 2 }));

		of.put([&](const auto &part) {
			if constexpr (!std::is_same_v<std::decay_t<decltype(part)>, ShapeLabel>)
				is_caption ? draft.put<ShapeCase::caption>(part) : draft.put<ShapeCase::label>(part);
		});
		return { is_caption ? Shape::caption(of.value) : Shape::label(of.value), {}, draft };
	}
	}
}

inline Given<std::vector<Shape>> Program::shapes(unsigned depth)
{
	std::vector<Given<Shape>> all;
	std::vector<Shape> values, stand;

	for (std::size_t left = random_.below(4); left; left--) {
		all.push_back(shape(depth));
		values.push_back(all.back().value);
		stand.push_back(all.back().is_plain() ? all.back().value : Shape::label({ "not this" }));
	}
	Draft draft(stand);

	for (std::size_t i = 0; i < all.size(); i++)
		all[i].into(draft, i);
	return { values, {}, draft };
}

} // namespace by_chance

#endif
