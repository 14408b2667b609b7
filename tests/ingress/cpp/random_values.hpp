/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random values of any type that the bindings know; objects by the list of their fields. What a value is depends on the
 * seed alone.
 */
#ifndef FERRY_RANDOM_VALUES_HPP
#define FERRY_RANDOM_VALUES_HPP

#include <echo.hpp>

#include <limits>

/* xorshift64* */
class Random
{
public:
	explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1)
	{
	}
	std::uint64_t next()
	{
		state_ ^= state_ >> 12;
		state_ ^= state_ << 25;
		state_ ^= state_ >> 27;
		return state_ * 0x2545f4914f6cdd1d;
	}
	std::size_t below(std::size_t bound)
	{
		return static_cast<std::size_t>(next() >> 11) % bound;
	}

private:
	std::uint64_t state_;
};

template <class T, class = void> struct RandomValue;

template <class T> T random_value(Random &random, unsigned depth = 0)
{
	return RandomValue<T>::make(random, depth);
}

/* Few elements, and fewer the deeper they are. */
inline std::size_t random_count(Random &random, unsigned depth)
{
	return depth > 3 ? 0 : random.below(5 - depth);
}

template <class T> struct RandomValue<T, std::enable_if_t<std::is_integral_v<T>>> {
	static T make(Random &random, unsigned)
	{
		switch (random.below(4)) {
		case 0:
			return static_cast<T>(random.below(30));
		case 1:
			return random.below(2) ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
		case 2: /* about as many of each length */
			return static_cast<T>(random.next() >> random.below(64));
		default:
			return static_cast<T>(random.next());
		}
	}
};
template <> struct RandomValue<bool> {
	static bool make(Random &random, unsigned)
	{
		return random.below(2) != 0;
	}
};
template <class T> struct RandomValue<T, std::enable_if_t<std::is_floating_point_v<T>>> {
	static T make(Random &random, unsigned)
	{
		const auto number = static_cast<std::int64_t>(random.next());

		switch (random.below(4)) {
		case 0:
			return static_cast<T>(number % 4096) / 8;
		case 1:
			return static_cast<T>(number);
		case 2:
			return std::numeric_limits<T>::denorm_min() * static_cast<T>(number % 100);
		default:
			return 1 / static_cast<T>(number | 1);
		}
	}
};
template <> struct RandomValue<std::string> {
	static std::string make(Random &random, unsigned)
	{
		static const char *const pieces[] = { "a",
						      "hello",
						      "\xc3\xb6",
						      "\xe2\x82\xac",
						      "\xf0\x9f\x98\x80",
						      "\n",
						      "0123456789012345678901234567890" };
		std::string text;

		for (std::size_t left = random.below(6); left; left--)
			text += pieces[random.below(std::size(pieces))];
		return text;
	}
};
template <> struct RandomValue<ferry::ingress::Bytes> {
	static ferry::ingress::Bytes make(Random &random, unsigned)
	{
		ferry::ingress::Bytes bytes(random.below(random.below(8) ? 20 : 1000));

		for (std::byte &byte : bytes)
			byte = static_cast<std::byte>(random.next() >> 56);
		return bytes;
	}
};
template <> struct RandomValue<echo::Color> {
	static echo::Color make(Random &random, unsigned)
	{
		static const echo::Color all[] = { echo::Color::none, echo::Color::red, echo::Color::green,
						   echo::Color::blue };

		return all[random.below(4)];
	}
};
template <class T> struct RandomValue<std::optional<T>> {
	static std::optional<T> make(Random &random, unsigned depth)
	{
		if (random.below(2))
			return std::nullopt;
		return random_value<T>(random, depth);
	}
};
template <class T> struct RandomValue<std::vector<T>> {
	static std::vector<T> make(Random &random, unsigned depth)
	{
		std::vector<T> all;

		for (std::size_t left = random_count(random, depth); left; left--)
			all.push_back(random_value<T>(random, depth + 1));
		return all;
	}
};
template <class K, class V> struct RandomValue<std::map<K, V>> {
	static std::map<K, V> make(Random &random, unsigned depth)
	{
		std::map<K, V> all;

		for (std::size_t left = random_count(random, depth); left; left--)
			all[random_value<K>(random)] = random_value<V>(random, depth + 1);
		return all;
	}
};
template <class T> struct RandomValue<T, std::enable_if_t<ferry::ingress::IsObject<T>::value>> {
	static T make(Random &random, unsigned depth)
	{
		T value;

		fill_all(value, random, depth, std::make_index_sequence<ferry::ingress::field_count<T>>());
		return value;
	}

private:
	template <std::size_t... I>
	static void fill_all(T &value, Random &random, unsigned depth, std::index_sequence<I...>)
	{
		(fill(value.*ferry::ingress::nth_field<T, I>.member, random, depth), ...);
	}
	template <class Member> static void fill(Member &member, Random &random, unsigned depth)
	{
		member = random_value<Member>(random, depth);
	}
};

#endif
