/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree of families. A task that defers a child has a family. The family's parent is the nearest family above whose
 * task has not ended.
 *
 * A family is freed when nothing keeps it: its task has ended, and so have all of the task's children, and no family is
 * below it. In a chain of tasks, each of which creates the next and waits for none, each task's family would keep the
 * family above for ever. So the thread that ends a task takes some of the families above the task's own family out of
 * the tree, namely those that only the one family below keeps. Their tasks and all children of those tasks have ended,
 * so no thread will ask what descends from them. A family whose task still runs stays, and a later task of the chain
 * takes it out.
 *
 *	the tree: A is below P, B is below A
 *	thread that ends B's task: takes A out			thread that makes a family: keeps A as its parent
 *	compare-and-swap A's count, 1 to 0			compare-and-swap A's count to one more, unless it is 0
 *	B's parent = P						A's count is 0: goes on to P
 *
 * Only the thread that ends B's task changes B's parent, and that thread keeps B meanwhile.
 * tests/openmp/model/climb.pml enumerates the interleavings of these steps. What may not change: the compare-and-swap
 * from a count of exactly one, and the seq_cst order of the store of B's parent and the look at `climbers` (climb.h).
 */
#include "openmp/scheduler/family.h"
#include "openmp/scheduler/climb.h"
#include "openmp/scheduler/deferred.h"
#include "openmp/scheduler/queue.h"
#include "openmp/state/task_memory.h"

/* ---- freed ------------------------------------------------------------------------------------------------------- */

static void free_family(struct omp__thread *thread, struct omp__family *family)
{
	if (family->bracket)
		omp__task_queue_forget(family);
	omp__memory_put(thread, family);
}

/* A family that nothing keeps any more is freed, and its parent then loses the count that this family held. */
void omp__family_left(struct omp__thread *thread, struct omp__family *family, uint64_t left)
{
	while ((left & OMP__FAMILY_KEPT) == 0) {
		struct omp__family *parent = omp__family_parent(family);

		free_family(thread, family);
		family = parent;
		/* acq_rel: what others did with the family comes before it is freed */
		left = atomic_fetch_sub_explicit(&family->count, OMP__FAMILY_KEEP, memory_order_acq_rel) -
		       OMP__FAMILY_KEEP;
	}
}

void omp__family_drop(struct omp__thread *thread, struct omp__family *family)
{
	/* acq_rel: what others did with the family comes before it is freed */
	omp__family_left(thread, family,
			 atomic_fetch_sub_explicit(&family->count, OMP__FAMILY_KEEP, memory_order_acq_rel) -
				 OMP__FAMILY_KEEP);
}

/* ---- taken out of the tree --------------------------------------------------------------------------------------- */

static void free_taken_out(struct omp__thread *thread, struct omp__crew *crew)
{
	struct omp__family *family = crew->taken_out;

	crew->taken_out = NULL;
	while (family) {
		struct omp__family *next = family->next;

		free_family(thread, family);
		family = next;
	}
}

void omp__family_crew_end(struct omp__crew *crew)
{
	free_taken_out(NULL, crew);
	if (crew->root.bracket)
		omp__task_queue_forget(&crew->root);
}

/*
 * Take the families above `below` that only the family below them keeps out of the tree. Returns the list of all
 * families that this crew has taken out, linked by `next`, with `others` at its end.
 */
static struct omp__family *take_out_above(struct omp__family *below, struct omp__family *others)
{
	struct omp__family *family;

	/* relaxed: only this thread changes the pointer */
	while ((family = atomic_load_explicit(&below->parent, memory_order_relaxed)) != below->root) {
		uint64_t alone = OMP__FAMILY_KEEP;

		/* acq_rel: what other threads did with the family comes before it is freed */
		if (!atomic_compare_exchange_strong_explicit(&family->count, &alone, 0, memory_order_acq_rel,
							     memory_order_relaxed))
			break;
		/* seq_cst: before the look at `climbers`, see climb.h */
		atomic_store_explicit(&below->parent, omp__family_parent(family), memory_order_seq_cst);
		family->next = others;
		others = family;
	}
	return others;
}

void omp__family_end(struct omp__thread *thread, struct omp__crew *crew, struct omp__family *family)
{
	struct omp__family *parent;

	/*
	 * acquire: this thread sees what the children did. Nothing but the ending task keeps the family, so no other
	 * thread can begin to keep it.
	 */
	if (atomic_load_explicit(&family->count, memory_order_acquire) == OMP__FAMILY_KEEP) {
		omp__family_left(thread, family, 0);
		return;
	}
	parent = atomic_load_explicit(&family->parent, memory_order_relaxed);
	/* relaxed: this only decides whether a try is worth while */
	if (parent != family->root && atomic_load_explicit(&parent->count, memory_order_relaxed) == OMP__FAMILY_KEEP)
		crew->taken_out = take_out_above(family, crew->taken_out);
	/* seq_cst, which is also an acquire: all that the climbers did comes before */
	if (crew->taken_out && atomic_load_explicit(&omp__family_team(family)->climbers, memory_order_seq_cst) == 0)
		free_taken_out(thread, crew);
	omp__family_drop(thread, family);
}

