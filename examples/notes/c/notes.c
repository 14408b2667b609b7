/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library notes in C: what examples/notes/nim/notes.nim is in Nim. `ferry bindgen notes.json --provider c` made the
 * first form of this file, and makes generated/.
 */
#include "query.h"
#include "state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A search whose matches are fetched piece by piece. */
struct notes_cursor_object {
	enum notes_order order;
	uint64_t at;
	size_t bytes;
	char text[];
};

void notes_cursor_free(struct notes_cursor_object *object)
{
	free(object);
}

/* ---- the context ------------------------------------------------------------------------------------------------- */

static void end(struct notes_state *state)
{
	watch_close(&state->watch);
	paths_clear(&state->changes.paths);
	paths_clear(&state->todo);
	skipped_clear(&state->skipped);
	index_close(&state->index);
	free(state);
}

void notes_open(struct notes_context *context, struct notes_open_call *call, const struct notes_open_params *params)
{
	struct notes_state *state = calloc(1, sizeof(*state));
	char *folder = strndup(params->path.data, params->path.bytes);
	char *database = params->database.present && params->database.value.bytes
				 ? strndup(params->database.value.data, params->database.value.bytes)
				 : NULL;
	char *failed;

	if (!state || !folder || (!database && params->database.present && params->database.value.bytes)) {
		free(state);
		failed = failure("no memory");
	} else {
		state->watch.descriptor = -1;
		failed = index_open(&state->index, folder, database);
		if (!failed && params->watch)
			failed = watch_open(&state->watch, state->index.folder);
		if (!failed)
			failed = notes_scan(state);
		if (failed)
			end(state);
	}
	free(folder);
	free(database);
	if (failed) {
		FAIL(open, call, failed);
		return;
	}
	state->opening = call;
	context->state = state;
	notes_wake(context);
}

void notes_close(struct notes_context *context)
{
	end(context->state);
}

/* ---- searches ---------------------------------------------------------------------------------------------------- */

void notes_find(struct notes_context *context, struct notes_find_call *call, const struct notes_find_params *params)
{
	struct notes_seq_found found;
	char *failed = index_find(&context->state->index, params->text, params->order, params->limit, 0, &found);

	if (failed) {
		FAIL(find, call, failed);
		return;
	}
	notes_find_answer(call, found);
	index_free_found(found);
}

void notes_search(struct notes_context *context, struct notes_search_call *call,
		  const struct notes_search_params *params)
{
	struct notes_cursor_object *cursor;
	struct notes_cursor handle;
	struct query query;
	char *failed = query_parse(&query, params->text.data, params->text.bytes);

	if (failed) {
		FAIL(search, call, failed);
		return;
	}
	query_free(&query);
	cursor = malloc(sizeof(*cursor) + params->text.bytes);
	if (!cursor) {
		FAIL(search, call, failure("no memory"));
		return;
	}
	*cursor = (struct notes_cursor_object){ .order = params->order, .bytes = params->text.bytes };
	memcpy(cursor->text, params->text.data, cursor->bytes);
	handle = notes_cursor_open(context, cursor);
	if (!handle.id)
		free(cursor);
	notes_search_answer(call, handle);
}

void notes_fetch(struct notes_context *context, struct notes_fetch_call *call, const struct notes_fetch_params *params)
{
	struct notes_cursor_object *cursor = notes_cursor_object(context, params->cursor);
	struct notes_seq_found found;
	char *failed = index_find(&context->state->index, (struct ferry_string){ cursor->text, cursor->bytes },
				  cursor->order, params->count, cursor->at, &found);

	if (failed) {
		FAIL(fetch, call, failed);
		return;
	}
	cursor->at += found.count;
	notes_fetch_answer(call, found);
	index_free_found(found);
}

void notes_end_search(struct notes_context *context, struct notes_end_search_call *call,
		      const struct notes_end_search_params *params)
{
	free(notes_cursor_close(context, params->cursor));
	notes_end_search_answer(call);
}

