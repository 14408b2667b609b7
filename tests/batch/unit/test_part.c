/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Batches run in parts. Where they pause, that they pause nowhere else, and that whatever the parts, what comes of it
 * is what a whole run gives. The batches are random; the seed is fixed, so that a failure comes again.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <cmocka.h>

#include <ferry/batch.h>

#define SLOTS 40
#define BATCHES 3000

static unsigned long go = 1;

/* xorshift64: Marsaglia, "Xorshift RNGs", 2003 */
static unsigned long random_word(void)
{
	static unsigned long state = 88172645463325252UL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static long give(long a)
{
	return a;
}

static double give_double(double a)
{
	return a;
}

static int give_int(long a)
{
	return (int)a;
}

/* Sets *go as it is told, as the runtime of a caller does from another thread. */
static long set_go(long value)
{
	__atomic_store_n(&go, (unsigned long)value, __ATOMIC_RELAXED);
	return value;
}

enum { GIVE, GIVE_DOUBLE, GIVE_INT, NOT_THERE, SET_GO };
static const struct batch_function functions[] = {
	[GIVE] = { (void (*)(void))give, 1, 0, BATCH_RESULT_LONG, { 0 }, "give" },
	[GIVE_DOUBLE] = { (void (*)(void))give_double, 1, 1, BATCH_RESULT_DOUBLE, { 0 }, "give_double" },
	[GIVE_INT] = { (void (*)(void))give_int, 1, 0, BATCH_RESULT_INT, { 0 }, "give_int" },
	[NOT_THERE] = { NULL, 1, 0, BATCH_RESULT_LONG, { 0 }, "not_there" },
	[SET_GO] = { (void (*)(void))set_go, 1, 0, BATCH_RESULT_LONG, { 0 }, "set_go" },
};

static long add(long a, long b)
{
	return (long)((unsigned long)a + (unsigned long)b);
}

static int add_int(int a, int b)
{
	return (int)((unsigned)a + (unsigned)b);
}

static long add_six(long a, long b, long c, long d, long e, long f)
{
	return (long)((unsigned long)a + 2ul * (unsigned long)b + 3ul * (unsigned long)c + 4ul * (unsigned long)d +
		      5ul * (unsigned long)e + 6ul * (unsigned long)f);
}

/* What it is given is random: unsigned, so that no sum overflows. */
static int add_six_int(int a, int b, int c, int d, int e, int f)
{
	return (int)((unsigned)a + 2u * (unsigned)b + 3u * (unsigned)c + 4u * (unsigned)d + 5u * (unsigned)e +
		     6u * (unsigned)f);
}

static long get_less(void)
{
	return -1;
}

static long get_none(void)
{
	return 0;
}

static long get_more(void)
{
	return 1L << 40;
}

static int get_int_less(void)
{
	return -1;
}

static int get_int_none(void)
{
	return 0;
}

#define FUNCTION(name, argc, kind)                                                                                     \
	{                                                                                                              \
		(void (*)(void)) name, argc, 0, kind, { 0 }, #name                                                     \
	}
/* Tables whose functions have enough in common for a driver of their own; the number after the last is denied. */
static const struct batch_function long_getters[] = { FUNCTION(get_less, 0, BATCH_RESULT_LONG),
						      FUNCTION(get_none, 0, BATCH_RESULT_LONG),
						      FUNCTION(get_more, 0, BATCH_RESULT_LONG) };
static const struct batch_function int_getters[] = { FUNCTION(get_int_less, 0, BATCH_RESULT_INT),
						     FUNCTION(get_int_none, 0, BATCH_RESULT_INT) };
static const struct batch_function longs[] = { FUNCTION(give, 1, BATCH_RESULT_LONG),
					       FUNCTION(add, 2, BATCH_RESULT_LONG),
					       FUNCTION(get_none, 0, BATCH_RESULT_LONG) };
static const struct batch_function ints[] = { FUNCTION(give_int, 1, BATCH_RESULT_INT),
					      FUNCTION(add_int, 2, BATCH_RESULT_INT),
					      FUNCTION(get_int_less, 0, BATCH_RESULT_INT) };
static const struct batch_function long_sums[] = { FUNCTION(add_six, 6, BATCH_RESULT_LONG),
						   FUNCTION(add, 2, BATCH_RESULT_LONG),
						   FUNCTION(give, 1, BATCH_RESULT_LONG) };
static const struct batch_function int_sums[] = { FUNCTION(add_six_int, 6, BATCH_RESULT_INT),
						  FUNCTION(add_int, 2, BATCH_RESULT_INT),
						  FUNCTION(give_int, 1, BATCH_RESULT_INT) };
#define TABLE(functions, count)                                                                                        \
	{                                                                                                              \
		functions, count                                                                                       \
	}
#define WHOLE_TABLE(functions) TABLE(functions, sizeof(functions) / sizeof((functions)[0]))
static const struct {
	const struct batch_function *functions;
	size_t count;
} tables[] = { TABLE(functions, SET_GO), WHOLE_TABLE(long_getters), WHOLE_TABLE(int_getters), WHOLE_TABLE(longs),
	       WHOLE_TABLE(ints),	 WHOLE_TABLE(long_sums),    WHOLE_TABLE(int_sums) };

struct program {
	struct batch_call_executor call;
	struct batch_slot slots[SLOTS];
	long rets[SLOTS];
	struct batch_prepared prepared;
};

static short random_jump(void)
{
	static const short jumps[] = { 0, 0, 0, 0, 0, 0, 1, 2, 5, BATCH_STOP };

	return jumps[random_word() % (sizeof(jumps) / sizeof(jumps[0]))];
}

/* A random batch of random length, laid out in place: word copies write arguments of its own slots. */
static void make(struct program *program)
{
	size_t count = 1 + random_word() % SLOTS, table = random_word() % (sizeof(tables) / sizeof(tables[0]));

	assert_int_equal(batch_call_executor_init(&program->call, tables[table].functions, tables[table].count), 0);
	for (size_t i = 0; i < SLOTS; i++)
		program->rets[i] = 0x5a5a0000 + (long)i;
	for (size_t i = 0; i < count; i++) {
		struct batch_slot *slot = &program->slots[i];
		unsigned long kind = random_word() % 5;
		bool called = kind < tables[table].count;

		*slot = (struct batch_slot){ (__s16)(kind == 4 ? BATCH_WORD_COPY : (long)kind),
					     random_jump(),
					     random_jump(),
					     random_jump(),
					     (__u8)(called ? tables[table].functions[kind].argc : 2),
					     (__u8)(random_word() % 4 == 0),
					     { 0 },
					     { (long)(random_word() % 3) - 1 } };
		if (kind == 4) {
			slot->arg[0] = (long)&program->slots[random_word() % count].arg[2 + random_word() % 4];
			slot->arg[1] = (long)&program->rets[random_word() % count];
		}
	}
	assert_int_equal(batch_prepare(&program->prepared, &program->call.executor, program->rets, program->slots,
				       count, 0, NULL),
			 0);
}

/* What one part of a run may do; the last argument counts the parts. */
typedef long (*part_runner)(const struct batch_prepared *prepared, size_t from, unsigned int *parts);

static long one_slot(const struct batch_prepared *prepared, size_t from, unsigned int *parts)
{
	long last = batch_prepared_run_some(prepared, from, 1);

	++*parts;
	return last;
}

static long up_to_seven(const struct batch_prepared *prepared, size_t from, unsigned int *parts)
{
	(void)parts;
	return batch_prepared_run_some(prepared, from, random_word() % 8);
}

/* Held until a slot may block, or, at random, not at all; then a few slots. */
static long held_and_released(const struct batch_prepared *prepared, size_t from, unsigned int *parts)
{
	long last;

	(void)parts;
	go = random_word() % 4 != 0;
	last = batch_prepared_run_while(prepared, from, &go);
	if (last >= 0)
		return last;
	if (!go)
		assert_int_equal(~last, from);
	else
		assert_int_equal(prepared->slots[~last].flags, BATCH_SLOT_MAY_BLOCK);
	return batch_prepared_run_some(prepared, (size_t)~last, 1 + random_word() % 3);
}

static long run_in_parts(const struct batch_prepared *prepared, part_runner run_part, unsigned int *parts)
{
	long last = ~0L;

	while (last < 0) {
		assert_true((size_t)~last < prepared->count);
		last = run_part(prepared, (size_t)~last, parts);
	}
	return last;
}

/* How many slots ran, by the results; no batch here jumps by results that a word copy wrote over. */
static unsigned int ran(const struct program *program, long last)
{
	unsigned int count = 0;

	for (long i = 0; i >= 0; i = batch_result_next(program->slots, program->rets, last, i))
		count++;
	return count;
}

static void check_parts(part_runner run_part, bool counts)
{
	static struct program program, whole;

	for (int batch = 0; batch < BATCHES; batch++) {
		unsigned int parts = 0;
		long last, expected;

		make(&program);
		whole = program;
		expected = batch_prepared_run(&program.prepared);
		/* the same batch in the same place, so that its word copies mean the same */
		memcpy(whole.rets, program.rets, sizeof(whole.rets));
		for (size_t i = 0; i < SLOTS; i++)
			program.rets[i] = 0x5a5a0000 + (long)i;
		{
			struct batch_slot after[SLOTS];

			memcpy(after, program.slots, sizeof(after));
			memcpy(program.slots, whole.slots, sizeof(after));
			last = run_in_parts(&program.prepared, run_part, &parts);
			assert_memory_equal(program.slots, after, sizeof(after));
		}
		assert_int_equal(last, expected);
		assert_memory_equal(program.rets, whole.rets, sizeof(whole.rets));
		if (counts)
			assert_int_equal(parts, ran(&program, last));
	}
}

static void slot_by_slot_is_the_whole(void **state)
{
	(void)state;
	check_parts(one_slot, true);
}

static void any_steps_are_the_whole(void **state)
{
	(void)state;
	check_parts(up_to_seven, false);
}

static void any_pauses_are_the_whole(void **state)
{
	(void)state;
	check_parts(held_and_released, false);
}

static void nothing_runs_while_go_is_0(void **state)
{
	struct batch_slot slots[] = { scall1(close, 0, 0, 0, -1), scall1(close, 0, 0, 0, -1) };
	long rets[] = { 7, 7 };
	const unsigned long no = 0, any = 1UL << 63;
	struct batch_prepared prepared;

	(void)state;
	assert_int_equal(batch_prepare(&prepared, &batch_executor_loop, rets, slots, 2, 0, NULL), 0);
	assert_int_equal(batch_prepared_run_while(&prepared, 0, &no), ~0L);
	assert_int_equal(batch_prepared_run_while(&prepared, 1, &no), ~1L);
	assert_int_equal(batch_prepared_run_some(&prepared, 1, 0), ~1L);
	assert_int_equal(rets[0] + rets[1], 14);
	assert_int_equal(batch_prepared_run_while(&prepared, 1, &any), 1);
	assert_int_equal(rets[0], 7);
	assert_int_equal(rets[1], -EBADF);
}

/* A slot that may block: before it a held run pauses, after it a released one does, and at the end neither. */
static void pauses_around_a_slot_that_may_block(void **state)
{
	const struct batch_executor *executors[] = { &batch_executor_loop, &batch_executor_null };
	struct batch_slot slots[] = { scall0(getpid, 0, 0, 0), scall0(getpid, 0, 0, 0), scall0(getpid, 0, 0, 0),
				      scall0(getpid, 0, 0, 0) };
	long rets[4];
	struct batch_prepared prepared;

	(void)state;
	go = 1;
	slots[1].flags = slots[3].flags = BATCH_SLOT_MAY_BLOCK;
	slots[2].flags = 0xfe;
	for (size_t k = 0; k < 2; k++) {
		assert_int_equal(batch_prepare(&prepared, executors[k], rets, slots, 4, 0, NULL), 0);
		assert_int_equal(batch_prepared_run_while(&prepared, 0, &go), ~1L);
		assert_int_equal(batch_prepared_run_while(&prepared, 1, &go), ~1L);
		assert_int_equal(batch_prepared_run_some(&prepared, 1, 100), ~2L);
		assert_int_equal(batch_prepared_run_while(&prepared, 2, &go), ~3L);
		assert_int_equal(batch_prepared_run_some(&prepared, 0, 1), ~1L);
		assert_int_equal(batch_prepared_run_some(&prepared, 0, 100), ~2L);
		assert_int_equal(batch_prepared_run_some(&prepared, 2, 100), 3);
		assert_int_equal(batch_prepared_run_some(&prepared, 2, 2), 3);
	}
}

static void a_slot_may_end_the_part_it_runs_in(void **state)
{
	struct batch_call_executor call;
	struct batch_slot slots[] = { BATCH_SLOT(SET_GO, 0, 0, 0, 1, 1), BATCH_SLOT(SET_GO, 0, 1, 0, 1, 0),
				      BATCH_SLOT(GIVE, 0, 0, 0, 1, 1), BATCH_SLOT(GIVE, 0, 0, 0, 1, 2) };
	long rets[4] = { 9, 9, 9, 9 };
	struct batch_prepared prepared;

	(void)state;
	go = 1;
	assert_int_equal(batch_call_executor_init(&call, functions, sizeof(functions) / sizeof(functions[0])), 0);
	assert_int_equal(batch_prepare(&prepared, &call.executor, rets, slots, 4, 0, NULL), 0);
	assert_int_equal(batch_prepared_run_while(&prepared, 0, &go), ~3L);
	assert_int_equal(rets[1], 0);
	assert_int_equal(rets[2], 9);
	assert_int_equal(rets[3], 9);
}

static long whole_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count)
{
	return batch_executor_null.run(executor, rets, slots, count);
}