/* ---- made -------------------------------------------------------------------------------------------------------- */

/* Keep a family for one below it; false when it has been taken out. */
static bool keep(struct omp__family *family)
{
	uint64_t count = atomic_load_explicit(&family->count, memory_order_relaxed);

	do {
		if (count == 0)
			return false;
		/*
		 * relaxed: a thread that takes the family out acquires, and this thread's use of the family comes
		 * before its next decrement, which releases
		 */
	} while (!atomic_compare_exchange_weak_explicit(&family->count, &count, count + OMP__FAMILY_KEEP,
							memory_order_relaxed, memory_order_relaxed));
	return true;
}

/*
 * Find and keep the parent of a new family: the nearest family above whose task has not ended. Families of ended tasks
 * would only lengthen the way up.
 */
static struct omp__family *keep_above(const struct omp__task *task)
{
	struct omp__family *family;
	struct omp__task_team *tasks;

	family = task->kind == OMP__TASK_DEFERRED ? ((const struct omp__deferred *)task)->of : task->parent->family;
	/* relaxed: this thread may see late that the family's task has ended; then it keeps the family all the same */
	if (family == family->root || !atomic_load_explicit(&family->ended, memory_order_relaxed)) {
		/* relaxed: the task keeps it too */
		atomic_fetch_add_explicit(&family->count, OMP__FAMILY_KEEP, memory_order_relaxed);
		return family;
	}
	/* Most chains are straight below the root, which stays. relaxed: as above */
	if (atomic_load_explicit(&family->parent, memory_order_relaxed) == family->root) {
		atomic_fetch_add_explicit(&family->root->count, OMP__FAMILY_KEEP, memory_order_relaxed);
		return family->root;
	}
	tasks = omp__family_team(family);
	omp__family_climb_begin(tasks);
	while (family != family->root && (atomic_load_explicit(&family->ended, memory_order_relaxed) || !keep(family)))
		family = omp__family_parent(family);
	if (family == family->root)
		atomic_fetch_add_explicit(&family->count, OMP__FAMILY_KEEP, memory_order_relaxed);
	omp__family_climb_end(tasks);
	return family;
}

/*
 * Get the family of the task. If the task has none, make one, and make one for each task around it that has none, up to
 * the first task that is deferred or whose parent has a family. There may be thousands of these tasks on the thread's
 * stack, so there is no recursion.
 */
struct omp__family *omp__family_of(struct omp__thread *thread, struct omp__task *task)
{
	struct omp__family *above = NULL;
	unsigned depth = 0;

	if (task->family)
		return task->family;
	for (struct omp__task *at = task; !above; at = at->parent) {
		depth++;
		if (at->kind == OMP__TASK_DEFERRED || at->parent->family)
			above = keep_above(at);
	}
	depth += above->depth;
	for (struct omp__task *at = task, *child = NULL; at; child = at, at = at->parent) {
		struct omp__family *family = omp__memory_get(thread, sizeof(*family));

		/* The task keeps the new family, and so does the family below, if there is one. */
		atomic_init(&family->count, child ? 2 * OMP__FAMILY_KEEP : OMP__FAMILY_KEEP);
		atomic_init(&family->ended, false);
		family->root = above->root;
		family->depth = depth--;
		family->depends = NULL;
		family->bracket = NULL;
		at->family = family;
		if (child)
			atomic_init(&child->family->parent, family);
		if (depth > above->depth)
			continue;
		atomic_init(&family->parent, above);
		break;
	}
	return task->family;
}

/* ---- asked ------------------------------------------------------------------------------------------------------- */

bool omp__family_descends(const struct omp__family *of, const struct omp__task *task)
{
	const struct omp__family *ancestor = task->family;
	const struct omp__family *family = of;
	struct omp__task_team *tasks;

	if (!ancestor || family == ancestor)
		return ancestor;
	if (task->kind == OMP__TASK_IMPLICIT)
		return family->root == ancestor;
	if (family->depth <= ancestor->depth || family->root != ancestor->root)
		return false;
	if (omp__family_parent(family) == ancestor)
		return true;
	tasks = omp__family_team(family);
	omp__family_climb_begin(tasks);
	while (family->depth > ancestor->depth)
		family = omp__family_parent(family);
	omp__family_climb_end(tasks);
	return family == ancestor;
}
