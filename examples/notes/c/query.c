/* SPDX-License-Identifier: BSD-3-Clause */
#include "query.h"

#include "failure.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was read of a query so far: expressions of FTS5, each behind " AND " or " NOT ". */
struct reading {
	struct query *query;
	FILE *words, *without;
	size_t word_count, without_count;
};

/* A word as a string of FTS5. */
static void put_quoted(FILE *to, const char *word, size_t bytes)
{
	putc('"', to);
	for (size_t k = 0; k < bytes; k++) {
		if (word[k] == '"')
			putc('"', to);
		putc(word[k], to);
	}
	putc('"', to);
}

static void put_word(struct reading *reading, const char *word, size_t bytes)
{
	if (reading->word_count++)
		fputs(" AND ", reading->words);
	put_quoted(reading->words, word, bytes);
}

static char *add_tag(struct query *query, const char *word, size_t bytes)
{
	char *tag = strndup(word, bytes);

	if (!tag)
		return failure("no memory");
	for (char *at = tag; *at; at++)
		if (is_letter(*at))
			*at |= 'a' - 'A';
	query->tags[query->tag_count++] = tag;
	return NULL;
}

static char *add_word(struct reading *reading, const char *word, size_t bytes)
{
	size_t stem = bytes;

	if (*word == '#' || *word == '-') {
		if (bytes == 1 && *word == '#')
			return failure("'#' stands alone; write the tag right behind it, as in #todo");
		if (bytes == 1)
			return failure("'-' stands alone; write the word right behind it, as in -draft");
		if (*word == '#')
			return add_tag(reading->query, word + 1, bytes - 1);
		reading->without_count++;
		fputs(" NOT ", reading->without);
		put_quoted(reading->without, word + 1, bytes - 1);
		return NULL;
	}
	while (stem > 0 && word[stem - 1] == '*')
		stem--;
	if (!stem)
		return failure("'*' stands alone; write the begin of a word before it");
	put_word(reading, word, stem);
	if (stem < bytes)
		putc('*', reading->words);
	return NULL;
}

static char *read_all(struct reading *reading, const char *text, size_t bytes)
{
	char *failed = NULL;

	for (size_t at = 0, end; at < bytes && !failed; at = end) {
		end = at + 1;
		if (is_space(text[at]))
			continue;
		if (text[at] == '"') {
			const char *closing = memchr(text + end, '"', bytes - end);

			if (!closing)
				return failure("a quotation mark is not closed");
			if (closing > text + end)
				put_word(reading, text + end, (size_t)(closing - text) - end);
			end = (size_t)(closing - text) + 1;
			continue;
		}
		while (end < bytes && !is_space(text[end]) && text[end] != '"')
			end++;
		failed = add_word(reading, text + at, end - at);
	}
	if (!failed && !reading->word_count && !reading->query->tag_count)
		failed = failure(reading->without_count
					 ? "a query needs a word that occurs; -words alone exclude everything"
					 : "the query is empty");
	if (!failed && !reading->word_count && reading->without_count)
		failed = failure("-words need a word beside the tags");
	return failed;
}

char *query_parse(struct query *query, const char *text, size_t bytes)
{
	struct reading reading = { .query = query };
	char *words = NULL, *without = NULL, *failed = NULL;
	size_t words_bytes, without_bytes;

	query->match = NULL;
	query->tag_count = 0;
	if (bytes > QUERY_BYTES_MAX)
		return failure("the query has %zu bytes; at most %d are allowed", bytes, QUERY_BYTES_MAX);
	if (bytes && memchr(text, '\0', bytes))
		return failure("the query holds a zero byte");
	reading.words = open_memstream(&words, &words_bytes);
	reading.without = open_memstream(&without, &without_bytes);
	if (reading.words && reading.without)
		failed = read_all(&reading, text, bytes);
	if (reading.words)
		fclose(reading.words);
	if (reading.without)
		fclose(reading.without);
	if (!failed && (!words || !without || asprintf(&query->match, "%s%s", words, without) < 0)) {
		query->match = NULL;
		failed = failure("no memory");
	}
	free(words);
	free(without);
	if (failed)
		query_free(query);
	return failed;
}

void query_free(struct query *query)
{
	free(query->match);
	query->match = NULL;
	while (query->tag_count)
		free(query->tags[--query->tag_count]);
}
