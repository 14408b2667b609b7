/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library of examples/echo/echo.json in C++, for tests under sanitizers, which see nothing of a library in Nim: the
 * codecs of include/ferry/cpp on the other side of the ingress. Timers are a list in order of their time.
 *
 * long: one library with something of everything.
 */
#include <echo.hpp>

#include <ferry/ingress_provider.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <memory>

using namespace ferry::ingress;
using Clock = std::chrono::steady_clock;

namespace
{

/* Requests as they are decoded; echo::detail has them as they are encoded. */
template <class T> struct One {
	T value;
};
struct Prefix : One<std::string> {
};
struct Request : One<echo::EchoRequest> {
};
struct Complex : One<echo::ComplexRequest> {
};
struct Payload : One<Bytes> {
};
struct Text : One<std::string> {
};
struct Message_ : One<std::string> {
};
struct All : One<echo::AllTypes> {
};
struct Root : One<echo::Tree> {
};
struct Maybe : One<std::optional<std::string>> {
};
struct Count : One<std::uint32_t> {
};
struct Delay : One<std::int64_t> {
};
struct Reader_ : One<echo::ReaderId> {
};
struct Read {
	echo::ReaderId reader;
	std::uint32_t bytes_max = 0;
};
struct Sum {
	std::int64_t left = 0, right = 0;
};
struct Draw {
	echo::Drawing drawing;
	std::optional<echo::Shape> extra;
};
struct Division {
	std::int64_t dividend = 0, divisor = 0;
};
struct Chorus : One<echo::Chorus> {
};
struct Count_ {
	echo::CountRequest request;
	std::uint32_t credits = 0;
};
struct More {
	echo::CountStreamId stream;
	std::uint32_t credits = 0;
};
struct Enough : One<echo::CountStreamId> {
};
struct Matter_ {
	std::string title;
	std::vector<std::string> choices;
	std::uint32_t wait_ms = 0;
};
struct Returned_ {
	echo::PickQuestionId question;
	std::uint32_t value = 0;
};
struct Raised_ {
	echo::PickQuestionId question;
	echo::PickError error{};
};
struct Failed_ {
	echo::PickQuestionId question;
	std::string message;
};

} // namespace

namespace ferry::ingress
{
template <> struct Object<Prefix> {
	template <class T> static constexpr auto list = field_list(field("prefix", &T::value));
};
template <> struct Object<Request> {
	template <class T> static constexpr auto list = field_list(field("request", &T::value));
};
template <> struct Object<Complex> {
	template <class T> static constexpr auto list = field_list(field("request", &T::value));
};
template <> struct Object<Payload> {
	template <class T> static constexpr auto list = field_list(field("payload", &T::value));
};
template <> struct Object<Text> {
	template <class T> static constexpr auto list = field_list(field("text", &T::value));
};
template <> struct Object<Message_> {
	template <class T> static constexpr auto list = field_list(field("message", &T::value));
};
template <> struct Object<All> {
	template <class T> static constexpr auto list = field_list(field("value", &T::value));
};
template <> struct Object<Root> {
	template <class T> static constexpr auto list = field_list(field("root", &T::value));
};
template <> struct Object<Maybe> {
	template <class T> static constexpr auto list = field_list(field("value", &T::value));
};
template <> struct Object<Count> {
	template <class T> static constexpr auto list = field_list(field("count", &T::value));
};
template <> struct Object<Delay> {
	template <class T> static constexpr auto list = field_list(field("delay_ms", &T::value));
};
template <> struct Object<Reader_> {
	template <class T> static constexpr auto list = field_list(field("reader", &T::value));
};
template <> struct Object<Read> {
	template <class T>
	static constexpr auto list = field_list(field("reader", &T::reader), field("bytes_max", &T::bytes_max));
};
template <> struct Object<Sum> {
	template <class T> static constexpr auto list = field_list(field("left", &T::left), field("right", &T::right));
};
template <> struct Object<Draw> {
	template <class T>
	static constexpr auto list = field_list(field("drawing", &T::drawing), field("extra", &T::extra));
};
template <> struct Object<Division> {
	template <class T>
	static constexpr auto list = field_list(field("dividend", &T::dividend), field("divisor", &T::divisor));
};
template <> struct Object<Chorus> {
	template <class T> static constexpr auto list = field_list(field("chorus", &T::value));
};
template <> struct Object<Count_> {
	template <class T>
	static constexpr auto list = field_list(field("request", &T::request), field("credits", &T::credits));
};
template <> struct Object<More> {
	template <class T>
	static constexpr auto list = field_list(field("stream", &T::stream), field("credits", &T::credits));
};
template <> struct Object<Enough> {
	template <class T> static constexpr auto list = field_list(field("stream", &T::value));
};
template <> struct Object<Matter_> {
	template <class T>
	static constexpr auto list = field_list(field("title", &T::title), field("choices", &T::choices),
						field("wait_ms", &T::wait_ms));
};
template <> struct Object<Returned_> {
	template <class T>
	static constexpr auto list = field_list(field("question", &T::question), field("value", &T::value));
};
template <> struct Object<Raised_> {
	template <class T>
	static constexpr auto list = field_list(field("question", &T::question), field("error", &T::error));
};
template <> struct Object<Failed_> {
	template <class T>
	static constexpr auto list = field_list(field("question", &T::question), field("message", &T::message));
};
} // namespace ferry::ingress

