/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places by name (threads, cores, sockets …): what Linux says in /sys/devices/system about the processors that this
 * program may use.
 */
#include "openmp/places/topology.h"
#include "openmp/environment/environment_parse.h"
#include "openmp/system/system.h"
#include "openmp/places/places_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 128, CACHE_LEVELS_MAX = 8 };

/* Parse a list such as 0-3,8 into a set. */
static void parse_list(const char *at, cpu_set_t *set, size_t bytes)
{
	unsigned long first, last;

	while (omp__env_eat_number(&at, &first)) {
		last = first;
		if (omp__env_eat(&at, "-") && !omp__env_eat_number(&at, &last))
			return;
		for (; first <= last && first < bytes * 8; first++)
			CPU_SET_S(first, bytes, set);
		if (!omp__env_eat(&at, ","))
			return;
	}
}

/* Read a file with such a list; false when it is not there. */
static bool read_list(const char *path, cpu_set_t *set, size_t bytes)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t line_bytes = 0;

	if (!file)
		return false;
	CPU_ZERO_S(bytes, set);
	if (getline(&line, &line_bytes, file) > 0)
		parse_list(line, set, bytes);
	free(line);
	fclose(file);
	return true;
}

/* The path of the processor's cache with the largest index, which is its last level. */
static void cache_path(char *path, unsigned cpu)
{
	int last = 0;

	for (int i = 0; i < CACHE_LEVELS_MAX; i++) {
		FILE *file;

		snprintf(path, PATH_BYTES, "/sys/devices/system/cpu/cpu%u/cache/index%d/shared_cpu_list", cpu, i);
		file = fopen(path, "re");
		if (file) {
			last = i;
			fclose(file);
		}
	}
	snprintf(path, PATH_BYTES, "/sys/devices/system/cpu/cpu%u/cache/index%d/shared_cpu_list", cpu, last);
}

static bool siblings(enum omp__place_unit unit, unsigned cpu, cpu_set_t *set, size_t bytes)
{
	char path[PATH_BYTES];

	switch (unit) {
	case OMP__PLACE_CORES:
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
		break;
	case OMP__PLACE_SOCKETS:
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/core_siblings_list", cpu);
		break;
	case OMP__PLACE_LL_CACHES:
		cache_path(path, cpu);
		break;
	default:
		CPU_ZERO_S(bytes, set);
		CPU_SET_S(cpu, bytes, set);
		return true;
	}
	return read_list(path, set, bytes);
}

static void from_nodes(struct omp__places *places, unsigned long limit, const cpu_set_t *allowed, cpu_set_t *set)
{
	enum { NODES_MAX = 1024 };
	char path[PATH_BYTES];

	for (int node = 0; node < NODES_MAX && places->count < limit; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpulist", node);
		if (!read_list(path, set, places->bytes))
			continue;
		CPU_AND_S(places->bytes, set, set, allowed);
		if (CPU_COUNT_S(places->bytes, set))
			omp__places_append(places, set);
	}
}

bool omp__places_from_topology(struct omp__places *places, enum omp__place_unit unit, unsigned long limit)
{
	size_t bytes;
	const cpu_set_t *allowed = omp__system_affinity(&bytes);
	cpu_set_t *left = malloc(bytes);
	cpu_set_t *set = malloc(bytes);

	places->bytes = bytes;
	if (left && set && allowed) {
		memcpy(left, allowed, bytes);
		if (unit == OMP__PLACE_NUMA_DOMAINS)
			from_nodes(places, limit, allowed, set);
		for (unsigned cpu = 0; unit != OMP__PLACE_NUMA_DOMAINS && cpu < bytes * 8 && places->count < limit;
		     cpu++) {
			if (!CPU_ISSET_S(cpu, bytes, left) || !siblings(unit, cpu, set, bytes))
				continue;
			CPU_AND_S(bytes, set, set, left);
			CPU_XOR_S(bytes, left, left, set);
			if (CPU_COUNT_S(bytes, set))
				omp__places_append(places, set);
		}
	}
	free(left);
	free(set);
	return places->count > 0;
}
