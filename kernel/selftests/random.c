// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random programs: any call of the kernel with arguments that are likely to mean something, word
 * copies, jumps, slots that other slots write. Nothing is expected of them but that the kernel
 * lives, which its log tells.
 *
 * random [SLOTS [SEED]]: at least so many slots. They run in children, which may come to any end;
 * one that hangs is ended by a timer.
 */
#include "batch_test.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#define SLOTS 64
#define SLOTS_WANTED 200000
#define SECONDS_MAX 40
#define PAGE 4096
#define MEMORY_PAGES 16
#define CHILD_SECONDS 3
#define CALL_US_MAX 20000
#define CHILD_BATCHES 200

/* what ends or stops more than the program itself, or waits without end and would only take time */
static const short left_out[] = { SYS_pause,
				  SYS_rt_sigsuspend,
				  SYS_kill,
				  SYS_tkill,
				  SYS_tgkill,
				  SYS_rt_sigqueueinfo,
				  SYS_rt_tgsigqueueinfo,
				  SYS_pidfd_send_signal,
				  SYS_alarm,
				  SYS_setitimer,
				  SYS_sync,
				  SYS_syncfs,
				  SYS_setrlimit,
				  SYS_prlimit64,
				  SYS_rt_sigtimedwait,
				  SYS_signalfd,
				  SYS_signalfd4,
				  SYS_rt_sigprocmask,
				  SYS_rt_sigaction };

/* what was run */
struct count {
	unsigned long slots, batches, refused;
};

/* of one child, shared with it: a program may write over it, and then it is not counted */
static struct count *done;

static unsigned int seed;
static char *memory;
static int fds[12];

static unsigned long any(unsigned long below)
{
	return (unsigned long)rand_r(&seed) % below;
}

static long any_word(const struct batch_slot *slots, const long *rets)
{
	static const long table[] = {
		0, 1, -1, 2, 8, 64, 4096, 0x7fffffff, -4096, 0xffffffff81000000UL, 0x7ffffffff000L
	};

	switch (any(8)) {
	case 0:
		return (long)(memory + any(MEMORY_PAGES * PAGE));
	case 1:
		return (long)&slots[any(SLOTS)].arg[any(6)];
	case 2:
		return (long)&rets[any(SLOTS)];
	case 3:
		return fds[any(ARRAY_SIZE(fds))];
	case 4:
		return (long)any(256);
	case 5:
		return (long)(any(1 << 16) << any(40));
	default:
		return table[any(ARRAY_SIZE(table))];
	}
}

static short any_number(void)
{
	short nr;

	if (any(6) == 0)
		return BATCH_WORD_COPY;
	nr = (short)(any(32) ? (int)any(480) : rand_r(&seed));
	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++)
		if (nr == left_out[i])
			return SYS_getppid;
	return nr;
}

static void make_program(struct batch_slot *slots, const long *rets)
{
	for (int i = 0; i < SLOTS; i++) {
		slots[i] = slot6(any_number(), 0, 0, 0, 0, 0, 0);
		for (int k = 0; k < 6; k++)
			slots[i].arg[k] = any_word(slots, rets);
		if (any(4))
			continue;
		slots[i].jump_fail = (short)any(4);
		slots[i].jump_zero = (short)any(4);
		slots[i].jump_positive = (short)(any(16) ? any(4) : any(65536));
	}
}

static void limits(void)
{
	const struct rlimit none = { 0, 0 }, file = { 1 << 20, 1 << 20 },
			    space = { 256 << 20, 256 << 20 }, open_files = { 256, 256 };

	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_FSIZE, &file);
	setrlimit(RLIMIT_AS, &space);
	setrlimit(RLIMIT_NOFILE, &open_files);
	/* a write that is too long is an error and not the end */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

