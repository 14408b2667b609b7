/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeping the index up with the folder. A folder is looked at some files at a time, in notes_turn(), so that other
 * requests run in between; calls that asked for it are answered at the end.
 */
#include "state.h"

#include <stdlib.h>
#include <time.h>

#define FILES_PER_TURN 32 /* indexed before other requests may run */
/* how long after a change the folder is looked at, since changes come in groups */
#define SETTLE_NS INT64_C(30000000)

/* A refresh that waits for the end of a scan. */
struct waiting {
	struct waiting *next;
	struct notes_refresh_call *call;
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void emit(struct notes_context *context, enum notes_change_kind kind, const char *path)
{
	notes_emit_note_changed(context, &(struct notes_change){ kind, ferry_string(path) });
}

/* Remove a note from the index, if it is there. */
static void drop(struct notes_context *context, const char *path)
{
	bool had = false;
	char *failed = index_remove(&context->state->index, path, &had);

	if (!failed && had)
		emit(context, NOTES_CHANGE_KIND_REMOVED, path);
	else if (failed)
		skipped_set(&context->state->skipped, path, failed);
	failure_free(failed);
}

void notes_look_at(struct notes_context *context, const char *path)
{
	struct notes_state *state = context->state;
	struct note_file file = { .path = (char *)path };
	bool is_new = false;
	char *failed;

	if (!folder_ask(state->index.folder, path, &file)) {
		skipped_remove(&state->skipped, path);
		drop(context, path);
		return;
	}
	if (index_knows(&state->index, &file))
		return;
	failed = index_put(&state->index, &file, &is_new);
	if (failed) {
		drop(context, path);
		skipped_set(&state->skipped, path, failed);
		failure_free(failed);
		return;
	}
	skipped_remove(&state->skipped, path);
	emit(context, is_new ? NOTES_CHANGE_KIND_ADDED : NOTES_CHANGE_KIND_CHANGED, path);
}

static char *collect(void *paths, const struct note_file *file)
{
	return paths_add(paths, file);
}

/*
 * List in `todo` the files of the folder that the index does not have as they are, and those that it has and the folder
 * does not.
 */
static char *compare(struct index *index, struct paths *todo)
{
	struct paths now = { 0 }, known = { 0 };
	char *failed = folder_visit(index->folder, collect, &now);
	size_t at = 0;

	if (!failed)
		failed = index_visit(index, collect, &known);
	paths_sort(&now);
	for (size_t k = 0; !failed && (k < now.count || at < known.count);) {
		int order = k == now.count	? 1
			    : at == known.count ? -1
						: strcmp(now.items[k].path, known.items[at].path);

		if (order > 0)
			failed = paths_add(todo, &known.items[at]);
		else if (order < 0 || now.items[k].modified_ns != known.items[at].modified_ns ||
			 now.items[k].bytes != known.items[at].bytes)
			failed = paths_add(todo, &now.items[k]);
		k += order <= 0;
		at += order >= 0;
	}
	paths_clear(&now);
	paths_clear(&known);
	return failed;
}

char *notes_scan(struct notes_state *state)
{
	char *failed;

	if (state->scanning)
		return NULL;
	failed = compare(&state->index, &state->todo);
	if (failed)
		paths_clear(&state->todo);
	state->scanning = !failed;
	state->done = 0;
	return failed;
}

static void answer_refresh(struct notes_state *state, struct notes_refresh_call *call)
{
	struct notes_totals totals = { .skipped = (int64_t)state->skipped.count };
	char *failed = index_totals(&state->index, &totals);

	if (failed)
		FAIL(refresh, call, failed);
	else
		notes_refresh_answer(call, &totals);
}

/* Look at the next files of the scan; at its end, answer the calls that wait for it. */
static void go_on(struct notes_context *context)
{
	struct notes_state *state = context->state;
	struct waiting *waiting;

	for (int k = 0; k < FILES_PER_TURN && state->done < state->todo.count; k++)
		notes_look_at(context, state->todo.items[state->done++].path);
	notes_emit_scanned(context, &(struct notes_progress){ (int64_t)state->done, (int64_t)state->todo.count });
	if (state->done < state->todo.count)
		return;
	state->scanning = false;
	paths_clear(&state->todo);
	if (state->opening)
		notes_open_answer(state->opening);
	state->opening = NULL;
	while ((waiting = state->waiting)) {
		state->waiting = waiting->next;
		answer_refresh(state, waiting->call);
		free(waiting);
	}
}

/* Look at what has changed. */
static void settle(struct notes_context *context)
{
	struct notes_state *state = context->state;
	struct changes changes = state->changes;

	state->changes = (struct changes){ 0 };
	state->settle_ns = 0;
	paths_sort(&changes.paths);
	for (size_t k = 0; k < changes.paths.count; k++)
		notes_look_at(context, changes.paths.items[k].path);
	paths_clear(&changes.paths);
	if (changes.rescan)
		failure_free(notes_scan(state)); /* without memory the next change tries again */
}

int64_t notes_turn(struct notes_context *context)
{
	struct notes_state *state = context->state;
	int64_t now = now_ns();

	if (!state)
		return INGRESS_FOREVER;
	if (state->watch.descriptor >= 0)
		watch_take(&state->watch, &state->changes);
	if (!state->settle_ns && (state->changes.rescan || state->changes.paths.count))
		state->settle_ns = now + SETTLE_NS;
	if (state->settle_ns && state->settle_ns <= now)
		settle(context);
	if (state->scanning)
		go_on(context);
	if (state->scanning)
		return 0;
	return state->settle_ns ? state->settle_ns - now : INGRESS_FOREVER;
}

int notes_descriptor(struct notes_context *context)
{
	return context->state ? context->state->watch.descriptor : -1;
}

void notes_refresh(struct notes_context *context, struct notes_refresh_call *call)
{
	struct waiting *waiting = malloc(sizeof(*waiting));
	char *failed = waiting ? notes_scan(context->state) : failure("no memory");

	if (failed) {
		free(waiting);
		FAIL(refresh, call, failed);
		return;
	}
	*waiting = (struct waiting){ context->state->waiting, call };
	context->state->waiting = waiting;
	notes_wake(context);
}

void notes_cancelled(struct notes_context *context, const void *call)
{
	struct waiting **at = context->state ? &context->state->waiting : NULL, *waiting;

	for (; at && (waiting = *at); at = &waiting->next)
		if (waiting->call == call) {
			*at = waiting->next;
			notes_refresh_give_up(waiting->call);
			free(waiting);
			return;
		}
}
