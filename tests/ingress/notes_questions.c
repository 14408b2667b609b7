/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ask a library of notes about a folder, from C, and print what it says: a program for test_notes.py.
 *
 * Usage: notes_questions FOLDER
 */
#include <stdio.h>

#include "notes.h"

#define PATIENCE_NS (60 * INT64_C(1000000000))

static ingress_token context;

static void say(const char *what, enum ingress_status status, struct ferry_string message)
{
	printf("%s: %s %s\n", what, ingress_status_text(status), message.data ? message.data : "");
}

static void find(const char *query, enum notes_order order)
{
	struct notes_find_reply reply;
	enum ingress_status status = notes_find(context, ferry_string(query), order, 5, PATIENCE_NS, &reply);

	say(query, status, reply.message);
	if (status == INGRESS_OK)
		for (size_t i = 0; i < reply.value.count; i++) {
			const struct notes_found *found = &reply.value.items[i];

			printf("  %s %s %s %.6f\n", found->note.path.data, found->note.title.data, found->snippet.data,
			       found->score);
		}
	notes_find_reply_free(&reply);
}

static void fetch_all(const char *query)
{
	struct notes_search_reply search;
	struct notes_fetch_reply some;
	struct notes_end_search_reply end;
	size_t count = 1;

	if (notes_search(context, ferry_string(query), NOTES_ORDER_NEWEST, PATIENCE_NS, &search) != INGRESS_OK) {
		say(query, INGRESS_FAILED, search.message);
		notes_search_reply_free(&search);
		return;
	}
	while (count && notes_fetch(context, search.value, 1, PATIENCE_NS, &some) == INGRESS_OK) {
		count = some.value.count;
		printf("%s: fetched %zu\n", query, count);
		notes_fetch_reply_free(&some);
	}
	say("end", notes_end_search(context, search.value, PATIENCE_NS, &end), end.message);
	notes_end_search_reply_free(&end);
	/* a cursor that was forgotten is refused */
	say("fetch", notes_fetch(context, search.value, 1, PATIENCE_NS, &some), some.message);
	notes_fetch_reply_free(&some);
	notes_search_reply_free(&search);
}

static void write_and_read(const char *path, const char *text)
{
	struct notes_write_reply written;
	struct notes_read_reply read;

	say(path, notes_write(context, ferry_string(path), ferry_string(text), PATIENCE_NS, &written), written.message);
	notes_write_reply_free(&written);
	say(path, notes_read(context, ferry_string(path), PATIENCE_NS, &read), read.message);
	if (read.value.data)
		printf("  %s\n", read.value.data);
	notes_read_reply_free(&read);
}

static void print_all(void)
{
	struct notes_tags_reply tags;
	struct notes_refresh_reply totals;

	say("tags", notes_tags(context, PATIENCE_NS, &tags), tags.message);
	for (size_t i = 0; i < tags.value.count; i++)
		printf("  %s %u\n", tags.value.items[i].key.data, tags.value.items[i].value);
	notes_tags_reply_free(&tags);
	say("refresh", notes_refresh(context, PATIENCE_NS, &totals), totals.message);
	printf("  %lld %lld %lld\n", (long long)totals.value.notes, (long long)totals.value.bytes,
	       (long long)totals.value.skipped);
	notes_refresh_reply_free(&totals);
}

int main(int count, char **arguments)
{
	const struct notes_option_string in_memory = { 0 };
	struct notes_open_reply opened;
	enum ingress_status status;

	if (count != 2)
		return 2;
	status = notes_open(NULL, ferry_string(arguments[1]), in_memory, false, PATIENCE_NS, &context, &opened);
	say("open", status, opened.message);
	notes_open_reply_free(&opened);
	if (status != INGRESS_OK)
		return 1;
	find("crossing", NOTES_ORDER_RELEVANCE);
	find("\"open", NOTES_ORDER_RELEVANCE);
	fetch_all("crossing");
	write_and_read("new/note.md", "# Fresh\n\nA crossing by night. #night\n");
	write_and_read("../secret.md", "");
	find("#night", NOTES_ORDER_NEWEST);
	print_all();
	say("close", notes_close(context, PATIENCE_NS), (struct ferry_string){ 0 });
	return 0;
}
