/* SPDX-License-Identifier: BSD-3-Clause */
/* Entry points that compilers call since LLVM 16, called by hand; printed so that no order shows. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*body)(int *, int *, ...);
void __kmpc_fork_call_if(void *, int, body, int, void *);
void __kmpc_serialized_parallel(void *, int), __kmpc_end_serialized_parallel(void *, int);
int __kmpc_sections_init(void *, int), __kmpc_next_section(void *, int, int);
void __kmpc_end_sections(void *, int), *__kmpc_copyprivate_light(void *, int, void *);
void __kmpc_push_num_threads(void *, int, int), __kmpc_push_num_threads_strict(void *, int, int, int, const char *);
void __kmpc_push_num_threads_list(void *, int, uint32_t, int *);
void __kmpc_push_num_threads_list_strict(void *, int, uint32_t, int *, int, const char *);
void __kmpc_set_thread_limit(void *, int, int);
int __kmpc_single(void *, int), __kmpc_global_thread_num(void *);
void __kmpc_end_single(void *, int);
int kmp_get_cancellation_status(int), omp_in_explicit_task(void);

enum { WARNING = 1, FATAL = 2, PARALLEL = 1, LOOP = 2, SECTIONS = 3, TASKGROUP = 4 };

static int number(void)
{
	return __kmpc_global_thread_num(NULL);
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

static int calls;

static void with_word(int *global, int *bound, int *sum)
{
	__atomic_add_fetch(sum, *global >= 0 ? *bound + 10 * omp_get_num_threads() : 1000, __ATOMIC_RELAXED);
}

static void without_word(int *global, int *bound)
{
	(void)global;
	__atomic_add_fetch(&calls, *bound + 10 * omp_in_parallel() + 1, __ATOMIC_RELAXED);
}

static void conditions(void)
{
	int sum = 0;

	for (int condition = 0; condition < 2; condition++) {
		__kmpc_push_num_threads(NULL, number(), 3);
		__kmpc_fork_call_if(NULL, 1, (body)with_word, condition, &sum);
		printf("if(%d): %d, level %d\n", condition, sum, omp_get_level());
		__kmpc_push_num_threads(NULL, number(), 3);
		__kmpc_fork_call_if(NULL, 0, (body)without_word, condition, NULL);
		printf("if(%d) without variables: %d\n", condition, calls);
	}
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static void sections(int threads, int count)
{
	int ran[16] = { 0 }, wrong = 0;

#pragma omp parallel num_threads(threads)
	for (int round = 0; round < 50; round++) {
		/* those without a barrier overlap */
		if (__kmpc_sections_init(NULL, number())) {
			int section;

			while ((section = __kmpc_next_section(NULL, number(), count)) < count)
				__atomic_add_fetch(&ran[section], 1, __ATOMIC_RELAXED);
			__kmpc_end_sections(NULL, number());
		}
		if (round % 3 == 0) {
#pragma omp barrier
#pragma omp for schedule(dynamic) nowait
			for (int i = 0; i < 3; i++)
				wrong += i > 3;
		}
	}
	for (int i = 0; i < 16; i++)
		wrong += ran[i] != (i < count ? 50 : 0);
	printf("sections %d by %d: wrong %d\n", count, threads, wrong);
}

/* ---- copyprivate ------------------------------------------------------------------------------------------------- */

static void copies(int threads)
{
	int wrong = 0;

#pragma omp parallel num_threads(threads) reduction(+ : wrong)
	for (int round = 0; round < 200; round++) {
		int mine = -1, *from;
		void *data = NULL;

		if (__kmpc_single(NULL, number())) {
			mine = round;
			data = &mine;
			__kmpc_end_single(NULL, number());
		}
		from = __kmpc_copyprivate_light(NULL, number(), data);
		wrong += *from != round;
#pragma omp barrier
	}
	printf("copies by %d: wrong %d\n", threads, wrong);
}

/* ---- num_threads ------------------------------------------------------------------------------------------------- */

static int inside;

static void sizes(const char *what, int levels)
{
	int outer = 0;

	inside = 0;
#pragma omp parallel reduction(+ : outer)
	{
		outer += omp_get_num_threads() == omp_get_team_size(1);
#pragma omp parallel
		{
#pragma omp atomic
			inside++;
			if (levels > 2) {
#pragma omp parallel
#pragma omp atomic
				inside += 100;
			}
		}
	}
	printf("%s: %d, inside %d\n", what, outer, inside);
}

static void lists(void)
{
	int list[] = { 3, 2, 4 }, other[] = { 2, 4 };

	omp_set_num_threads(1);
	omp_set_max_active_levels(3);
	__kmpc_push_num_threads_list(NULL, number(), 3, list);
	memset(list, 0, sizeof(list)); /* it is the program's again */
	sizes("list", 3);
	__kmpc_push_num_threads_list(NULL, number(), 2, other);
	sizes("list whose last number is of all below", 3);
	sizes("no list", 3);
	__kmpc_push_num_threads_list_strict(NULL, number(), 2, other, WARNING, "not to be seen");
	sizes("strict list", 2);
	__kmpc_push_num_threads_list(NULL, number(), 2, other);
	__kmpc_push_num_threads(NULL, number(), 2);
	sizes("a number after a list", 2);
	__kmpc_push_num_threads_list(NULL, number(), 2, other);
	__kmpc_serialized_parallel(NULL, number());
#pragma omp parallel
#pragma omp single
	printf("list of a region of one: %d\n", omp_get_num_threads());
	__kmpc_end_serialized_parallel(NULL, number());
	sizes("and nothing left of it", 2);
}

