/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains by chance, in C++: a chain gives what the same calls one after another give, whether what is taken is there or
 * not (chain_program.hpp), also where its time is over amid a call.
 */
#include "chain_program.hpp"
#include "check.hpp"

namespace by_chance
{

/* A call begins: it may need one before it. */
void Program::begin()
{
	wrong_ = is_late_ ? Status::timeout : Status::ok;
	nested_ = 0;
	if (needs_.empty() || !chance(8))
		return;
	const std::size_t cause = random_.below(needs_.size());

	needs_[cause]();
	if (statuses_[cause] != Status::ok && !is_late_)
		wrong_ = Status::skipped;
}

template <class R, class E> void Program::expect(const ferry::ingress::Promise<R, E> &promise, const Result<R, E> &told)
{
	const bool has_run = wrong_ == Status::ok;

	statuses_.push_back(told.status());
	needs_.emplace_back([this, promise] { chain_.after(promise); });
	checks_.emplace_back([this, promise, told, has_run] {
		const Result<R, E> &found = promise.try_result();

		/* the time of a chain may be over before a call that took little */
		if (is_late_ && (found.status() == Status::timeout || found.status() == Status::skipped))
			return;
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
	/* an echo of any of these answers at once */
	value.an_object = { "an object", 0 };
	if (value.maybe_object)
		value.maybe_object->delay_ms = 0;
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
	requests_.push_back(
		known.field(&echo::AllTypes::objects_by_text).in(chance(2) ? "kept" : "a key that is longer"));
	numbers_.push_back(known.field(&echo::AllTypes::an_i64));
	numbers_.push_back(known.field(&echo::AllTypes::number_by_text).in(chance(2) ? "n" : "none"));
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

/* A call that is longer than its chain may take. It is answered where the machine had no time for this thread. */
void Program::add_nap()
{
	const auto promise = chain_.nap(nap.count());

	is_late_ = true;
	statuses_.push_back(Status::timeout);
	needs_.emplace_back([this, promise] { chain_.after(promise); });
	checks_.emplace_back(
		[promise] { CHECK(promise.try_result().ok() || promise.try_result().status() == Status::timeout); });
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
		if (!is_late_ && chance(64)) {
			add_nap();
			continue;
		}
		begin();
		(this->*adds[random_.below(std::size(adds))])();
	}
	chain_.submit(is_late_ ? late : patience);
	for (const auto &check : checks_)
		check();
	for (const Status status : statuses_)
		seen[status]++;
}

} // namespace by_chance

TEST(a_chain_gives_what_calls_in_turn_give)
{
	using by_chance::Program, by_chance::Status, by_chance::Wire;
	std::map<Status, unsigned> seen;

	for (const Wire wire : { Wire::cbor, Wire::c })
		for (unsigned seed = 1; seed <= by_chance::chains; seed++) {
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
