/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parsing lists of places (OpenMP 5.2, section 21.1.6) and GOMP_CPU_AFFINITY.
 *
 *	list:	name[(count)], or entry {, entry}
 *	entry:	[!]place[:count[:stride]]
 *	place:	number, or { item {, item} } with item: [!]number[:count[:stride]]
 */
#include "openmp/places/places.h"
#include "openmp/environment/environment_parse.h"
#include "openmp/system/system.h"
#include "openmp/places/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct omp__places omp__places;

enum {
	PLACES_MAX = 65536,
	/* At most this many of the places that are left out are named. */
	LOST_NAMED_MAX = 8,
};

/* Skip a number with a sign: a stride. */
static bool eat_stride(const char **at, long *stride)
{
	bool negative = omp__env_eat(at, "-");
	unsigned long number;

	if (!negative)
		omp__env_eat(at, "+");
	if (!omp__env_eat_number(at, &number) || number > PLACES_MAX)
		return false;
	*stride = negative ? -(long)number : (long)number;
	return true;
}

/* Skip what may follow a number or a place: how many there are (:count), and how far apart (:stride). */
static bool eat_interval(const char **at, unsigned long *count, long *stride)
{
	*count = 1;
	*stride = 1;
	if (!omp__env_eat(at, ":"))
		return true;
	if (!omp__env_eat_number(at, count) || *count == 0 || *count >= PLACES_MAX)
		return false;
	return !omp__env_eat(at, ":") || eat_stride(at, stride);
}

static bool add_cpus(cpu_set_t *set, size_t bytes, unsigned long first, unsigned long count, long stride)
{
	long cpu = (long)first;

	for (unsigned long i = 0; i < count; i++, cpu += stride) {
		if (cpu < 0 || (size_t)cpu >= bytes * 8)
			return false;
		CPU_SET_S((size_t)cpu, bytes, set);
	}
	return true;
}

static bool eat_braces(const char **at, cpu_set_t *set, cpu_set_t *without, size_t bytes)
{
	do {
		bool negated = omp__env_eat(at, "!");
		unsigned long first, count;
		long stride;

		if (!omp__env_eat_number(at, &first) || !eat_interval(at, &count, &stride) || (negated && count > 1) ||
		    !add_cpus(negated ? without : set, bytes, first, count, stride))
			return false;
	} while (omp__env_eat(at, ","));
	for (size_t cpu = 0; cpu < bytes * 8; cpu++)
		if (CPU_ISSET_S(cpu, bytes, without))
			CPU_CLR_S(cpu, bytes, set);
	return omp__env_eat(at, "}");
}

static bool eat_place(const char **at, cpu_set_t *set, size_t bytes)
{
	unsigned long cpu;

	CPU_ZERO_S(bytes, set);
	if (omp__env_eat(at, "{")) {
		cpu_set_t *without = calloc(1, bytes);
		bool good = without && eat_braces(at, set, without, bytes);

		free(without);
		return good;
	}
	return omp__env_eat_number(at, &cpu) && add_cpus(set, bytes, cpu, 1, 1);
}

static bool shift_set(cpu_set_t *set, size_t bytes, long stride)
{
	cpu_set_t *shifted = calloc(1, bytes);
	bool good = shifted != NULL;

	for (size_t cpu = 0; good && cpu < bytes * 8; cpu++)
		if (CPU_ISSET_S(cpu, bytes, set))
			good = add_cpus(shifted, bytes, (unsigned long)((long)cpu + stride), 1, 1);
	if (good)
		memcpy(set, shifted, bytes);
	free(shifted);
	return good;
}

static bool remove_same(struct omp__places *places, const cpu_set_t *set)
{
	for (unsigned i = 0; i < places->count; i++) {
		if (CPU_EQUAL_S(places->bytes, places->sets[i], set)) {
			omp__places_remove(places, i);
			return true;
		}
	}
	return false;
}

