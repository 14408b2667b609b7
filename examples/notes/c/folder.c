/* SPDX-License-Identifier: BSD-3-Clause */
#include "folder.h"

#include "failure.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const extensions[] = { ".md", ".markdown", ".txt" };

/* The first byte that is not of UTF-8 (RFC 3629), or `bytes`. */
static size_t wrong_byte(const unsigned char *text, size_t bytes)
{
	for (size_t at = 0; at < bytes;) {
		unsigned char first = text[at];
		size_t more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
		/* the second byte's range, which leaves out what is overlong, a surrogate, or too great */
		unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
		unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

		if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || more >= bytes - at)
			return at;
		for (size_t k = 1; k <= more; k++, low = 0x80, high = 0xbf)
			if (text[at + k] < low || text[at + k] > high)
				return at;
		at += more + 1;
	}
	return bytes;
}

bool folder_is_note(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *extension = strrchr(name, '.');

	/* hosts get paths as texts */
	if (name[0] == '.' || !extension || wrong_byte((const unsigned char *)path, strlen(path)) < strlen(path))
		return false;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++)
		if (!strcasecmp(extension, extensions[i]))
			return true;
	return false;
}

/* Whether a path leads through "..", or through a symbolic link below the folder. */
static bool leads_out(const char *path)
{
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2]))
			return true;
	}
	return false;
}

static bool leads_through_a_link(char *file, size_t folder_bytes)
{
	bool found = false;

	for (char *at = file + folder_bytes; at && !found;) {
		char *slash = strchr(at + 1, '/');
		struct stat status;

		if (slash)
			*slash = '\0';
		found = lstat(file, &status) == 0 && S_ISLNK(status.st_mode);
		if (slash)
			*slash = '/';
		at = slash;
	}
	return found;
}

char *folder_checked_path(const char *folder, const char *given, size_t bytes, char **path, char **file)
{
	char *failed = NULL;

	*path = strndup(given, bytes);
	if (!*path || asprintf(file, "%s/%s", folder, *path) < 0) {
		free(*path);
		return failure("no memory");
	}
	if (!bytes || strlen(*path) != bytes || **path == '/' || leads_out(*path))
		failed = failure("'%s' is not a path below the folder", *path);
	else if (!folder_is_note(*path))
		failed = failure("'%s' is no note; its name has to end in .md, .markdown, .txt", *path);
	else if (leads_through_a_link(*file, strlen(folder)))
		failed = failure("'%s' leads through a symbolic link", *path);
	if (failed) {
		free(*path);
		free(*file);
	}
	return failed;
}

static void set_status(struct note_file *file, const struct stat *status)
{
	file->bytes = status->st_size;
	file->modified_ns = status->st_mtim.tv_sec * INT64_C(1000000000) + status->st_mtim.tv_nsec;
}

bool folder_ask(const char *folder, const char *path, struct note_file *file)
{
	struct stat status;
	bool found = false;
	char *whole;

	if (asprintf(&whole, "%s/%s", folder, path) < 0)
		return false;
	if (lstat(whole, &status) == 0 && S_ISREG(status.st_mode)) {
		set_status(file, &status);
		found = true;
	}
	free(whole);
	return found;
}

char *folder_visit(const char *folder, char *(*visit)(void *context, const struct note_file *file), void *context)
{
	char *root = strdup(folder), *roots[] = { root, NULL }, *failed = NULL;
	/* the folder itself may be a link: what names it is the user, not one of the notes */
	FTS *walk = root ? fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL) : NULL;
	FTSENT *found;

	if (!walk)
		failed = failure("cannot read '%s': %s", folder, strerror(errno));
	while (!failed && (found = fts_read(walk))) {
		struct note_file file = { .path = found->fts_path + strlen(folder) };

		while (*file.path == '/')
			file.path++;
		if ((found->fts_level > 0 && found->fts_name[0] == '.') ||
		    (found->fts_info == FTS_D && found->fts_level > FOLDER_DEPTH_MAX)) {
			fts_set(walk, found, FTS_SKIP);
		} else if (found->fts_info == FTS_F && folder_is_note(file.path)) {
			set_status(&file, found->fts_statp);
			failed = visit(context, &file);
		}
	}
	if (walk)
		fts_close(walk);
	free(root);
	return failed;
}

/* Read `bytes` of a file, or up to its end. Returns how many were read, or -1. */
static ssize_t read_whole(int file, char *to, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got = read(file, to + done, bytes - done);

		if (got < 0 && errno != EINTR)
			return -1;
		if (got == 0)
			break;
		done += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)done;
}

char *folder_read(const char *folder, const struct note_file *file, struct note_text *text)
{
	char *whole = NULL, *failed = NULL;
	int opened = -1;
	ssize_t got = -1;
	size_t wrong;

	if (file->bytes > NOTE_BYTES_MAX)
		return failure("%s has %lld bytes; at most %ld are read", file->path, (long long)file->bytes,
			       NOTE_BYTES_MAX);
	text->body = malloc((size_t)file->bytes + 1);
	if (!text->body || asprintf(&whole, "%s/%s", folder, file->path) < 0) {
		free(text->body);
		return failure("no memory");
	}
	opened = open(whole, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (opened >= 0)
		got = read_whole(opened, text->body, (size_t)file->bytes);
	if (got < 0)
		failed = failure("cannot read %s: %s", file->path, strerror(errno));
	if (opened >= 0)
		close(opened);
	free(whole);
	if (!failed) {
		text->bytes = (size_t)got;
		text->body[got] = '\0';
		wrong = wrong_byte((unsigned char *)text->body, text->bytes);
		if (wrong < text->bytes)
			failed = failure("%s is not UTF-8 at byte %zu", file->path, wrong);
	}
	if (failed)
		free(text->body);
	return failed;
}

const char *note_title(const char *path, const struct note_text *text, size_t *bytes)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t at = 0, end;

	while (at < text->bytes && (is_space(text->body[at]) || text->body[at] == '#'))
		at++;
	if (at == text->bytes) {
		*bytes = (size_t)(strrchr(name, '.') - name);
		return name;
	}
	end = at + strcspn(text->body + at, "\r\n");
	while (is_space(text->body[end - 1]) || text->body[end - 1] == '#')
		end--;
	*bytes = end - at;
	return text->body + at;
}

/* Whether a byte is one of a tag's name; those of other alphabets are. */
static bool is_of_a_tag(char byte)
{
	return is_letter(byte) || is_digit(byte) || byte == '_' || byte == '-' || byte == '/' ||
	       (unsigned char)byte >= 0x80;
}

const char *note_next_tag(const struct note_text *text, size_t *at, size_t *bytes)
{
	const char *body = text->body;

	for (; *at < text->bytes; (*at)++) {
		size_t end = *at + 1, start = end;

		if (body[*at] != '#' || (*at > 0 && !is_space(body[*at - 1]) && body[*at - 1] != '('))
			continue;
		while (end < text->bytes && is_of_a_tag(body[end]))
			end++;
		if (end > start && !is_digit(body[start]) && body[start] != '-' && body[start] != '/') {
			*at = end;
			*bytes = end - start;
			return body + start;
		}
	}
	return NULL;
}
