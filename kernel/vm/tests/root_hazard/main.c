// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table: each hazard at each place, by the loop and by each way there is, one test for each
 * hazard and way. A cell that fails is printed with what it did and what the loop did.
 *
 * root_hazard HAZARD [PLACE]: only those whose names hold these texts.
 * vm.share=N on the kernel's command line: one cell in N is run, such that N hazards in a row are at
 * every place, and each hazard is at one place in N.
 */
#include "hazard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAY_USE_IT "/proc/sys/vm/unprivileged_userfaultfd"
#define PLACES_MAX 64
#define TRIES 8	    /* of a cell */
#define HANGS_MAX 4 /* cells that hang, after which no more are tried */

static const char *const way_names[WAYS] = { "loop", "device", "system call", "in parts" };
static const char *wanted_hazard = "", *wanted_place = "";
static const char *without_ring; /* why there is no io_uring */
static unsigned long share = 1;	 /* one cell in so many is run */
static unsigned int test_number, test_failures, hangs;

/* What the loop did with a hazard, by place, where it is known; and without any. */
static struct record one_by_one[PLACES_MAX], calm[PLACES_MAX];
static bool is_known[PLACES_MAX];

static void report(bool good, enum way way, const char *format, ...)
{
	va_list arguments;

	printf("%sok %u - %s: ", good ? "" : "not ", ++test_number, way_names[way]);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	fflush(stdout);
	test_failures += !good;
}

static bool is_there(enum way way)
{
	if (way == BY_SYSCALL)
		return raw(BATCH_SYSCALL_NR, 0, 0, 0, 0, 0, 0) == -EINVAL;
	if (way == BY_PARTS)
		return is_there(BY_DEVICE) || is_there(BY_SYSCALL);
	return way == BY_LOOP || access(DEVICE, F_OK) == 0;
}

/*
 * Run a cell. Whether it can be judged; else it is said why. A tick of the scheduler may put work on
 * a task that a module has to leave to the entry code: then the run has been handed back before its
 * place, and is held at that when it is entered again. Such a cell is run again.
 */
static bool run_one(const struct place *place, const struct hazard *hazard, enum way way,
		    struct record *record, int held)
{
	struct cell cell;

	for (int i = 0; i < TRIES; i++) {
		cell = (struct cell){
			.place = place, .hazard = hazard, .way = way, .record = record
		};
		run_cell(&cell);
		if (way == BY_LOOP || record->held == held || cell.hangs)
			break;
	}
	hangs += cell.hangs;
	if (cell.failed)
		printf("# %s: %s: %s (log \"%s\")\n", place->name, way_names[way], cell.failed,
		       record->log);
	return !cell.failed;
}

/*
 * Whether a place is one where the library runs a batch in parts. What it passes to the kernel
 * besides the arena is its own. It reads the heads of a part, and of the slot that waits behind it,
 * before it enters the kernel: so the first slot of a part is where it is held in user space at what
 * comes next, as the loop is. Of a part that is one slot only, the arguments are left to the kernel.
 */
static bool is_in_parts(const struct place *place)
{
	switch (place->phase) {
	case AT_ONCE:
		return !place->device_only && place->page != RESUME;
	case CHECKED:
		if (place->word)
			return place->made == READ;
		return place->made == FIRST_WRITE || place->made == MKDIR || place->made == FUTEX ||
		       place->made == LAST_WRITE;
	case ASLEEP:
		return true;
	default:
		return false;
	}
}

static bool is_wanted(const struct place *place, enum way way)
{
	return hangs < HANGS_MAX && strstr(place->name, wanted_place) &&
	       (way == BY_DEVICE || way == BY_PARTS || !place->device_only) &&
	       (way != BY_PARTS || is_in_parts(place)) && (place->phase != KEPT || !without_ring);
}

static bool is_in_share(const struct hazard *hazard, unsigned int place)
{
	return ((unsigned long)(hazard - hazards) + place) % share == 0;
}

/* Run a cell by the loop, unless that was done. */
static bool loop_knows(const struct hazard *hazard, unsigned int place)
{
	if (!is_known[place])
		is_known[place] = run_one(&places[place], hazard, BY_LOOP, &one_by_one[place], 0);
	return is_known[place];
}

/*
 * What the loop does without a hazard, everywhere; with one, in its share of the places, and beyond
 * it until something changes. Fails when a hazard that is to change something changes nothing.
 */
static void by_the_loop(const struct hazard *hazard, bool device)
{
	unsigned int failed = 0, cells = 0, changed = 0;
	bool is_calm = hazard == hazards;

	memset(is_known, 0, sizeof(is_known));
	for (int beyond = 0; beyond < 2; beyond++)
		for (unsigned int i = 0; i < place_count; i++) {
			if (!is_wanted(&places[i], device ? BY_DEVICE : BY_SYSCALL) ||
			    is_in_share(hazard, i) == beyond ||
			    (beyond && !is_calm && (changed || !hazard->shows)))
				continue;
			cells++;
			failed += !loop_knows(hazard, i);
			changed += !record_same(&one_by_one[i], &calm[i], NULL);
		}
	if (is_calm)
		memcpy(calm, one_by_one, sizeof(calm));
	if (hazard->shows && !changed)
		printf("# it changes nothing, wherever the loop is held\n");
	report(!failed && (!hazard->shows || changed), BY_LOOP, "%s: held at %u places, %u changed",
	       hazard->name, cells, is_calm ? 0 : changed);
}

