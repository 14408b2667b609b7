/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of dependences: for each address, the tasks that came last there. See depend_table.h. */
#include "openmp/scheduler/depend_table.h"
#include "openmp/scheduler/depend_node.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/thread_state.h"

#include <string.h>

enum {
	CAPACITY_FIRST = 16,
	/* If fewer than one in SPARSE entries of a table are in use, several times in a row, the table shrinks. */
	SPARSE = 16,
	SPARSE_TIMES = 8,
};

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static void set_clear(struct omp__thread *thread, struct omp__depend_set *set)
{
	struct omp__depend_node **nodes = omp__depend_nodes(set);

	for (size_t i = 0; i < set->count; i++)
		omp__depend_drop(thread, nodes[i]);
	if (set->capacity)
		omp__memory_put(thread, set->many);
	set->count = 0;
	set->capacity = 0;
}

static void set_drop_ended(struct omp__thread *thread, struct omp__depend_set *set)
{
	struct omp__depend_node **nodes = omp__depend_nodes(set);
	size_t kept = 0;

	for (size_t i = 0; i < set->count; i++)
		if (omp__depend_ended(nodes[i]))
			omp__depend_drop(thread, nodes[i]);
		else
			nodes[kept++] = nodes[i];
	set->count = kept;
}

/*
 * Grow the set, half of which is in use: in a fuller set, the next search for ended tasks would come soon and find few.
 */
static void set_grow(struct omp__thread *thread, struct omp__depend_set *set, size_t room)
{
	struct omp__depend_node **nodes;

	if (set->count < room / 2)
		return;
	nodes = omp__memory_get(thread, room * 2 * sizeof(struct omp__depend_node *));
	memcpy(nodes, omp__depend_nodes(set), set->count * sizeof(struct omp__depend_node *));
	if (set->capacity)
		omp__memory_put(thread, set->many);
	set->many = nodes;
	set->capacity = room * 2;
}

void omp__depend_add(struct omp__thread *thread, struct omp__depend_set *set, struct omp__depend_node *node)
{
	size_t room = set->capacity ? set->capacity : OMP__DEPEND_FEW;

	if (set->count == room) {
		set_drop_ended(thread, set);
		set_grow(thread, set, room);
	}
	omp__depend_nodes(set)[set->count++] = node;
}

