/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests in C++ that print TAP, one line each: TEST(name) { CHECK(…); }, and main is here. CHECK throws, so that a test
 * ends at its first fault and everything it owns is destroyed. Names on the command line choose among the tests.
 */
#ifndef FERRY_CHECK_HPP
#define FERRY_CHECK_HPP

#include <cstdio>
#include <cstring>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace check
{

struct Test {
	const char *name;
	void (*run)();
};

inline std::vector<Test> &tests()
{
	static std::vector<Test> all;

	return all;
}

struct Register {
	Register(const char *name, void (*run)())
	{
		tests().push_back({ name, run });
	}
};

struct Fault : std::runtime_error {
	using std::runtime_error::runtime_error;
};

template <class T> std::string shown(const T &value)
{
	std::ostringstream text;

	if constexpr (std::is_enum_v<T>)
		text << static_cast<long long>(value);
	else if constexpr (std::is_convertible_v<T, std::string> || std::is_arithmetic_v<T>)
		text << value;
	else
		text << "(a value)";
	return text.str();
}

[[noreturn]] inline void fail(const char *file, int line, const std::string &what)
{
	throw Fault(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

template <class A, class B> void equal(const char *file, int line, const char *text, const A &a, const B &b)
{
	if (!(a == b))
		fail(file, line, std::string(text) + ": " + shown(a) + " is not " + shown(b));
}

} // namespace check

#define TEST(name)                                                                                                     \
	static void test_##name();                                                                                     \
	static check::Register name##_test(#name, test_##name);                                                        \
	static void test_##name()

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			check::fail(__FILE__, __LINE__, #condition);                                                   \
	} while (0)

#define CHECK_EQUAL(a, b) check::equal(__FILE__, __LINE__, #a " == " #b, a, b)

/* The expression throws this class, or a class below it. */
#define CHECK_THROWS(Class, expression)                                                                                \
	do {                                                                                                           \
		bool thrown = false;                                                                                   \
		try {                                                                                                  \
			(void)(expression);                                                                            \
		} catch (const Class &) {                                                                              \
			thrown = true;                                                                                 \
		}                                                                                                      \
		if (!thrown)                                                                                           \
			check::fail(__FILE__, __LINE__, #expression " does not throw " #Class);                        \
	} while (0)

int main(int argc, char **argv)
{
	unsigned number = 0, failed = 0;

	for (const check::Test &test : check::tests()) {
		bool wanted = argc < 2;

		for (int i = 1; i < argc; i++)
			wanted = wanted || std::strcmp(argv[i], test.name) == 0;
		if (!wanted)
			continue;
		try {
			test.run();
			std::printf("ok %u - %s\n", ++number, test.name);
		} catch (const std::exception &error) {
			failed++;
			std::printf("# %s: %s\nnot ok %u - %s\n", test.name, error.what(), ++number, test.name);
		}
		std::fflush(stdout);
	}
	std::printf("1..%u\n", number);
	return failed != 0;
}

#endif