static bool eat_entry(const char **at, struct omp__places *places, cpu_set_t *set)
{
	bool negated = omp__env_eat(at, "!");
	unsigned long count;
	long stride;

	if (!eat_place(at, set, places->bytes) || !eat_interval(at, &count, &stride))
		return false;
	if (negated)
		return count == 1 && remove_same(places, set);
	for (unsigned long i = 0; i < count; i++)
		if (!omp__places_append(places, set) || (i + 1 < count && !shift_set(set, places->bytes, stride)))
			return false;
	return true;
}

static bool eat_name(const char **at, struct omp__places *places, bool *known)
{
	static const char *const names[] = { "threads", "cores", "sockets", "ll_caches", "numa_domains" };
	unsigned long limit = ULONG_MAX;

	for (unsigned unit = 0; unit < sizeof(names) / sizeof(names[0]); unit++) {
		if (!omp__env_eat(at, names[unit]))
			continue;
		*known = true;
		if (omp__env_eat(at, "(") && (!omp__env_eat_number(at, &limit) || limit == 0 || !omp__env_eat(at, ")")))
			return false;
		places->wanted = limit == ULONG_MAX ? 0 : limit;
		return omp__places_from_topology(places, (enum omp__place_unit)unit, limit);
	}
	return false;
}

static bool eat_list(const char **at, struct omp__places *places)
{
	cpu_set_t *set = malloc(places->bytes);
	bool known = false;
	bool good;

	if (!set)
		return false;
	good = eat_name(at, places, &known);
	if (!known) {
		do {
			good = eat_entry(at, places, set);
		} while (good && omp__env_eat(at, ","));
	}
	free(set);
	return good && *omp__env_skip(*at) == '\0' && places->count > 0;
}

/* Entries first[-last[:stride]], with white space or commas between them. */
static bool eat_gomp_list(const char **at, struct omp__places *places)
{
	cpu_set_t *set = malloc(places->bytes);
	bool good = set != NULL;

	while (good && *omp__env_skip(*at)) {
		unsigned long first, last;
		long stride = 1;

		good = omp__env_eat_number(at, &first);
		last = first;
		if (good && omp__env_eat(at, "-"))
			good = omp__env_eat_number(at, &last) && last >= first && last < places->bytes * 8;
		if (good && last > first && omp__env_eat(at, ":"))
			good = eat_stride(at, &stride) && stride > 0;
		for (; good && first <= last; first += (unsigned long)stride) {
			CPU_ZERO_S(places->bytes, set);
			good = add_cpus(set, places->bytes, first, 1, 1) && omp__places_append(places, set);
		}
		omp__env_eat(at, ",");
	}
	free(set);
	return good && places->count > 0;
}

/* What a list names but the program may not use, to be said on stderr. */
struct lost {
	unsigned processors;
	unsigned places;
	FILE *to; /* the text that names the places left out */
	cpu_set_t *unusable;
};

static void note_loss(struct lost *lost, const cpu_set_t *place, const cpu_set_t *allowed, size_t bytes)
{
	unsigned here = 0;

	for (size_t cpu = 0; cpu < bytes * 8; cpu++) {
		if (!CPU_ISSET_S(cpu, bytes, place))
			continue;
		if (CPU_ISSET_S(cpu, bytes, allowed)) {
			here++;
		} else if (!CPU_ISSET_S(cpu, bytes, lost->unusable)) {
			CPU_SET_S(cpu, bytes, lost->unusable);
			lost->processors++;
		}
	}
	if (here)
		return;
	if (lost->places++ < LOST_NAMED_MAX) {
		fputs(lost->places > 1 ? ",{" : "{", lost->to);
		omp__places_print(lost->to, place, bytes);
		fputs("}", lost->to);
	}
}