void omp__depend_begin_generation(struct omp__thread *thread, struct omp__depend_entry *entry,
				  enum omp__depend_kind kind)
{
	set_clear(thread, &entry->before);
	/* No task joins a writer's generation, so none will have to wait for the generation before it. */
	if (kind == OMP__DEPEND_OUT) {
		set_clear(thread, &entry->newest);
	} else {
		entry->before = entry->newest;
		entry->newest = (struct omp__depend_set){ 0 };
	}
	entry->kind = kind;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* The multiplier is 2^64 divided by the golden ratio (Knuth, volume 3, 6.4). */
static inline size_t slot_of(const struct omp__depend_table *table, const void *address)
{
	return ((uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & (table->capacity - 1);
}

static struct omp__depend_entry *probe(const struct omp__depend_table *table, void *address)
{
	size_t at = slot_of(table, address);

	while (table->entries[at].used && table->entries[at].address != address)
		at = (at + 1) & (table->capacity - 1);
	return &table->entries[at];
}

struct omp__depend_table *omp__depend_table(struct omp__thread *thread, struct omp__family *family)
{
	if (!family->depends) {
		family->depends = omp__memory_get(thread, sizeof(*family->depends));
		*family->depends = (struct omp__depend_table){ 0 };
	}
	return family->depends;
}

struct omp__depend_entry *omp__depend_find(const struct omp__depend_table *table, void *address)
{
	struct omp__depend_entry *entry;

	if (table->capacity == 0)
		return NULL;
	entry = probe(table, address);
	return entry->used ? entry : NULL;
}

/*
 * Take an entry out; entries that were placed behind it because its slot was in use move back (Knuth, volume 3, 6.4,
 * algorithm R).
 */
static void remove_entry(struct omp__depend_table *table, size_t hole)
{
	size_t mask = table->capacity - 1;

	for (size_t at = (hole + 1) & mask; table->entries[at].used; at = (at + 1) & mask) {
		size_t home = slot_of(table, table->entries[at].address);

		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		table->entries[hole] = table->entries[at];
		hole = at;
	}
	table->entries[hole] = (struct omp__depend_entry){ 0 };
	table->count--;
}

/* No task will have to wait for an entry whose newest tasks have ended: those before them have ended too. */
static void drop_ended(struct omp__thread *thread, struct omp__depend_table *table)
{
	for (size_t i = 0; i < table->capacity;) {
		struct omp__depend_entry *entry = &table->entries[i];

		if (entry->used)
			set_drop_ended(thread, &entry->newest);
		if (!entry->used || entry->newest.count > 0) {
			i++;
			continue;
		}
		set_clear(thread, &entry->newest);
		set_clear(thread, &entry->before);
		remove_entry(table, i);
	}
}

static void table_resize(struct omp__thread *thread, struct omp__depend_table *table, size_t capacity)
{
	struct omp__depend_table resized = *table;

	resized.capacity = capacity;
	resized.entries = omp__memory_get(thread, capacity * sizeof(*resized.entries));
	memset(resized.entries, 0, capacity * sizeof(*resized.entries));
	for (size_t i = 0; i < table->capacity; i++)
		if (table->entries[i].used)
			*probe(&resized, table->entries[i].address) = table->entries[i];
	if (table->entries)
		omp__memory_put(thread, table->entries);
	*table = resized;
}

/*
 * Half of the entries are in use: remove those whose tasks have ended. If more than a quarter of the entries are left,
 * the table would soon be half full again, so it grows; if almost none are left, it was too large, and shrinks. So each
 * insertion pays for only a few entries besides its own, and the memory is bounded by how many tasks were live at once.
 */
static void make_room(struct omp__thread *thread, struct omp__depend_table *table)
{
	drop_ended(thread, table);
	if (table->count * 4 >= table->capacity)
		table_resize(thread, table, table->capacity ? table->capacity * 2 : CAPACITY_FIRST);
	table->sparse = table->count * SPARSE < table->capacity ? table->sparse + 1 : 0;
	if (table->sparse < SPARSE_TIMES || table->capacity == CAPACITY_FIRST)
		return;
	table->sparse = 0;
	table_resize(thread, table, table->capacity / 2);
}

struct omp__depend_entry *omp__depend_insert(struct omp__thread *thread, struct omp__depend_table *table, void *address)
{
	struct omp__depend_entry *entry;

	if ((table->count + 1) * 2 > table->capacity)
		make_room(thread, table);
	entry = probe(table, address);
	entry->used = true;
	entry->address = address;
	entry->kind = OMP__DEPEND_OUT;
	table->count++;
	return entry;
}

void omp__depend_clear(struct omp__thread *thread, struct omp__depend_table *table)
{
	for (size_t i = 0; table->count > 0 && i < table->capacity; i++) {
		struct omp__depend_entry *entry = &table->entries[i];

		if (!entry->used)
			continue;
		set_clear(thread, &entry->newest);
		set_clear(thread, &entry->before);
		*entry = (struct omp__depend_entry){ 0 };
		table->count--;
	}
	if (table->all)
		omp__depend_drop(thread, table->all);
	table->all = NULL;
}

void omp__depend_reset(struct omp__thread *thread, struct omp__family *family)
{
	omp__depend_clear(thread, family->depends);
}

void omp__depend_forget(struct omp__thread *thread, struct omp__family *family)
{
	omp__depend_clear(thread, family->depends);
	if (family->depends->entries)
		omp__memory_put(thread, family->depends->entries);
	omp__memory_put(thread, family->depends);
	family->depends = NULL;
}
