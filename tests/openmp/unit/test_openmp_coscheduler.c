/* SPDX-License-Identifier: BSD-3-Clause */
/* src/openmp/coscheduling/: a runtime system beside ours, here one that says what a test wants it to say. */
/* long: a process has one co-scheduler, and all of these tests go through what it is asked */
#include "openmp_tests.h"

#include "thread/clock.h"
#include "thread/neighbours.h"
#include "thread/processor.h"

#include <dirent.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include <ferry/openmp_coscheduler.h>

#ifdef DELAYS
enum { DELAYED = true };
#else
enum { DELAYED = false };
#endif

enum { HANG_S = 60 };

#include "../../helpers/fork.h"

static _Atomic unsigned processors_now, busy_now;
static __thread void *held;

static unsigned say_processors(void)
{
	return atomic_load(&processors_now);
}

static unsigned say_busy(void)
{
	return atomic_load(&busy_now);
}

static void *say_holding(void)
{
	return held;
}

static uint32_t opened;

static const struct ferryomp_coscheduler coscheduler = {
	.version = FERRYOMP_COSCHEDULER_VERSION,
	.processors = say_processors,
	.busy = say_busy,
	.holding = say_holding,
	.opened = &opened,
};

static int team_size(void)
{
	int size = 0;

#pragma omp parallel
#pragma omp single
	size = omp_get_num_threads();
	return size;
}

static int count_threads(void)
{
	char path[] = "/proc/self/task";
	int count = 0;
	void *folder = opendir(path);

	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

static void test_register(void **state)
{
	static const struct ferryomp_coscheduler other = { .version = FERRYOMP_COSCHEDULER_VERSION };
	static const struct ferryomp_coscheduler unknown = { .version = FERRYOMP_COSCHEDULER_VERSION + 1 };

	(void)state;
	assert_int_equal(ferryomp_coscheduler_register(&unknown), -EINVAL);
	assert_int_equal(ferryomp_coscheduler_register(&coscheduler), 0);
	assert_int_equal(ferryomp_coscheduler_register(&coscheduler), 0);
	assert_int_equal(ferryomp_coscheduler_register(&other), -EBUSY);
	assert_true(omp_get_dynamic());
}

/* A team has the processors that the co-scheduler leaves, and always its primary. */
static void test_size(void **state)
{
	int all = omp_get_num_procs();

	(void)state;
	assert_int_equal(omp_get_max_threads(), all);
	assert_int_equal(team_size(), all);
	busy_now = 1;
	assert_int_equal(team_size(), all > 1 ? all - 1 : 1);
	busy_now = (unsigned)all + 3;
	assert_int_equal(team_size(), 1);
	/* what the caller holds is the processor it runs on */
	held = &busy_now;
	busy_now = 1;
	assert_int_equal(team_size(), all);
	held = NULL;
	busy_now = 0;
	processors_now = 1;
	assert_int_equal(omp_get_max_threads(), 1);
	assert_int_equal(team_size(), 1);
	processors_now = 0;
	assert_int_equal(team_size(), all);
}

static void *one_region(void *sum)
{
	long total = 0;

#pragma omp parallel for reduction(+ : total) num_threads(2)
	for (int i = 0; i < 1000; i++)
		total += i;
	*(long *)sum += total;
	return NULL;
}

/* Threads that come and go, one at a time, use one team. */
static void test_lent(void **state)
{
	int before;
	long sum = 0;

	(void)state;
	one_region(&sum);
	before = count_threads();
	for (int i = 0; i < 50; i++) {
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, one_region, &sum), 0);
		pthread_join(thread, NULL);
	}
	assert_int_equal(sum, 51 * 499500L);
	/* the last one may still be ending */
	assert_in_range(count_threads(), before, before + 1);
}

static void *many_regions(void *opaque)
{
	long *sum = opaque;

	for (int i = 0; i < 500; i++)
		one_region(sum);
	return NULL;
}

/* At once, each has a team of its own for as long as it needs it, and all are right. */
static void test_at_once(void **state)
{
	enum { THREADS = 8 };
	pthread_t threads[THREADS];
	long sums[THREADS] = { 0 };

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, many_regions, &sums[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(sums[i], 500 * 499500L);
	}
}