/* The place of the load of a slot. */
static unsigned int load_of(unsigned int slot)
{
	unsigned int place = BEHIND_FIRST - 1;

	while (places[place].made != slot)
		place++;
	return place;
}

/* The place where the task sleeps in a slot, or place_count. */
static unsigned int asleep_in(unsigned int slot)
{
	unsigned int place = 0;

	while (place < place_count && (places[place].phase != ASLEEP || places[place].made != slot))
		place++;
	return place;
}

/* Whether it is the first slot of a run that the kernel makes next, and has its head. */
static bool is_first_of_run(const struct place *place, enum way way)
{
	if (way == BY_PARTS)
		return place->phase == CHECKED && place->word;
	return (place->made == 0 && place->page != QUERY) || place->phase == HANDED_BACK;
}

/*
 * Where a batch is held the loop may not be held in just the same moment. So it may have done, too,
 * what the loop does that is held one access later or before:
 *
 * - The first slot of a run is made whatever has come, so that a run always gets on. What interrupts
 *   a task before it is seen behind it or, where it waits, in it.
 * - The first slot of a rest is with the kernel already, whatever becomes of the slots.
 * - A call that is to be begun again is not in the kernel any more, as before it was made.
 */
static bool same_close_by(const struct record *found, unsigned int place,
			  const struct hazard *hazard, enum way way)
{
	const struct place *at = &places[place];
	unsigned int by_loop = asleep_in(at->made);
	struct record wanted;

	if (is_first_of_run(at, way) &&
	    (hazard->interrupts || (at->phase == HANDED_BACK && hazard->slots)))
		by_loop = by_loop < place_count ? by_loop : load_of(at->made + 1);
	else if (at->phase == KEPT || at->phase == TAKEN_UP)
		by_loop = load_of(at->made);
	else
		return false;
	if (!loop_knows(hazard, by_loop))
		return false;
	wanted = one_by_one[by_loop];
	wanted.held = found->held;
	return record_same(found, &wanted, NULL);
}

static void by_batch(const struct hazard *hazard, enum way way)
{
	unsigned int failed = 0, cells = 0;

	for (unsigned int i = 0; i < place_count; i++) {
		struct record record;

		if (!is_wanted(&places[i], way) || !is_in_share(hazard, i))
			continue;
		cells++;
		if (!run_one(&places[i], hazard, way, &record, one_by_one[i].held) ||
		    (!same_close_by(&record, i, hazard, way) &&
		     !record_same(&record, &one_by_one[i], places[i].name)))
			failed++;
	}
	if (failed)
		printf("# %u of %u places\n", failed, cells);
	report(!failed, way, "%s: as one by one", hazard->name);
}

static void try_hazard(const struct hazard *hazard)
{
	const char *why = hazard->lacks ? hazard->lacks() : NULL;

	if (why) {
		printf("ok %u - %s # SKIP %s\n", ++test_number, hazard->name, why);
		return;
	}
	by_the_loop(hazard, is_there(BY_DEVICE));
	for (enum way way = BY_DEVICE; way < WAYS; way++)
		if (is_there(way) && !(way == BY_PARTS ? hazard->whole : hazard->repairs))
			by_batch(hazard, way);
}

/* Let unprivileged users hold the kernel in a fault. Returns the setting before. */
static char let_all_use_it(char setting)
{
	int fd = open(MAY_USE_IT, O_RDWR | O_CLOEXEC);
	char was = setting;

	if (fd < 0 || pread(fd, &was, 1, 0) != 1 || pwrite(fd, &setting, 1, 0) != 1)
		was = 0;
	if (fd >= 0)
		close(fd);
	return was;
}

/* The share that the kernel's command line asks for, or 1. */
static unsigned long wanted_share(void)
{
	char line[4096] = "", *found;
	FILE *file = fopen("/proc/cmdline", "r");
	unsigned long wanted;

	if (file) {
		if (!fgets(line, sizeof(line), file))
			line[0] = 0;
		fclose(file);
	}
	found = strstr(line, "vm.share=");
	wanted = found ? strtoul(found + strlen("vm.share="), NULL, 10) : 1;
	return wanted ? wanted : 1;
}

int main(int argc, char **argv)
{
	char setting;

	if (argc == 2 && !strcmp(argv[1], "ends"))
		return EXIT_EXEC;
	if (argc > 1)
		wanted_hazard = argv[1];
	if (argc > 2)
		wanted_place = argv[2];
	setting = let_all_use_it('1');
	if (!setting) {
		printf("1..0 # SKIP this kernel has no userfaultfd, or we are not root\n");
		return 0;
	}
	controller_begin();
	without_ring = no_ring();
	share = wanted_share();
	printf("# one cell in %lu is run\n", share);
	for (unsigned int i = 0; i < hazard_count; i++)
		if (i == 0 || strstr(hazards[i].name, wanted_hazard))
			try_hazard(&hazards[i]);
	let_all_use_it(setting);
	if (hangs >= HANGS_MAX)
		report(false, BY_LOOP, "%u cells hang, and the others were not tried", hangs);
	printf("1..%u\n", test_number);
	return test_failures > 0;
}
