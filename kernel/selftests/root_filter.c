// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter for all threads is put up by another thread while a run sleeps in a fault of the batch's
 * own memory: the call behind the fault, which the filter forbids, is not made. userfaultfd has the
 * fault wait for as long as that takes, each time; it is for root, where the kernel's own faults
 * are to wait.
 */
#include "batch_test.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>

#define FOLDER "/tmp/batch-filtered"
#define PAGE 4096
#define SKIPPED 77

/* A filter that refuses mkdir by -EPERM and lets all else through. */
static struct sock_filter no_mkdir[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static struct sock_fprog no_mkdir_program = { ARRAY_SIZE(no_mkdir), no_mkdir };

/* The page whose first fault waits, and what it holds once that is answered. */
struct waiting {
	int fd;
	void *page;
	char content[PAGE];
};

static struct waiting waiting;

/* Put up the filter while the page's fault waits, then answer it. */
static void *filter_and_answer(void *unused)
{
	struct uffdio_copy copy = { (unsigned long)waiting.page, (unsigned long)waiting.content,
				    PAGE, 0, 0 };
	struct uffd_msg message;

	(void)unused;
	if (read(waiting.fd, &message, sizeof(message)) != sizeof(message) ||
	    message.event != UFFD_EVENT_PAGEFAULT ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
		    &no_mkdir_program))
		return (void *)1L;
	return (void *)(long)(ioctl(waiting.fd, UFFDIO_COPY, &copy) != 0);
}

/* Have the next fault of a page wait for the other thread. Returns whether that can be done. */
static bool wait_at(void *page, pthread_t *thread)
{
	struct uffdio_register range = { .range = { (unsigned long)page, PAGE },
					 .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };

	waiting.page = page;
	waiting.fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (waiting.fd < 0 || ioctl(waiting.fd, UFFDIO_API, &api) ||
	    ioctl(waiting.fd, UFFDIO_REGISTER, &range))
		return false;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return !pthread_create(thread, NULL, filter_and_answer, NULL);
}

static bool is_there(void)
{
	return access(FOLDER, F_OK) == 0;
}

/* A batch is run while another thread puts up the filter; its slot `next` is the forbidden call. */
static int ends_before(struct batch_slot *slots, long *rets, long next, long wanted,
		       pthread_t thread)
{
	long result = enter(slots, rets, next + 2, 0);
	void *failed;

	pthread_join(thread, &failed);
	if (failed)
		return 1;
	if (result != wanted || is_there()) {
		printf("# returned 0x%lx, %s\n", result, is_there() ? "made" : "not made");
		return 2;
	}
	return rets[next] == UNTOUCHED && rets[next + 1] == UNTOUCHED ? 0 : 3;
}

/* The fault is that of the pass over argc, before anything runs. The call is in the answer. */
static int in_the_pass_over_argc(void)
{
	struct batch_slot *slots = pages(PAGE, PROT_READ | PROT_WRITE);
	long rets[2];
	pthread_t thread;

	fill((struct batch_slot *)waiting.content, rets, 2);
	((struct batch_slot *)waiting.content)[0] = slot(SYS_mkdir, 2, (long)FOLDER, 0700, 0);
	if (!wait_at(slots, &thread))
		return SKIPPED;
	return ends_before(slots, rets, 0, -EOPNOTSUPP, thread);
}

/* The page of the second slot is given back by the first, and the call is in the answer. */
static int in_the_load_of_a_slot(void)
{
	char *memory = pages((size_t)2 * PAGE, PROT_READ | PROT_WRITE);
	struct batch_slot *slots = (struct batch_slot *)(memory + PAGE) - 1;
	long rets[3];
	pthread_t thread;

	fill(slots, rets, 3);
	slots[0] = slot(SYS_madvise, 3, (long)(memory + PAGE), PAGE, MADV_DONTNEED);
	fill((struct batch_slot *)waiting.content, rets + 1, 2);
	((struct batch_slot *)waiting.content)[0] = slot(SYS_mkdir, 2, (long)FOLDER, 0700, 0);
	if (!wait_at(memory + PAGE, &thread))
		return SKIPPED;
	return ends_before(slots, rets, 1, BATCH_RUN_MORE | 1, thread);
}

/* The store of the first result waits; the call is there from the beginning. */
static int in_the_store_of_a_result(void)
{
	long *rets = pages(PAGE, PROT_READ | PROT_WRITE), unused[3];
	struct batch_slot slots[3];
	pthread_t thread;

	fill(slots, unused, 3);
	slots[1] = slot(SYS_mkdir, 2, (long)FOLDER, 0700, 0);
	memcpy(waiting.content, unused, sizeof(unused));
	if (!wait_at(rets, &thread))
		return SKIPPED;
	return ends_before(slots, rets, 1, BATCH_RUN_MORE | 1, thread);
}

static void expect(int (*body)(void), const char *name)
{
	int status = in_child(body);

	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
		skip(name, "no userfaultfd for faults of the kernel");
		return;
	}
	if (status)
		printf("# wait status 0x%x\n", (unsigned int)status);
	report(status == 0, "a filter put up %s: the next call is not made", name);
	rmdir(FOLDER);
}

int main(void)
{
	for_each_front_end() {
		expect(in_the_pass_over_argc, "in the pass over argc");
		expect(in_the_load_of_a_slot, "in the load of a slot");
		expect(in_the_store_of_a_result, "in the store of a result");
	}
	return finish();
}
