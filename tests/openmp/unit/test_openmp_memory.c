/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In the steady state no construct calls the allocator: what a team, a loop or a small task needs is kept for the next.
 * What lives for a while, as the tasks of a long chain, takes memory for what is live at once, not for all of it.
 *
 * The program's own malloc and its kin count the calls of all threads and pass them on to the C library. Sanitizers
 * have allocators of their own in that place, so there is nothing to count with them.
 */
#include "openmp_tests.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)

int main(void)
{
	puts("ok 1 - calls_of_the_allocator # SKIP a sanitizer's allocator cannot be counted\n1..1");
	return 0;
}

#else

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

static _Atomic long calls;
/* Of what was asked for since the program began; nothing is taken off. */
static _Atomic long bytes_asked;

void *malloc(size_t bytes)
{
	calls++;
	bytes_asked += (long)bytes;
	return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	calls++;
	bytes_asked += (long)(count * bytes);
	return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
	calls++;
	return __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
	calls++;
	bytes_asked += (long)bytes;
	return __libc_memalign(align, bytes);
}

int posix_memalign(void **memory, size_t align, size_t bytes)
{
	calls++;
	*memory = __libc_memalign(align, bytes);
	return *memory ? 0 : ENOMEM;
}

/* What the runtime takes from the system itself. */
void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
	calls++;
	return (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
}

/* ---- what is counted --------------------------------------------------------------------------------------------- */

static long cells[64];
static _Atomic long total;

static void regions(void)
{
	long sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp barrier
#pragma omp critical
		sum++;
#pragma omp single copyprivate(sum)
		sum++;
#pragma omp sections
		{
			sum++;
#pragma omp section
			sum++;
		}
	}
	total += sum;
}

static void nested_regions(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	total++;
}

static void loops(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 100; i++)
			total++;
#pragma omp for schedule(monotonic : dynamic, 3)
		for (int i = 0; i < 100; i++)
			total++;
#pragma omp for schedule(guided)
		for (int i = 0; i < 100; i++)
			total++;
#pragma omp for ordered
		for (int i = 0; i < 20; i++)
#pragma omp ordered
			total++;
	}
}

static void doacross_loops(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
	for (int i = 1; i < 50; i++) {
#pragma omp ordered depend(sink : i - 1)
		cells[i] = cells[i - 1] + 1;
#pragma omp ordered depend(source)
	}
}

static void reductions_in_loops(void)
{
	long sum = 0;

#pragma omp parallel
#pragma omp for reduction(task, + : sum)
	for (int i = 0; i < 16; i++) {
#pragma omp task in_reduction(+ : sum)
		sum++;
	}
	total += sum;
}

static void flat_tasks(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 40; i++) {
#pragma omp task
			delay(total++ & 255);
		}
#pragma omp taskwait
	}
}

static long fib(int n)
{
	long one = 0, other = 0;

	if (n < 2)
		return n;
#pragma omp task shared(one)
	one = fib(n - 1);
#pragma omp task shared(other)
	other = fib(n - 2);
#pragma omp taskwait
	return one + other;
}

static void recursive_tasks(void)
{
#pragma omp parallel
#pragma omp single
	total += fib(12);
}

static void dependent_tasks(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 1; i < 30; i++) {
#pragma omp task depend(in : cells[i - 1], cells[0]) depend(out : cells[i])
		cells[i] = cells[i - 1];
	}
}

/* The tables of tasks that end. */
static void dependent_tasks_in_tasks(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp task
	for (int i = 1; i < 12; i++) {
#pragma omp task depend(in : cells[0]) depend(inout : cells[i % 3 + 1])
		cells[i % 3 + 1]++;
	}
}

static void taskloops(void)
{
	long sum = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop grainsize(1)
		for (int i = 0; i < 100; i++)
			delay((unsigned)i);
#pragma omp taskloop num_tasks(7) reduction(+ : sum)
		for (int i = 0; i < 100; i++)
			sum++;
	}
	total += sum;
}

