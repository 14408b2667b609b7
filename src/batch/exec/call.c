/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call executor: slots call C functions from a table.
 *
 * A function is called with all six integer registers loaded and, if it takes doubles, six floating ones too: the
 * x86-64 System V ABI (3.2.3) and AAPCS64 (6.8) number the two files independently and let a callee ignore registers it
 * does not take. So one call site serves every mix of integer, pointer and double arguments, without generated code.
 */
#include <limits.h>
#include <string.h>

#include "copies.h"
#include "drive.h"

typedef long (*word_function_0)(void);
typedef long (*word_function_2)(long, long);
typedef long (*word_function_6)(long, long, long, long, long, long);
typedef long (*mixed_function)(long, long, long, long, long, long, double, double, double, double, double, double);
typedef double (*double_function)(long, long, long, long, long, long, double, double, double, double, double, double);

static struct batch__table table_of(const struct batch_executor *executor)
{
	const struct batch_call_executor *call = (const struct batch_call_executor *)executor;

	return (struct batch__table){ call->functions, call->function_count };
}

/* What a result of this kind looks like as a word. */
static long narrow(long word, unsigned char kind)
{
	switch (kind) {
	case BATCH_RESULT_INT:
		return (int)word;
	case BATCH_RESULT_UINT:
		return (long)(unsigned int)word;
	case BATCH_RESULT_VOID:
		return 0;
	default:
		return word;
	}
}

/* The word whose sign says which way a double result jumps. */
static long double_outcome(double value)
{
	if (value > 0)
		return 1;
	return value == 0 ? 0 : -1;
}

/* The argument word at the lowest number in *set, which is taken out; any word once *set is empty. */
static inline __attribute__((always_inline)) long take(const struct batch_slot *slot, unsigned int *set)
{
	unsigned int k = (unsigned int)__builtin_ctz(*set | 1U << (BATCH_ARGS_MAX - 1));

	*set &= *set - 1;
	return slot->arg[k];
}

/* Make a call with these registers. Returns the word to jump by; *ret is the word to store. */
static inline __attribute__((always_inline)) long call_registers(const struct batch_function *function, const long *i,
								 const double *d, long *ret)
{
	double value;

	if (function->result != BATCH_RESULT_DOUBLE) {
		long word = ((mixed_function)function->address)(i[0], i[1], i[2], i[3], i[4], i[5], d[0], d[1], d[2],
								d[3], d[4], d[5]);

		return *ret = narrow(word, function->result);
	}
	value = ((double_function)function->address)(i[0], i[1], i[2], i[3], i[4], i[5], d[0], d[1], d[2], d[3], d[4],
						     d[5]);
	memcpy(ret, &value, sizeof(value));
	return double_outcome(value);
}

/* Deal the words to the two register files, in order, and make the call. Returns as call_registers does. */
static inline __attribute__((always_inline)) long
call_dealt(const struct batch_function *function, const struct batch_slot *slot, unsigned int double_set, long *ret)
{
	unsigned int integer_set = ~double_set & ((1U << BATCH_ARGS_MAX) - 1);
	long integers[BATCH_ARGS_MAX];
	double doubles[BATCH_ARGS_MAX];

#pragma GCC unroll 6
	for (unsigned int k = 0; k < BATCH_ARGS_MAX; k++)
		integers[k] = take(slot, &integer_set);
#pragma GCC unroll 6
	for (unsigned int k = 0; k < BATCH_ARGS_MAX; k++) {
		long word = take(slot, &double_set);

		memcpy(&doubles[k], &word, sizeof(word));
	}
	return call_registers(function, integers, doubles, ret);
}

/*
 * A call with a double somewhere. Each of the 64 ways that doubles can lie among the words is compiled by itself, so
 * that every register is one load from a place known in advance: 2 ns a call, where finding the places at run time took
 * more than 7. Inlined, which saves 1 ns of them. Returns as call_registers does.
 */
static inline __attribute__((always_inline)) long call_mixed(const struct batch_function *function,
							     const struct batch_slot *slot, long *ret)
{
#define DEAL(set)                                                                                                      \
	case (set):                                                                                                    \
		return call_dealt(function, slot, (set), ret);
#define DEAL_4(set) DEAL(set) DEAL((set) + 1) DEAL((set) + 2) DEAL((set) + 3)
#define DEAL_16(set) DEAL_4(set) DEAL_4((set) + 4) DEAL_4((set) + 8) DEAL_4((set) + 12)
	switch (function->double_mask) {
		DEAL_16(0)
		DEAL_16(16)
		DEAL_16(32)
		DEAL_16(48)
	default: /* batch_call_executor_init lets no other pass */
		__builtin_unreachable();
	}
#undef DEAL_16
#undef DEAL_4
#undef DEAL
}

/* What of a word result is kept, after an int has been sign-extended. */
static const unsigned long kept_bits[] = {
	[BATCH_RESULT_LONG] = ~0UL,
	[BATCH_RESULT_INT] = ~0UL,
	[BATCH_RESULT_UINT] = 0xffffffff,
	[BATCH_RESULT_VOID] = 0,
};

