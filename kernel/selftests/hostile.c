// SPDX-License-Identifier: GPL-2.0-only
/*
 * What any user may pass: the kernel answers with an error, or with the results that the caller has
 * asked for.
 */
#include "batch_test.h"

#include <pthread.h>
#include <sys/uio.h>

/* struct batch_run without what came later */
#define FIRST_RUN_BYTES 32
#define SLOTS 256
#define PAGE 4096
/* for so long, and however slow the machine, so many batches */
#define RACE_MS 1500
#define RACES_MIN 20

static struct batch_slot slots[SLOTS];
static long rets[SLOTS];

static void counts(void)
{
	static const unsigned long bad[] = {
		BATCH_SLOTS_MAX + 1UL, (1UL << 32) + 1, (1UL << 58) + 1,
		(1UL << 61) + 1,       1UL << 63,	~0UL
	};

	struct batch_slot *edge = pages(2 * PAGE, PROT_READ | PROT_WRITE);

	mprotect((char *)edge + PAGE, PAGE, PROT_NONE);
	fill(slots, rets, SLOTS);
	same(enter(slots, rets, 0, 0), -EINVAL, "no slot");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		same(enter(slots, rets, bad[i], 0), -E2BIG, "too many slots");
	same(enter(edge, rets, BATCH_SLOTS_MAX, 0), -EFAULT, "more slots than memory");
	same(rets[0], UNTOUCHED, "and none has run");
	munmap(edge, 2 * PAGE);
}

static void flags(void)
{
	for (int bit = 0; bit < 64; bit += 9)
		same(enter(slots, rets, 1, 1UL << bit), -EINVAL, "an unknown flag");
}

static void bad_addresses(void)
{
	char *read_only = pages(PAGE, PROT_READ), *none = pages(PAGE, PROT_NONE);
	static const unsigned long kernel[] = { 0xffffffff81000000UL, 0xffff888000000000UL,
						0x7ffffffff000UL, 0x8000000000000000UL,
						0xfffffffffffffff8UL };

	fill(slots, rets, SLOTS);
	same(enter(NULL, rets, 1, 0), -EFAULT, "no slots");
	same(enter(slots, NULL, 1, 0), -EFAULT, "no results");
	same(enter((void *)((char *)slots + 4), rets, 1, 0), -EINVAL, "misaligned slots");
	same(enter(slots, (void *)((char *)rets + 1), 1, 0), -EINVAL, "misaligned results");
	same(enter((void *)none, rets, 1, 0), -EFAULT, "slots that cannot be read");
	same(enter(slots, (void *)read_only, 1, 0), -EFAULT, "results that cannot be written");
	same(enter(slots, (void *)none, 2, 0), -EFAULT, "results that are not there");
	same(enter((void *)8, (void *)8, 1, 0), -EFAULT, "addresses in the first page");
	for (size_t i = 0; i < ARRAY_SIZE(kernel); i++) {
		same(enter((void *)kernel[i], rets, 1, 0), -EFAULT, "slots of the kernel");
		same(enter(slots, (void *)kernel[i], 1, 0), -EFAULT, "results of the kernel");
	}
	munmap(read_only, PAGE);
	munmap(none, PAGE);
}

/* The call has been made, so it is handed back with what it gave, for nobody to make it again. */
static void results_without_a_place(void)
{
	char *pair = pages(2 * PAGE, PROT_READ | PROT_WRITE);
	int file = memfd_create("position", MFD_CLOEXEC);

	mprotect(pair + PAGE, PAGE, PROT_READ);
	for (long at = 0; at < 4; at += 3) {
		long *results = (long *)(pair + PAGE) - at;
		struct batch_resume resume = { 0 };

		for (int i = 0; i < 4; i++)
			slots[i] = slot(SYS_lseek, 3, file, 5000000000, SEEK_CUR);
		slots[at].jump_positive = 7;
		lseek(file, 0, SEEK_SET);
		same(enter_as_far_as(slots, results, 4, 4, &resume), -EFAULT,
		     "a result that cannot be stored");
		same(lseek(file, 0, SEEK_CUR), (at + 1) * 5000000000, "its call was made once");
		same(resume.slot, at + 1, "its slot is handed back");
		same(resume.how, BATCH_RESUME_UNSTORED, "and why");
		same(resume.result, (at + 1) * 5000000000, "and the result");
		same(resume.call.jump_positive, 7, "and where it jumps");
	}
	close(file);
	munmap(pair, 2 * PAGE);
}

static void argument_counts(void)
{
	fill(slots, rets, SLOTS);
	slots[0].jump_positive = BATCH_STOP;
	for (int argc = 7; argc < 256; argc += 31) {
		slots[SLOTS - 1].argc = (unsigned char)argc;
		same(enter(slots, rets, SLOTS, 0), -EINVAL, "argc over the limit");
	}
	same(rets[0], UNTOUCHED, "and none has run");
}

