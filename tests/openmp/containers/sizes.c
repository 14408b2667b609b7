/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers questions about team sizes, a line for each line of its input: `region` (threads of a region without a
 * clause), `clause N`, `max`, `procs`, `set N` (and then `region`), `thread` (a region of a new thread), `child` (a
 * region of a forked child).
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(void)
{
	int threads = 0;

#pragma omp parallel
#pragma omp single
	threads = omp_get_num_threads();
	return threads;
}

static int region_of(int wanted)
{
	int threads = 0;

#pragma omp parallel num_threads(wanted)
#pragma omp single
	threads = omp_get_num_threads();
	return threads;
}

static void *thread_main(void *threads)
{
	*(int *)threads = region();
	return NULL;
}

static int region_of_a_thread(void)
{
	pthread_t thread;
	int threads = 0;

	if (pthread_create(&thread, NULL, thread_main, &threads) == 0)
		pthread_join(thread, NULL);
	return threads;
}

static int region_of_a_child(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(region());
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int answer(const char *word, int number)
{
	if (strcmp(word, "region") == 0)
		return region();
	if (strcmp(word, "clause") == 0)
		return region_of(number);
	if (strcmp(word, "max") == 0)
		return omp_get_max_threads();
	if (strcmp(word, "procs") == 0)
		return omp_get_num_procs();
	if (strcmp(word, "thread") == 0)
		return region_of_a_thread();
	if (strcmp(word, "child") == 0)
		return region_of_a_child();
	if (strcmp(word, "set") == 0) {
		omp_set_num_threads(number);
		return region();
	}
	return -1;
}

int main(void)
{
	char line[64], word[32];
	int number = 0;

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%31s %d", word, &number) < 1)
			return 2;
		printf("%d\n", answer(word, number));
		fflush(stdout);
	}
	return 0;
}