/* A function's argc, double_mask and result in one register, so that it is asked once whether doubles are about. */
static inline __u64 kind_of(const struct batch_function *function)
{
	__u64 kind;

	memcpy(&kind, &function->argc, sizeof(kind));
	return kind;
}
#define KIND_RESULT_SHIFT 16
#define KIND_HAS_DOUBLE (0xff00 | (BATCH_RESULT_DOUBLE << KIND_RESULT_SHIFT))

/* Call a function of words. Its kind of result is in the low bits of *head. */
static inline __attribute__((always_inline)) long call_words(const struct batch_function *function, const __u64 *head,
							     const struct batch_slot *slot)
{
	long word = ((word_function_6)function->address)(slot->arg[0], slot->arg[1], slot->arg[2], slot->arg[3],
							 slot->arg[4], slot->arg[5]);

	word = *head & BATCH_RESULT_INT ? (int)word : word;
	return word & (long)kept_bits[(unsigned char)*head];
}

/* The entry of the table that a slot with this head calls, or NULL. A negative number becomes one far above any. */
static inline __attribute__((always_inline)) const struct batch_function *callee(const struct batch__table *table,
										 __u64 head)
{
	size_t nr = (size_t)(__s16)head;
	const struct batch_function *function = &table->functions[nr];

	return batch__likely(nr < table->function_count && function->address) ? function : NULL;
}

/*
 * A slot of a table that has functions of several kinds. The result is narrowed without a branch, and every word call
 * is made by one instruction. A branch on the kind made batches of one function cheaper (1.25 for 1.45 ns a slot) and
 * batches of many much dearer (4.5 for 2.6 ns at 1,000 slots, build/bench/function on an AMD EPYC VM, 2 cores): it is
 * one more thing to mispredict.
 */
static inline __attribute__((always_inline)) long run_any(const void *context, const struct batch_slot *slot,
							  __u64 *head, long *ret, int *made)
{
	const struct batch_function *function = callee(context, *head);
	__u64 kind;

	*made = function != NULL;
	if (batch__unlikely(!function))
		return 0;
	kind = kind_of(function);
	if (batch__unlikely(kind & KIND_HAS_DOUBLE))
		return call_mixed(function, slot, ret);
	*head = (*head & ~0xffffUL) | (kind >> KIND_RESULT_SHIFT & 0xff);
	return *ret = call_words(function, head, slot);
}

/* The functions of an executor whose slots `run_slot` runs. */
#define CALL_DRIVER(name, run_slot)                                                                                    \
	static long name##_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots,            \
			       size_t count)                                                                           \
	{                                                                                                              \
		const struct batch__table table = table_of(executor);                                                  \
                                                                                                                       \
		return batch__drive(&table, (struct batch__memory){ slots, rets, count },                              \
				    (struct batch__part){ .pause = BATCH__WHOLE }, run_slot);                          \
	}                                                                                                              \
	static long name##_run_part(const struct batch_prepared *prepared, size_t from, const unsigned long *go,       \
				    size_t at_most)                                                                    \
	{                                                                                                              \
		const struct batch__memory memory = { prepared->slots, prepared->rets, prepared->count };              \
		const struct batch__table table = table_of(prepared->executor);                                        \
                                                                                                                       \
		if (go)                                                                                                \
			return batch__drive(&table, memory, (struct batch__part){ BATCH__WHILE, from, go, 0 },         \
					    run_slot);                                                                 \
		return batch__drive(&table, memory, (struct batch__part){ BATCH__SOME, from, NULL, at_most },          \
				    run_slot);                                                                         \
	}

CALL_DRIVER(call_any, run_any)

/*
 * Tables whose functions all take words, at most so many, and all give the same kind: what is loaded is what is taken,
 * and there is nothing to choose. Parts of a given length are for who has time.
 */