static void make_things(void)
{
	memory = pages(MEMORY_PAGES * PAGE, PROT_READ | PROT_WRITE);
	for (int i = 0; i < MEMORY_PAGES * PAGE; i += 64)
		snprintf(memory + i, 64, i % 128 ? "/proc/self/stat%c" : "random-%c",
			 'a' + i / 64 % 8);
	fds[0] = batch_fd;
	fds[1] = open("/proc/self/maps", O_RDONLY);
	fds[2] = open("/tmp", O_RDONLY | O_DIRECTORY);
	fds[3] = open("/dev/zero", O_RDWR);
	fds[4] = memfd_create("random", 0);
	fds[5] = eventfd(1, EFD_NONBLOCK);
	if (pipe2(fds + 6, O_NONBLOCK) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds + 8))
		fds[6] = -1;
	fds[10] = -1;
	fds[11] = AT_FDCWD;
}

static void on_alarm(int signal)
{
	(void)signal;
}

/*
 * A call that waits is interrupted; the child as a whole ends by the time it uses, or by a timer
 * that kills.
 */
static void interrupt_calls(void)
{
	const struct itimerval often = { { 0, CALL_US_MAX }, { 0, CALL_US_MAX } };
	const struct itimerspec end = { .it_value = { CHILD_SECONDS, 0 } };
	const struct sigaction action = { .sa_handler = on_alarm };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
	timer_t timer;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
		timer_settime(timer, 0, &end, NULL);
}

/*
 * One child: programs until its time is over or one of them ends it. A call that writes over a slot
 * may make the slot a kill(0, 1), which is for the child alone, in a process group of its own.
 */
static int programs(void)
{
	struct batch_slot *slots = pages(2 * PAGE, PROT_READ | PROT_WRITE);
	long *rets = pages(PAGE, PROT_READ | PROT_WRITE);

	setpgid(0, 0);
	limits();
	make_things();
	interrupt_calls();
	for (int i = 0; i < CHILD_BATCHES; i++) {
		unsigned long from = 0;
		long result;

		make_program(slots, rets);
		do {
			result = enter(slots + from, rets + from, SLOTS - from, 0);
			if (result < 0)
				break;
			from += BATCH_RUN_NEXT(result);
		} while (result & BATCH_RUN_MORE);
		done->slots += from +
			       (result > 0 ? (unsigned long)result % BATCH_RUN_MORE : 0) % SLOTS +
			       1;
		done->batches++;
		done->refused += result < 0;
	}
	return 0;
}

/* Everything that a child left behind. */
static void clean(void)
{
	char name[16];

	for (char letter = 'a'; letter <= 'h'; letter++) {
		snprintf(name, sizeof(name), "random-%c", letter);
		if (unlink(name) && errno == EISDIR)
			rmdir(name);
	}
}

int main(int argc, char **argv)
{
	unsigned long wanted = argc > 1 ? strtoul(argv[1], NULL, 0) : SLOTS_WANTED;
	unsigned int first = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 0) : 1;
	int null = open("/dev/null", O_RDWR), out = dup(1);

	done = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mkdir("/tmp/random", 0700) == 0 && chdir("/tmp/random"))
		printf("# in /tmp itself\n");
	for_each_front_end() {
		long until = now_ns() + SECONDS_MAX * 1000000000L;
		unsigned int children = 0;

		struct count all = { 0 };

		while (all.slots < wanted && (argc > 1 || now_ns() < until)) {
			*done = (struct count){ 0 };
			seed = first + children++;
			fflush(stdout);
			/* what a program writes is not a result */
			dup2(null, 1);
			dup2(null, 2);
			dup2(null, 0);
			in_child(programs);
			dup2(out, 1);
			clean();
			if (done->batches > CHILD_BATCHES || done->slots > CHILD_BATCHES * SLOTS ||
			    done->refused > CHILD_BATCHES)
				continue;
			all.slots += done->slots;
			all.batches += done->batches;
			all.refused += done->refused;
		}
		printf("# %lu slots in %lu batches of %u children, seeds from %u\n", all.slots,
		       all.batches, children, first);
		printf("# %lu batches refused or cut off\n", all.refused);
		report(all.slots >= wanted || argc < 2, "random programs");
	}
	return finish();
}
