/* SPDX-License-Identifier: BSD-3-Clause */
/* Target regions on the host: devices that are none, and copies that point to copies. */
#include "openmp_tests.h"

#include <fcntl.h>

void GOMP_target_ext(int device, void (*fn)(void *), size_t count, void **addresses, size_t *sizes,
		     unsigned short *kinds, unsigned flags, void **depend, void **args);

enum { FIRSTPRIVATE = 12, ATTACH = 0x50, NOWAIT = 1, HOST = -2, DEFAULT = -1, INVALID = -4, HANG_S = 60 };

#include "../../helpers/fork.h"

/* As Fortran's descriptor of an allocatable array. */
struct descriptor {
	int *data;
	long extent;
};

static void change(void *opaque)
{
	struct descriptor *mine = *(struct descriptor **)opaque;

	for (long i = 0; i < mine->extent; i++)
		if (mine->data[i]++ != (int)i)
			abort();
}

static void a_copied_array_hangs_on_its_copied_descriptor(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= NOWAIT; flags++) {
		int numbers[] = { 0, 1, 2, 3, 4 };
		struct descriptor array = { numbers, 5 };
		void *addresses[3] = { &array, numbers, &addresses[0] };
		size_t sizes[] = { sizeof(array), sizeof(numbers), 0 };
		unsigned short kinds[] = { FIRSTPRIVATE | 3 << 8, FIRSTPRIVATE | 2 << 8, ATTACH };

		GOMP_target_ext(HOST, change, 3, addresses, sizes, kinds, flags, NULL, NULL);
#pragma omp taskwait
		assert_ptr_equal(array.data, numbers);
		for (int i = 0; i < 5; i++)
			assert_int_equal(numbers[i], i);
	}
}

static void nothing(void *opaque)
{
	(void)opaque;
}

/* The exit status of a child that runs a region there. */
static int status_on(int device, int default_device)
{
	pid_t child = fork_child();
	int status;

	if (child == 0) {
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		omp_set_default_device(default_device);
		GOMP_target_ext(device, nothing, 0, NULL, NULL, NULL, 0, NULL, NULL);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void an_invalid_device_ends_the_program(void **state)
{
	(void)state;
	assert_int_equal(status_on(HOST, 0), 0);
	assert_int_equal(status_on(DEFAULT, 0), 0);
	assert_int_equal(status_on(DEFAULT, -1), 0);
	assert_int_equal(status_on(INVALID, 0), EXIT_FAILURE);
	assert_int_equal(status_on(DEFAULT, INVALID), EXIT_FAILURE);
	assert_int_equal(status_on(HOST, INVALID), 0);
}

static void the_default_device_is_what_was_set(void **state)
{
	(void)state;
	omp_set_default_device(-1);
	assert_int_equal(omp_get_default_device(), -1);
	omp_set_default_device(-5); /* omp_default_device: as it is */
	assert_int_equal(omp_get_default_device(), -1);
	omp_set_default_device(0);
	assert_int_equal(omp_get_default_device(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copied_array_hangs_on_its_copied_descriptor),
		cmocka_unit_test(an_invalid_device_ends_the_program),
		cmocka_unit_test(the_default_device_is_what_was_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
