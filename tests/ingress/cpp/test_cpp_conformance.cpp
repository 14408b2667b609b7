/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conformance program in C++: everything that examples/echo/echo.json offers, in every form and both wire formats,
 * against whichever library is called libecho.so. What C, Rust and Python check, this does.
 *
 * long: one list of cases.
 */
#include "check.hpp"
#include "random_values.hpp"

#include <echo.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <poll.h>
#include <thread>

using namespace std::chrono_literals;
using ferry::ingress::Failure;
using ferry::ingress::forever;
using ferry::ingress::Options;
using ferry::ingress::Result;
using ferry::ingress::Status;
using ferry::ingress::StillRunning;
using ferry::ingress::Subscription;
using ferry::ingress::Wire;

namespace
{

/* Waits for what other threads do are bounded, so that a fault is a failure and not a hang. */
constexpr auto patience = 60s;
constexpr Wire wires[] = { Wire::cbor, Wire::c };

Options with(Wire wire)
{
	Options options;

	options.wire = wire;
	return options;
}

/* A count that can be waited for. */
class Counter
{
public:
	void add(std::uint64_t more = 1)
	{
		const std::lock_guard lock(mutex_);

		count_ += more;
		changed_.notify_all();
	}
	std::uint64_t get()
	{
		const std::lock_guard lock(mutex_);

		return count_;
	}
	bool reaches(std::uint64_t count)
	{
		std::unique_lock lock(mutex_);

		return changed_.wait_for(lock, patience, [&] { return count_ >= count; });
	}

private:
	std::mutex mutex_;
	std::condition_variable changed_;
	std::uint64_t count_ = 0;
};

/* A callback's one result. */
template <class R, class E = void> class Taken
{
public:
	auto callback()
	{
		return [this](Result<R, E> result) {
			const std::lock_guard lock(mutex_);

			result_.emplace(std::move(result));
			times_++;
			changed_.notify_all();
		};
	}
	[[nodiscard]] bool is_there()
	{
		const std::lock_guard lock(mutex_);

		return result_.has_value();
	}
	Result<R, E> wait()
	{
		std::unique_lock lock(mutex_);

		CHECK(changed_.wait_for(lock, patience, [&] { return result_.has_value(); }));
		CHECK_EQUAL(times_, 1U);
		return std::move(*result_);
	}

private:
	std::mutex mutex_;
	std::condition_variable changed_;
	std::optional<Result<R, E>> result_;
	unsigned times_ = 0;
};

TEST(statics_need_no_context)
{
	Taken<std::string> version;

	CHECK_EQUAL(echo::Context::version(), "0.1.0");
	CHECK_EQUAL(echo::Context::try_version().value(), "0.1.0");
	CHECK_EQUAL(echo::Context::version_future().get(), "0.1.0");
	CHECK(echo::Context::version_async(version.callback()) == Status::ok);
	CHECK_EQUAL(version.wait().value(), "0.1.0");
	CHECK_EQUAL(echo::Context::sum(-5, 47), 42);
	CHECK_EQUAL(echo::Context::sum(echo::lowest, -1), std::numeric_limits<std::int64_t>::max());
}

TEST(another_interface_is_refused)
{
	ferry::ingress::Library other = echo::library();

	CHECK(other.check() == Status::ok);
	other.interface_hash++;
	CHECK(other.check() == Status::wrong_interface);
	CHECK(other.statics(Wire::c).status() == Status::wrong_interface);
}

TEST(echo_in_every_form)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("hi ", with(wire));
		const echo::EchoRequest request{ "you", 0 };
		Taken<echo::EchoResponse> taken;

		CHECK_EQUAL(context.echo(request).echoed, "hi you");
		CHECK_EQUAL(context.echo(request, 10s).echoed, "hi you");
		CHECK_EQUAL(context.try_echo(request)->echoed, "hi you");
		CHECK_EQUAL(context.echo_future(request).get().echoed, "hi you");
		CHECK(context.echo_async(request, taken.callback()) == Status::ok);
		CHECK_EQUAL(taken.wait()->echoed, "hi you");
		CHECK_EQUAL(context.echo({ "later", 30 }).echoed, "hi later");
	}
}

TEST(values_of_every_type)
{
	Random random(11);

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));

		for (unsigned i = 0; i < 100; i++) {
			const auto value = random_value<echo::AllTypes>(random);
			const auto root = random_value<echo::Tree>(random);

			CHECK(context.all(value) == value);
			CHECK(context.tree(root) == root);
		}
		CHECK(context.maybe(std::nullopt) == std::nullopt);
		CHECK(context.maybe("") == "");
		CHECK(context.maybe("some") == "some");
	}
}

TEST(trees_are_bounded)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		echo::Tree tree{ "t", {} };

		/* a tree and the sequence in it are two levels, the parameters are one */
		for (unsigned levels = 1; levels < 15; levels++)
			tree = echo::Tree{ "t", { std::move(tree) } };
		CHECK(context.tree(tree) == tree);
		for (unsigned levels = 15; levels < 17; levels++)
			tree = echo::Tree{ "t", { std::move(tree) } };
		CHECK(context.try_tree(tree).status() == Status::bad_payload);
		CHECK(context.maybe("still here") == "still here");
	}
}

TEST(complex)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		const echo::ComplexRequest request{ { { "a", 1 }, { "b", 2 } }, { "x", "y" }, "note", std::nullopt };
		const echo::ComplexResponse response = context.complex(request);

		CHECK_EQUAL(response.summary, "a,b;x,y");
		CHECK_EQUAL(response.item_count, 4U);
		CHECK(response.has_note);
		CHECK_EQUAL(response.retries, -1);
		CHECK_EQUAL(context.complex({}).summary, ";");
	}
}

TEST(bytes_of_every_size)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));

		for (const std::size_t size : { 0U, 1U, 100U, 511U, 512U, 513U, 65536U, 1U << 20 }) {
			ferry::ingress::Bytes bytes(size);
			Taken<ferry::ingress::Bytes> taken;

			for (std::size_t i = 0; i < size; i++)
				bytes[i] = static_cast<std::byte>(i * 7);
			CHECK(context.bytes(bytes) == bytes);
			CHECK(context.bytes_future(bytes).get() == bytes);
			CHECK(context.bytes_async(bytes, taken.callback()) == Status::ok);
			CHECK(taken.wait().value() == bytes);
		}
	}
}

TEST(failures_have_their_status_and_message)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		Taken<void> taken;

		CHECK_THROWS(ferry::ingress::FailedError, context.fail("why"));
		CHECK_THROWS(ferry::ingress::Error, context.fail("why"));
		CHECK_EQUAL(context.try_fail("w\xc3\xb6"
					     "y")
				    .error()
				    .message,
			    "w\xc3\xb6"
			    "y");
		CHECK_THROWS(ferry::ingress::FailedError, context.fail_future("why").get());
		CHECK(context.fail_async("why", taken.callback()) == Status::ok);
		CHECK(taken.wait().status() == Status::failed);
	}
}

