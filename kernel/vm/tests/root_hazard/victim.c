// SPDX-License-Identifier: GPL-2.0-only
/*
 * The victim: a user without rights. Its first thread makes the calls, in a loop or by a batch as
 * the library runs one; its second does what it is told.
 */
#include "hazard.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/userfaultfd.h>

#define NOBODY 65534
/* what credentials are changed to */
#define SOMEBODY 65533
/* as the C library registers it */
#define RSEQ_BYTES 32

int device = -1;
static unsigned int entered;
/* the page RESUME: when on_alarm() runs, or when the rest of a batch is entered */
static bool takes_away, takes_away_rest;
/* whether a fault is repaired by its handler, and the program goes on; else it ends the run */
static bool repairs;
static sigjmp_buf unreadable;

/* A system call, and nothing besides: what is in the C library is not looked at. */
long raw(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(unreadable, 1);
}

static void on_fault_to_repair(int signal)
{
	(void)signal;
	mprotect(arena, PAGES * PAGE, PROT_READ | PROT_WRITE);
}

static void on_signal(int signal)
{
	(void)signal;
	raw(SYS_write, ends.log, (long)"h", 1, 0, 0, 0);
	__atomic_add_fetch(&shared->handled, 1, __ATOMIC_SEQ_CST);
}

/* As the C library's setresuid() has every thread of a process do it. */
static void on_credentials(int signal)
{
	(void)signal;
	raw(SYS_setresuid, -1, SOMEBODY, -1, 0, 0, 0);
	__atomic_add_fetch(&shared->handled, 1, __ATOMIC_SEQ_CST);
}

/* Have the kernel wait for what is to be found in RESUME. */
static void take_resume_away(void)
{
	memcpy(arena_page(RESUME_COPY), arena_page(RESUME), PAGE);
	arena_take_away(RESUME);
}

/* What interrupts a call at a place, or has a batch handed back; the kernel then goes on with it. */
static void on_alarm(int signal)
{
	(void)signal;
	if (takes_away)
		take_resume_away();
	__atomic_add_fetch(&shared->alarmed, 1, __ATOMIC_SEQ_CST);
}

static void handle(int signal, void (*handler)(int), int flags)
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaction(signal, &action, NULL);
}

/* ---- the calls one by one ---------------------------------------------------------------------- */

/* As the library's loop copies a word: by the kernel, so that a bad address is an error. */
static long copy_word(long to, long from)
{
	const struct iovec target = { (void *)to, 8 }, source = { (void *)from, 8 };
	long result = raw(SYS_process_vm_readv, getpid(), (long)&target, 1, (long)&source, 1, 0);

	return result == 8 ? 0 : result < 0 ? result : -EFAULT;
}

/*
 * Every word is read once, in the order in which the kernel reads them. What the kernel answers by
 * -EFAULT is a signal here, and ends the loop with the same.
 */
