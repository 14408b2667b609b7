// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel executor runs batches in parts: where they pause, that no part runs more slots than it may, and that
 * whatever the parts, what comes of it is what a whole run on `loop` gives.
 *
 * In user space the entry leads to the core in this process (kernel_entry.c), once as it is, once handed back behind
 * every slot, and with every call interrupted before it is made. The same program is linked with the real entry and run
 * in kernels (kernel/vm). It prints TAP by itself: there is no static cmocka. The batches are random; the seed is
 * fixed, so that a failure comes again.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ferry/batch.h>

#define SLOTS 200
#define BATCHES 300
#define UNTOUCHED 0x5a5a5a5aL
#define BLOCKS 8 /* that are copied */
#define BLOCK 64

static struct batch_kernel_executor kernel;
static struct batch_slot slots[SLOTS], before[SLOTS];
static long rets[SLOTS], expected[SLOTS];
static unsigned long go = 1;
static unsigned int number, failures;
static const char *how = "";
static int fd;
static bool refuses; /* the kernel takes no batch, and that is not known when it is prepared */

static void report(bool good, const char *name)
{
	printf("%sok %u - %s%s\n", good ? "" : "not ", ++number, name, how);
	failures += !good;
}

/* xorshift64: Marsaglia, "Xorshift RNGs", 2003 */
static unsigned long random_word(void)
{
	static unsigned long state = 88172645463325252UL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* A jump, mostly none; one in 64 ends the batch. */
static short random_jump(void)
{
	unsigned long word = random_word();

	if (word % 4)
		return 0;
	return word / 4 % 16 ? (short)(word / 64 % 6) : BATCH_STOP;
}

/* Slots that count themselves (a file's position), fail, feed others, and say that they may block. */
static size_t make(void)
{
	size_t count = 1 + random_word() % SLOTS;

	for (size_t i = 0; i < count; i++) {
		switch (random_word() % 8) {
		case 0:
			slots[i] = scall1(close, 0, 0, 0, -1);
			break;
		case 1:
			slots[i] = scall2(wdcpy, 0, 0, 0, &slots[i].arg[4],
					  &rets[random_word() % count]);
			break;
		case 2:
			slots[i] = scall3(lseek, 0, 0, 0, fd, 0, SEEK_SET);
			break;
		default:
			slots[i] = scall3(lseek, 0, 0, 0, fd, 1, SEEK_CUR);
		}
		slots[i].jump_fail = random_jump();
		slots[i].jump_zero = random_jump();
		slots[i].jump_positive = random_jump();
		slots[i].flags = random_word() % 16 ? 0 : BATCH_SLOT_MAY_BLOCK;
		rets[i] = UNTOUCHED;
	}
	return count;
}

/* How many slots ran in a part, by what they left: none of these calls gives UNTOUCHED. */
static size_t untouched(size_t count)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += rets[i] == UNTOUCHED;
	return found;
}

/* One part of a run; sets *room to how many slots it may run. */
typedef long (*part_runner)(const struct batch_prepared *prepared, size_t from, size_t *room);

static long one_slot(const struct batch_prepared *prepared, size_t from, size_t *room)
{
	*room = 1;
	return batch_prepared_run_some(prepared, from, 1);
}

static long some_slots(const struct batch_prepared *prepared, size_t from, size_t *room)
{
	*room = random_word() % 32;
	return batch_prepared_run_some(prepared, from, *room);
}

static long while_it_may(const struct batch_prepared *prepared, size_t from, size_t *room)
{
	long last = batch_prepared_run_while(prepared, from, &go);

	*room = SLOTS;
	if (last < 0 && !(prepared->slots[~last].flags & BATCH_SLOT_MAY_BLOCK))
		return last - SLOTS;
	return last < 0 ? batch_prepared_run_some(prepared, (size_t)~last, 1) : last;
}

