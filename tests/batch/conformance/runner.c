/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Run every vector on every executor: runner [-p] [-e EXECUTOR] [FOLDER | FILE]…, by default spec/vectors. Prints TAP,
 * one result per vector and executor; with -p, what each batch did, as lines that can be pasted into a vector; with -e,
 * on that executor alone.
 *
 * Each run is a child process of its own, so that a crash, a call that should not have been made (exit, fork) or one
 * that hangs fails that result and no other. The child runs the batch each time on fresh memory: with batch_run,
 * prepared, and slot by slot where the executor can. It is told to be silent when all is well; what it writes is the
 * failure.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "executors.h"

#define FILE_BYTES_MAX 65536
#define TIMEOUT_S 120	 /* for what hangs: a machine may be slow, or stand still for a while */
#define ERRNO_MARK 12345 /* an errno that no call gives */

static bool print_results;
static const char *only; /* the executor to run on, or NULL: all */
static unsigned int result_count, failure_count;

struct run {
	const struct vector *vector;
	const char *executor;
	struct bound bound;
	struct opened opened;
	struct batch_error error;
	long last;
	int errno_after;
	FILE *complaints;
};

static void complain(const struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(const struct run *run, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(run->complaints, format, arguments);
	va_end(arguments);
	fputc('\n', run->complaints);
}

static bool as_expected(const struct run *run, const struct vector_expected *expected, size_t index, long result)
{
	double value;

	memcpy(&value, &result, sizeof(value));
	switch (expected->kind) {
	case VECTOR_UNTOUCHED:
		return result == vector_untouched(index);
	case VECTOR_NOT_NEGATIVE:
		return result >= 0 && result != vector_untouched(index);
	case VECTOR_POSITIVE:
		return result > 0 && result != vector_untouched(index);
	case VECTOR_NAN:
		return isnan(value);
	default:
		return result == vector_word_value(&run->bound, run->vector, &expected->word);
	}
}

static void print_result(FILE *to, size_t index, long result)
{
	const char *name = vector_errno_name(-result);

	if (result == vector_untouched(index))
		fputs(" -", to);
	else if (name)
		fprintf(to, " -%s", name);
	else
		fprintf(to, " %ld", result);
}

static void print_run(const struct run *run)
{
	const char *reason = batch_reason_text(run->error.reason);

	if (run->last < 0) {
		fprintf(run->complaints, "; error(%s): -%s reason %d slot %ld (%s)\n", run->executor,
			vector_errno_name(-run->last), (int)run->error.reason, run->error.slot, reason);
		return;
	}
	fprintf(run->complaints, "; run(%s):", run->executor);
	for (size_t i = 0; i < run->vector->slot_count; i++)
		print_result(run->complaints, i, run->bound.rets_memory[i]);
	fprintf(run->complaints, " last %ld\n", run->last);
}

static void check_results(const struct run *run, const struct vector_run *expected)
{
	size_t index = 0, wrong = 0;

	if (run->last != (long)expected->last)
		complain(run, "line %u: the last slot was %ld, not %u", expected->line, run->last, expected->last);
	for (unsigned int i = 0; i < expected->expected_count; i++) {
		for (unsigned int t = 0; t < expected->expected[i].times; t++, index++) {
			long result = run->bound.rets_memory[index];

			if (as_expected(run, &expected->expected[i], index, result))
				continue;
			if (wrong++ < 8)
				complain(run, "line %u: slot %zu gave %ld (0x%lx)", expected->line, index, result,
					 (unsigned long)result);
		}
	}
	if (wrong)
		print_run(run);
}

static void check_refusal(const struct run *run, const struct vector_refusal *expected)
{
	if (run->last != expected->code || run->error.code != expected->code)
		complain(run, "returned %ld with error code %d, not %d", run->last, run->error.code, expected->code);
	if (run->error.reason != expected->reason)
		complain(run, "reason %d (%s), not %d", (int)run->error.reason, batch_reason_text(run->error.reason),
			 (int)expected->reason);
	if (run->error.slot != expected->slot)
		complain(run, "named slot %ld, not %ld", run->error.slot, expected->slot);
	for (size_t i = 0; i < run->vector->slot_count; i++)
		if (run->bound.rets_memory[i] != vector_untouched(i))
			complain(run, "refused, but rets[%zu] was written", i);
}

static void check_afters(const struct run *run)
{
	const struct vector *vector = run->vector;

	for (unsigned int i = 0; i < vector->after_count; i++) {
		const struct vector_after *after = &vector->afters[i];
		const char *at = (const char *)vector_word_value(&run->bound, vector, &after->address);
		long found, wanted;

		if (after->is_string) {
			if (memcmp(at, vector->strings + after->string, after->string_bytes) != 0)
				complain(run, "line %u: other bytes: \"%.*s\"", after->line, (int)after->string_bytes,
					 at);
			continue;
		}
		memcpy(&found, at, sizeof(found));
		wanted = vector_word_value(&run->bound, vector, &after->word);
		if (found != wanted)
			complain(run, "line %u: the word is 0x%lx, not 0x%lx", after->line, (unsigned long)found,
				 (unsigned long)wanted);
	}
}

static bool has_word_copy(const struct vector *vector)
{
	for (unsigned int i = 0; i < vector->line_count; i++)
		if (vector->slots[i].nr == BATCH_WORD_COPY)
			return true;
	return false;
}

static void check(const struct run *run, const struct batch_slot *before)
{
	const struct vector *vector = run->vector;
	const struct vector_run *expected = vector_run_for(vector, run->executor);
	const struct vector_refusal *refusal = vector_refusal_for(vector, run->executor);

	if (refusal)
		check_refusal(run, refusal);
	else if (!expected)
		complain(run, "the vector says nothing about this executor: add a run or error line");
	else if (run->last < 0)
		complain(run, "refused: reason %d, slot %ld: %s", (int)run->error.reason, run->error.slot,
			 batch_reason_text(run->error.reason));
	else
		check_results(run, expected);
	/* `null` makes no call, so no call's effect is there */
	if (expected && run->last >= 0 && !(strcmp(run->executor, "null") == 0 && expected->executor[0]))
		check_afters(run);
	if (run->bound.rets_memory[vector->slot_count] != vector_untouched(vector->slot_count))
		complain(run, "a result was written past the end of rets[]");
	if (!has_word_copy(vector) &&
	    memcmp(before, run->bound.slots_memory, vector->slot_count * sizeof(*before)) != 0)
		complain(run, "the executor changed the batch's slots");
	if (run->errno_after != ERRNO_MARK)
		complain(run, "errno was set to %d", run->errno_after);
}

/* The ways to run a batch; all give the same. */
enum way { PLAINLY, PREPARED, SLOT_BY_SLOT };

static long run_slot_by_slot(const struct batch_prepared *ready)
{
	long last = ~0L;

	while (last < 0 && last != LONG_MIN)
		last = batch_prepared_run_some(ready, (size_t)~last, 1);
	return last;
}

/* Run the batch with errno marked. */
static void run_batch(struct run *run, enum way way)
{
	const struct batch_executor *executor = run->opened.executor;
	struct bound *bound = &run->bound;
	struct batch_prepared ready;
	pid_t self = getpid();

	errno = ERRNO_MARK;
	if (way != PLAINLY) {
		run->last = batch_prepare(&ready, executor, bound->rets, bound->slots, bound->count, run->vector->flags,
					  &run->error);
		if (run->last == 0)
			run->last = way == PREPARED ? batch_prepared_run(&ready) : run_slot_by_slot(&ready);
	} else {
		run->last =
			batch_run(executor, bound->rets, bound->slots, bound->count, run->vector->flags, &run->error);
	}
	run->errno_after = errno;
	if (getpid() != self)
		_exit(0); /* a process that the batch should not have made; the parent's result shows it */
}

static void run_once(struct run *run, const struct conformance_executor *entry, enum way way)
{
	struct batch_slot *before = malloc((run->vector->slot_count + 1) * sizeof(*before));
	int code = before ? vector_bind(&run->bound, run->vector) : -ENOMEM;

	if (code) {
		complain(run, "could not make the vector's memory and files: %s", strerror(-code));
		goto out_free;
	}
	memcpy(before, run->bound.slots_memory, run->vector->slot_count * sizeof(*before));
	run_batch(run, way);
	if (print_results && way == PLAINLY)
		print_run(run);
	else if (!print_results)
		check(run, before);
	vector_unbind(&run->bound, run->vector);
out_free:
	free(before);
	(void)entry;
}

static void child(const struct vector *vector, const struct conformance_executor *entry, int fd)
{
	static struct run run;

	run = (struct run){ .vector = vector, .executor = entry->name, .complaints = fdopen(fd, "w") };
	if (!run.complaints)
		_exit(1);
	alarm(TIMEOUT_S);
	entry->open(&run.opened, vector);
	if (run.opened.executor) {
		run_once(&run, entry, PLAINLY);
		run_once(&run, entry, PREPARED);
		if (run.opened.executor->run_part)
			run_once(&run, entry, SLOT_BY_SLOT);
		if (entry->close)
			entry->close(&run.opened);
	} else {
		fprintf(run.complaints, "SKIP %s", run.opened.why);
	}
	fclose(run.complaints);
	_exit(0);
}

/* Run in a child. Returns what it complained of, or how it ended, in text[bytes]; "" when all is well. */
static void run_in_child(const struct vector *vector, const struct conformance_executor *entry, char *text,
			 size_t bytes)
{
	size_t length = 0;
	ssize_t got;
	int ends[2], status;
	pid_t pid;

	fflush(stdout);
	if (pipe(ends) || (pid = fork()) < 0) {
		snprintf(text, bytes, "no pipe or process: %s", strerror(errno));
		return;
	}
	if (pid == 0) {
		close(ends[0]);
		child(vector, entry, ends[1]);
	}
	close(ends[1]);
	while (length < bytes - 1 && (got = read(ends[0], text + length, bytes - 1 - length)) > 0)
		length += (size_t)got;
	close(ends[0]);
	waitpid(pid, &status, 0);
	text[length] = '\0';
	if (WIFSIGNALED(status))
		snprintf(text + length, bytes - length, "ended by signal %d (%s)\n", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		snprintf(text + length, bytes - length, "ended with status %d\n", WEXITSTATUS(status));
}

static void report(const char *name, const char *executor, const char *text)
{
	bool skipped = strncmp(text, "SKIP ", 5) == 0;
	bool ok = skipped || !*text || print_results;

	result_count++;
	failure_count += !ok;
	printf("%s %u - %s/%s%s%s\n", ok ? "ok" : "not ok", result_count, name, executor, skipped ? " # " : "",
	       skipped ? text : "");
	while (!skipped && *text) {
		size_t length = strcspn(text, "\n");

		printf("# %s/%s: %.*s\n", name, executor, (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static bool known_executor(const char *name)
{
	for (size_t i = 0; i < conformance_executor_count; i++)
		if (strcmp(conformance_executors[i].name, name) == 0)
			return true;
	return !*name;
}

static void check_names(const struct vector *vector, const char *name)
{
	for (unsigned int i = 0; i < vector->run_count; i++)
		if (!known_executor(vector->runs[i].executor))
			report(name, vector->runs[i].executor, "no such executor; the table is in executors.c\n");
	for (unsigned int i = 0; i < vector->refusal_count; i++)
		if (!known_executor(vector->refusals[i].executor))
			report(name, vector->refusals[i].executor, "no such executor; the table is in executors.c\n");
}

static void run_file(const char *path)
{
	static struct vector vector;
	static char bytes[FILE_BYTES_MAX], text[8192];
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct vector_error error;
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

	if (file)
		fclose(file);
	if (!file || length == sizeof(bytes)) {
		report(name, "read", "cannot be read, or is too long: FILE_BYTES_MAX in runner.c\n");
		return;
	}
	if (vector_parse(&vector, bytes, length, &error)) {
		snprintf(text, sizeof(text), "line %u: %s\n", error.line, error.text);
		report(name, "parse", text);
		return;
	}
	check_names(&vector, name);
	for (size_t i = 0; i < conformance_executor_count; i++) {
		const struct conformance_executor *entry = &conformance_executors[i];

		if (vector.functions ? !entry->runs_functions : !entry->runs_system_calls)
			continue;
		if (only && strcmp(only, entry->name) != 0)
			continue;
		run_in_child(&vector, entry, text, sizeof(text));
		report(name, entry->name, text);
	}
}

static int is_vector(const struct dirent *entry)
{
	const char *suffix = strrchr(entry->d_name, '.');

	return suffix && strcmp(suffix, ".batch") == 0;
}

static void run_path(const char *path)
{
	struct dirent **entries;
	char name[PATH_MAX];
	int count = scandir(path, &entries, is_vector, alphasort);

	if (count < 0) {
		run_file(path);
		return;
	}
	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		run_file(name);
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "pe:")) >= 0) {
		if ((option != 'p' && option != 'e') || (option == 'e' && !known_executor(optarg))) {
			fprintf(stderr, "usage: runner [-p] [-e EXECUTOR] [FOLDER | FILE]...\n");
			return 2;
		}
		if (option == 'e')
			only = optarg;
		else
			print_results = true;
	}
	if (optind == argc)
		run_path("spec/vectors");
	for (int i = optind; i < argc; i++)
		run_path(argv[i]);
	printf("1..%u\n", result_count);
	return result_count == 0 || failure_count > 0;
}
