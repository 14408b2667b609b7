/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions: which system calls become one batch.
 *
 * A region begins at a call and follows every way on from it, as far as a batch can. What leads further than that ends
 * the batch (BATCH_STOP); from there on the program goes on with its calls one by one. So a region needs no exit of its
 * own. docs/decisions/0019-compiled-batches.md has the rules and their proofs.
 */
#ifndef FERRY_COMPILER_REGION_H
#define FERRY_COMPILER_REGION_H

#include "call.h"

/* most slots of one region, word copies among them: they lie on the stack, 72 bytes each */
constexpr unsigned region_slots_max = 32;
/* most calls of one region: the sets of failed calls have a bit for each */
constexpr unsigned region_calls_max = 32;

enum outcome { on_fail, on_zero, on_positive, outcome_count };

/* Where a word of a call comes from. */
struct argument {
	enum { word, result, load } kind;
	tree value;    /* word: known before the region */
	unsigned site; /* result: the call whose result it is */
	tree base;     /* load: the variable in which it lies, and at which byte */
	HOST_WIDE_INT offset;
};

/* A call of a region: one slot, and a word copy before it for each argument that is not a word. */
struct site {
	system_call call;
	std::vector<argument> arguments;
	unsigned first; /* its first slot, which may be a word copy */
	unsigned slot;
	std::array<int, outcome_count> next; /* the site that follows on each outcome, or -1 */
};

/* Why the calls of a region end where they do. */
struct obstacle {
	gimple *statement;
	const char *why;
};

struct region {
	std::vector<site> sites;
	std::vector<gimple *> hoisted; /* computed before the first call, in this order */
	std::vector<obstacle> obstacles;
	unsigned slot_count = 0;
};

/* A function as regions are looked for in it. Numbers statements and computes dominators and loops. */
class function_view
{
public:
	explicit function_view(function *of);
	~function_view();
	bool available(tree name, gimple *before) const; /* whether it is computed before that statement */

	std::vector<int> order; /* blocks in reverse post order */
	std::vector<int> rank;	/* by block: its place in that order, or -1 */
};

/* The region that begins at the call `first`, which is a recognised one. */
region grow_region(const function_view &view, gimple *first);

/* dataflow.cc: where the words of `call` come from; false with *why if they cannot be had. */
bool find_arguments(const function_view &view, region *grown, const system_call &call, std::vector<argument> *arguments,
		    const char **why);
/*
 * dataflow.cc: whether `statement` may run behind the later calls of a region; a load is noted in *loads. *why is NULL
 * where a region ends anyway.
 */
bool may_be_delayed(gimple *statement, std::vector<tree> *loads, const char **why);
/* dataflow.cc: whether `call` may change what one of the loads reads. */
bool may_change(const system_call &call, const std::vector<tree> &loads);

/* emit.cc: make the region a batch. `moved` has what was hoisted for earlier regions of this function. */
void emit_region(const region &made, std::set<gimple *> *moved);

#endif /* FERRY_COMPILER_REGION_H */
