/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much CPU does readmany save over a plain loop, for 10,000 small files?
 *
 * Every variant is a process of its own that reads the same list of names and ends. A sample is the user and system
 * time that the kernel charged to that process. It includes io_uring's kernel workers, which are threads of the
 * process. Standard output is /dev/null.
 *
 *	plain		open, read, close for each file, in C; writes nothing and takes one read for the whole file
 *	plain-cat	open, read to the end, write, close: what cat does with fewer calls
 *	cat		cat(1), started by xargs as often as the argument list needs
 *	loop-K, uring-K, auto-K		readmany with that executor and K files in a batch
 */
#include <limits.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "bench.h"
#include "files.h"

#define FILES 10000
#define FILE_BYTES 65536

static char list_path[BENCH_PATH_BYTES];
static char program_path[PATH_MAX];

struct way {
	const char *name;
	const char *executor; /* NULL: not readmany */
	const char *batch;
};

static const struct way ways[] = {
	{ "plain", NULL, NULL },       { "plain-cat", NULL, NULL },	{ "cat", NULL, NULL },
	{ "loop-64", "loop", "64" },   { "uring-1", "uring", "1" },	{ "uring-8", "uring", "8" },
	{ "uring-64", "uring", "64" }, { "uring-128", "uring", "128" }, { "auto-64", "auto", "64" },
};
#define WAY_COUNT (sizeof(ways) / sizeof(ways[0]))

/* ---- the plain loop, in a process of its own ------------------------------------------------------------------- */

static char buffer[FILE_BYTES];

static void copy_to_end(int fd)
{
	ssize_t count;

	while ((count = read(fd, buffer, sizeof(buffer))) > 0)
		if (write(STDOUT_FILENO, buffer, (size_t)count) != count)
			exit(1);
}

static int plain(const char *list, bool to_end)
{
	static char names[FILES * BENCH_PATH_BYTES];
	int fd = open(list, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = read(fd, names, sizeof(names));

	close(fd);
	for (const char *name = names; name < names + bytes; name += strlen(name) + 1) {
		fd = open(name, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return 1;
		if (to_end)
			copy_to_end(fd);
		else if (read(fd, buffer, sizeof(buffer)) < 0)
			return 1;
		close(fd);
	}
	return 0;
}

/* ---- processes ------------------------------------------------------------------------------------------------- */

static void become(const struct way *way)
{
	char list[BENCH_PATH_BYTES + 16], executor[32], batch[32];
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	dup2(null, STDOUT_FILENO);
	if (way->executor) {
		snprintf(list, sizeof(list), "--files0-from=%s", list_path);
		snprintf(executor, sizeof(executor), "--executor=%s", way->executor);
		snprintf(batch, sizeof(batch), "--batch=%s", way->batch);
		execl(program_path, "readmany", list, executor, batch, (char *)NULL);
	} else if (strcmp(way->name, "cat") == 0) {
		execlp("xargs", "xargs", "-0", "-a", list_path, "cat", (char *)NULL);
	} else {
		execl("/proc/self/exe", way->name, list_path, (char *)NULL);
	}
	_exit(127);
}

/* CPU time of one run in nanoseconds, or -1 when it failed. */
static double run_once(const struct way *way)
{
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (child == 0)
		become(way);
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return -1;
	return ((double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec) * 1e9 +
	       ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) * 1e3;
}

static void write_list(void)
{
	char path[BENCH_PATH_BYTES];
	FILE *list;

	snprintf(list_path, sizeof(list_path), "%s.list", bench_folder);
	list = fopen(list_path, "w");
	if (!list)
		bench_fail_files(list_path);
	for (long i = 0; i < FILES; i++) {
		bench_file_path(path, i);
		fwrite(path, 1, strlen(path) + 1, list);
	}
	if (fclose(list))
		bench_fail_files(list_path);
}

/* readmany beside the benchmarks, where the build puts it, or what FERRY_BIN says. */
static void find_program(void)
{
	const char *folder = getenv("FERRY_BIN");
	char self[PATH_MAX - 32];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (folder) {
		snprintf(program_path, sizeof(program_path), "%s/readmany", folder);
		return;
	}
	self[length < 0 ? 0 : length] = 0;
	for (int up = 0; up < 2 && strrchr(self, '/'); up++)
		*strrchr(self, '/') = 0;
	snprintf(program_path, sizeof(program_path), "%s/bin/readmany", self);
}

static int measure(long repetitions)
{
	bench_print_machine();
	for (long repetition = 0; repetition < repetitions; repetition++) {
		for (size_t k = 0; k < WAY_COUNT; k++) {
			const struct way *way = &ways[((size_t)repetition + k) % WAY_COUNT];
			double ns = run_once(way);

			if (ns < 0) {
				fprintf(stderr, "readmany: variant %s: the process failed\n", way->name);
				return 1;
			}
			printf("{\"type\":\"sample\",\"boundary\":\"readmany\",\"variant\":\"%s\",\"unit\":\"cpu_ns\","
			       "\"n\":%d,\"repetition\":%ld,\"ns\":%.0f}\n",
			       way->name, FILES, repetition, ns);
			fflush(stdout);
		}
	}
	return 0;
}

static int usage(void)
{
	fputs("readmany: one option, or none: --quick, --repetitions=R (1 or more), --help, --version\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	long repetitions = 25;
	char *end = NULL;
	int code;

	if (argc == 2 && (strcmp(argv[0], "plain") == 0 || strcmp(argv[0], "plain-cat") == 0))
		return plain(argv[1], strcmp(argv[0], "plain-cat") == 0);
	if (argc > 2)
		return usage();
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		puts("How much CPU does readmany save over a plain loop, for 10,000 small files?\n\n"
		     "Usage: readmany [--quick | --repetitions=R]\n"
		     "Prints one JSON object per line; bench/README.md describes them.");
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("readmany (Ferry) %s\n", FERRY_VERSION);
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--quick") == 0)
		repetitions = 5;
	else if (argc == 2 && strncmp(argv[1], "--repetitions=", 14) == 0)
		repetitions = strtol(argv[1] + 14, &end, 10);
	else if (argc == 2)
		return usage();
	if (repetitions < 1 || (end && *end))
		return usage();
	find_program();
	bench_make_files(FILES);
	write_list();
	code = measure(repetitions);
	unlink(list_path);
	return code;
}
