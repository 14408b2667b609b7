/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What do mdu and readmany cost through each executor, beside du and cat?
 *
 * Every run is a process of its own: it starts, works on n small files and ends; its output goes to /dev/null. `:tree`
 * is the usage of a tree (`mdu -s -j1`, `du -s`), `:files` the contents of its files (`readmany`, `cat`), by their
 * names on the command line. `du` and `cat` are those that PATH names; the others are the executor that ours uses. The
 * folders have 14 files each, as many as those of the tree in bench/targets.toml. What a process costs besides its
 * files is in `fixed`, and differs by how a program is linked.
 */
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "bench.h"
#include "files.h"

#define FILES_MAX 20000 /* the largest n a run of this program takes */
#define FOLDER_FILES 14
#define TREES_MAX 8
#define PROGRAM_BYTES 256

/* A tree of n files, made when it is first measured and removed when the program ends. */
struct tree {
	long n;
	char folder[BENCH_PATH_BYTES];
	char (*names)[BENCH_PATH_BYTES];
};

static struct tree trees[TREES_MAX], *chosen;
static size_t tree_count;
static char parent[BENCH_PATH_BYTES - 64];
static char ours[PROGRAM_BYTES];

/* ---- files ----------------------------------------------------------------------------------------------------- */

static void remove_trees(void)
{
	char *words[] = { "rm", "-rf", parent, NULL };
	int status = -1;
	pid_t child;

	if (posix_spawnp(&child, "rm", NULL, NULL, words, environ) || waitpid(child, &status, 0) != child || status)
		fprintf(stderr, "tools: %s could not be removed\n", parent);
}

static void set_up(void)
{
	const char *above = getenv("TMPDIR");

	snprintf(parent, sizeof(parent), "%s/ferry-bench-XXXXXX", above && *above ? above : "/tmp");
	if (!mkdtemp(parent))
		bench_fail_files(parent);
	atexit(remove_trees);
}

static void make_file(const char *path, long index)
{
	static const char content[4000] = { 'f' };
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ssize_t bytes = 100 + index * 997 % 3400;

	if (fd < 0 || write(fd, content, (size_t)bytes) != bytes || close(fd) < 0)
		bench_fail_files(path);
}

static struct tree *make_tree(long n)
{
	struct tree *tree = &trees[tree_count++];

	tree->n = n;
	tree->names = calloc((size_t)n, sizeof(*tree->names));
	snprintf(tree->folder, sizeof(tree->folder), "%s/%ld", parent, n);
	if (!tree->names || mkdir(tree->folder, 0700) < 0)
		bench_fail_files(tree->folder);
	for (long i = 0; i < n; i++) {
		char *name = tree->names[i];
		int folder = snprintf(name, BENCH_PATH_BYTES, "%s/%05ld", tree->folder, i / FOLDER_FILES);

		if (i % FOLDER_FILES == 0 && mkdir(name, 0700) < 0)
			bench_fail_files(name);
		snprintf(name + folder, sizeof(*tree->names) - (size_t)folder, "/%02ld", i % FOLDER_FILES);
		make_file(name, i);
	}
	return tree;
}

/* Choose the tree of n files, or make it. */
static int choose_tree(void *context, long n)
{
	(void)context;
	for (size_t i = 0; i < tree_count; i++) {
		chosen = &trees[i];
		if (chosen->n == n)
			return 0;
	}
	if (n > FILES_MAX || tree_count == TREES_MAX)
		return -E2BIG;
	chosen = make_tree(n);
	return 0;
}

/* ---- processes ------------------------------------------------------------------------------------------------- */

/* Start a program, by its path or from PATH, wait for it, and return 0 or why it failed. */
static long run(const char *program, char **words)
{
	posix_spawn_file_actions_t actions;
	int code, status;
	pid_t child;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	code = posix_spawnp(&child, program, &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (code)
		return -code;
	if (waitpid(child, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECHILD;
}

static char *program_of_ours(const char *name)
{
	static char program[PROGRAM_BYTES + 16];

	snprintf(program, sizeof(program), "%s/%s", ours, name);
	return program;
}

static long run_du(void *context, long n)
{
	char *words[] = { "du", "-s", chosen->folder, NULL };

	(void)context;
	(void)n;
	return run("du", words);
}

static long run_mdu(void *context, long n)
{
	char *words[] = { "mdu", "-s", "-j1", context, chosen->folder, NULL };

	(void)n;
	return run(program_of_ours("mdu"), words);
}

/* Run a program over the names of all files, behind the option, if there is one. */
static long run_over_names(const char *program, char *option, long n)
{
	static char *words[FILES_MAX + 3];
	size_t count = 0;

	words[count++] = (char *)program;
	if (option)
		words[count++] = option;
	for (long i = 0; i < n; i++)
		words[count++] = chosen->names[i];
	words[count] = NULL;
	return run(program, words);
}

static long run_cat(void *context, long n)
{
	(void)context;
	return run_over_names("cat", NULL, n);
}

static long run_readmany(void *context, long n)
{
	return run_over_names(program_of_ours("readmany"), context, n);
}

/* ---- measuring ------------------------------------------------------------------------------------------------- */

static const struct bench_variant variants[] = {
	{ "du:tree", choose_tree, run_du, NULL, false },
	{ "loop:tree", choose_tree, run_mdu, "--executor=loop", false },
	{ "auto:tree", choose_tree, run_mdu, "--executor=auto", false },
	{ "kernel:tree", choose_tree, run_mdu, "--executor=kernel", false },
	{ "cat:files", choose_tree, run_cat, NULL, false },
	{ "loop:files", choose_tree, run_readmany, "--executor=loop", false },
	{ "auto:files", choose_tree, run_readmany, "--executor=auto", false },
	{ "uring:files", choose_tree, run_readmany, "--executor=uring", false },
	{ "kernel:files", choose_tree, run_readmany, "--executor=kernel", false },
};

/* Where our programs are: FERRY_BIN, or bin/ beside the folder of the benchmarks, as the build puts them. */
static void find_ours(void)
{
	const char *folder = getenv("FERRY_BIN");
	char own[PROGRAM_BYTES - sizeof("/bin")];
	ssize_t length;

	if (folder) {
		snprintf(ours, sizeof(ours), "%s", folder);
		return;
	}
	length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	own[length < 0 ? 0 : length] = 0;
	for (int up = 0; up < 2 && strrchr(own, '/'); up++)
		*strrchr(own, '/') = 0;
	snprintf(ours, sizeof(ours), "%s/bin", own);
}

/* Whether the command line asks for a text, or for variants among which `kernel` is not. */
static bool needs_no_kernel(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "--version") ||
		    (!strcmp(argv[i], "--variant") && i + 1 < argc && !strstr(argv[i + 1], "kernel:")))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static const long n[] = { 300, 3000 };
	const struct bench_suite suite = {
		.boundary = "tools",
		.question = "What do mdu and readmany cost through each executor, beside du and cat?",
		.variants = variants,
		.variant_count = sizeof(variants) / sizeof(variants[0]),
		.n = n,
		.n_count = sizeof(n) / sizeof(n[0]),
		.repetitions = 15,
		.quick_repetitions = 5,
		.set_up = set_up,
	};
	struct batch_kernel_executor kernel;

	if (!needs_no_kernel(argc, argv) && batch_kernel_open(&kernel, NULL) < 0)
		bench_unavailable("neither batch(2) nor /dev/batch runs batches for this user", -EOPNOTSUPP);
	find_ours();
	return bench_main(argc, argv, &suite);
}
