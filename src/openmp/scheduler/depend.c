/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences between sibling tasks (OpenMP 5.2, 15.9.5): a graph of tasks, in which each task has the number of those
 * that it still waits for, and a list of those that wait for it.
 *
 * A hash table by address says which tasks a new one has to wait for. Only the parent's thread looks addresses up, and
 * the table belongs to the parent's family (what a task and its children share), so the table needs no lock. An entry
 * keeps the newest generation of tasks at its address. The tasks of a generation may run at the same time: it is one
 * writer, or any number of readers or of members of an inoutset. While that generation can still grow, the entry keeps
 * the one before it too, because each new member has to wait for all tasks of that one. mutexinoutset is treated as
 * inout: a stricter order, which no conforming program can notice.
 *
 * A task that others may have to wait for has a node. The nodes that wait for it are a list, which the end of the task
 * closes. The race is between a new node that enters the list and the end of the task:
 *
 *	parent's thread					the thread that ends the task
 *	waits of the new node += 1
 *	compare-and-swap the node into waiters		list = exchange(waiters, CLOSED)
 *	if waiters are CLOSED instead: waits -= 1	each node in the list: waits -= 1, and ready if that was the
 *							last
 *
 * The new node starts with one wait of its own, which the parent's thread takes off last, so the node is not ready
 * before all its dependences are entered.
 *
 * What may go wrong: a node is used after it was freed. Its task keeps it until it has ended, and so does each set of
 * the table that holds it (`references`). What may change: how the table finds entries. What may not: `waits` goes up
 * before the node enters a list.
 */
#include "openmp/scheduler/depend.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/depend_node.h"
#include "openmp/scheduler/depend_table.h"
#include "openmp/scheduler/ready.h"
#include "openmp/state/task_memory.h"
#include "openmp/synchronization/team_wake.h"
#include "openmp/tool/event.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the compiler passes --------------------------------------------------------------------------------------
 */

/*
 * Either n, n_out, addresses; or 0, n, n_out, n_mutexinoutset, n_in, addresses, and for the rest pointers to depend
 * objects, each an address and a type. Those that write come first, so that a task that both reads and writes an
 * address enters as a writer.
 */
struct list {
	void **addresses;
	size_t count;
	size_t writers;
	size_t plain; /* the rest are depend objects */
};

static struct list list_of(void **depend)
{
	if (depend[0])
		return (struct list){ depend + 2, (size_t)depend[0], (size_t)depend[1], (size_t)depend[0] };
	return (struct list){ depend + 5, (size_t)depend[1], (size_t)depend[2] + (size_t)depend[3],
			      (size_t)depend[2] + (size_t)depend[3] + (size_t)depend[4] };
}

enum { OBJECT_IN = 1, OBJECT_OUT = 2, OBJECT_INOUT = 3, OBJECT_MUTEXINOUTSET = 4, OBJECT_INOUTSET = 5 };

static enum omp__depend_kind kind_of_object(uintptr_t type)
{
	switch (type) {
	case OBJECT_IN:
		return OMP__DEPEND_IN;
	case OBJECT_OUT:
	case OBJECT_INOUT:
	case OBJECT_MUTEXINOUTSET:
		return OMP__DEPEND_OUT;
	case OBJECT_INOUTSET:
		return OMP__DEPEND_SET;
	default:
		fprintf(stderr, "libferryomp: a depend object has the unknown type %lu\n", (unsigned long)type);
		abort();
	}
}

static enum omp__depend_kind item(const struct list *list, size_t i, void **address)
{
	void **object;

	if (i < list->plain) {
		*address = list->addresses[i];
		return i < list->writers ? OMP__DEPEND_OUT : OMP__DEPEND_IN;
	}
	object = list->addresses[i];
	assert(object);
	*address = object[0];
	return kind_of_object((uintptr_t)object[1]);
}

/* ---- for a tool ----------------------------------------------------------------------------------------------------
 */

size_t omp__depend_count(void **depend)
{
	return list_of(depend).count;
}

/* GCC passes `out` and `inout` as one kind, and so does clang. */
static ompt_dependence_type_t type_of(void **depend, const struct list *list, size_t i)
{
	if (i >= list->plain)
		switch ((uintptr_t)((void **)list->addresses[i])[1]) {
		case OBJECT_IN:
			return ompt_dependence_type_in;
		case OBJECT_INOUTSET:
			return ompt_dependence_type_inoutset;
		case OBJECT_MUTEXINOUTSET:
			return ompt_dependence_type_mutexinoutset;
		default:
			return ompt_dependence_type_inout;
		}
	if (i >= list->writers)
		return ompt_dependence_type_in;
	return !depend[0] && i >= (size_t)depend[2] ? ompt_dependence_type_mutexinoutset : ompt_dependence_type_inout;
}

