// SPDX-License-Identifier: GPL-2.0-only
/*
 * OpenMP's default team size under the CPU quota of a control group of version 2, for which the machine that builds may
 * only have version 1: what /programs/sizes (tests/openmp/containers/sizes.c) answers within a group, from outside of
 * it and from a namespace where that group is the root, as in a container.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"
#define GROUP ROOT "/quota"
#define INNER GROUP "/inner"
#define PERIOD_US 100000
#define UNLIMITED 0
// the runtime looks again when its last look is a second old
#define LOOKS_AGAIN_US 1200000

static unsigned int test_number;
static bool failed;

static void say(bool is_ok, const char *name, ...)
{
	va_list words;

	printf("%s %u - ", is_ok ? "ok" : "not ok", ++test_number);
	va_start(words, name);
	vprintf(name, words);
	va_end(words);
	printf("\n");
	fflush(stdout);
	failed |= !is_ok;
}

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool is_put = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (!is_put)
		printf("# %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return is_put;
}

static bool has_word(const char *path, const char *word)
{
	char text[256] = "";
	FILE *file = fopen(path, "re");

	if (file) {
		if (!fgets(text, sizeof(text), file))
			text[0] = 0;
		fclose(file);
	}
	for (char *rest = text, *each; (each = strsep(&rest, " \n"));)
		if (strcmp(each, word) == 0)
			return true;
	return false;
}

/* In hundredths of a processor. */
static bool limit(const char *group, int hundredths)
{
	char path[128], text[64];

	snprintf(path, sizeof(path), "%s/cpu.max", group);
	if (hundredths == UNLIMITED)
		snprintf(text, sizeof(text), "max %d", PERIOD_US);
	else
		snprintf(text, sizeof(text), "%d %d", hundredths * (PERIOD_US / 100), PERIOD_US);
	return put(path, text);
}

/* A container engine shows a process its group as the root of all. */
static bool enter_namespace(void)
{
	return unshare(CLONE_NEWCGROUP | CLONE_NEWNS) == 0 &&
	       mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       umount2(ROOT, MNT_DETACH) == 0 && mount("cgroup", ROOT, "cgroup2", 0, NULL) == 0;
}

/* What answers questions in a group; its input and output are `to` and `from`. */
struct program {
	pid_t pid;
	FILE *to, *from;
};

static struct program start(const char *group, bool is_contained, char *setting)
{
	char path[128];
	int to[2], from[2];
	struct program program;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		exit(1);
	program.pid = fork();
	if (program.pid == 0) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		if (!put(path, "0") || (is_contained && !enter_namespace()))
			_exit(1);
		if (setting)
			putenv(setting);
		execl("/programs/sizes", "sizes", NULL);
		_exit(1);
	}
	close(to[0]);
	close(from[1]);
	program.to = fdopen(to[1], "w");
	program.from = fdopen(from[0], "r");
	return program;
}

static int ask(const struct program *program, const char *question)
{
	char line[32] = "";

	fprintf(program->to, "%s\n", question);
	fflush(program->to);
	return fgets(line, sizeof(line), program->from) ? atoi(line) : -1;
}

static void end(const struct program *program)
{
	fclose(program->to);
	fclose(program->from);
	waitpid(program->pid, NULL, 0);
}

static const struct {
	const char *name;
	int outer, inner; // hundredths of a processor
	bool is_inner, is_contained;
	char *setting;
	int wanted; // 0: all processors
} cases[] = {
	{ "without a quota", UNLIMITED, UNLIMITED, false, false, NULL, 0 },
	{ "a third of a processor", 30, UNLIMITED, false, false, NULL, 1 },
	{ "one processor", 100, UNLIMITED, false, false, NULL, 1 },
	{ "one and a half", 150, UNLIMITED, false, false, NULL, 2 },
	{ "the least on the way up, from above", 100, UNLIMITED, true, false, NULL, 1 },
	{ "the least on the way up, the group's own", UNLIMITED, 100, true, false, NULL, 1 },
	{ "one processor, in a container", 100, UNLIMITED, false, true, NULL, 1 },
	{ "without a quota, in a container", UNLIMITED, UNLIMITED, false, true, NULL, 0 },
	{ "one processor that is to be ignored", 100, UNLIMITED, false, false,
	  "FERRYOMP_CPU_QUOTA=false", 0 },
};

int main(void)
{
	int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
	struct program program;

	if (!has_word(ROOT "/cgroup.controllers", "cpu")) {
		printf("1..0 # SKIP this kernel's control groups have no quota of processors\n");
		return 0;
	}
	put(ROOT "/cgroup.subtree_control", "+cpu");
	mkdir(GROUP, 0755);
	put(GROUP "/cgroup.subtree_control", "+cpu");
	mkdir(INNER, 0755);
	if (access(GROUP "/cpu.max", W_OK)) {
		printf("1..0 # SKIP this kernel's control groups have weights only\n");
		return 0;
	}
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int wanted = cases[i].wanted && cases[i].wanted < processors ? cases[i].wanted
									     : processors;
		int region, procs;

		// a group that has a controller for others within it may have no process
		put(GROUP "/cgroup.subtree_control", cases[i].is_inner ? "+cpu" : "-cpu");
		limit(GROUP, cases[i].outer);
		if (cases[i].is_inner)
			limit(INNER, cases[i].inner);
		program = start(cases[i].is_inner ? INNER : GROUP, cases[i].is_contained,
				cases[i].setting);
		region = ask(&program, "region");
		procs = ask(&program, "procs");
		end(&program);
		printf("# %d threads on %d processors\n", region, procs);
		say(region == wanted && procs == wanted, "%s: %d", cases[i].name, wanted);
	}
	limit(GROUP, 100);
	program = start(GROUP, true, NULL);
	say(ask(&program, "region") == 1, "one processor, before a change");
	limit(GROUP, UNLIMITED);
	usleep(LOOKS_AGAIN_US);
	say(ask(&program, "region") == processors, "all of them, a second after it");
	end(&program);
	rmdir(INNER);
	rmdir(GROUP);
	printf("1..%u\n", test_number);
	return failed;
}
