/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of what a task's children depend on. Only the parent's thread uses it. */
#ifndef OMP_DEPEND_TABLE_H
#define OMP_DEPEND_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* The kinds of dependences, in the order in which a task's dependences are entered. */
enum omp__depend_kind { OMP__DEPEND_OUT, OMP__DEPEND_SET, OMP__DEPEND_IN };

struct omp__depend_node;
struct omp__family;
struct omp__thread;

#define OMP__DEPEND_FEW 2

/* A set of nodes; a small set needs no memory of its own. */
struct omp__depend_set {
	size_t count;
	size_t capacity; /* 0: in `few` */
	union {
		struct omp__depend_node *few[OMP__DEPEND_FEW];
		struct omp__depend_node **many;
	};
};

struct omp__depend_entry {
	void *address;
	bool used;
	enum omp__depend_kind kind;
	struct omp__depend_set newest;
	struct omp__depend_set before;
};

/* A hash table with open addressing, whose capacity is a power of two. */
struct omp__depend_table {
	struct omp__depend_entry *entries;
	size_t capacity;
	size_t count;
	/* How often in a row the table was almost empty after ended tasks were removed. */
	unsigned sparse;
	/* The last task that depends on all memory; all entries were made after it. */
	struct omp__depend_node *all;
};

static inline struct omp__depend_node **omp__depend_nodes(const struct omp__depend_set *set)
{
	return set->capacity ? set->many : (struct omp__depend_node **)set->few;
}

static inline struct omp__depend_node *omp__depend_newest(const struct omp__depend_entry *entry)
{
	return entry->newest.count ? omp__depend_nodes(&entry->newest)[entry->newest.count - 1] : NULL;
}

/* The family's table, made when there is none. */
struct omp__depend_table *omp__depend_table(struct omp__thread *thread, struct omp__family *family);
struct omp__depend_entry *omp__depend_find(const struct omp__depend_table *table, void *address);
/* Insert an address that is not in the table. */
struct omp__depend_entry *omp__depend_insert(struct omp__thread *thread, struct omp__depend_table *table,
					     void *address);
/* A new generation begins at the entry. */
void omp__depend_begin_generation(struct omp__thread *thread, struct omp__depend_entry *entry,
				  enum omp__depend_kind kind);
/* Add the node to the set, which keeps it. Before a set grows it lets go of nodes whose tasks have ended. */
void omp__depend_add(struct omp__thread *thread, struct omp__depend_set *set, struct omp__depend_node *node);
/* Let go of all nodes. */
void omp__depend_clear(struct omp__thread *thread, struct omp__depend_table *table);

/* No child is left, so no task will have to wait for one: forget all dependences. */
void omp__depend_reset(struct omp__thread *thread, struct omp__family *family);
/* The family ends. The thread may be NULL. */
void omp__depend_forget(struct omp__thread *thread, struct omp__family *family);

#endif