static bool parts_are_the_whole(part_runner run_part)
{
	struct batch_prepared prepared;
	size_t count = make(), room;
	long last = ~0L, whole;

	memcpy(before, slots, sizeof(slots));
	lseek(fd, 0, SEEK_SET);
	whole = batch_executor_loop.run(&batch_executor_loop, rets, slots, count);
	memcpy(expected, rets, sizeof(rets));
	memcpy(slots, before, sizeof(slots));
	for (size_t i = 0; i < count; i++)
		rets[i] = UNTOUCHED;
	lseek(fd, 0, SEEK_SET);
	if (batch_prepare(&prepared, &kernel.executor, rets, slots, count, 0, NULL))
		return false;
	if (refuses)
		kernel.way = BATCH_KERNEL_NONE;
	while (last < 0) {
		size_t left = untouched(count);

		if ((size_t)~last >= count)
			return false;
		last = run_part(&prepared, (size_t)~last, &room);
		if (left - untouched(count) > room)
			return false;
	}
	return last == whole && !memcmp(rets, expected, count * sizeof(rets[0]));
}

static void random_parts(part_runner run_part, const char *name)
{
	bool good = true;

	for (int i = 0; good && i < BATCHES; i++)
		good = parts_are_the_whole(run_part);
	report(good, name);
}

static size_t getppids(struct batch_prepared *prepared, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		slots[i] = scall0(getppid, 0, 0, 0);
		rets[i] = UNTOUCHED;
	}
	return (size_t)batch_prepare(prepared, &kernel.executor, rets, slots, count, 0, NULL);
}

static void pauses_around_a_slot_that_may_block(void)
{
	struct batch_prepared prepared;
	bool good = getppids(&prepared, 4) == 0;

	slots[1].flags = slots[3].flags = BATCH_SLOT_MAY_BLOCK;
	slots[2].flags = 0xfe;
	good &= batch_prepared_run_while(&prepared, 0, &go) == ~1L;
	good &= rets[1] == UNTOUCHED;
	good &= batch_prepared_run_while(&prepared, 1, &go) == ~1L;
	good &= batch_prepared_run_some(&prepared, 1, 100) == ~2L;
	good &= batch_prepared_run_while(&prepared, 2, &go) == ~3L;
	good &= batch_prepared_run_some(&prepared, 0, 1) == ~1L;
	good &= batch_prepared_run_some(&prepared, 0, 0) == ~0L;
	good &= batch_prepared_run_some(&prepared, 0, 100) == ~2L;
	good &= batch_prepared_run_some(&prepared, 2, 100) == 3;
	report(good, "pauses_around_a_slot_that_may_block");
}

/* A slot clears *go: what runs behind it is less than one entry's, and the rest runs when it is set again. */
static void a_cleared_word_is_seen_at_the_next_entry(void)
{
	static const unsigned long zero;
	const unsigned long no = 0;
	struct batch_prepared prepared;
	bool good = getppids(&prepared, SLOTS) == 0;
	long last;

	go = 1;
	slots[3] = scall2(wdcpy, 0, 0, 0, &go, &zero);
	good &= batch_prepared_run_while(&prepared, 0, &no) == ~0L && rets[0] == UNTOUCHED;
	last = batch_prepared_run_while(&prepared, 0, &go);
	good &= last < 0 && ~last > 3 && ~last <= BATCH_KERNEL_PART_SLOTS && go == 0;
	good &= last >= 0 || rets[~last] == UNTOUCHED;
	go = 1;
	good &= last >= 0 || batch_prepared_run_while(&prepared, (size_t)~last, &go) == SLOTS - 1;
	for (int i = 0; i < SLOTS; i++)
		good &= rets[i] == (i == 3 ? 0 : getppid());
	report(good, "a_cleared_word_is_seen_at_the_next_entry");
}

static void parts_that_the_kernel_refuses_are_run(void)
{
	const enum batch_kernel_way way = kernel.way;
	bool good = true;

	refuses = true;
	for (int i = 0; good && i < BATCHES; i++) {
		kernel.way = way;
		good = parts_are_the_whole(some_slots);
	}
	refuses = false;
	kernel.way = way;
	report(good, "parts_that_the_kernel_refuses_are_run");
}

/* Wait until a task sleeps. Returns false when it has ended. */
static bool until_asleep(pid_t task)
{
	char path[32], text[256];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)task);
	for (;;) {
		int stat = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t bytes = read(stat, text, sizeof(text) - 1);
		const char *state;

		close(stat);
		text[bytes > 0 ? bytes : 0] = 0;
		/* "pid (name) state" */
		state = strrchr(text, ')');
		if (!state || state[2] == 'Z' || state[2] == 'X')
			return false;
		if (state[2] == 'S')
			return true;
		usleep(1000);
	}
}

