// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random batches by hostile users: does the kernel come to harm? Nothing is checked here but that the machine lives:
 * the verdict is the kernel's log, which kernel/vm reads.
 *
 * A parent with rights starts children without any. Each child runs random batches through every front end there is
 * while another thread of it writes over slots, results and the memory that arguments point to, unmaps and remaps it.
 * Signals come all the time, so that calls which wait come back. A child that is lost (its stack unmapped, its signals
 * blocked, killed by another child) is replaced. Where the kernel has fault injection, allocations fail in the middle
 * of batches.
 *
 * Random numbers come from a seed that is printed; SEED in the environment gives another.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/batch.h>

#define NOBODY 65534
#define SLOTS_DEFAULT 20000 /* slots to run, unless the kernel's command line says vm.slots=N */
#define SECONDS_DEFAULT 40  /* how long to try, unless it says vm.seconds=N */
#define CHILDREN 3	    /* at a time */
#define CHILD_SECONDS 4	    /* after which a child is taken for lost */
#define TELL_SECONDS 20	    /* between two lines about how far it is */
#define BATCHES_PER_CHILD 400
#define MEMORY_EVERY 16	 /* of so many things that the other thread does, one unmaps a page */
#define DISTURB_BURST 64 /* things that it does between two pauses */
#define DISTURB_US 4000	 /* of one pause */
#define BATCHES_PER_RECORD 4
#define COUNT_MAX 128 /* slots in one batch */
#define ARENA_PAGES 16
#define PAGE 4096UL
#define RESULTS (8 * PAGE) /* in the arena, behind slots */
#define UNTOUCHED 0x5a5ac0de5a5ac0deL

/*
 * What a child did in BATCHES_PER_RECORD batches, as one packet to its parent; what it did since the last is lost when
 * it ends. Memory that both could write would not do: the calls of a child write over whatever it has. A packet that is
 * none of a child's making lacks the key, or says too much.
 */
struct record {
	uint64_t key;
	uint32_t slots;
	uint32_t early;
	uint32_t refused;
	uint32_t batches;
};

struct tally {
	unsigned long slots;
	unsigned long batches;
	unsigned long refused;
	unsigned long early;
};

static struct tally tally;
static uint64_t key;
static int parent = -1; /* the child's end of its socket */
static char *arena;	/* slots, results and buffers; the other thread works on it */
static uint64_t state;
static int device = -1, fail_nth = -1;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static unsigned long below(unsigned long limit)
{
	return next_random() % limit;
}

/* An address or a number that has broken something before. */
static long argument(void)
{
	static const long numbers[] = { 0,
					1,
					-1,
					2,
					3,
					4,
					7,
					8,
					63,
					64,
					255,
					4095,
					4096,
					65536,
					0x7fffffff,
					0x80000000,
					0x7fffffffffffffff,
					(long)0x8000000000000000,
					(long)0xffffffff81000000,
					(long)0xffff888000000000,
					0x7ffffffff000,
					0x800000000000,
					-4096,
					-100 };

	switch (below(8)) {
	case 0:
	case 1:
	case 2:
		return (long)(arena + below(ARENA_PAGES * PAGE));
	case 3:
		return (long)(arena + (below(ARENA_PAGES * PAGE) & ~7UL));
	case 4:
		return (long)below(32);
	case 5:
		return (long)next_random();
	default:
		return numbers[below(sizeof(numbers) / sizeof(numbers[0]))];
	}
}

/* A call number: mostly one that exists, often a word copy, sometimes anything. */
static short number(void)
{
	switch (below(16)) {
	case 0:
		return (short)next_random();
	case 1:
	case 2:
		return BATCH_WORD_COPY;
	default:
		return (short)below(480);
	}
}

/* Calls that end or blind the child itself more often than they show anything about the kernel. */
static int spares_the_child(short nr)
{
	static const short spared[] = {
		SYS_rt_sigprocmask,  SYS_rt_sigaction, SYS_setitimer,
		SYS_alarm,	     SYS_munmap,       SYS_kill,
		SYS_tkill,	     SYS_tgkill,       SYS_prctl,
		SYS_seccomp,	     SYS_setrlimit,    SYS_prlimit64,
		SYS_mprotect,	     SYS_mremap,       SYS_landlock_restrict_self,
		SYS_rt_sigtimedwait, SYS_brk,	       SYS_close_range,
		SYS_ptrace
	};

	for (size_t i = 0; i < sizeof(spared) / sizeof(spared[0]); i++)
		if (nr == spared[i])
			return below(8) != 0;
	return 0;
}

/* A jump within the batch; the others mostly end it, and there is to be something left of it. */
static short random_jump(void)
{
	return below(10) ? (short)below(4) : (short)next_random();
}