static void jumps(void)
{
	static const short table[] = { -1, -2, -5, -32768, 32767, 20000 };

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		fill(slots, rets, 4);
		slots[1].jump_positive = table[i];
		slots[1].jump_zero = table[i];
		slots[1].jump_fail = table[i];
		same(run(slots, rets, 4), 1, "a jump out of the batch ends it");
		report(rets[1] == getppid() && rets[2] == UNTOUCHED && rets[3] == UNTOUCHED,
		       "and writes nothing more");
	}
}

static void word_copies(void)
{
	char *pair = pages(2 * PAGE, PROT_READ | PROT_WRITE);
	long from = 42, to = 0;

	mprotect(pair + PAGE, PAGE, PROT_NONE);
	fill(slots, rets, SLOTS);
	slots[0] = slot(BATCH_WORD_COPY, 2, (long)&to, (long)&from, 0);
	slots[1] = slot(BATCH_WORD_COPY, 2, 0xffffffff81000000UL, (long)&from, 0);
	slots[2] = slot(BATCH_WORD_COPY, 2, (long)&from, 0xffffffff81000000UL, 0);
	slots[3] = slot(BATCH_WORD_COPY, 2, (long)(pair + PAGE - 4), (long)&from, 0);
	slots[4] = slot(BATCH_WORD_COPY, 2, (long)&from, (long)(pair + PAGE - 4), 0);
	slots[5] = slot(BATCH_WORD_COPY, 2, 0, 0, 0);
	slots[6] = slot(BATCH_WORD_COPY, 2, -1, -1, 0);
	slots[7] = slot(BATCH_WORD_COPY, 2, 0x8000000000000000UL, (long)&from, 0);
	same(run(slots, rets, 8), 7, "word copies: the batch ends");
	report(rets[0] == 0 && to == 42 && from == 42, "word copies: a good one");
	for (int i = 1; i < 8; i++)
		same(rets[i], -EFAULT, "word copies: a bad one");
	munmap(pair, 2 * PAGE);
}

/* Every number: what comes back is -ENOSYS, or the process would be gone, doubled, or another. */
static void denied_calls(void)
{
	static const int frames[] = { SYS_fork,
				      SYS_vfork,
				      SYS_clone,
				      SYS_execve,
				      SYS_execveat,
				      SYS_exit,
				      SYS_exit_group,
				      SYS_rt_sigreturn,
				      SYS_restart_syscall,
				      435,
				      SYS_arch_prctl,
				      BATCH_SYSCALL_NR,
				      -1,
				      -3,
				      512,
				      547,
				      1023,
				      32767,
				      -32768 };
	size_t count = ARRAY_SIZE(frames);
	pid_t self = getpid();
	bool good = true;

	fill(slots, rets, SLOTS);
	for (size_t i = 0; i < count; i++)
		slots[i] = slot(frames[i], 6, 0, 0, 0);
	same(run(slots, rets, count), (long)count - 1, "numbers that are denied: the batch ends");
	for (size_t i = 0; i < count; i++)
		good &= rets[i] == -ENOSYS;
	report(good && self == getpid(), "numbers that are denied: -ENOSYS each");
	report(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "and no process was made");
}

/* A batch inside a batch inside a batch… would end on the kernel's stack. */
static void nested(void)
{
	static struct batch_slot inner[2];
	static long inner_rets[2];
	const struct batch_run again = { (unsigned long)inner, (unsigned long)inner_rets, 1, 0, 0 };
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	fill(inner, inner_rets, 2);
	fill(slots, rets, SLOTS);
	slots[0] = slot(SYS_ioctl, 3, fd, BATCH_IOC_RUN, (long)&again);
	inner[0] = slots[0];
	slots[1] = slot(SYS_ioctl, 3, fd, (long)(BATCH_IOC_RUN | 0x10000UL << 32), (long)&again);
	slots[2] = slot(SYS_ioctl, 3, fd, _IOC(_IOC_READ, BATCH_IOC_MAGIC, 1, 64), (long)&again);
	slots[3] = slot(BATCH_SYSCALL_NR, 4, (long)inner, (long)inner_rets, 1);
	same(run(slots, rets, 5), 4, "a batch inside the batch: the batch ends");
	/*
	 * without a device, the ioctl of a kernel that has the system call alone is made, on no
	 * descriptor
	 */
	for (int i = 0; i < 3; i++)
		same(rets[i], front_end == BY_SYSCALL && fd < 0 ? -EBADF : -ENOSYS,
		     "a batch inside the batch is not run");
	same(rets[3], -ENOSYS, "nor by the system call");
	same(inner_rets[0], UNTOUCHED, "and nothing of it");
	close(fd);
}

static volatile bool stop;