static long by_loop(struct batch_slot *slots, long *rets, unsigned long count)
{
	volatile unsigned long i = 0;

	if (sigsetjmp(unreadable, 1))
		return -EFAULT;
	while (i < count) {
		const volatile long *words = (volatile long *)&slots[i];
		long head = words[0], arg[6], result, jump;

		for (int a = 0; a < 6; a++)
			arg[a] = words[2 + a];
		if ((short)head == BATCH_WORD_COPY)
			result = copy_word(arg[0], arg[1]);
		else
			result = raw((short)head, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
		((volatile long *)rets)[i] = result;
		jump = (short)(head >> (result > 0 ? 48 : result < 0 ? 16 : 32));
		if (jump < 0 || i + 1 + jump >= count)
			return i;
		i += 1 + jump;
	}
	return -EINVAL;
}

static long verify(const struct batch_slot *slots, unsigned long count)
{
	if (sigsetjmp(unreadable, 1))
		return -EFAULT;
	for (unsigned long i = 0; i < count; i++)
		if (*(const volatile __u8 *)&slots[i].argc > BATCH_ARGS_MAX)
			return -EINVAL;
	return 0;
}

/* ---- and by a batch ---------------------------------------------------------------------------- */

static long enter(enum way way, struct batch_resume *resume, struct batch_slot *slots, long *rets,
		  unsigned long count)
{
	struct batch_run *run = arena_page(RUN), rest = { (unsigned long)slots, (unsigned long)rets,
							  count, 0, (unsigned long)resume };

	/*
	 * What is in the arena is for the first entry, and nobody touches it before the kernel does.
	 * What was handed back is not verified again: its first slot is taken up as one that was
	 * interrupted.
	 */
	if (entered++) {
		run = &rest;
		resume->slot = 0;
		if (sigsetjmp(unreadable, 1))
			return -EFAULT;
		*resume = (struct batch_resume){ .slot = 1, .call = slots[0] };
		if (takes_away_rest)
			take_resume_away();
		takes_away_rest = false;
	}
	if (way == BY_SYSCALL)
		return raw(BATCH_SYSCALL_NR, (long)slots, (long)rets, (long)count, 0, (long)resume,
			   0);
	return raw(SYS_ioctl, device, BATCH_IOC_RUN, (long)run, 0, 0, 0);
}

/* What came of the call that ended an entry, which is made by itself where the kernel leaves it to that. */
static long outcome_of(const struct batch_resume *resume, long answer)
{
	const struct batch_slot *call = &resume->call;

	if (!(resume->how & BATCH_RESUME_DIRECT))
		return answer;
	return raw(call->nr, call->arg[0], call->arg[1], call->arg[2], call->arg[3], call->arg[4],
		   call->arg[5]);
}

/* What an entry would have returned that a call has ended: see batch.h. */
static long interrupted(const struct batch_resume *resume, long answer, long *rets,
			unsigned long count)
{
	const volatile long slot = (long)resume->slot - 1;
	long jump;

	if (resume->how & BATCH_RESUME_UNSTORED)
		return answer;
	if (!(resume->how & (BATCH_RESUME_RESULT | BATCH_RESUME_DIRECT)) && answer != -EINTR)
		return slot ? BATCH_RUN_MORE | slot : -EOPNOTSUPP;
	if (sigsetjmp(unreadable, 1))
		return -EFAULT;
	((volatile long *)rets)[slot] = answer;
	jump = answer > 0   ? resume->call.jump_positive
	       : answer < 0 ? resume->call.jump_fail
			    : resume->call.jump_zero;
	if (jump < 0 || slot + 1 + jump >= (long)count)
		return slot;
	return BATCH_RUN_MORE | (slot + 1 + jump);
}

/*
 * As libferry's kernel executor runs it: what is handed back is entered again, and what the kernel
 * does not take, because it is watched, is run by the loop.
 */
static long by_batch(enum way way, struct batch_resume *resume, struct batch_slot *slots,
		     long *rets, unsigned long count)
{
	volatile unsigned long from = 0;
	long result;

	for (;;) {
		result = enter(way, resume, slots + from, rets + from, count - from);
		if (((volatile struct batch_resume *)resume)->slot)
			result = interrupted(resume, outcome_of(resume, result), rets + from,
					     count - from);
		if (result < 0)
			break;
		if (!(result & BATCH_RUN_MORE))
			return (long)from + result;
		from += (unsigned long)BATCH_RUN_NEXT(result);
	}
	if (result == -EFAULT || (from == 0 && (result == -EINVAL || result == -E2BIG)))
		return result;
	result = by_loop(slots + from, rets + from, count - from);
	return result < 0 ? result : (long)from + result;
}

/* What the library does in user space gets a signal where a page is not there, as the loop does. */
static long by_parts(struct batch_slot *slots, long *rets, unsigned long count)
{
	if (sigsetjmp(unreadable, 1))
		return -EFAULT;
	return run_in_parts(slots, rets, count);
}

/* What is held before a batch begins has its like in a loop: a word that is read, one that is written. */
static void touch_first(const struct place *place, enum way way)
{
	if (place->page == QUERY && way == BY_DEVICE)
		raw(SYS_ioctl, device, BATCH_IOC_QUERY, (long)arena_page(QUERY), 0, 0, 0);
	if (way != BY_LOOP)
		return;
	if (place->page == QUERY)
		*(volatile long *)arena_page(QUERY) = 0;
	if (place->phase == AT_ONCE && (place->page == RUN || place->page == RESUME))
		(void)*(volatile long *)arena_page(place->page);
}

static long run_probes(const struct place *place, enum way way)
{
	struct batch_slot *slots = arena_slots(place);
	unsigned long count = arena_count(place);
	long *rets = arena_rets(place), code;

	handle(SIGSEGV, repairs ? on_fault_to_repair : on_fault, SA_NODEFER);
	handle(SIGBUS, on_fault, SA_NODEFER);
	touch_first(place, way);
	if (way == BY_PARTS)
		return by_parts(slots, rets, count);
	if (way != BY_LOOP)
		return by_batch(way, arena_resume(place), slots, rets, count);
	code = verify(slots, count);
	return code ? code : by_loop(slots, rets, count);
}

/* ---- the process ------------------------------------------------------------------------------- */

static void *assist(void *unused)
{
	long (*inside)(const struct place *);
	const struct place *place;
	void *told[2];

	shared->assistant = (int)raw(SYS_gettid, 0, 0, 0, 0, 0, 0);
	while (read(ends.control[1], told, sizeof(told)) == sizeof(told)) {
		long answer;

		*(void **)&inside = told[0];
		place = told[1];
		answer = inside(place);
		if (write(ends.control[1], &answer, sizeof(answer)) != sizeof(answer))
			break;
	}
	return unused;
}

/* A word of the arena, or GONE. */
static long word_at(const void *address, size_t bytes)
{
	long word = 0;
	struct iovec to = { &word, bytes }, from = { (void *)address, bytes };

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)bytes ? word : GONE;
}