TEST(errors_have_their_type)
{
	using Divided = ferry::ingress::RaisedError<echo::DivideError>;
	using Parsed = ferry::ingress::RaisedError<echo::ParseError>;

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		Taken<std::int64_t, echo::DivideError> taken, added, posted;
		ferry::ingress::Batch batch;
		ferry::ingress::Inbox inbox;

		CHECK_THROWS(Divided, context.divide(7, 0));
		CHECK_THROWS(ferry::ingress::AnyRaisedError, context.divide(7, 0));
		CHECK_THROWS(Divided, context.divide_future(7, 0).get());
		CHECK(context.try_divide(7, 0).error().raised == echo::DivideError::by_zero);
		CHECK(context.try_divide(echo::lowest, -1).error().raised == echo::DivideError::overflow);
		CHECK(context.divide(7, -2) == -3);
		CHECK(context.divide_async(7, 0, taken.callback()) == Status::ok);
		CHECK(taken.wait().error().raised == echo::DivideError::by_zero);
		CHECK(context.divide_add(batch, 7, 0, added.callback()) == Status::ok);
		CHECK(batch.submit().count == 1);
		CHECK(added.wait().error().raised == echo::DivideError::by_zero);
		CHECK(context.divide_post(inbox, 7, 0, posted.callback()) == Status::ok);
		while (!posted.is_there())
			inbox.run(ferry::ingress::forever);
		CHECK(posted.wait().error().raised == echo::DivideError::by_zero);
	}
	CHECK_THROWS(Parsed, echo::Context::parse("12x"));
	try {
		(void)echo::Context::parse("12x");
	} catch (const Parsed &error) {
		CHECK((error.raised() == echo::ParseError{ "no digit", 2 }));
	}
	CHECK(!echo::Context::try_parse("").error().raised);
	CHECK_EQUAL(echo::Context::try_parse("").error().message, "there is no text");
	CHECK(echo::Context::parse("12") == 12);
}

TEST(a_variant_has_one_of_its_cases)
{
	using echo::Shape;
	using Raised = ferry::ingress::RaisedError<echo::DrawError>;
	const std::vector<Shape> shapes = { Shape::circle({ 1.5 }), Shape::square({ 2, 45 }), Shape::nothing(),
					    Shape::caption({ "c" }),
					    Shape::group({ { Shape::label({ "l" }), Shape::group({}) } }) };

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		echo::Drawing drawing{ "d", shapes, echo::DrawingByIsColored::true_({ echo::Color::blue }) };
		std::vector<Shape> expected = shapes;
		Counter events;
		Shape seen;
		const Subscription drawn = context.on_drawn([&](const Shape &shape) {
			seen = shape;
			events.add();
		});

		expected.insert(expected.begin(), Shape::caption({ "d 7" }));
		expected.push_back(Shape::label({ "x" }));
		const Shape whole = context.draw(drawing, Shape::label({ "x" }));

		CHECK(whole == Shape::group({ expected }));
		CHECK(whole.which() == echo::ShapeCase::group);
		CHECK(whole.as_group() && !whole.as_label() && whole.as_group()->parts[1].as_circle()->radius == 1.5);
		CHECK(events.reaches(1));
		CHECK(seen == whole);
		/* a label and a caption carry the same */
		CHECK(Shape::label({ "c" }) != Shape::caption({ "c" }));
		drawing.is_colored = echo::DrawingByIsColored::false_();
		CHECK(context.draw(drawing, std::nullopt).as_group()->parts[0] == Shape::label({ "d" }));
		drawing.shapes.clear();
		CHECK(context.try_draw(drawing, std::nullopt).error().raised == echo::DrawError::empty());
		drawing.shapes.resize(101);
		CHECK_THROWS(Raised, context.draw(drawing, std::nullopt));
		CHECK(context.try_draw(drawing, std::nullopt).error().raised == echo::DrawError::too_many({ 101 }));
	}
}

TEST(what_is_left_out_has_its_default)
{
	echo::Chorus chorus;

	chorus.text = "ho";
	CHECK_EQUAL(echo::Context::sing(chorus), "ho, ho, ho! 7");
	chorus.times = 4;
	CHECK_EQUAL(echo::Context::sing(chorus), "ho, ho, ho, ho, ho, ho! 7");
	CHECK_EQUAL(echo::Context::sing({ 1, "a", 2, "-", false, echo::Color::none, "so: " }), "so: a-a -1");
	CHECK((echo::EchoRequest{ "you" } == echo::EchoRequest{ "you", 0 }));
	for (const Wire wire : wires)
		CHECK_EQUAL(echo::Context::create("hi ", with(wire)).echo({ "you" }).echoed, "hi you");
}

TEST(a_constructor_that_fails_leaves_nothing)
{
	for (unsigned i = 0; i < 200; i++) {
		const auto failed = echo::Context::try_create("fail", with(wires[i % 2]));

		CHECK(failed.status() == Status::failed);
		CHECK(!failed.error().message.empty());
	}
	CHECK_THROWS(ferry::ingress::FailedError, echo::Context::create("fail"));
	CHECK_EQUAL(echo::Context::create("fine ").echo({ "so", 0 }).echoed, "fine so");
}

TEST(a_payload_that_is_no_value_is_refused_with_its_path)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		const auto result = context.try_echo({ "\xff", 0 });

		CHECK(result.status() == Status::bad_payload);
		CHECK_EQUAL(result.error().message, "request.message: invalid UTF-8");
	}
}

TEST(deadlines)
{
	const echo::Context context = echo::Context::create("");

	CHECK_THROWS(ferry::ingress::TimeoutError, context.echo({ "late", 500 }, 20ms));
	CHECK_EQUAL(context.echo({ "still here", 0 }).echoed, "still here");
	std::future<echo::EchoResponse> future = context.echo_future({ "late", 300 });

	CHECK(future.wait_for(10ms) == std::future_status::timeout);
	CHECK_EQUAL(future.get().echoed, "late");
}

struct StaleTaker {
	Counter *stale;
	Taken<echo::EchoResponse> *taken;
	void operator()(StillRunning) const
	{
		stale->add();
	}
	void operator()(Result<echo::EchoResponse> result) const
	{
		taken->callback()(std::move(result));
	}
};

TEST(a_cancelled_call_is_seen_by_the_library)
{
	using ferry::ingress::Ticket;

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("hi ", with(wire));
		const std::int64_t minute_ms = 60000;
		const Ticket nap = Ticket::take(), spin = Ticket::take(), added = Ticket::take(),
			     posted = Ticket::take();
		Taken<void> napped, spun, batched;
		Taken<echo::EchoResponse> waited;
		std::atomic<unsigned> heard{ 0 };
		const auto listener = context.on_echoed([&heard](const echo::EchoResponse &) { heard++; });
		ferry::ingress::Batch batch;
		ferry::ingress::Inbox inbox;

		CHECK(context.nap_async(minute_ms, napped.callback(), nap) == Status::ok);
		CHECK(context.nap_add(batch, minute_ms, batched.callback(), added) == Status::ok);
		CHECK(batch.submit().count == 1);
		CHECK(context.spin_async(minute_ms, spun.callback(), spin) == Status::ok);
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
		CHECK(context.echo_post(inbox, { "never", 0 }, waited.callback(), posted) == Status::ok);
		for (const Ticket &ticket : { posted, added, nap, spin })
			CHECK(context.link().cancel(ticket) == Status::ok);
		CHECK(napped.wait().status() == Status::cancelled);
		CHECK(batched.wait().status() == Status::cancelled);
		CHECK_THROWS(ferry::ingress::CancelledError, spun.wait().value());
		while (!waited.is_there())
			inbox.run(ferry::ingress::forever);
		CHECK(waited.wait().status() == Status::cancelled);
		CHECK(context.cancellations() == 3);
		CHECK(heard == 0);
		CHECK(context.link().cancel(spin) == Status::ok);
		CHECK(context.link().cancel(Ticket()) == Status::bad_argument);
		CHECK_EQUAL(context.echo({ "you", 0 }).echoed, "hi you");
	}
}

