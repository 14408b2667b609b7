/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real seccomp filters for tests, each in a child process, since a filter stays for as long as its process lives.
 *
 * A child's exit status is 0 when every check held, else the number of the first that did not.
 */
#ifndef FERRY_TESTS_UNIT_FILTERS_H
#define FERRY_TESTS_UNIT_FILTERS_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* what a child gives that did not exit by itself: this and the signal's number */
#define KILLED_BY 200
/* a child that hangs is ended by SIGALRM */
#define HANGS_SECONDS 60
#define ANY_WORD 0xffffffffu

/* From now on system call `nr` gets `action`; with `word`, only if the low half of its second argument is that. */
static inline int filter_call(unsigned int nr, unsigned int action, unsigned int word, unsigned int flags)
{
	const unsigned char skip = word == ANY_WORD ? 2 : 0;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4),
		BPF_JUMP(BPF_JMP | BPF_JA, skip, 0, 0),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, word, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* From now on system call `nr` of this process fails with `code`. */
static inline int forbid(unsigned int nr, unsigned int code)
{
	return filter_call(nr, SECCOMP_RET_ERRNO | code, ANY_WORD, 0);
}

struct filters_forbidden {
	unsigned int nr, code;
	int result;
};

static inline void *filters_forbid_for_all(void *data)
{
	struct filters_forbidden *forbidden = data;

	forbidden->result =
		filter_call(forbidden->nr, SECCOMP_RET_ERRNO | forbidden->code, ANY_WORD, SECCOMP_FILTER_FLAG_TSYNC);
	return NULL;
}

/* As forbid(), put up by another thread for all (TSYNC), while this one does nothing about it. */
static inline int forbid_by_another_thread(unsigned int nr, unsigned int code)
{
	struct filters_forbidden forbidden = { nr, code, -1 };
	pthread_t thread;

	if (pthread_create(&thread, NULL, filters_forbid_for_all, &forbidden) || pthread_join(thread, NULL))
		return -1;
	return forbidden.result;
}

/* Run `body` in a child. Returns its exit status, or KILLED_BY and a signal's number. */
static inline int in_child(int (*body)(const void *data), const void *data)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		alarm(HANGS_SECONDS);
		_exit(body(data));
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : KILLED_BY + WTERMSIG(status);
}

#endif /* FERRY_TESTS_UNIT_FILTERS_H */
