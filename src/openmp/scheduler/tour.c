/* SPDX-License-Identifier: BSD-3-Clause */
/* The tour's treap, see tour.h. */
#include "openmp/scheduler/tour.h"

#include <stddef.h>

/* Marsaglia, "Xorshift RNGs" (2003). */
static uint32_t next_weight(struct omp__tour *tour)
{
	uint32_t random = tour->random ? tour->random : UINT32_C(2463534242);

	random ^= random << 13;
	random ^= random >> 17;
	random ^= random << 5;
	tour->random = random;
	return random >> 1;
}

static inline struct omp__tour_node *first_of(const struct omp__tour_node *subtree)
{
	return subtree ? subtree->first : NULL;
}

static inline struct omp__tour_node *own(struct omp__tour_node *node)
{
	return node->is_task ? node : NULL;
}

/* Of two tasks, each of which may be NULL, return the one that is to be run first. */
static inline struct omp__tour_node *earlier(struct omp__tour_node *one, struct omp__tour_node *other)
{
	if (!one || !other)
		return one ? one : other;
	if (one->priority != other->priority)
		return one->priority > other->priority ? one : other;
	return one->number < other->number ? one : other;
}

static inline void find_first(struct omp__tour_node *node)
{
	node->first = earlier(own(node), earlier(first_of(node->left), first_of(node->right)));
}

/* Hang `node` where `old` hangs. */
static inline void replace(struct omp__tour *tour, struct omp__tour_node *old, struct omp__tour_node *node)
{
	struct omp__tour_node *parent = old->parent;

	if (!parent)
		tour->root = node;
	else if (parent->left == old)
		parent->left = node;
	else
		parent->right = node;
	if (node)
		node->parent = parent;
}

/* Turn the edge from a node to its parent, such that the node comes above; the sequence stays as it is. */
static void rotate_up(struct omp__tour *tour, struct omp__tour_node *node)
{
	struct omp__tour_node *parent = node->parent;
	struct omp__tour_node *between;

	replace(tour, parent, node);
	if (parent->left == node) {
		between = parent->left = node->right;
		node->right = parent;
	} else {
		between = parent->right = node->left;
		node->left = parent;
	}
	if (between)
		between->parent = parent;
	parent->parent = node;
	find_first(parent);
	find_first(node);
}

static void hang(struct omp__tour *tour, struct omp__tour_node *at, struct omp__tour_node *node)
{
	struct omp__tour_node **place = at ? &at->right : &tour->root;

	while (*place) {
		at = *place;
		place = &at->left;
	}
	*place = node;
	node->parent = at;
}

void omp__tour_add(struct omp__tour *tour, struct omp__tour_node *at, struct omp__tour_node *node)
{
	node->left = NULL;
	node->right = NULL;
	node->first = own(node);
	node->weight = next_weight(tour) & INT32_MAX;
	hang(tour, at, node);
	while (node->parent && node->parent->weight < node->weight)
		rotate_up(tour, node);
	if (!node->is_task)
		return;
	for (struct omp__tour_node *above = node->parent; above && earlier(node, above->first) == node;
	     above = above->parent)
		above->first = node;
}

void omp__tour_remove(struct omp__tour *tour, struct omp__tour_node *node)
{
	struct omp__tour_node *above = node->parent;
	struct omp__tour_node *child;

	/* Nodes that rotate above this one must not count it as a task any more. */
	node->is_task = false;
	while (node->left && node->right)
		rotate_up(tour, node->left->weight > node->right->weight ? node->left : node->right);
	child = node->left ? node->left : node->right;
	replace(tour, node, child);
	for (; above && above->first == node; above = above->parent)
		find_first(above);
}

struct omp__tour_node *omp__tour_first(const struct omp__tour *tour)
{
	return first_of(tour->root);
}

static unsigned depth_of(const struct omp__tour_node *node)
{
	unsigned depth = 0;

	while ((node = node->parent))
		depth++;
	return depth;
}

static struct omp__tour_node *common_ancestor(struct omp__tour_node *one, struct omp__tour_node *other)
{
	unsigned one_depth = depth_of(one);
	unsigned other_depth = depth_of(other);

	for (; one_depth > other_depth; one_depth--)
		one = one->parent;
	for (; other_depth > one_depth; other_depth--)
		other = other->parent;
	while (one != other) {
		one = one->parent;
		other = other->parent;
	}
	return one;
}

/*
 * On the way up from a bracket to the common ancestor, each node that the way comes to from the bracket's side lies
 * between the brackets, and so does what hangs on that node's other side.
 */
struct omp__tour_node *omp__tour_first_between(struct omp__tour_node *opening, struct omp__tour_node *closing)
{
	struct omp__tour_node *top = common_ancestor(opening, closing);
	struct omp__tour_node *first = NULL;

	if (opening != top) {
		first = first_of(opening->right);
		for (struct omp__tour_node *at = opening; at->parent != top; at = at->parent)
			if (at == at->parent->left)
				first = earlier(first, earlier(own(at->parent), first_of(at->parent->right)));
	}
	if (closing != top) {
		first = earlier(first, first_of(closing->left));
		for (struct omp__tour_node *at = closing; at->parent != top; at = at->parent)
			if (at == at->parent->right)
				first = earlier(first, earlier(own(at->parent), first_of(at->parent->left)));
	}
	return opening != top && closing != top ? earlier(first, own(top)) : first;
}
