/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What calls give and take: a struct batch_value stands for the result that a call will have, a struct batch_argument
 * for one argument of a call. Both are types of their own, so that the compiler refuses a value where an int belongs.
 * Otherwise a program could take the index of a slot for a descriptor, and read from it or close it. Include
 * <ferry/batch.h>, not this file.
 *
 * The builders take for each argument either a plain number or pointer or a value. C says so with _Generic and C++ with
 * constructors; what reaches the library is the same. In C the builders are therefore macros too: an argument with a
 * comma outside of parentheses, such as (int[]){ 1, 2 }, needs parentheses around it. Each argument is evaluated once.
 */
#ifndef FERRY_VALUE_H
#define FERRY_VALUE_H

/* FERRY_INLINE is `static inline` for callers; the library instantiates it once for other languages. */
#ifndef FERRY_INLINE
#define FERRY_INLINE static inline
#endif

/*
 * The result of a call that was added, for later calls of the same batch. Copy it freely; its members belong to the
 * library. A builder that has failed gives values that may be passed on like others; reading one gives its error.
 */
struct batch_value {
	long slot;	    /* the call's index, or -errno */
	unsigned int batch; /* struct batch_builder's, so that a value of another batch is told from its own */
	unsigned int kind;  /* of enum batch__kind */
};

/* One argument of a call: a word, or a value. Made by batch_argument_of, or by builders from what they are given. */
struct batch_argument {
	long word; /* or the value's slot */
	unsigned int batch;
	unsigned int kind;
};

/* The kinds of values: a word, a call's result, a word that was loaded. A value that was never set is of no kind. */
enum batch__kind {
	BATCH__WORD = 0,
	BATCH__VALUE = 1,
	BATCH__RESULT = 2 | BATCH__VALUE,
	BATCH__LOADED = 4 | BATCH__VALUE
};

/*
 * The result of the call in rets[], after a run: what the kernel returned, -errno when it failed. -ECANCELED when
 * batch_builder_run ran the batch and this call did not run. Of a load, 0 or -errno.
 */
FERRY_INLINE long batch_value_result(struct batch_value value, const long *rets)
{
	return value.slot < 0 ? value.slot : rets[value.slot];
}

/* The index of the call in slots[] and rets[], or -errno: for changing an argument between two runs. */
FERRY_INLINE long batch_value_slot(struct batch_value value)
{
	return value.slot;
}

/* ---- from what a caller writes to an argument ------------------------------------------------------------------ */

/* From a struct batch_argument. */
static inline struct batch_argument batch__from_argument(struct batch_argument argument)
{
	return argument;
}

/* From a value. One that was never set does not become a word either. */
static inline struct batch_argument batch__from_value(struct batch_value value)
{
	struct batch_argument argument = { value.slot, value.batch, value.kind | BATCH__VALUE };

	return argument;
}

/* From a word. */
static inline struct batch_argument batch__from_long(long word)
{
	struct batch_argument argument = { word, 0, BATCH__WORD };

	return argument;
}

/* From a word without a sign. */
static inline struct batch_argument batch__from_unsigned_long(unsigned long word)
{
	return batch__from_long((long)word);
}

/* From an address. */
static inline struct batch_argument batch__from_pointer(const volatile void *word)
{
	return batch__from_long((long)word);
}

/* From a double, whose bits are the word, for functions that take a double. */
static inline struct batch_argument batch__from_double(double word)
{
	long bits;

	__builtin_memcpy(&bits, &word, sizeof(bits));
	return batch__from_long(bits);
}

#ifndef __cplusplus

/* clang-format off */
/* A struct batch_argument of any number, pointer or value. */
#define batch_argument_of(x)                                                                                           \
	_Generic((x),                                                                                                  \
		struct batch_value: batch__from_value,                                                                 \
		struct batch_argument: batch__from_argument,                                                           \
		_Bool: batch__from_long,                                                                               \
		char: batch__from_long,                                                                                \
		signed char: batch__from_long,                                                                         \
		unsigned char: batch__from_long,                                                                       \
		short: batch__from_long,                                                                               \
		unsigned short: batch__from_long,                                                                      \
		int: batch__from_long,                                                                                 \
		long: batch__from_long,                                                                                \
		long long: batch__from_long,                                                                           \
		unsigned int: batch__from_unsigned_long,                                                               \
		unsigned long: batch__from_unsigned_long,                                                              \
		unsigned long long: batch__from_unsigned_long,                                                         \
		float: batch__from_double,                                                                             \
		double: batch__from_double,                                                                            \
		default: batch__from_pointer)(x)

/* The type of a typed builder's parameter; and how it converts an argument, which is a value or what `from` takes. */
#define BATCH__PARAMETER(type) struct batch_argument
#define BATCH__ARGUMENT(from, x)                                                                                       \
	_Generic((x),                                                                                                  \
		struct batch_value: batch__from_value,                                                                 \
		struct batch_argument: batch__from_argument,                                                           \
		default: from)(x)
/* clang-format on */

#else

extern "C++" {

/* batch_argument_of makes a struct batch_argument of any number, pointer or value. This one takes one that exists. */
static inline struct batch_argument batch_argument_of(struct batch_argument argument)
{
	return argument;
}

/* The same for a value. */
static inline struct batch_argument batch_argument_of(struct batch_value value)
{
	return batch__from_value(value);
}

/* The same for an address. */
static inline struct batch_argument batch_argument_of(const volatile void *word)
{
	return batch__from_pointer(word);
}

/* The same for nullptr. */
static inline struct batch_argument batch_argument_of(decltype(nullptr))
{
	return batch__from_long(0);
}

/* The same for numbers; a shorter type than these is promoted to int or double. */
#define BATCH__OF(type, from)                                                                                          \
	static inline struct batch_argument batch_argument_of(type word)                                               \
	{                                                                                                              \
		return from(word);                                                                                     \
	}
BATCH__OF(int, batch__from_long)
BATCH__OF(long, batch__from_long)
BATCH__OF(long long, batch__from_long)
BATCH__OF(unsigned int, batch__from_unsigned_long)
BATCH__OF(unsigned long, batch__from_unsigned_long)
BATCH__OF(unsigned long long, batch__from_unsigned_long)
BATCH__OF(double, batch__from_double)
#undef BATCH__OF

/* A typed builder's parameter, which has that type in C: anything that converts to the type, or a value. */
template <class Type> struct batch__parameter : batch_argument {
	batch__parameter(Type plain) : batch_argument(batch_argument_of(plain))
	{
	}
	batch__parameter(struct batch_value value) : batch_argument(batch__from_value(value))
	{
	}
	batch__parameter(struct batch_argument argument) : batch_argument(argument)
	{
	}
};
#define BATCH__PARAMETER(type) batch__parameter<type>

} /* extern "C++" */
#endif

#endif /* FERRY_VALUE_H */