static void strict(int severity)
{
	omp_set_max_active_levels(1);
	__kmpc_push_num_threads_strict(NULL, number(), 3, severity, "not to be seen");
#pragma omp parallel
#pragma omp single
	{
		printf("strict: %d\n", omp_get_num_threads());
		__kmpc_push_num_threads_strict(NULL, number(), 4, severity, "as the program says");
#pragma omp parallel
		printf("strict inside: %d\n", omp_get_num_threads());
		fflush(stdout);
	}
	__kmpc_push_num_threads_strict(NULL, number(), 1, severity, NULL);
#pragma omp parallel
	printf("strict of one: %d\n", omp_get_num_threads());
}

static void limits(void)
{
#pragma omp task if (0)
	{
		__kmpc_set_thread_limit(NULL, number(), 2);
		printf("limit %d", omp_get_thread_limit());
#pragma omp parallel num_threads(4)
#pragma omp single
		printf(", threads %d, task %d", omp_get_num_threads(), omp_in_explicit_task());
		printf(", task %d\n", omp_in_explicit_task());
	}
	printf("limit behind it: %d\n", omp_get_thread_limit() > 2);
}

/* ---- memory spaces, by the numbers of LLVM 22's omp.h ------------------------------------------------------------ */

typedef uintptr_t handle;
handle omp_get_device_memspace(int, handle), omp_get_devices_memspace(int, const int *, handle);
handle omp_get_device_and_host_memspace(int, handle), omp_get_devices_and_host_memspace(int, const int *, handle);
handle omp_get_devices_all_memspace(handle), omp_get_device_allocator(int, handle);
handle omp_get_devices_allocator(int, const int *, handle), omp_get_devices_all_allocator(handle);
handle omp_get_submemspace(handle, int, const int *), omp_get_device_memspace_(const int *, const handle *);
int omp_get_memspace_num_resources(handle);

static void spaces(void)
{
	const handle each[] = { 0, 99, 1, 4, 5, 100 };
	const int devices[] = { -1, omp_get_initial_device() }, other[] = { -1, 7 }, zero = 0, one = 1;
	omp_alloctrait_t alignment = { omp_atk_alignment, 256 };
	omp_allocator_handle_t allocator = omp_init_allocator((omp_memspace_handle_t)99, 1, &alignment);
	void *memory = omp_alloc(100, allocator);

	printf("allocator of the default space: %d\n", memory && (uintptr_t)memory % 256 == 0);
	omp_free(memory, allocator);
	omp_destroy_allocator(allocator);
	for (int i = 0; i < 6; i++) {
		handle space = each[i];

		printf("space %d: %d %d %d %d %d %d, none %d %d %d, allocator %d %d %d, resources %d %d %d\n",
		       (int)space, (int)omp_get_device_memspace(-1, space),
		       (int)omp_get_devices_memspace(2, devices, space),
		       (int)omp_get_device_and_host_memspace(devices[1], space),
		       (int)omp_get_devices_and_host_memspace(0, NULL, space), (int)omp_get_devices_all_memspace(space),
		       (int)omp_get_device_memspace_(devices, &space), (int)omp_get_devices_memspace(2, other, space),
		       (int)omp_get_devices_memspace(0, NULL, space), (int)omp_get_device_and_host_memspace(7, space),
		       (int)omp_get_device_allocator(-1, space), (int)omp_get_devices_allocator(2, devices, space),
		       (int)omp_get_devices_all_allocator(space), omp_get_memspace_num_resources(space),
		       (int)omp_get_submemspace(space, 1, &zero), (int)omp_get_submemspace(space, 1, &one));
	}
}

/* ---- cancellation ------------------------------------------------------------------------------------------------ */

static void show_status(const char *where)
{
	printf("%s: %d %d %d %d\n", where, kmp_get_cancellation_status(PARALLEL), kmp_get_cancellation_status(LOOP),
	       kmp_get_cancellation_status(SECTIONS) & ~kmp_get_cancellation_status(LOOP),
	       kmp_get_cancellation_status(TASKGROUP));
}

static void cancelled(void)
{
	show_status("outside");
#pragma omp parallel num_threads(1)
	{
		show_status("in a region");
#pragma omp taskgroup
		{
#pragma omp task if (0)
			{
				show_status("in a group");
#pragma omp cancel taskgroup
			}
			show_status("in a cancelled group");
		}
		show_status("behind it");
	}
#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < 2; i++) {
			if (omp_get_thread_num() == 0) {
				show_status("in a loop");
#pragma omp cancel for
			}
		}
#pragma omp single
		show_status("behind the loop");
	}
}

int check(void)
{
	const char *severity = getenv("SEVERITY");

	if (severity) {
		strict(strcmp(severity, "fatal") == 0 ? FATAL : WARNING);
		return 0;
	}
	conditions();
	for (int threads = 1; threads <= 4; threads++) {
		sections(threads, 7);
		sections(threads, 1);
		copies(threads);
	}
	sections(3, 0);
	lists();
	limits();
	spaces();
	cancelled();
	return 0;
}
