// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of a batch run in process context: they may sleep, and memory may have to be brought in for
 * them.
 */
#include "batch_test.h"

#include <linux/futex.h>
#include <pthread.h>

#define SLEEP_MS 20
#define PAGE 4096
#define MANY 4096

static void sleeps(void)
{
	const struct timespec nap = { 0, SLEEP_MS * 1000000 };
	struct batch_slot slots[3];
	long rets[3], start;

	fill(slots, rets, 3);
	slots[0] = slot(SYS_nanosleep, 2, (long)&nap, 0, 0);
	slots[2] = slots[0];
	start = now_ns();
	same(run(slots, rets, 3), 2, "nanosleep: the batch ends");
	report(rets[0] == 0 && rets[1] == getppid() && rets[2] == 0, "nanosleep: results");
	report(now_ns() - start >= 2 * SLEEP_MS * 1000000L, "nanosleep: it slept");
}

static int pipe_ends[2];
static int word;

static void *write_late(void *unused)
{
	(void)unused;
	until_asleep(getpid());
	return write(pipe_ends[1], "late", 4) == 4 ? NULL : pipe_ends;
}

static void *wake_late(void *unused)
{
	(void)unused;
	until_asleep(getpid());
	__atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return NULL;
}

static void waits_for_a_pipe(void)
{
	char buffer[8] = "";
	struct batch_slot slots[2];
	long rets[2];
	pthread_t thread;

	if (pipe(pipe_ends) || pthread_create(&thread, NULL, write_late, NULL)) {
		report(false, "pipe: no pipe or thread");
		return;
	}
	fill(slots, rets, 2);
	slots[0] = slot(SYS_read, 3, pipe_ends[0], (long)buffer, 8);
	same(run(slots, rets, 2), 1, "pipe: the batch ends");
	report(rets[0] == 4 && !memcmp(buffer, "late", 4) && rets[1] == getppid(),
	       "pipe: it waited for the writer");
	pthread_join(thread, NULL);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

/*
 * The write end is closed by the batch itself: the read sees the end, it does not wait for the
 * batch to end.
 */
static void a_close_is_seen_by_the_next_slot(void)
{
	char buffer[8];
	struct batch_slot slots[2];
	long rets[2];

	if (pipe(pipe_ends)) {
		report(false, "close: no pipe");
		return;
	}
	fill(slots, rets, 2);
	slots[0] = slot(SYS_close, 1, pipe_ends[1], 0, 0);
	slots[1] = slot(SYS_read, 3, pipe_ends[0], (long)buffer, 8);
	same(run(slots, rets, 2), 1, "close: the batch ends");
	report(rets[0] == 0 && rets[1] == 0, "close: the next slot sees the end of the pipe");
	close(pipe_ends[0]);
}

static void waits_for_a_futex(void)
{
	struct batch_slot slots[2];
	long rets[2];
	pthread_t thread;

	word = 0;
	if (pthread_create(&thread, NULL, wake_late, NULL)) {
		report(false, "futex: no thread");
		return;
	}
	fill(slots, rets, 2);
	slots[0] = slot6(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
	same(run(slots, rets, 2), 1, "futex: the batch ends");
	report(rets[0] == 0 && rets[1] == getppid(), "futex: results");
	pthread_join(thread, NULL);
}

/* Slots, results and buffers whose pages nothing has touched, or which were thrown away. */
static void brings_memory_in(void)
{
	struct batch_slot *slots = pages(MANY * sizeof(*slots), PROT_READ | PROT_WRITE);
	long *rets = pages(MANY * sizeof(*rets), PROT_READ | PROT_WRITE);
	char *buffer = pages(PAGE, PROT_READ | PROT_WRITE),
	     *path = pages(PAGE, PROT_READ | PROT_WRITE);
	bool good = true;

	for (int i = 0; i < MANY; i++)
		slots[i] = slot(SYS_getppid, 0, 0, 0, 0);
	slots[7] = slot(SYS_uname, 1, (long)buffer, 0, 0);
	slots[8] = slot(SYS_access, 2, (long)path, F_OK, 0);
	same(run(slots, rets, MANY), MANY - 1, "page faults: the batch ends");
	for (int i = 0; i < MANY; i++)
		good &= rets[i] == (i == 7 ? 0 : i == 8 ? -ENOENT : getppid());
	report(good && !memcmp(buffer, "Linux", 5), "page faults: results and a buffer");

	/*
	 * zero pages instead: number 0 is read, which fails on an empty buffer only by its
	 * descriptor
	 */
	madvise(slots, MANY * sizeof(*slots), MADV_DONTNEED);
	madvise(rets, MANY * sizeof(*rets), MADV_DONTNEED);
	for (int i = 0; i < MANY; i += MANY / 2)
		slots[i] = slot(SYS_getppid, 0, 0, 0, 0);
	for (int i = 1; i < MANY; i++)
		if (i != MANY / 2)
			slots[i].nr = BATCH_WORD_COPY;
	same(run(slots, rets, MANY), MANY - 1, "page faults: pages thrown away");
	report(rets[0] == getppid() && rets[MANY / 2] == getppid() && rets[1] == -EFAULT,
	       "page faults: their results");
	munmap(slots, MANY * sizeof(*slots));
	munmap(rets, MANY * sizeof(*rets));
	munmap(buffer, PAGE);
	munmap(path, PAGE);
}

/* A file's pages as slots: a page fault that reads. */
static void runs_from_a_file(void)
{
	char name[] = "/tmp/batch-XXXXXX";
	int fd = mkstemp(name);
	struct batch_slot buffer[64], *slots;
	long rets[64];

	fill(buffer, rets, 64);
	if (fd < 0 || write(fd, buffer, sizeof(buffer)) != sizeof(buffer)) {
		report(false, "file: cannot be written");
		return;
	}
	unlink(name);
	slots = mmap(NULL, sizeof(buffer), PROT_READ, MAP_SHARED, fd, 0);
	same(run(slots, rets, 64), 63, "file: slots in a read-only mapping");
	/* the pages behind the end are SIGBUS to user space */
	if (ftruncate(fd, 0))
		report(false, "file: ftruncate");
	same(enter(slots, rets, 64, 0), -EFAULT, "file: slots that the file has no more");
	munmap(slots, sizeof(buffer));
	close(fd);
}

int main(void)
{
	for_each_front_end() {
		sleeps();
		waits_for_a_pipe();
		a_close_is_seen_by_the_next_slot();
		waits_for_a_futex();
		brings_memory_in();
		runs_from_a_file();
	}
	return finish();
}
