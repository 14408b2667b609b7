/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adding calls that have no typed builder. Include <ferry/batch.h>, not this file.
 *
 * batch_builder_add(builder, nr, ...) is batch_builder_add_arguments with up to 6 arguments, each written as a number,
 * a pointer or a value. batch_builder_load(builder, from) is batch_builder_load_word; the compiler refuses a `from`
 * that does not point to a whole word.
 */
#ifndef FERRY_ADD_H
#define FERRY_ADD_H

#ifndef __cplusplus
#define batch_builder_add(builder, ...)                                                                                \
	BATCH__ADD(__VA_ARGS__, BATCH__ADD_7, BATCH__ADD_6, BATCH__ADD_5, BATCH__ADD_4, BATCH__ADD_3, BATCH__ADD_2,    \
		   BATCH__ADD_1, BATCH__ADD_0, 0)                                                                      \
	(builder, __VA_ARGS__)
/* the macro for this number of arguments */
#define BATCH__ADD(nr, a, b, c, d, e, f, g, add, ...) add
#define BATCH__ADD_N(builder, nr, argc, ...)                                                                           \
	batch_builder_add_arguments(builder, nr, argc, (const struct batch_argument[]){ __VA_ARGS__ })
#define BATCH__ADD_0(builder, nr) batch_builder_add_arguments(builder, nr, 0, NULL)
#define BATCH__ADD_1(builder, nr, a) BATCH__ADD_N(builder, nr, 1, batch_argument_of(a))
#define BATCH__ADD_2(builder, nr, a, b) BATCH__ADD_N(builder, nr, 2, batch_argument_of(a), batch_argument_of(b))
#define BATCH__ADD_3(builder, nr, a, b, c)                                                                             \
	BATCH__ADD_N(builder, nr, 3, batch_argument_of(a), batch_argument_of(b), batch_argument_of(c))
#define BATCH__ADD_4(builder, nr, a, b, c, d)                                                                          \
	BATCH__ADD_N(builder, nr, 4, batch_argument_of(a), batch_argument_of(b), batch_argument_of(c),                 \
		     batch_argument_of(d))
#define BATCH__ADD_5(builder, nr, a, b, c, d, e)                                                                       \
	BATCH__ADD_N(builder, nr, 5, batch_argument_of(a), batch_argument_of(b), batch_argument_of(c),                 \
		     batch_argument_of(d), batch_argument_of(e))
#define BATCH__ADD_6(builder, nr, a, b, c, d, e, f)                                                                    \
	BATCH__ADD_N(builder, nr, 6, batch_argument_of(a), batch_argument_of(b), batch_argument_of(c),                 \
		     batch_argument_of(d), batch_argument_of(e), batch_argument_of(f))
#define BATCH__ADD_7(builder, nr, a, b, c, d, e, f, g) batch__a_call_takes_at_most_6_arguments

#define batch_builder_load(builder, from)                                                                              \
	batch_builder_load_word(builder,                                                                               \
				(const char *)(from) +                                                                 \
					0 * sizeof(struct {                                                            \
						_Static_assert(sizeof(*(from)) == sizeof(long),                        \
							       "a load takes a whole word: what is not 8 bytes "       \
							       "long cannot be loaded");                               \
						int unused;                                                            \
					}))
#else
extern "C++" {

/* The same as a function. */
template <class... Arguments>
static inline struct batch_value batch_builder_add(struct batch_builder *builder, int nr, Arguments... arguments)
{
	static_assert(sizeof...(arguments) <= BATCH_ARGS_MAX, "a call takes at most 6 arguments");
	const struct batch_argument words[] = { batch_argument_of(arguments)..., batch__from_long(0) };

	return batch_builder_add_arguments(builder, nr, sizeof...(arguments), words);
}

/* The same as a function. */
template <class Word>
static inline struct batch_value batch_builder_load(struct batch_builder *builder, const Word *from)
{
	static_assert(sizeof(Word) == sizeof(long),
		      "a load takes a whole word: what is not 8 bytes long cannot be loaded");
	return batch_builder_load_word(builder, from);
}

} /* extern "C++" */
#endif

#endif /* FERRY_ADD_H */
