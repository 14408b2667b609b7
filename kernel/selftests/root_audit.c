// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the audit subsystem is to see the system calls of a task, it sees those of its batches,
 * or they are refused: batch(2) has it record each call, the device has not. Where an
 * administrator's rule says that it is not to see them (task,never), batches run.
 *
 * The kernel does not forget that audit was enabled; the last thing done here is that rule, for
 * those who come next.
 */
#include "batch_test.h"

#include <linux/audit.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#define SLOTS 4
/* a call that nobody else here makes, and what tells of one */
#define RECORDED SYS_setpriority
#define ARGUMENT 0x5eed
#define RECORDS_MAX 64

struct request {
	struct nlmsghdr head;
	union {
		struct audit_status status;
		struct audit_rule_data rule;
	};
};

/* One request, and what the kernel answered: 0 or -errno. */
static int ask(int fd, int type, struct request *request, size_t bytes)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char more[4096];
	} answer;

	request->head = (struct nlmsghdr){ (unsigned int)(NLMSG_HDRLEN + bytes),
					   (unsigned short)type, NLM_F_REQUEST | NLM_F_ACK, 1, 0 };
	if (sendto(fd, request, request->head.nlmsg_len, 0, (void *)&kernel, sizeof(kernel)) < 0)
		return -errno;
	do {
		if (recv(fd, &answer, sizeof(answer), 0) < 0)
			return -errno;
	} while (answer.head.nlmsg_type != NLMSG_ERROR);
	return answer.error.error;
}

static int enable(int fd, unsigned int enabled)
{
	struct request request = { .status = { .mask = AUDIT_STATUS_ENABLED, .enabled = enabled } };

	return ask(fd, AUDIT_SET, &request, sizeof(request.status));
}

/* `auditctl -a task,never` */
static int never(int fd)
{
	struct request request = { .rule = { .flags = AUDIT_FILTER_TASK, .action = AUDIT_NEVER } };

	memset(request.rule.mask, 0xff, sizeof(request.rule.mask));
	return ask(fd, AUDIT_ADD_RULE, &request, sizeof(request.rule));
}

static int is_refused(void)
{
	struct batch_slot slots[SLOTS];
	long rets[SLOTS];

	fill(slots, rets, SLOTS);
	return enter(slots, rets, SLOTS, 0) == -EOPNOTSUPP && rets[0] == UNTOUCHED ? 0 : 1;
}

static int is_run(void)
{
	struct batch_slot slots[SLOTS];
	long rets[SLOTS];

	fill(slots, rets, SLOTS);
	return run(slots, rets, SLOTS) == SLOTS - 1 ? 0 : 1;
}

/* `auditctl -a exit,always -S NUMBER` for the recorded call and for batch(2) */
static int always(int fd)
{
	struct request request = { .rule = { .flags = AUDIT_FILTER_EXIT, .action = AUDIT_ALWAYS } };

	request.rule.mask[AUDIT_WORD(RECORDED)] |= AUDIT_BIT(RECORDED);
	request.rule.mask[AUDIT_WORD(BATCH_SYSCALL_NR)] |= AUDIT_BIT(BATCH_SYSCALL_NR);
	return ask(fd, AUDIT_ADD_RULE, &request, sizeof(request.rule));
}

/* A socket that is given every record from now on, or -1. */
static int listen_to_records(void)
{
	const struct sockaddr_nl group = { .nl_family = AF_NETLINK,
					   .nl_groups = 1 << (AUDIT_NLGRP_READLOG - 1) };
	const struct timeval patience = { .tv_sec = 60 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);

	if (fd < 0 || bind(fd, (const void *)&group, sizeof(group)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		return -1;
	return fd;
}

/*
 * The recorded call as slot 1, with an argument that fails; and as the last call of the
 * process, by itself.
 */
static int make_recorded(void)
{
	struct batch_slot slots[SLOTS];
	long rets[SLOTS];

	fill(slots, rets, SLOTS);
	slots[1] = slot(RECORDED, 3, -1, ARGUMENT, 7);
	if (run(slots, rets, SLOTS) != SLOTS - 1 || rets[1] != -EINVAL)
		return 1;
	slots[1].arg[2] = 8;
	return directly(&slots[1]) == -EINVAL ? 0 : 2;
}

static bool tells(const char *record, long nr, const char *what)
{
	char number[32];

	snprintf(number, sizeof(number), " syscall=%ld ", nr);
	return strstr(record, number) && strstr(record, what);
}

/*
 * Each call of a batch has a record as one made by itself; that of batch(2) is written where
 * those of its calls begin, and again behind them.
 */
static void recorded(int fd)
{
	int records = listen_to_records(), status;
	unsigned int in_batch = 0, begun = 0, ended = 0, direct = 0;

	if (records < 0 || enable(fd, 1) || always(fd)) {
		skip("audit: a record of each call", "records cannot be read here");
		return;
	}
	status = in_child(make_recorded);
	for (int i = 0; i < RECORDS_MAX && !direct; i++) {
		char text[8192];
		ssize_t bytes = recv(records, text, sizeof(text) - 1, 0);

		if (bytes < (ssize_t)sizeof(struct nlmsghdr))
			break;
		text[bytes] = 0;
		if (((struct nlmsghdr *)text)->nlmsg_type != AUDIT_SYSCALL)
			continue;
		in_batch +=
			!ended && tells(NLMSG_DATA(text), RECORDED,
					" success=no exit=-22 a0=ffffffffffffffff a1=5eed a2=7 ");
		begun += !in_batch &&
			 tells(NLMSG_DATA(text), BATCH_SYSCALL_NR, " success=yes exit=0 ");
		ended += in_batch &&
			 tells(NLMSG_DATA(text), BATCH_SYSCALL_NR, " success=yes exit=3 ");
		direct += tells(NLMSG_DATA(text), RECORDED,
				" exit=-22 a0=ffffffffffffffff a1=5eed a2=8 ");
	}
	close(records);
	if (!report(status == 0 && in_batch == 1 && begun == 1 && ended == 1 && direct == 1,
		    "audit: a record of each call"))
		printf("# wait status 0x%x; %u, %u, %u, %u records\n", (unsigned int)status,
		       in_batch, begun, ended, direct);
}

int main(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);
	bool enabled = false;

	for_each_front_end() {
		if (fd < 0) {
			skip("audit", "this kernel has none");
			continue;
		}
		same(in_child(is_run), 0, "without audit a batch runs");
		if (!enabled && enable(fd, 1)) {
			skip("audit", "it cannot be enabled here");
			continue;
		}
		enabled = true;
		if (front_end == BY_SYSCALL) {
			same(in_child(is_run), 0, "audit: a batch runs");
			recorded(fd);
		} else {
			same(in_child(is_refused), 0, "audit: a batch is refused");
		}
		if (enable(fd, 0) || never(fd))
			report(false, "a rule cannot be added");
		same(in_child(is_run), 0, "audit with task,never: a batch runs");
		break;
	}
	return finish();
}
