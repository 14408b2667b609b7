// SPDX-License-Identifier: GPL-2.0-only
/*
 * The controller of a cell: it starts the victim, waits until the kernel asks for the page that is
 * missing, has the hazard done, supplies the page, and waits for the end.
 *
 * The kernel asks once the task has gone to wait, so no time has to pass. A task with a signal
 * pending asks again and again, since it is not let sleep; each time it finds what it would have.
 */
#include "hazard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <linux/userfaultfd.h>

/* a cell takes milliseconds; what has taken so long hangs, however slow the machine */
#define HANG_MS 100000L
#define STEP_MS 1000

struct shared *shared;
struct ends ends;
static int children = -1; /* readable when a child has stopped or ended */

void controller_begin(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (children < 0 || shared == MAP_FAILED) {
		printf("Bail out! the controller: %s\n", strerror(errno));
		exit(1);
	}
	arena_make();
}

static long milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/*
 * Whether a cell hangs. A step waits for STEP_MS at most. Where it took longer, the whole virtual machine
 * stood still while its clock, that of the machine outside, ran on; the victim could not go on in that time.
 */
static bool hangs(struct cell *cell)
{
	long now = milliseconds(), took = now - cell->looked;

	cell->waited += took < 2L * STEP_MS ? took : 2L * STEP_MS;
	cell->looked = now;
	return cell->waited > HANG_MS;
}

/* what the victim has put into RESUME, which the kernel is to find */
static unsigned char resumed[PAGE];

static bool read_victim(const struct cell *cell, enum page page, void *to)
{
	const struct iovec local = { to, PAGE }, remote = { arena_page(page), PAGE };

	return process_vm_readv(cell->pid, &local, 1, &remote, 1, 0) == PAGE;
}

/* Supply a page, or where none can be put any more, let the task look for itself. */
static void supply(struct cell *cell, enum page page, bool changed)
{
	static unsigned char content[PAGE] __attribute__((aligned(PAGE)));
	unsigned long at = (unsigned long)arena_page(page);
	struct uffdio_copy copy = { .dst = at, .src = (unsigned long)content, .len = PAGE };
	struct uffdio_range range = { at, PAGE };

	memcpy(content, arena_page(page), PAGE);
	/* what the kernel has kept there is not ours */
	if (page == RESUME && (cell->place->phase == TAKEN_UP || cell->place->phase == HANDED_BACK))
		memcpy(content, resumed, PAGE);
	if (changed && cell->hazard->supply)
		cell->hazard->supply(cell->place, content, page);
	if (ioctl(cell->uffd, UFFDIO_COPY, &copy))
		ioctl(cell->uffd, UFFDIO_WAKE, &range);
}

static void take_fault(struct cell *cell)
{
	struct uffd_msg message;

	if (read(cell->uffd, &message, sizeof(message)) != sizeof(message) ||
	    message.event != UFFD_EVENT_PAGEFAULT)
		return;
	cell->held = (enum page)((message.arg.pagefault.address - (unsigned long)arena) / PAGE);
	if (cell->supplying)
		supply(cell, cell->held, true);
}

static void take_child(struct cell *cell)
{
	struct signalfd_siginfo information;
	int status;

	while (read(children, &information, sizeof(information)) > 0)
		;
	while (!cell->ended && waitpid(cell->pid, &status, WNOHANG | WUNTRACED | __WALL) > 0) {
		if (!WIFSTOPPED(status)) {
			cell->ended = true;
			cell->record->status = status;
		} else if (cell->traced) {
			on_trace_stop(cell, status);
		} else {
			cell->stopped = true;
			cell->stop_status = status;
		}
	}
}

/* Wait until something happens to the victim, but not longer than `ms`. False: it is over. */
bool step(struct cell *cell, int ms)
{
	struct pollfd from[] = { { children, POLLIN, 0 }, { cell->uffd, POLLIN, 0 } };

	if (cell->ended)
		return false;
	if (hangs(cell)) {
		cell->failed = "it hangs";
		cell->hangs = true;
		kill(cell->pid, SIGKILL);
		waitpid(cell->pid, &cell->record->status, __WALL);
		cell->ended = true;
		return false;
	}
	poll(from, 2, ms);
	if (from[1].revents & POLLIN)
		take_fault(cell);
	if (from[0].revents)
		take_child(cell);
	return !cell->ended;
}

/* Wait until something is the case. False: the victim has ended first. */
bool until(struct cell *cell, bool (*is)(const struct cell *cell))
{
	while (!is(cell))
		if (!step(cell, 1))
			return is(cell);
	return true;
}

static bool has_stopped(const struct cell *cell)
{
	return cell->stopped;
}

/* Wait for a stop, and note how far the victim has come. */
bool until_stopped(struct cell *cell)
{
	if (!until(cell, has_stopped))
		return false;
	cell->record->stopped = log_bytes();
	return true;
}