static void task_reductions(void)
{
	long sum = 0;

#pragma omp parallel reduction(task, + : sum)
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : sum)
			sum++;
		}
	}
	total += sum;
}

/* ---- the count --------------------------------------------------------------------------------------------------- */

enum {
	ROUNDS = 500,
	/*
	 * Which thread frees whose task is chance, so a thread may run dry once more after the first rounds: now and
	 * then, and never once a round.
	 */
	LATE = ROUNDS / 50,
};

static void stays_within(const char *name, void (*construct)(void))
{
	long before;

	for (int threads = 1; threads <= 3; threads++) {
		omp_set_num_threads(threads);
		for (int round = 0; round < ROUNDS / 10; round++)
			construct();
		before = calls;
		for (int round = 0; round < ROUNDS; round++)
			construct();
		if (calls - before > LATE)
			fail_msg("%s, %d threads: %ld calls of the allocator in %d rounds", name, threads,
				 calls - before, ROUNDS);
	}
}

#define TEST(construct)                                                                                                \
	static void construct##_call_no_allocator(void **state)                                                        \
	{                                                                                                              \
		(void)state;                                                                                           \
		stays_within(#construct, construct);                                                                   \
	}

TEST(regions)
TEST(nested_regions)
TEST(loops)
TEST(doacross_loops)
TEST(reductions_in_loops)
TEST(flat_tasks)
TEST(recursive_tasks)
TEST(dependent_tasks)
TEST(dependent_tasks_in_tasks)
TEST(taskloops)
TEST(task_reductions)

/* ---- long programs ----------------------------------------------------------------------------------------------- */

/* Under random delays a task takes a hundred times as long, and these tests take a DELAYED-th of the length. */
#ifdef DELAYS
enum { DELAYED = 10 };
#else
enum { DELAYED = 1 };
#endif

enum {
	SHORT = 3000,
	LONG = 1000000 / DELAYED,
	/* Calls more for so many times the length; 64 bytes for each link or item alone would be 976 chunks. */
	MORE = 900 / DELAYED,
};

/* Each task is the only child of the one before, which ends before it does. */
static void links(long left)
{
	total++;
	if (left > 1) {
#pragma omp task firstprivate(left) priority(1)
		links(left - 1);
	}
}

static void chain_of_children(long length)
{
#pragma omp parallel
#pragma omp single
	links(length);
}

/* Items that nobody waits for, each with an address of its own, as in a pipeline over a list. */
static void ever_new_addresses(long length)
{
	static char items[LONG + 2];

#pragma omp parallel
#pragma omp single
	for (long i = 0; i < length; i++) {
#pragma omp task depend(out : items[i]) depend(inout : total)
		{
			/* Long enough for a thief to come by it. */
			delay((unsigned)i);
			items[i]++;
		}
#pragma omp task depend(inout : items[i]) depend(in : items[length])
		items[i]++;
	}
}

static void is_bounded(const char *name, void (*program)(long length))
{
	for (int threads = 1; threads <= 4; threads++) {
		long before;

		omp_set_num_threads(threads);
		program(SHORT);
		before = calls;
		program(LONG);
		if (calls - before > MORE)
			fail_msg("%s, %d threads: %ld calls of the allocator for %d times the length", name, threads,
				 calls - before, LONG / SHORT);
	}
}

#define BOUNDED(program)                                                                                               \
	static void program##_is_bounded(void **state)                                                                 \
	{                                                                                                              \
		(void)state;                                                                                           \
		is_bounded(#program, program);                                                                         \
	}

BOUNDED(chain_of_children)
BOUNDED(ever_new_addresses)

enum { OVERLAPPING = 300000 / DELAYED, OVERLAPPING_MORE = DELAYED == 1 ? 60 : 25, YIELDS = 1000 };

static _Atomic long newest_link;

/* As links(), but each has begun before the one before it ends: then that one's family still stands above it. */
static void overlapping_links(long left)
{
	atomic_store(&newest_link, left);
	if (left == 0)
		return;
#pragma omp task firstprivate(left)
	overlapping_links(left - 1);
	for (int i = 0; i < YIELDS && atomic_load(&newest_link) == left; i++)
		sched_yield();
}

/* A family of 64 bytes for each link would be 293 chunks, or a DELAYED-th of that. */
static void overlapping_links_are_bounded(void **state)
{
	(void)state;
	for (int threads = 2; threads <= 4; threads++) {
		long before = calls;

#pragma omp parallel num_threads(threads)
#pragma omp single nowait
		overlapping_links(OVERLAPPING);
		if (calls - before > OVERLAPPING_MORE)
			fail_msg("%d threads: %ld calls of the allocator for %d links", threads, calls - before,
				 OVERLAPPING);
	}
}

enum { WORKERS = 7, BESIDE_STACK_BYTES = 4 << 20, ARENA_BYTES = 64 << 20 };

static long address_space_bytes(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld", &pages), 1);
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

/* How many threads the process has beside this one: GHC's, where a Haskell program hosts this test. */
static long other_threads(void)
{
	struct stat folder;

	assert_int_equal(stat("/proc/self/task", &folder), 0);
	return (long)folder.st_nlink - 3; /* a folder for each thread, ".", ".." and this one */
}

/* glibc reserves 64 MiB for each thread that calls malloc or free. Threads that are not ours may do so at any time. */
static void a_worker_reserves_its_stack_and_little_else(void **state)
{
	pthread_attr_t attributes;
	size_t stack_bytes = 0;
	long before, others = other_threads() * ARENA_BYTES;

	(void)state;
	pthread_attr_init(&attributes);
	pthread_attr_getstacksize(&attributes, &stack_bytes);
	pthread_attr_destroy(&attributes);
	before = address_space_bytes();
#pragma omp parallel num_threads(WORKERS + 1)
#pragma omp single
	for (int i = 0; i < 1000; i++) {
#pragma omp task
		total += fib(8);
	}
	assert_in_range((address_space_bytes() - before) / WORKERS, 0,
			stack_bytes + BESIDE_STACK_BYTES + (size_t)others / WORKERS);
}

enum { CROWD = 40, WORKER_BYTES = 3000 };

/* Beside its stack: its thread, its member, its deque; and glibc's own. Flags for any size of team were 2,560 more. */
static void a_worker_takes_little_memory(void **state)
{
	long before, each;

	(void)state;
#pragma omp parallel num_threads(2)
	total++;
	before = bytes_asked;
#pragma omp parallel num_threads(CROWD)
	total++;
	each = (bytes_asked - before) / (CROWD - 2);
	if (each > WORKER_BYTES)
		fail_msg("%ld bytes for each of %d workers", each, CROWD - 2);
}

static void the_count_counts(void **state)
{
	long before = calls;
	void *volatile memory = malloc(1);

	(void)state;
	free(memory);
	memory = aligned_alloc(64, 64);
	free(memory);
	assert_int_equal(calls - before, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* first: it makes the workers */
		cmocka_unit_test(a_worker_reserves_its_stack_and_little_else),
		cmocka_unit_test(a_worker_takes_little_memory),
		cmocka_unit_test(the_count_counts),
		cmocka_unit_test(regions_call_no_allocator),
		cmocka_unit_test(nested_regions_call_no_allocator),
		cmocka_unit_test(loops_call_no_allocator),
		cmocka_unit_test(doacross_loops_call_no_allocator),
		cmocka_unit_test(reductions_in_loops_call_no_allocator),
		cmocka_unit_test(flat_tasks_call_no_allocator),
		cmocka_unit_test(recursive_tasks_call_no_allocator),
		cmocka_unit_test(dependent_tasks_call_no_allocator),
		cmocka_unit_test(dependent_tasks_in_tasks_call_no_allocator),
		cmocka_unit_test(taskloops_call_no_allocator),
		cmocka_unit_test(task_reductions_call_no_allocator),
		cmocka_unit_test(chain_of_children_is_bounded),
		cmocka_unit_test(ever_new_addresses_is_bounded),
		cmocka_unit_test(overlapping_links_are_bounded),
	};

	omp_set_max_active_levels(2);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
