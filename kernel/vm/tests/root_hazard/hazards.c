// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hazards: each changes something while a task is held, by itself or by the assistant.
 *
 * Not among them, since no other thread can do it to a task: seccomp's strict mode and system call
 * user dispatch (watched.c has slots do it), and audit, which begins with a process.
 */
#include "hazard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>

#define REQUESTS 2 /* a place may need one, and a hazard another */
#define ARGC_TOO_LARGE 200

/* ---- filters ----------------------------------------------------------------------------------- */

/* A filter for all threads that lets through everything but mkdir. */
static long filter_all(unsigned int action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { ARRAY_SIZE(code), code };

	return raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, (long)&program,
		   0, 0, 0);
}

static long filter_that_refuses(const struct place *place)
{
	(void)place;
	return filter_all(SECCOMP_RET_ERRNO | EPERM);
}

static long filter_that_kills(const struct place *place)
{
	(void)place;
	return filter_all(SECCOMP_RET_KILL_PROCESS);
}

/* ---- Landlock ---------------------------------------------------------------------------------- */

/* linux/landlock.h, of kernels that are newer than the headers here */
#define LANDLOCK_VERSION 1
#define LANDLOCK_MAKE_DIR (1 << 7)
#define LANDLOCK_ALL_THREADS (1 << 3)

static const char *no_landlock(void)
{
	if (raw(SYS_landlock_create_ruleset, 0, 0, LANDLOCK_VERSION, 0, 0, 0) < 0)
		return "this kernel has no Landlock, or it is switched off";
	return raw(SYS_landlock_restrict_self, -1, LANDLOCK_ALL_THREADS, 0, 0, 0, 0) == -EBADF
		       ? NULL
		       : "this kernel's Landlock restricts the calling thread alone";
}

/*
 * Forbid mkdir to all threads. The kernel has each of them do that itself, by task work that
 * interrupts it, and the assistant waits for them: for the one that is held until it goes on.
 */
static long restrict_all(const struct place *place)
{
	const unsigned long forbidden = LANDLOCK_MAKE_DIR;
	long rules =
		raw(SYS_landlock_create_ruleset, (long)&forbidden, sizeof(forbidden), 0, 0, 0, 0);

	(void)place;
	__atomic_store_n(&shared->blocks, 1, __ATOMIC_SEQ_CST);
	return raw(SYS_landlock_restrict_self, rules, LANDLOCK_ALL_THREADS, 0, 0, 0, 0);
}

/* ---- the process ------------------------------------------------------------------------------- */

/* It is the assistant that becomes another: credentials are a thread's own in the kernel. */
static long credentials_of_assistant(const struct place *place)
{
	(void)place;
	return raw(SYS_setresuid, -1, 65533, -1, 0, 0, 0);
}

static long end_assistant(const struct place *place)
{
	const long done = 0;

	(void)place;
	if (write(ends.control[1], &done, sizeof(done)) == sizeof(done))
		raw(SYS_exit, 0, 0, 0, 0, 0, 0);
	return -EPIPE;
}

static long become_another_program(const struct place *place)
{
	static char *const arguments[] = { "root_hazard", "ends", NULL };

	(void)place;
	execv("/proc/self/exe", arguments);
	return -errno;
}

static long end_all(const struct place *place)
{
	(void)place;
	return raw(SYS_exit_group, EXIT_GROUP, 0, 0, 0, 0, 0);
}

/* ---- descriptors ------------------------------------------------------------------------------- */

static long close_log(const struct place *place)
{
	(void)place;
	return raw(SYS_close, ends.log, 0, 0, 0, 0, 0);
}

static long replace_log(const struct place *place)
{
	(void)place;
	return raw(SYS_dup2, ends.other, ends.log, 0, 0, 0, 0) < 0 ? -errno : 0;
}

static long close_pipes(const struct place *place)
{
	(void)place;
	return raw(SYS_close, ends.read[0], 0, 0, 0, 0, 0) |
	       raw(SYS_close, ends.poll[0], 0, 0, 0, 0, 0);
}

