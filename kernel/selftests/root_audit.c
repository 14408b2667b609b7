// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the audit subsystem is to see the system calls of a task, its batches are refused; where an
 * administrator's rule says that it is not (task,never), they run.
 *
 * The kernel does not forget that audit was enabled; the last thing done here is that rule, for
 * those who come next.
 */
#include "batch_test.h"

#include <linux/audit.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#define SLOTS 4

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
		same(in_child(is_refused), 0, "audit: a batch is refused");
		if (enable(fd, 0) || never(fd))
			report(false, "a rule cannot be added");
		same(in_child(is_run), 0, "audit with task,never: a batch runs");
		break;
	}
	return finish();
}