#define WORD_CALLER(name, type, most, ...)                                                                             \
	static inline __attribute__((always_inline)) long name##_##most(void (*address)(void),                         \
									const struct batch_slot *slot)                 \
	{                                                                                                              \
		const __s64 *arg = slot->arg;                                                                          \
                                                                                                                       \
		(void)arg;                                                                                             \
		return (type)((word_function_##most)address)(__VA_ARGS__);                                             \
	}                                                                                                              \
	static inline __attribute__((always_inline)) long name##_##most##_slot(const void *context,                    \
									       const struct batch_slot *slot,          \
									       __u64 *head, long *ret, int *made)      \
	{                                                                                                              \
		const struct batch_function *function = callee(context, *head);                                        \
                                                                                                                       \
		*made = function != NULL;                                                                              \
		return batch__unlikely(!function) ? 0 : (*ret = name##_##most(function->address, slot));               \
	}                                                                                                              \
	static long name##_##most##_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots,   \
					size_t count)                                                                  \
	{                                                                                                              \
		return batch__drive_copies((struct batch__memory){ slots, rets, count }, table_of(executor),           \
					   (struct batch__part){ .pause = BATCH__WHOLE }, name##_##most);              \
	}                                                                                                              \
	static __attribute__((noinline)) long name##_##most##_run_many(const struct batch_prepared *prepared,          \
								       size_t from, const unsigned long *go,           \
								       size_t at_most)                                 \
	{                                                                                                              \
		const struct batch__memory memory = { prepared->slots, prepared->rets, prepared->count };              \
		const struct batch__table table = table_of(prepared->executor);                                        \
                                                                                                                       \
		if (batch__unlikely(!go))                                                                              \
			return batch__drive(&table, memory, (struct batch__part){ BATCH__SOME, from, NULL, at_most },  \
					    name##_##most##_slot);                                                     \
		return batch__drive_copies(memory, table, (struct batch__part){ BATCH__WHILE, from, go, 0 },           \
					   name##_##most);                                                             \
	}                                                                                                              \
	static long name##_##most##_run_part(const struct batch_prepared *prepared, size_t from,                       \
					     const unsigned long *go, size_t at_most)                                  \
	{                                                                                                              \
		const struct batch_slot *slot = prepared->slots;                                                       \
		const struct batch__table table = table_of(prepared->executor);                                        \
                                                                                                                       \
		if (!batch__is_one_call(prepared, table, go))                                                          \
			return name##_##most##_run_many(prepared, from, go, at_most);                                  \
		*prepared->rets = name##_##most(table.functions[batch__head(slot)].address, slot);                     \
		return 0;                                                                                              \
	}
#define WORD_CALLERS(name, type)                                                                                       \
	WORD_CALLER(name, type, 0)                                                                                     \
	WORD_CALLER(name, type, 2, arg[0], arg[1])                                                                     \
	WORD_CALLER(name, type, 6, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5])

WORD_CALLERS(call_long, long)
WORD_CALLERS(call_int, int)

static int call_check(const struct batch_executor *executor, const struct batch_slot *slots, const long *rets,
		      size_t count, struct batch_error *error)
{
	const struct batch__table table = table_of(executor);

	(void)rets;
	for (size_t i = 0; i < count; i++) {
		const struct batch_slot *slot = &slots[i];

		if (slot->nr < 0 || (size_t)slot->nr >= table.function_count || !table.functions[slot->nr].address)
			continue;
		if (slot->argc != table.functions[slot->nr].argc)
			return batch__refuse(error, BATCH_REASON_SIGNATURE, (long)i);
	}
	return 0;
}

/* The most words that a function takes; above any number when one has no address, gives another kind, or takes
 * doubles, or when there are more than a slot can name. */
static unsigned int most_words(enum batch_result_kind result, const struct batch_function *functions,
			       size_t function_count)
{
	unsigned int most = 0;

	for (size_t k = 0; k < function_count; k++) {
		if (k == BATCH__NUMBERS || !functions[k].address || functions[k].double_mask ||
		    functions[k].result != result)
			return UINT_MAX;
		if (functions[k].argc > most)
			most = functions[k].argc;
	}
	return most;
}

/* Give the executor functions that run tables of this kind of result faster, if the table is one. */
static void specialise(struct batch_executor *executor, enum batch_result_kind result,
		       const struct batch_function *functions, size_t function_count)
{
	static const struct {
		long (*run)(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count);
		long (*run_part)(const struct batch_prepared *prepared, size_t from, const unsigned long *go,
				 size_t at_most);
	} drivers[][3] = {
		[BATCH_RESULT_LONG] = { { call_long_0_run, call_long_0_run_part },
					{ call_long_2_run, call_long_2_run_part },
					{ call_long_6_run, call_long_6_run_part } },
		[BATCH_RESULT_INT] = { { call_int_0_run, call_int_0_run_part },
				       { call_int_2_run, call_int_2_run_part },
				       { call_int_6_run, call_int_6_run_part } },
	};
	unsigned int most = most_words(result, functions, function_count);
	size_t which = most == 0 ? 0 : most <= 2 ? 1 : 2;

	if (most > BATCH_ARGS_MAX)
		return;
	executor->run = drivers[result][which].run;
	executor->run_part = drivers[result][which].run_part;
}

int batch_call_executor_init(struct batch_call_executor *call, const struct batch_function *functions,
			     size_t function_count)
{
	struct batch_executor executor = { "call", call_check, call_any_run, call_any_run_part };

	for (size_t k = 0; k < function_count; k++)
		if (functions[k].argc > BATCH_ARGS_MAX || functions[k].result > BATCH_RESULT_DOUBLE ||
		    functions[k].double_mask >> functions[k].argc)
			return -EINVAL;
	specialise(&executor, BATCH_RESULT_LONG, functions, function_count);
	specialise(&executor, BATCH_RESULT_INT, functions, function_count);
	*call = (struct batch_call_executor){ executor, functions, function_count };
	return 0;
}
