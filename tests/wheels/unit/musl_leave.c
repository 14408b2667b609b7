/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fault of musl 1.2.3 without Ferry: a forked child whose first thread leaves by pthread_exit() never ends, since its
 * other threads wait for the list of threads, which the first one locked when it left. Exit status 0: the fault is
 * there. With arguments it loads these libraries instead, and fails where musl does not load one into a program that
 * runs, or lacks what one needs.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_US = 50 * 1000, LOOKS = 60 };

static void *leave_later(void *data)
{
	usleep(2 * LOOK_US);
	return data;
}

static int child_hangs(void)
{
	pid_t child = fork();

	if (child == 0) {
		pthread_t other;

		pthread_create(&other, NULL, leave_later, NULL);
		pthread_exit(NULL);
	}
	for (int look = 0; look < LOOKS; look++) {
		if (waitpid(child, NULL, WNOHANG) == child)
			return 0;
		usleep(LOOK_US);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return 1;
}

int main(int count, char **words)
{
	for (int k = 1; k < count; k++) {
		if (!dlopen(words[k], RTLD_NOW | RTLD_GLOBAL)) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
	}
	if (count > 1)
		return dlsym(RTLD_DEFAULT, "GOMP_parallel") == NULL;
	return !child_hangs();
}