int log_bytes(void)
{
	struct stat status;

	return fstat(ends.log, &status) ? -1 : (int)status.st_size;
}

/* ---- what calls wait for ------------------------------------------------------------------------- */

static void let_go(enum probe call)
{
	if (call == READ && write(ends.read[1], "r", 1) != 1)
		return;
	if (call == POLL && write(ends.poll[1], "p", 1) != 1)
		return;
	if (call == FUTEX) {
		__atomic_store_n(&shared->word, 1, __ATOMIC_SEQ_CST);
		raw(SYS_futex, (long)&shared->word, FUTEX_WAKE, 1, 0, 0, 0);
	}
}

static void let_go_all(enum probe from, enum probe to)
{
	for (enum probe call = from; call < to; call++)
		let_go(call);
}

static void open_ends(void)
{
	ends.log = memfd_create("log", 0);
	ends.other = memfd_create("other", 0);
	ends.ring = eventfd(0, 0);
	if (ends.log < 0 || ends.other < 0 || ends.ring < 0 || pipe(ends.read) || pipe(ends.poll) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.control) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.begin)) {
		printf("Bail out! no descriptors for a cell: %s\n", strerror(errno));
		exit(1);
	}
}

static void close_ends(void)
{
	const int *all = (const int *)&ends;

	for (size_t i = 0; i < sizeof(ends) / sizeof(int); i++)
		close(all[i]);
}

/* ---- a cell ------------------------------------------------------------------------------------ */

/* Have the assistant do something, and wait until it has. */
static long have_assistant(struct cell *cell, long (*inside)(const struct place *), bool waits)
{
	const void *tell[2] = { *(void **)&inside, cell->place };
	struct pollfd from = { ends.control[0], POLLIN, 0 };
	long answer = 0, steps = HANG_MS / STEP_MS;

	if (write(ends.control[0], tell, sizeof(tell)) != sizeof(tell))
		return -errno;
	if (!waits)
		return 0;
	while (steps && poll(&from, 1, STEP_MS) != 1)
		steps--;
	if (!steps || read(ends.control[0], &answer, sizeof(answer)) != sizeof(answer))
		return -EPIPE;
	return answer;
}

static long take_away(const struct place *place)
{
	return arena_take_away(place->phase == HANDED_BACK ? SLOTS_FROM : place->page);
}

static bool has_answered(const struct cell *cell)
{
	struct pollfd from = { ends.control[0], POLLIN, 0 };

	(void)cell;
	return poll(&from, 1, 0) == 1;
}

/* Wait until the assistant is done that was blocked. A victim that has ended has waited for it. */
bool until_answered(struct cell *cell)
{
	long answer = 0;

	/* nothing to read: the victim's end of it is closed */
	return !until(cell, has_answered) || read(ends.control[0], &answer, sizeof(answer)) <= 0 ||
	       !answer;
}

static bool hold(struct cell *cell, enum page page)
{
	while (cell->held == PAGES)
		if (!step(cell, STEP_MS))
			return false;
	return cell->held == page;
}

static bool is_asleep(const struct cell *cell)
{
	/* and not while it waits to begin */
	return state_of(cell->pid) == 'S' && log_bytes() >= (cell->place->made > WRITE ? 2 : 1);
}

/* How many results are there: how far the victim has come. */
static int results_made(const struct cell *cell)
{
	static unsigned char page[PAGE];
	const long *rets = (const long *)(page + PAGE) - cell->place->rets_split;
	int made = 0;

	if (!read_victim(cell, RETS_BEFORE, page))
		return -1;
	while (made < cell->place->rets_split && rets[made] != UNTOUCHED)
		made++;
	return made;
}

static bool was_alarmed(const struct cell *cell)
{
	(void)cell;
	return __atomic_load_n(&shared->alarmed, __ATOMIC_SEQ_CST) > 0;
}

static bool is_asleep_again(const struct cell *cell)
{
	bool was_woken = cell->place->phase == KEPT ? is_completed(cell) : was_alarmed(cell);

	return was_woken && is_asleep(cell);
}

static bool send_alarm(const struct cell *cell)
{
	return syscall(SYS_tgkill, cell->pid, cell->pid, SIGALRM) == 0;
}

/* Interrupt the call that the victim sleeps in: a batch is held when the kernel keeps its slot. */
static bool interrupt(struct cell *cell)
{
	if (!until(cell, is_asleep))
		return false;
	if (cell->place->phase == KEPT) {
		if (have_assistant(cell, take_away, true) || !complete_request(cell))
			return false;
	} else if (!send_alarm(cell)) {
		return false;
	}
	return cell->way == BY_LOOP ? until(cell, is_asleep_again) : hold(cell, cell->place->page);
}

