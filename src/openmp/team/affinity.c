/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binding threads to places (OpenMP 5.2, section 10.1.3). A thread may bind its teams within its partition of the list
 * of places. The primary works out each member's place before the fork; a member moves itself when its place has
 * changed.
 */
#include "openmp/team/affinity.h"
#include "openmp/abi/export.h"
#include "openmp/places/places.h"
#include "openmp/state/team_state.h"
#include "openmp/team/affinity_format.h"

#include <omp.h>

bool omp__affinity_binds;

static void bind_to(struct omp__thread *thread, unsigned place)
{
	if (thread->place == place + 1)
		return;
	if (omp__host_bind(omp__places.sets[place], omp__places.bytes) == 0)
		thread->place = place + 1;
}

void omp__affinity_initial(struct omp__thread *thread)
{
	if (!omp__affinity_binds)
		return;
	thread->partition_first = 0;
	thread->partition_count = omp__places.count;
	bind_to(thread, 0);
	/* Where the system does not let us bind, the place is still where its teams start. */
	thread->place = 1;
}

/* ---- distributing members over a partition ----------------------------------------------------------------------- */

struct partition {
	unsigned first;
	unsigned count;
	unsigned own; /* the primary's place, counted from first */
};

static void place_member(struct omp__member *member, const struct partition *partition, unsigned offset)
{
	member->place = partition->first + offset % partition->count + 1;
	member->partition_first = partition->first;
	member->partition_count = partition->count;
}

/* Groups of members with consecutive numbers get consecutive places; the last `rest` fill up one by one. */
static unsigned close_offset(unsigned num, unsigned size, unsigned places)
{
	unsigned group = size / places;
	unsigned rest = size % places;

	if (size <= places)
		return num;
	if (num < size - rest)
		return num / group;
	return num - (size - rest);
}

static void distribute_close(struct omp__team *team, const struct partition *partition)
{
	for (unsigned i = 0; i < team->size; i++)
		place_member(team->members[i], partition,
			     partition->own + close_offset(i, team->size, partition->count));
}

/* Subpartitions as equal as can be, the larger ones first; each member gets the first place of its own. */
static void distribute_spread(struct omp__team *team, const struct partition *partition)
{
	unsigned size = team->size;
	unsigned part = partition->count / size;
	unsigned rest = partition->count % size;
	unsigned mine = 0;
	unsigned first = 0;

	if (size > partition->count) {
		for (unsigned i = 0; i < size; i++) {
			struct omp__member *member = team->members[i];

			place_member(member, partition, partition->own + close_offset(i, size, partition->count));
			member->partition_first = member->place - 1;
			member->partition_count = 1;
		}
		return;
	}
	/* Which subpartition the primary is in: it is the first in the team's order. */
	while (first + part + (mine < rest) <= partition->own)
		first += part + (mine++ < rest);
	for (unsigned i = 0; i < size; i++) {
		struct omp__member *member = team->members[i];
		unsigned number = (mine + i) % size;

		first = number * part + (number < rest ? number : rest);
		member->partition_first = partition->first + first;
		member->partition_count = part + (number < rest);
		member->place = (i ? member->partition_first : partition->first + partition->own) + 1;
	}
}

static void distribute_primary(struct omp__team *team, const struct partition *partition)
{
	for (unsigned i = 0; i < team->size; i++)
		place_member(team->members[i], partition, partition->own);
}

void omp__affinity_team(struct omp__thread *thread, struct omp__team *team, unsigned flags)
{
	unsigned bind = thread->task->icv->bind;
	struct partition partition = { thread->partition_first, thread->partition_count, 0 };

	if (bind == OMP__BIND_FALSE || partition.count == 0)
		return;
	partition.own = thread->place - 1 - partition.first;
	if (flags & OMP__FLAG_BIND)
		bind = flags & OMP__FLAG_BIND;
	if (bind == OMP__BIND_SPREAD)
		distribute_spread(team, &partition);
	else if (bind == OMP__BIND_PRIMARY)
		distribute_primary(team, &partition);
	else
		distribute_close(team, &partition);
}

void omp__affinity_enter(struct omp__thread *thread, const struct omp__member *member)
{
	unsigned before = thread->place;

	if (member->place) {
		thread->partition_first = member->partition_first;
		thread->partition_count = member->partition_count;
		if (member->num)
			bind_to(thread, member->place - 1);
	}
	if (omp__globals.display_affinity && (before != thread->place || !thread->displayed)) {
		thread->displayed = true;
		omp__affinity_display(thread, NULL);
	}
}

/* ---- omp.h ---------------------------------------------------------------------------------------------------------
 */

OMP__EXPORT omp_proc_bind_t omp_get_proc_bind(void)
{
	return (omp_proc_bind_t)omp__self()->task->icv->bind;
}

OMP__EXPORT int omp_get_num_places(void)
{
	return omp__self() ? (int)omp__places.count : 0;
}

OMP__EXPORT int omp_get_place_num_procs(int place)
{
	if (place < 0 || place >= omp_get_num_places())
		return 0;
	return CPU_COUNT_S(omp__places.bytes, omp__places.sets[place]);
}

OMP__EXPORT void omp_get_place_proc_ids(int place, int *ids)
{
	if (place < 0 || place >= omp_get_num_places())
		return;
	for (size_t cpu = 0; cpu < omp__places.bytes * 8; cpu++)
		if (CPU_ISSET_S(cpu, omp__places.bytes, omp__places.sets[place]))
			*ids++ = (int)cpu;
}

OMP__EXPORT int omp_get_place_num(void)
{
	return (int)omp__self()->place - 1;
}

OMP__EXPORT int omp_get_partition_num_places(void)
{
	return (int)omp__self()->partition_count;
}

OMP__EXPORT void omp_get_partition_place_nums(int *places)
{
	const struct omp__thread *thread = omp__self();

	for (unsigned i = 0; i < thread->partition_count; i++)
		places[i] = (int)(thread->partition_first + i);
}

/* With places, those of the list; otherwise what the caller may use now. No more than the CPU quota in either case. */
OMP__EXPORT int omp_get_num_procs(void)
{
	size_t bytes;
	const cpu_set_t *all = omp__self() ? omp__host_affinity(&bytes) : NULL;
	int count = 0, most = (int)omp__processors_now();

	if (all && !omp__places.count) {
		cpu_set_t *now = CPU_ALLOC(bytes * 8);

		count = now ? omp__host_affinity_now(now, bytes) : 0;
		CPU_FREE(now);
	}
	return count > 0 && count < most ? count : most;
}