namespace
{

/* An open reader. */
struct Reader {
	std::string text;
	std::size_t at = 0;
};

/* A count that is not over; `request` waits for its numbers, if there is one. */
struct Counter {
	echo::CountRequest what;
	std::uint32_t number = 0, credits = 1;
	Clock::time_point due;
	struct ingress_request *request = nullptr;
	echo::CountStreamId handle;

	[[nodiscard]] bool fails() const
	{
		return what.fail_at == number;
	}
	/* How many numbers can be given now. */
	[[nodiscard]] std::uint32_t ready() const
	{
		constexpr std::uint32_t part_bytes_max = 65536, number_bytes = 16;
		std::uint32_t left = what.up_to - number;

		if (what.delay_ms > 0)
			return Clock::now() >= due && !fails() && left > 0;
		if (what.fail_at)
			left = std::min(left, *what.fail_at - number);
		return std::min({ left, credits, part_bytes_max / (what.text_bytes + number_bytes) + 1 });
	}
};

/* A question to the host that is open; `request` goes on with its answer. */
struct Question {
	std::vector<std::string> choices;
	Clock::time_point due;
	struct ingress_request *request = nullptr;
	echo::PickQuestionId handle;
};

/* The library on one thread. */
class Echo
{
public:
	explicit Echo(struct ingress_provider *provider) : provider_(provider)
	{
	}

	void serve(struct ingress_request *request);
	void cancelled(struct ingress_request *request);
	std::int64_t turn();
	void end();

private:
	template <class T>
	void answer(struct ingress_request *request, const T &value, enum ingress_status status = INGRESS_OK)
	{
		if (encode(static_cast<Wire>(request->wire), value, message_) == Status::ok)
			ingress_answer_copy(request, status, message_.data(), message_.size());
		else
			refuse(request, INGRESS_FAILED, "cannot encode the answer");
	}
	static void refuse(struct ingress_request *request, enum ingress_status status, std::string_view why)
	{
		ingress_answer_copy(request, status, why.data(), why.size());
	}
	/* Fail with the error that the method declares. */
	template <class T> void raise(struct ingress_request *request, const T &error)
	{
		answer(request, error, INGRESS_RAISED);
	}
	/* The parameters; false when the request was refused for them. */
	template <class T> bool take(struct ingress_request *request, T &params)
	{
		Fault fault;

		if (decode(static_cast<Wire>(request->wire), request->data, request->bytes, params, fault))
			return true;
		refuse(request, INGRESS_BAD_PAYLOAD, fault.text());
		return false;
	}
	template <class T> void same(struct ingress_request *request, T params)
	{
		if (take(request, params))
			answer(request, params.value);
	}
	template <class T> void emit(std::uint32_t event, const T &value)
	{
		const unsigned wires = ingress_event_wires(provider_, event);

		for (const Wire wire : { Wire::cbor, Wire::c }) {
			const auto number = static_cast<std::uint32_t>(wire);

			if ((wires >> number & 1) && encode(wire, value, message_) == Status::ok)
				ingress_event_emit(provider_, event, number, message_.data(), message_.size());
		}
	}