void notes_parse(struct notes_context *context, struct notes_parse_call *call, const struct notes_parse_params *params)
{
	struct query query;
	char *failed = query_parse(&query, params->text.data, params->text.bytes);

	(void)context;
	if (failed) {
		FAIL(parse, call, failed);
		return;
	}
	notes_parse_answer(call, ferry_string(query.match));
	query_free(&query);
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

/* The path and the file of a note that exists. */
static char *existing(struct notes_state *state, struct ferry_string given, char **path, char **file,
		      struct note_file *found)
{
	const char *folder = state->index.folder;
	char *failed = folder_checked_path(folder, given.data, given.bytes, path, file);

	if (!failed && !folder_ask(folder, *path, found)) {
		failed = failure("there is no note '%s'", *path);
		free(*path);
		free(*file);
	}
	return failed;
}

void notes_read(struct notes_context *context, struct notes_read_call *call, const struct notes_read_params *params)
{
	char *path, *file, *failed;
	struct note_file found;
	struct note_text text;

	failed = existing(context->state, params->path, &path, &file, &found);
	if (!failed) {
		found.path = path;
		failed = folder_read(context->state->index.folder, &found, &text);
		free(path);
		free(file);
	}
	if (failed) {
		FAIL(read, call, failed);
		return;
	}
	notes_read_answer(call, (struct ferry_string){ text.body, text.bytes });
	free(text.body);
}

/* Make the folders that a file lies in, where they are missing. */
static char *make_folders(char *file, size_t folder_bytes)
{
	for (char *at = strchr(file + folder_bytes + 1, '/'); at; at = strchr(at + 1, '/')) {
		int status;

		*at = '\0';
		status = mkdir(file, 0777) == 0 || errno == EEXIST ? 0 : errno;
		*at = '/';
		if (status)
			return failure("cannot make a folder for '%s': %s", file + folder_bytes + 1, strerror(status));
	}
	return NULL;
}

/* Write a file such that it is replaced as a whole or not at all. */
static char *replace(const char *file, struct ferry_string text)
{
	const char *name = strrchr(file, '/') + 1;
	char *fresh, *failed = NULL;
	FILE *to;

	if (asprintf(&fresh, "%.*s.%s.new", (int)(name - file), file, name) < 0)
		return failure("no memory");
	to = fopen(fresh, "we");
	if (!to || (text.bytes && fwrite(text.data, 1, text.bytes, to) != text.bytes))
		failed = failure("cannot write '%s': %s", name, strerror(errno));
	if (to && fclose(to) && !failed)
		failed = failure("cannot write '%s': %s", name, strerror(errno));
	if (!failed && rename(fresh, file))
		failed = failure("cannot replace '%s': %s", name, strerror(errno));
	if (failed)
		unlink(fresh);
	free(fresh);
	return failed;
}

void notes_write(struct notes_context *context, struct notes_write_call *call, const struct notes_write_params *params)
{
	const char *folder = context->state->index.folder;
	char *path, *file, *failed;

	failed = folder_checked_path(folder, params->path.data, params->path.bytes, &path, &file);
	if (failed) {
		FAIL(write, call, failed);
		return;
	}
	failed = make_folders(file, strlen(folder));
	if (!failed)
		failed = replace(file, params->text);
	if (!failed)
		notes_look_at(context, path);
	free(path);
	free(file);
	if (failed)
		FAIL(write, call, failed);
	else
		notes_write_answer(call);
}

void notes_remove(struct notes_context *context, struct notes_remove_call *call,
		  const struct notes_remove_params *params)
{
	char *path, *file, *failed;
	struct note_file found;

	failed = existing(context->state, params->path, &path, &file, &found);
	if (!failed) {
		if (unlink(file))
			failed = failure("cannot remove '%s': %s", path, strerror(errno));
		else
			notes_look_at(context, path);
		free(path);
		free(file);
	}
	if (failed)
		FAIL(remove, call, failed);
	else
		notes_remove_answer(call);
}

/* ---- what the index holds ---------------------------------------------------------------------------------------- */

void notes_totals(struct notes_context *context, struct notes_totals_call *call)
{
	struct notes_totals totals = { .skipped = (int64_t)context->state->skipped.count };
	char *failed = index_totals(&context->state->index, &totals);

	if (failed)
		FAIL(totals, call, failed);
	else
		notes_totals_answer(call, &totals);
}

void notes_skipped(struct notes_context *context, struct notes_skipped_call *call)
{
	const struct skipped *skipped = &context->state->skipped;

	notes_skipped_answer(call, (struct notes_map_string_string){ skipped->items, skipped->count });
}

void notes_tags(struct notes_context *context, struct notes_tags_call *call)
{
	struct notes_map_string_u32 tags;
	char *failed = index_tags(&context->state->index, &tags);

	if (failed) {
		FAIL(tags, call, failed);
		return;
	}
	notes_tags_answer(call, tags);
	index_free_tags(tags);
}