static void leave_record(const struct place *place, long code)
{
	struct record *record = &shared->record;

	/* behind the probes the end differs by the place */
	record->code = code < PROBES ? code : code - place->slots_split;
	for (int i = 0; i < PROBES; i++)
		record->rets[i] = word_at(arena_rets(place) + i, 8);
	/* whoever comes late finds the word changed */
	if (record->rets[FUTEX] == -EAGAIN)
		record->rets[FUTEX] = 0;
	record->word = word_at(arena_page(TARGET), 8);
	record->byte = word_at(arena_page(BUFFER), 1);
	record->euid = geteuid();
}

/* Take the page away that the task is to be held at, which userfaultfd then asks for. */
static int open_holes(const struct place *place)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register all = { .range = { (unsigned long)arena, PAGES * PAGE },
				       .mode = UFFDIO_REGISTER_MODE_MISSING };

	shared->uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (shared->uffd < 0 || ioctl(shared->uffd, UFFDIO_API, &api) ||
	    ioctl(shared->uffd, UFFDIO_REGISTER, &all))
		return -1;
	if (place->phase == CHECKED || place->phase == HANDED_BACK)
		return arena_take_away(SLOTS_LAST);
	return place->phase == AT_ONCE ? arena_take_away(place->page) : 0;
}

/*
 * A sleep makes work for a thread that has restartable sequences, and a module cannot do it: behind
 * the first place that holds it the batch would be handed back, and what is meant to be held at a
 * later slot would be held at the argc of that.
 */
static void leave_rseq(void)
{
	char *thread = __builtin_thread_pointer();

	if (__rseq_size)
		raw(SYS_rseq, (long)(thread + __rseq_offset), RSEQ_BYTES, RSEQ_FLAG_UNREGISTER,
		    RSEQ_SIG, 0, 0);
}

static int prepare(const struct place *place, const struct hazard *hazard, enum way way)
{
	pthread_t thread;

	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, SOMEBODY) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	if (way == BY_DEVICE && (device = open(DEVICE, O_RDWR | O_CLOEXEC)) < 0)
		return -1;
	if (way == BY_PARTS)
		device = library_open();
	if (hazard->files && arena_map_files())
		return -1;
	leave_rseq();
	handle(SIGUSR1, on_signal, hazard->flags);
	handle(SIGUSR2, on_credentials, SA_RESTART);
	handle(SIGALRM, on_alarm, SA_RESTART);
	takes_away = place->phase == TAKEN_UP && way != BY_LOOP;
	takes_away_rest = place->phase == HANDED_BACK;
	repairs = hazard->repairs;
	if ((hazard->requests || place->phase == KEPT) && make_requests())
		return -1;
	errno = pthread_create(&thread, NULL, assist, NULL);
	return errno ? -1 : open_holes(place);
}

int victim(const struct place *place, const struct hazard *hazard, enum way way)
{
	char go;

	if (prepare(place, hazard, way))
		shared->failed = errno;
	if (write(ends.begin[1], "", 1) != 1 || read(ends.begin[1], &go, 1) != 1 || shared->failed)
		return 1;
	leave_record(place, run_probes(place, way));
	/* where a tracer may stop looking */
	raw(SYS_getpgrp, 0, 0, 0, 0, 0, 0);
	return 0;
}