TEST(a_chain_takes_results_of_earlier_calls)
{
	const echo::ComplexRequest request{ { { "a", 1 } }, { "x", "y" }, "note", std::nullopt };

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("hi ", with(wire));
		echo::Chain chain = context.chain();
		const auto reader = chain.open("a text");
		const auto start = chain.read(reader, 6), rest = chain.read(reader, 6);
		const auto closed = chain.close(reader);
		const auto said = chain.echo(echo::EchoRequest{ "x", 0 });
		const auto maybe = chain.maybe(said.field(&echo::EchoResponse::echoed));
		const auto nothing = chain.maybe(rest);
		const auto sum = chain.sum(chain.sum(1, 2), 3);
		const auto all = chain.complex(request);
		const auto inner = chain.bytes(ferry::ingress::BytesView(std::string_view("12")));

		CHECK(start.try_result().status() == Status::bad_argument);
		chain.submit(patience);
		CHECK_EQUAL(*start.result(), "a text");
		CHECK(!rest.result());
		CHECK(closed.try_result().ok());
		CHECK_EQUAL(*maybe.result(), "hi x");
		CHECK(!nothing.result());
		CHECK(sum.result() == 6);
		CHECK(all.result() == context.complex(request));
		CHECK(inner.result().size() == 2);
		CHECK_THROWS(ferry::ingress::BadHandleError, (void)context.read(reader.result(), 1));
		CHECK_THROWS(ferry::ingress::BadArgumentError, chain.submit());
	}
}

/* What fits into an argument is said by the compiler. */
using Said = ferry::ingress::Argument<echo::EchoRequest>;
static_assert(std::is_convertible_v<ferry::ingress::Draft<echo::EchoRequest>, Said>);
static_assert(std::is_convertible_v<ferry::ingress::Promised<echo::EchoRequest>, Said>);
static_assert(!std::is_convertible_v<ferry::ingress::Draft<echo::EchoResponse>, Said>);
static_assert(!std::is_convertible_v<ferry::ingress::Promised<std::optional<echo::EchoRequest>>, Said>);
static_assert(std::is_convertible_v<ferry::ingress::Draft<echo::Shape>,
				    ferry::ingress::Argument<std::optional<echo::Shape>>>);
static_assert(std::is_convertible_v<const char *, ferry::ingress::Argument<std::optional<std::string>>>);
static_assert(std::is_convertible_v<echo::Shape, ferry::ingress::Argument<std::optional<echo::Shape>>>);
static_assert(!std::is_convertible_v<echo::Drawing, ferry::ingress::Argument<std::optional<echo::Shape>>>);

TEST(promises_stand_inside_objects_that_are_passed)
{
	using ferry::ingress::Draft;
	const echo::EchoRequest last{ "last", 0 };

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("hi ", with(wire));
		echo::Chain chain = context.chain(), other = context.chain();
		const auto first = chain.echo(echo::EchoRequest{ "x", 0 });
		const auto text = first.field(&echo::EchoResponse::echoed);
		const auto none = chain.maybe(std::nullopt);
		const auto said = Draft(echo::EchoRequest{ "not this", 1 }).put(&echo::EchoRequest::message, text);
		const auto second = chain.echo(said);
		/* the same draft twice, elements, and options that are there and are not */
		auto whole = Draft(echo::ComplexRequest{ { {}, {}, last }, { "t", "" }, "note", std::nullopt });

		whole.put(&echo::ComplexRequest::messages,
			  Draft(std::vector<echo::EchoRequest>(3, last)).put(0, said).put(1, said));
		whole.put(&echo::ComplexRequest::tags, Draft(std::vector<std::string>{ "t", "" }).put(1, text));
		const auto noted = chain.complex(Draft(whole).put(&echo::ComplexRequest::note, text));
		const auto plain = chain.complex(whole.put(&echo::ComplexRequest::note, none));

		CHECK_THROWS(ferry::ingress::BadArgumentError, Draft(std::vector<std::string>()).put(0, text));
		CHECK_THROWS(ferry::ingress::BadArgumentError, (void)other.echo(said));
		chain.submit(patience);
		CHECK_EQUAL(second.result().echoed, "hi hi x");
		CHECK_EQUAL(noted.result().summary, "hi x,hi x,last;t,hi x");
		CHECK(noted.result().has_note);
		CHECK(!plain.result().has_note);
		CHECK_EQUAL(plain.result().summary, noted.result().summary);
	}
}

TEST(promises_stand_in_maps)
{
	using ferry::ingress::Draft;

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("hi ", with(wire));
		echo::Chain chain = context.chain();
		const auto text = chain.echo(echo::EchoRequest{ "x", 0 }).field(&echo::EchoResponse::echoed);
		const auto sum = chain.sum(40, 2);
		echo::AllTypes value;

		value.an_object = { "given", 3 };
		/* as they travel the keys are 5, 300, -1: what is promised stands between others */
		value.text_by_number = { { -1, "minus" }, { 300, "not this" }, { 5, "five" } };
		value.number_by_text = { { "longer", 1 } };
		const auto all = chain.all(value);
		const auto of = Draft(echo::EchoRequest{ "", 7 }).put(&echo::EchoRequest::message, text);
		auto objects = Draft(value.objects_by_text);

		objects.put("whole", all.field(&echo::AllTypes::an_object)).put("of", of);
		const auto given = chain.all(
			Draft(value)
				.put(&echo::AllTypes::text_by_number, Draft(value.text_by_number).put(300, text))
				.put(&echo::AllTypes::number_by_text, Draft(value.number_by_text).put("n", sum))
				.put(&echo::AllTypes::objects_by_text, objects));
		const auto message =
			given.field(&echo::AllTypes::objects_by_text).at("of").field(&echo::EchoRequest::message);
		const auto numbers = given.field(&echo::AllTypes::number_by_text);
		const auto again = chain.echo(Draft(echo::EchoRequest{}).put(&echo::EchoRequest::message, message));
		const auto more = chain.sum(numbers.at("n"), 1);
		const auto gone = chain.sum(numbers.at("gone"), 1);

		for (const std::string_view key :
		     { std::string_view(), std::string_view("a.b"), std::string_view("a[0]"), std::string_view("]"),
		       std::string_view("\0", 1) })
			CHECK_THROWS(ferry::ingress::Error, numbers.at(key));
		chain.submit(patience);
		CHECK_EQUAL(again.result().echoed, "hi hi x");
		CHECK_EQUAL(more.result(), 43);
		CHECK(gone.try_result().status() == Status::bad_payload);
		CHECK(gone.try_result().error().message.find("number_by_text.gone: missing") != std::string::npos);
		value.text_by_number[300] = "hi x";
		value.number_by_text["n"] = 42;
		value.objects_by_text = { { "whole", { "given", 3 } }, { "of", { "hi x", 7 } } };
		CHECK(given.result() == value);
	}
}