/* Where there is none, as for the loop, that is no failure. */
static long close_device(const struct place *place)
{
	(void)place;
	raw(SYS_close, device, 0, 0, 0, 0, 0);
	return 0;
}

/* The descriptor is of a file without ioctls now. */
static long replace_device(const struct place *place)
{
	(void)place;
	if (device >= 0)
		raw(SYS_dup2, ends.other, device, 0, 0, 0, 0);
	return 0;
}

/* ---- mappings ---------------------------------------------------------------------------------- */

static long unmap(enum page first, enum page last)
{
	return munmap(arena_page(first), (last - first + 1) * PAGE) ? -errno : 0;
}

static long protect(enum page first, enum page last, int protection)
{
	return mprotect(arena_page(first), (last - first + 1) * PAGE, protection) ? -errno : 0;
}

static long move(enum page first, enum page last)
{
	size_t bytes = (last - first + 1) * PAGE;
	void *to = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (to == MAP_FAILED)
		return -errno;
	return mremap(arena_page(first), bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to
		       ? 0
		       : -errno;
}

static long replace(enum page first, enum page last)
{
	size_t bytes = (last - first + 1) * PAGE;

	return mmap(arena_page(first), bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED
		       ? -errno
		       : 0;
}

static long throw_away(enum page first, enum page last)
{
	return madvise(arena_page(first), (last - first + 1) * PAGE, MADV_DONTNEED) ? -errno : 0;
}

static long truncate_file(enum page first)
{
	return arena_truncate(first) ? -errno : 0;
}

/* Each of these for the slots that come, the results that come, and the buffers of the calls. */
#define MAPPINGS(what, do_it, last_buffer)                                                         \
	static long what##_slots(const struct place *place)                                        \
	{                                                                                          \
		(void)place;                                                                       \
		return do_it(SLOTS_FROM, SLOTS_LAST);                                              \
	}                                                                                          \
	static long what##_rets(const struct place *place)                                         \
	{                                                                                          \
		(void)place;                                                                       \
		return do_it(RETS_FROM, RETS_FROM);                                                \
	}                                                                                          \
	static long what##_buffers(const struct place *place)                                      \
	{                                                                                          \
		(void)place;                                                                       \
		return do_it(SOURCE, last_buffer);                                                 \
	}

#define hide(first, last) protect(first, last, PROT_NONE)
#define freeze_pages(first, last) protect(first, last, PROT_READ)
#define cut(first, last) truncate_file(first)

MAPPINGS(unmap, unmap, TIMEOUT)
MAPPINGS(hide, hide, TIMEOUT)
MAPPINGS(read_only, freeze_pages, TIMEOUT)
MAPPINGS(move, move, TIMEOUT)
MAPPINGS(throw_away, throw_away, TIMEOUT)
MAPPINGS(truncate, cut, TIMEOUT)
/* a poll of nothing would wait for ever */
MAPPINGS(replace, replace, TEXT)

static long unmap_last_slots(const struct place *place)
{
	(void)place;
	return unmap(SLOTS_LAST, SLOTS_LAST);
}

/* ---- what is written in slots ------------------------------------------------------------------ */

/*
 * Write over the slots from the split on, as far as they are in a page that is at `to`: another
 * call, and an argc that is refused only where it is verified.
 */
static void write_slots(const struct place *place, unsigned char *to, enum page page, bool call)
{
	unsigned char *from = arena_page(page);

	for (unsigned long i = place->slots_split; i < arena_count(place); i++) {
		unsigned char *slot = (unsigned char *)&arena_slots(place)[i];
		short *nr = (short *)(to + (slot - from));

		if (call && slot >= from && slot < from + PAGE && *nr != BATCH_WORD_COPY)
			*nr = SYS_getegid;
		slot += offsetof(struct batch_slot, argc);
		if (!call && slot >= from && slot < from + PAGE)
			to[slot - from] = ARGC_TOO_LARGE;
	}
}

/* The pages that are there; the one that the task is held at gets it when it is supplied. */
static void write_present_slots(const struct place *place, bool call, enum page first)
{
	for (enum page page = first; page <= SLOTS_LAST; page++)
		if (page != shared->missing)
			write_slots(place, arena_page(page), page, call);
}

static long change_calls(const struct place *place)
{
	write_present_slots(place, true, SLOTS_BEFORE);
	return 0;
}

static void supply_calls(const struct place *place, unsigned char *page, enum page which)
{
	if (which <= SLOTS_LAST)
		write_slots(place, page, which, true);
}

static long change_argc(const struct place *place)
{
	write_present_slots(place, false, SLOTS_BEFORE);
	return 0;
}

static void supply_argc(const struct place *place, unsigned char *page, enum page which)
{
	if (which <= SLOTS_LAST)
		write_slots(place, page, which, false);
}

static long change_last_argc(const struct place *place)
{
	write_present_slots(place, false, SLOTS_LAST);
	return 0;
}

static void supply_last_argc(const struct place *place, unsigned char *page, enum page which)
{
	if (which == SLOTS_LAST)
		write_slots(place, page, which, false);
}

/* ---- a request of io_uring, whose work is put on the victim's first thread ---------------------- */

static unsigned long received;

const char *no_ring(void)
{
	struct io_uring_params parameters = { 0 };
	long fd = raw(SYS_io_uring_setup, REQUESTS, (long)&parameters, 0, 0, 0, 0);

	if (fd < 0)
		return "io_uring is not there, or forbidden";
	close((int)fd);
	return NULL;
}

/*
 * Read what is not there yet, and once more: of an eventfd, which every kernel has the task read
 * itself, and no worker.
 */
int make_requests(void)
{
	struct io_uring_params parameters = { 0 };
	struct io_uring_sqe *entries;
	unsigned char *ring;
	size_t bytes;
	long fd = raw(SYS_io_uring_setup, REQUESTS, (long)&parameters, 0, 0, 0, 0);

	if (fd < 0)
		return -1;
	bytes = parameters.sq_off.array + parameters.sq_entries * sizeof(__u32);
	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, (int)fd,
		    IORING_OFF_SQ_RING);
	entries = mmap(NULL, parameters.sq_entries * sizeof(*entries), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_POPULATE, (int)fd, IORING_OFF_SQES);
	if (ring == MAP_FAILED || entries == MAP_FAILED)
		return -1;
	for (__u32 i = 0; i < REQUESTS; i++) {
		entries[i] = (struct io_uring_sqe){ .opcode = IORING_OP_READ,
						    .fd = ends.ring,
						    .addr = (unsigned long)&received,
						    .len = sizeof(received) };
		((__u32 *)(ring + parameters.sq_off.array))[i] = i;
	}
	__atomic_store_n((__u32 *)(ring + parameters.sq_off.tail), REQUESTS, __ATOMIC_RELEASE);
	return raw(SYS_io_uring_enter, fd, REQUESTS, 0, 0, 0, 0) == REQUESTS ? 0 : -1;
}

/* ---- the table --------------------------------------------------------------------------------- */

/* clang-format off */

#define MAPPING_HAZARDS(what, text, slots_show, rets_show, buffers_show) \
	{ .name = "slots " text, .inside = what##_slots, .slots = true, .shows = slots_show }, \
	{ .name = "results " text, .inside = what##_rets, .shows = rets_show }, \
	{ .name = "buffers " text, .inside = what##_buffers, .shows = buffers_show }

#define SIGNAL .outside = send_signal, .interrupts = true, .after = until_handled, .shows = true

const struct hazard hazards[] = {
	/* the first is what others are to differ from */
	{ .name = "nothing" },
	{ .name = "a filter that refuses", .inside = filter_that_refuses, .shows = true },
	{ .name = "a filter that kills", .inside = filter_that_kills, .shows = true },
	{ .name = "Landlock for all threads", .lacks = no_landlock, .inside = restrict_all,
	  .blocks = true, .outside = until_blocked, .interrupts = true, .after = until_answered,
	  .shows = true },
	{ .name = "a handled signal", SIGNAL },
	{ .name = "a handled signal, restarting", SIGNAL, .flags = SA_RESTART },
	{ .name = "a signal, and argc of slots that never run", SIGNAL, .flags = SA_RESTART,
	  .inside = change_last_argc, .supply = supply_last_argc },
	{ .name = "a signal, and slots that never run unmapped", SIGNAL, .flags = SA_RESTART,
	  .inside = unmap_last_slots, .whole = true },
	{ .name = "credentials of all threads", .outside = send_credentials, .interrupts = true,
	  .after = until_handled, .shows = true },
	{ .name = "credentials of another thread", .inside = credentials_of_assistant },
	{ .name = "stop and continue", .outside = stop, .interrupts = true, .after = go_on,
	  .shows = true },
	{ .name = "the freezer", .lacks = no_freezer, .outside = freeze, .interrupts = true,
	  .after = thaw, .shows = true },
	{ .name = "a tracer of calls", .outside = seize, .interrupts = true, .after = trace,
	  .shows = true },
	{ .name = "a debugger that seizes", .outside = seize, .interrupts = true, .after = let_run,
	  .shows = true },
	{ .name = "a debugger that comes and goes", .outside = attach, .interrupts = true,
	  .after = detach, .shows = true },
	{ .name = "tracepoints", .lacks = no_tracepoints, .outside = tracepoints_on,
	  .end = tracepoints_off, .shows = true },
	{ .name = "a request of io_uring", .lacks = no_ring, .requests = true,
	  .outside = complete_request, .interrupts = true, .after = until_completed },
	{ .name = "SIGKILL", .outside = send_kill, .ends = true, .shows = true },
	{ .name = "another thread ends", .inside = end_assistant },
	{ .name = "another thread ends all", .inside = end_all, .ends = true, .shows = true },
	{ .name = "another thread executes a program", .inside = become_another_program,
	  .ends = true, .shows = true },
	{ .name = "the log closed", .inside = close_log, .shows = true },
	{ .name = "the log replaced", .inside = replace_log, .shows = true },
	{ .name = "pipes closed", .inside = close_pipes, .shows = true },
	{ .name = DEVICE " closed", .inside = close_device },
	{ .name = DEVICE " replaced", .inside = replace_device },
	MAPPING_HAZARDS(unmap, "unmapped", true, true, true),
	MAPPING_HAZARDS(hide, "inaccessible", true, true, true),
	MAPPING_HAZARDS(read_only, "read-only", false, true, true),
	{ .name = "slots inaccessible until SIGSEGV", .inside = hide_slots, .slots = true,
	  .repairs = true },
	{ .name = "results inaccessible until SIGSEGV", .inside = hide_rets, .repairs = true },
	{ .name = "results read-only until SIGSEGV", .inside = read_only_rets, .repairs = true },
	MAPPING_HAZARDS(move, "moved away", true, true, true),
	MAPPING_HAZARDS(replace, "replaced by zeros", true, false, true),
	MAPPING_HAZARDS(throw_away, "thrown away", false, false, true),
	{ .name = "slots truncated", .inside = truncate_slots, .files = true, .slots = true,
	  .shows = true },
	{ .name = "results truncated", .inside = truncate_rets, .files = true, .shows = true },
	{ .name = "buffers truncated", .inside = truncate_buffers, .files = true, .shows = true },
	{ .name = "other calls in the slots", .inside = change_calls, .supply = supply_calls,
	  .slots = true, .shows = true },
	{ .name = "argc out of range", .inside = change_argc, .supply = supply_argc,
	  .slots = true, .shows = true },
};

/* clang-format on */

const unsigned int hazard_count = ARRAY_SIZE(hazards);
