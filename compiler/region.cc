/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A region is found by following pairs (site, outcome) through the blocks in reverse post order, so that a block is
 * looked at when all ways to it are known. At a call, the pairs that arrive jump to it, and three new ones leave. At a
 * branch on the result of the call that they left, pairs go each its way. A pair that cannot go on ends the batch.
 */
#include "region.h"

namespace
{

/* A way that has left `site` by `outcome`. `failed` has a bit for each call that may have failed on it. */
struct pair {
	unsigned site;
	outcome left_by;
	unsigned failed;
};
using pairs = std::vector<pair>;

enum class decision { no, yes, unknown };

class grower
{
public:
	grower(const function_view &view, gimple *first) : view(view), first(first)
	{
	}
	region grow();

private:
	void walk(basic_block block, gimple_stmt_iterator from, pairs arriving);
	bool step(gimple *statement, pairs *arriving);
	bool add_site(const system_call &call, pairs *arriving, const char **why);
	void leave(basic_block block, const pairs &leaving);
	void follow(edge way, const pairs &leaving);
	void branch(basic_block block, gcond *condition, const pairs &leaving);
	bool is_inside(basic_block block) const;
	void obstruct(gimple *statement, const char *why)
	{
		grown.obstacles.push_back({ statement, why });
	}

	const function_view &view;
	gimple *first;
	region grown;
	std::map<int, pairs> waiting; /* by block: what arrives there */
	std::vector<tree> loads;
};

/* What `code` says of every value of this outcome: -1, 0, or 1 and more. */
decision decide(tree_code code, outcome left_by, HOST_WIDE_INT constant)
{
	HOST_WIDE_INT value = left_by == on_fail ? -1 : 0;

	if (left_by != on_positive) {
		bool holds = code == EQ_EXPR   ? value == constant
			     : code == NE_EXPR ? value != constant
			     : code == LT_EXPR ? value < constant
			     : code == LE_EXPR ? value <= constant
			     : code == GT_EXPR ? value > constant
					       : value >= constant;
		return holds ? decision::yes : decision::no;
	}
	switch (code) {
	case EQ_EXPR:
		return constant < 1 ? decision::no : decision::unknown;
	case NE_EXPR:
		return constant < 1 ? decision::yes : decision::unknown;
	case LT_EXPR:
		return constant <= 1 ? decision::no : decision::unknown;
	case LE_EXPR:
		return constant < 1 ? decision::no : decision::unknown;
	case GT_EXPR:
		return constant < 1 ? decision::yes : decision::unknown;
	case GE_EXPR:
		return constant <= 1 ? decision::yes : decision::unknown;
	default:
		return decision::unknown;
	}
}

/* Whether a result may be negative and no failure: some files have such offsets (/proc/self/mem). libc returns them. */
bool has_negative_results(const system_call &call)
{
	return !strcmp(call.name, "lseek");
}

/* The constant with which a result is compared, if that can be decided by its sign. */
bool compared_with(gcond *condition, HOST_WIDE_INT *constant)
{
	tree with = gimple_cond_rhs(condition), type = TREE_TYPE(gimple_cond_lhs(condition));
	tree_code code = gimple_cond_code(condition);

	if (TREE_CODE(with) != INTEGER_CST || TREE_CODE_CLASS(code) != tcc_comparison || code > NE_EXPR)
		return false;
	if (integer_all_onesp(with))
		*constant = -1;
	else if (tree_fits_shwi_p(with))
		*constant = tree_to_shwi(with);
	else
		return false;
	return !TYPE_UNSIGNED(type) || code == EQ_EXPR || code == NE_EXPR;
}

bool grower::is_inside(basic_block block) const
{
	basic_block start = gimple_bb(first);

	return block->loop_father == start->loop_father && !(block->flags & BB_IRREDUCIBLE_LOOP) &&
	       dominated_by_p(CDI_DOMINATORS, block, start);
}

void grower::follow(edge way, const pairs &leaving)
{
	if ((way->flags & EDGE_COMPLEX) || view.rank[way->dest->index] <= view.rank[way->src->index] ||
	    way->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
		return;
	pairs &there = waiting[way->dest->index];
	there.insert(there.end(), leaving.begin(), leaving.end());
}

void grower::branch(basic_block block, gcond *condition, const pairs &leaving)
{
	pairs yes, no;
	HOST_WIDE_INT constant = 0;
	bool comparable = compared_with(condition, &constant);
	bool undecided = false;
	edge if_true, if_false;

	for (const pair &one : leaving) {
		const system_call &call = grown.sites[one.site].call;
		decision decided = decision::unknown;

		if (comparable && gimple_call_lhs(call.statement) == gimple_cond_lhs(condition) &&
		    (constant >= 0 || one.left_by != on_fail || !has_negative_results(call)))
			decided = decide(gimple_cond_code(condition), one.left_by, constant);
		if (decided == decision::yes)
			yes.push_back(one);
		else if (decided == decision::no)
			no.push_back(one);
		else
			undecided = true;
	}
	if (undecided)
		obstruct(condition, "a branch on something else than the sign of the call before it");
	extract_true_false_edges_from_block(block, &if_true, &if_false);
	if (!yes.empty())
		follow(if_true, yes);
	if (!no.empty())
		follow(if_false, no);
}

void grower::leave(basic_block block, const pairs &leaving)
{
	gimple *last = gsi_stmt(gsi_last_nondebug_bb(block));

	if (last && gimple_code(last) == GIMPLE_COND)
		branch(block, as_a<gcond *>(last), leaving);
	else if (single_succ_p(block))
		follow(single_succ_edge(block), leaving);
}

/* Add a call at which `arriving` arrive. Those on which a result that it needs may be missing end the batch instead. */
bool grower::add_site(const system_call &call, pairs *arriving, const char **why)
{
	unsigned number = grown.sites.size(), needed = 0, failed = 0, copies = 0;
	std::vector<argument> arguments;
	pairs going;

	if (may_change(call, loads)) {
		*why = "the call may change what was read since the first one";
		return false;
	}
	if (number == region_calls_max || !find_arguments(view, &grown, call, &arguments, why)) {
		*why = number == region_calls_max ? "the region has as many calls as it may" : *why;
		return false;
	}
	for (const argument &one : arguments) {
		copies += one.kind != argument::word;
		needed |= one.kind == argument::result ? 1u << one.site : 0;
	}
	for (const pair &one : *arriving)
		if (!(one.failed & needed))
			going.push_back(one);
	if (grown.slot_count + copies + 1 > region_slots_max || (number && going.empty())) {
		*why = number && going.empty() ? "a result that it needs may be a failure"
					       : "the region has as many slots as it may";
		return false;
	}
	for (const pair &one : going) {
		grown.sites[one.site].next[one.left_by] = (int)number;
		failed |= one.failed;
	}
	grown.sites.push_back({ call, arguments, grown.slot_count, grown.slot_count + copies, { { -1, -1, -1 } } });
	grown.slot_count += copies + 1;
	*arriving = { { number, on_fail, failed | 1u << number },
		      { number, on_zero, failed },
		      { number, on_positive, failed } };
	return true;
}

/* Go on behind `statement`; false if no batch can. */
bool grower::step(gimple *statement, pairs *arriving)
{
	system_call call;
	const char *why = "";
	bool goes_on;

	if (is_gimple_debug(statement) || gimple_code(statement) == GIMPLE_COND)
		return true;
	switch (recognise(statement, &call, &why)) {
	case recognised::call:
		goes_on = add_site(call, arriving, &why);
		break;
	case recognised::other:
		goes_on = may_be_delayed(statement, &loads, &why);
		break;
	default:
		goes_on = false;
	}
	if (!goes_on && why)
		obstruct(statement, why);
	return goes_on;
}

void grower::walk(basic_block block, gimple_stmt_iterator from, pairs arriving)
{
	for (; !gsi_end_p(from); gsi_next(&from))
		if (!step(gsi_stmt(from), &arriving))
			return;
	leave(block, arriving);
}

region grower::grow()
{
	basic_block start = gimple_bb(first);

	if (start->flags & BB_IRREDUCIBLE_LOOP)
		return grown;
	walk(start, gsi_for_stmt(first), {});
	for (size_t k = view.rank[start->index] + 1; k < view.order.size(); k++) {
		auto there = waiting.find(view.order[k]);
		basic_block block = BASIC_BLOCK_FOR_FN(cfun, view.order[k]);

		if (there != waiting.end() && is_inside(block))
			walk(block, gsi_start_bb(block), there->second);
	}
	return grown;
}

} // namespace

function_view::function_view(function *of)
{
	std::vector<int> found(n_basic_blocks_for_fn(of));
	int count;

	loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
	mark_irreducible_loops();
	calculate_dominance_info(CDI_DOMINATORS);
	renumber_gimple_stmt_uids(of);
	count = reverse_post_order(found.data());
	order.assign(found.begin(), found.begin() + count);
	rank.assign(last_basic_block_for_fn(of), -1);
	for (int k = 0; k < count; k++)
		rank[order[k]] = k;
}

function_view::~function_view()
{
	loop_optimizer_finalize();
}

bool function_view::available(tree name, gimple *before) const
{
	gimple *made = SSA_NAME_DEF_STMT(name);
	basic_block block = gimple_bb(made);

	if (SSA_NAME_IS_DEFAULT_DEF(name))
		return true;
	if (block != gimple_bb(before))
		return dominated_by_p(CDI_DOMINATORS, gimple_bb(before), block);
	return gimple_code(made) == GIMPLE_PHI || gimple_uid(made) < gimple_uid(before);
}

region grow_region(const function_view &view, gimple *first)
{
	return grower(view, first).grow();
}