TEST(a_chain_reaches_into_variants)
{
	using echo::Shape, echo::ShapeCase, echo::ShapeGroup, echo::ShapeLabel, ferry::ingress::Draft;
	const auto blue = echo::DrawingByIsColored::true_({ echo::Color::blue });
	const Shape x = Shape::label({ "x" });

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		echo::Chain chain = context.chain();
		const auto drawn = chain.draw(echo::Drawing{ "d", { x, Shape::nothing() }, blue }, std::nullopt);
		const auto parts = drawn.as<ShapeCase::group>().field(&ShapeGroup::parts);
		const auto name = parts[0].as<ShapeCase::caption>().field(&ShapeLabel::text);
		const auto inside =
			Draft(std::vector<Shape>(3, x))
				.put(0,
				     Draft(x).put<ShapeCase::caption>(Draft(ShapeLabel{}).put(&ShapeLabel::text, name)))
				.put(1, parts[1])
				.put(2, drawn);
		const auto group = Draft(x).put<ShapeCase::group>(Draft(ShapeGroup{}).put(&ShapeGroup::parts, inside));
		const auto again =
			chain.draw(Draft(echo::Drawing{ "", {}, blue })
					   .put(&echo::Drawing::name, name)
					   .put(&echo::Drawing::shapes, Draft(std::vector<Shape>(1, x)).put(0, group)),
				   parts[1]);
		/* the argument that is declared later comes first in the message */
		const auto other =
			chain.draw(Draft(echo::Drawing{ "", {}, blue }).put(&echo::Drawing::name, name),
				   Draft(Shape::nothing()).put<ShapeCase::label>(parts[0].as<ShapeCase::caption>()));
		const auto wrong = chain.open(parts[0].as<ShapeCase::label>().field(&ShapeLabel::text));
		const auto beyond = chain.draw(echo::Drawing{ "w", {}, blue },
					       Draft(x).put<ShapeCase::circle>(parts[2].as<ShapeCase::circle>()));
		const auto skipped = chain.close(wrong);

		chain.submit(patience);
		const Shape first = Shape::caption({ "d 7" }), second = Shape::caption({ "d 7 7" });
		const Shape whole = Shape::group({ { first, x, drawn.result() } });

		CHECK(drawn.result() == Shape::group({ { first, x, Shape::nothing() } }));
		CHECK(again.result() == Shape::group({ { second, whole, x } }));
		CHECK(other.result() == Shape::group({ { second, Shape::label({ "d 7" }) } }));
		CHECK(wrong.try_result().status() == Status::bad_payload);
		CHECK_EQUAL(wrong.try_result().error().message,
			    "request 0 of the chain, group.parts[0].label.text: missing");
		CHECK_EQUAL(beyond.try_result().error().message,
			    "request 0 of the chain, group.parts[2].circle: missing");
		CHECK(skipped.try_result().status() == Status::skipped);
	}
}

TEST(what_needs_a_failed_call_of_a_chain_is_skipped)
{
	const echo::Context context = echo::Context::create("");
	echo::Chain chain = context.chain(), other = context.chain(), many = context.chain(), late = context.chain();
	const auto divided = chain.divide(1, 0);
	const auto skipped = chain.sum(divided, 1);
	const auto failed = chain.fail("no");

	chain.after(failed);
	const auto needs = chain.version();
	const auto alone = chain.sum(1, 2);

	CHECK_THROWS(ferry::ingress::BadArgumentError, (void)other.sum(alone, 1));
	chain.submit();
	CHECK_THROWS(ferry::ingress::RaisedError<echo::DivideError>, (void)divided.result());
	CHECK_THROWS(ferry::ingress::SkippedError, (void)skipped.result());
	CHECK_EQUAL(skipped.try_result().error().message, "request 0 of the chain failed, so this one did not run");
	CHECK_THROWS(ferry::ingress::FailedError, failed.result());
	CHECK_EQUAL(needs.try_result().error().message, "request 2 of the chain failed, so this one did not run");
	CHECK(alone.result() == 3);
	for (int i = 0; i < 65; i++)
		(void)many.version();
	CHECK(many.try_submit().status() == Status::bad_argument);
	CHECK_EQUAL(many.try_submit().error().message, "the chain is empty, or was submitted: make another");

	const auto slow = late.spin(300);
	const auto after = late.sum(1, 2);

	late.submit(50ms);
	CHECK(slow.try_result().status() == Status::timeout || slow.try_result().ok());
	CHECK(after.try_result().status() == Status::timeout);
}

TEST(a_running_request_says_so)
{
	Options options;
	Counter stale;
	Taken<echo::EchoResponse> taken;

	options.stale = 20ms;
	echo::Context context = echo::Context::create("", options);

	CHECK(context.echo_async({ "slow", 60000 }, StaleTaker{ &stale, &taken }) == Status::ok);
	CHECK(stale.reaches(2));
	CHECK(context.try_destroy(1ms).status() == Status::timeout);
	CHECK(taken.wait().status() == Status::closed);
}

TEST(a_full_queue_is_refused)
{
	Options options;
	Counter done;
	unsigned accepted = 0;
	Status status = Status::ok;

	options.queue_depth = 8;
	const echo::Context context = echo::Context::create("", options);

	while ((status = context.echo_async({ "wait", 200 }, [&done](Result<echo::EchoResponse>) { done.add(); })) ==
	       Status::ok)
		CHECK(++accepted <= 1000);
	CHECK(status == Status::queue_full);
	CHECK_EQUAL(accepted, 8U);
	CHECK_THROWS(ferry::ingress::QueueFullError, context.echo({ "more", 0 }));
	CHECK_THROWS(ferry::ingress::QueueFullError, context.echo_future({ "more", 0 }).get());
	CHECK(done.reaches(accepted));
	CHECK_EQUAL(context.echo({ "again", 0 }).echoed, "again");
	CHECK_EQUAL(done.get(), accepted);
}

TEST(a_payload_over_the_limit_is_refused)
{
	for (const Wire wire : wires) {
		Options options = with(wire);

		options.payload_bytes = 2000;
		const echo::Context context = echo::Context::create("", options);
		const ferry::ingress::Bytes large(4000);

		CHECK_THROWS(ferry::ingress::TooLargeError, context.bytes(large));
		CHECK(context.bytes_async(large, [](const Result<ferry::ingress::Bytes> &) {}) == Status::too_large);
		CHECK_EQUAL(context.bytes(ferry::ingress::Bytes(1000)).size(), 1000U);
	}
}

TEST(what_waits_when_a_context_ends_is_told)
{
	echo::Context context = echo::Context::create("");
	const ferry::ingress::Link link = context.link();
	std::atomic<unsigned> calls{ 0 };
	std::vector<std::future<echo::EchoResponse>> futures;

	for (unsigned i = 0; i < 20; i++) {
		futures.push_back(context.echo_future({ "slow", 60000 }));
		CHECK(context.echo_async({ "slow", 60000 }, [&calls](Result<echo::EchoResponse>) { calls++; }) ==
		      Status::ok);
	}
	/* they have their handlers once what was submitted after them is answered */
	CHECK_EQUAL(context.echo({ "begun", 0 }).echoed, "begun");
	CHECK(context.try_destroy(50ms).status() == Status::timeout);
	CHECK_EQUAL(calls.load(), 20U);
	for (auto &future : futures)
		CHECK_THROWS(ferry::ingress::ClosedError, future.get());
	CHECK_THROWS(ferry::ingress::BadTokenError, context.echo({ "gone", 0 }));
	const Status after = link.ask<void>(5, echo::detail::FailParams{ "gone" }, forever).status();

	CHECK(after == Status::closed || after == Status::bad_token);
}

