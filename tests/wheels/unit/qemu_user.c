/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an emulator of other processors (qemu-user) does wrong, shown without Ferry: qemu_user FAULT. Exit status 0: the
 * fault is there, so the tests that meet it say nothing about Ferry. 1: it is not there. scripts/wheels_test.sh asks.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WARM = 200, THREADS = 2000, GROWTH_MAX_KIB = 512, FORKS = 300, CHURNERS = 3, HUNG_S = 5 };

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

int main(int count, char **words)
{
	if (count == 2 && strcmp(words[1], "threads-leave-memory") == 0)
		return !keeps_memory_of_threads();
	if (count == 2 && strcmp(words[1], "children-hang") == 0)
		return !hangs_in_children();
	fprintf(stderr, "usage: qemu_user threads-leave-memory|children-hang\n");
	return 2;
}
