// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a cell left behind, and whether two cells left the same.
 */
#include "hazard.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const probe_names[PROBES] = {
	"the first write", "the word copy", "read",  "mkdir",	       "geteuid",
	"write",	   "poll",	    "futex", "the last write",
};

/* Note a call that a tracer or a tracepoint saw, if it is one that does not wait. */
void record_seen(struct record *record, long nr)
{
	size_t length = strlen(record->seen);
	char letter = nr == SYS_write ? 'w' : nr == SYS_mkdir ? 'm' : nr == SYS_geteuid ? 'g' : 0;

	if (letter && length < sizeof(record->seen) - 1)
		record->seen[length] = letter;
}

/* Complete a record by what the controller finds when the victim has ended. */
void record_take(struct record *record)
{
	const struct record *victims = &shared->record;

	record->code = victims->code;
	memcpy(record->rets, victims->rets, sizeof(record->rets));
	record->word = victims->word;
	record->byte = victims->byte;
	record->euid = victims->euid;
	record->folder = access(FOLDER, F_OK) == 0;
	if (pread(ends.log, record->log, sizeof(record->log) - 1, 0) < 0 ||
	    pread(ends.other, record->other, sizeof(record->other) - 1, 0) < 0)
		strcpy(record->log, "?");
}

static bool differs;

static void compare(const char *where, long found, long wanted, const char *format, ...)
{
	va_list arguments;

	if (found == wanted)
		return;
	differs = true;
	if (!where)
		return;
	printf("# %s: ", where);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf(": %ld, one by one %ld\n", found, wanted);
}

static void compare_text(const char *where, const char *found, const char *wanted, const char *what)
{
	if (!strcmp(found, wanted))
		return;
	differs = true;
	if (where)
		printf("# %s: %s: \"%s\", one by one \"%s\"\n", where, what, found, wanted);
}

/* Whether two records say the same; what they do not is printed, with `where`, unless that is NULL. */
bool record_same(const struct record *found, const struct record *wanted, const char *where)
{
	differs = false;
	compare(where, found->code, wanted->code, "the run");
	for (int i = 0; i < PROBES; i++)
		compare(where, found->rets[i], wanted->rets[i], "result of %s", probe_names[i]);
	compare(where, found->word, wanted->word, "the copied word");
	compare(where, found->byte, wanted->byte, "the byte that was read");
	compare(where, found->euid, wanted->euid, "who the victim is");
	compare(where, found->status, wanted->status, "wait status");
	compare(where, found->folder, wanted->folder, "whether the folder was made");
	compare(where, found->held, wanted->held, "results when it was held");
	compare(where, found->stopped, wanted->stopped, "calls made when it had stopped");
	compare_text(where, found->log, wanted->log, "the log");
	compare_text(where, found->other, wanted->other, "the other file");
	compare_text(where, found->seen, wanted->seen, "calls that were seen");
	return !differs;
}