void omp__depend_list(void **depend, ompt_dependence_t *to)
{
	struct list list = list_of(depend);

	for (size_t i = 0; i < list.count; i++) {
		void *address;

		item(&list, i, &address);
		to[i].variable.ptr = address;
		/* the compilers pass `out` and `inout` as one kind */
		to[i].dependence_type = address ? type_of(depend, &list, i) : ompt_dependence_type_out_all_memory;
	}
}

/* ---- waiting for others --------------------------------------------------------------------------------------------
 */

/* `node` waits for `other`, unless that has ended. */
static void wait_for(struct omp__thread *thread, struct omp__depend_node *node, struct omp__depend_node *other)
{
	struct omp__depend_waiter *waiter;

	if (other == node || omp__depend_ended(other))
		return;
	if (__builtin_expect(node->tool != NULL, 0))
		omp__tool_dependence(other->tool, node->tool);
	waiter = omp__memory_get(thread, sizeof(*waiter));
	waiter->node = node;
	waiter->next = atomic_load_explicit(&other->waiters, memory_order_acquire);
	/* relaxed: this thread's own wait keeps the node from becoming ready */
	atomic_fetch_add_explicit(&node->waits, 1, memory_order_relaxed);
	while (waiter->next != OMP__DEPEND_CLOSED)
		/* release: the thread that ends the other task sees the waiter */
		if (atomic_compare_exchange_weak_explicit(&other->waiters, &waiter->next, waiter, memory_order_acq_rel,
							  memory_order_acquire))
			return;
	omp__memory_put(thread, waiter);
	atomic_fetch_sub_explicit(&node->waits, 1, memory_order_relaxed);
}

static void wait_for_set(struct omp__thread *thread, struct omp__depend_node *node, const struct omp__depend_set *set)
{
	struct omp__depend_node **nodes = omp__depend_nodes(set);

	for (size_t i = 0; i < set->count; i++)
		wait_for(thread, node, nodes[i]);
}

/* Whether a task with this kind of dependence belongs to the entry's newest generation, or begins the next. */
static inline bool joins(const struct omp__depend_entry *entry, enum omp__depend_kind kind)
{
	return kind != OMP__DEPEND_OUT && kind == entry->kind;
}

static void wait_for_everything(struct omp__thread *thread, struct omp__depend_node *node,
				const struct omp__depend_table *table)
{
	for (size_t i = 0; i < table->capacity; i++)
		if (table->entries[i].used)
			wait_for_set(thread, node, &table->entries[i].newest);
	if (table->all)
		wait_for(thread, node, table->all);
}

/* Make the node, which is in no table, wait for all that a task with these dependences would wait for. */
static void wait_for_list(struct omp__thread *thread, struct omp__depend_node *node,
			  const struct omp__depend_table *table, const struct list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		void *address;
		enum omp__depend_kind kind = item(list, i, &address);
		struct omp__depend_entry *entry;

		if (!address) {
			wait_for_everything(thread, node, table);
			continue;
		}
		entry = omp__depend_find(table, address);
		if (entry)
			wait_for_set(thread, node, joins(entry, kind) ? &entry->before : &entry->newest);
		else if (table->all)
			wait_for(thread, node, table->all);
	}
}

static bool any_left(const struct omp__depend_set *set)
{
	struct omp__depend_node **nodes = omp__depend_nodes(set);

	for (size_t i = 0; i < set->count; i++)
		if (!omp__depend_ended(nodes[i]))
			return true;
	return false;
}

static bool anything_left(const struct omp__depend_table *table)
{
	for (size_t i = 0; i < table->capacity; i++)
		if (table->entries[i].used && any_left(&table->entries[i].newest))
			return true;
	return table->all && !omp__depend_ended(table->all);
}

bool omp__depend_blocked(struct omp__family *family, void **depend)
{
	const struct omp__depend_table *table = family->depends;
	struct list list = list_of(depend);

	for (size_t i = 0; table && i < list.count; i++) {
		void *address;
		enum omp__depend_kind kind = item(&list, i, &address);
		struct omp__depend_entry *entry;

		if (!address) {
			if (anything_left(table))
				return true;
			continue;
		}
		entry = omp__depend_find(table, address);
		if (entry ? any_left(joins(entry, kind) ? &entry->before : &entry->newest)
			  : table->all && !omp__depend_ended(table->all))
			return true;
	}
	return false;
}

/* ---- entering ------------------------------------------------------------------------------------------------------
 */