TEST(contexts_move_and_end_with_their_owner)
{
	std::optional<echo::Context> outer;
	ferry::ingress::Link link;

	{
		echo::Context inner = echo::Context::create("moved ");

		outer = std::move(inner);
	}
	CHECK_EQUAL(outer->echo({ "on", 0 }).echoed, "moved on");
	link = outer->link();
	outer.reset();
	CHECK(!link.ask<void>(5, echo::detail::FailParams{ "" }, forever));
	for (unsigned i = 0; i < 300; i++)
		CHECK_EQUAL(echo::Context::create("x").echo({ "y", 0 }).echoed, "xy");
}

TEST(a_reader_ends_with_its_owner)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		echo::ReaderId id;

		{
			echo::Reader reader = context.open("abcdef");
			const echo::Reader moved = std::move(reader);

			id = moved.id();
			CHECK(moved.read(4) == "abcd");
			CHECK(context.read(moved, 4) == "ef");
			CHECK(moved.read(4) == std::nullopt);
		}
		CHECK_THROWS(ferry::ingress::BadHandleError, context.read(id, 1));
		CHECK_THROWS(ferry::ingress::BadHandleError, context.read(echo::ReaderId{ 12345 }, 1));
		CHECK_THROWS(ferry::ingress::BadHandleError, context.read(echo::ReaderId{ 0 }, 1));
	}
}

TEST(a_closed_reader_is_never_another)
{
	const echo::Context context = echo::Context::create(""), other = echo::Context::create("");
	echo::Reader reader = context.open_future("first").get();
	const echo::ReaderId id = reader.id();
	Taken<echo::Reader> taken;

	CHECK_THROWS(ferry::ingress::BadHandleError, other.read(id, 1));
	reader.close();
	CHECK_THROWS(ferry::ingress::BadHandleError, reader.read(1));
	CHECK_THROWS(ferry::ingress::BadHandleError, reader.close());
	CHECK(reader.release() == id);
	CHECK(context.open_async("second", taken.callback()) == Status::ok);
	const Result<echo::Reader> second = taken.wait();

	CHECK(second->id() != id);
	CHECK_THROWS(ferry::ingress::BadHandleError, context.read(id, 1));
	CHECK(second->read(100) == "second");
}

/* A count without an end that a test would reach. */
echo::CountRequest endless()
{
	echo::CountRequest request;

	request.up_to = 1U << 31;
	return request;
}

/* A count whose first number does not come while a test waits. */
echo::CountRequest silent()
{
	echo::CountRequest request;

	request.up_to = 1;
	request.delay_ms = 60000;
	return request;
}

/* Check that the values are the numbers from 0 up to a count. */
template <class Stream> void check_numbers(Stream &&stream, std::uint32_t count)
{
	std::uint32_t number = 0;

	for (const echo::Counted &each : stream)
		CHECK_EQUAL(each.number, number++);
	CHECK_EQUAL(number, count);
	CHECK(!stream.next());
}

/* Wait until no count runs. Returns how many were stopped. */
std::uint32_t stopped(const echo::Context &context)
{
	echo::Counts counts;

	do
		counts = context.counting();
	while (counts.running > 0);
	return counts.stopped;
}

TEST(streams_give_every_value)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		echo::CountRequest request;
		std::uint32_t texts = 0;

		for (const std::uint32_t count : { 0U, 1U, 255U, 256U, 257U, 1000U }) {
			request.up_to = count;
			check_numbers(context.count(request), count);
		}
		request.up_to = 50;
		check_numbers(context.count(request, 1), 50);
		request.text_bytes = 10000;
		for (const echo::Counted &each : context.count(request)) {
			CHECK_EQUAL(each.text, std::string(10000, 'x'));
			texts++;
		}
		CHECK_EQUAL(texts, 50U);
		request = {};
		request.up_to = 3;
		request.delay_ms = 1;
		auto moved = context.count(request);
		auto stream = std::move(moved);

		check_numbers(std::move(stream), 3);
	}
}

TEST(a_stream_may_fail_midway)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("hi ", with(wire));
		echo::CountRequest request;

		request.up_to = 1000;
		for (const std::uint32_t failing : { 500U, 0U }) {
			request.fail_at = failing;
			auto stream = context.count(request);

			for (std::uint32_t number = 0; number < failing; number++)
				CHECK_EQUAL(stream.next(patience)->number, number);
			const auto result = stream.try_next(patience);

			CHECK(result.status() == Status::raised);
			CHECK(result.error().raised == echo::CountError::too_far);
			CHECK(!stream.next());
		}
		CHECK_THROWS(ferry::ingress::RaisedError<echo::CountError>, context.count(request).next());
		request.delay_ms = -1;
		CHECK(context.count(request).try_next().status() == Status::failed);
		CHECK_EQUAL(stopped(context), 0U);
		CHECK_EQUAL(context.echo({ "you" }).echoed, "hi you");
	}
}

TEST(a_stream_that_is_left_is_seen_by_the_library)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));

		{
			auto stream = context.count(endless());
			auto waiting = context.count(silent());

			for (std::uint32_t number = 0; number < 20; number++)
				CHECK_EQUAL(stream.next(patience)->number, number);
			CHECK(waiting.try_next(10ms).status() == Status::timeout);
		}
		CHECK_EQUAL(stopped(context), 2U);
		/* the library need not have begun these */
		for (int i = 0; i < 100; i++)
			(void)context.count(endless());
		CHECK(stopped(context) <= 102U);
	}
}

TEST(a_slow_host_holds_a_stream_up)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("hi ", with(wire));
		auto stream = context.count(endless(), 16);
		echo::CountRequest large = endless();

		CHECK_EQUAL(stream.next(patience)->number, 0U);
		std::this_thread::sleep_for(20ms);
		const std::uint64_t given = context.counting().given;

		CHECK(given <= 33);
		CHECK_EQUAL(context.echo({ "beside" }).echoed, "hi beside");
		large.text_bytes = 30000;
		auto texts = context.count(large);

		CHECK(texts.next(patience));
		std::this_thread::sleep_for(20ms);
		CHECK(context.counting().given - given <= 8);
	}
}

TEST(streams_go_side_by_side)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("hi ", with(wire));
		echo::CountRequest request;

		request.up_to = 300;
		auto first = context.count(request, 7), second = context.count(request);

		for (std::uint32_t number = 0; number < 300; number++) {
			CHECK_EQUAL(first.next(patience)->number, number);
			CHECK_EQUAL(second.next(patience)->number, number);
			if (number % 50 == 0)
				CHECK_EQUAL(context.echo({ "you" }).echoed, "hi you");
		}
		CHECK(!first.next());
		CHECK(!second.next());
		std::vector<std::thread> threads;
		Counter sum;

		for (int i = 0; i < 4; i++)
			threads.emplace_back([&] {
				for (const echo::Counted &each : context.count(request, 9))
					sum.add(each.number);
			});
		for (std::thread &thread : threads)
			thread.join();
		CHECK_EQUAL(sum.get(), 4U * (300 * 299 / 2));
	}
}

