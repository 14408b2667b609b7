/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * affinity-format-var (OpenMP 5.2, section 18.7): text with fields %[[0].][width]type, where type is a letter or
 * {name}. A field is left-justified without a dot, filled with zeros when the dot follows a 0.
 */
#include "openmp/team/affinity_format.h"
#include "openmp/abi/export.h"
#include "openmp/system/system.h"
#include "openmp/places/places.h"
#include "openmp/state/thread_state.h"

#include <inttypes.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct output {
	char *buffer;
	size_t bytes;
	size_t length; /* of the whole text, even where not all of it fits */
};

struct field {
	bool zeros;
	bool right;
	size_t width;
	char type;
};

static void put(struct output *to, const char *text, size_t length)
{
	if (to->length < to->bytes) {
		size_t room = to->bytes - to->length;

		memcpy(to->buffer + to->length, text, length < room ? length : room);
	}
	to->length += length;
}

static void fill(struct output *to, char c, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put(to, &c, 1);
}

static void put_field(struct output *to, const struct field *field, const char *text, bool is_number)
{
	size_t length = strlen(text);
	size_t missing = field->width > length ? field->width - length : 0;
	size_t sign = 0;

	if (field->right && field->zeros && is_number) {
		/* zeros go between a sign or 0x and the digits */
		sign = text[0] == '-' ? 1 : text[0] == '0' && text[1] == 'x' ? 2 : 0;
		put(to, text, sign);
		fill(to, '0', missing);
	} else if (field->right) {
		fill(to, ' ', missing);
	}
	put(to, text + sign, length - sign);
	if (!field->right)
		fill(to, ' ', missing);
}

static _Noreturn void refuse(const char *why, const char *at, size_t length)
{
	fprintf(stderr, "\nlibgomp: affinity format: %s: '%.*s'\n", why, (int)length, at);
	exit(EXIT_FAILURE);
}

static char type_of_name(const char *name, size_t length)
{
	static const struct {
		const char *name;
		char type;
	} names[] = {
		{ "team_num", 't' },
		{ "num_teams", 'T' },
		{ "nesting_level", 'L' },
		{ "thread_num", 'n' },
		{ "num_threads", 'N' },
		{ "ancestor_tnum", 'a' },
		{ "host", 'H' },
		{ "process_id", 'P' },
		{ "native_thread_id", 'i' },
		{ "thread_affinity", 'A' },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0)
			return names[i].type;
	refuse("no field has this name", name, length);
}

/* Write the field behind a %; returns where the text goes on. */
static const char *parse_field(const char *at, struct field *field)
{
	const char *end;

	*field = (struct field){ 0 };
	if (*at == '0') {
		field->zeros = true;
		at++;
		if (*at != '.')
			refuse("a dot follows a leading zero", at, strlen(at));
	}
	if (*at == '.') {
		field->right = true;
		at++;
	}
	if (*at >= '1' && *at <= '9') {
		char *past;

		field->width = strtoul(at, &past, 10);
		at = past;
	} else if (field->right) {
		refuse("a dot needs a width", at, strlen(at));
	}
	if (*at != '{') {
		field->type = *at;
		return *at ? at + 1 : at;
	}
	end = strchr(at, '}');
	if (!end)
		refuse("a name ends with }", at, strlen(at));
	field->type = type_of_name(at + 1, (size_t)(end - at - 1));
	return end + 1;
}

/* The processors of a place, or of the program when the thread is not bound: 0-3,8. */
static void place_text(const struct omp__thread *thread, char *text, size_t bytes)
{
	size_t set_bytes = omp__places.bytes;
	const cpu_set_t *set = thread->place ? omp__places.sets[thread->place - 1] : omp__system_affinity(&set_bytes);
	size_t cpus = set ? set_bytes * 8 : 0;
	size_t length = 0;

	text[0] = '\0';
	for (size_t cpu = 0; cpu < cpus && length < bytes; cpu++) {
		size_t first = cpu;

		if (!CPU_ISSET_S(cpu, set_bytes, set))
			continue;
		while (cpu + 1 < cpus && CPU_ISSET_S(cpu + 1, set_bytes, set))
			cpu++;
		length += (size_t)snprintf(text + length, bytes - length, cpu > first ? "%s%zu-%zu" : "%s%zu",
					   length ? "," : "", first, cpu);
	}
}

static int number_of(const struct omp__thread *thread, char type)
{
	const struct omp__region *region = thread->region;

	switch (type) {
	case 't':
		return omp_get_team_num();
	case 'T':
		return omp_get_num_teams();
	case 'L':
		return (int)region->level;
	case 'n':
		return (int)region->thread_num;
	case 'N':
		return (int)region->thread_count;
	case 'a':
		return region->outer ? (int)region->outer->thread_num : -1;
	default: /* 'P' */
		return (int)getpid();
	}
}

static void expand_field(struct output *to, const struct omp__thread *thread, const struct field *field)
{
	char text[512] = "";

	if (field->type == 'H') {
		gethostname(text, sizeof(text) - 1);
		put_field(to, field, text, false);
	} else if (field->type == 'A') {
		place_text(thread, text, sizeof(text));
		put_field(to, field, text, false);
	} else if (field->type == 'i') {
		snprintf(text, sizeof(text), "0x%" PRIxPTR, (uintptr_t)pthread_self());
		put_field(to, field, text, true);
	} else if (field->type && strchr("tTLnNaP", field->type)) {
		snprintf(text, sizeof(text), "%d", number_of(thread, field->type));
		put_field(to, field, text, true);
	} else {
		refuse("there is no such field", &field->type, 1);
	}
}

static void expand(struct output *to, const struct omp__thread *thread, const char *format)
{
	struct field field;

	while (*format) {
		size_t plain = strcspn(format, "%");

		put(to, format, plain);
		format += plain;
		if (*format == '\0')
			break;
		format++;
		if (*format == '%') {
			put(to, format++, 1);
			continue;
		}
		format = parse_field(format, &field);
		expand_field(to, thread, &field);
	}
}

static const char *or_default(const char *format)
{
	return format && *format ? format : omp__globals.affinity_format;
}

size_t omp__affinity_capture(const struct omp__thread *thread, char *buffer, size_t bytes, const char *format)
{
	struct output to = { buffer, bytes, 0 };

	expand(&to, thread, or_default(format));
	if (bytes)
		buffer[to.length < bytes ? to.length : bytes - 1] = '\0';
	return to.length;
}

void omp__affinity_display(struct omp__thread *thread, const char *format)
{
	size_t length = omp__affinity_capture(thread, NULL, 0, format);
	char *text = malloc(length + 1);

	if (!text)
		return;
	omp__affinity_capture(thread, text, length + 1, format);
	fprintf(stderr, "%s\n", text);
	free(text);
}
