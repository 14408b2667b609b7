/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A region becomes
 *
 *	last = -1;
 *	if (&ferry_compiled_slots_min && ferry_compiled_slots_min <= count) {
 *		fill slots;
 *		last = ferry_compiled_run(slots, rets, count);
 *	}
 *
 * before its first call, and each of its calls, where it stands,
 *
 *	result = last >= slot ? ferry_compiled_result(rets[slot]) : call(...);
 *
 * Nothing else changes, so the program goes the way that the batch went. A call that the batch has not reached is made.
 */
#include "region.h"

namespace
{

/* a struct batch_slot in words: number and jumps, argc, arguments */
constexpr unsigned slot_words = 8, slot_arguments = 2;
constexpr int word_copy = -2, stop = -1;

/* the shares of a hundred, of those that GCC's branch probabilities have */
profile_probability rarely()
{
	return profile_probability::unlikely();
}

class emitter
{
public:
	emitter(const region &made, std::set<gimple *> *moved) : made(made), moved(moved)
	{
	}
	void emit();

private:
	void hoist();
	void guard();
	void fill(gimple_stmt_iterator *at);
	void fill_slot(gimple_stmt_iterator *at, unsigned slot, int number, const std::array<int, 3> &jumps,
		       const std::vector<tree> &words);
	void store(gimple_stmt_iterator *at, unsigned index, tree value);
	void take(const site &one);
	int jump(unsigned slot, int next) const
	{
		return next < 0 ? stop : (int)(made.sites[next].first - slot - 1);
	}
	tree element(tree array, unsigned index) const;

	const region &made;
	std::set<gimple *> *moved;
	tree slots, rets, last;
	location_t where;
};

tree external(const char *name, tree type, bool function)
{
	tree made = function ? build_fn_decl(name, type)
			     : build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);

	DECL_EXTERNAL(made) = TREE_PUBLIC(made) = 1;
	DECL_ARTIFICIAL(made) = 1;
	declare_weak(made);
	return made;
}

tree local_array(unsigned words, const char *name)
{
	tree array = create_tmp_var(build_array_type_nelts(long_integer_type_node, words), name);

	TREE_ADDRESSABLE(array) = 1;
	return array;
}

tree emitter::element(tree array, unsigned index) const
{
	return build4(ARRAY_REF, long_integer_type_node, array, size_int(index), NULL_TREE, NULL_TREE);
}

void emitter::hoist()
{
	gimple_stmt_iterator first = gsi_for_stmt(made.sites[0].call.statement);

	for (gimple *statement : made.hoisted) {
		gimple_stmt_iterator from = gsi_for_stmt(statement);

		if (!moved->insert(statement).second)
			continue;
		/* what is known of the value may hold only where it stood */
		reset_flow_sensitive_info(gimple_assign_lhs(statement));
		gsi_move_before(&from, &first);
	}
}

void emitter::store(gimple_stmt_iterator *at, unsigned index, tree value)
{
	tree word = POINTER_TYPE_P(TREE_TYPE(value)) || TREE_TYPE(value) != long_integer_type_node
			    ? fold_convert(long_integer_type_node, value)
			    : value;

	word = force_gimple_operand_gsi(at, word, true, NULL_TREE, true, GSI_SAME_STMT);
	gassign *stored = gimple_build_assign(element(slots, index), word);
	gimple_set_location(stored, where);
	gsi_insert_before(at, stored, GSI_SAME_STMT);
}

void emitter::fill_slot(gimple_stmt_iterator *at, unsigned slot, int number, const std::array<int, 3> &jumps,
			const std::vector<tree> &words)
{
	unsigned HOST_WIDE_INT head = (unsigned HOST_WIDE_INT)number & 0xffff;

	for (unsigned k = 0; k < 3; k++)
		head |= ((unsigned HOST_WIDE_INT)jumps[k] & 0xffff) << (16 * (k + 1));
	store(at, slot * slot_words, build_int_cst(long_integer_type_node, (HOST_WIDE_INT)head));
	store(at, slot * slot_words + 1, build_int_cst(long_integer_type_node, words.size()));
	for (unsigned k = 0; k < arguments_max; k++)
		store(at, slot * slot_words + slot_arguments + k,
		      k < words.size() ? words[k] : build_int_cst(long_integer_type_node, 0));
}

void emitter::fill(gimple_stmt_iterator *at)
{
	for (const site &one : made.sites) {
		unsigned copy = one.first;
		std::vector<tree> words;

		for (unsigned k = 0; k < one.arguments.size(); k++) {
			const argument &from = one.arguments[k];
			tree to, source;

			words.push_back(from.kind == argument::word ? from.value
								    : build_int_cst(long_integer_type_node, 0));
			if (from.kind == argument::word)
				continue;
			to = build_fold_addr_expr(element(slots, one.slot * slot_words + slot_arguments + k));
			if (from.kind == argument::result)
				source = build_fold_addr_expr(element(rets, made.sites[from.site].slot));
			else
				source = fold_build_pointer_plus_hwi(build_fold_addr_expr(from.base), from.offset);
			fill_slot(at, copy++, word_copy, { { stop, 0, 0 } }, { to, source });
		}
		fill_slot(at, one.slot, one.call.number,
			  { { jump(one.slot, one.next[on_fail]), jump(one.slot, one.next[on_zero]),
			      jump(one.slot, one.next[on_positive]) } },
			  words);
	}
}

