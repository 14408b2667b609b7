// SPDX-License-Identifier: GPL-2.0-only
/*
 * The user memory of a batch. It is laid out in the controller, and the victim gets it by fork(), at
 * the same addresses: what a page is supplied with is the controller's own. Where a hazard truncates
 * files, the victim has slots, results and buffers in one each.
 */
#include "hazard.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>

#define SLOTS_OF_A_PAGE (PAGE / sizeof(struct batch_slot))

unsigned char *arena;

/* The parts of the arena that have a file each. */
static struct {
	const enum page first, last;
	int fd;
} files[] = {
	{ SLOTS_BEFORE, SLOTS_LAST, -1 },
	{ RETS_BEFORE, RETS_FROM, -1 },
	{ SOURCE, TIMEOUT, -1 },
};

void arena_make(void)
{
	arena = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	if (arena == MAP_FAILED) {
		printf("Bail out! no memory for the arena\n");
		exit(1);
	}
}

void *arena_page(enum page page)
{
	return arena + page * PAGE;
}

struct batch_resume *arena_resume(const struct place *place)
{
	size_t before = place->call_split ? offsetof(struct batch_resume, call) : 0;

	return (struct batch_resume *)(arena + RESUME * PAGE - before);
}

struct batch_slot *arena_slots(const struct place *place)
{
	unsigned long before = place->slots_split * sizeof(struct batch_slot) + place->word * 8UL;

	return (struct batch_slot *)(arena + SLOTS_FROM * PAGE - before);
}

long *arena_rets(const struct place *place)
{
	return (long *)arena_page(RETS_FROM) - place->rets_split;
}

/* Up to the second slot whose argc is in SLOTS_LAST. */
unsigned long arena_count(const struct place *place)
{
	return place->slots_split + SLOTS_OF_A_PAGE + 2;
}

static struct batch_slot call(long nr, long a, long b, long c, long d)
{
	return (struct batch_slot){ .nr = (short)nr, .argc = 4, .arg = { a, b, c, d } };
}

static void lay_out_slots(struct batch_slot *slots, unsigned long count)
{
	long target = (long)arena_page(TARGET), source = (long)arena_page(SOURCE);
	long polled = (long)arena_page(POLLED), buffer = (long)arena_page(BUFFER);
	long path = (long)arena_page(PATH), text = (long)arena_page(TEXT);

	for (unsigned long i = 0; i < count; i++)
		slots[i] = call(SYS_geteuid, 0, 0, 0, 0);
	slots[FIRST_WRITE] = call(SYS_write, ends.log, (long)"a", 1, 0);
	slots[WORD_COPY] = call(BATCH_WORD_COPY, target, source, 0, 0);
	slots[READ] = call(SYS_read, ends.read[0], buffer, 1, 0);
	slots[MKDIR] = call(SYS_mkdir, path, 0700, 0, 0);
	slots[GETEUID] = call(SYS_geteuid, 0, 0, 0, 0);
	slots[WRITE] = call(SYS_write, ends.log, text, 1, 0);
	slots[POLL] = call(SYS_poll, polled, 1, -1, 0);
	slots[FUTEX] =
		call(SYS_futex, (long)&shared->word, FUTEX_WAIT, 0, (long)arena_page(TIMEOUT));
	slots[LAST_WRITE] = call(SYS_write, ends.log, (long)"z", 1, 0);
	/* where parts end; to the others it says nothing */
	slots[READ].flags = slots[POLL].flags = slots[FUTEX].flags = BATCH_SLOT_MAY_BLOCK;
	slots[LAST_WRITE].jump_fail = BATCH_STOP;
	slots[LAST_WRITE].jump_zero = BATCH_STOP;
	slots[LAST_WRITE].jump_positive = BATCH_STOP;
}

/* Write every page anew, as a place wants it. */
void arena_lay_out(const struct place *place)
{
	static const struct timespec week = { 604800, 0 };
	unsigned long count = arena_count(place);
	long *rets = arena_rets(place);

	memset(arena, 0, PAGES * PAGE);
	lay_out_slots(arena_slots(place), count);
	for (unsigned long i = 0; i < count; i++)
		rets[i] = UNTOUCHED;
	*(long *)arena_page(SOURCE) = COPIED_WORD;
	strcpy(arena_page(PATH), FOLDER);
	strcpy(arena_page(TEXT), "w");
	*(struct pollfd *)arena_page(POLLED) = (struct pollfd){ ends.poll[0], POLLIN, 0 };
	*(struct timespec *)arena_page(TIMEOUT) = week;
	*(struct batch_run *)arena_page(RUN) = (struct batch_run){
		.slots = (unsigned long)arena_slots(place),
		.rets = (unsigned long)rets,
		.count = count,
		.resume = (unsigned long)arena_resume(place),
	};
}

/* In the victim: from here on these pages are those of files, with what they hold. Returns 0 or -1. */
int arena_map_files(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		size_t bytes = (files[i].last - files[i].first + 1) * PAGE;
		void *at = arena_page(files[i].first);

		files[i].fd = memfd_create("arena", MFD_CLOEXEC);
		if (files[i].fd < 0 || write(files[i].fd, at, bytes) != (ssize_t)bytes ||
		    mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, files[i].fd,
			 0) == MAP_FAILED)
			return -1;
	}
	return 0;
}

/* The file that a page is of, or -1. */
static int file_of(enum page page)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (page >= files[i].first && page <= files[i].last)
			return files[i].fd;
	return -1;
}

/* End a file where a page of it begins: that one and those behind it are mapped, and nothing is there. */
int arena_truncate(enum page from)
{
	size_t i = 0;

	while (from > files[i].last)
		i++;
	return ftruncate(files[i].fd, (off_t)((from - files[i].first) * PAGE));
}

/* Have a page be missing, so that userfaultfd asks for it. Returns 0 or -1. */
int arena_take_away(enum page page)
{
	return madvise(arena_page(page), PAGE, file_of(page) < 0 ? MADV_DONTNEED : MADV_REMOVE);
}