/* A task that depends on all memory waits for every sibling so far, and every later sibling waits for it. */
static void enter_all(struct omp__thread *thread, struct omp__depend_table *table, struct omp__depend_node *node)
{
	wait_for_everything(thread, node, table);
	omp__depend_clear(thread, table);
	table->all = node;
	atomic_fetch_add_explicit(&node->references, 1, memory_order_relaxed);
}

static void keep(struct omp__thread *thread, struct omp__depend_set *set, struct omp__depend_node *node)
{
	omp__depend_add(thread, set, node);
	/* relaxed: the thread that enters the node keeps it meanwhile */
	atomic_fetch_add_explicit(&node->references, 1, memory_order_relaxed);
}

static void enter(struct omp__thread *thread, struct omp__depend_table *table, struct omp__depend_node *node,
		  void *address, enum omp__depend_kind kind)
{
	struct omp__depend_entry *entry;

	if (table->all == node)
		return;
	entry = omp__depend_find(table, address);
	if (!entry) {
		entry = omp__depend_insert(thread, table, address);
		/* The first generation at a new address is the task that wrote all memory. */
		if (table->all)
			keep(thread, &entry->newest, table->all);
	}
	if (omp__depend_newest(entry) == node)
		return;
	if (joins(entry, kind)) {
		wait_for_set(thread, node, &entry->before);
	} else {
		wait_for_set(thread, node, &entry->newest);
		omp__depend_begin_generation(thread, entry, kind);
	}
	keep(thread, &entry->newest, node);
}

bool omp__depend_enter(struct omp__thread *thread, struct omp__family *family, struct omp__deferred *deferred,
		       void **depend)
{
	struct omp__depend_node *node = omp__memory_get(thread, sizeof(*node));
	struct omp__depend_table *table = omp__depend_table(thread, family);
	struct list list = list_of(depend);

	atomic_init(&node->references, 1);
	atomic_init(&node->waits, 1);
	atomic_init(&node->waiters, NULL);
	node->deferred = deferred;
	node->tool = deferred->task.tool;
	deferred->node = node;
	/* writers first: a task that both reads and writes an address enters as a writer */
	for (int pass = OMP__DEPEND_OUT; pass <= OMP__DEPEND_IN; pass++)
		for (size_t i = 0; i < list.count; i++) {
			void *address;
			enum omp__depend_kind kind = item(&list, i, &address);

			if ((int)kind != pass)
				continue;
			if (address)
				enter(thread, table, node, address, kind);
			else
				enter_all(thread, table, node);
		}
	/* acq_rel: sees what the tasks did that the node waited for */
	return atomic_fetch_sub_explicit(&node->waits, 1, memory_order_acq_rel) == 1;
}

bool omp__depend_await(struct omp__thread *thread, struct omp__family *family, void **depend,
		       struct omp__depend_node *node, _Atomic uint64_t *pending, struct omp__tool_task *tool)
{
	struct list list = list_of(depend);

	if (!family->depends || !omp__depend_blocked(family, depend))
		return false;
	*node = (struct omp__depend_node){ .pending = pending, .team = thread->task->crew->team, .tool = tool };
	atomic_init(&node->waits, 1);
	wait_for_list(thread, node, family->depends, &list);
	return atomic_fetch_sub_explicit(&node->waits, 1, memory_order_acq_rel) != 1;
}

/* ---- leaving -------------------------------------------------------------------------------------------------------
 */

/*
 * A node waits for one task less. After its last wait another thread may free it at once, so all that is needed of it
 * is read before.
 */
static void release(struct omp__thread *thread, struct omp__crew *crew, struct omp__depend_node *node)
{
	struct omp__deferred *deferred = node->deferred;
	struct omp__team *team = node->team;
	_Atomic uint64_t *pending = node->pending;

	/* acq_rel: the last one hands on what all the tasks did */
	if (atomic_fetch_sub_explicit(&node->waits, 1, memory_order_acq_rel) != 1)
		return;
	if (deferred)
		omp__ready_push(thread, crew, deferred);
	else if (atomic_fetch_sub_explicit(pending, OMP__PENDING, memory_order_seq_cst) & OMP__PENDING_WAITED)
		omp__team_wake(team, pending);
}

void omp__depend_leave(struct omp__thread *thread, struct omp__crew *crew, struct omp__depend_node *node)
{
	struct omp__depend_waiter *waiter =
		atomic_exchange_explicit(&node->waiters, OMP__DEPEND_CLOSED, memory_order_acq_rel);

	while (waiter) {
		struct omp__depend_waiter *next = waiter->next;

		release(thread, crew, waiter->node);
		omp__memory_put(thread, waiter);
		waiter = next;
	}
	omp__depend_drop(thread, node);
}
