/* SPDX-License-Identifier: BSD-3-Clause */
#include "index.h"

#include "failure.h"
#include "query.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SCHEMA_VERSION 1
/* what a found array grows by */
#define FOUND_STEP 32

static const char schema[] =
	"BEGIN;"
	"CREATE TABLE note(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, title TEXT NOT NULL,"
	" modified_ns INTEGER NOT NULL, bytes INTEGER NOT NULL);"
	"CREATE VIRTUAL TABLE note_text USING fts5(title, body, tokenize='unicode61 remove_diacritics 2');"
	"CREATE TABLE tag(name TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY(name, note)) WITHOUT ROWID;"
	"PRAGMA user_version = 1;"
	"COMMIT";
_Static_assert(SCHEMA_VERSION == 1, "the schema says the same");

static char *index_failure(struct index *index)
{
	return failure("the index: %s", sqlite3_errmsg(index->db));
}

/*
 * A statement with its parameters: for each letter of `kinds` one, `i` an int64_t, `t` a text, `b` a text and its
 * bytes. NULL: it cannot be prepared.
 */
static sqlite3_stmt *prepare(struct index *index, const char *text, const char *kinds, ...)
{
	sqlite3_stmt *made = NULL;
	va_list arguments;

	if (sqlite3_prepare_v2(index->db, text, -1, &made, NULL) != SQLITE_OK)
		return NULL;
	va_start(arguments, kinds);
	for (int k = 0; kinds[k]; k++) {
		if (kinds[k] == 'i') {
			sqlite3_bind_int64(made, k + 1, va_arg(arguments, int64_t));
		} else {
			const char *value = va_arg(arguments, const char *);
			int bytes = kinds[k] == 'b' ? (int)va_arg(arguments, size_t) : -1;

			sqlite3_bind_text(made, k + 1, value, bytes, SQLITE_TRANSIENT);
		}
	}
	va_end(arguments);
	return made;
}

/* Run a statement that has no rows, and end it. */
static char *finish(struct index *index, sqlite3_stmt *made)
{
	char *failed = made && sqlite3_step(made) == SQLITE_DONE ? NULL : index_failure(index);

	sqlite3_finalize(made);
	return failed;
}

/* The first column of the first row of a statement, and end it; -1: there is no row. */
static int64_t first_number(sqlite3_stmt *made)
{
	int64_t found = made && sqlite3_step(made) == SQLITE_ROW ? sqlite3_column_int64(made, 0) : -1;

	sqlite3_finalize(made);
	return found;
}

