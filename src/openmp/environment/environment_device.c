/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables with a device behind their name (OpenMP 5.2, section 21): NAME_ALL for all devices, NAME_DEV for all but
 * the host device, NAME_DEV_n for device n. There is no other device, so NAME_DEV and NAME_DEV_n are only
 * checked, and shown where OMP_DISPLAY_ENV asks; the host device takes NAME_ALL where there is no NAME (omp__env_get).
 */
#include "openmp/environment/environment_device.h"
#include "openmp/environment/environment_parse.h"
#include "openmp/environment/environment_show.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ALL = -2,
	EVERY_DEVICE = -1,
	NAME_BYTES = 64,
	OMP_PREFIX = 4,
};

struct variable {
	const char *name;
	/*
	 * Check the variable `name`, which may have a suffix, and write its value to `to` as OMP_DISPLAY_ENV shows it.
	 * False: the value is bad.
	 */
	bool (*read)(const char *name, FILE *to);
};

static bool read_truth(const char *name, FILE *to)
{
	bool value;

	if (!omp__env_bool(name, &value))
		return false;
	fputs(value ? "TRUE" : "FALSE", to);
	return true;
}

static bool read_number(const char *name, FILE *to, unsigned long minimum, unsigned long maximum)
{
	unsigned long value;

	if (!omp__env_number(name, minimum, maximum, &value))
		return false;
	fprintf(to, "%lu", value);
	return true;
}

static bool read_device(const char *name, FILE *to)
{
	return read_number(name, to, 0, INT_MAX);
}

static bool read_count(const char *name, FILE *to)
{
	return read_number(name, to, 1, INT_MAX);
}

static bool read_limit(const char *name, FILE *to)
{
	return read_number(name, to, 1, ULONG_MAX);
}

static bool read_levels(const char *name, FILE *to)
{
	return read_number(name, to, 0, ULONG_MAX);
}

static bool read_threads(const char *name, FILE *to)
{
	unsigned *list;
	unsigned count;

	if (!omp__env_numbers(name, &list, &count))
		return false;
	omp__show_numbers(to, list[0], list, count);
	free(list);
	return true;
}

static bool read_binds(const char *name, FILE *to)
{
	uint8_t *list;
	unsigned count;

	if (!omp__env_binds(name, &list, &count))
		return false;
	omp__show_binds(to, list[0], list, count);
	free(list);
	return true;
}

static bool read_schedule(const char *name, FILE *to)
{
	uint32_t schedule;
	int chunk;

	if (!omp__env_schedule(name, &schedule, &chunk))
		return false;
	omp__show_schedule(to, schedule, chunk);
	return true;
}

static bool read_stack(const char *name, FILE *to)
{
	size_t bytes;

	if (!omp__env_size(name, &bytes))
		return false;
	fprintf(to, "%zu", bytes);
	return true;
}

static bool read_policy(const char *name, FILE *to)
{
	static const char *const policies[] = { "passive", "active", NULL };
	unsigned policy;

	if (!omp__env_word(name, policies, &policy))
		return false;
	fputs(policy ? "ACTIVE" : "PASSIVE", to);
	return true;
}

static const struct variable variables[] = {
	{ "OMP_DYNAMIC", read_truth },	       { "OMP_NUM_THREADS", read_threads },
	{ "OMP_SCHEDULE", read_schedule },     { "OMP_PROC_BIND", read_binds },
	{ "OMP_STACKSIZE", read_stack },       { "OMP_WAIT_POLICY", read_policy },
	{ "OMP_THREAD_LIMIT", read_limit },    { "OMP_MAX_ACTIVE_LEVELS", read_levels },
	{ "OMP_NUM_TEAMS", read_count },       { "OMP_TEAMS_THREAD_LIMIT", read_count },
	{ "OMP_DEFAULT_DEVICE", read_device },
};

/* The values that were given with a suffix; written once, by omp__devices_read. */
struct value {
	struct value *next;
	const struct variable *variable;
	int device;
	char *text;
};
static struct value *values;

static const struct variable *variable_of(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (strncmp(variables[i].name, name, length) == 0 && variables[i].name[length] == '\0')
			return &variables[i];
	return NULL;
}

/* Insert a value in the order of devices, in which they are shown. */
static void keep(const struct variable *variable, int device, char *text)
{
	struct value **at = &values;
	struct value *value = malloc(sizeof(*value));

	if (!value) {
		free(text);
		return;
	}
	while (*at && (*at)->device <= device)
		at = &(*at)->next;
	*value = (struct value){ *at, variable, device, text };
	*at = value;
}

static void read_one(const struct variable *variable, const char *name, int device)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	bool is_good;

	if (!to)
		return;
	is_good = variable->read(name, to);
	if (fclose(to) == 0 && is_good)
		keep(variable, device, text);
	else
		free(text);
}

/* Parse the number of a device at the end of a name; it is decimal, without leading zeros. */
static bool parse_device(const char *digits, const char *end, int *device)
{
	unsigned long number;

	if (!isdigit((unsigned char)*digits) || (*digits == '0' && digits + 1 != end) ||
	    !omp__env_eat_number(&digits, &number) || digits != end || number > INT_MAX)
		return false;
	*device = (int)number;
	return true;
}

static bool is_suffix(const char *at)
{
	return strncmp(at, "_ALL=", 5) == 0 || strncmp(at, "_DEV=", 5) == 0 || strncmp(at, "_DEV_", 5) == 0;
}

/* `setting` is NAME=VALUE. */
static void read_setting(const char *setting)
{
	size_t length = strcspn(setting, "=");
	const struct variable *variable = NULL;
	char name[NAME_BYTES];
	int device = EVERY_DEVICE;
	size_t suffix;

	for (suffix = OMP_PREFIX; suffix < length; suffix++) {
		if (is_suffix(setting + suffix))
			variable = variable_of(setting, suffix);
		if (variable)
			break;
	}
	if (!variable)
		return;
	if (setting[suffix + 1] == 'A')
		device = ALL;
	else if (setting[suffix + 4] == '_' && !parse_device(setting + suffix + 5, setting + length, &device)) {
		fprintf(stderr, "\nlibgomp: Invalid device number in %s; a name ends in _DEV_ and a number from 0\n",
			setting);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)length, setting);
	read_one(variable, name, device);
}

void omp__devices_read(void)
{
	for (char **setting = environ; setting && *setting; setting++)
		if (strncmp(*setting, "OMP_", OMP_PREFIX) == 0)
			read_setting(*setting);
}

void omp__devices_show(FILE *to, const char *name)
{
	for (const struct value *value = values; value; value = value->next) {
		if (strcmp(value->variable->name, name) != 0)
			continue;
		if (value->device >= 0)
			fprintf(to, "  [%d] %s = '%s'\n", value->device, name, value->text);
		else
			fprintf(to, "  [%s] %s = '%s'\n", value->device == ALL ? "all" : "device", name, value->text);
	}
}