static void an_executor_may_run_batches_whole(void **state)
{
	const struct batch_executor whole = { "whole", NULL, whole_run, NULL };
	struct batch_slot slots[] = { scall0(getpid, 0, 0, 0) };
	long rets[] = { 7 };
	struct batch_prepared prepared;

	(void)state;
	go = 1;
	assert_int_equal(batch_prepare(&prepared, &whole, rets, slots, 1, 0, NULL), 0);
	assert_true(batch_prepared_run_while(&prepared, 0, &go) == LONG_MIN);
	assert_true(batch_prepared_run_some(&prepared, 0, 1) == LONG_MIN);
	assert_int_equal(rets[0], 7);
	assert_int_equal(batch_prepared_run(&prepared), 0);
}

static bool ended; /* atomic */

static void *keep_stopping(void *unused)
{
	while (!__atomic_load_n(&ended, __ATOMIC_RELAXED))
		set_go(0);
	return unused;
}

/* Another thread clears *go while the batch runs: it pauses, is let go on, and in the end has run every slot once. */
static void another_thread_may_clear_go(void **state)
{
	static struct batch_slot slots[20000];
	static long rets[20000], counted;
	struct batch_call_executor call;
	struct batch_prepared prepared;
	pthread_t thread;
	long last = ~0L;

	(void)state;
	counted = 0;
	for (long i = 0; i < 20000; i++)
		slots[i] = BATCH_SLOT(GIVE, 0, 0, 0, 1, i);
	assert_int_equal(batch_call_executor_init(&call, functions, sizeof(functions) / sizeof(functions[0])), 0);
	assert_int_equal(batch_prepare(&prepared, &call.executor, rets, slots, 20000, 0, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, keep_stopping, NULL), 0);
	while (last < 0) {
		long before = ~last;

		set_go(1);
		last = batch_prepared_run_while(&prepared, (size_t)~last, &go);
		assert_true(last >= 0 || ~last >= before);
	}
	__atomic_store_n(&ended, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_int_equal(last, 19999);
	for (long i = 0; i < 20000; i++)
		counted += rets[i] == i;
	assert_int_equal(counted, 20000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slot_by_slot_is_the_whole),
		cmocka_unit_test(any_steps_are_the_whole),
		cmocka_unit_test(any_pauses_are_the_whole),
		cmocka_unit_test(nothing_runs_while_go_is_0),
		cmocka_unit_test(pauses_around_a_slot_that_may_block),
		cmocka_unit_test(a_slot_may_end_the_part_it_runs_in),
		cmocka_unit_test(an_executor_may_run_batches_whole),
		cmocka_unit_test(another_thread_may_clear_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
