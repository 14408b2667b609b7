/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains by chance, in C++: a chain gives what the same calls one after another give, whether what is taken is there or
 * not. Arguments are values, promises of whole results and of parts of them, and drafts, in fields, elements, options,
 * cases and maps.
 *
 * The model is plain: beside each promise stands the value that the call in turn has given, or why there is none.
 */
#include "check.hpp"
#include "random_values.hpp"

#include <echo.hpp>

#include <functional>

using namespace std::chrono_literals;
using echo::Shape, echo::ShapeCase, echo::ShapeGroup, echo::ShapeLabel;
using ferry::ingress::Draft;
using ferry::ingress::Promised;
using ferry::ingress::Result;
using ferry::ingress::Status;
using ferry::ingress::Wire;

namespace
{

constexpr auto patience = 60s;
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

	/* of the call that is being made: what it fails with for what it takes, and how often shapes stand in each other */
	Status wrong_ = Status::ok;
	unsigned nested_ = 0;
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
std::optional<Known<ShapeLabel>> Program::carried()
{
	const auto drawn = choose(shapes_);

	if (!drawn)
		return std::nullopt;
	const Known<Shape> part =
		drawn->as<ShapeCase::group>(&Shape::as_group).field(&ShapeGroup::parts).at(random_.below(3));

	return chance(2) ? part.as<ShapeCase::caption>(&Shape::as_caption)
			 : part.as<ShapeCase::label>(&Shape::as_label);
}

Given<std::string> Program::text()
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

Given<echo::EchoRequest> Program::request()
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

Given<ShapeLabel> Program::label()
{
	if (chance(3))
		if (const auto known = carried())
			return { take(*known, ShapeLabel{}), known->promised, {} };
	const Given<std::string> of = text();
	Draft draft(ShapeLabel{ of.value });

	of.into(draft, &ShapeLabel::text);
	return { ShapeLabel{ of.value }, {}, draft };
}

Given<Shape> Program::shape(unsigned depth)
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

Given<std::vector<Shape>> Program::shapes(unsigned depth)
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

/* A call begins: it may need one before it. */
void Program::begin()
{
	wrong_ = Status::ok;
	nested_ = 0;
	if (needs_.empty() || !chance(8))
		return;
	const std::size_t cause = random_.below(needs_.size());

	needs_[cause]();
	if (statuses_[cause] != Status::ok)
		wrong_ = Status::skipped;
}

template <class R, class E> void Program::expect(const ferry::ingress::Promise<R, E> &promise, const Result<R, E> &told)
{
	const bool has_run = wrong_ == Status::ok;

	statuses_.push_back(told.status());
	needs_.emplace_back([this, promise] { chain_.after(promise); });
	checks_.emplace_back([promise, told, has_run] {
		const Result<R, E> &found = promise.try_result();

		CHECK_EQUAL(found.status(), told.status());
		if constexpr (!std::is_void_v<R> && !std::is_same_v<R, echo::ReaderId>)
			CHECK(!told || *found == *told);
		if (has_run && !told)
			CHECK_EQUAL(found.error().message, told.error().message);
		if constexpr (!std::is_void_v<E>)
			CHECK(told || !has_run || found.error().raised == told.error().raised);
	});
}

/* A call was appended: it is made in turn, unless what it takes is missing. Returns what later calls may take. */
template <class R, class E, class F>
Known<R> Program::end(const ferry::ingress::Promise<R, E> &promise, F &&call_in_turn)
{
	const Result<R, E> told = wrong_ == Status::ok ? call_in_turn() : ferry::ingress::Failure{ wrong_, {} };

	expect(promise, told);
	return { promise, told ? std::optional<R>(*told) : std::nullopt, told ? Status::ok : Status::skipped, nested_ };
}

template <class E, class F> void Program::end_void(const ferry::ingress::Promise<void, E> &promise, F &&call_in_turn)
{
	expect(promise, wrong_ == Status::ok ? call_in_turn() : Result<void, E>(ferry::ingress::Failure{ wrong_, {} }));
}

void Program::add_echo()
{
	const Given<echo::EchoRequest> what = request();
	const auto promise = what.put([this](const auto &part) { return chain_.echo(part); });

	texts_.push_back(
		end(promise, [&] { return context_.try_echo(what.value); }).field(&echo::EchoResponse::echoed));
}

void Program::add_complex()
{
	const Given<echo::EchoRequest> first = request(), last = request();
	const Given<std::string> tag = text();
	const auto note = choose(options_);
	echo::ComplexRequest value{ { first.value, {}, last.value }, { "t", tag.value }, std::nullopt, std::nullopt };
	Draft messages(value.messages);
	Draft tags(value.tags);

	first.into(messages, 0);
	last.into(messages, 2);
	tag.into(tags, 1);
	Draft draft(value);

	draft.put(&echo::ComplexRequest::messages, messages).put(&echo::ComplexRequest::tags, tags);
	if (note) {
		value.note = take(*note, {});
		draft.put(&echo::ComplexRequest::note, note->promised);
	} else if (chance(2)) {
		const Given<std::string> some = text(); /* of which the option is made */

		value.note = some.value;
		if (some.promised)
			draft.put(&echo::ComplexRequest::note, *some.promised);
		else
			value.note.reset();
	}
	const auto known = end(chain_.complex(draft), [&] { return context_.try_complex(value); });

	texts_.push_back(known.field(&echo::ComplexResponse::summary));
	numbers_.push_back(known.field(&echo::ComplexResponse::retries));
}

/* Draft a value of every type, and have in `value` what the draft stands for. */
Draft<echo::AllTypes> Program::draft_all(echo::AllTypes &value)
{
	value = random_value<echo::AllTypes>(random_);
	value.maybe_words = { "word", std::nullopt };
	value.an_object.message = "an object";
	value.objects_by_text["kept"] = { "kept", 1 };
	Draft draft(value);
	Draft words(value.maybe_words);
	Draft objects(value.objects_by_text);
	Draft names(value.text_by_number);
	Draft counts(value.number_by_text);

	if (chance(2)) {
		const Given<echo::EchoRequest> object = request(), other = request();
		const std::string key = chance(2) ? "kept" : "a key that is longer";

		object.into(draft, &echo::AllTypes::an_object);
		if (!object.is_plain())
			value.an_object = object.value;
		if (!other.is_plain())
			value.objects_by_text[key] = other.value;
		other.into(objects, key);
		draft.put(&echo::AllTypes::objects_by_text, objects);
	}
	if (const auto word = choose(options_)) {
		value.maybe_words[0] = take(*word, {});
		draft.put(&echo::AllTypes::maybe_words, words.put(0, word->promised));
	}
	if (const auto name = choose(texts_)) {
		const int key = chance(2) ? -1 : 300;

		value.text_by_number[key] = value.a_string = take(*name, {});
		draft.put(&echo::AllTypes::text_by_number, names.put(key, name->promised))
			.put(&echo::AllTypes::a_string, name->promised);
	}
	if (const auto count = choose(numbers_)) {
		value.number_by_text["n"] = value.an_i64 = take(*count, {});
		draft.put(&echo::AllTypes::number_by_text, counts.put("n", count->promised))
			.put(&echo::AllTypes::an_i64, count->promised);
	}
	if (const Given<echo::EchoRequest> object = request(); object.promised || object.draft) {
		value.maybe_object = object.value;
		object.into(draft, &echo::AllTypes::maybe_object);
	}
	return draft;
}

void Program::add_all()
{
	echo::AllTypes value;
	const Draft<echo::AllTypes> draft = draft_all(value);
	const auto known = end(chain_.all(draft), [&] { return context_.try_all(value); });
	const auto words = known.field(&echo::AllTypes::maybe_words);
	const auto maybe = known.field(&echo::AllTypes::maybe_object);

	requests_.push_back(known.field(&echo::AllTypes::an_object));
	numbers_.push_back(known.field(&echo::AllTypes::an_i64));
	options_.push_back(known.field(&echo::AllTypes::maybe_text));
	options_.push_back(words.at(random_.below(2)));
	/* an element that is not there is absent where nothing may be */
	options_.push_back(words.at(2));
	if (known.status == Status::ok)
		options_.back().value.emplace(), options_.back().status = Status::ok;
	/* what is in an option that is absent is missing */
	const bool is_there = maybe.value && *maybe.value;

	texts_.push_back(known.part<std::string>(maybe.promised.field(&echo::EchoRequest::message),
						 is_there ? std::optional((*maybe.value)->message) : std::nullopt));
}

void Program::add_maybe()
{
	if (chance(2)) {
		const auto known = choose(options_);
		const auto value = known ? take(*known, {}) : std::optional<std::string>();

		options_.push_back(end(known ? chain_.maybe(known->promised) : chain_.maybe(std::nullopt),
				       [&] { return context_.try_maybe(value); }));
		return;
	}
	const Given<std::string> what = text();
	const auto promise = what.put([this](const auto &part) {
		if constexpr (std::is_same_v<std::decay_t<decltype(part)>, std::string>)
			return chain_.maybe(std::optional<std::string>(part));
		else
			return chain_.maybe(part);
	});

	options_.push_back(end(promise, [&] { return context_.try_maybe(what.value); }));
}

void Program::add_open()
{
	const Given<std::string> what = text();
	const auto promise = what.put([this](const auto &part) { return chain_.open(part); });

	readers_.push_back(end(promise, [&]() -> Result<echo::ReaderId> {
		auto reader = context_.try_open(what.value);

		return reader ? Result<echo::ReaderId>(reader->release()) : Result<echo::ReaderId>(reader.error());
	}));
}

void Program::add_read()
{
	const Given<echo::ReaderId> what = given(readers_, echo::ReaderId{ 12345 });
	/* whole texts, since what is cut within a letter is none */
	const auto promise = what.put([this](const auto &part) { return chain_.read(part, 1U << 30); });

	options_.push_back(end(promise, [&] { return context_.try_read(what.value, 1U << 30); }));
}

void Program::add_close()
{
	const Given<echo::ReaderId> what = given(readers_, echo::ReaderId{ 12345 });
	const auto promise = what.put([this](const auto &part) { return chain_.close(part); });

	end_void(promise, [&] { return context_.try_close(what.value); });
}

void Program::add_fail()
{
	const Given<std::string> what = text();
	const auto promise = what.put([this](const auto &part) { return chain_.fail(part); });

	end_void(promise, [&] { return context_.try_fail(what.value); });
}

void Program::add_number()
{
	const Given<std::int64_t> left = given<std::int64_t>(numbers_, 7), right = given<std::int64_t>(numbers_, 0);
	const bool is_sum = chance(2);

	left.put([&](const auto &a) {
		right.put([&](const auto &b) {
			if (is_sum)
				numbers_.push_back(end(chain_.sum(a, b), [&] {
					return echo::Context::try_sum(left.value, right.value);
				}));
			else
				numbers_.push_back(end(chain_.divide(a, b),
						       [&] { return context_.try_divide(left.value, right.value); }));
		});
	});
}

void Program::add_draw()
{
	const Given<std::string> name = text();
	const Given<std::vector<Shape>> of = shapes(0);
	const auto color =
		chance(2) ? echo::DrawingByIsColored::false_() : echo::DrawingByIsColored::true_({ echo::Color::blue });
	const echo::Drawing value{ name.value, of.value, color };
	Draft draft(echo::Drawing{ name.is_plain() ? name.value : "not this", {}, color });

	name.into(draft, &echo::Drawing::name);
	of.into(draft, &echo::Drawing::shapes);
	if (chance(2)) {
		const auto promise = chain_.draw(draft, std::nullopt);

		shapes_.push_back(end(promise, [&] { return context_.try_draw(value, std::nullopt); }));
	} else {
		const Given<Shape> extra = shape(0);
		const auto promise = extra.put([&](const auto &part) { return chain_.draw(draft, part); });

		shapes_.push_back(end(promise, [&] { return context_.try_draw(value, extra.value); }));
	}
	shapes_.back().nested++;
}

void Program::run()
{
	static constexpr void (Program::*adds[])() = {
		&Program::add_echo, &Program::add_complex, &Program::add_all,	 &Program::add_maybe,
		&Program::add_open, &Program::add_read,	   &Program::add_read,	 &Program::add_close,
		&Program::add_fail, &Program::add_number,  &Program::add_number, &Program::add_draw,
		&Program::add_draw, &Program::add_draw,	   &Program::add_draw,
	};

	for (std::size_t left = 1 + random_.below(calls_max); left; left--) {
		begin();
		(this->*adds[random_.below(std::size(adds))])();
	}
	chain_.submit(patience);
	for (const auto &check : checks_)
		check();
	for (const Status status : statuses_)
		seen[status]++;
}

} // namespace

TEST(a_chain_gives_what_calls_in_turn_give)
{
	std::map<Status, unsigned> seen;

	for (const Wire wire : { Wire::cbor, Wire::c })
		for (unsigned seed = 1; seed <= chains; seed++) {
			Program program(seed, wire);

			try {
				program.run();
			} catch (const std::exception &error) {
				throw check::Fault("seed " + std::to_string(seed) +
						   (wire == Wire::c ? ", c: " : ", cbor: ") + error.what());
			}
			for (const auto &[status, count] : program.seen)
				seen[status] += count;
		}
	/* chains come to something, and fail in every way that they can */
	for (const Status status :
	     { Status::ok, Status::raised, Status::skipped, Status::bad_payload, Status::failed, Status::bad_handle })
		CHECK(seen[status] >= 30);
}
