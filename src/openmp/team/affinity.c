/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binding threads to places (OpenMP 5.2, section 10.1.3). A thread may bind its teams within its partition of the list
 * of places. The primary works out each member's place before the fork; a member whose place has changed moves itself
 * there.
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
	if (omp__system_bind(omp__places.sets[place], omp__places.bytes) == 0)
		thread->place = place + 1;
}

void omp__affinity_initial(struct omp__thread *thread)
{
	if (!omp__affinity_binds)
		return;
	thread->partition_first = 0;
	thread->partition_count = omp__places.count;
	bind_to(thread, 0);
	/* Even where the system refuses to bind the thread, its teams are distributed from this place on. */
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

/* Groups of members with consecutive numbers get consecutive places; the last `rest` members get one place each. */
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

/*
 * Divide the partition into subpartitions as equal as possible, the larger ones first; each member gets the first place
 * of its own subpartition.
 */
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
	/* Find the subpartition that the primary is in: the team's order begins there. */
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
	if (member->place) {
		thread->partition_first = member->partition_first;
		thread->partition_count = member->partition_count;
		if (member->num)
			bind_to(thread, member->place - 1);
	}
	omp__affinity_entered(thread);
}

void omp__affinity_entered(struct omp__thread *thread)
{
	const struct omp__region *region = thread->region;

	if (!omp__globals.display_affinity)
		return;
	if (thread->displayed.thread_num == region->thread_num &&
	    thread->displayed.thread_count == region->thread_count && thread->displayed.level == region->level &&
	    thread->displayed.place == thread->place)
		return;
	thread->displayed.thread_num = region->thread_num;
	thread->displayed.thread_count = region->thread_count;
	thread->displayed.level = region->level;
	thread->displayed.place = thread->place;
	omp__affinity_display(thread, NULL);
}
