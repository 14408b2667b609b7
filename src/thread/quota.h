/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPU quota of the process: how much processor time its control group, and each group around that one, lets it have
 * (Linux: Documentation/scheduler/sched-bwc.rst, Documentation/admin-guide/cgroup-v2.rst). A container runtime sets it
 * (`docker run --cpus`, a Kubernetes limit). A group that has used its quota is stopped ("throttled") until the next
 * period, 100 ms as a rule, so a thread that spins may stop those that work.
 */
#ifndef THREAD_QUOTA_H
#define THREAD_QUOTA_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Processor time for each second that passes, in nanoseconds: THREAD__SECOND_NS is one processor. */
#define THREAD__NO_QUOTA UINT64_MAX

/* How many bytes are read of one line of /proc/self/mountinfo, and of all of /proc/self/cgroup. */
#define THREAD__QUOTA_TEXT 8192

/* A mounted hierarchy of control groups that may limit processor time. */
struct thread__hierarchy {
	char point[PATH_MAX]; /* where it is mounted; "": there is none */
	char root[PATH_MAX];  /* the group that is mounted there */
};

/* Where the quota is read. The caller owns it; one thread at a time may use it. */
struct thread__quota {
	struct thread__hierarchy v1, v2;
	char text[THREAD__QUOTA_TEXT];
	char path[PATH_MAX];
	/* The file in which the last thread__quota_read() found the least quota; "" without a quota. */
	char least[PATH_MAX];
};

/*
 * Find the hierarchies in the file `mounts`, which has the format of /proc/self/mountinfo (proc(5)). A file that cannot
 * be read counts as one without hierarchies.
 */
void thread__quota_find(struct thread__quota *quota, const char *mounts);
/*
 * `groups` is a file in the format of /proc/self/cgroup (cgroups(7)). Returns the least quota of the group that it
 * names and of the groups around that one, as far as they can be seen; THREAD__NO_QUOTA where there is none. It takes
 * some 30 us, is no cancellation point, and does not change errno.
 */
uint64_t thread__quota_read(struct thread__quota *quota, const char *groups);

#endif