/* The blocks before the first call: two questions, the batch, and where they meet with `last` decided. */
void emitter::guard()
{
	tree pointer = build_pointer_type(long_integer_type_node);
	tree run = external("ferry_compiled_run",
			    build_function_type_list(long_integer_type_node, pointer, pointer, long_unsigned_type_node,
						     NULL_TREE),
			    true);
	tree least = external("ferry_compiled_slots_min", integer_type_node, false);
	tree value = make_ssa_name(integer_type_node), ran = make_ssa_name(long_integer_type_node);
	tree before = build_int_cst(long_integer_type_node, -1);
	gimple_stmt_iterator at = gsi_for_stmt(made.sites[0].call.statement);
	tree address =
		force_gimple_operand_gsi(&at, build_fold_addr_expr(least), false, NULL_TREE, true, GSI_SAME_STMT);
	gcond *linked = gimple_build_cond(NE_EXPR, address, build_int_cst(TREE_TYPE(address), 0), NULL_TREE, NULL_TREE);
	basic_block start, asked, batch, meet;
	edge fell;
	gphi *decided;

	gimple_set_location(linked, where);
	gsi_insert_before(&at, linked, GSI_SAME_STMT);
	start = gimple_bb(linked);
	fell = split_block(start, linked);
	meet = fell->dest;
	asked = create_empty_bb(start);
	batch = create_empty_bb(asked);
	fell->flags = (fell->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	fell->probability = rarely();
	make_edge(start, asked, EDGE_TRUE_VALUE)->probability = rarely().invert();
	make_edge(asked, batch, EDGE_TRUE_VALUE)->probability = rarely();
	edge refused = make_edge(asked, meet, EDGE_FALSE_VALUE);
	refused->probability = rarely().invert();
	edge done = make_single_succ_edge(batch, meet, EDGE_FALLTHRU);
	for (basic_block block : { asked, batch }) {
		block->count = start->count;
		add_bb_to_loop(block, start->loop_father);
	}

	gimple_stmt_iterator in_asked = gsi_start_bb(asked);
	gsi_insert_after(&in_asked, gimple_build_assign(value, least), GSI_NEW_STMT);
	gsi_insert_after(&in_asked,
			 gimple_build_cond(LE_EXPR, value, build_int_cst(integer_type_node, made.slot_count), NULL_TREE,
					   NULL_TREE),
			 GSI_NEW_STMT);

	gcall *running = gimple_build_call(run, 3, build_fold_addr_expr(slots), build_fold_addr_expr(rets),
					   build_int_cst(long_unsigned_type_node, made.slot_count));
	gimple_call_set_lhs(running, ran);
	gimple_call_set_nothrow(running, true);
	gimple_set_location(running, where);
	gimple_stmt_iterator in_batch = gsi_start_bb(batch);
	gsi_insert_after(&in_batch, running, GSI_NEW_STMT);
	in_batch = gsi_for_stmt(running);
	fill(&in_batch);

	decided = create_phi_node(last, meet);
	add_phi_arg(decided, before, fell, where);
	add_phi_arg(decided, before, refused, where);
	add_phi_arg(decided, ran, done, where);
}

/* One call: its result from the batch, if the batch has come so far. */
void emitter::take(const site &one)
{
	gcall *call = one.call.statement;
	tree result = gimple_call_lhs(call);
	tree function =
		external("ferry_compiled_result",
			 build_function_type_list(long_integer_type_node, long_integer_type_node, NULL_TREE), true);
	tree raw = make_ssa_name(long_integer_type_node), given = make_ssa_name(long_integer_type_node);
	gimple_stmt_iterator at = gsi_for_stmt(call);
	gcond *reached =
		gimple_build_cond(GE_EXPR, last, build_int_cst(long_integer_type_node, one.slot), NULL_TREE, NULL_TREE);
	basic_block start, plain, taken, meet;

	gimple_set_location(reached, where);
	gsi_insert_before(&at, reached, GSI_SAME_STMT);
	start = gimple_bb(reached);
	edge to_plain = split_block(start, reached);
	plain = to_plain->dest;
	edge from_plain = split_block(plain, call);
	meet = from_plain->dest;
	taken = create_empty_bb(start);
	taken->count = start->count;
	add_bb_to_loop(taken, start->loop_father);
	to_plain->flags = (to_plain->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	to_plain->probability = rarely().invert();
	make_edge(start, taken, EDGE_TRUE_VALUE)->probability = rarely();
	edge from_taken = make_single_succ_edge(taken, meet, EDGE_FALLTHRU);

	gimple_stmt_iterator in_taken = gsi_start_bb(taken);
	gsi_insert_after(&in_taken, gimple_build_assign(raw, element(rets, one.slot)), GSI_NEW_STMT);
	gcall *giving = gimple_build_call(function, 1, raw);
	gimple_call_set_lhs(giving, given);
	gimple_call_set_nothrow(giving, true);
	gimple_set_location(giving, where);
	gsi_insert_after(&in_taken, giving, GSI_NEW_STMT);
	gimple_call_set_tail(call, false);
	if (!result)
		return;

	tree from_call = make_ssa_name(TREE_TYPE(result)), from_batch = make_ssa_name(TREE_TYPE(result));
	gsi_insert_after(&in_taken, gimple_build_assign(from_batch, NOP_EXPR, given), GSI_NEW_STMT);
	gimple_call_set_lhs(call, from_call);
	update_stmt(call);
	gphi *both = create_phi_node(result, meet);
	add_phi_arg(both, from_call, from_plain, where);
	add_phi_arg(both, from_batch, from_taken, where);
}

void emitter::emit()
{
	where = gimple_location(made.sites[0].call.statement);
	slots = local_array(made.slot_count * slot_words, "ferry_slots");
	rets = local_array(made.slot_count, "ferry_rets");
	last = make_ssa_name(long_integer_type_node);
	hoist();
	guard();
	for (const site &one : made.sites)
		take(one);
}

} // namespace

void emit_region(const region &made, std::set<gimple *> *moved)
{
	emitter(made, moved).emit();
}