/* Make the tables of a new file, or look whether they are ours. */
static char *check_schema(struct index *index, const char *database)
{
	int64_t version = first_number(prepare(index, "PRAGMA user_version", ""));
	int64_t tables = first_number(prepare(index, "SELECT count(*) FROM sqlite_master", ""));

	if (version < 0 || tables < 0)
		return failure("'%s' cannot be used as an index: %s", database, sqlite3_errmsg(index->db));
	if (version == 0 && tables == 0) {
		if (sqlite3_exec(index->db, schema, NULL, NULL, NULL) != SQLITE_OK)
			return failure("'%s' cannot be used as an index: %s", database, sqlite3_errmsg(index->db));
	} else if (version != SCHEMA_VERSION) {
		return failure("'%s' is of version %lld, or of another program; this one writes version %d: give "
			       "another file, or remove that one",
			       database, (long long)version, SCHEMA_VERSION);
	}
	sqlite3_exec(index->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
	return NULL;
}

char *index_open(struct index *index, const char *folder, const char *database)
{
	const char *file = database ? database : ":memory:";
	struct stat status;
	char *failed;

	if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
		return failure("there is no folder '%s'", folder);
	index->folder = strdup(folder);
	if (!index->folder)
		return failure("no memory");
	if (sqlite3_open(file, &index->db) == SQLITE_OK)
		failed = check_schema(index, file);
	else
		failed = failure("'%s' cannot be used as an index: %s", file, sqlite3_errmsg(index->db));
	if (failed)
		index_close(index);
	return failed;
}

void index_close(struct index *index)
{
	sqlite3_close(index->db);
	free(index->folder);
	*index = (struct index){ 0 };
}

/* The columns path, modified_ns, bytes of a row. */
static struct note_file file_of(sqlite3_stmt *row)
{
	return (struct note_file){ .path = (char *)sqlite3_column_text(row, 0),
				   .modified_ns = sqlite3_column_int64(row, 1),
				   .bytes = sqlite3_column_int64(row, 2) };
}

char *index_visit(struct index *index, char *(*visit)(void *context, const struct note_file *file), void *context)
{
	sqlite3_stmt *rows = prepare(index, "SELECT path, modified_ns, bytes FROM note ORDER BY path", "");
	char *failed = rows ? NULL : index_failure(index);

	while (!failed && sqlite3_step(rows) == SQLITE_ROW) {
		struct note_file file = file_of(rows);

		failed = visit(context, &file);
	}
	sqlite3_finalize(rows);
	return failed;
}

bool index_knows(struct index *index, const struct note_file *file)
{
	return first_number(prepare(index, "SELECT 1 FROM note WHERE path = ? AND modified_ns = ? AND bytes = ?", "tii",
				    file->path, file->modified_ns, file->bytes)) == 1;
}

static char *forget(struct index *index, const char *path, bool *had)
{
	int64_t id = first_number(prepare(index, "SELECT id FROM note WHERE path = ?", "t", path));
	char *failed;

	*had = id >= 0;
	if (!*had)
		return NULL;
	failed = finish(index, prepare(index, "DELETE FROM note_text WHERE rowid = ?", "i", id));
	if (!failed)
		failed = finish(index, prepare(index, "DELETE FROM tag WHERE note = ?", "i", id));
	if (!failed)
		failed = finish(index, prepare(index, "DELETE FROM note WHERE id = ?", "i", id));
	return failed;
}

static char *put_tags(struct index *index, int64_t id, const struct note_text *text)
{
	char *failed = NULL;
	size_t at = 0, bytes;
	const char *tag;

	while (!failed && (tag = note_next_tag(text, &at, &bytes)))
		failed = finish(index, prepare(index, "INSERT OR IGNORE INTO tag(name, note) VALUES (lower(?), ?)",
					       "bi", tag, bytes, id));
	return failed;
}

static char *put_text(struct index *index, const struct note_file *file, const struct note_text *text)
{
	size_t title_bytes;
	const char *title = note_title(file->path, text, &title_bytes);
	char *failed =
		finish(index, prepare(index, "INSERT INTO note(path, title, modified_ns, bytes) VALUES (?, ?, ?, ?)",
				      "tbii", file->path, title, title_bytes, file->modified_ns, file->bytes));
	int64_t id = sqlite3_last_insert_rowid(index->db);

	if (!failed)
		failed = finish(index, prepare(index, "INSERT INTO note_text(rowid, title, body) VALUES (?, ?, ?)",
					       "ibb", id, title, title_bytes, text->body, text->bytes));
	return failed ? failed : put_tags(index, id, text);
}

/* End a transaction. */
static char *end_whole(struct index *index, char *failed)
{
	if (!failed && sqlite3_exec(index->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		failed = index_failure(index);
	if (failed)
		sqlite3_exec(index->db, "ROLLBACK", NULL, NULL, NULL);
	return failed;
}

char *index_put(struct index *index, const struct note_file *file, bool *is_new)
{
	struct note_text text;
	char *failed = folder_read(index->folder, file, &text);
	bool had = false;

	if (failed)
		return failed;
	if (sqlite3_exec(index->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
		failed = index_failure(index);
	else
		failed = forget(index, file->path, &had);
	if (!failed)
		failed = put_text(index, file, &text);
	free(text.body);
	*is_new = !had;
	return end_whole(index, failed);
}

char *index_remove(struct index *index, const char *path, bool *had)
{
	if (sqlite3_exec(index->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
		return index_failure(index);
	return end_whole(index, forget(index, path, had));
}

/* The statement that finds a query's notes. */
static sqlite3_stmt *prepare_find(struct index *index, const struct query *query, enum notes_order order,
				  uint32_t limit, uint64_t offset)
{
	sqlite3_str *text = sqlite3_str_new(index->db);
	sqlite3_stmt *made;
	char *whole;

	sqlite3_str_appendall(text, "SELECT path, modified_ns, bytes, note.title, ");
	if (*query->match)
		sqlite3_str_appendf(text,
				    "snippet(note_text, 1, '«', '»', '…', 12), -bm25(note_text, 4.0, 1.0) AS score "
				    "FROM note_text JOIN note ON note.id = note_text.rowid WHERE note_text MATCH %Q",
				    query->match);
	else
		sqlite3_str_appendall(text, "'', 0.0 AS score FROM note WHERE 1");
	for (size_t k = 0; k < query->tag_count; k++)
		sqlite3_str_appendf(text, " AND note.id IN (SELECT note FROM tag WHERE name = %Q)", query->tags[k]);
	sqlite3_str_appendf(text, " ORDER BY %s, path LIMIT %u OFFSET %llu",
			    order == NOTES_ORDER_NEWEST ? "modified_ns DESC" : "score DESC",
			    limit < MATCHES_MAX ? limit : MATCHES_MAX, (unsigned long long)offset);
	whole = sqlite3_str_finish(text);
	made = whole ? prepare(index, whole, "") : NULL;
	sqlite3_free(whole);
	return made;
}

/* A column's text, which the caller frees; without data when there is no memory. */
static struct ferry_string copied(sqlite3_stmt *row, int column)
{
	const void *text = sqlite3_column_text(row, column);
	size_t bytes = (size_t)sqlite3_column_bytes(row, column);
	char *copy = text ? malloc(bytes + 1) : NULL;

	if (!copy)
		return (struct ferry_string){ 0 };
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	return (struct ferry_string){ copy, bytes };
}

/* A row of prepare_find(). False: no memory. */
static bool read_found(sqlite3_stmt *row, struct notes_found *found)
{
	const struct note_file file = file_of(row);

	*found = (struct notes_found){ .note = { .path = copied(row, 0),
						 .title = copied(row, 3),
						 .modified_ns = file.modified_ns,
						 .bytes = file.bytes },
				       .snippet = copied(row, 4),
				       .score = sqlite3_column_double(row, 5) };
	return found->note.path.data && found->note.title.data && found->snippet.data;
}

char *index_find(struct index *index, struct ferry_string text, enum notes_order order, uint32_t limit, uint64_t offset,
		 struct notes_seq_found *found)
{
	struct notes_found *items = NULL;
	struct query query;
	char *failed = query_parse(&query, text.data, text.bytes);
	sqlite3_stmt *rows;
	size_t count = 0;
	int status;

	if (failed)
		return failed;
	rows = prepare_find(index, &query, order, limit, offset);
	query_free(&query);
	while ((status = sqlite3_step(rows)) == SQLITE_ROW) {
		if (count % FOUND_STEP == 0) {
			struct notes_found *more = realloc(items, (count + FOUND_STEP) * sizeof(*items));

			if (!more)
				break;
			items = more;
		}
		if (!read_found(rows, &items[count++]))
			break;
	}
	*found = (struct notes_seq_found){ items, count };
	if (status != SQLITE_DONE) {
		failed = status == SQLITE_ROW ? failure("no memory") : index_failure(index);
		index_free_found(*found);
	}
	sqlite3_finalize(rows);
	return failed;
}

void index_free_found(struct notes_seq_found found)
{
	for (size_t k = 0; k < found.count; k++) {
		free((void *)found.items[k].note.path.data);
		free((void *)found.items[k].note.title.data);
		free((void *)found.items[k].snippet.data);
	}
	free((void *)found.items);
}

char *index_tags(struct index *index, struct notes_map_string_u32 *tags)
{
	int64_t count = first_number(prepare(index, "SELECT count(DISTINCT name) FROM tag", ""));
	struct notes_map_string_u32_pair *items = calloc(count > 0 ? (size_t)count : 1, sizeof(*items));
	sqlite3_stmt *rows = prepare(index, "SELECT name, count(*) FROM tag GROUP BY name ORDER BY name", "");
	char *failed = items ? NULL : failure("no memory");
	size_t at = 0;

	for (; !failed && (int64_t)at < count && sqlite3_step(rows) == SQLITE_ROW; at++) {
		items[at].key = copied(rows, 0);
		items[at].value = (uint32_t)sqlite3_column_int64(rows, 1);
		if (!items[at].key.data)
			failed = failure("no memory");
	}
	sqlite3_finalize(rows);
	*tags = (struct notes_map_string_u32){ items, at };
	if (failed)
		index_free_tags(*tags);
	return failed;
}

void index_free_tags(struct notes_map_string_u32 tags)
{
	for (size_t k = 0; k < tags.count; k++)
		free((void *)tags.items[k].key.data);
	free((void *)tags.items);
}

char *index_totals(struct index *index, struct notes_totals *totals)
{
	sqlite3_stmt *row = prepare(index, "SELECT count(*), coalesce(sum(bytes), 0) FROM note", "");
	char *failed = row && sqlite3_step(row) == SQLITE_ROW ? NULL : index_failure(index);

	if (!failed) {
		totals->notes = sqlite3_column_int64(row, 0);
		totals->bytes = sqlite3_column_int64(row, 1);
	}
	sqlite3_finalize(row);
	return failed;
}
