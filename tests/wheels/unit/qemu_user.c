/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an emulator of other processors (qemu-user) does wrong, shown without Ferry: qemu_user FAULT. Exit status 0: the
 * fault is there, so the tests that meet it say nothing about Ferry. 1: it is not there. wheels_test.sh asks.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WARM = 200, THREADS = 2000, GROWTH_MAX_KIB = 512, FORKS = 300, CHURNERS = 3, HUNG_S = 5 };
enum { SIDES = 2, ROUNDS = 20000, SPINS = 100000 };

static void *nothing(void *opaque)
{
	return opaque;
}

static void one_after_the_other(int threads)
{
	pthread_t thread;

	for (int i = 0; i < threads; i++) {
		if (pthread_create(&thread, NULL, nothing, NULL))
			exit(2);
		pthread_join(thread, NULL);
	}
}

static long resident_kib(void)
{
	long size = 0, resident = 0, shared = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%ld %ld %ld", &size, &resident, &shared) != 3)
		exit(2);
	fclose(file);
	return (resident - shared) * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Memory that stays although every thread has ended and was joined. */
static bool keeps_memory_of_threads(void)
{
	long before;

	one_after_the_other(WARM);
	before = resident_kib();
	one_after_the_other(THREADS);
	printf("%d threads that came and went left %ld KiB\n", THREADS, resident_kib() - before);
	return resident_kib() - before > GROWTH_MAX_KIB;
}

static atomic_bool is_over;

/* Threads that come and go: the emulator has something to do for each, under its locks. */
static void *churn(void *opaque)
{
	while (!atomic_load(&is_over))
		one_after_the_other(1);
	return opaque;
}

/*
 * A child that waits for ever when it makes a thread, because a thread of its parent was making one: qemu's lock around
 * that is copied as it is, and who holds it is not there.
 */
static bool hangs_in_children(void)
{
	pthread_t churners[CHURNERS];
	int hung = 0;

	for (int i = 0; i < CHURNERS; i++)
		if (pthread_create(&churners[i], NULL, churn, NULL))
			exit(2);
	for (int i = 0; i < FORKS && !hung; i++) {
		pid_t child = fork();
		int status = 0;

		if (child == 0) {
			one_after_the_other(1);
			_exit(0);
		}
		for (int waited = 0; waitpid(child, &status, WNOHANG) == 0; waited++) {
			if (waited == HUNG_S * 100) {
				hung++;
				kill(child, SIGKILL);
			}
			usleep(10000);
		}
	}
	atomic_store(&is_over, true);
	for (int i = 0; i < CHURNERS; i++)
		pthread_join(churners[i], NULL);
	printf("%d of at most %d children hung for %d s\n", hung, FORKS, HUNG_S);
	return hung > 0;
}

/*
 * Each of two threads stores into a word of its own, then loads that of the other, all of it seq_cst, so at least one
 * sees what the other stored (Dekker). On aarch64 these are stlr and ldar, which keep their order. On x86-64 qemu 7.2
 * makes a plain store and a plain load of them, and the processor lets the load be first.
 */
static struct {
	/* a line of its own, so that the store has to wait for it */
	_Alignas(128) atomic_bool is_stored;
	bool has_seen;
} sides[SIDES][ROUNDS];
static atomic_int round_of[SIDES];

static int spins_max;

static void *store_and_load(void *opaque)
{
	const int own = *(const int *)opaque, other = !own;

	for (int i = 0; i < ROUNDS; i++) {
		atomic_store(&round_of[own], i);
		/* both begin at once */
		for (int spins = 0; atomic_load(&round_of[other]) < i; spins++)
			if (spins >= spins_max)
				sched_yield();
		atomic_store(&sides[own][i].is_stored, true);
		sides[own][i].has_seen = atomic_load(&sides[other][i].is_stored);
	}
	atomic_store(&round_of[own], ROUNDS);
	return NULL;
}

static bool lets_loads_overtake_stores(void)
{
	static int numbers[SIDES] = { 0, 1 };
	pthread_t other;
	int unseen = 0;
	cpu_set_t usable;

	if (sched_getaffinity(0, sizeof(usable), &usable))
		exit(2);
	/* on one processor the other has to get its turn first */
	spins_max = CPU_COUNT(&usable) > 1 ? SPINS : 0;
	if (pthread_create(&other, NULL, store_and_load, &numbers[1]))
		exit(2);
	store_and_load(&numbers[0]);
	pthread_join(other, NULL);
	for (int i = 0; i < ROUNDS; i++)
		unseen += !sides[0][i].has_seen && !sides[1][i].has_seen;
	printf("in %d of %d rounds neither of two threads saw what the other had stored\n", unseen, ROUNDS);
	return unseen > 0;
}

int main(int count, char **words)
{
	if (count == 2 && strcmp(words[1], "threads-leave-memory") == 0)
		return !keeps_memory_of_threads();
	if (count == 2 && strcmp(words[1], "children-hang") == 0)
		return !hangs_in_children();
	if (count == 2 && strcmp(words[1], "loads-overtake-stores") == 0)
		return !lets_loads_overtake_stores();
	fprintf(stderr, "usage: qemu_user threads-leave-memory|children-hang|loads-overtake-stores\n");
	return 2;
}