/* Read a block and write it, again and again, in one batch that ends where one of these fails. */
static int copy(int from, int to, bool in_parts)
{
	struct batch_prepared prepared;
	static char block[BLOCK];
	long last = ~0L;

	for (size_t i = 0; i < 2 * BLOCKS; i += 2) {
		slots[i] = scall3(read, -1, -1, 0, from, block, BLOCK);
		slots[i + 1] = scall3(write, -1, 0, 0, to, block, BLOCK);
	}
	if (!in_parts)
		return batch_run(&kernel.executor, rets, slots, 2 * BLOCKS, 0, NULL) !=
		       2 * BLOCKS - 1;
	if (batch_prepare(&prepared, &kernel.executor, rets, slots, 2 * BLOCKS, 0, NULL))
		return 1;
	while (last < 0)
		last = batch_prepared_run_some(&prepared, (size_t)~last, 3);
	return last != 2 * BLOCKS - 1;
}

/* The one who copies is stopped and continued wherever it waits: what goes in comes out, to the last byte. */
static void what_is_stopped_and_continued_loses_nothing(bool in_parts, const char *name)
{
	char block[BLOCK], came[BLOCK];
	int in[2], out[2], status = -1;
	bool good = pipe(in) == 0 && pipe(out) == 0;
	pid_t child = good ? fork() : -1;

	if (child == 0)
		_exit(copy(in[0], out[1], in_parts));
	for (int i = 0; good && i < BLOCKS; i++) {
		for (int stops = 0; stops < 2 && (good &= until_asleep(child)); stops++) {
			kill(child, SIGSTOP);
			waitpid(child, &status, WUNTRACED);
			kill(child, SIGCONT);
			waitpid(child, &status, WCONTINUED);
		}
		memset(block, 'a' + i, BLOCK);
		good &= good && write(in[1], block, BLOCK) == BLOCK &&
			read(out[0], came, BLOCK) == BLOCK && !memcmp(block, came, BLOCK);
	}
	if (child > 0) {
		if (!good)
			kill(child, SIGKILL);
		waitpid(child, &status, 0);
	}
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
	report(good && WIFEXITED(status) && WEXITSTATUS(status) == 0, name);
}

static void handle(int signal_number)
{
	(void)signal_number;
}

/* SIGALRM to a process once it sleeps. */
static void alarm_when_asleep(pid_t waits)
{
	if (fork() == 0) {
		if (until_asleep(waits))
			kill(waits, SIGALRM);
		_exit(0);
	}
}

/* Behind a handler without SA_RESTART a call gives -EINTR, and the batch goes where that jumps. */
static void a_handler_ends_the_call_that_it_interrupts(void)
{
	struct sigaction action = { .sa_handler = handle };
	struct batch_prepared prepared;
	int ends[2], good = pipe(ends) == 0;
	char byte;

	sigaction(SIGALRM, &action, NULL);
	for (int in_parts = 0; in_parts < 2; in_parts++) {
		long last = ~0L;

		good &= getppids(&prepared, 4) == 0;
		slots[1] = scall3(read, 1, 0, 0, ends[0], &byte, 1);
		alarm_when_asleep(getpid());
		if (!in_parts)
			last = batch_run(&kernel.executor, rets, slots, 4, 0, NULL);
		while (last < 0)
			last = batch_prepared_run_some(&prepared, (size_t)~last, 2);
		wait(NULL);
		good &= last == 3 && rets[0] == getppid() && rets[1] == -EINTR &&
			rets[2] == UNTOUCHED && rets[3] == getppid();
	}
	close(ends[0]);
	close(ends[1]);
	report(good, "a_handler_ends_the_call_that_it_interrupts");
}

static sigjmp_buf unwritable;

static void on_fault(int signal_number)
{
	(void)signal_number;
	siglongjmp(unwritable, 1);
}

