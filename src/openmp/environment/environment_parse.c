/* SPDX-License-Identifier: BSD-3-Clause */
/* Parsing single variables of the environment. A bad value is reported on stderr, and the default stays. */
#include "openmp/environment/environment_parse.h"
#include "openmp/environment/device_names.h"
#include "openmp/environment/icv.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Since OpenMP 5.2 a variable may be given for all devices, as NAME_ALL; NAME itself prevails. */
const char *omp__env_get(const char *name)
{
	const char *value = getenv(name);
	char all[64];

	if (value || strncmp(name, "OMP_", 4) != 0)
		return value;
	snprintf(all, sizeof(all), "%s_ALL", name);
	return getenv(all);
}

void omp__env_complain(const char *name, const char *why)
{
	const char *value = omp__env_get(name);

	/* Without NAME the bad value is that of NAME_ALL, about which omp__devices_read complains. */
	if (!getenv(name) && omp__devices_have(name))
		return;
	fprintf(stderr, "\nlibgomp: %s='%s' is not used: %s\n", name, value ? value : "", why);
}

void omp__env_warn(const char *name, const char *what)
{
	const char *value = omp__env_get(name);

	fprintf(stderr, "\nlibgomp: %s%s='%s': %s\n", name, getenv(name) ? "" : "_ALL", value ? value : "", what);
}

