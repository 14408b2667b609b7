// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a task is held: every access to user memory that the batch core makes, each buffer of the
 * calls, and in each call that waits: asleep, and where the kernel keeps what it needs to go on with
 * it and finds it again; and where it takes up the rest of a batch that it has handed back.
 */
#include "hazard.h"

/* clang-format off */

/* The next slot, and the result of this one, are the first of their pages. */
#define NEXT(k) .slots_split = (k) + 1, .rets_split = (k)

#define LOAD(k, what) \
	{ .name = "load of " what, .phase = CHECKED, .page = SLOTS_FROM, .slots_split = (k), \
	  .rets_split = (k), .made = (k) }
#define LOAD_ARGUMENT(k, w, what) \
	{ .name = "argument " what, .phase = CHECKED, .page = SLOTS_FROM, .slots_split = (k), \
	  .word = (w), .rets_split = (k), .made = (k) }
#define STORE(k, what) \
	{ .name = "result of " what, .page = RETS_FROM, .made = (k) + 1, NEXT(k) }
/* held in the call of slot k, which then waits for us only if `lets_go` is 0 */
#define IN(k, lets_go, in, what) \
	{ .name = what, .page = (in), .made = (k) + (lets_go), NEXT(k) }
/* behind a handler that ran before slot k */
#define REST(k, what) \
	{ .name = "the rest, " what, .phase = HANDED_BACK, .page = RESUME, .slots_split = (k), \
	  .rets_split = (k), .made = (k) }
#define WAITS(k, how, what) \
	{ .name = what, .phase = (how), .page = RESUME, .made = (k), NEXT(k) }

const struct place places[] = {
	{ .name = "argc of the last slots", .page = SLOTS_LAST },
	{ .name = "argc of mkdir", .page = SLOTS_FROM, .slots_split = MKDIR },
	{ .name = "struct batch_run", .page = RUN, .device_only = true },
	{ .name = "struct batch_query", .page = QUERY, .device_only = true },
	{ .name = "struct batch_resume", .page = RESUME },
	LOAD(FIRST_WRITE, "the first slot"),
	[BEHIND_FIRST] = LOAD(WORD_COPY, "the word copy"),
	LOAD(READ, "read"),
	LOAD(MKDIR, "mkdir"),
	LOAD(GETEUID, "geteuid"),
	LOAD(WRITE, "write"),
	LOAD(POLL, "poll"),
	LOAD(FUTEX, "futex"),
	LOAD(LAST_WRITE, "the last slot"),
	LOAD_ARGUMENT(MKDIR, 2, "0 of mkdir"),
	LOAD_ARGUMENT(READ, 4, "2 of read"),
	LOAD_ARGUMENT(WRITE, 7, "5 of write"),
	STORE(FIRST_WRITE, "the first slot"),
	STORE(WORD_COPY, "the word copy"),
	STORE(READ, "read"),
	STORE(MKDIR, "mkdir"),
	STORE(GETEUID, "geteuid"),
	STORE(WRITE, "write"),
	STORE(POLL, "poll"),
	STORE(FUTEX, "futex"),
	STORE(LAST_WRITE, "the last slot"),
	IN(WORD_COPY, 1, SOURCE, "the word copy's source"),
	IN(WORD_COPY, 1, TARGET, "the word copy's target"),
	IN(READ, 1, BUFFER, "read's buffer"),
	IN(MKDIR, 1, PATH, "mkdir's path"),
	IN(WRITE, 1, TEXT, "write's buffer"),
	IN(POLL, 0, POLLED, "poll's descriptors"),
	IN(FUTEX, 0, TIMEOUT, "futex's time limit"),
	WAITS(READ, ASLEEP, "asleep in read"),
	WAITS(POLL, ASLEEP, "asleep in poll"),
	WAITS(FUTEX, ASLEEP, "asleep in futex"),
	WAITS(READ, KEPT, "read is kept"),
	WAITS(POLL, KEPT, "poll is kept"),
	WAITS(FUTEX, KEPT, "futex is kept"),
	WAITS(READ, TAKEN_UP, "read is taken up"),
	{ .name = "read's call is taken up", .phase = TAKEN_UP, .page = RESUME, .made = READ,
	  .call_split = true, NEXT(READ) },
	REST(READ, "from read"),
	REST(MKDIR, "from mkdir"),
	REST(LAST_WRITE, "from the last slot"),
	{ .name = "the rest, mkdir's call", .phase = HANDED_BACK, .page = RESUME, .made = MKDIR,
	  .slots_split = MKDIR, .rets_split = MKDIR, .call_split = true },
};

/* clang-format on */

const unsigned int place_count = ARRAY_SIZE(places);
