/* SPDX-License-Identifier: BSD-3-Clause */
/* What GCC 14 to 16 call and GCC 12's omp.h does not declare: interop, names of devices, memset, allocatables. */
#include "openmp_tests.h"

typedef uintptr_t interop;

enum { NONE, PROPERTY_FIRST = -9, OUT_OF_RANGE = -2, EMPTY = -1, OTHER = -6, NOWAIT = 1, INVALID_DEVICE = -4 };

void GOMP_interop(int device, int init_count, interop **init, const int *kinds, const char **prefer, int use_count,
		  interop *use, int destroy_count, interop **destroy, unsigned flags, void **depend);
int omp_get_num_interop_properties(interop object);
intptr_t omp_get_interop_int(interop object, int property, int *code);
void *omp_get_interop_ptr(interop object, int property, int *code);
const char *omp_get_interop_str(interop object, int property, int *code);
const char *omp_get_interop_name(interop object, int property);
const char *omp_get_interop_type_desc(interop object, int property);
const char *omp_get_interop_rc_desc(interop object, int code);
const char *omp_get_uid_from_device(int device);
int omp_get_device_from_uid(const char *uid);
void *omp_target_memset(void *pointer, int value, size_t bytes, int device);
void *omp_target_memset_async(void *pointer, int value, size_t bytes, int device, int count, omp_depend_t *depend);
void GOMP_add_alloc(void *memory);
bool GOMP_is_alloc(void *memory);

static void objects_are_none(void **state)
{
	interop first = 1, second = 2, third = 3;
	interop *init[] = { &first, &second }, *destroy[] = { &third };
	const int kinds[] = { 2, 1 };

	(void)state;
	GOMP_interop(-1, 2, init, kinds, NULL, 0, NULL, 1, destroy, 0, NULL);
	assert_int_equal(first, NONE);
	assert_int_equal(second, NONE);
	assert_int_equal(third, NONE);
}

/* With objects that are none, nowait has no effect: the thread goes on when what it depends on has ended. */
static void depend_is_waited_for_even_with_nowait(void **state)
{
	interop object = NONE;
	interop *destroy[] = { &object };
	atomic_int done;
	int late = 0;

	(void)state;
	for (int round = 0; round < 100; round++) {
		atomic_store(&done, 0);
#pragma omp parallel num_threads(2) shared(done)
#pragma omp single
		{
			void *depend[] = { (void *)1, (void *)0, &done };

#pragma omp task depend(out : done) shared(done)
			{
				delay((unsigned)round);
				atomic_store(&done, 1);
			}
			GOMP_interop(-1, 0, NULL, NULL, NULL, 0, NULL, 1, destroy, NOWAIT, depend);
			if (!atomic_load(&done))
				late++;
		}
	}
	assert_int_equal(late, 0);
}

static void properties_of_none_are_empty(void **state)
{
	(void)state;
	assert_int_equal(omp_get_num_interop_properties(NONE), 0);
	for (int property = PROPERTY_FIRST - 1; property <= 0; property++) {
		bool known = property >= PROPERTY_FIRST && property < 0;
		int expected = known ? EMPTY : OUT_OF_RANGE;
		int codes[3] = { 9, 9, 9 };

		assert_int_equal(omp_get_interop_int(NONE, property, &codes[0]), 0);
		assert_null(omp_get_interop_ptr(NONE, property, &codes[1]));
		assert_null(omp_get_interop_str(NONE, property, &codes[2]));
		for (int i = 0; i < 3; i++)
			assert_int_equal(codes[i], expected);
		assert_int_equal(omp_get_interop_int(NONE, property, NULL), 0);
		assert_int_equal(omp_get_interop_name(NONE, property) != NULL, known);
		assert_null(omp_get_interop_type_desc(NONE, property));
	}
	assert_string_equal(omp_get_interop_name(NONE, -1), "fr_id");
	assert_string_equal(omp_get_interop_name(NONE, -9), "targetsync");
}

static void codes_have_sentences(void **state)
{
	int code = 0;

	(void)state;
	for (int i = OTHER - 1; i <= 2; i++)
		assert_int_equal(omp_get_interop_rc_desc(NONE, i) != NULL, i > OTHER && i < 2);
	assert_non_null(strstr(omp_get_interop_rc_desc(NONE, OUT_OF_RANGE), "out of range"));
	assert_non_null(strstr(omp_get_interop_rc_desc(NONE, EMPTY), "omp_interop_none"));
	/* an address that we have not given out */
	assert_int_equal(omp_get_interop_int((interop)&code, -1, &code), 0);
	assert_int_equal(code, OTHER);
	assert_non_null(strstr(omp_get_interop_rc_desc((interop)&code, code), "not made by"));
}

static void the_host_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(omp_get_uid_from_device(-1), "OMP_INITIAL_DEVICE");
	assert_string_equal(omp_get_uid_from_device(omp_get_initial_device()), "OMP_INITIAL_DEVICE");
	assert_string_equal(omp_get_uid_from_device(-5), "OMP_INITIAL_DEVICE");
	assert_null(omp_get_uid_from_device(omp_get_num_devices() + 1));
	assert_null(omp_get_uid_from_device(INVALID_DEVICE));
	assert_int_equal(omp_get_device_from_uid("OMP_INITIAL_DEVICE"), omp_get_initial_device());
	assert_int_equal(omp_get_device_from_uid("OMP_INITIAL_DEVICE2"), INVALID_DEVICE);
	assert_int_equal(omp_get_device_from_uid(""), INVALID_DEVICE);
	assert_int_equal(omp_get_device_from_uid(NULL), INVALID_DEVICE);
}

static void memory_of_the_host_is_set(void **state)
{
	char text[] = "abcdef";

	(void)state;
	assert_ptr_equal(omp_target_memset(text + 1, 'x', 2, omp_get_initial_device()), text + 1);
	assert_string_equal(text, "axxdef");
	assert_ptr_equal(omp_target_memset_async(text, 'y', 1, -1, 0, NULL), text);
	assert_string_equal(text, "yxxdef");
	/* there is no such device */
	assert_ptr_equal(omp_target_memset(text, 'z', 6, INVALID_DEVICE), text);
	assert_string_equal(text, "yxxdef");
}

static void an_allocatable_is_asked_for_once(void **state)
{
	enum { COUNT = 1000 };
	static char memory[COUNT];

	(void)state;
	assert_false(GOMP_is_alloc(memory));
	assert_false(GOMP_is_alloc(NULL));
	GOMP_add_alloc(NULL);
	assert_false(GOMP_is_alloc(NULL));
#pragma omp parallel for num_threads(4) schedule(dynamic)
	for (int i = 0; i < COUNT; i++)
		GOMP_add_alloc(&memory[i * 37 % COUNT]);
#pragma omp parallel for num_threads(4) schedule(dynamic)
	for (int i = 0; i < COUNT; i++)
		if (!GOMP_is_alloc(&memory[i]) || GOMP_is_alloc(&memory[i]))
			abort();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_none),
		cmocka_unit_test(depend_is_waited_for_even_with_nowait),
		cmocka_unit_test(properties_of_none_are_empty),
		cmocka_unit_test(codes_have_sentences),
		cmocka_unit_test(the_host_has_a_name),
		cmocka_unit_test(memory_of_the_host_is_set),
		cmocka_unit_test(an_allocatable_is_asked_for_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
