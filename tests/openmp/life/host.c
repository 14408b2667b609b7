/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host LIBRARY [RUNTIME]: load the library, use it from this thread and from threads that end, unload it, and again.
 * The program itself knows nothing of OpenMP, so the runtime comes and goes with the library. With RUNTIME, that is
 * loaded and unloaded by itself too.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 20, THREADS = 4 };

static void *handle_or_exit(const char *file)
{
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	return handle;
}

static void *call(void *sum)
{
	return ((int (*)(int))sum)(3) == 5050 ? NULL : sum;
}

int main(int argc, char **argv)
{
	for (int round = 0; round < ROUNDS; round++) {
		void *runtime = argc > 2 ? handle_or_exit(argv[2]) : NULL;
		void *library = handle_or_exit(argv[1]);
		void *sum = dlsym(library, "plugin_sum");
		pthread_t threads[THREADS];
		void *failed;

		if (!sum || call(sum))
			return 3;
		for (int i = 0; i < THREADS; i++)
			if (pthread_create(&threads[i], NULL, call, sum))
				return 4;
		for (int i = 0; i < THREADS; i++)
			if (pthread_join(threads[i], &failed) || failed)
				return 5;
		if (dlclose(library) || (runtime && dlclose(runtime)))
			return 6;
		if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD))
			return 7;
	}
	return 0;
}