static void *set_own(void *opaque)
{
	(void)opaque;
	omp_set_num_threads(3);
	(void)team_size();
	assert_int_equal(omp_get_max_threads(), 3);
	return NULL;
}

/* What the thread set goes before what the program had, and what the program sets later before that. */
static void *set_own_then_all(void *opaque)
{
	set_own(opaque);
	assert_int_equal(ferryomp_initial_set(FERRYOMP_THREADS, 2), 0);
	(void)team_size();
	assert_int_equal(omp_get_max_threads(), 2);
	return NULL;
}

static void *see_initial(void *expected)
{
	assert_int_equal(omp_get_max_threads(), *(int *)expected);
	return NULL;
}

static void in_thread(void *(*run)(void *), void *argument)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, run, argument), 0);
	pthread_join(thread, NULL);
}

/* A thread's own variables are not lent with the root; the program's reach everybody who has none. */
static void test_variables(void **state)
{
	int all = omp_get_num_procs(), two = 2;

	(void)state;
	in_thread(set_own, NULL);
	in_thread(see_initial, &all);
	in_thread(set_own_then_all, NULL);
	assert_int_equal(ferryomp_initial_set(FERRYOMP_THREADS, 2), 0);
	in_thread(see_initial, &two);
	(void)team_size();
	assert_int_equal(omp_get_max_threads(), 2);
	assert_int_equal(ferryomp_initial_get(FERRYOMP_THREADS), 2);
	assert_int_equal(ferryomp_initial_set(FERRYOMP_THREADS, 0), 0);
	in_thread(see_initial, &all);
	assert_int_equal(ferryomp_initial_set(FERRYOMP_THREADS, -1), -EINVAL);
	assert_int_equal(ferryomp_initial_set(FERRYOMP_DYNAMIC, 2), -EINVAL);
	assert_int_equal(ferryomp_initial_set(FERRYOMP_SCHEDULE, 9), -EINVAL);
	assert_int_equal(ferryomp_initial_set((enum ferryomp_variable)99, 1), -EINVAL);
	assert_int_equal(ferryomp_initial_get((enum ferryomp_variable)99), -EINVAL);
	assert_int_equal(ferryomp_initial_set(FERRYOMP_SCHEDULE, omp_sched_guided), 0);
	assert_int_equal(ferryomp_initial_get(FERRYOMP_SCHEDULE), omp_sched_guided);
	assert_int_equal(ferryomp_initial_set(FERRYOMP_SCHEDULE, omp_sched_dynamic), 0);
}

/* Every thread of a region, however deep, finds what the root held; nobody does outside. */
static void test_held(void **state)
{
	int wrong = 0, there;

	(void)state;
	omp_set_max_active_levels(2);
	held = &there;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
	{
		wrong += ferryomp_coscheduler_held() != &there;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
		wrong += ferryomp_coscheduler_held() != &there;
	}
	held = NULL;
	assert_int_equal(wrong, 0);
	assert_null(ferryomp_coscheduler_held());
#pragma omp parallel num_threads(2) reduction(+ : wrong)
	wrong += ferryomp_coscheduler_held() != NULL;
	assert_int_equal(wrong, 0);
	omp_set_max_active_levels(1);
}

static omp_nest_lock_t nest;

static void *try_nest(void *got)
{
	*(int *)got = omp_test_nest_lock(&nest);
	return NULL;
}

/* A lock taken outside every region is the OS thread's, though its root is lent to another meanwhile. */
static void test_nest_lock(void **state)
{
	int got = 1;

	(void)state;
	omp_init_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	(void)team_size();
	in_thread(try_nest, &got);
	assert_int_equal(got, 0);
	assert_int_equal(omp_test_nest_lock(&nest), 2);
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	omp_destroy_nest_lock(&nest);
}

/* A region of two threads; the system's number of the second. */
static int worker_of_region(void)
{
	int worker = 0;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		worker = gettid();
	return worker;
}

/* Processor time of a thread so far, and how long it was to run and did not, because others did. */
static long spent_ns(int thread, long *kept_waiting_ns)
{
	char path[64];
	long ns = 0, waited_ns = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", thread);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld %ld", &ns, &waited_ns), 2);
	fclose(file);
	if (kept_waiting_ns)
		*kept_waiting_ns = waited_ns;
	return ns;
}