TEST(a_stream_of_values_ends_with_its_context)
{
	for (const Wire wire : wires) {
		echo::Context context = echo::Context::create("", with(wire));
		auto stream = context.count(endless()), waiting = context.count(silent());

		CHECK(stream.next(patience));
		CHECK_EQUAL(context.counting().running, 2U);
		CHECK(context.try_destroy(50ms).status() == Status::timeout);
		CHECK(waiting.try_next(patience).status() == Status::closed);
		CHECK(!waiting.next());
		const auto rest = [&] {
			while (stream.next())
				;
		};

		CHECK_THROWS(ferry::ingress::ClosedError, rest());
		CHECK(context.count(endless()).try_next().status() != Status::ok);
	}
}

constexpr std::uint32_t wait_ms = 60'000;
const std::vector<std::string> choices = { "tea", "coffee" };

/* What the host's function does: it answers, refuses or fails, as the title says. */
std::uint32_t picked(const echo::PickAsked &asked)
{
	if (asked.title == "refuse")
		throw ferry::ingress::RaisedError<echo::PickError>(echo::PickError::none_fits);
	if (asked.title == "fail")
		throw std::runtime_error("no idea");
	if (asked.title == "mumble")
		throw std::runtime_error("\xff");
	if (asked.title == "number")
		throw 5;
	for (std::uint32_t place = 0; place < asked.choices.size(); place++)
		if (asked.choices[place] == asked.title)
			return place;
	throw std::runtime_error("no such choice");
}

echo::Consultation outcome(const echo::Context &context, std::string_view title, std::uint32_t most_ms = wait_ms)
{
	return context.consult(title, choices, most_ms, patience).outcome;
}

/* Questions that were heard, and are not answered by what hears them. */
class Heard
{
public:
	auto callback()
	{
		return [this](const echo::PickAsked &asked) {
			const std::lock_guard lock(mutex_);

			asked_.push_back(asked);
			count_.add();
		};
	}
	echo::PickAsked at(std::size_t place)
	{
		CHECK(count_.reaches(place + 1));
		const std::lock_guard lock(mutex_);

		return asked_[place];
	}

private:
	std::mutex mutex_;
	std::vector<echo::PickAsked> asked_;
	Counter count_;
};

void check_nothing_is_asked(const echo::Context &context)
{
	const auto end = std::chrono::steady_clock::now() + patience;

	while (context.asking() != 0) {
		CHECK(std::chrono::steady_clock::now() < end);
		std::this_thread::sleep_for(1ms);
	}
}

TEST(questions_are_answered)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		const Subscription answering = context.answer_pick(picked);

		for (int i = 0; i < 3; i++) {
			const echo::Consulted answered = context.consult("coffee", choices, wait_ms, patience);

			CHECK(answered.outcome == echo::Consultation::answered);
			CHECK_EQUAL(answered.text, "coffee");
			CHECK(outcome(context, "refuse") == echo::Consultation::refused);
			const echo::Consulted failed = context.consult("fail", choices, wait_ms, patience);

			CHECK(failed.outcome == echo::Consultation::failed);
			CHECK_EQUAL(failed.text, "no idea");
			CHECK(outcome(context, "mumble") == echo::Consultation::failed);
			CHECK(outcome(context, "number") == echo::Consultation::failed);
		}
		CHECK_EQUAL(context.asking(), 0U);
	}
}

TEST(questions_that_nobody_answers_end)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		Heard heard;

		CHECK(outcome(context, "tea") == echo::Consultation::unheard);
		Subscription listening = context.on_pick(heard.callback());

		CHECK(outcome(context, "tea", 20) == echo::Consultation::too_late);
		CHECK(context.try_pick_return(heard.at(0).question, 0).status() == Status::bad_handle);
		auto left = context.consult_future("tea", choices, wait_ms);

		heard.at(1);
		listening.reset();
		CHECK(left.get().outcome == echo::Consultation::unheard);
		CHECK_EQUAL(context.asking(), 0U);
	}
}

TEST(a_question_is_answered_once)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire)), other = echo::Context::create("");
		Heard heard;
		const Subscription listening = context.on_pick(heard.callback());
		auto tea = context.consult_future("tea", choices, wait_ms);
		auto coffee = context.consult_future("coffee", choices, wait_ms);

		heard.at(1);
		CHECK(other.try_pick_return(heard.at(0).question, 0).status() == Status::bad_handle);
		std::thread([&] {
			for (const std::size_t place : { 1, 0 }) {
				const echo::PickAsked asked = heard.at(place);

				context.pick_return(asked.question, picked(asked));
				CHECK(context.try_pick_return(asked.question, 0).status() == Status::bad_handle);
				CHECK(context.try_pick_raise(asked.question, echo::PickError::none_fits).status() ==
				      Status::bad_handle);
				CHECK(context.try_pick_fail(asked.question, "again").status() == Status::bad_handle);
			}
		}).join();
		CHECK_EQUAL(tea.get().text, "tea");
		CHECK_EQUAL(coffee.get().text, "coffee");
	}
}

TEST(a_question_ends_with_its_call)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		Heard heard;
		const Subscription listening = context.on_pick(heard.callback());
		Taken<echo::Consulted> cancelled;
		const auto ticket = ferry::ingress::Ticket::take();

		CHECK(context.consult_async("tea", choices, wait_ms, cancelled.callback(), ticket) == Status::ok);
		heard.at(0);
		CHECK_EQUAL(context.asking(), 1U);
		context.link().cancel(ticket);
		CHECK(cancelled.wait().status() == Status::cancelled);
		CHECK(context.try_consult("tea", choices, 300, 20ms).status() == Status::timeout);
		heard.at(1);
		check_nothing_is_asked(context);
		CHECK(context.try_pick_return(heard.at(0).question, 0).status() == Status::bad_handle);
		CHECK(context.try_pick_return(heard.at(1).question, 0).status() == Status::bad_handle);
	}
}

TEST(questions_are_bounded)
{
	constexpr unsigned most = 64;

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		Heard heard;
		Subscription listening = context.on_pick(heard.callback());
		std::vector<std::future<echo::Consulted>> calls;

		for (unsigned i = 0; i <= most; i++)
			calls.push_back(context.consult_future("tea", choices, wait_ms));
		CHECK(calls[most].get().outcome == echo::Consultation::too_many);
		for (unsigned i = 0; i < most; i++)
			context.pick_return(heard.at(i).question, 0);
		for (unsigned i = 0; i < most; i++)
			CHECK_EQUAL(calls[i].get().text, "tea");
		listening = context.answer_pick(picked);
		CHECK(outcome(context, "tea") == echo::Consultation::answered);
	}
}

TEST(a_function_that_answers_may_call)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		const Subscription answering = context.answer_pick([&context](const echo::PickAsked &asked) {
			if (context.echo({ "inside", 1 }, patience).echoed != "inside")
				throw std::runtime_error("the call inside failed");
			return picked(asked);
		});

		CHECK_EQUAL(context.consult("coffee", choices, wait_ms, patience).text, "coffee");
	}
}

