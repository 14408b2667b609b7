// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ten thousand batches at once: each says in its first slot that it runs, and sleeps in the next
 * until all do. Root makes room for as many threads; the batches are nobody's.
 */
#include "batch_test.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#define BATCHES 10000
#define STACK_BYTES 16384
#define NOBODY 65534

static int ends[2], running;
static unsigned long good;

static void *one_batch(void *unused)
{
	static const unsigned long one = 1;
	struct batch_slot slots[3];
	char byte;
	long rets[3];

	(void)unused;
	fill(slots, rets, 3);
	slots[0] = slot(SYS_write, 3, running, (long)&one, sizeof(one));
	/* waits for the other end to be closed */
	slots[1] = slot(SYS_read, 3, ends[0], (long)&byte, 1);
	if (run(slots, rets, 3) == 2 && rets[0] == sizeof(one) && rets[1] == 0 &&
	    rets[2] == getppid())
		__atomic_add_fetch(&good, 1, __ATOMIC_RELAXED);
	return NULL;
}

/*
 * All batches in one process: none can end before all have begun. Returns how many there were;
 * their results are in `good`.
 */
static unsigned long all_at_once(pthread_t *threads, char *stacks)
{
	pthread_attr_t attributes;
	unsigned long count = 0, begun = 0, more;

	pthread_attr_init(&attributes);
	while (count < BATCHES) {
		/* one mapping for all: two for each take minutes where all is checked */
		pthread_attr_setstack(&attributes, stacks + count * STACK_BYTES, STACK_BYTES);
		if (pthread_create(&threads[count], &attributes, one_batch, NULL))
			break;
		count++;
	}
	while (begun < count && read(running, &more, sizeof(more)) == sizeof(more))
		begun += more;
	close(ends[1]);
	for (unsigned long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return count;
}

static void become_nobody_with_room(void)
{
	const struct rlimit limit = { 2 * BATCHES, 2 * BATCHES };
	int fd = open("/proc/sys/kernel/threads-max", O_WRONLY);

	if (fd >= 0) {
		if (write(fd, "40000", 5) != 5)
			printf("# threads-max stays as it is\n");
		close(fd);
	}
	setrlimit(RLIMIT_NPROC, &limit);
	if (setresuid(NOBODY, NOBODY, NOBODY))
		printf("# run by user %d\n", (int)getuid());
}

int main(void)
{
	static pthread_t threads[BATCHES];
	char *stacks;

	become_nobody_with_room();
	stacks = pages((size_t)BATCHES * STACK_BYTES, PROT_READ | PROT_WRITE);

	for_each_front_end() {
		unsigned long count;

		running = eventfd(0, EFD_CLOEXEC);
		if (pipe(ends) || running < 0)
			return 1;
		good = 0;
		count = all_at_once(threads, stacks);
		close(ends[0]);
		close(running);
		/* a machine with little memory has room for fewer threads */
		printf("# %lu batches at once\n", count);
		report(good == count, "every batch gave its results");
		if (count < BATCHES)
			skip("ten thousand at once",
			     "this machine does not have room for as many threads");
		else
			report(true, "ten thousand at once");
	}
	return finish();
}