	std::int64_t end_naps();
	std::int64_t end_timers();
	void create(struct ingress_request *request);
	void echo(struct ingress_request *request);
	void echoed(struct ingress_request *request, const echo::EchoRequest &what);
	void complex(struct ingress_request *request);
	void ticks(struct ingress_request *request);
	void open(struct ingress_request *request);
	void read(struct ingress_request *request);
	void close(struct ingress_request *request);
	void divide(struct ingress_request *request);
	void draw(struct ingress_request *request);
	void sing(struct ingress_request *request);
	void parse(struct ingress_request *request);
	void nap(struct ingress_request *request);
	void spin(struct ingress_request *request);
	void give_up(struct ingress_request *request);
	void count(struct ingress_request *request);
	void count_next(struct ingress_request *request);
	void count_close(struct ingress_request *request);
	void count(Counter *counter, struct ingress_request *request, std::uint32_t credits);
	bool go_on(Counter *counter);
	void give(Counter *counter, std::uint32_t numbers);
	void stop(Counter *counter);
	void drop(Counter *counter);
	std::int64_t count_on();
	void consult(struct ingress_request *request);
	void picked(struct ingress_request *request);
	void refused(struct ingress_request *request);
	void host_failed(struct ingress_request *request);
	Question *question(struct ingress_request *request, echo::PickQuestionId handle);
	void conclude(Question *question, echo::Consultation outcome, std::string text);
	void withdraw(Question *question, enum ingress_status status, std::string_view why);
	void forget(Question *question);
	std::int64_t look();