static int compare(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

/* The runtime's own calls of sched_yield() arrive here. */
static __thread unsigned yields;
static _Atomic long yield_takes_ns;
/* When a thread yielded for the first time and for the last time since first_yield_ns was 0. */
static _Atomic long first_yield_ns, last_yield_ns;
/* Whether a thread found neighbours right after a yield. */
static _Atomic bool met_neighbours;

int sched_yield(void)
{
	long none = 0, before_ns = (long)thread__now_ns();

	atomic_compare_exchange_strong(&first_yield_ns, &none, before_ns);
	/* a yield that takes no time stays a yield: a thread that slept in it would look as if it had parked */
	if (yield_takes_ns == 0)
		syscall(SYS_sched_yield);
	else
		nanosleep(&(struct timespec){ .tv_nsec = yield_takes_ns }, NULL);
	atomic_store(&last_yield_ns, (long)thread__now_ns());
	if (thread__has_neighbours(thread__now_ns()))
		atomic_store(&met_neighbours, true);
	yields++;
	return 0;
}

/* Medians of what a worker does in the 2 ms after a region. */
struct after_region {
	long ran_ns;	  /* processor time */
	long yielding_ns; /* from its first yield to its last, of the rounds in which it met no other program */
	bool is_shared;	  /* it met other programs in most rounds */
};

/* `busy`: how many of the co-scheduler's processors are busy from the region's end on. */
static struct after_region after_region(bool in_batch, unsigned busy)
{
	enum { COUNT = 51, WAITED_NS = 200000 };
	long ran_ns[COUNT], yielding_ns[COUNT] = { 0 }, before_ns, after_ns;
	int alone = 0;

	for (int i = 0; i < COUNT; i++) {
		int worker;

		if (in_batch)
			ferryomp_batch_begin();
		worker = worker_of_region();
		if (in_batch)
			ferryomp_batch_end(true);
		busy_now = busy;
		/* a first sign of a neighbour counts for a tenth of a millisecond only: it is gone after the sleep */
		met_neighbours = thread__has_neighbours(thread__now_ns());
		last_yield_ns = first_yield_ns = 0;
		ran_ns[i] = -spent_ns(worker, &before_ns);
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
		ran_ns[i] += spent_ns(worker, &after_ns);
		busy_now = 0;
		if (after_ns - before_ns <= WAITED_NS && !met_neighbours && !thread__has_neighbours(thread__now_ns()))
			yielding_ns[alone++] = last_yield_ns - first_yield_ns;
	}
	qsort(ran_ns, COUNT, sizeof(ran_ns[0]), compare);
	qsort(yielding_ns, (size_t)alone, sizeof(yielding_ns[0]), compare);
	return (struct after_region){
		.ran_ns = ran_ns[COUNT / 2],
		.yielding_ns = yielding_ns[alone / 2],
		.is_shared = alone <= COUNT / 2,
	};
}

/* A worker that takes less of a processor after a region, though nothing puts it to sleep, shares that with others. */
enum { TELLS_NS = 200000 };

/*
 * At the end of a batch the team goes to sleep. Otherwise it stays awake for about 440 us; where other programs want
 * the processor it does not get that much of it, and then nothing can be compared.
 */
static void test_batch_end(void **state)
{
	long usual_ns, batch_ns;

	(void)state;
	if (omp_get_num_procs() < 2)
		skip();
	(void)team_size();
	assert_int_equal(opened, 1);
	usual_ns = after_region(false, 0).ran_ns;
	batch_ns = after_region(true, 0).ran_ns;
	print_message("# test_batch_end: a worker spends %ld us after a region, %ld after a batch\n", usual_ns / 1000,
		      batch_ns / 1000);
	assert_true(usual_ns < TELLS_NS || batch_ns < usual_ns / 2);
	/* a part of a batch that goes on, and a batch without regions, put nobody to sleep */
	ferryomp_batch_begin();
	ferryomp_batch_end(true);
	ferryomp_batch_begin();
	(void)team_size();
	ferryomp_batch_end(false);
	ferryomp_batch_begin();
	ferryomp_batch_end(true);
	assert_int_equal(team_size(), omp_get_num_procs());
}

/*
 * Where the co-scheduler's own threads want every processor a worker lets them go first, and sleeps soon. It does not
 * sleep at once, which would be before a collection is over. Other programs may come between what is measured and what
 * says that they are there, so it is enough that the worker yields in one of several attempts.
 */
static void test_wanted(void **state)
{
	enum { ALONE_NS = 300000, SOON_NS = 40000, ATTEMPTS = 5 };
	struct after_region wanted = { 0 };
	bool is_right = false;

	(void)state;
	if (omp_get_num_procs() < 2)
		skip();
	(void)team_size();
	for (int i = 0; i < ATTEMPTS && !is_right; i++) {
		long usual_ns = after_region(false, 0).ran_ns;

		wanted = after_region(false, (unsigned)omp_get_num_procs());
		print_message("# test_wanted: a worker spends %ld us after a region, %ld where it is wanted, and "
			      "yields for %ld us%s\n",
			      usual_ns / 1000, wanted.ran_ns / 1000, wanted.yielding_ns / 1000,
			      wanted.is_shared ? "; others had its processor" : "");
		if (usual_ns < ALONE_NS)
			return;
		/* where it shares its processor the others take all of that time */
		is_right = wanted.ran_ns < TELLS_NS && (wanted.is_shared || wanted.yielding_ns > SOON_NS);
	}
	assert_true(is_right);
}

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Processor time of one of our threads, up to now where it runs: /proc knows that of the last tick. */
static long ran_ns(int thread)
{
	/* Linux's number of a thread's clock, as pthread_getcpuclockid makes it: CPUCLOCK_PERTHREAD, CPUCLOCK_SCHED */
	enum { THREAD_CLOCK = 4 | 2 };
	struct timespec ran;

	assert_int_equal(clock_gettime((clockid_t)(~(unsigned)thread << 3 | THREAD_CLOCK), &ran), 0);
	return ran.tv_sec * 1000000000L + ran.tv_nsec;
}

/*
 * How long after a region its worker goes to sleep, as /proc says; `most` when it is awake until then. *undisturbed
 * says whether it had a processor all along.
 */
static long awake_ns(long most, bool *undisturbed)
{
	char path[64], line[512], *state;
	int worker = worker_of_region();
	long start = now_ns(), ns, ran = -ran_ns(worker);

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", worker);
	do {
		FILE *stat = fopen(path, "r");

		assert_non_null(stat);
		assert_non_null(fgets(line, sizeof(line), stat));
		fclose(stat);
		state = strrchr(line, ')');
		ns = now_ns() - start;
	} while (state[2] == 'R' && ns < most);
	ran += ran_ns(worker);
	*undisturbed = ran >= ns / 2;
	return ns < most ? ns : most;
}

/*
 * Between two slots a worker stays awake where it would sleep without a batch. Where another program wants its
 * processor it sleeps earlier, so it is enough that it stays once; and where it hardly ever had a processor to itself,
 * nothing is said.
 */
static void test_batch_between(void **state)
{
	enum { LONG_NS = 2000000, ROUNDS = 400 };
	long least_ns = LONG_NS, most_ns = 0;
	int rounds = 0, quiet_rounds = 0, quiet_before = 0;
	bool undisturbed;

	(void)state;
	/* a random delay is a sleep, too */
	if (omp_get_num_procs() < 2 || DELAYED)
		skip();
	for (int i = 0; i < ROUNDS && least_ns >= LONG_NS; i++) {
		long ns = awake_ns(LONG_NS, &undisturbed);

		least_ns = undisturbed && ns < least_ns ? ns : least_ns;
		quiet_before += undisturbed;
	}
	ferryomp_batch_begin();
	for (; rounds < ROUNDS && most_ns < LONG_NS; rounds++) {
		long ns = awake_ns(LONG_NS, &undisturbed);

		most_ns = undisturbed && ns > most_ns ? ns : most_ns;
		quiet_rounds += undisturbed;
		/* another moment, in which there may be processors for both */
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	ferryomp_batch_end(true);
	assert_true(least_ns < LONG_NS || quiet_before == 0);
	print_message("# test_batch_between: %ld us awake, %d of %d rounds undisturbed\n", most_ns / 1000, quiet_rounds,
		      rounds);
	assert_true(most_ns >= LONG_NS || quiet_rounds < rounds / 2);
}

/* How often two members slept, together, at so many barriers to which one comes 5 us late. */
static long sleeps_at_barriers(void)
{
	enum { BARRIERS = 20, LATE_NS = 5000 };
	long slept = 0;

#pragma omp parallel num_threads(2) reduction(+ : slept)
	{
		struct rusage before, after;

		getrusage(RUSAGE_THREAD, &before);
		for (int i = 0; i < BARRIERS; i++) {
			long end = now_ns() + LATE_NS;

			while (omp_get_thread_num() == 0 && now_ns() < end)
				;
#pragma omp barrier
		}
		getrusage(RUSAGE_THREAD, &after);
		slept += after.ru_nvcsw - before.ru_nvcsw;
	}
	return slept;
}

/*
 * Where the co-scheduler's threads want processors, a member still does not sleep at each barrier of a region. A member
 * that cannot tell which processor another runs on (no rseq, as in qemu-user) sleeps, since it might wait for a thread
 * on its own.
 */
static void test_wanted_in_region(void **state)
{
	enum { ROUNDS = 200 };
	long least = LONG_MAX;

	(void)state;
	if (omp_get_num_procs() < 2 || DELAYED || !thread__cpu_word())
		skip();
	omp_set_dynamic(0);
	(void)sleeps_at_barriers();
	busy_now = (unsigned)omp_get_num_procs();
	/* in one of the rounds both have processors */
	for (int i = 0; i < ROUNDS && least > 0; i++) {
		long slept = sleeps_at_barriers();

		least = slept < least ? slept : least;
	}
	busy_now = 0;
	omp_set_dynamic(1);
	assert_int_equal(least, 0);
}

/* A batch's end while another thread has the team, and batches inside each other. */
static void *batches(void *opaque)
{
	long *sum = opaque;

	for (int i = 0; i < 500; i++) {
		ferryomp_batch_begin();
		one_region(sum);
		ferryomp_batch_begin();
		one_region(sum);
		ferryomp_batch_end(true);
		one_region(sum);
		ferryomp_batch_end(i % 3 != 0);
	}
	return NULL;
}

static void test_batches_at_once(void **state)
{
	enum { THREADS = 4 };
	pthread_t threads[THREADS];
	long sums[THREADS] = { 0 };

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, batches, &sums[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(sums[i], 1500 * 499500L);
	}
}

static void open_regions(int count)
{
	for (int i = 0; i < count; i++)
#pragma omp parallel num_threads(1)
		__asm__ volatile("" ::: "memory");
}

/* Between regions now and then, but not where that takes as long as others compute. */
static void test_give_way(void **state)
{
	(void)state;
	/* a random delay may be a yield */
	if (DELAYED)
		skip();
	for (yields = 0; yields < 3;)
		open_regions(1);
	yield_takes_ns = 50000000; /* no more for 0.8 s */
	for (yields = 0; yields == 0;)
		open_regions(1);
	open_regions(2000);
	yield_takes_ns = 0;
	assert_true(yields <= 2);
}

/* ThreadSanitizer does not follow new threads of a child that was forked by a program with threads. */
static void test_fork(void **state)
{
	int size = team_size();
	pid_t child;

	(void)state;
#if defined(__SANITIZE_THREAD__)
	skip();
#endif
	child = fork_child();
	if (child == 0)
		_exit(team_size() == size ? 0 : 1);
	wait_for_child(child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_register),      cmocka_unit_test(test_size),
		cmocka_unit_test(test_lent),	      cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_variables),     cmocka_unit_test(test_held),
		cmocka_unit_test(test_nest_lock),     cmocka_unit_test(test_batch_end),
		cmocka_unit_test(test_batch_between), cmocka_unit_test(test_batches_at_once),
		cmocka_unit_test(test_wanted),	      cmocka_unit_test(test_wanted_in_region),
		cmocka_unit_test(test_give_way),      cmocka_unit_test(test_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