TEST(a_context_ends_amid_a_question)
{
	for (const Wire wire : wires) {
		echo::Context context = echo::Context::create("", with(wire));
		Heard heard;
		Taken<echo::Consulted> taken;
		/* what listens and does not answer goes first, so the call is not waited for until its deadline */
		Subscription listening = context.on_pick(heard.callback());

		CHECK(context.consult_async("tea", choices, wait_ms, taken.callback()) == Status::ok);
		heard.at(0);
		listening.reset();
		context.destroy(patience);
		const auto result = taken.wait();

		CHECK(result ? result->outcome == echo::Consultation::unheard : result.status() == Status::closed);
	}
}

TEST(events_reach_their_listeners)
{
	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("e ", with(wire)),
				    other = echo::Context::create("o ");
		Counter ticks, echoes, others;
		std::string last;
		Subscription tick = context.on_tick([&](std::uint64_t lost) { ticks.add(1 + lost); });
		const Subscription echoed = context.on_echoed([&](const echo::EchoResponse &response) {
			last = response.echoed;
			echoes.add();
		});
		const Subscription elsewhere = other.on_tick([&] { others.add(); });

		context.ticks(100);
		CHECK(ticks.reaches(100));
		CHECK_EQUAL(context.echo({ "heard", 0 }).echoed, "e heard");
		CHECK(echoes.reaches(1));
		CHECK_EQUAL(last, "e heard");
		tick.reset();
		context.ticks(10);
		CHECK_EQUAL(context.echo({ "again", 0 }).echoed, "e again");
		CHECK(echoes.reaches(2));
		CHECK_EQUAL(ticks.get(), 100U);
		CHECK_EQUAL(others.get(), 0U);
	}
}

TEST(an_overflowing_listener_counts_what_it_lost_and_recovers)
{
	const echo::Context context = echo::Context::create("");
	Counter seen, sum;
	std::mutex gate;
	std::unique_lock shut(gate);
	ferry::ingress::ListenOptions options;

	options.depth = 4;
	const Subscription tick = context.on_tick(
		[&](std::uint64_t lost) {
			const std::lock_guard wait(gate);

			seen.add();
			sum.add(1 + lost);
		},
		options);

	context.ticks(1000);
	shut.unlock();
	CHECK(seen.reaches(4));
	/* what was lost is told with the next event */
	while (sum.get() < 1000) {
		const std::uint64_t before = seen.get();

		context.ticks(1);
		CHECK(seen.reaches(before + 1));
	}
	CHECK(seen.get() < 900);
}

TEST(a_listener_may_end_itself_and_call)
{
	const echo::Context context = echo::Context::create("");
	Counter seen;
	std::optional<Subscription> self;
	std::mutex mutex;
	std::unique_lock lock(mutex);

	self = context.on_tick([&, big = std::string(100, 'x')] {
		{
			const std::lock_guard wait(mutex);

			self.reset();
		}
		/* what the callback holds is there until it returns */
		CHECK_EQUAL(big.size(), 100U);
		CHECK_EQUAL(context.echo({ "from here", 0 }).echoed, "from here");
		seen.add();
	});
	lock.unlock();
	context.ticks(5);
	CHECK(seen.reaches(1));
	CHECK_EQUAL(context.echo({ "", 0 }).echoed, "");
	CHECK_EQUAL(seen.get(), 1U);
}

TEST(a_callback_may_submit_but_not_wait)
{
	const echo::Context context = echo::Context::create("");
	Taken<echo::EchoResponse> second;
	Taken<void> waited;
	const auto first = [&](const Result<echo::EchoResponse> &) {
		CHECK(context.echo_async({ "second", 0 }, second.callback()) == Status::ok);
		waited.callback()(context.try_fail("never"));
	};

	CHECK(context.echo_async({ "first", 0 }, first) == Status::ok);
	CHECK_EQUAL(second.wait()->echoed, "second");
	CHECK(waited.wait().status() == Status::reentrant);
}

TEST(the_last_owner_may_be_a_callback)
{
	auto context = std::make_shared<echo::Context>(echo::Context::create(""));
	const ferry::ingress::Link link = context->link();
	echo::Context &there = *context;
	Counter done;

	CHECK(there.echo_async({ "end", 0 },
			       [context = std::move(context), &done](const Result<echo::EchoResponse> &) mutable {
				       context.reset();
				       done.add();
			       }) == Status::ok);
	CHECK(done.reaches(1));
	for (auto tries = patience / 10ms;
	     link.ask<void>(5, echo::detail::FailParams{ "" }, forever).status() == Status::failed; tries--) {
		CHECK(tries != 0);
		std::this_thread::sleep_for(10ms);
	}
}

/* What a library shares between its contexts, as its runtime does, is used by several threads at once. */
TEST(a_context_made_without_waiting)
{
	for (const Wire wire : wires) {
		std::future<echo::Context> later = echo::Context::create_future("hi ", with(wire));
		const echo::Context context = later.get();
		Taken<echo::Context> other, failed;

		CHECK_EQUAL(context.echo({ "you", 0 }).echoed, "hi you");
		CHECK(echo::Context::create_async("ho ", other.callback(), with(wire)) == Status::ok);
		CHECK_EQUAL(other.wait().value().echo({ "you", 0 }).echoed, "ho you");
		CHECK_THROWS(ferry::ingress::FailedError, echo::Context::create_future("fail", with(wire)).get());
		CHECK(echo::Context::create_async("fail", failed.callback(), with(wire)) == Status::ok);
		CHECK(failed.wait().status() == Status::failed);
	}
	/* one that its callback lets go ends */
	for (unsigned i = 0; i < 100; i++) {
		Counter made;
		const auto callback = [&made](const Result<echo::Context> &result) { made.add(result ? 1 : 2); };

		CHECK(echo::Context::create_async("", callback) == Status::ok);
		CHECK(made.reaches(1));
		CHECK_EQUAL(made.get(), 1U);
	}
}

TEST(calls_submitted_together)
{
	constexpr unsigned count = 300;

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire)),
				    other = echo::Context::create("", with(wire));
		std::vector<std::string> echoed;
		ferry::ingress::Batch batch;
		std::size_t large = 0;
		Counter done;
		const auto text = [&](Result<echo::EchoResponse> result) {
			echoed.push_back(result.value().echoed);
			done.add();
		};
		const auto bytes = [&](const Result<ferry::ingress::Bytes> &result) {
			large += result->size();
			done.add();
		};

		CHECK_EQUAL(batch.submit().count, 0U);
		for (unsigned i = 0; i < count; i++) {
			CHECK(context.echo_add(batch, { std::to_string(i), 0 }, text) == Status::ok);
			if (i % 100 == 50)
				CHECK(context.bytes_add(batch, ferry::ingress::Bytes(65536), bytes) == Status::ok);
		}
		CHECK(other.echo_add(batch, { "elsewhere", 0 }, text) == Status::bad_argument);
		CHECK_EQUAL(batch.size(), count + 3);
		const ferry::ingress::Batch::Submitted sent = batch.submit();

		CHECK(sent.status == Status::ok);
		CHECK_EQUAL(sent.count, count + 3);
		CHECK_EQUAL(batch.size(), 0U);
		CHECK(done.reaches(count + 3));
		CHECK_EQUAL(large, 3 * 65536U);
		for (unsigned i = 0; i < count; i++)
			CHECK_EQUAL(echoed[i], std::to_string(i));
		CHECK(other.echo_add(batch, { "dropped", 0 }, text) == Status::ok); /* and ends with the batch */
	}
}

