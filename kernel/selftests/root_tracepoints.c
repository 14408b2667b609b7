// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the tracepoints sys_enter and sys_exit are in use, they are hit by each call of a batch(2)
 * as by the same call made by itself: with its number, its arguments and its result, in order, and
 * between those of batch(2). The device refuses the batch.
 */
#include "batch_test.h"

#define TRACING "/sys/kernel/tracing/"
#define EVENTS TRACING "events/raw_syscalls/"
#define LINES_MAX 64
/* the first call and the last one, which nobody else here makes */
#define FIRST SYS_setpriority
#define LAST SYS_getpriority
#define ARGUMENT 0x5eed

/* What was seen of a task, each as `sys_enter: NR ...`. */
struct trace {
	char lines[LINES_MAX][160];
	int count;
};

static bool in_batch;

static const struct batch_slot calls[] = {
	{ .nr = FIRST, .argc = 3, .arg = { -1, ARGUMENT, 7 } },
	{ .nr = SYS_getppid },
	{ .nr = SYS_mmap, .argc = 6, .arg = { 4096, 8192, 1, 2, -1, 4096 } },
	{ .nr = SYS_umask, .argc = 1, .arg = { 022 } },
	{ .nr = LAST, .argc = 2, .arg = { 0, 0 } },
};

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return good;
}

static bool trace_on(void)
{
	char filter[32];

	snprintf(filter, sizeof(filter), "common_pid == %d", (int)getpid());
	/* without names of commands: for these the scheduler's code would be patched, too */
	return put(TRACING "options/record-cmd", "0") && put(TRACING "trace", "") &&
	       put(EVENTS "sys_enter/filter", filter) && put(EVENTS "sys_exit/filter", filter) &&
	       put(EVENTS "sys_enter/enable", "1") && put(EVENTS "sys_exit/enable", "1");
}

static bool trace_off(void)
{
	return put(EVENTS "sys_enter/enable", "0") && put(EVENTS "sys_exit/enable", "0");
}

static int make_calls(void)
{
	struct batch_slot slots[ARRAY_SIZE(calls)];
	long rets[ARRAY_SIZE(calls)];
	int code = 0;

	memcpy(slots, calls, sizeof(calls));
	if (!trace_on())
		return 1;
	if (in_batch) {
		if (run(slots, rets, ARRAY_SIZE(calls)) != ARRAY_SIZE(calls) - 1)
			code = 2;
	} else {
		for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++)
			directly(&slots[i]);
	}
	return trace_off() ? code : 3;
}

static int is_refused(void)
{
	struct batch_slot slots[ARRAY_SIZE(calls)];
	long rets[ARRAY_SIZE(calls)], result;

	fill(slots, rets, ARRAY_SIZE(calls));
	if (!trace_on())
		return 1;
	result = enter(slots, rets, ARRAY_SIZE(calls), 0);
	return !trace_off() || result != -EOPNOTSUPP || rets[0] != UNTOUCHED;
}

/* Read what a child saw. Returns its wait status. */
static int traced(struct trace *trace)
{
	int status = in_child(make_calls);
	FILE *file = fopen(TRACING "trace", "re");
	char line[256];

	trace->count = 0;
	while (file && trace->count < LINES_MAX && fgets(line, sizeof(line), file)) {
		char *event = strstr(line, "sys_enter: ");

		if (!event)
			event = strstr(line, "sys_exit: ");
		if (event)
			snprintf(trace->lines[trace->count++], sizeof(trace->lines[0]), "%s",
				 event);
	}
	if (file)
		fclose(file);
	return status;
}

/* The first line from `from` on that begins like this, or the count. */
static int find(const struct trace *trace, int from, const char *event, int nr)
{
	char start[40];

	snprintf(start, sizeof(start), "%s: NR %d ", event, nr);
	while (from < trace->count && strncmp(trace->lines[from], start, strlen(start)))
		from++;
	return from;
}

static void compare(void)
{
	static struct trace direct, batched;
	int first, last, batch, at;
	bool equal;

	in_batch = false;
	same(traced(&direct), 0, "system calls are traced");
	in_batch = true;
	same(traced(&batched), 0, "tracepoints: a batch runs");
	first = find(&direct, 0, "sys_enter", FIRST);
	last = find(&direct, first, "sys_exit", LAST);
	report(last - first + 1 == 2 * ARRAY_SIZE(calls), "each system call is traced");
	batch = find(&batched, 0, "sys_enter", BATCH_SYSCALL_NR);
	equal = batch + last - first + 1 < batched.count;
	for (at = 0; equal && at <= last - first; at++)
		equal = !strcmp(direct.lines[first + at], batched.lines[batch + 1 + at]);
	if (!report(equal, "tracepoints see each call as one made by itself"))
		for (at = 0; at < batched.count; at++)
			printf("# %s", batched.lines[at]);
	same(find(&batched, batch, "sys_exit", BATCH_SYSCALL_NR), batch + last - first + 2,
	     "and behind them the end of batch(2)");
}

int main(void)
{
	for_each_front_end() {
		if (access(EVENTS "sys_enter/enable", W_OK))
			skip("tracepoints", "this kernel has none of system calls");
		else if (front_end == BY_SYSCALL)
			compare();
		else
			same(in_child(is_refused), 0, "tracepoints: a batch is refused");
	}
	return finish();
}