/* How many calls are made of a batch whose third result cannot be stored; each moves a file's position on. */
static off_t calls_made(const struct batch_executor *executor, long *results)
{
	struct batch_prepared prepared;

	for (int i = 0; i < 8; i++)
		slots[i] = scall3(lseek, 0, 0, 0, fd, 1, SEEK_CUR);
	lseek(fd, 0, SEEK_SET);
	if (batch_prepare(&prepared, executor, results, slots, 8, 0, NULL))
		return -1;
	if (!sigsetjmp(unwritable, 1))
		batch_prepared_run_some(&prepared, 0, 8);
	return lseek(fd, 0, SEEK_CUR);
}

/* Where a result has no place the program gets the signal that it gets from `loop`, behind as many calls. */
static void a_call_whose_result_has_no_place_is_made_once(void)
{
	struct sigaction action = { .sa_handler = on_fault }, before_it;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *two =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long *results = (long *)(two + page) - 2;
	bool good = two != MAP_FAILED && !mprotect(two + page, page, PROT_READ);

	sigaction(SIGSEGV, &action, &before_it);
	good &= good && calls_made(&batch_executor_loop, results) == 3;
	good &= good && calls_made(&kernel.executor, results) == 3;
	sigaction(SIGSEGV, &before_it, NULL);
	munmap(two, 2 * page);
	report(good, "a_call_whose_result_has_no_place_is_made_once");
}

/* the page whose access is taken away, until the handler gives it back */
static void *taken;
static volatile sig_atomic_t given_back;

static void give_back(int signal_number)
{
	(void)signal_number;
	given_back++;
	mprotect(taken, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE);
}

/*
 * The place of a result is there again when the program has got its signal: of the third result, or of the last one,
 * whose store ends the batch. The batch goes on as on `loop`, and each call is made once.
 */
static void memory_that_a_handler_gives_back_has_no_call_made_twice(void)
{
	const struct sigaction action = { .sa_handler = give_back };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *two =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static const int stored[] = { 2, 7 };
	struct sigaction before_it;
	bool good = two != MAP_FAILED;

	taken = two + page;
	sigaction(SIGSEGV, &action, &before_it);
	for (size_t i = 0; good && i < 2 * sizeof(stored) / sizeof(stored[0]); i++) {
		const struct batch_executor *executor =
			i % 2 ? &kernel.executor : &batch_executor_loop;
		long *results = (long *)taken - stored[i / 2];

		given_back = 0;
		memset(two, 0, 2 * page);
		good &= mprotect(taken, page, PROT_READ) == 0;
		good &= calls_made(executor, results) == 8 && given_back == 1;
		for (int slot = 0; slot < 8; slot++)
			good &= results[slot] == slot + 1;
	}
	sigaction(SIGSEGV, &before_it, NULL);
	munmap(two, 2 * page);
	report(good, "memory_that_a_handler_gives_back_has_no_call_made_twice");
}

static void all(const char *said)
{
	struct batch_error error;

	how = said;
	if (batch_kernel_open(&kernel, &error)) {
		report(false, "no_kernel_runs_batches_here");
		return;
	}
	random_parts(one_slot, "slot_by_slot_is_the_whole");
	random_parts(some_slots, "any_steps_are_the_whole");
	random_parts(while_it_may, "pauses_are_the_whole");
	pauses_around_a_slot_that_may_block();
	a_cleared_word_is_seen_at_the_next_entry();
	parts_that_the_kernel_refuses_are_run();
	what_is_stopped_and_continued_loses_nothing(false, "stopped_and_continued_loses_nothing");
	what_is_stopped_and_continued_loses_nothing(true,
						    "stopped_and_continued_in_parts_loses_nothing");
	a_handler_ends_the_call_that_it_interrupts();
	a_call_whose_result_has_no_place_is_made_once();
	memory_that_a_handler_gives_back_has_no_call_made_twice();
	batch_kernel_close(&kernel);
}

int main(void)
{
	fd = memfd_create("positions", MFD_CLOEXEC);
	unsetenv("HOSTTEST_HAND_BACK");
	all("");
	/* means nothing to a real kernel, which hands back when it has to */
	setenv("HOSTTEST_HAND_BACK", "1", 1);
	all("_handed_back");
	unsetenv("HOSTTEST_HAND_BACK");
	setenv("HOSTTEST_INTERRUPT", "restart", 1);
	all("_interrupted");
	setenv("HOSTTEST_INTERRUPT", "result", 1);
	all("_interrupted_for_long");
	printf("1..%u\n", number);
	return failures > 0;
}