	struct ingress_provider *provider_;
	std::string prefix_;
	std::multimap<Clock::time_point, std::pair<struct ingress_request *, echo::EchoRequest>> timers_;
	std::map<struct ingress_request *, Clock::time_point> naps_;
	std::map<struct ingress_request *, Counter *> counters_; /* those whose request waits */
	std::map<struct ingress_request *, Question *> questions_;
	echo::Counts counts_{};
	std::uint32_t cancellations_ = 0;
	echo::EchoRequest request_; /* its memory serves one request after the other */
	Message message_;
};

void Echo::serve(struct ingress_request *request)
{
	switch (request->method) {
	case 0:
		return create(request);
	case 1:
		return answer(request, std::monostate{});
	case 2:
		return echo(request);
	case 3:
		return complex(request);
	case 4:
		return same(request, Payload{});
	case 5:
		if (Message_ params; take(request, params))
			refuse(request, INGRESS_FAILED, params.value);
		return;
	case 6:
		return same(request, All{});
	case 7:
		return same(request, Root{});
	case 8:
		return same(request, Maybe{});
	case 9:
		return ticks(request);
	case 10:
		return open(request);
	case 11:
		return read(request);
	case 12:
		return close(request);
	case 13:
		return answer(request, std::string("0.1.0"));
	case 14:
		if (Sum params; take(request, params))
			answer(request, static_cast<std::int64_t>(static_cast<std::uint64_t>(params.left) +
								  static_cast<std::uint64_t>(params.right)));
		return;
	case 15:
		return divide(request);
	case 16:
		return parse(request);
	case 17:
		return nap(request);
	case 18:
		return spin(request);
	case 20:
		return sing(request);
	case 21:
		return count(request);
	case 22:
		return count_next(request);
	case 23:
		return count_close(request);
	case 24:
		return answer(request, counts_);
	case 25:
		return consult(request);
	case 26:
		return answer(request, static_cast<std::uint32_t>(questions_.size()));
	case 27:
		return draw(request);
	case 28:
		return picked(request);
	case 29:
		return refused(request);
	case 30:
		return host_failed(request);
	default:
		return answer(request, cancellations_);
	}
}

void Echo::nap(struct ingress_request *request)
{
	Delay params;

	if (take(request, params))
		naps_.emplace(request, Clock::now() + std::chrono::milliseconds(params.value));
}

void Echo::spin(struct ingress_request *request)
{
	Delay params;

	if (!take(request, params))
		return;
	const auto over = Clock::now() + std::chrono::milliseconds(params.value);

	while (Clock::now() < over)
		if (ingress_request_cancelled(request))
			return give_up(request);
	answer(request, std::monostate{});
}

void Echo::give_up(struct ingress_request *request)
{
	cancellations_++;
	refuse(request, INGRESS_CANCELLED, "cancelled");
}

void Echo::cancelled(struct ingress_request *request)
{
	if (naps_.erase(request))
		give_up(request);
	else if (const auto waiting = counters_.find(request); waiting != counters_.end())
		stop(waiting->second);
	else if (const auto asking = questions_.find(request); asking != questions_.end())
		withdraw(asking->second, INGRESS_CANCELLED, "cancelled");
}

void Echo::draw(struct ingress_request *request)
{
	constexpr std::size_t shapes_max = 100;
	Draw params;

	if (!take(request, params))
		return;
	auto &[name, shapes, is_colored] = params.drawing;

	if (params.extra)
		shapes.push_back(std::move(*params.extra));
	if (shapes.empty())
		return raise(request, echo::DrawError::empty());
	if (shapes.size() > shapes_max)
		return raise(request, echo::DrawError::too_many({ static_cast<std::uint32_t>(shapes.size()) }));
	if (const echo::DrawingTrue *colored = is_colored.as_true_())
		shapes.insert(shapes.begin(),
			      echo::Shape::caption(
				      { name + " " + std::to_string(static_cast<std::int32_t>(colored->color)) }));
	else
		shapes.insert(shapes.begin(), echo::Shape::label({ name }));
	const echo::Shape whole = echo::Shape::group({ std::move(shapes) });

	emit(2, whole);
	answer(request, whole);
}

void Echo::divide(struct ingress_request *request)
{
	Division params;

	if (!take(request, params))
		return;
	if (params.divisor == 0)
		return raise(request, echo::DivideError::by_zero);
	if (params.dividend == echo::lowest && params.divisor == -1)
		return raise(request, echo::DivideError::overflow);
	answer(request, params.dividend / params.divisor);
}

void Echo::parse(struct ingress_request *request)
{
	constexpr std::size_t digits_max = 18;
	Text params;
	std::int64_t number = 0;

	if (!take(request, params))
		return;
	if (params.value.empty())
		return refuse(request, INGRESS_FAILED, "there is no text");
	for (std::size_t i = 0; i < params.value.size(); i++) {
		const auto position = static_cast<std::uint32_t>(i);

		if (i == digits_max)
			return raise(request, echo::ParseError{ "too long", position });
		if (params.value[i] < '0' || params.value[i] > '9')
			return raise(request, echo::ParseError{ "no digit", position });
		number = number * 10 + (params.value[i] - '0');
	}
	answer(request, number);
}

void Echo::sing(struct ingress_request *request)
{
	constexpr double times_max = 100;
	Chorus params;

	if (!take(request, params))
		return;
	const echo::Chorus &chorus = params.value;
	const double times = chorus.times * chorus.factor;

	if (!(times >= 0 && times <= times_max))
		return refuse(request, INGRESS_FAILED, "a text is said at most 100 times");
	std::string text = chorus.remark.value_or("");

	for (int i = 0; i < static_cast<int>(times); i++)
		text += (i > 0 ? chorus.separator : "") + chorus.text;
	answer(request, text + (chorus.loud ? "! " : " ") + std::to_string(static_cast<int>(chorus.color)));
}

void Echo::create(struct ingress_request *request)
{
	Prefix params;

	if (!take(request, params))
		return;
	prefix_ = params.value;
	if (prefix_ == "fail")
		refuse(request, INGRESS_FAILED, "asked to fail");
	else
		answer(request, std::monostate{});
}

void Echo::echo(struct ingress_request *request)
{
	Request params;

	std::swap(params.value, request_);
	if (take(request, params)) {
		std::swap(params.value, request_);
		if (request_.delay_ms < 0 || request_.delay_ms > echo::max_delay_ms)
			refuse(request, INGRESS_FAILED, "the delay has to be from 0 to 60000 ms");
		else if (request_.delay_ms > 0)
			timers_.emplace(Clock::now() + std::chrono::milliseconds(request_.delay_ms),
					std::pair(request, request_));
		else
			echoed(request, request_);
	}
}

void Echo::echoed(struct ingress_request *request, const echo::EchoRequest &what)
{
	const echo::EchoResponse response{ prefix_ + what.message, std::to_string(what.delay_ms) + " ms" };

	emit(1, response);
	answer(request, response);
}

void Echo::complex(struct ingress_request *request)
{
	Complex params;

	if (!take(request, params))
		return;
	const echo::ComplexRequest &what = params.value;
	echo::ComplexResponse response;

	for (const echo::EchoRequest &one : what.messages)
		response.summary += (response.summary.empty() ? "" : ",") + one.message;
	response.summary += ';';
	for (const std::string &tag : what.tags)
		response.summary += (response.summary.back() == ';' ? "" : ",") + tag;
	response.item_count = static_cast<std::uint32_t>(what.messages.size() + what.tags.size());
	response.has_note = what.note.has_value();
	response.retries = what.retries.value_or(-1);
	answer(request, response);
}

void Echo::ticks(struct ingress_request *request)
{
	Count params;

	if (!take(request, params))
		return;
	for (std::uint32_t i = 0; i < params.value; i++)
		emit(0, std::monostate{});
	answer(request, std::monostate{});
}

void Echo::open(struct ingress_request *request)
{
	Text params;

	if (!take(request, params))
		return;
	auto reader = std::make_unique<Reader>(Reader{ std::move(params.value) });
	const echo::ReaderId id{ ingress_handle_open(provider_, 0, reader.get()) };

	if (!id)
		return refuse(request, INGRESS_FAILED, "no memory");
	(void)reader.release();
	answer(request, id);
}

void Echo::read(struct ingress_request *request)
{
	Read params;

	if (!take(request, params))
		return;
	auto *reader = static_cast<Reader *>(ingress_handle_object(provider_, 0, params.reader.value));

	if (!reader)
		return refuse(request, INGRESS_BAD_HANDLE, "reader: no such handle");
	std::optional<std::string> piece;

	if (reader->at < reader->text.size()) {
		piece = reader->text.substr(reader->at, params.bytes_max);
		reader->at += piece->size();
	}
	answer(request, piece);
}

void Echo::close(struct ingress_request *request)
{
	Reader_ params;

	if (!take(request, params))
		return;
	const std::unique_ptr<Reader> reader(
		static_cast<Reader *>(ingress_handle_close(provider_, 0, params.value.value)));

	if (!reader)
		return refuse(request, INGRESS_BAD_HANDLE, "reader: no such handle");
	answer(request, std::monostate{});
}

void Echo::count(struct ingress_request *request)
{
	Count_ params;

	if (!take(request, params))
		return;
	if (params.request.delay_ms < 0 || params.request.delay_ms > echo::max_delay_ms)
		return refuse(request, INGRESS_FAILED, "the delay has to be from 0 to 60000 ms");
	auto *counter = new Counter{};

	counter->what = params.request;
	counter->due = Clock::now() + std::chrono::milliseconds(params.request.delay_ms);
	counts_.running++;
	count(counter, request, params.credits);
}

void Echo::count_next(struct ingress_request *request)
{
	More params;

	if (!take(request, params))
		return;
	auto *counter = static_cast<Counter *>(ingress_handle_object(provider_, 1, params.stream.value));

	if (!counter)
		return refuse(request, INGRESS_BAD_HANDLE, "stream: no such handle");
	if (counter->request)
		return refuse(request, INGRESS_FAILED, "another request of this stream waits for values");
	count(counter, request, params.credits);
}

void Echo::count_close(struct ingress_request *request)
{
	Enough params;

	if (!take(request, params))
		return;
	auto *counter = static_cast<Counter *>(ingress_handle_object(provider_, 1, params.value.value));

	if (!counter)
		return refuse(request, INGRESS_BAD_HANDLE, "stream: no such handle");
	stop(counter);
	answer(request, std::monostate{});
}

/* Answer a request for numbers, now or later. */
void Echo::count(Counter *counter, struct ingress_request *request, std::uint32_t credits)
{
	counter->request = request;
	counter->credits = std::max(credits, 1U);
	if (!go_on(counter))
		counters_.emplace(request, counter);
}

/* Answer the request of a count if there is something to answer with. */
bool Echo::go_on(Counter *counter)
{
	const std::uint32_t numbers = counter->ready();

	if (ingress_request_cancelled(counter->request)) {
		stop(counter);
	} else if (numbers > 0 || counter->number == counter->what.up_to) {
		give(counter, numbers);
	} else if (counter->fails() && Clock::now() >= counter->due) {
		raise(counter->request, echo::CountError::too_far);
		drop(counter);
	} else {
		return false;
	}
	return true;
}

void Echo::give(Counter *counter, std::uint32_t numbers)
{
	struct ingress_request *request = std::exchange(counter->request, nullptr);
	echo::CountPart part;

	for (std::uint32_t i = 0; i < numbers; i++)
		part.values.push_back({ counter->number++, std::string(counter->what.text_bytes, 'x') });
	counter->due += std::chrono::milliseconds(counter->what.delay_ms);
	counts_.given += numbers;
	if (counter->number < counter->what.up_to) {
		if (!counter->handle)
			counter->handle = echo::CountStreamId{ ingress_handle_open(provider_, 1, counter) };
		part.stream = counter->handle;
	} else {
		drop(counter);
	}
	answer(request, part);
}

/* The host wants no more. */
void Echo::stop(Counter *counter)
{
	if (counter->request) {
		counters_.erase(counter->request);
		refuse(counter->request, INGRESS_CANCELLED, "cancelled");
	}
	counts_.stopped++;
	drop(counter);
}

void Echo::drop(Counter *counter)
{
	if (counter->handle)
		ingress_handle_close(provider_, 1, counter->handle.value);
	counts_.running--;
	delete counter;
}

std::int64_t Echo::count_on()
{
	std::int64_t least = INGRESS_FOREVER;

	for (auto it = counters_.begin(); it != counters_.end();) {
		Counter *counter = it->second;
		const std::int64_t left = std::chrono::nanoseconds(counter->due - Clock::now()).count();

		if (left > 0) {
			least = std::min(least, left);
			++it;
			continue;
		}
		it = counters_.erase(it);
		if (!go_on(counter))
			counters_.emplace(counter->request, counter), least = 0;
	}
	return least;
}

/* Ask the host; the request goes on with its answer. */
void Echo::consult(struct ingress_request *request)
{
	constexpr std::size_t questions_max = 64;
	Matter_ matter;

	if (!take(request, matter))
		return;
	if (questions_.size() == questions_max)
		return answer(request, echo::Consulted{ echo::Consultation::too_many, "64 questions are open" });
	if (!ingress_event_wires(provider_, 3))
		return answer(request, echo::Consulted{ echo::Consultation::unheard, "nobody answers" });
	auto *question =
		new Question{ matter.choices, Clock::now() + std::chrono::milliseconds(matter.wait_ms), request, {} };

	question->handle = echo::PickQuestionId{ ingress_handle_open(provider_, 2, question) };
	questions_.emplace(request, question);
	emit(3, echo::PickAsked{ question->handle, std::move(matter.title), std::move(matter.choices) });
}

void Echo::forget(Question *question)
{
	questions_.erase(question->request);
	ingress_handle_close(provider_, 2, question->handle.value);
	delete question;
}

void Echo::conclude(Question *question, echo::Consultation outcome, std::string text)
{
	answer(question->request, echo::Consulted{ outcome, std::move(text) });
	forget(question);
}

void Echo::withdraw(Question *question, enum ingress_status status, std::string_view why)
{
	refuse(question->request, status, why);
	forget(question);
}

/* The question that a request answers; nullptr when the request was refused, since it is not open. */
Question *Echo::question(struct ingress_request *request, echo::PickQuestionId handle)
{
	auto *question = static_cast<Question *>(ingress_handle_object(provider_, 2, handle.value));

	if (!question)
		refuse(request, INGRESS_BAD_HANDLE, "question: no such handle");
	return question;
}

void Echo::picked(struct ingress_request *request)
{
	Returned_ params;

	if (!take(request, params))
		return;
	if (Question *each = question(request, params.question)) {
		if (params.value < each->choices.size())
			conclude(each, echo::Consultation::answered, each->choices[params.value]);
		else
			withdraw(each, INGRESS_FAILED, "there is no such choice");
		answer(request, std::monostate{});
	}
}

void Echo::refused(struct ingress_request *request)
{
	Raised_ params;

	if (!take(request, params))
		return;
	if (Question *each = question(request, params.question)) {
		conclude(each, echo::Consultation::refused,
			 params.error == echo::PickError::none_fits ? "noneFits" : "asksTooMuch");
		answer(request, std::monostate{});
	}
}

void Echo::host_failed(struct ingress_request *request)
{
	Failed_ params;

	if (!take(request, params))
		return;
	if (Question *each = question(request, params.question)) {
		conclude(each, echo::Consultation::failed, std::move(params.message));
		answer(request, std::monostate{});
	}
}

/* End the questions to which no answer will come. Returns how long it is until the next look. */
std::int64_t Echo::look()
{
	constexpr std::int64_t look_ns = 100'000'000;
	std::int64_t least = INGRESS_FOREVER;

	for (auto it = questions_.begin(); it != questions_.end();) {
		Question *each = (it++)->second;
		const std::int64_t left = std::chrono::nanoseconds(each->due - Clock::now()).count();

		if (ingress_request_cancelled(each->request))
			withdraw(each, INGRESS_CANCELLED, "cancelled");
		else if (left <= 0)
			conclude(each, echo::Consultation::too_late, "no answer came in time");
		else if (!ingress_event_wires(provider_, 3))
			conclude(each, echo::Consultation::unheard, "nobody answers");
		else
			least = std::min({ least, left, look_ns });
	}
	return least;
}

std::int64_t Echo::turn()
{
	return std::min({ end_naps(), end_timers(), count_on(), look() });
}

std::int64_t Echo::end_naps()
{
	const auto now = Clock::now();
	std::int64_t least = INGRESS_FOREVER;

	for (auto it = naps_.begin(); it != naps_.end();) {
		const std::int64_t left = std::chrono::nanoseconds(it->second - now).count();

		if (left > 0) {
			least = std::min(least, left);
			++it;
		} else {
			answer(it->first, std::monostate{});
			it = naps_.erase(it);
		}
	}
	return least;
}

std::int64_t Echo::end_timers()
{
	while (!timers_.empty()) {
		const auto first = timers_.begin();
		const auto left = first->first - Clock::now();

		if (left > Clock::duration::zero())
			return std::chrono::nanoseconds(left).count();
		const auto [request, what] = std::move(first->second);

		timers_.erase(first);
		echoed(request, what);
	}
	return INGRESS_FOREVER;
}

void Echo::end()
{
	std::uint32_t kind = 0;

	timers_.clear();
	naps_.clear();
	counters_.clear();
	questions_.clear();
	counts_ = {};
	cancellations_ = 0;
	while (void *object = ingress_handle_close_any(provider_, &kind))
		if (kind == 0)
			delete static_cast<Reader *>(object);
		else if (kind == 1)
			delete static_cast<Counter *>(object);
		else
			delete static_cast<Question *>(object);
}

constexpr std::uint8_t methods[] = { INGRESS_CONSTRUCTOR, INGRESS_DESTRUCTOR, INGRESS_METHOD, INGRESS_METHOD,
				     INGRESS_METHOD,	  INGRESS_METHOD,     INGRESS_METHOD, INGRESS_METHOD,
				     INGRESS_METHOD,	  INGRESS_METHOD,     INGRESS_METHOD, INGRESS_METHOD,
				     INGRESS_METHOD,	  INGRESS_STATIC,     INGRESS_STATIC, INGRESS_METHOD,
				     INGRESS_STATIC,	  INGRESS_METHOD,     INGRESS_METHOD, INGRESS_METHOD,
				     INGRESS_STATIC,	  INGRESS_METHOD,     INGRESS_METHOD, INGRESS_METHOD,
				     INGRESS_METHOD,	  INGRESS_METHOD,     INGRESS_METHOD, INGRESS_METHOD,
				     INGRESS_METHOD,	  INGRESS_METHOD,     INGRESS_METHOD };
constexpr struct ingress_event_kind events[] = {
	{ INGRESS_DROP_NEWEST, 0 }, { INGRESS_DROP_OLDEST, 0 }, { INGRESS_DROP_OLDEST, 0 }, { INGRESS_DROP_OLDEST, 64 }
};

const struct ingress_library library = {
	INGRESS_ABI,
	0,
	"echo",
	echo::interface_hash,
	std::size(methods),
	std::size(events),
	methods,
	events,
	nullptr,
	[](struct ingress_provider *provider, void **state) {
		*state = new (std::nothrow) Echo(provider);
		if (!*state)
			return -1;
		ingress_cancel_watch(
			provider,
			[](void *user, struct ingress_request *request) {
				static_cast<Echo *>(user)->cancelled(request);
			},
			*state);
		return 0;
	},
	[](void *state, struct ingress_request *const *requests, std::size_t count) {
		for (std::size_t i = 0; i < count; i++)
			static_cast<Echo *>(state)->serve(requests[i]);
	},
	[](void *state) { return static_cast<Echo *>(state)->turn(); },
	[](void *) { return -1; },
	[](void *state) { static_cast<Echo *>(state)->end(); },
	[](void *state) { delete static_cast<Echo *>(state); },
};

} // namespace

extern "C" const struct ingress_library *ferry_library_echo(void)
{
	return &library;
}