static void fill(struct batch_slot *slots, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		struct batch_slot *slot = &slots[i];

		memset(slot, 0, sizeof(*slot));
		do
			slot->nr = number();
		while (spares_the_child(slot->nr));
		slot->argc = below(4000) ? below(7) : below(256);
		slot->flags = below(4) ? 0 : next_random();
		if (!below(10)) {
			slot->jump_fail = random_jump();
			slot->jump_zero = random_jump();
			slot->jump_positive = random_jump();
		}
		for (int a = 0; a < 6; a++)
			slot->arg[a] = argument();
		/* a word copy that changes the program */
		if (slot->nr == BATCH_WORD_COPY && below(2))
			slot->arg[0] = (long)&slots[below(count)] + (long)(below(8) * 8);
	}
}

static long enter(struct batch_slot *slots, long *rets, unsigned long count, unsigned long flags)
{
	/* in the arena, too, where anything may be written to what is to be gone on with */
	char *kept = below(2) ? arena + RESULTS + below(PAGE / 8) * 8 : NULL;
	struct batch_run run = { (unsigned long)slots, (unsigned long)rets, count, flags,
				 (unsigned long)kept };
	long result;

	if (device >= 0 && (below(2) || syscall(BATCH_SYSCALL_NR, 0, 0, 0, 0, 0) < 0)) {
		result = ioctl(device,
			       below(64) ? BATCH_IOC_RUN
					 : _IOC(_IOC_WRITE, BATCH_IOC_MAGIC, 1, below(256)),
			       &run);
		return result < 0 ? -errno : result;
	}
	result = syscall(BATCH_SYSCALL_NR, slots, rets, count, flags, kept);
	return result < 0 ? -errno : result;
}

/* Where the kernel injects faults: from now on, the nth place of this thread that can fail does; 0: none. */
static void fail_at(unsigned long nth)
{
	char text[24];
	int bytes = snprintf(text, sizeof(text), "%lu", nth);

	if (fail_nth >= 0 && write(fail_nth, text, bytes) < 0 && errno == EBADF)
		fail_nth = -1;
}

/*
 * Run one batch to its end. Returns whether the child may make another. Slots are counted where nobody else writes the
 * results.
 */
static int run(struct batch_slot *slots, long *rets, unsigned long count)
{
	static struct record record;
	bool fails = !below(4);
	unsigned long from = 0;
	long result;

	for (unsigned long i = 0; i < count; i++)
		rets[i] = UNTOUCHED;
	if (fails)
		fail_at(1 + below(40));
	for (;;) {
		result = enter(slots + from, rets + from, count - from, 0);
		if (result < 0 || !BATCH_RUN_NEXT(result))
			break;
		record.early++;
		from += BATCH_RUN_NEXT(result);
		if (from >= count)
			abort();
	}
	/* what fails behind the batch is the child alone */
	if (fails)
		fail_at(0);
	for (unsigned long i = 0; i < count; i++)
		record.slots += (char *)rets != arena + RESULTS && rets[i] != UNTOUCHED;
	record.refused += result < 0;
	if (++record.batches == BATCHES_PER_RECORD) {
		record.key = key;
		/* whoever has lost the socket is not counted */
		if (send(parent, &record, sizeof(record), MSG_NOSIGNAL) < 0 && errno != EINTR &&
		    errno != ENOMEM)
			return 0;
		record = (struct record){ 0 };
	}
	return result != -EOPNOTSUPP && result != -EBADF && result != -ENOTTY;
}

/* The other thread: change what the kernel is reading. */
static void *disturb(void *unused)
{
	uint64_t mine = next_random() | 1;
	unsigned long done = 0;

	(void)unused;
	for (;;) {
		mine ^= mine << 13;
		mine ^= mine >> 7;
		mine ^= mine << 17;
		if (mine % MEMORY_EVERY) {
			unsigned long at = mine / 4 % (ARENA_PAGES * PAGE / 8);

			__atomic_store_n((uint64_t *)arena + at, mine, __ATOMIC_RELAXED);
		} else {
			char *page = arena + mine / 4 % ARENA_PAGES * PAGE;

			/* unmapped for a while, then fresh: the kernel may find either */
			mprotect(page, PAGE, PROT_NONE);
			if (mine & 64)
				sched_yield();
			mprotect(page, PAGE, PROT_READ);
			mprotect(page, PAGE, PROT_READ | PROT_WRITE);
			if (mine & 128)
				madvise(page, PAGE, MADV_DONTNEED);
		}
		/* the processor is for the batches: it is enough to be there now and then */
		if (++done % DISTURB_BURST == 0)
			usleep(DISTURB_US);
	}
	return NULL;
}

static void nothing(int unused)
{
	(void)unused;
}

static void become_nobody(void)
{
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		abort();
}

