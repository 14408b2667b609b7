/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A command line for folders of notes, on the library `notes`: find, read, write and remove notes, list tags, and
 * follow what changes. The library runs on a thread of its own; this program only calls it. Exit status: 0, 1 when the
 * library says that something failed, 2 for a wrong command line.
 */
#include <notes.hpp>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{

constexpr std::uint32_t limit_by_default = 20;
constexpr std::uint32_t piece = 100; /* matches in one piece of a long search */

constexpr const char *usage = R"(Usage: notes-cli [--database FILE] FOLDER COMMAND

  find TEXT [--newest] [--limit N]   notes that match, best or newest first (N: 20)
  search TEXT                        every note that matches, piece by piece
  read PATH                          the text of a note
  write PATH                         write a note from standard input
  remove PATH                        remove a note
  tags                               every tag, and how many notes have it
  totals                             what the index holds, and what was left out of it
  watch [SECONDS]                    what changes, until interrupted or for so many seconds
  parse TEXT                         how a query is understood

TEXT: words that must all occur; "a phrase", begin*, -without and #tag are understood.
)";

/* A command line that makes no sense. */
struct UsageError : std::runtime_error {
	using std::runtime_error::runtime_error;
};

/* The words of the command line, which are taken from the front. */
class Arguments
{
public:
	Arguments(int argc, char **argv) : left_(argv + (argc > 0), argv + argc)
	{
	}
	[[nodiscard]] bool empty() const
	{
		return left_.empty();
	}
	std::string take(const char *what)
	{
		if (left_.empty())
			throw UsageError(std::string(what) + " is missing");
		std::string first = std::move(left_.front());

		left_.erase(left_.begin());
		return first;
	}
	/* Take an option, wherever it stands; with its value when `value` is given. */
	bool option(const std::string &name, std::string *value = nullptr)
	{
		for (auto at = left_.begin(); at != left_.end(); ++at) {
			if (*at != name)
				continue;
			at = left_.erase(at);
			if (value && at == left_.end())
				throw UsageError(name + " wants a value");
			if (value) {
				*value = *at;
				left_.erase(at);
			}
			return true;
		}
		return false;
	}
	void end() const
	{
		if (!left_.empty())
			throw UsageError("'" + left_.front() + "' is one argument too many");
	}

private:
	std::vector<std::string> left_;
};

std::uint32_t number(const std::string &text, const char *what)
{
	char *end = nullptr;
	const unsigned long value = std::strtoul(text.c_str(), &end, 10);

	if (text.empty() || *end || text.front() == '-' || value == 0 || value > UINT32_MAX)
		throw UsageError(std::string(what) + " '" + text + "' is not a whole number from 1 on");
	return static_cast<std::uint32_t>(value);
}

void print(const notes::Found &found)
{
	std::cout << found.note.path << "  " << found.note.title << "\n    " << found.snippet << '\n';
}

void find(const notes::Context &library, Arguments &arguments)
{
	std::string limit = std::to_string(limit_by_default);
	const auto order = arguments.option("--newest") ? notes::Order::newest : notes::Order::relevance;

	arguments.option("--limit", &limit);
	const std::string text = arguments.take("TEXT");

	arguments.end();
	for (const notes::Found &found : library.find(text, order, number(limit, "--limit")))
		print(found);
}

/* The cursor is the library's; it is closed when this returns, whatever happens. */
void search(const notes::Context &library, Arguments &arguments)
{
	const std::string text = arguments.take("TEXT");

	arguments.end();
	const notes::Cursor cursor = library.search(text, notes::Order::relevance);

	for (;;) {
		const std::vector<notes::Found> some = cursor.fetch(piece);

		if (some.empty())
			break;
		for (const notes::Found &found : some)
			print(found);
	}
}

void write(const notes::Context &library, Arguments &arguments)
{
	const std::string path = arguments.take("PATH");

	arguments.end();
	const std::string text{ std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>() };

	library.write(path, text);
}

/* Two calls at once: neither waits for the other. */
void totals(const notes::Context &library, Arguments &arguments)
{
	arguments.end();
	std::future<notes::Totals> totals = library.totals_future();
	std::future<std::map<std::string, std::string>> skipped = library.skipped_future();
	const notes::Totals all = totals.get();

	std::cout << all.notes << " notes, " << all.bytes << " bytes, " << all.skipped << " files left out\n";
	for (const auto &[path, why] : skipped.get())
		std::cout << "    " << path << ": " << why << '\n';
}

volatile std::sig_atomic_t interrupted = 0;

void watch(const notes::Context &library, Arguments &arguments)
{
	static const char *const words[] = { "added", "changed", "removed" };
	const bool forever = arguments.empty();
	const auto until = std::chrono::steady_clock::now() +
			   std::chrono::seconds(forever ? 0 : number(arguments.take("SECONDS"), "SECONDS"));

	arguments.end();
	std::signal(SIGINT, [](int) { interrupted = 1; });
	std::signal(SIGTERM, [](int) { interrupted = 1; });
	/* listens for as long as it is in scope */
	const auto changes = library.on_note_changed([](const notes::Change &change, std::uint64_t lost) {
		if (lost)
			std::cout << "(" << lost << " changes were too many to tell)\n";
		std::cout << words[static_cast<std::size_t>(change.kind)] << ' ' << change.path << std::endl;
	});

	while (!interrupted && (forever || std::chrono::steady_clock::now() < until))
		std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

void read(const notes::Context &library, Arguments &arguments)
{
	const std::string path = arguments.take("PATH");

	arguments.end();
	std::cout << library.read(path);
}

void remove(const notes::Context &library, Arguments &arguments)
{
	const std::string path = arguments.take("PATH");

	arguments.end();
	library.remove(path);
}

void tags(const notes::Context &library, Arguments &arguments)
{
	arguments.end();
	for (const auto &[tag, count] : library.tags())
		std::cout << count << '\t' << tag << '\n';
}

/* A static method: the library answers without a context. */
void parse(const notes::Context &, Arguments &arguments)
{
	const std::string text = arguments.take("TEXT");

	arguments.end();
	std::cout << notes::Context::parse(text) << '\n';
}

struct Command {
	const char *name;
	void (*run)(const notes::Context &library, Arguments &arguments);
};

constexpr Command commands[] = { { "find", find },     { "search", search }, { "read", read },
				 { "write", write },   { "remove", remove }, { "tags", tags },
				 { "totals", totals }, { "watch", watch },   { "parse", parse } };

const Command &command_of(const std::string &name)
{
	for (const Command &command : commands)
		if (name == command.name)
			return command;
	throw UsageError("'" + name + "' is no command");
}

void run(Arguments &arguments)
{
	std::string file;
	const bool kept = arguments.option("--database", &file);
	const std::string folder = arguments.take("FOLDER");
	const Command &command = command_of(arguments.take("COMMAND"));
	const bool follows = command.run == watch;

	command.run(notes::Context::open(folder, kept ? std::optional(file) : std::nullopt, follows), arguments);
}

} // namespace

int main(int argc, char **argv)
try {
	Arguments arguments(argc, argv);

	if (arguments.option("--help")) {
		std::cout << usage;
		return 0;
	}
	run(arguments);
	std::cout.flush();
	return std::cout ? 0 : 1;
} catch (const UsageError &error) {
	std::cerr << "notes-cli: " << error.what() << "\nTry 'notes-cli --help'.\n";
	return 2;
} catch (const ferry::ingress::Error &error) {
	std::cerr << "notes-cli: " << error.what() << '\n';
	return 1;
} catch (const std::exception &error) {
	std::cerr << "notes-cli: " << error.what() << '\n';
	return 1;
}