static void *write_over(void *unused)
{
	unsigned int seed = (unsigned int)(long)unused;

	while (!stop) {
		volatile struct batch_slot *victim = &slots[rand_r(&seed) % SLOTS];

		victim->nr = rand_r(&seed) & 1 ? SYS_getppid : (short)rand_r(&seed) | (short)0x8000;
		victim->argc = rand_r(&seed) % 256 ? 0 : 255;
		victim->jump_positive = (short)(rand_r(&seed) % 8 - (rand_r(&seed) % 64 == 0));
		victim->jump_fail = (short)rand_r(&seed);
		victim->arg[0] = (long)&rets[rand_r(&seed) % SLOTS];
		victim->arg[1] = (long)&victim->nr;
	}
	return NULL;
}

static void *protect_over(void *memory)
{
	while (!stop) {
		mprotect(memory, PAGE, PROT_NONE);
		sched_yield();
		mprotect(memory, PAGE, PROT_READ | PROT_WRITE);
		madvise(memory, PAGE, MADV_DONTNEED);
		sched_yield();
	}
	return NULL;
}

/* Other threads write over the slots, and take memory away, while batches run. */
static void races(void)
{
	long *volatile_rets = pages(PAGE, PROT_READ | PROT_WRITE);
	long until = now_ns() + RACE_MS * 1000000L, result, runs = 0;
	pthread_t threads[3];
	bool good = true;

	fill(slots, rets, SLOTS);
	stop = false;
	pthread_create(&threads[0], NULL, write_over, (void *)1);
	pthread_create(&threads[1], NULL, write_over, (void *)2);
	pthread_create(&threads[2], NULL, protect_over, volatile_rets);
	for (; now_ns() < until || runs < RACES_MIN; runs++) {
		result = enter(slots, runs & 1 ? rets : volatile_rets, SLOTS, 0);
		good &= result == -EINVAL || result == -EFAULT ||
			(result >= 0 && (result & ~BATCH_RUN_MORE) < SLOTS);
	}
	stop = true;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("# %ld racing batches\n", runs);
	report(good, "slots and memory that change while they are used");
	munmap(volatile_rets, PAGE);
}

static void ioctl_discipline(void)
{
	struct {
		struct batch_run run;
		unsigned long more;
	} larger = { { (unsigned long)slots, (unsigned long)rets, 1, 0, 0 }, 0 };
	long result;
	struct batch_query query;
	unsigned long words[32];

	if (front_end != BY_DEVICE)
		return;
	fill(slots, rets, SLOTS);
	same(ioctl(batch_fd, _IOC(_IOC_WRITE, BATCH_IOC_MAGIC, 1, sizeof(larger)), &larger), 0,
	     "a larger struct, the rest 0");
	same(ioctl(batch_fd, _IOC(_IOC_WRITE, BATCH_IOC_MAGIC, 1, FIRST_RUN_BYTES), &larger), 0,
	     "the struct of the first version");
	larger.more = 1;
	result = ioctl(batch_fd, _IOC(_IOC_WRITE, BATCH_IOC_MAGIC, 1, sizeof(larger)), &larger);
	report(result < 0 && errno == E2BIG, "a larger struct, the rest not 0: -E2BIG");
	result = ioctl(batch_fd, _IOC(_IOC_WRITE, BATCH_IOC_MAGIC, 1, 16), &larger);
	report(result < 0 && errno == EINVAL, "a smaller struct: -EINVAL");
	report(ioctl(batch_fd, BATCH_IOC_RUN, (void *)0xffffffff81000000UL) < 0 && errno == EFAULT,
	       "a struct that is not there: -EFAULT");
	report(ioctl(batch_fd, _IO(BATCH_IOC_MAGIC, 99)) < 0 && errno == ENOTTY,
	       "an unknown command: -ENOTTY");
	report(ioctl(batch_fd, 0x5401, words) < 0 && errno == ENOTTY, "another's command: -ENOTTY");
	memset(words, 0xff, sizeof(words));
	same(ioctl(batch_fd, _IOC(_IOC_READ, BATCH_IOC_MAGIC, 2, sizeof(words)), words), 0,
	     "a larger query");
	report(words[0] != ~0UL && words[31] == 0, "has zeros where nothing is known");
	same(ioctl(batch_fd, BATCH_IOC_QUERY, &query), 0, "a query");
	same(query.version, BATCH_API_VERSION, "its version");
	same(query.run_bytes, sizeof(struct batch_run), "its struct batch_run");
	same(query.slot_bytes, sizeof(struct batch_slot), "its slots");
	same(query.slots_max, BATCH_SLOTS_MAX, "and how many");
	report(query.features & BATCH_FEATURE_MAY_BLOCK, "and that calls may block");
	report(query.features & BATCH_FEATURE_RESUME, "and that interrupted ones go on");
}

int main(void)
{
	for_each_front_end() {
		if (getuid() == 0)
			printf("# run by root: an unprivileged user is what this is about\n");
		counts();
		flags();
		bad_addresses();
		results_without_a_place();
		argument_counts();
		jumps();
		word_copies();
		denied_calls();
		nested();
		races();
		ioctl_discipline();
	}
	return finish();
}