static void child(uint64_t seed)
{
	const struct itimerval often = { { 0, 20000 }, { 0, 20000 } };
	const struct rlimit files = { 64, 64 }, memory = { 256 << 20, 256 << 20 };
	struct sigaction action = { .sa_handler = nothing };
	struct batch_slot *slots;
	pthread_t thread;
	long *rets;

	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* what its calls write is no result */
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	close(null);
	state = seed;
	fail_nth = open("/proc/thread-self/fail-nth", O_WRONLY);
	setrlimit(RLIMIT_NOFILE, &files);
	setrlimit(RLIMIT_AS, &memory);
	become_nobody();
	device = open("/dev/batch", O_RDWR);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	arena = mmap(NULL, ARENA_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	slots = mmap(NULL, COUNT_MAX * sizeof(*slots), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	rets = mmap(NULL, COUNT_MAX * sizeof(*rets), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (arena == MAP_FAILED || slots == MAP_FAILED || rets == MAP_FAILED)
		abort();
	/* every other child is alone in its memory, and its table of descriptors */
	if (seed & 1 && pthread_create(&thread, NULL, disturb, NULL))
		abort();
	for (int i = 0; i < BATCHES_PER_CHILD; i++) {
		unsigned long count = 1 + below(COUNT_MAX);

		fill(slots, count);
		if (seed & 1 && !below(8)) {
			/* slots and results that the other thread writes */
			memcpy(arena, slots, sizeof(*slots) * count);
			if (!run((struct batch_slot *)arena, (long *)(arena + RESULTS), count))
				break;
		} else if (!run(slots, rets, count)) {
			break;
		}
		if (!below(16))
			enter((void *)argument(), (void *)argument(),
			      below(2) ? below(64) : next_random(), below(2) ? 0 : next_random());
	}
	_exit(0);
}

static unsigned long option(const char *name, unsigned long otherwise)
{
	char line[4096], *found;
	FILE *file = fopen("/proc/cmdline", "r");

	if (!file || !fgets(line, sizeof(line), file))
		line[0] = 0;
	if (file)
		fclose(file);
	found = strstr(line, name);
	return found ? strtoul(found + strlen(name), NULL, 0) : otherwise;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void set(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		perror(path);
	close(fd);
}

/* Count what a child says it has done. */
static void listen_to(int fd)
{
	struct record record;

	while (recv(fd, &record, sizeof(record), MSG_DONTWAIT) == sizeof(record)) {
		if (record.key != key || record.batches != BATCHES_PER_RECORD ||
		    record.slots > BATCHES_PER_RECORD * COUNT_MAX ||
		    record.early > BATCHES_PER_RECORD * COUNT_MAX ||
		    record.refused > BATCHES_PER_RECORD)
			continue;
		tally.slots += record.slots;
		tally.early += record.early;
		tally.refused += record.refused;
		tally.batches += record.batches;
	}
}

/* Start a child. Returns our end of its socket, or -1. */
static int start(pid_t *pid, uint64_t seed)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -1;
	*pid = fork();
	if (*pid == 0) {
		close(ends[0]);
		parent = ends[1];
		child(seed);
	}
	close(ends[1]);
	if (*pid > 0)
		return ends[0];
	*pid = 0;
	close(ends[0]);
	return -1;
}

/* Keep CHILDREN of them at work until enough slots have run, or the time is over. */
static void work(unsigned long slots, double seconds, uint64_t seed)
{
	pid_t pids[CHILDREN] = { 0 };
	double since[CHILDREN] = { 0 }, end = now() + seconds, told = now();
	int sockets[CHILDREN] = { 0 };

	while (tally.slots < slots && now() < end) {
		for (int i = 0; i < CHILDREN; i++) {
			if (pids[i])
				listen_to(sockets[i]);
			if (pids[i] && waitpid(pids[i], NULL, WNOHANG) == pids[i]) {
				listen_to(sockets[i]);
				close(sockets[i]);
				pids[i] = 0;
			} else if (pids[i] && now() - since[i] > CHILD_SECONDS) {
				kill(pids[i], SIGKILL);
			}
			if (!pids[i]) {
				seed = seed * 6364136223846793005UL + 1442695040888963407UL;
				since[i] = now();
				sockets[i] = start(&pids[i], seed ^ seed >> 29);
			}
		}
		if (now() - told > TELL_SECONDS) {
			told = now();
			printf("# %lu slots so far\n", tally.slots);
			fflush(stdout);
		}
		usleep(20000);
	}
	for (int i = 0; i < CHILDREN; i++) {
		if (!pids[i])
			continue;
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

int main(void)
{
	unsigned long slots = option("vm.slots=", SLOTS_DEFAULT);
	double begin;
	uint64_t seed =
		getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : (uint64_t)time(NULL) * 1000003;

	printf("1..1\n# seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	key = seed * 0x9e3779b97f4a7c15UL;
	/* a failure that was asked for is no news */
	set("/sys/kernel/debug/failslab/verbose", "0");
	set("/sys/kernel/debug/fail_page_alloc/verbose", "0");
	set("/sys/kernel/debug/fail_usercopy/verbose", "0");
	begin = now();
	work(slots, (double)option("vm.seconds=", SECONDS_DEFAULT), seed);
	printf("# %lu slots in %lu batches in %.0f s, %lu of them refused or cut short, handed "
	       "back "
	       "early %lu times\n",
	       tally.slots, tally.batches, now() - begin, tally.refused, tally.early);
	printf("%sok 1 - %lu random slots were run\n", tally.slots >= slots ? "" : "not ", slots);
	return 0;
}
