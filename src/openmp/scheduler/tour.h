/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An Euler tour of the families of tasks, in a balanced tree: which of the queue's tasks descend from a given task.
 *
 * The tour is a sequence. A family is a pair of brackets in it, and between these lie the queued children of its task
 * and the brackets of the families below. So what descends from a task is an interval, and the first of its tasks, the
 * one with the highest priority and among equal ones the oldest, is the minimum of that interval.
 *
 *	( a ( b c ) ( ( d ) ) )		a is a child of the outermost task, d of one three levels down
 *
 * The sequence is kept in a treap (Aragon and Seidel, "Randomized search trees", 1989): a binary tree, in order, that
 * is also a heap by random weights. Each node knows the minimum of its subtree, so adding, removing and searching take
 * O(log n) expected steps, and adding a task that is not a minimum takes O(1). Euler tours in balanced trees are
 * Henzinger and King's (1995), after Tarjan and Vishkin (1985).
 *
 * Nothing here takes a lock: the caller holds that of the team's queue.
 */
#ifndef OMP_TOUR_H
#define OMP_TOUR_H

#include <stdbool.h>
#include <stdint.h>

struct omp__deferred;
struct omp__task_queue;

struct omp__tour_node {
	struct omp__tour_node *left;
	struct omp__tour_node *right;
	struct omp__tour_node *parent;
	struct omp__tour_node *first; /* the minimum of the subtree; NULL: only brackets */
	union {
		struct omp__deferred *deferred;
		struct omp__tour_node *closing; /* of an opening bracket */
	};
	union {
		uint64_t number;		     /* of a task: in the order they came */
		const struct omp__task_queue *queue; /* of an opening bracket: whose tour it is in */
	};
	int priority;
	uint32_t weight : 31;
	uint32_t is_task : 1;
};

struct omp__tour {
	struct omp__tour_node *root;
	uint32_t random;
};

/* Add a node whose kind, deferred, number and priority are set: behind `at`, or in front of all for NULL. */
void omp__tour_add(struct omp__tour *tour, struct omp__tour_node *at, struct omp__tour_node *node);
void omp__tour_remove(struct omp__tour *tour, struct omp__tour_node *node);
/* The first task of all, or of those between two brackets; NULL when there is none. */
struct omp__tour_node *omp__tour_first(const struct omp__tour *tour);
struct omp__tour_node *omp__tour_first_between(struct omp__tour_node *opening, struct omp__tour_node *closing);

#endif