TEST(what_a_full_queue_does_not_take_of_a_batch)
{
	Options options;
	ferry::ingress::Batch batch;
	std::atomic<unsigned> called{ 0 };
	const auto kept = std::make_shared<int>(0); /* its count says which callbacks are left */

	options.queue_depth = 8;
	const echo::Context context = echo::Context::create("", options);

	for (unsigned i = 0; i < 20; i++) {
		const auto text = [&called, kept](const Result<echo::EchoResponse> &) { called++; };
		const auto bytes = [&called, kept](const Result<ferry::ingress::Bytes> &) { called++; };

		CHECK(context.echo_add(batch, { "slow", 300 }, text) == Status::ok);
		CHECK(context.bytes_add(batch, ferry::ingress::Bytes(4096), bytes) == Status::ok);
	}
	const ferry::ingress::Batch::Submitted sent = batch.submit();

	CHECK(sent.status == Status::queue_full);
	CHECK_EQUAL(sent.count, 8U);
	const auto deadline = std::chrono::steady_clock::now() + patience;

	while (kept.use_count() > 1 && std::chrono::steady_clock::now() < deadline)
		std::this_thread::sleep_for(1ms);
	CHECK_EQUAL(kept.use_count(), 1);
	CHECK_EQUAL(called.load(), 8U);
	CHECK_EQUAL(context.echo({ "again", 0 }).echoed, "again");
}

TEST(an_inbox_for_an_event_loop)
{
	for (const Wire wire : wires) {
		ferry::ingress::Inbox inbox;
		const std::thread::id mine = std::this_thread::get_id();
		const echo::Context context = echo::Context::create("hi ", with(wire));
		unsigned echoes = 0, failures = 0, ticks = 0, heard = 0, elsewhere = 0;
		ferry::ingress::InboxSubscription ticking,
			echoed = context.post_echoed(inbox,
						     [&](const echo::EchoResponse &response) {
							     heard += response.echoed == "hi you";
						     })
					 .value();
		/* returns when `done` says so, as a loop would that polls the descriptor */
		const auto run_until = [&inbox](auto done) {
			const auto deadline = std::chrono::steady_clock::now() + patience;

			while (!done() && std::chrono::steady_clock::now() < deadline) {
				struct pollfd ready = { inbox.descriptor(), POLLIN, 0 };

				CHECK(poll(&ready, 1, 1000) >= 0);
				inbox.run();
			}
			CHECK(done());
		};

		for (unsigned i = 0; i < 100; i++)
			CHECK(context.echo_post(inbox, { "you", i % 3 }, [&](const Result<echo::EchoResponse> &result) {
				elsewhere += std::this_thread::get_id() != mine;
				echoes += result && result->echoed == "hi you";
			}) == Status::ok);
		CHECK(context.fail_post(inbox, "no", [&](const Result<void> &result) {
			failures += result.status() == Status::failed && result.error().message == "no";
		}) == Status::ok);
		run_until([&] { return echoes == 100 && failures == 1 && heard == 100; });
		CHECK_EQUAL(elsewhere, 0U);
		/* a listener may end itself; what is in the inbox for it is dropped */
		ticking = context.post_tick(inbox,
					    [&] {
						    if (++ticks == 3)
							    ticking.reset();
					    })
				  .value();
		context.ticks(10);
		run_until([&] { return ticks == 3; });
		echoed.reset();
		context.echo({ "you", 0 });
		inbox.run(10ms);
		CHECK_EQUAL(ticks, 3U);
		CHECK_EQUAL(heard, 100U);
		/* a handle that comes by an inbox is owned */
		Status read = Status::no_memory;

		CHECK(context.open_post(inbox, "abcdef", [&](Result<echo::Reader> reader) {
			read = reader.value().read_async(4, [](const Result<std::optional<std::string>> &) {});
		}) == Status::ok);
		run_until([&] { return read != Status::no_memory; });
		CHECK(read == Status::ok);
	}
}

TEST(an_inbox_that_goes_drops_what_is_to_come)
{
	const auto kept = std::make_shared<int>(0);
	const echo::Context context = echo::Context::create("");
	{
		ferry::ingress::Inbox inbox;

		for (unsigned i = 0; i < 50; i++)
			CHECK(context.echo_post(inbox, { "slow", i % 2 ? 200 : 0 },
						[kept](const Result<echo::EchoResponse> &) {}) == Status::ok);
		inbox.run(1ms);
	}
	CHECK_EQUAL(kept.use_count(), 1);
	CHECK_EQUAL(context.echo({ "you", 0 }).echoed, "you");
}

TEST(contexts_live_side_by_side)
{
	constexpr unsigned threads = 4, rounds = 20;
	std::atomic<unsigned> wrong{ 0 };
	std::vector<std::thread> all;

	for (unsigned t = 0; t < threads; t++) {
		all.emplace_back([&wrong, t] {
			const std::string prefix = std::to_string(t) + " ";
			Random random(t + 1);

			for (unsigned i = 0; i < rounds; i++) {
				echo::Context context = echo::Context::create(prefix, with(wires[(i + t) % 2]));
				Counter ticks;
				const Subscription tick =
					context.on_tick([&ticks](std::uint64_t lost) { ticks.add(1 + lost); });
				const auto value = random_value<echo::AllTypes>(random);
				std::future<echo::EchoResponse> later = context.echo_future({ "later", i % 3 });
				const echo::Reader reader = context.open("abc");

				context.ticks(10);
				wrong += !(context.all(value) == value);
				wrong += reader.read(10) != "abc";
				wrong += echo::Context::sum(t, i) != t + i;
				wrong += context.try_fail("why").status() != Status::failed;
				wrong += later.get().echoed != prefix + "later";
				wrong += !ticks.reaches(10);
			}
		});
	}
	for (std::thread &thread : all)
		thread.join();
	CHECK_EQUAL(wrong.load(), 0U);
}

TEST(many_threads_get_their_own_replies)
{
	constexpr unsigned threads = 8, calls = 2000;

	for (const Wire wire : wires) {
		const echo::Context context = echo::Context::create("", with(wire));
		std::atomic<unsigned> wrong{ 0 };
		Counter done;
		std::vector<std::thread> all;

		for (unsigned t = 0; t < threads; t++) {
			all.emplace_back([&, t] {
				unsigned next = 0; /* the library's thread alone has it while requests are under way */
				Counter mine;

				for (unsigned i = 0; i < calls; i++) {
					const auto callback = [&, i](const Result<echo::EchoResponse> &result) {
						wrong += !result || result->echoed != std::to_string(i) || next++ != i;
						done.add();
						mine.add(); /* last: the thread, and then `done`, may go */
					};

					while (context.echo_async({ std::to_string(i), 0 }, callback) ==
					       Status::queue_full)
						std::this_thread::yield();
					if (i % 50 == 0) {
						const std::string text = std::to_string(t * calls + i);
						const auto result = context.try_echo({ text, 0 });

						wrong += result ? result->echoed != text
								: result.status() != Status::queue_full;
					}
				}
				wrong += !mine.reaches(calls);
			});
		}
		for (std::thread &thread : all)
			thread.join();
		CHECK_EQUAL(wrong.load(), 0U);
		CHECK_EQUAL(done.get(), threads * calls);
	}
}

} // namespace