/* The page that the victim is held at has become another one's to wait for. */
static void pass(struct cell *cell)
{
	enum page held = cell->held;

	cell->held = PAGES;
	supply(cell, held, false);
}

/* Hold the victim in the pass over argc, and then at a slot that was there in it. */
static bool hold_at_slot(struct cell *cell)
{
	if (!hold(cell, SLOTS_LAST) || have_assistant(cell, take_away, true))
		return false;
	pass(cell);
	return hold(cell, SLOTS_FROM);
}

/* Have a batch handed back before that slot; the loop comes to it again behind the handler. */
static bool hand_back(struct cell *cell)
{
	if (!hold_at_slot(cell) || !send_alarm(cell))
		return false;
	if (cell->way == BY_LOOP)
		return until(cell, was_alarmed);
	pass(cell);
	return hold(cell, cell->place->page);
}

/* Wait until the victim is where the cell wants it. */
static bool until_there(struct cell *cell)
{
	bool there = false;

	switch (cell->place->phase) {
	case ASLEEP:
		return until(cell, is_asleep);
	case KEPT:
	case TAKEN_UP:
		there = interrupt(cell);
		break;
	case HANDED_BACK:
		there = hand_back(cell);
		break;
	case CHECKED:
		return hold_at_slot(cell);
	case AT_ONCE:
		return hold(cell, cell->place->page);
	}
	/* now, since a hazard may keep us from looking there */
	return there && (cell->held != RESUME || read_victim(cell, RESUME_COPY, resumed));
}

static const char *start(struct cell *cell)
{
	static char why[96];
	char byte;
	int pidfd;

	fflush(stdout);
	cell->pid = fork();
	if (cell->pid == 0) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		_exit(victim(cell->place, cell->hazard, cell->way));
	}
	if (cell->pid < 0)
		return "no process";
	close(ends.begin[1]);
	close(ends.control[1]);
	ends.begin[1] = ends.control[1] = -1;
	if (read(ends.begin[0], &byte, 1) != 1)
		return "the victim has not begun";
	if (shared->failed) {
		snprintf(why, sizeof(why), "the victim: %s", strerror(shared->failed));
		return why;
	}
	pidfd = (int)syscall(SYS_pidfd_open, cell->pid, 0);
	cell->uffd = (int)syscall(SYS_pidfd_getfd, pidfd, shared->uffd, 0);
	close(pidfd);
	if (cell->uffd < 0)
		return "no userfaultfd";
	let_go_all(FIRST_WRITE, cell->place->made);
	return write(ends.begin[0], "", 1) == 1 ? NULL : "the victim is gone";
}

/* Why the assistant has not done what it was to do: -EPIPE where it has not answered. */
static const char *why_not(const struct cell *cell, long answer)
{
	static char why[100];

	snprintf(why, sizeof(why),
		 "the assistant could not do it: %s; it is in state %c, the victim in %c",
		 answer == -EPIPE ? "no answer" : strerror((int)-answer),
		 state_of(shared->assistant), state_of(cell->pid));
	return why;
}

/* From where the victim is held to its end. */
static const char *meet(struct cell *cell)
{
	const struct hazard *hazard = cell->hazard;
	const char *failed = NULL;

	if (!until_there(cell))
		return "it was not held there";
	cell->record->held = results_made(cell);
	shared->missing = cell->held;
	if (hazard->inside) {
		long answer =
			have_assistant(cell, hazard->inside, !hazard->ends && !hazard->blocks);

		if (answer)
			return why_not(cell, answer);
	}
	if (hazard->outside && !hazard->outside(cell))
		return "it could not be done";
	if (!hazard->ends) {
		cell->supplying = true;
		if (cell->held != PAGES)
			supply(cell, cell->held, true);
		if (hazard->after && !hazard->after(cell))
			failed = "it had no effect";
		let_go_all(cell->place->made, PROBES);
	}
	while (step(cell, STEP_MS))
		;
	if (hazard->end)
		hazard->end(cell);
	return failed;
}

void run_cell(struct cell *cell)
{
	struct record *record = cell->record;

	rmdir(FOLDER);
	memset(shared, 0, sizeof(*shared));
	memset(record, 0, sizeof(*record));
	cell->uffd = -1;
	cell->held = PAGES;
	cell->looked = milliseconds();
	open_ends();
	arena_lay_out(cell->place);
	cell->failed = start(cell);
	if (!cell->failed) {
		const char *failed = meet(cell);

		cell->failed = cell->failed ? cell->failed : failed;
	}
	if (!cell->ended && cell->pid > 0) {
		kill(cell->pid, SIGKILL);
		waitpid(cell->pid, NULL, __WALL);
	}
	record_take(record);
	if (cell->uffd >= 0)
		close(cell->uffd);
	close_ends();
	rmdir(FOLDER);
}