/* Take away the processors that this program may not use, and the places that are empty then. `lost` notes both. */
static bool keep_usable(struct omp__places *places, const cpu_set_t *allowed, struct lost *lost)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < places->count; i++) {
		cpu_set_t *set = places->sets[i];

		note_loss(lost, set, allowed, places->bytes);
		CPU_AND_S(places->bytes, set, set, allowed);
		if (CPU_COUNT_S(places->bytes, set))
			places->sets[kept++] = set;
		else
			free(set);
	}
	places->count = kept;
	return kept > 0;
}

/* Say that a list is used in part, or that a name asks for more places than there are. */
static void tell_loss(const char *name, const struct omp__places *places, const struct lost *lost, const char *left_out)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return;
	if (lost->processors) {
		fprintf(to, "this program may not use processor%s ", lost->processors == 1 ? "" : "s");
		omp__places_print(to, lost->unusable, places->bytes);
		if (lost->places)
			fprintf(to, "; left out: %s", left_out);
		else
			fputs("; each of the places keeps others", to);
		if (lost->places > LOST_NAMED_MAX)
			fprintf(to, " and %u more", lost->places - LOST_NAMED_MAX);
	} else {
		fprintf(to, "there %s %u of these places for this program, not %lu", places->count == 1 ? "is" : "are",
			places->count, places->wanted);
	}
	if (fclose(to) == 0)
		omp__env_warn(name, text);
	free(text);
}

/* Reduce a list that was read to what the program may use. Unless it is only checked, say what was lost. */
static bool reduce(const char *name, struct omp__places *places, bool check_only)
{
	size_t bytes, text_bytes;
	const cpu_set_t *allowed = omp__system_affinity(&bytes);
	char *left_out = NULL;
	struct lost lost = { .to = open_memstream(&left_out, &text_bytes), .unusable = calloc(1, bytes) };
	bool good = lost.to && lost.unusable;

	if (good) {
		good = keep_usable(places, allowed, &lost);
		if (!good)
			omp__env_complain(name, "this program may use none of these processors");
	}
	if (lost.to && fclose(lost.to) == 0 && good && !check_only &&
	    (lost.processors || places->count < places->wanted))
		tell_loss(name, places, &lost, left_out);
	free(left_out);
	free(lost.unusable);
	return good;
}

static bool read_variable(const char *name, bool (*eat)(const char **at, struct omp__places *places), const char *takes,
			  bool check_only)
{
	const char *at = omp__env_get(name);
	struct omp__places places = { 0 };

	if (!at || !omp__system_affinity(&places.bytes))
		return false;
	if (!eat(&at, &places)) {
		omp__env_complain(name, takes);
	} else if (reduce(name, &places, check_only) && !check_only) {
		omp__places = places;
		return true;
	}
	omp__places_clear(&places);
	return false;
}

bool omp__places_read(bool check_only)
{
	bool found =
		read_variable("OMP_PLACES", eat_list,
			      "it takes threads, cores, sockets, ll_caches, numa_domains, or places as {0,1},{2:2}",
			      check_only);

	return read_variable("GOMP_CPU_AFFINITY", eat_gomp_list, "it takes processors, as 0 3 1-2",
			     check_only || found) ||
	       found;
}

bool omp__places_default(void)
{
	return omp__places_from_topology(&omp__places, OMP__PLACE_THREADS, ULONG_MAX);
}

void omp__places_print(FILE *to, const cpu_set_t *set, size_t bytes)
{
	size_t cpus = bytes * 8;
	const char *separator = "";

	for (size_t cpu = 0; cpu < cpus; cpu++) {
		size_t first = cpu;

		if (!CPU_ISSET_S(cpu, bytes, set))
			continue;
		while (cpu + 1 < cpus && CPU_ISSET_S(cpu + 1, bytes, set))
			cpu++;
		if (cpu > first)
			fprintf(to, "%s%zu:%zu", separator, first, cpu - first + 1);
		else
			fprintf(to, "%s%zu", separator, first);
		separator = ",";
	}
}