const char *omp__env_skip(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* Skip a word, in upper or lower case. False when the text begins with another word, or with a longer one. */
bool omp__env_eat(const char **at, const char *word)
{
	const char *start = omp__env_skip(*at);
	size_t length = strlen(word);

	if (strncasecmp(start, word, length) != 0)
		return false;
	if (isalnum((unsigned char)word[length - 1]) && (isalnum((unsigned char)start[length]) || start[length] == '_'))
		return false;
	*at = start + length;
	return true;
}

bool omp__env_eat_number(const char **at, unsigned long *value)
{
	const char *start = omp__env_skip(*at);
	char *end;

	if (!isdigit((unsigned char)*start))
		return false;
	errno = 0;
	*value = strtoul(start, &end, 10);
	if (errno)
		return false;
	*at = end;
	return true;
}

static bool at_end(const char *at)
{
	return *omp__env_skip(at) == '\0';
}

bool omp__env_bool(const char *name, bool *value)
{
	const char *at = omp__env_get(name);
	bool is_true;

	if (!at)
		return false;
	is_true = omp__env_eat(&at, "true");
	if ((is_true || omp__env_eat(&at, "false")) && at_end(at)) {
		*value = is_true;
		return true;
	}
	omp__env_complain(name, "it is neither true nor false");
	return false;
}

bool omp__env_number(const char *name, unsigned long minimum, unsigned long maximum, unsigned long *value)
{
	const char *at = omp__env_get(name);
	unsigned long number;
	char why[96];

	if (!at)
		return false;
	if (omp__env_eat_number(&at, &number) && at_end(at) && number >= minimum && number <= maximum) {
		*value = number;
		return true;
	}
	if (maximum == ULONG_MAX)
		snprintf(why, sizeof(why), "it takes a whole number of at least %lu", minimum);
	else
		snprintf(why, sizeof(why), "it takes a whole number from %lu to %lu", minimum, maximum);
	omp__env_complain(name, why);
	return false;
}

/*
 * Skip a unit. Returns by how many bits it shifts a number, `without` when no unit follows, -1 when what follows is no
 * unit.
 */
static int unit_shift(const char **at, int without)
{
	static const char units[] = "bkmgt";
	const char *start = omp__env_skip(*at);
	const char *unit;

	if (*start == '\0')
		return without;
	unit = strchr(units, tolower((unsigned char)*start));
	if (!unit)
		return -1;
	*at = start + 1;
	return (int)(unit - units) * 10;
}

bool omp__env_size(const char *name, size_t *bytes)
{
	const char *at = omp__env_get(name);
	unsigned long number;
	int shift;

	if (!at)
		return false;
	if (!omp__env_eat_number(&at, &number) || (shift = unit_shift(&at, 10)) < 0 || shift > 30 || !at_end(at)) {
		omp__env_complain(name, "a size is a number and B, K, M or G");
		return false;
	}
	if (number > SIZE_MAX >> shift) {
		omp__env_complain(name, "it is out of range");
		return false;
	}
	*bytes = (size_t)number << shift;
	return true;
}

/* Counts are decimal: k is a thousand, not 1024. */
bool omp__env_count(const char *name, uint64_t *value)
{
	static const uint64_t factors[] = { 1, 1000, 1000000, 1000000000, UINT64_C(1000000000000) };
	const char *at = omp__env_get(name);
	unsigned long number;
	uint64_t count;
	int shift;

	if (!at)
		return false;
	if ((omp__env_eat(&at, "infinite") || omp__env_eat(&at, "infinity")) && at_end(at)) {
		*value = UINT64_MAX;
		return true;
	}
	if (!omp__env_eat_number(&at, &number) || (shift = unit_shift(&at, 0)) < 0 || !at_end(at) ||
	    __builtin_mul_overflow(number, factors[shift / 10], &count)) {
		omp__env_complain(name, "a count is a number and k, M, G or T, or infinity");
		return false;
	}
	*value = count;
	return true;
}

static void complain_of_word(const char *name, const char *const *words)
{
	char why[96] = "it takes ";

	for (size_t i = 0, used = strlen(why); words[i] && used < sizeof(why); i++)
		used += (size_t)snprintf(why + used, sizeof(why) - used, "%s%s", i ? ", " : "", words[i]);
	omp__env_complain(name, why);
}

bool omp__env_word(const char *name, const char *const *words, unsigned *index)
{
	const char *value = omp__env_get(name);

	if (!value)
		return false;
	for (unsigned i = 0; words[i]; i++) {
		const char *at = value;

		if (omp__env_eat(&at, words[i]) && at_end(at)) {
			*index = i;
			return true;
		}
	}
	complain_of_word(name, words);
	return false;
}

static bool parse_schedule(const char *at, uint32_t *schedule, int *chunk)
{
	static const char *const kinds[] = { "static", "dynamic", "guided", "auto" };
	bool monotonic = omp__env_eat(&at, "monotonic");
	bool nonmonotonic = !monotonic && omp__env_eat(&at, "nonmonotonic");
	unsigned long number;
	uint32_t kind;

	if ((monotonic || nonmonotonic) && !omp__env_eat(&at, ":"))
		return false;
	for (kind = OMP__STATIC; kind <= OMP__AUTO; kind++)
		if (omp__env_eat(&at, kinds[kind - OMP__STATIC]))
			break;
	if (kind > OMP__AUTO)
		return false;
	number = kind == OMP__STATIC || kind == OMP__AUTO ? 0 : 1;
	if (omp__env_eat(&at, ",") && (kind == OMP__AUTO || !omp__env_eat_number(&at, &number) || number > INT_MAX ||
				       (number == 0 && kind != OMP__STATIC)))
		return false;
	if (!at_end(at))
		return false;
	/* static is monotonic unless its modifier says otherwise */
	if (monotonic || (kind == OMP__STATIC && !nonmonotonic))
		kind |= OMP__MONOTONIC;
	*schedule = kind;
	*chunk = (int)number;
	return true;
}

bool omp__env_schedule(const char *name, uint32_t *schedule, int *chunk)
{
	const char *value = omp__env_get(name);

	if (!value)
		return false;
	if (parse_schedule(value, schedule, chunk))
		return true;
	omp__env_complain(name, "a schedule is [monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]");
	return false;
}

/* How many values the list can have at most: one more than it has commas. */
static unsigned list_length(const char *at)
{
	unsigned count = 1;

	for (; *at; at++)
		count += *at == ',';
	return count;
}

bool omp__env_numbers(const char *name, unsigned **list, unsigned *count)
{
	const char *at = omp__env_get(name);
	unsigned *numbers;
	unsigned found = 0;

	if (!at)
		return false;
	numbers = malloc(list_length(at) * sizeof(*numbers));
	while (numbers) {
		unsigned long number;

		if (!omp__env_eat_number(&at, &number) || number == 0 || number > INT_MAX)
			break;
		numbers[found++] = (unsigned)number;
		if (omp__env_eat(&at, ","))
			continue;
		if (!at_end(at))
			break;
		*list = numbers;
		*count = found;
		return true;
	}
	free(numbers);
	omp__env_complain(name, "it is not a list of numbers greater than 0");
	return false;
}

static bool parse_bind(const char **at, uint8_t *bind)
{
	static const struct {
		const char *word;
		uint8_t bind;
	} words[] = {
		{ "primary", OMP__BIND_PRIMARY },
		{ "master", OMP__BIND_PRIMARY },
		{ "close", OMP__BIND_CLOSE },
		{ "spread", OMP__BIND_SPREAD },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (omp__env_eat(at, words[i].word)) {
			*bind = words[i].bind;
			return true;
		}
	}
	return false;
}

bool omp__env_binds(const char *name, uint8_t **list, unsigned *count)
{
	const char *at = omp__env_get(name);
	uint8_t *binds;
	unsigned found = 0;

	if (!at)
		return false;
	binds = malloc(list_length(at));
	if (!binds)
		return false;
	binds[0] = omp__env_eat(&at, "true");
	if ((binds[0] == OMP__BIND_TRUE || omp__env_eat(&at, "false")) && at_end(at)) {
		*list = binds;
		*count = 1;
		return true;
	}
	while (parse_bind(&at, &binds[found])) {
		found++;
		if (omp__env_eat(&at, ","))
			continue;
		if (!at_end(at))
			break;
		*list = binds;
		*count = found;
		return true;
	}
	free(binds);
	omp__env_complain(name, "it is true, false, or a list of primary, close and spread");
	return false;
}
